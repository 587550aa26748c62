"""Spelling in the composer: which words are underlined, and the menu that puts one right.

What checks is a `Spelling` of the system's, handed in from outside; without one nothing happens.
Positions are counted in UTF-16 units, as both Qt and Cocoa do.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from PySide6.QtCore import QEvent, QObject, Qt, QTimer
from PySide6.QtGui import (
    QAction,
    QColor,
    QContextMenuEvent,
    QFont,
    QTextCharFormat,
    QTextCursor,
)
from PySide6.QtWidgets import QTextEdit
from typing_extensions import override

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from PySide6.QtCore import QPoint
    from PySide6.QtWidgets import QMenu

    from ui.chat.draft import Draft
    from ui.theme import Theme

PAUSE_MS = 300
"""How long nothing is typed before the text is checked."""

_LONGEST = 20_000
"""Nobody writes more by hand; what is longer was pasted."""
_MOST_MARKS = 500
_MOST_SUGGESTIONS = 6

_FENCE = re.compile(r"^ {0,3}(```|~~~).*?(?:^ {0,3}\1|\Z)", re.MULTILINE | re.DOTALL)
_INLINE = re.compile(r"`[^`\n]+`|\$[^$\n]+\$")
_TOKEN = re.compile(r"\S+")
_NO_WORD = re.compile(r"://|[@_\\\d]|[a-z][A-Z]|^www\.|^[~.]*/|^[#<]|\w[./]\w+[./]|\.\w{1,5}\W*$")
"""An address, a path, a file's name, a name from a program."""


@dataclass(frozen=True)
class Span:
    """A misspelt word.

    Attributes:
        start: Where it begins, in UTF-16 units.
        length: Of it, in UTF-16 units.
    """

    start: int
    length: int


class Spelling(Protocol):
    """A spell checker, asked on the main thread."""

    def check(self, text: str, answer: Callable[[Sequence[Span]], None]) -> None:
        """Find the misspelt words of a text; the answer comes later, on the main thread."""

    def suggestions(self, word: str) -> Sequence[str]:
        """What a word may have been meant to be, the likeliest first."""
        ...

    def learn(self, word: str) -> None:
        """Take a word as right from now on, everywhere."""

    def ignore(self, word: str) -> None:
        """Take a word as right until the application ends."""


def utf16_length(text: str) -> int:
    """How many UTF-16 units a text has."""
    return len(text.encode("utf-16-le", "surrogatepass")) // 2


def checkable(text: str) -> str:
    """The text with spaces where code, formulas, addresses and names of files stand.

    Every position stays where it is, in UTF-16 units.
    """
    whole = text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    for pattern in (_FENCE, _INLINE):
        whole = pattern.sub(lambda found: _blank(found[0]), whole)
    return _TOKEN.sub(
        lambda found: _blank(found[0]) if _NO_WORD.search(found[0]) else found[0], whole
    )


def _blank(text: str) -> str:
    """Spaces of the same length; the ends of lines stay."""
    return "\n".join(" " * utf16_length(line) for line in text.split("\n"))


class SpellMarks(QObject):
    """Underlines the misspelt words of a draft, and offers other words in its menu."""

    def __init__(self, draft: Draft, theme: Theme) -> None:
        super().__init__(draft)
        self._draft = draft
        self._theme = theme
        self._spelling: Spelling | None = None
        self._found: list[QTextCursor] = []
        self._pause = QTimer(self, singleShot=True, interval=PAUSE_MS)
        self._pause.timeout.connect(self._check)
        draft.textChanged.connect(self._on_text_changed)
        draft.cursorPositionChanged.connect(self._show)
        draft.focus_changed.connect(self._show)
        theme.changed.connect(self._show)
        draft.installEventFilter(self)
        draft.viewport().installEventFilter(self)

    def set_spelling(self, spelling: Spelling | None) -> None:
        """Check with this from now on; with None nothing is checked."""
        if spelling is not self._spelling:
            self._spelling = spelling
            self._clear()
            self._on_text_changed()

    @property
    def words(self) -> tuple[str, ...]:
        """The words that are underlined."""
        return tuple(each.cursor.selectedText() for each in self._draft.extraSelections())

    def show_next(self) -> None:
        """Go to the misspelt word after the cursor, around the end, and open its menu."""
        at = self._draft.textCursor().position()
        words = [cursor for cursor in self._found if cursor.hasSelection()]
        if not words or self._spelling is None:
            return
        later = (cursor for cursor in words if cursor.selectionEnd() > at)
        word = min(later, key=QTextCursor.selectionEnd, default=words[0])
        self._draft.setFocus()
        self._draft.setTextCursor(word)
        spot = self._draft.cursorRect().bottomLeft()
        self._open_menu(word, self._spelling, self._draft.viewport().mapToGlobal(spot))

    def _on_text_changed(self) -> None:
        if self._spelling is not None:
            self._pause.start()

    def _check(self) -> None:
        if self._draft.composing:
            self._pause.start()
            return
        document = self._draft.document()
        if self._spelling is None or not 1 < document.characterCount() <= _LONGEST:
            self._clear()
            return
        spelling, revision = self._spelling, document.revision()

        def take(spans: Sequence[Span]) -> None:
            # Words that have changed since are asked for again by themselves.
            if spelling is self._spelling and revision == document.revision():
                self._found = [self._cursor_of(span) for span in spans[:_MOST_MARKS]]
                self._show()

        spelling.check(checkable(self._draft.toPlainText()), take)

    def _cursor_of(self, span: Span) -> QTextCursor:
        """The word as a selection, which moves along with what is written before it."""
        end = self._draft.document().characterCount() - 1
        cursor = QTextCursor(self._draft.document())
        cursor.setPosition(min(span.start, end))
        cursor.setPosition(min(span.start + span.length, end), QTextCursor.MoveMode.KeepAnchor)
        return cursor

    def _clear(self) -> None:
        self._found = []
        self._show()

    def _show(self) -> None:
        """Underline what was found, but not the word that is being typed."""
        if not self._found and not self._draft.extraSelections():
            return
        place = self._draft.textCursor()
        typing = place.position() if self._draft.hasFocus() and not place.hasSelection() else -1
        form = QTextCharFormat()
        form.setUnderlineStyle(QTextCharFormat.UnderlineStyle.SpellCheckUnderline)
        form.setUnderlineColor(QColor(self._theme.colors.accent))
        marks: list[QTextEdit.ExtraSelection] = []
        for cursor in self._found:
            if cursor.hasSelection() and cursor.selectionEnd() != typing:
                mark = QTextEdit.ExtraSelection()
                mark.cursor = cursor  # pyright: ignore[reportAttributeAccessIssue]  Qt's way
                mark.format = form  # pyright: ignore[reportAttributeAccessIssue]  Qt's way
                marks.append(mark)
        self._draft.setExtraSelections(marks)

    @override
    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if not isinstance(event, QContextMenuEvent):
            return False
        by_mouse = event.reason() == QContextMenuEvent.Reason.Mouse
        if by_mouse and watched is self._draft:
            return False  # it has been through the viewport
        place = self._draft.cursorForPosition(event.pos()) if by_mouse else self._draft.textCursor()
        word = self._word_at(place.position())
        if word is None or self._spelling is None:
            return False
        spot = event.pos() if by_mouse else self._draft.cursorRect().bottomLeft()
        self._open_menu(word, self._spelling, self._draft.viewport().mapToGlobal(spot))
        return True

    def _word_at(self, position: int) -> QTextCursor | None:
        """The word that was found at a place."""
        for cursor in self._found:
            if cursor.hasSelection() and (
                cursor.selectionStart() <= position <= cursor.selectionEnd()
            ):
                return cursor
        return None

    def _open_menu(self, word: QTextCursor, spelling: Spelling, spot: QPoint) -> None:
        """The usual menu of a text, with what can be done about the word at its top."""
        menu = self._draft.createStandardContextMenu()
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self._fill(menu, word, spelling)
        menu.popup(spot)

    def _fill(self, menu: QMenu, word: QTextCursor, spelling: Spelling) -> None:
        written = word.selectedText()
        actions: list[QAction] = []

        def add(text: str, act: Callable[[], None]) -> QAction:
            def on_triggered() -> None:  # without the argument that the signal has
                act()

            action = QAction(text, menu)
            action.triggered.connect(on_triggered)
            actions.append(action)
            return action

        suggestions = list(spelling.suggestions(written))[:_MOST_SUGGESTIONS]
        for other in suggestions:
            # A single & would mark a letter.
            shown = add(other.replace("&", "&&"), lambda other=other: self._replace(word, other))
            font = QFont(shown.font())
            font.setWeight(QFont.Weight.DemiBold)
            shown.setFont(font)
        if not suggestions:
            add(self.tr("No Suggestions"), lambda: None).setEnabled(False)
        actions.append(_separator(menu))
        add(self.tr("Learn Spelling"), lambda: self._accept(spelling.learn, written))
        add(self.tr("Ignore Spelling"), lambda: self._accept(spelling.ignore, written))
        actions.append(_separator(menu))
        menu.insertActions(menu.actions()[0], actions)

    def _replace(self, word: QTextCursor, other: str) -> None:
        word.insertText(other)  # one step, which can be undone
        self._draft.setTextCursor(word)

    def _accept(self, take: Callable[[str], None], word: str) -> None:
        take(word)
        self._check()


def _separator(menu: QMenu) -> QAction:
    action = QAction(menu)
    action.setSeparator(True)
    return action
