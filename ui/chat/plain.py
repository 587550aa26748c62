"""Plain text that can be selected and grows at its end, without scrolling of its own."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from PySide6.QtCore import QMimeData, Qt
from PySide6.QtGui import QTextBlockFormat, QTextCursor
from PySide6.QtWidgets import QFrame, QTextEdit, QWidget
from typing_extensions import override

from ui import theme as look
from ui.chat.markdown import SELECTABLE

if TYPE_CHECKING:
    from PySide6.QtGui import QContextMenuEvent, QWheelEvent

_LONGEST_RUN = 1000
_SWITCHES = dict.fromkeys(map(ord, "\u202a\u202b\u202d\u202e\u2066\u2067\u2068\u2069\u202c"))
_TOLD_SWITCHES = {code: f"⟨{code:04X}⟩" for code in _SWITCHES}
_UNSEEN_KIND = "[\u200b-\u200f\u2060-\u2064\ufeff\u00ad\u034f]"
_UNSEEN = re.compile(f"({_UNSEEN_KIND}){_UNSEEN_KIND}{{3,}}")
_MARK = "[\u0300-\u036f\u0483-\u0489\u20d0-\u20ff]"
_MARKS = re.compile(f"({_MARK}{{8}}){_MARK}+")
_CONTROLS = {code: 0x2400 + code for code in range(0x20) if chr(code) not in "\t\n\r"}
_CONTROLS[0x7F] = 0x2421


class PlainText(QTextEdit):
    """Selectable plain text that leaves scrolling to the transcript."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setLineWrapMode(QTextEdit.LineWrapMode.FixedPixelWidth)
        self.setReadOnly(True)
        self.setTextInteractionFlags(SELECTABLE)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.viewport().setAutoFillBackground(False)
        self.document().setDocumentMargin(0)
        self.document().setUndoRedoEnabled(False)

    def append_plain(self, text: str) -> None:
        """Add text at the end, exactly as it is."""
        cursor = QTextCursor(self.document())
        cursor.movePosition(QTextCursor.MoveOperation.End)
        cursor.setBlockFormat(self._line())
        cursor.insertText(laid_out(text))

    def rewrite(self) -> None:
        """Take on another size of the font."""
        cursor = QTextCursor(self.document())
        cursor.select(QTextCursor.SelectionType.Document)
        cursor.setBlockFormat(self._line())

    def _line(self) -> QTextBlockFormat:
        line = QTextBlockFormat()
        height = round(look.LINE_HEIGHT * self.font().pixelSize() / look.TEXT)
        line.setLineHeight(height, QTextBlockFormat.LineHeightTypes.MinimumHeight.value)
        return line

    @override
    def createMimeDataFromSelection(self) -> QMimeData:
        data = QMimeData()
        data.setText(self.textCursor().selection().toPlainText().replace("\u200b", ""))
        return data

    @override
    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        event.ignore()  # the message has one for all its parts

    @override
    def wheelEvent(self, event: QWheelEvent) -> None:
        event.ignore()


def harmless(text: str, *, tell: bool = False) -> str:
    """The text without what would leave its place.

    Control characters become their pictures, switches of the writing direction are left out,
    floods of invisible characters and of stacked marks are cut.

    Args:
        text: Any text.
        tell: Whether a switch of direction is shown instead, as in code, where it deceives.
    """
    if not text.isascii():
        text = text.translate(_TOLD_SWITCHES if tell else _SWITCHES)
        text = _MARKS.sub(r"\1", _UNSEEN.sub(r"\1", text))
    return text if text.isprintable() else text.translate(_CONTROLS)


def laid_out(text: str) -> str:
    """The text, harmless, with endless unbroken runs broken, for they take quadratic time."""
    text = harmless(text)
    if len(text) <= _LONGEST_RUN or max(map(len, text.split()), default=0) <= _LONGEST_RUN:
        return text
    return "\u200b".join(
        text[start : start + _LONGEST_RUN] for start in range(0, len(text), _LONGEST_RUN)
    )
