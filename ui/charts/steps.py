"""Stations along one line, with their magnitudes: one token's way through a block."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPainterPath, QPen
from typing_extensions import override

from ui.charts.ink import draw_text, one_line, widest, written
from ui.charts.picture import Picture, Pointing, Spot

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ui.charts import values
    from ui.charts.ink import Ink

_ROW = 30.0
_CAPTION = 16.0
_RAIL = 14.0
_BRANCH = 22.0
_BAR = 12.0
_DOT = 4.0
_JOIN = 7.0


class StepsPicture(Picture):
    """Draws `Steps`."""

    def __init__(self, chart: values.Steps, ink: Ink, width: float) -> None:
        super().__init__(chart, ink, width)
        self._chart = chart
        self._tops: list[float] = [0.0]
        for step in chart.steps:
            self._tops.append(self._tops[-1] + _ROW + (_CAPTION if step.caption else 0))
        names = widest(ink.small, [step.name for step in chart.steps])
        self._name_width = min(names, self.width * 0.42)
        figures = widest(ink.strong, [self._figure(step) for step in chart.steps])
        self._figure_width = min(figures, self.width * 0.25)
        self._inset = 6.0 if any(step.key for step in chart.steps) else 0.0
        self._left = _RAIL + _BRANCH + 14
        known = [abs(step.value) for step in chart.steps if math.isfinite(step.value)]
        self._longest = max(known, default=0.0) or 1.0

    @property
    @override
    def body_height(self) -> float:
        return self._tops[-1]

    @override
    def make_spots(self) -> Sequence[Spot]:
        return [
            Spot(self._rect(n), self._tip(step), step.key)
            for n, step in enumerate(self._chart.steps)
        ]

    @override
    def paint_body(self, painter: QPainter, clip: QRectF, pointing: Pointing) -> None:
        steps = self._chart.steps
        for number, step in enumerate(steps):
            rect = self._rect(number)
            if rect.intersects(clip):
                self._paint_words(painter, rect, step, pointing)
        if steps:
            painter.setPen(QPen(self.ink.outline, 2))
            top, bottom = self._dot(0).y(), self._dot(len(steps) - 1).y()
            painter.drawLine(QLineF(_RAIL, max(top, clip.top()), _RAIL, min(bottom, clip.bottom())))
        for number, step in enumerate(steps):
            if self._rect(number).adjusted(0, -60, 0, 60).intersects(clip):
                self._paint_station(painter, number, step)

    def _rect(self, number: int) -> QRectF:
        top = self._tops[number]
        return QRectF(0, top, self.width, self._tops[number + 1] - top)

    def _dot(self, number: int) -> QPointF:
        """Where a station's dot is: beside the line for what is added to it later."""
        rect = self._rect(number)
        return QPointF(_RAIL, rect.y() + _ROW / 2)

    def _paint_station(self, painter: QPainter, number: int, step: values.Step) -> None:
        dot = self._dot(number)
        page = QColor(self.ink.colors.page)
        if not step.adds:
            painter.setPen(QPen(page, 2))
            painter.setBrush(self._color(step))
            painter.drawEllipse(dot, _DOT + 1, _DOT + 1)
            return
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.setPen(QPen(self.ink.outline, 2))
        path = QPainterPath(QPointF(_RAIL + _BRANCH, dot.y() - _ROW * 0.42))
        path.quadTo(QPointF(_RAIL + _BRANCH, dot.y()), dot)
        painter.drawPath(path)
        painter.setBrush(page)
        painter.setPen(QPen(self._color(step), 1.75))
        painter.drawEllipse(dot, _JOIN, _JOIN)
        painter.drawLine(QLineF(dot.x() - 3.5, dot.y(), dot.x() + 3.5, dot.y()))
        painter.drawLine(QLineF(dot.x(), dot.y() - 3.5, dot.x(), dot.y() + 3.5))

    def _paint_words(
        self, painter: QPainter, rect: QRectF, step: values.Step, pointing: Pointing
    ) -> None:
        colors = self.ink.colors
        on_fill = self.paint_row_ground(painter, rect.adjusted(0, 1, 0, -1), step.key, pointing)
        chosen = bool(step.key) and step.key == self._chart.selected and not on_fill
        line = QRectF(self._left, rect.y(), self._name_width, _ROW)
        painter.setFont(self.ink.small)
        draw_text(painter, line, step.name, colors.accent if chosen else colors.text)
        if step.caption:
            painter.setFont(self.ink.tiny)
            room = self.width - self._left - self._inset
            below = QRectF(self._left, rect.y() + _ROW - 8, room, _CAPTION)
            draw_text(painter, below, step.caption, colors.dim if on_fill else colors.faint)
        painter.setFont(self.ink.strong)
        edge = self.width - self._inset
        right = QRectF(edge - self._figure_width, rect.y(), self._figure_width, _ROW)
        side = Qt.AlignmentFlag.AlignRight
        draw_text(painter, right, self._figure(step), colors.text, side)
        self._paint_bar(painter, rect, step)

    def _paint_bar(self, painter: QPainter, rect: QRectF, step: values.Step) -> None:
        left = self._left + self._name_width + 14
        room = self.width - self._figure_width - self._inset - 14 - left
        if math.isnan(step.value) or room < 4:
            return
        share = min(abs(step.value) / self._longest, 1.0)
        width = max(share * room, 2.0 if step.value else 0.0)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(self._color(step))
        bar = QRectF(left, rect.y() + (_ROW - _BAR) / 2, width, _BAR)
        radius = min(3.0, width / 2)
        painter.drawRoundedRect(bar, radius, radius)

    def _color(self, step: values.Step) -> QColor:
        color = self.ink.fill(step.tone)
        return color if color.alpha() else self.ink.outline

    def _figure(self, step: values.Step) -> str:
        return step.text or written(step.value, self._chart.unit)

    def _tip(self, step: values.Step) -> str:
        name = one_line(self._chart.value_name)
        figure = f"{name} {self._figure(step)}".strip()
        return "\n".join(filter(None, (one_line(step.name), step.caption, figure)))
