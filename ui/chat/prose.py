"""The running text of a reply: one document whose finished blocks stay as they are laid out."""

from __future__ import annotations

from math import ceil
from typing import TYPE_CHECKING

from PySide6.QtCore import QRect, QRectF, QSize, Qt, QUrl, Signal
from PySide6.QtGui import (
    QColor,
    QDesktopServices,
    QFontMetrics,
    QPainter,
    QTextCursor,
    QTextOption,
    QTextTable,
)
from PySide6.QtWidgets import QFrame, QTextBrowser
from typing_extensions import override

from ui import theme as look
from ui.chat.copying import Span, markdown_of, mime, plain_of
from ui.chat.formulas import DISPLAY, FORMULA, OBJECT, SOURCE, Formulas
from ui.chat.grounds import Grounds
from ui.chat.markdown import (
    SELECTABLE,
    MarkdownWriter,
    indent_width,
    safe_link,
)
from ui.chat.tables import column_widths

if TYPE_CHECKING:
    from PySide6.QtCore import QMimeData
    from PySide6.QtGui import QContextMenuEvent, QPaintEvent, QWheelEvent
    from PySide6.QtWidgets import QWidget

    from ui.theme import Theme


_SCROLL_BAR = 12


class Prose(QTextBrowser):
    """Markdown text that can be selected and grows at its end."""

    settled = Signal()
    """A formula got its picture, and the text another height."""

    def __init__(self, theme: Theme, formulas: Formulas, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme = theme
        self._formulas = formulas
        self._grounds = Grounds(self, theme)
        self.span: Span | None = None
        self._widths: tuple[float, ...] | None = None
        self._blocks: list[str] = []
        self._open = ""
        self._frozen_end = 0
        self._caret = False
        self._caret_spot = QRect()
        self._has_grounds = False
        self._has_formulas = False
        self._height_width = -1
        self._height = 0
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        # With the widget's own width, Qt lays everything out again whenever the height changes.
        self.setLineWrapMode(QTextBrowser.LineWrapMode.FixedPixelWidth)
        self.setTextInteractionFlags(SELECTABLE)
        self.setOpenLinks(False)
        self.setAccessibleName(self.tr("Reply"))
        self.viewport().setAutoFillBackground(False)
        document = self.document()
        document.setDocumentMargin(0)
        document.setIndentWidth(indent_width(theme))
        document.setUndoRedoEnabled(False)
        document.setDefaultFont(theme.reading_font())
        document.documentLayout().registerHandler(FORMULA, formulas)
        self.anchorClicked.connect(self._open_link)
        formulas.changed.connect(self._on_formulas)

    @property
    def blocks(self) -> tuple[str, ...]:
        """The Markdown of the finished blocks."""
        return tuple(self._blocks)

    def add_block(self, source: str) -> None:
        """Put a finished block in the place of the open one; it is never laid out again."""
        self._replace_open(source, growing=False)
        self._blocks.append(source)
        self._open = ""
        cursor = self._end()
        self._frozen_end = cursor.position()

    def set_open(self, source: str) -> None:
        """Show the block that is still growing after the finished ones."""
        if source != self._open:
            self._open = source
            self._replace_open(source, growing=True)

    def set_caret(self, *, shown: bool) -> None:
        """Show where the next words will come."""
        if shown != self._caret:
            self._caret = shown
            self._update_caret()

    def restyle(self) -> None:
        """Write everything again, in the colours that are in force now."""
        blocks, tail = self._blocks, self._open
        self._blocks, self._open, self._frozen_end = [], "", 0
        self._height_width = -1
        self.clear()
        self.document().setDefaultFont(self._theme.reading_font())
        self.document().setIndentWidth(indent_width(self._theme))
        for source in blocks:
            self.add_block(source)
        self.set_open(tail)

    def height_for(self, width: int) -> int:
        """The height that the text takes at a width, in pixels."""
        if width != self._height_width:
            self._height_width = width
            if self.lineWrapColumnOrWidth() != width:
                self.setLineWrapColumnOrWidth(width)
            self._height = max(ceil(self.document().size().height()), look.LINE_HEIGHT)
        return self._height

    @override
    def loadResource(self, type: int, name: QUrl | str) -> object:
        """Nothing is ever loaded, neither from the net nor from the disk."""
        return None

    @override
    def wheelEvent(self, event: QWheelEvent) -> None:
        event.ignore()

    @override
    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        event.ignore()  # the message has one for all its parts

    @override
    def createMimeDataFromSelection(self) -> QMimeData:
        if self.span is not None and self.span.spreads:
            return self.span.mime()
        cursor = self.textCursor()
        return mime(markdown_of(cursor), plain_of(cursor))

    @override
    def sizeHint(self) -> QSize:
        return QSize(look.MEASURE, self.height_for(look.MEASURE))

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        if self._has_grounds:
            painter = QPainter(self.viewport())
            self._grounds.paint(painter, QRectF(event.rect()))
            painter.end()
        super().paintEvent(event)
        if self._caret:
            painter = QPainter(self.viewport())
            self._paint_caret(painter)
            painter.end()

    def _caret_rect(self) -> QRect:
        """Where the caret stands: behind the last character, on its base line."""
        end = self._end()
        rect = self.cursorRect(end)
        height = QFontMetrics(self.font()).ascent() + 2
        bottom = rect.center().y() + height // 2
        line = end.block().layout().lineForTextPosition(end.positionInBlock())
        if line.isValid():
            top = self.document().documentLayout().blockBoundingRect(end.block()).top()
            bottom = round(top + line.y() + line.ascent()) + 3
        return QRect(rect.x() + (3 if end.positionInBlock() else 0), bottom - height, 8, height)

    def _paint_caret(self, painter: QPainter) -> None:
        self._caret_spot = self._caret_rect()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(self._theme.colors.cache_new))
        painter.drawRoundedRect(self._caret_spot, 2, 2)

    def _update_caret(self) -> None:
        self.viewport().update(self._caret_spot)
        self.viewport().update(self._caret_rect())

    def _replace_open(self, source: str, *, growing: bool) -> None:
        """Write the open block again; what stands before it is not touched."""
        self._height_width = -1
        cursor = QTextCursor(self.document())
        cursor.beginEditBlock()
        if self._blocks and self._frozen_end == self._last_block_end():
            cursor.movePosition(QTextCursor.MoveOperation.End)
            if source:
                cursor.insertBlock()
        else:
            start = self._frozen_end + 1 if self._blocks else 0
            cursor.setPosition(start)
            cursor.movePosition(QTextCursor.MoveOperation.End, QTextCursor.MoveMode.KeepAnchor)
            cursor.removeSelectedText()
        if source:
            writer = MarkdownWriter(cursor, self._theme, self._formulas, self._widths)
            writer.write(source, growing=growing)
            self._has_grounds |= writer.has_grounds
            self._has_formulas |= writer.has_formulas
        elif self._blocks and self._frozen_end < self._last_block_end():
            cursor.deletePreviousChar()
        cursor.endEditBlock()
        if self._caret:
            self._update_caret()

    def _on_formulas(self, sources: set[str]) -> None:
        """Lay out again where formulas stand whose pictures have come, or will not come."""
        text = self.document().toRawText() if self._has_formulas else ""
        at = text.rfind(OBJECT)
        settled = False
        while at >= 0:
            cursor = QTextCursor(self.document())
            cursor.setPosition(at)
            cursor.setPosition(at + 1, QTextCursor.MoveMode.KeepAnchor)
            style = cursor.charFormat()
            source = str(style.property(SOURCE) or "")
            if source in sources:
                self._settle(cursor, source, display=bool(style.property(DISPLAY)))
                settled = True
            at = text.rfind(OBJECT, 0, at)
        if settled:
            self._height_width = -1
            self.settled.emit()

    def _settle(self, cursor: QTextCursor, source: str, *, display: bool) -> None:
        if self._formulas.failed(source, display=display):
            before = self.document().characterCount()
            frozen = cursor.position() <= self._frozen_end
            writer = MarkdownWriter(cursor, self._theme, self._formulas)
            cursor.insertText(source.replace("\n", "\u2028"), writer.formula_source())
            self._frozen_end += self.document().characterCount() - before if frozen else 0
        else:
            self.document().markContentsDirty(cursor.position() - 1, 1)

    def _last_block_end(self) -> int:
        return self.document().characterCount() - 1

    def _end(self) -> QTextCursor:
        cursor = QTextCursor(self.document())
        cursor.movePosition(QTextCursor.MoveOperation.End)
        return cursor

    def _open_link(self, url: QUrl) -> None:
        if safe_link(url.toString()):
            QDesktopServices.openUrl(url)


class TableBlock(Prose):
    """A table of a reply, or a piece of a long one; scrolls sideways where it is too wide."""

    def __init__(
        self, theme: Theme, formulas: Formulas, parent: QWidget, after: TableBlock | None
    ) -> None:
        """Begin a table.

        Args:
            theme: The look.
            formulas: What sets the formulas in its cells.
            parent: The reply.
            after: The piece that this one goes on from, with its columns and without heading.
        """
        super().__init__(theme, formulas, parent)
        self._after = after
        self._widths = after.column_widths() if after else None
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAsNeeded)
        self.setWordWrapMode(QTextOption.WrapMode.WordWrap)  # a column keeps its longest word
        self.setAccessibleName(self.tr("Table"))

    @property
    def continues(self) -> bool:
        """Whether the table goes on from the piece before."""
        return self._after is not None

    def column_widths(self) -> tuple[float, ...]:
        """How wide the columns are, in logical pixels."""
        if self._widths:
            return self._widths
        tables = self.document().rootFrame().childFrames()
        return column_widths(tables[0]) if tables and isinstance(tables[0], QTextTable) else ()

    @override
    def restyle(self) -> None:
        self._widths = self._after.column_widths() if self._after else None
        super().restyle()

    @override
    def height_for(self, width: int) -> int:
        height = super().height_for(width)
        wide = self.document().size().width() > width + 1
        return height + (_SCROLL_BAR if wide else 0)

    @override
    def wheelEvent(self, event: QWheelEvent) -> None:
        delta = event.angleDelta()
        if abs(delta.x()) > abs(delta.y()) and self.horizontalScrollBar().maximum() > 0:
            QTextBrowser.wheelEvent(self, event)
        else:
            event.ignore()
