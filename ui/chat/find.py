"""Find in the chat: the bar, and the hits in every message, built or not.

What is built is searched as it is shown. What is not built yet is searched in its source, so
that the count is there at once; a jump there builds it first.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt, QTimer, Signal
from PySide6.QtGui import QColor, QTextCharFormat
from PySide6.QtWidgets import QHBoxLayout, QLabel, QPlainTextEdit, QTextEdit

from ui import theme as look
from ui.controls import QuietButton, QuietField, Surface, color_words
from ui.figures import count
from ui.icons import Icon

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtGui import QTextCursor

    from ui.chat.message import MessageItem
    from ui.chat.transcript import Transcript
    from ui.state import MessageView
    from ui.theme import Theme

TextView = QTextEdit | QPlainTextEdit

_MOST = 2000
_SOON_MS = 60
_LATER_MS = 400
_MARKUP = re.compile(r"[*_`#>]+|\]\([^)\s]*\)|\[(?=[^\]]*\]\()")


@dataclass(frozen=True)
class Hit:
    """A place where the words were found: the number-th one of a message."""

    message_id: str
    number: int


def hits_in_text(text: TextView, query: str) -> list[QTextCursor]:
    """The hits in a text that is shown, at most some thousands."""
    found: list[QTextCursor] = []
    cursor = text.document().find(query)
    while not cursor.isNull() and len(found) < _MOST:
        found.append(cursor)
        cursor = text.document().find(query, cursor)
    return found


def source_of(view: MessageView) -> str:
    """What a message that is not built is searched in, in small letters."""
    text = view.text
    if view.role == "assistant":
        from ui.chat.thoughts import answer_in  # late: it comes with the replies

        text = _MARKUP.sub("", answer_in(text, opened=view.thought_open))
    return text.lower()


class Finder(QObject):
    """The hits of one query, and which of them is the current one."""

    changed = Signal()

    def __init__(self, theme: Theme, transcript: Transcript) -> None:
        super().__init__(transcript)
        self._theme = theme
        self._transcript = transcript
        self._query = ""
        self._hits: list[Hit] = []
        self._current: Hit | None = None
        self._sources: dict[str, tuple[MessageView, str]] = {}
        self._again = QTimer(self, singleShot=True)
        self._again.timeout.connect(self._search)
        transcript.changed.connect(self._on_changed)
        transcript.revealed.connect(self._on_revealed)
        theme.changed.connect(self._on_changed)

    @property
    def total(self) -> int:
        """How many hits there are."""
        return len(self._hits)

    @property
    def position(self) -> int:
        """The current one, counted from 1; 0 where there is none."""
        return self._hits.index(self._current) + 1 if self._current in self._hits else 0

    def set_query(self, query: str) -> None:
        """Look for other words; "" ends the search."""
        self._query = query
        self._current = None
        if query:
            self._again.start(_SOON_MS)
        else:
            self._again.stop()
            self._sources.clear()
            self._search()

    def step(self, by: int) -> None:
        """Go to the next hit, or the one before, around the end."""
        if self._again.isActive():
            self._again.stop()
            self._search()
        if self._hits:
            at = self.position - 1 + by if self.position else 0
            self._go(self._hits[at % len(self._hits)])

    def _on_changed(self) -> None:
        if self._query and not self._again.isActive():
            self._again.start(_LATER_MS)

    def _search(self) -> None:
        """Count the hits and mark those that are built."""
        built = [
            Hit(item.message_id, n)
            for item in self._transcript.items
            for n in range(len(self._mark(item)))
        ]
        earlier, later = self._transcript.earlier, self._transcript.later
        hits = self._hits = [*self._in_sources(earlier), *built, *self._in_sources(later)]
        if hits and self._current not in hits:
            self._go(self._nearest())
        self.changed.emit()

    def _in_sources(self, views: Sequence[MessageView]) -> list[Hit]:
        """The hits that messages will have which are not built."""
        if not self._query:
            return []
        query = self._query.lower()
        return [
            Hit(view.id, n)
            for view in views
            for n in range(min(self._source(view).count(query), _MOST))
        ]

    def _source(self, view: MessageView) -> str:
        """The message's source; kept while the search lasts, which looks through it often."""
        kept, source = self._sources.get(view.id, (None, ""))
        if kept is not view:
            source = source_of(view)
            self._sources[view.id] = view, source
        return source

    def _nearest(self) -> Hit:
        """The first hit in sight or below, else the last one above."""
        visible = {item.message_id for item in self._transcript.items_from_view()}
        visible |= {view.id for view in self._transcript.later}
        return next((hit for hit in self._hits if hit.message_id in visible), self._hits[-1])

    def _go(self, hit: Hit) -> None:
        self._current = hit
        self._transcript.reveal(hit.message_id)
        self.changed.emit()

    def _on_revealed(self, message_id: str) -> None:
        """Show the current hit in the message that is there now."""
        hit = self._current
        if hit is None or hit.message_id != message_id or not self._query:
            return
        for item in self._transcript.items:
            places = self._mark(item)
            if item.message_id == message_id and places:
                text, cursor = places[min(hit.number, len(places) - 1)]
                self._transcript.show_place(text, cursor)
        if message_id not in {found.message_id for found in self._hits}:
            return
        self._recount(message_id)

    def _recount(self, message_id: str) -> None:
        """A message that has just been built may have other hits than its source."""
        item = next(i for i in self._transcript.items if i.message_id == message_id)
        number = len(self._places(item))
        counted = sum(hit.message_id == message_id for hit in self._hits)
        if number != counted and not self._again.isActive():
            self._again.start(_SOON_MS)

    def _places(self, item: MessageItem) -> list[tuple[TextView, QTextCursor]]:
        if not self._query:
            return []
        return [(text, at) for text in item.texts() for at in hits_in_text(text, self._query)]

    def _mark(self, item: MessageItem) -> list[tuple[TextView, QTextCursor]]:
        """Colour the hits of a message; returns them."""
        places = self._places(item)
        current = self._current
        by_text: dict[TextView, list[QTextEdit.ExtraSelection]] = {t: [] for t in item.texts()}
        for number, (text, cursor) in enumerate(places):
            is_current = current == Hit(item.message_id, number)
            colors = self._theme.colors
            mark = QTextEdit.ExtraSelection()
            style = QTextCharFormat()
            style.setBackground(QColor(colors.found_current if is_current else colors.found))
            style.setForeground(QColor(colors.text))
            mark.cursor = cursor  # pyright: ignore[reportAttributeAccessIssue]  Qt's way
            mark.format = style  # pyright: ignore[reportAttributeAccessIssue]  Qt's way
            by_text[text].append(mark)
        for text, marks in by_text.items():
            if marks or text.extraSelections():
                text.setExtraSelections(marks)
        return places


class FindBar(Surface):
    """The bar above the transcript: the words, the count, back and on, close."""

    closed = Signal()

    def __init__(self, theme: Theme, transcript: Transcript) -> None:
        super().__init__(theme, "page", underline=True)
        self.finder = Finder(theme, transcript)
        self.field = QuietField(theme, self)
        self.field.setFont(theme.font(look.TEXT - 1))
        self.field.setPlaceholderText(self.tr("Find in this chat"))
        self.field.setAccessibleName(self.tr("Find in this chat"))
        self.field.setFixedSize(300, 30)
        self.field.setTextMargins(8, 0, 8, 0)
        self._figures = QLabel("", self)
        self._figures.setFont(theme.font(look.CAPTION))
        self.back = QuietButton(theme, icon=Icon.CHEVRON_UP)
        self.on = QuietButton(theme, icon=Icon.CHEVRON)
        self._close = QuietButton(theme, icon=Icon.CLOSE)
        names = (self.tr("Previous hit"), self.tr("Next hit"), self.tr("Close the search"))
        for button, name in zip((self.back, self.on, self._close), names, strict=True):
            button.setAccessibleName(name)
            button.setToolTip(name)
            button.setFixedSize(28, 28)
        row = QHBoxLayout(self)
        row.setContentsMargins(24, 7, 12, 8)
        row.setSpacing(4)
        row.addWidget(self.field)
        row.addSpacing(6)
        row.addWidget(self._figures, 1)
        row.addWidget(self.back)
        row.addWidget(self.on)
        row.addWidget(self._close)
        self.hide()
        self._dress()
        self._connect_signals()

    def _connect_signals(self) -> None:
        self.field.textChanged.connect(self.finder.set_query)
        self.field.stepped.connect(self.finder.step)
        self.field.entered.connect(self._on_entered)
        self.field.escaped.connect(self.close_search)
        self.back.clicked.connect(lambda: self.finder.step(-1))
        self.on.clicked.connect(lambda: self.finder.step(1))
        self._close.clicked.connect(self.close_search)
        self.finder.changed.connect(self._on_changed)
        self._theme.changed.connect(self._dress)

    @property
    def figures(self) -> str:
        """Which hit of how many."""
        return self._figures.text()

    def open_search(self, words: str = "") -> None:
        """Show the bar, with words to look for where there are some."""
        self.show()
        if words:
            self.field.setText(words)
        elif self.field.text():
            self.finder.set_query(self.field.text())
        self.field.setFocus()
        self.field.selectAll()

    def close_search(self) -> None:
        """Take the bar and the colours away."""
        if not self.isHidden():
            self.hide()
            self.finder.set_query("")
            self.closed.emit()

    def _on_entered(self, back: bool) -> None:  # noqa: FBT001  a Qt slot takes the state alone
        self.finder.step(-1 if back else 1)

    def _on_changed(self) -> None:
        finder = self.finder
        if not self.field.text():
            text = ""
        elif finder.total:
            text = self.tr("{n} of {total}").format(
                n=count(finder.position), total=count(finder.total)
            )
        else:
            text = self.tr("Not found")
        self._figures.setText(text)
        for button in (self.back, self.on):
            button.setEnabled(finder.total > 0)

    def _dress(self) -> None:
        color_words(self._figures, self._theme.colors.faint)
        palette = self.field.palette()
        palette.setColor(palette.ColorRole.Base, QColor(Qt.GlobalColor.transparent))
        palette.setColor(palette.ColorRole.PlaceholderText, QColor(self._theme.colors.dim))
        self.field.setPalette(palette)
