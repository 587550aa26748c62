"""Tokens in rows and columns: what each layer would say at each place."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPen
from typing_extensions import override

from ui.charts.ink import draw_text, one_line, token, widest
from ui.charts.picture import Picture, Pointing, Spot

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ui.charts import values
    from ui.charts.ink import Ink

_ROW = 22.0
_HEAD = 24.0
_WIDEST = 112.0
_SIDE = 10.0
_PAD = 6.0
_RADIUS = 4.0


class TokenGridPicture(Picture):
    """Draws a `TokenGrid`."""

    def __init__(self, chart: values.TokenGrid, ink: Ink, width: float) -> None:
        super().__init__(chart, ink, width)
        self._chart = chart
        labels = widest(ink.tiny, [chart.corner, *(row.label for row in chart.rows)])
        self._left = round(min(labels, self.width * 0.25) + _SIDE) if labels else 0
        count = max([len(chart.columns), *(len(row.cells) for row in chart.rows)], default=0)
        room = max(self.width - self._left, 8.0)
        self._pitch = min(room / max(count, 1), _WIDEST)
        self._top = _HEAD if chart.columns else 0.0

    @property
    @override
    def body_height(self) -> float:
        return self._top + _ROW * len(self._chart.rows)

    @override
    def make_spots(self) -> Sequence[Spot]:
        return [
            Spot(self._rect(n, column), cell.tip or one_line(cell.text), cell.key)
            for n, row in enumerate(self._chart.rows)
            for column, cell in enumerate(row.cells)
        ]

    @override
    def legend(self) -> tuple[values.Legend, ...]:
        return self._chart.legend

    @override
    def paint_body(self, painter: QPainter, clip: QRectF, pointing: Pointing) -> None:
        if clip.top() < self._top:
            self._paint_heads(painter)
        for number in self.rows_in(clip, _ROW, len(self._chart.rows), self._top):
            self._paint_row(painter, number, pointing)

    def _rect(self, row: int, column: int) -> QRectF:
        left = self._left + column * self._pitch
        return QRectF(left, self._top + row * _ROW, self._pitch, _ROW)

    def _paint_heads(self, painter: QPainter) -> None:
        colors = self.ink.colors
        painter.setFont(self.ink.tiny)
        corner = QRectF(0, 0, self._left - _SIDE, _HEAD - 4)
        draw_text(painter, corner, self._chart.corner, colors.faint, Qt.AlignmentFlag.AlignRight)
        for number, name in enumerate(self._chart.columns):
            marked = number == self._chart.marked_column
            painter.setFont(self.ink.head if marked else self.ink.tiny)
            left = self._left + number * self._pitch
            room = QRectF(left + _PAD, 0, self._pitch - 2 * _PAD + 2, _HEAD - 4)
            draw_text(painter, room, name, colors.accent if marked else colors.faint)

    def _paint_row(self, painter: QPainter, number: int, pointing: Pointing) -> None:
        row, colors = self._chart.rows[number], self.ink.colors
        top = self._top + number * _ROW
        painter.setFont(self.ink.tiny)
        room = QRectF(0, top, self._left - _SIDE, _ROW)
        draw_text(painter, room, row.label, colors.faint, Qt.AlignmentFlag.AlignRight)
        for column, cell in enumerate(row.cells):
            self._paint_cell(painter, self._rect(number, column), cell, pointing)

    def _paint_cell(
        self, painter: QPainter, rect: QRectF, cell: values.GridCell, pointing: Pointing
    ) -> None:
        inner = rect.adjusted(1, 1, -1, -1)
        ground = self.ink.ground(cell.tone, cell.strength)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(ground if ground.alpha() else QColor(self.ink.colors.fill))
        painter.drawRoundedRect(inner, _RADIUS, _RADIUS)
        painter.setFont(self.ink.code_caption)
        text = rect.adjusted(_PAD, 0, -_PAD + 2, 0)
        draw_text(painter, text, token(cell.text), self.ink.colors.text)
        if cell.key and cell.key in {pointing.current, self._chart.selected}:
            self.paint_ring(painter, inner, _RADIUS)
        elif cell.key and cell.key == pointing.hovered:
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.setPen(QPen(self.ink.outline, 1))
            painter.drawRoundedRect(inner.adjusted(0.5, 0.5, -0.5, -0.5), _RADIUS, _RADIUS)
