"""A fenced block of code: soft ground, language, Copy; long lines scroll sideways."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QColor, QFontMetrics, QGuiApplication, QPainter, QTextCursor
from PySide6.QtWidgets import QFrame, QPlainTextEdit, QWidget
from typing_extensions import override

from ui import theme as look
from ui.chat.markdown import SELECTABLE
from ui.controls import QuietButton

if TYPE_CHECKING:
    from PySide6.QtGui import QPaintEvent, QResizeEvent, QWheelEvent

    from ui.theme import Theme

_HEAD = 32
_SIDE = 16
_BELOW = 12
_LONGEST_LINE = 2000
_SCROLL_BAR = 12


class CodeText(QPlainTextEdit):
    """The text itself: unwrapped, as high as its lines, scrolling only sideways."""

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self.setFont(theme.code_font())
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        self.setTextInteractionFlags(SELECTABLE)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.viewport().setAutoFillBackground(False)
        self.document().setDocumentMargin(0)
        self._theme = theme
        self._caret = False
        self.document().setUndoRedoEnabled(False)

    def set_caret(self, *, shown: bool) -> None:
        """Show where the next words will come."""
        if shown != self._caret:
            self._caret = shown
            self.viewport().update()

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        if not self._caret:
            return
        end = QTextCursor(self.document())
        end.movePosition(QTextCursor.MoveOperation.End)
        line = self.cursorRect(end)
        spot = QRectF(line.x() + (2 if end.positionInBlock() else 0), line.y() + 1, 8, 15)
        painter = QPainter(self.viewport())
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(self._theme.colors.cache_new))
        painter.drawRoundedRect(spot, 2, 2)

    @override
    def wheelEvent(self, event: QWheelEvent) -> None:
        sideways = abs(event.angleDelta().x()) > abs(event.angleDelta().y())
        if sideways and self.horizontalScrollBar().maximum() > 0:
            super().wheelEvent(event)
        else:
            event.ignore()


class CodeBlock(QWidget):
    """Code with its language and a Copy button; only what is new is added to it."""

    def __init__(self, theme: Theme, language: str, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme = theme
        self._source = ""
        self._language = language[:40]
        self._text = CodeText(theme, self)
        self._text.setAccessibleName(
            self.tr("Code, {language}").format(language=language) if language else self.tr("Code")
        )
        self._copy = QuietButton(theme, self.tr("Copy"), size=look.CAPTION)
        self._copy.setAccessibleName(self.tr("Copy code"))
        self._copy.setParent(self)
        self._copy.clicked.connect(self._on_copy)
        self.setFont(theme.font(look.CAPTION))

    @property
    def source(self) -> str:
        """The code exactly as it was written."""
        return self._source

    def set_source(self, source: str) -> None:
        """Show code; where it only grew, only the growth is laid out."""
        if not source.startswith(self._source):
            self._text.clear()
            self._source = ""
        addition = source[len(self._source) :]
        if addition:
            cursor = QTextCursor(self._text.document())
            cursor.movePosition(QTextCursor.MoveOperation.End)
            cursor.insertText(_broken(addition))
            self._source = source
            self._text.viewport().update()

    def set_caret(self, *, shown: bool) -> None:
        """Show where the next words will come."""
        self._text.set_caret(shown=shown)

    def height_for(self, _width: int) -> int:
        """The height in pixels; it does not depend on the width, for lines do not wrap."""
        line = QFontMetrics(self._text.font()).lineSpacing()
        bar = _SCROLL_BAR if self._text.horizontalScrollBar().maximum() > 0 else 0
        return _HEAD + line * self._text.blockCount() + _BELOW + bar

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        hint = self._copy.sizeHint()
        self._copy.setGeometry(self.width() - hint.width() - 8, 4, hint.width(), _HEAD - 8)
        self._text.setGeometry(
            _SIDE, _HEAD, self.width() - 2 * _SIDE, max(self.height() - _HEAD - 4, 0)
        )

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        colors = self._theme.colors
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(colors.fill))
        painter.drawRoundedRect(self.rect(), look.BLOCK_RADIUS, look.BLOCK_RADIUS)
        painter.setPen(QColor(colors.dim))
        head = QRectF(_SIDE, 0, self.width() - 2 * _SIDE - 72, _HEAD)
        painter.drawText(head, Qt.AlignmentFlag.AlignVCenter, self._language)

    def _on_copy(self) -> None:
        QGuiApplication.clipboard().setText(self._source)


def _broken(text: str) -> str:
    """The text with endless lines broken, for a megabyte in one line stops any layout."""
    if len(text) <= _LONGEST_LINE:
        return text
    return "\n".join(
        line[start : start + _LONGEST_LINE]
        for line in text.split("\n")
        for start in range(0, max(len(line), 1), _LONGEST_LINE)
    )
