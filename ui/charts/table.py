"""Columns and rows of text with tabular figures."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QLineF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPen
from typing_extensions import override

from ui.charts.ink import draw_text, one_line, widest
from ui.charts.picture import Picture, Pointing, Spot

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ui.charts import values
    from ui.charts.ink import Ink

_ROW = 28.0
_HEAD = 26.0
_GAP = 20.0
_PAD = 8.0
_ALIGN = {
    "left": Qt.AlignmentFlag.AlignLeft,
    "right": Qt.AlignmentFlag.AlignRight,
    "centre": Qt.AlignmentFlag.AlignHCenter,
}


class TablePicture(Picture):
    """Draws a `Table`."""

    def __init__(self, chart: values.Table, ink: Ink, width: float) -> None:
        super().__init__(chart, ink, width)
        self._chart = chart
        self._titled = any(column.title for column in chart.columns)
        self._spans = self._lay_out()

    @property
    @override
    def body_height(self) -> float:
        return self._top + _ROW * len(self._chart.rows)

    @override
    def make_spots(self) -> Sequence[Spot]:
        return [
            Spot(self._rect(n), row.tip or " · ".join(map(one_line, row.cells)), row.key)
            for n, row in enumerate(self._chart.rows)
        ]

    @override
    def paint_body(self, painter: QPainter, clip: QRectF, pointing: Pointing) -> None:
        colors = self.ink.colors
        if self._titled:
            painter.setFont(self.ink.head)
            for column, (left, room) in zip(self._chart.columns, self._spans, strict=True):
                rect = QRectF(left, 0, room, _HEAD - 4)
                draw_text(painter, rect, column.title, colors.faint, _ALIGN[column.align])
            painter.setPen(QPen(QColor(colors.hairline), 1))
            painter.drawLine(QLineF(0, _HEAD - 1.5, self.width, _HEAD - 1.5))
        for number in self.rows_in(clip, _ROW, len(self._chart.rows), self._top):
            self._paint_row(painter, number, self._chart.rows[number], pointing)

    @property
    def _top(self) -> float:
        return _HEAD if self._titled else 0.0

    def _rect(self, number: int) -> QRectF:
        return QRectF(0, self._top + number * _ROW, self.width, _ROW)

    def _lay_out(self) -> list[tuple[float, float]]:
        """Left edge and width of each column: what they need, or their share of what there is."""
        wanted: list[float] = []
        for number, column in enumerate(self._chart.columns):
            font = self.ink.code if column.code else self.ink.small
            texts = [row.cells[number] for row in self._chart.rows if number < len(row.cells)]
            title = widest(self.ink.head, [column.title])
            wanted.append(max(widest(font, texts), title, 8.0))
        room = self.width - 2 * _PAD - _GAP * max(len(wanted) - 1, 0)
        total = sum(wanted)
        if total > room:
            wanted = _squeezed(wanted, max(room, len(wanted) * 4.0))
        elif wanted:
            wanted = self._stretched(wanted, room - total)
        spans: list[tuple[float, float]] = []
        left = _PAD
        for width in wanted:
            spans.append((left, width))
            left += width + _GAP
        return spans

    def _stretched(self, wanted: list[float], spare: float) -> list[float]:
        """Room to spare goes evenly to all columns, so that no figure is far from its name."""
        each = min(spare / len(wanted), 72.0)
        return [width + each for width in wanted]

    def _paint_row(
        self, painter: QPainter, number: int, row: values.Row, pointing: Pointing
    ) -> None:
        colors, rect = self.ink.colors, self._rect(number).adjusted(0, 1, 0, -1)
        marked = number == self._chart.marked
        if marked:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(QColor(colors.fill))
            painter.drawRoundedRect(rect, 7, 7)
        self.paint_row_ground(painter, rect, row.key, pointing)
        ink = colors.dim if row.faded else colors.text
        for column, (left, room), text in zip(
            self._chart.columns, self._spans, row.cells, strict=False
        ):
            plain = self.ink.strong if marked else self.ink.small
            painter.setFont(self.ink.code if column.code else plain)
            align = _ALIGN[column.align]
            draw_text(painter, QRectF(left, rect.y(), room, rect.height()), text, ink, align)


def _squeezed(wanted: list[float], room: float) -> list[float]:
    """Columns that want more than an even share give way; the narrow ones keep their width."""
    widths = list(wanted)
    open_columns = set(range(len(widths)))
    left = room
    while open_columns:
        share = left / len(open_columns)
        content = {n for n in open_columns if wanted[n] <= share}
        if not content:
            for n in open_columns:
                widths[n] = share
            break
        left -= sum(wanted[n] for n in content)
        open_columns -= content
    return widths
