"""Horizontal bars: label, bar, number; a second thin bar for the state before a change."""

from __future__ import annotations

import math
from functools import cached_property
from typing import TYPE_CHECKING

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QColor, QFont, QPainter
from typing_extensions import override

from ui.charts import values
from ui.charts.ink import PALE, draw_text, label_of, widest, written
from ui.charts.picture import Picture, Pointing, Spot

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ui.charts.ink import Ink

_ROW = 26.0
_ROW_WITH_BEFORE = 34.0
_BAR = 14.0
_THIN = 5.0
_GAP = 12.0
_LABEL_SHARE = 0.4
_PAD = 6.0


class BarsPicture(Picture):
    """Draws `Bars`."""

    def __init__(self, chart: values.Bars, ink: Ink, width: float) -> None:
        super().__init__(chart, ink, width)
        self._chart = chart
        paired = any(bar.before is not None for bar in chart.bars)
        self._row = _ROW_WITH_BEFORE if paired else _ROW
        self._label_font: QFont = ink.code if chart.code else ink.small
        labels = widest(self._label_font, [self._label(bar) for bar in chart.bars])
        # Rows that can be clicked get a ground, and all words keep off its edge.
        self._inset = _PAD if any(bar.key for bar in chart.bars) else 0.0
        self._label_width = min(labels + self._inset, self.width * _LABEL_SHARE)
        figures = widest(ink.strong, [figure(bar, chart.unit) for bar in chart.bars])
        self._figure_width = min(figures + self._inset, self.width * 0.3)

    @property
    @override
    def body_height(self) -> float:
        return self._row * len(self._chart.bars)

    @override
    def make_spots(self) -> Sequence[Spot]:
        return [
            Spot(self._rect(number), tip(bar, self._chart), bar.key)
            for number, bar in enumerate(self._chart.bars)
        ]

    @override
    def legend(self) -> tuple[values.Legend, ...]:
        chart = self._chart
        named: list[values.Legend] = []
        if chart.before_name:
            tone = chart.bars[0].tone if chart.bars else "held"
            named = [values.Legend(tone, chart.value_name)] if chart.value_name else []
            named.append(values.Legend("dim", chart.before_name))
        return (*named, *chart.legend)

    @override
    def paint_body(self, painter: QPainter, clip: QRectF, pointing: Pointing) -> None:
        for number in self.rows_in(clip, self._row, len(self._chart.bars)):
            self._paint_row(painter, number, pointing)

    @cached_property
    def _span(self) -> tuple[float, float]:
        """The values of the left and the right end of the bars' room."""
        shown = [
            value
            for bar in self._chart.bars
            for value in (bar.value, bar.before)
            if value is not None and math.isfinite(value)
        ]
        high = self._chart.maximum
        if high is None or not (high > 0 and math.isfinite(high)):
            high = max([0.0, *shown])
        low = min([0.0, *shown])
        return low, high if high > low else low + 1.0

    def _rect(self, number: int) -> QRectF:
        return QRectF(0, number * self._row, self.width, self._row)

    def _label(self, bar: values.Bar) -> str:
        return label_of(bar.label, code=self._chart.code)

    def _paint_row(self, painter: QPainter, number: int, pointing: Pointing) -> None:
        bar, colors = self._chart.bars[number], self.ink.colors
        rect = self._rect(number)
        on_fill = self.paint_row_ground(painter, rect.adjusted(0, 1, 0, -1), bar.key, pointing)
        chosen = bool(bar.key) and bar.key == self._chart.selected
        pale = colors.dim if on_fill else colors.faint
        ink = colors.accent if chosen and not on_fill else pale if bar.faded else colors.text
        painter.setFont(self._label_font)
        left = QRectF(0, rect.y(), self._label_width, rect.height())
        draw_text(painter, left.adjusted(self._inset, 0, 0, 0), self._label(bar), ink)
        painter.setFont(self.ink.strong)
        right = QRectF(self.width - self._figure_width, rect.y(), self._figure_width, self._row)
        side = Qt.AlignmentFlag.AlignRight
        figured = pale if bar.faded else colors.text
        draw_text(
            painter,
            right.adjusted(0, 0, -self._inset, 0),
            figure(bar, self._chart.unit),
            figured,
            side,
        )
        room = QRectF(
            self._label_width + _GAP,
            rect.y(),
            self.width - self._label_width - self._figure_width - 2 * _GAP,
            rect.height(),
        )
        self._paint_bar(painter, room, bar)

    def _paint_bar(self, painter: QPainter, room: QRectF, bar: values.Bar) -> None:
        color = self.ink.fill(bar.tone)
        if bar.faded:
            color.setAlphaF(PALE)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(color)
        paired = bar.before is not None
        top = room.y() + (self._row - (_BAR + (_THIN + 2 if paired else 0))) // 2
        self._paint_length(painter, room, bar.value, top, _BAR)
        if bar.before is not None:
            painter.setBrush(QColor(self.ink.colors.faint))
            self._paint_length(painter, room, bar.before, top + _BAR + 2, _THIN)

    def _paint_length(
        self, painter: QPainter, room: QRectF, value: float, top: float, height: float
    ) -> None:
        low, high = self._span
        if math.isnan(value) or room.width() < 2:
            return
        scale = room.width() / (high / 2 - low / 2) / 2
        zero = room.x() - low * scale
        end = room.x() + (min(max(value, low), high) - low) * scale
        left, width = min(zero, end), abs(end - zero)
        if value:
            width = max(width, 2.0)  # something is there, however little
        radius = min(3.0, width / 2, height / 2)
        painter.drawRoundedRect(QRectF(left, top, width, height), radius, radius)


def figure(bar: values.Bar, unit: str) -> str:
    """The number beside a bar."""
    return bar.text or written(bar.value, unit)


def tip(bar: values.Bar, chart: values.Bars) -> str:
    """What hovering a bar tells."""
    if bar.tip:
        return bar.tip
    line = f"{label_of(bar.label, code=chart.code)}: {figure(bar, chart.unit)}"
    if bar.before is None:
        return line
    return f"{line}\n{chart.before_name or '–'}: {written(bar.before, chart.unit)}"
