"""A selection that runs through a whole message, across its paragraphs, code and tables.

Each part keeps its own selection, so painting and the keyboard stay Qt's. A drag that leaves the
part it began in selects the rest of that part, all between, and the beginning of the one below.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QKeyEvent, QKeySequence, QMouseEvent, QTextCursor
from PySide6.QtWidgets import QPlainTextEdit, QTextEdit
from typing_extensions import override

from ui.chat.copying import markdown_of, mime, plain_of

if TYPE_CHECKING:
    from PySide6.QtCore import QMimeData, QPoint

    from ui.chat.message import MessageItem

TextView = QTextEdit | QPlainTextEdit


class SpanSelection(QObject):
    """Watches the parts of one message."""

    def __init__(self, message: MessageItem) -> None:
        super().__init__(message)
        self._message = message
        self._anchor: tuple[TextView, int] | None = None

    def watch(self, text: TextView) -> None:
        """Take a part of the message in."""
        text.installEventFilter(self)
        text.viewport().installEventFilter(self)

    @property
    def spreads(self) -> bool:
        """Whether more than one part is selected."""
        return len(self._selected()) > 1

    def mime(self) -> QMimeData:
        """What is selected in all parts, for the clipboard."""
        plain = (plain_of(text.textCursor()) for text in self._selected())
        return mime(self.markdown(), "\n\n".join(plain))

    def markdown(self) -> str:
        """What is selected in all parts, as Markdown."""
        return "\n\n".join(self._markdown_of(text) for text in self._selected())

    def select_all(self) -> None:
        """Select the whole message."""
        for text in self._message.texts():
            text.selectAll()

    @override
    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if isinstance(event, QMouseEvent):
            return self._on_mouse(watched, event)
        if isinstance(event, QKeyEvent) and event.type() == QEvent.Type.KeyPress:
            if event.matches(QKeySequence.StandardKey.SelectAll):
                self.select_all()
                return True
            if event.key() == Qt.Key.Key_Escape and self.spreads:
                self._clear(None)
        return False

    def _on_mouse(self, watched: QObject, event: QMouseEvent) -> bool:
        text = next((t for t in self._message.texts() if t.viewport() is watched), None)
        if text is None:
            return False
        kind = event.type()
        if kind == QEvent.Type.MouseButtonPress and event.button() == Qt.MouseButton.LeftButton:
            self._clear(text)
            spot = event.position().toPoint()
            self._anchor = (text, text.cursorForPosition(spot).position())
        elif kind == QEvent.Type.MouseButtonRelease:
            self._anchor = None
        elif kind == QEvent.Type.MouseMove and event.buttons() & Qt.MouseButton.LeftButton:
            return self._drag(text, event.position().toPoint())
        return False

    def _drag(self, text: TextView, spot: QPoint) -> bool:
        """Select up to a place; False where it lies in the part that the drag began in."""
        if self._anchor is None:
            return False
        texts = self._message.texts()
        place = text.viewport().mapTo(self._message, spot)
        target = self._part_at(place.y())
        first, last = texts.index(self._anchor[0]), texts.index(target)
        if first == last:
            self._clear(target)
            return False
        down = last > first
        for number, part in enumerate(texts):
            if number == first:
                _select(part, self._anchor[1], _end(part) if down else 0)
            elif number == last:
                at = part.cursorForPosition(part.viewport().mapFrom(self._message, place))
                _select(part, 0 if down else _end(part), at.position())
            elif min(first, last) < number < max(first, last):
                part.selectAll()
            else:
                _select(part, 0, 0)
        return True

    def _part_at(self, y: int) -> TextView:
        """The part at a height, or the nearest one."""

        def distance(text: TextView) -> int:
            top = text.mapTo(self._message, text.rect().topLeft()).y()
            return max(top - y, y - top - text.height(), 0)

        return min(self._message.texts(), key=distance)

    def _clear(self, kept: TextView | None) -> None:
        for text in self._message.texts():
            if text is not kept and text.textCursor().hasSelection():
                _select(text, 0, 0)

    def _selected(self) -> list[TextView]:
        return [text for text in self._message.texts() if text.textCursor().hasSelection()]

    @staticmethod
    def _markdown_of(text: TextView) -> str:
        if isinstance(text, QPlainTextEdit):
            return f"```\n{plain_of(text.textCursor())}\n```"
        return markdown_of(text.textCursor())


def _select(text: TextView, start: int, end: int) -> None:
    cursor = text.textCursor()
    cursor.setPosition(start)
    cursor.setPosition(end, QTextCursor.MoveMode.KeepAnchor)
    text.setTextCursor(cursor)


def _end(text: TextView) -> int:
    return text.document().characterCount() - 1
