"""Writes the tables of Markdown into a text document."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtGui import (
    QColor,
    QFont,
    QTextBlockFormat,
    QTextCharFormat,
    QTextCursor,
    QTextFrameFormat,
    QTextLength,
    QTextTable,
    QTextTableCellFormat,
    QTextTableFormat,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from markdown_it.token import Token

    from ui.theme import Theme

_PADDING = 8
_KINDS = frozenset(
    f"{part}_{end}"
    for part in ("table", "thead", "tbody", "tr", "th", "td")
    for end in ("open", "close")
)
_ALIGNMENTS = {
    "text-align:right": Qt.AlignmentFlag.AlignRight,
    "text-align:center": Qt.AlignmentFlag.AlignHCenter,
}


class TableWriter:
    """Takes the tokens of a table one after another; cells are filled by whoever owns it."""

    def __init__(
        self, cursor: QTextCursor, theme: Theme, *, heading: bool, widths: Sequence[float]
    ) -> None:
        self._cursor = cursor
        self._theme = theme
        self._heading = heading
        self._widths = [QTextLength(QTextLength.Type.FixedLength, width) for width in widths]
        self._table: QTextTable | None = None
        self._indent = 0
        self._row = -1
        self._column = -1
        self._in_cell = False
        self._in_heading = False
        self._skipped = False

    @property
    def in_cell(self) -> bool:
        """Whether what comes next belongs into a cell."""
        return self._in_cell

    @property
    def skips(self) -> bool:
        """Whether what comes next stands in a heading that is not repeated."""
        return self._skipped

    @staticmethod
    def takes(kind: str) -> bool:
        """Whether a kind of token belongs to tables."""
        return kind in _KINDS

    def take(self, token: Token, indent: int) -> None:
        """Take the next token of a table, which stands so many pixels from the left."""
        self._indent = indent
        kind = token.type
        if kind in {"thead_open", "thead_close"}:
            self._in_heading = token.nesting > 0
        elif kind == "tr_open":
            self._open_row()
        elif kind in {"th_open", "td_open"}:
            self._open_cell(str(token.attrGet("style") or ""))
        elif kind in {"th_close", "td_close"}:
            self._in_cell = False
        elif kind == "table_open":
            self._make()
        elif kind == "tr_close":
            self._skipped = False
        elif kind == "table_close":
            self._leave()

    def cell_format(self) -> QTextCharFormat:
        """How the words of the cell are written."""
        style = QTextCharFormat()
        if self._in_heading:
            style.setFontWeight(QFont.Weight.DemiBold)
        return style

    def _make(self) -> None:
        # The empty line before a table, which Qt insists on, must not show.
        thin = QTextBlockFormat()
        thin.setLineHeight(1, QTextBlockFormat.LineHeightTypes.FixedHeight.value)
        self._cursor.setBlockFormat(thin)
        self._row = self._column = -1
        self._table = None

    def _open_row(self) -> None:
        self._skipped = self._in_heading and not self._heading
        self._column = -1
        if self._skipped:
            return
        self._row += 1
        if self._table is not None:
            self._table.appendRows(1)

    def _open_cell(self, style: str) -> None:
        self._column += 1
        if self._skipped:
            return
        if self._table is None:
            self._table = self._cursor.insertTable(1, 1, self._format())
        if self._column >= self._table.columns():
            self._table.appendColumns(1)
            if self._widths:
                self._table.setFormat(self._format())  # Qt forgets the widths
        cell = self._table.cellAt(self._row, self._column)
        cell.setFormat(self._cell_style())
        self._cursor.setPosition(cell.firstPosition())
        block = QTextBlockFormat()
        block.setAlignment(_ALIGNMENTS.get(style, Qt.AlignmentFlag.AlignLeft))
        self._cursor.setBlockFormat(block)
        self._in_cell = True

    def _leave(self) -> None:
        if self._table is not None:
            self._cursor.setPosition(self._table.lastPosition() + 1)
            thin = QTextBlockFormat()
            thin.setLineHeight(1, QTextBlockFormat.LineHeightTypes.FixedHeight.value)
            self._cursor.setBlockFormat(thin)
        self._table = None

    def _format(self) -> QTextTableFormat:
        style = QTextTableFormat()
        style.setBorder(0)
        style.setLeftMargin(self._indent)
        style.setBorderCollapse(True)
        style.setCellPadding(0)
        style.setCellSpacing(0)
        style.setColumnWidthConstraints(self._widths)
        style.setHeaderRowCount(1 if self._heading else 0)
        return style

    def _cell_style(self) -> QTextTableCellFormat:
        """A hairline below each row, a stronger one below the heading."""
        colors = self._theme.colors
        style = QTextTableCellFormat()
        style.setBottomBorder(1)
        style.setBottomBorderStyle(QTextFrameFormat.BorderStyle.BorderStyle_Solid)
        style.setBottomBorderBrush(QColor(colors.faint if self._in_heading else colors.hairline))
        style.setTopPadding(_PADDING)
        style.setBottomPadding(_PADDING)
        style.setLeftPadding(0 if self._column == 0 else 2 * _PADDING)
        style.setRightPadding(_PADDING)
        return style


def column_widths(table: QTextTable) -> tuple[float, ...]:
    """The widths that the columns of a laid-out table have, in logical pixels."""
    layout = table.document().documentLayout()
    frame = layout.frameBoundingRect(table)
    lefts = [
        layout.blockBoundingRect(table.cellAt(0, n).firstCursorPosition().block()).left()
        - table.cellAt(0, n).format().toTableCellFormat().leftPadding()
        for n in range(table.columns())
    ]
    return tuple(b - a for a, b in pairwise([*lefts, frame.right()]))
