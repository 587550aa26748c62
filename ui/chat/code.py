"""A fenced block of code: soft ground, language, Wrap and Copy; long lines scroll sideways."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from PySide6.QtCore import QMimeData, QRectF, Qt, Signal
from PySide6.QtGui import QColor, QGuiApplication, QPainter, QTextCursor, QTextOption
from PySide6.QtWidgets import QFrame, QPlainTextEdit, QWidget
from typing_extensions import override

from ui import theme as look
from ui.chat.highlight import Highlighter
from ui.chat.markdown import SELECTABLE
from ui.chat.plain import harmless
from ui.controls import QuietButton

if TYPE_CHECKING:
    from PySide6.QtGui import QContextMenuEvent, QPaintEvent, QResizeEvent, QWheelEvent

    from ui.chat.copying import Span
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
        self.setFont(theme.reading_code_font())
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        self.setWordWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
        self.setTextInteractionFlags(SELECTABLE)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.viewport().setAutoFillBackground(False)
        self.document().setDocumentMargin(0)
        self._theme = theme
        self.span: Span | None = None
        self._caret = False
        self._manner: tuple[str, int] = ("", 0)
        self._measured = 0
        self._above = 0.0
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

    def measure_again(self) -> None:
        """Forget the measured lines, for other ones took their place."""
        self._measured, self._above = 0, 0.0

    def height_at(self, width: int) -> int:
        """The height of all lines at a width, in pixels; only new lines are measured again."""
        if self.width() != width:
            self.resize(width, max(self.height(), 1))
        wrapped = self.lineWrapMode() != self.LineWrapMode.NoWrap
        manner = (self.font().key(), width if wrapped else 0)
        if manner != self._manner or self._measured >= self.blockCount():
            self._manner = manner
            self.measure_again()
        layout = self.document().documentLayout()
        block = self.document().findBlockByNumber(self._measured)
        height = self._above
        # A line with other scripts is higher than the font says, and rounding adds up.
        while block.isValid():
            self._measured, self._above = block.blockNumber(), height
            height += layout.blockBoundingRect(block).height()
            block = block.next()
        return math.ceil(height)

    @override
    def createMimeDataFromSelection(self) -> QMimeData:
        if self.span is not None and self.span.spreads:
            return self.span.mime()
        data = QMimeData()
        data.setText(self.textCursor().selection().toPlainText())
        return data

    @override
    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        event.ignore()  # the message has one for all its parts

    @override
    def wheelEvent(self, event: QWheelEvent) -> None:
        sideways = abs(event.angleDelta().x()) > abs(event.angleDelta().y())
        if sideways and self.horizontalScrollBar().maximum() > 0:
            super().wheelEvent(event)
        else:
            event.ignore()


class CodeBlock(QWidget):
    """Code with its language and a Copy button; only what is new is added to it."""

    grown = Signal()
    """The code wants another height."""

    def __init__(self, theme: Theme, language: str, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme = theme
        self._source = ""
        self._language = language[:40]
        self._text = CodeText(theme, self)
        self._text.setAccessibleName(
            self.tr("Code, {language}").format(language=language) if language else self.tr("Code")
        )
        self._highlighter = Highlighter(theme, self._text.document(), language)
        self._wrap = QuietButton(theme, self.tr("Wrap"), size=look.CAPTION)
        self._wrap.setAccessibleName(self.tr("Wrap long lines"))
        self._wrap.setCheckable(True)
        self._wrap.setParent(self)
        self._wrap.toggled.connect(self._on_wrap)
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
            self._text.measure_again()
            self._source = ""
        addition = source[len(self._source) :]
        if addition:
            cursor = QTextCursor(self._text.document())
            cursor.movePosition(QTextCursor.MoveOperation.End)
            cursor.insertText(_broken(harmless(addition, tell=True)))
            self._source = source
            self._text.viewport().update()
            self._highlighter.refresh()

    def set_caret(self, *, shown: bool) -> None:
        """Show where the next words will come."""
        self._text.set_caret(shown=shown)

    @property
    def text(self) -> CodeText:
        """The text that can be selected."""
        return self._text

    def restyle(self) -> None:
        """Take on the colours and the size that are in force now."""
        self._text.setFont(self._theme.reading_code_font())
        self._highlighter.refresh()

    def height_for(self, width: int) -> int:
        """The height that the code takes at a width, in pixels."""
        lines = self._text.height_at(width - 2 * _SIDE)
        if self._wrap.isChecked():
            return _HEAD + lines + _BELOW
        bar = _SCROLL_BAR if self._text.horizontalScrollBar().maximum() > 0 else 0
        return _HEAD + lines + _BELOW + bar

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        right = self.width() - 8
        for button in (self._copy, self._wrap):
            right -= button.sizeHint().width()
            button.setGeometry(right, 4, button.sizeHint().width(), _HEAD - 8)
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
        head = QRectF(_SIDE, 0, self.width() - 2 * _SIDE - 120, _HEAD)
        painter.drawText(head, Qt.AlignmentFlag.AlignVCenter, self._language)

    def _on_wrap(self, wrapped: bool) -> None:  # noqa: FBT001  a Qt slot takes the state alone
        self._text.setLineWrapMode(
            CodeText.LineWrapMode.WidgetWidth if wrapped else CodeText.LineWrapMode.NoWrap
        )
        off, on = Qt.ScrollBarPolicy.ScrollBarAlwaysOff, Qt.ScrollBarPolicy.ScrollBarAsNeeded
        self._text.setHorizontalScrollBarPolicy(off if wrapped else on)
        self.grown.emit()

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
