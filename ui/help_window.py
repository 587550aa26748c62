"""The help: what is where, the first steps, what the words mean, and where everything lies."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication, Qt, Signal
from PySide6.QtGui import QFont, QKeySequence, QShortcut
from PySide6.QtWidgets import (
    QDialog,
    QFrame,
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from ui import theme as look
from ui.controls import Surface
from ui.controls_buttons import ActionButton
from ui.form import Heading
from ui.shortcuts import keys_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ui.menus import Actions
    from ui.theme import Theme

_SIZE = (640, 680)
_LEAST = (460, 320)
_TERMS = 132
_SIDE = 28


@dataclass(frozen=True)
class Topic:
    """One thing that is explained.

    Attributes:
        term: What one looks for.
        text: A sentence or a few.
        keys: What leads there, as the system writes it; "" for none.
    """

    term: str
    text: str
    keys: str = ""


@dataclass(frozen=True)
class Chapter:
    """Topics under a heading."""

    title: str
    topics: tuple[Topic, ...]


@dataclass(frozen=True)
class Folders:
    """Where things lie on this machine, as they are written for a reader."""

    chats: str
    models: str
    log: str


def chapters(actions: Actions, folders: Folders) -> tuple[Chapter, ...]:
    """The whole help, with the keys and the folders of this machine."""
    return (_places(), _steps(actions), _words(), _privacy(actions), _folders(folders))


def _places() -> Chapter:
    translate = QCoreApplication.translate
    chat = translate(
        "Help",
        "Ask, and read the reply while it is written. Every chat is kept, with all versions of"
        " every message. The inspector at the right shows what the engine does meanwhile.",
    )
    playground = translate(
        "Help",
        "Any text, token by token: what could come next and how likely it is, other branches,"
        " what each token looks at, what each layer would have said.",
    )
    exhibits = translate(
        "Help",
        "Short experiments about how a language model works, measured on the one that is loaded."
        " Each says what you should see, and says so when it differs.",
    )
    models = translate(
        "Help",
        "What is on this machine and what fits in its memory; search and download more,"
        " convert and compare them.",
    )
    topics = (
        Topic(translate("Places", "Chat"), chat, _key("Ctrl+1")),
        Topic(translate("Places", "Playground"), playground, _key("Ctrl+2")),
        Topic(translate("Places", "Exhibits"), exhibits, _key("Ctrl+3")),
        Topic(translate("Places", "Models"), models, _key("Ctrl+4")),
    )
    return Chapter(translate("Help", "The four places"), topics)


def _steps(actions: Actions) -> Chapter:
    translate = QCoreApplication.translate
    ask = translate(
        "Help",
        "Write in the field at the bottom: {send} sends, {line} breaks the line, {stop} stops the"
        " reply. Files come along with +, by paste, or dropped on the chat.",
    ).format(send=_key("Return"), line=_key("Shift+Return"), stop=_key("Esc"))
    change = translate(
        "Help",
        "Point at a message, or reach it with {tab}: copy, edit, write it anew, fork, delete."
        " Nothing is overwritten; ‹ 1/2 › leads to the other versions. {up} in the empty field"
        " edits your last question.",
    ).format(tab=_key("Tab"), up=_key("Up"))
    find = translate(
        "Help",
        "{here} searches this chat, {all} all chats, {anything} goes to everything there is.",
    ).format(
        here=keys_of(actions.find), all=keys_of(actions.search), anything=keys_of(actions.palette)
    )
    another = translate(
        "Help",
        "The name above the chat lists the models of this machine. A folder or a .gguf file opens"
        " from the menu File, or dropped on the window.",
    )
    settings = translate(
        "Help",
        "Chat Settings, {chat}: the system prompt, temperature, length, context and presets of a"
        " chat. Preferences, {all}: look, text size, language and network of Cutaway.",
    ).format(chat=keys_of(actions.chat_settings), all=keys_of(actions.preferences))
    topics = (
        Topic(translate("Help", "Ask"), ask),
        Topic(translate("Help", "Change"), change),
        Topic(translate("Help", "Find"), find),
        Topic(translate("Help", "Another model"), another),
        Topic(translate("Help", "Settings"), settings),
    )
    return Chapter(translate("Help", "First steps"), topics)


def _words() -> Chapter:
    translate = QCoreApplication.translate
    token = translate(
        "Help", "A word or a piece of one. Models read and write tokens, and count in them."
    )
    prefill = translate(
        "Help",
        "What you wrote goes through the model at once; the first token of the reply comes after"
        " it. Then decode writes one token after the other.",
    )
    cache = translate(
        "Help",
        "What the model keeps of every token it has read. What stands there is not computed again:"
        " that is what “reused” counts.",
    )
    context = translate(
        "Help",
        "How many tokens a model sees at once. When it is full the oldest words make room, and a"
        " line in the chat shows where the model’s memory begins. Chat › When the Context Is Full"
        " lets the reply end instead.",
    )
    topics = (
        Topic(translate("Help", "Token"), token),
        Topic(translate("Help", "Prefill, decode"), prefill),
        Topic(translate("Help", "KV cache"), cache),
        Topic(translate("Help", "Context"), context),
    )
    return Chapter(translate("Help", "Words in the inspector"), topics)


def _privacy(actions: Actions) -> Chapter:
    translate = QCoreApplication.translate
    here = translate("Help", "Models run here. What is said in a chat never leaves this machine.")
    network = translate(
        "Help",
        "Used only for what you do in Models, to search and to download, for the shape of a model"
        " that you name in exhibit 8, and to ask for a newer version where you allowed it. Offline,"
        " in the preferences, forbids all of it.",
    )
    temporary = translate(
        "Help", "{key} begins a chat that is nowhere on disk and ends with Cutaway."
    ).format(key=keys_of(actions.temporary_chat))
    topics = (
        Topic(translate("Help", "Your words"), here),
        Topic(translate("Help", "The network"), network),
        Topic(translate("Help", "Temporary chats"), temporary),
    )
    return Chapter(translate("Help", "Privacy"), topics)


def _folders(folders: Folders) -> Chapter:
    translate = QCoreApplication.translate
    shared = translate(
        "Help", "Downloads lie in the Hugging Face cache, which other programs share."
    )
    topics = [
        Topic(translate("Help", "Chats"), folders.chats),
        Topic(translate("Help", "Models"), f"{folders.models}\n{shared}"),
    ]
    if folders.log:
        never = translate("Help", "It never holds what was said in a chat.")
        topics.append(Topic(translate("Help", "Log"), f"{folders.log}\n{never}"))
    return Chapter(translate("Help", "Where it lies"), tuple(topics))


def _key(name: str) -> str:
    return QKeySequence(name).toString(QKeySequence.SequenceFormat.NativeText)


class HelpWindow(QDialog):
    """The help in a window of its own, which may stay open beside the chat."""

    shortcuts_wanted = Signal()

    def __init__(self, theme: Theme, chapters: Sequence[Chapter], parent: QWidget) -> None:
        super().__init__(parent)
        self._theme = theme
        self.setWindowTitle(self.tr("Cutaway Help"))
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.resize(*_SIZE)
        self.setMinimumSize(*_LEAST)
        page = Surface(theme, "page")
        self._grid = QGridLayout(page)
        self._grid.setContentsMargins(_SIDE, 4, _SIDE, _SIDE)
        self._grid.setHorizontalSpacing(20)
        self._grid.setVerticalSpacing(10)
        self._grid.setColumnMinimumWidth(0, _TERMS)
        self._grid.setColumnStretch(1, 1)
        self._fill(chapters)
        self._area = QScrollArea()
        self._area.setWidgetResizable(True)
        self._area.setFrameShape(QFrame.Shape.NoFrame)
        self._area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._area.setAccessibleName(self.windowTitle())
        self._area.setWidget(page)
        self.shortcuts = ActionButton(theme, self.tr("All Shortcuts"))
        self.shortcuts.clicked.connect(self.shortcuts_wanted)
        done = ActionButton(theme, self.tr("Close"), main=True)
        done.clicked.connect(self.close)
        foot = QHBoxLayout()
        foot.setContentsMargins(_SIDE, 12, _SIDE, 14)
        foot.setSpacing(look.GRID)
        foot.addWidget(self.shortcuts)
        foot.addStretch(1)
        foot.addWidget(done)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self._area, 1)
        rule = Surface(theme, "page", underline=True)
        rule.setFixedHeight(1)
        column.addWidget(rule)
        column.addLayout(foot)
        QShortcut(QKeySequence(QKeySequence.StandardKey.Close), self, self.close)
        self._area.setFocus()

    def _fill(self, chapters: Sequence[Chapter]) -> None:
        line = 0
        for chapter in chapters:
            heading = Heading(self._theme, chapter.title)
            heading.setContentsMargins(0, 22, 0, 2)
            self._grid.addWidget(heading, line, 0, 1, 2)
            line += 1
            for topic in chapter.topics:
                self._grid.addLayout(self._term(topic), line, 0)
                self._grid.addWidget(self._label(topic.text), line, 1, Qt.AlignmentFlag.AlignTop)
                line += 1
        self._grid.setRowStretch(line, 1)

    def _term(self, topic: Topic) -> QVBoxLayout:
        """The term, and below it the keys that lead there."""
        column = QVBoxLayout()
        column.setSpacing(1)
        column.addWidget(self._label(topic.term, strong=True))
        if topic.keys:
            keys = Heading(self._theme, topic.keys)
            keys.setFont(self._theme.font(look.CAPTION))
            column.addWidget(keys)
        column.addStretch(1)
        return column

    def _label(self, text: str, *, strong: bool = False) -> QLabel:
        label = QLabel(text)
        label.setTextFormat(Qt.TextFormat.PlainText)
        label.setWordWrap(True)
        weight = QFont.Weight.DemiBold if strong else QFont.Weight.Normal
        label.setFont(self._theme.font(look.TEXT - 1, weight))
        if not strong:
            label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        return label
