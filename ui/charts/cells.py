"""Cells of the cache: rows step by step, and a map that wraps like text."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QRectF
from PySide6.QtGui import QPainter
from typing_extensions import override

from ui.charts.ink import draw_cell, draw_text, one_line, widest
from ui.charts.picture import Picture, Pointing, Spot

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ui.charts import values
    from ui.charts.ink import Ink

_ROW = 32.0
_CELL_HEIGHT = 26.0
_WIDEST = 40.0
_NARROWEST = 2.0
_SPACED = 6.0
_SIDE = 12.0
_MAP_CELL = 8.0
_MAP_GAP = 2.0
_BLOCK_CELLS = 4096


class CellRowsPicture(Picture):
    """Draws `CellRows`."""

    def __init__(self, chart: values.CellRows, ink: Ink, width: float) -> None:
        super().__init__(chart, ink, width)
        self._chart = chart
        labels = widest(ink.small, [row.label for row in chart.rows])
        notes = widest(ink.code_caption, [row.note for row in chart.rows])
        self._inset = 6.0 if any(row.key for row in chart.rows) else 0.0
        self._label_width = min(labels + self._inset, self.width * 0.25)
        self._note_width = min(notes, self.width * 0.25)
        self._left = max(self._label_width + _SIDE, 96.0 if self.width > 560 else 0.0)
        if not labels:
            self._left = 0.0
        self._count = max((len(row.cells) for row in chart.rows), default=0)
        after = self._note_width + _SIDE if notes else 0.0
        room = max(self.width - self._left - after, 8.0)
        self._pitch = min(room / max(self._count, 1), _WIDEST + 2)
        # Of more cells than fit, only as many as can be told apart are drawn.
        self._stride = 1
        if self._pitch < _NARROWEST:
            self._stride = int(-(-self._count // (room / _NARROWEST)))
            self._pitch = room / -(-self._count // self._stride)

    @property
    @override
    def body_height(self) -> float:
        return max(_ROW * len(self._chart.rows) - (_ROW - _CELL_HEIGHT), 0.0)

    @override
    def legend(self) -> tuple[values.Legend, ...]:
        return self._chart.legend

    @override
    def make_spots(self) -> Sequence[Spot]:
        spots: list[Spot] = []
        for number, row in enumerate(self._chart.rows):
            whole = QRectF(0, number * _ROW, self.width, _CELL_HEIGHT)
            if not row.tips or self._stride > 1:
                spots.append(Spot(whole, f"{row.label} {row.note}".strip(), row.key))
                continue
            for place, tip in enumerate(row.tips[: len(row.cells)]):
                spots.append(Spot(self._cell(number, place), tip, row.key))
        return spots

    @override
    def paint_body(self, painter: QPainter, clip: QRectF, pointing: Pointing) -> None:
        for number in self.rows_in(clip, _ROW, len(self._chart.rows)):
            self._paint_row(painter, number, self._chart.rows[number], pointing)

    def _paint_row(
        self, painter: QPainter, number: int, row: values.CellRow, pointing: Pointing
    ) -> None:
        colors = self.ink.colors
        whole = QRectF(0, number * _ROW, self.width, _CELL_HEIGHT)
        on_fill = self.paint_row_ground(painter, whole.adjusted(0, -2, 0, 2), row.key, pointing)
        painter.setFont(self.ink.small)
        inset = self._inset
        label = QRectF(inset, whole.y(), self._left - _SIDE / 2 - inset, whole.height())
        draw_text(painter, label, row.label, colors.text if on_fill else colors.dim)
        cells = row.cells[:: self._stride]
        for place, tone in enumerate(cells):
            draw_cell(painter, self._cell(number, place), tone, self.ink)
        painter.setFont(self.ink.code_caption)
        end = self._left + len(row.cells[:: self._stride]) * self._pitch
        widest_end = self._left + -(-self._count // self._stride) * self._pitch
        end = max(end, widest_end)
        room = QRectF(end + _SIDE - 2, whole.y(), self.width - end - _SIDE + 2, whole.height())
        draw_text(painter, room, row.note, colors.dim)

    def _cell(self, row: int, place: int) -> QRectF:
        gap = 3.0 if self._pitch > 4 * _SPACED else 1.0 if self._pitch > _SPACED else 0.0
        left, right = (self._left + n * self._pitch for n in (place, place + 1))
        if gap:  # on whole pixels, so that edges are sharp
            left, right = round(left), round(right)
        return QRectF(left, row * _ROW, max(right - left - gap, 0.5), _CELL_HEIGHT)


class CellMapPicture(Picture):
    """Draws a `CellMap`."""

    def __init__(self, chart: values.CellMap, ink: Ink, width: float) -> None:
        super().__init__(chart, ink, width)
        self._chart = chart
        count = len(chart.cells)
        # Few cells are larger, and beyond a few thousand they get smaller.
        side = 14.0 if count <= 48 else _MAP_CELL if count <= _BLOCK_CELLS else 4.0
        self._gap = _MAP_GAP if side > 4 else 1.0
        self._columns = max(int((self.width + self._gap) // (side + self._gap)), 1)
        self._pitch = side + self._gap
        if count > self._columns:
            # Stretched, so that full rows end at the right edge.
            self._pitch = (self.width + self._gap) / self._columns

    @property
    @override
    def body_height(self) -> float:
        rows = -(-len(self._chart.cells) // self._columns)
        return max(rows * self._pitch - self._gap, 0.0)

    @override
    def legend(self) -> tuple[values.Legend, ...]:
        return self._chart.legend

    @property
    @override
    def clickable(self) -> bool:
        return any(cell.key for cell in self._chart.cells)

    @override
    def make_spots(self) -> Sequence[Spot]:
        half = self._gap / 2  # no pixel between two cells belongs to neither
        return [
            Spot(self._cell(n).adjusted(-half, -half, half, half), one_line(cell.tip), cell.key)
            for n, cell in enumerate(self._chart.cells)
        ]

    @override
    def paint_body(self, painter: QPainter, clip: QRectF, pointing: Pointing) -> None:
        first = max(int(clip.top() // self._pitch), 0) * self._columns
        last = (int(clip.bottom() // self._pitch) + 1) * self._columns
        for number, cell in enumerate(self._chart.cells[first:last], first):
            rect = self._cell(number)
            draw_cell(painter, rect, cell.tone, self.ink)
        for key in {pointing.hovered, pointing.current}:
            if key and (spot := self.spot_of(key)):
                self.paint_ring(painter, spot.rect, 3)

    def _cell(self, number: int) -> QRectF:
        row, column = divmod(number, self._columns)
        left, right = (round(n * self._pitch) for n in (column, column + 1))
        top, bottom = (round(n * self._pitch) for n in (row, row + 1))
        return QRectF(left, top, right - left - self._gap, bottom - top - self._gap)
