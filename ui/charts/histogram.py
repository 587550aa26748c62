"""Columns of what was counted, with a mark where each was expected to end."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication, QLineF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPen
from typing_extensions import override

from ui import figures
from ui.charts import axes, values
from ui.charts.ink import draw_text, label_of, text_width, widest, written
from ui.charts.picture import Picture, Pointing, Spot

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ui.charts.ink import Ink

_PLOT = 146.0
_TURNED = 72.0
_TURNABLE = 13.0
_LABELS = 22.0
_ABOVE = 20.0
_WIDEST = 64.0
_READABLE = 26.0
_TICKS = 3


class HistogramPicture(Picture):
    """Draws a `Histogram`."""

    def __init__(self, chart: values.Histogram, ink: Ink, width: float) -> None:
        super().__init__(chart, ink, width)
        self._chart = chart
        self._draws = draws(chart)
        tops = [v for each in chart.bins for v in (float(each.count), expected(each, self._draws))]
        self._scale = axes.rounded(axes.fit([0.0, *tops]), _TICKS)
        self._ticks = [tick for tick in self._scale.ticks(_TICKS) if tick == int(tick)]
        widths = [text_width(ink.tiny, written(tick)) for tick in self._ticks]
        self._left = max(widths, default=0.0) + 8
        room = self.width - self._left
        self._pitch = min(room / max(len(chart.bins), 1), _WIDEST)
        self._label_font = ink.code_caption if chart.code else ink.tiny
        words = widest(self._label_font, [self._label(each) for each in chart.bins])
        # Labels that do not fit below their columns are turned; below hairlines there are none.
        self._turned = words > self._pitch + 4
        self._labels = _LABELS if not self._turned else min(words, _TURNED) + 6
        if self._pitch < _TURNABLE:
            self._labels = 4.0
        self._height = _PLOT + self._labels

    @property
    @override
    def body_height(self) -> float:
        return self._height if self._chart.bins else 0.0

    @override
    def make_spots(self) -> Sequence[Spot]:
        return [
            Spot(
                QRectF(self._left + n * self._pitch, 0, self._pitch, self._height),
                self._tip(each),
                each.key,
            )
            for n, each in enumerate(self._chart.bins)
        ]

    @override
    def legend(self) -> tuple[values.Legend, ...]:
        return (
            values.Legend("held", self._observed_name()),
            values.Legend("new", self._expected_name()),
        )

    @override
    def paint_body(self, painter: QPainter, clip: QRectF, pointing: Pointing) -> None:
        if not self._chart.bins:
            return
        painter.setFont(self.ink.tiny)
        for tick in self._ticks:
            y = round(self._y(tick)) + 0.5
            painter.setPen(QPen(QColor(self.ink.colors.hairline), 1))
            painter.drawLine(QLineF(self._left, y, self.width, y))
            label = QRectF(0, y - 8, self._left - 8, 16)
            right = Qt.AlignmentFlag.AlignRight
            draw_text(painter, label, written(tick), self.ink.colors.faint, right)
        for number, each in enumerate(self._chart.bins):
            self._paint_bin(painter, number, each, pointing)

    def _paint_bin(
        self, painter: QPainter, number: int, each: values.Bin, pointing: Pointing
    ) -> None:
        gap = min(max(self._pitch * 0.16, 1.0), 5.0) if self._pitch > 4 else 0.0
        left = self._left + number * self._pitch
        column = QRectF(left + gap, 0, self._pitch - 2 * gap, self._height)
        ground = QRectF(left + 1, 0, self._pitch - 2, self._height)
        on_fill = self.paint_row_ground(painter, ground, each.key, pointing)
        color = self.ink.fill("held")
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(color)
        base, top = self._y(0), self._y(each.count)
        if each.count > 0:
            radius = min(3.0, column.width() / 2, (base - top) / 2)
            bar = QRectF(column.x(), top, column.width(), base - top)
            painter.drawRoundedRect(bar, radius, radius)
        mark = self._y(expected(each, self._draws))
        if not math.isnan(mark):
            painter.setBrush(self.ink.fill("new"))
            painter.drawRoundedRect(QRectF(column.x() - 1, mark - 1, column.width() + 2, 2.5), 1, 1)
        self._paint_words(painter, column, each, min(top, mark if mark == mark else top), on_fill)

    def _paint_words(
        self, painter: QPainter, column: QRectF, each: values.Bin, top: float, on_fill: object
    ) -> None:
        colors, centre = self.ink.colors, Qt.AlignmentFlag.AlignHCenter
        if self._pitch >= _READABLE:
            painter.setFont(self.ink.tiny)
            count = QRectF(column.x() - 4, top - 18, column.width() + 8, 16)
            draw_text(painter, count, figures.count(each.count), colors.text, centre)
        color = colors.dim if on_fill else colors.faint
        painter.setFont(self._label_font)
        if not self._turned:
            label = QRectF(column.x() - 5, _PLOT + 2, column.width() + 10, 18)
            draw_text(painter, label, self._label(each), color, centre)
        elif self._pitch >= _TURNABLE:
            painter.save()
            painter.translate(column.center().x(), _PLOT + 4)
            painter.rotate(90)
            draw_text(painter, QRectF(0, -8, self._labels - 4, 16), self._label(each), color)
            painter.restore()

    def _label(self, each: values.Bin) -> str:
        return label_of(each.label, code=self._chart.code)

    def _y(self, count: float) -> float:
        share = self._scale.share(count)
        return _PLOT - min(max(share, 0.0), 1.0) * (_PLOT - _ABOVE)

    def _tip(self, each: values.Bin) -> str:
        return (
            f"{self._label(each)}\n{self._observed_name()}: {figures.count(each.count)}\n"
            f"{self._expected_name()}: {written(expected(each, self._draws))}"
        )

    def _observed_name(self) -> str:
        fallback = QCoreApplication.translate("Charts", "drawn")
        return self._chart.observed_name or fallback

    def _expected_name(self) -> str:
        fallback = QCoreApplication.translate("Charts", "expected")
        return self._chart.expected_name or fallback


def draws(chart: values.Histogram) -> int:
    """How many samples were taken."""
    return chart.draws or sum(each.count for each in chart.bins)


def expected(each: values.Bin, draws: int) -> float:
    """The expected count of an outcome."""
    return each.probability * draws
