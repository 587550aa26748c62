"""The rotating window as a ring of slots, written clockwise."""

from __future__ import annotations

import math
from functools import cached_property
from typing import TYPE_CHECKING

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPainterPath, QPen, QPolygonF
from typing_extensions import override

from ui.charts.ink import draw_cell, draw_text, one_line
from ui.charts.picture import Picture, Pointing, Spot

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ui.charts import values
    from ui.charts.ink import Ink

_LARGEST = 300.0
_SMALLEST = 48.0
_MARGIN = 16.0
_PINNED_CELL = 16.0
_PINNED_GAP = 3.0
_GAP_PX = 2.5
_TOP_DEG = 90.0
_MOST_CELLS = 720


class RingPicture(Picture):
    """Draws a `Ring`."""

    def __init__(self, chart: values.Ring, ink: Ink, width: float) -> None:
        super().__init__(chart, ink, width)
        self._chart = chart
        per_row = max(int(self.width // (_PINNED_CELL + _PINNED_GAP)), 1)
        self._per_row = min(per_row, max(len(chart.pinned), 1))
        rows = -(-len(chart.pinned) // self._per_row)
        self._pinned_height = rows * (_PINNED_CELL + _PINNED_GAP) + (8 if rows else 0)
        self._side = min(max(self.width, _SMALLEST), _LARGEST)
        self._centre = QPointF(self.width / 2, self._pinned_height + self._side / 2)
        self._outer = self._side / 2 - _MARGIN
        self._inner = max(self._outer - max(min(self._outer * 0.24, 34.0), 4.0), 1.0)
        # Of more slots than a ring has room for, only as many as can be told apart.
        self._stride = max(-(-len(chart.slots) // _MOST_CELLS), 1)

    @property
    @override
    def body_height(self) -> float:
        return self._pinned_height + (self._side if self._chart.slots else 0)

    @override
    def legend(self) -> tuple[values.Legend, ...]:
        return self._chart.legend

    @override
    def make_spots(self) -> Sequence[Spot]:
        pinned = [
            Spot(self._pinned_rect(n), one_line(cell.tip), cell.key)
            for n, cell in enumerate(self._chart.pinned)
        ]
        slots = [
            Spot(self._box(n), one_line(cell.tip), cell.key)
            for n, cell in enumerate(self._chart.slots)
        ]
        return [*pinned, *slots]

    @override
    def spot_at(self, point: QPointF) -> Spot | None:
        if point.y() < self._pinned_height:
            return super().spot_at(point)
        count = len(self._chart.slots)
        offset = point - self._centre
        distance = math.hypot(offset.x(), offset.y())
        if not count or not self._inner - 4 <= distance <= self._outer + 4:
            return None
        turn = math.atan2(offset.x(), -offset.y()) / (2 * math.pi) % 1.0
        slot = min(int(turn * count), count - 1)
        return self.spots[len(self._chart.pinned) + slot]

    @override
    def paint_body(self, painter: QPainter, clip: QRectF, pointing: Pointing) -> None:
        for number, cell in enumerate(self._chart.pinned):
            draw_cell(painter, self._pinned_rect(number), cell.tone, self.ink)
        slots = self._chart.slots
        for number in range(0, len(slots), self._stride):
            self._paint_slot(painter, number, slots[number].tone)
        self._paint_write(painter)
        self._paint_centre(painter)
        for key in {pointing.hovered, pointing.current} - {""}:
            self._paint_pointed(painter, key)

    @cached_property
    def _angle(self) -> float:
        """How many degrees one drawn slot takes."""
        drawn = -(-len(self._chart.slots) // self._stride)
        return 360 / max(drawn, 1)

    def _paint_slot(self, painter: QPainter, number: int, tone: values.Tone) -> None:
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(self.ink.fill(tone))
        if tone == "evicted":
            painter.setPen(QPen(self.ink.outline, 1))
        painter.drawPath(self._sector(number))
        if tone == "quantised":
            painter.setPen(QPen(QColor(self.ink.colors.page), 2))
            middle = (self._inner + self._outer) / 2
            start = _TOP_DEG - (number // self._stride) * self._angle
            painter.drawArc(self._circle(middle), round(start * 16), -round(self._angle * 16))

    def _sector(self, number: int) -> QPainterPath:
        """A slot with a gap of the same width inside and outside."""
        place = number // self._stride
        gap = min(_GAP_PX, math.radians(self._angle) * self._outer * 0.3)
        start = _TOP_DEG - place * self._angle
        outer = math.degrees(gap / 2 / self._outer)
        inner = math.degrees(gap / 2 / self._inner)
        path = QPainterPath()
        path.arcMoveTo(self._circle(self._outer), start - outer)
        path.arcTo(self._circle(self._outer), start - outer, -(self._angle - 2 * outer))
        path.arcTo(self._circle(self._inner), start - self._angle + inner, self._angle - 2 * inner)
        path.closeSubpath()
        return path

    def _paint_write(self, painter: QPainter) -> None:
        """A small arrow outside the slot that is written next."""
        write, count = self._chart.write, len(self._chart.slots)
        if write is None or not 0 <= write < count:
            return
        turn = (write + 0.5) / count * 2 * math.pi
        out = QPointF(math.sin(turn), -math.cos(turn))
        along = QPointF(-out.y(), out.x())
        tip = self._centre + out * (self._outer + 3)
        back = self._centre + out * (self._outer + 12)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(self.ink.colors.accent))
        painter.drawPolygon(QPolygonF([tip, back + along * 5, back - along * 5]))

    def _paint_centre(self, painter: QPainter) -> None:
        if not self._chart.slots:
            return
        room = self._inner * 2 - 16
        x, y = self._centre.x() - room / 2, self._centre.y()
        centre = Qt.AlignmentFlag.AlignHCenter
        caption = bool(self._chart.centre_caption)
        painter.setFont(self.ink.number)
        figure = QRectF(x, y - (32 if caption else 20), room, 40)
        draw_text(painter, figure, self._chart.centre, self.ink.colors.text, centre)
        painter.setFont(self.ink.caption)
        below = QRectF(x, y + 8, room, 18)
        draw_text(painter, below, self._chart.centre_caption, self.ink.colors.dim, centre)

    def _paint_pointed(self, painter: QPainter, key: str) -> None:
        for number, cell in enumerate(self._chart.pinned):
            if cell.key == key:
                self.paint_ring(painter, self._pinned_rect(number).adjusted(-1, -1, 1, 1), 3)
        for number, cell in enumerate(self._chart.slots):
            if cell.key == key:
                painter.setPen(QPen(QColor(self.ink.colors.accent), 2))
                painter.setBrush(Qt.BrushStyle.NoBrush)
                painter.drawPath(self._sector(number))
                return

    def _circle(self, radius: float) -> QRectF:
        return QRectF(self._centre.x() - radius, self._centre.y() - radius, radius * 2, radius * 2)

    def _pinned_rect(self, number: int) -> QRectF:
        row, column = divmod(number, self._per_row)
        pitch = _PINNED_CELL + _PINNED_GAP
        left = (self.width - self._per_row * pitch + _PINNED_GAP) / 2
        return QRectF(left + column * pitch, row * pitch, _PINNED_CELL, _PINNED_CELL)

    def _box(self, number: int) -> QRectF:
        """A small box on a slot, for where its tooltip and its neighbours are."""
        turn = (number + 0.5) / max(len(self._chart.slots), 1) * 2 * math.pi
        radius = (self._inner + self._outer) / 2
        x = self._centre.x() + math.sin(turn) * radius
        y = self._centre.y() - math.cos(turn) * radius
        return QRectF(x - 4, y - 4, 8, 8)
