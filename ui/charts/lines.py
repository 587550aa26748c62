"""Named series over two axes, linear or logarithmic."""

from __future__ import annotations

import itertools
import math
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPainterPath, QPen, QPolygonF
from typing_extensions import override

from ui.charts import axes, values
from ui.charts.ink import draw_text, one_line, text_width, written
from ui.charts.picture import Picture, Pointing, Spot

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ui.charts.axes import Scale
    from ui.charts.ink import Ink

_PLOT = 180.0
_UNDER = 22.0
_TITLE = 20.0
_TICK_ROOM = 84.0
_Y_TICKS = 4
_DOT = 2.75
_DENSE = 4
_TOLD = 8
_FAR = 50.0


class LinesPicture(Picture):
    """Draws `Lines`."""

    def __init__(self, chart: values.Lines, ink: Ink, width: float) -> None:
        super().__init__(chart, ink, width)
        self._chart = chart
        xs = [x for each in chart.series for x in _extremes(each.xs, log=chart.x_axis.log)]
        ys = [y for each in chart.series for y in _extremes(each.ys, log=chart.y_axis.log)]
        self._x = _scale(xs, chart.x_axis, from_zero=False)
        fitted = _scale(ys, chart.y_axis, from_zero=True)
        given = chart.y_axis.high is not None
        self._y = fitted if given else axes.rounded(fitted, _Y_TICKS)
        self._y_ticks = self._y.ticks(_Y_TICKS)
        ticks = [text_width(ink.tiny, written(tick)) for tick in self._y_ticks]
        left = min(max(ticks, default=0.0) + 8, self.width / 3)
        top = _TITLE if _axis_words(chart.y_axis) else 6.0
        self._plot = QRectF(left, top, max(self.width - left - 2, 8.0), _PLOT)

    @property
    @override
    def body_height(self) -> float:
        titled = _axis_words(self._chart.x_axis)
        return self._plot.bottom() + _UNDER + (_TITLE - 6 if titled else 0)

    @override
    def legend(self) -> tuple[values.Legend, ...]:
        named = [each for each in self._chart.series if each.name]
        return tuple(values.Legend(each.tone, each.name) for each in named)

    @property
    @override
    def follows_pointer(self) -> bool:
        return True

    @override
    def paint_body(self, painter: QPainter, clip: QRectF, pointing: Pointing) -> None:
        self._paint_grid(painter)
        for number, series in enumerate(self._chart.series):
            self._paint_series(painter, number, series)
        self._paint_marks(painter)
        if pointing.at is not None and (found := self._nearest(pointing.at)):
            self._paint_pointer(painter, found)

    @override
    def spot_at(self, point: QPointF) -> Spot | None:
        found = self._nearest(point)
        if not found:
            return None
        lines = [_with_axis(found[0][1], self._chart.x_axis)]
        for number, _x, y in found[:_TOLD]:
            name = one_line(self._chart.series[number].name)
            value = _with_axis(y, self._chart.y_axis)
            lines.append(f"{name}: {value}" if name else value)
        x = self._plot.x() + self._x.share(found[0][1]) * self._plot.width()
        return Spot(QRectF(x - 2, self._plot.y(), 4, self._plot.height()), "\n".join(lines))

    @cached_property
    def _points(self) -> list[list[list[QPointF]]]:
        """For each series its unbroken runs in pixels, no denser than pixels can show."""
        return [self._runs(each) for each in self._chart.series]

    def _runs(self, series: values.Series) -> list[list[QPointF]]:
        count = min(len(series.xs), len(series.ys))
        plot = self._plot
        left, across = plot.x(), plot.width()
        # Bounded before they are pixels: far outside is as good as at infinity.
        xs = left + across * np.clip(_shares(series.xs[:count], self._x), -_FAR, _FAR)
        ys = np.clip(_shares(series.ys[:count], self._y), -_FAR, _FAR)
        ys = plot.bottom() - plot.height() * ys
        if count > _DENSE * across:
            xs, ys = _thinned(xs, ys, int(across))
        runs: list[list[QPointF]] = [[]]
        for x, y in zip(xs.tolist(), ys.tolist(), strict=True):
            if math.isfinite(x) and math.isfinite(y):
                runs[-1].append(QPointF(x, y))
            elif runs[-1]:
                runs.append([])
        return [run for run in runs if run]

    def _paint_grid(self, painter: QPainter) -> None:
        colors, plot = self.ink.colors, self._plot
        painter.setFont(self.ink.tiny)
        right = Qt.AlignmentFlag.AlignRight
        lines: list[QLineF] = []
        for tick in self._y_ticks:
            y = round(plot.bottom() - self._y.share(tick) * plot.height()) + 0.5
            lines.append(QLineF(plot.x(), y, plot.right(), y))
            room = QRectF(0, y - 8, plot.x() - 8, 16)
            draw_text(painter, room, written(tick), colors.faint, right)
        painter.setPen(QPen(QColor(colors.hairline), 1))
        painter.drawLines(lines)
        self._paint_x_ticks(painter)
        words = _axis_words(self._chart.y_axis)
        draw_text(painter, QRectF(0, 0, self.width, 14), words, colors.faint)
        under = QRectF(plot.x(), plot.bottom() + _UNDER - 2, plot.width(), 16)
        draw_text(painter, under, _axis_words(self._chart.x_axis), colors.faint, right)

    def _paint_x_ticks(self, painter: QPainter) -> None:
        """Numbers below the plot, left out where one would touch the one before."""
        plot, free = self._plot, -math.inf
        for tick in self._x.ticks(max(int(plot.width() / _TICK_ROOM), 2)):
            text = written(tick)
            width = text_width(self.ink.tiny, text) + 2
            x = plot.x() + self._x.share(tick) * plot.width()
            left = min(max(x - width / 2, plot.x()), self.width - width)
            if left < free:
                continue
            free = left + width + 10
            room = QRectF(left, plot.bottom() + 4, width, 16)
            centre = Qt.AlignmentFlag.AlignHCenter
            draw_text(painter, room, text, self.ink.colors.faint, centre)

    def _paint_series(self, painter: QPainter, number: int, series: values.Series) -> None:
        color = self.ink.fill(series.tone)
        if color.alpha() == 0:
            color = self.ink.outline
        painter.save()
        painter.setClipRect(self._plot.adjusted(-3, -3, 3, 2))
        for run in self._points[number]:
            if series.filled and len(run) > 1:
                self._paint_area(painter, run, color)
            if series.joined and len(run) > 1:
                _paint_line(painter, run, color, dashed=series.dashed)
            if series.points or not series.joined or len(run) == 1:
                painter.setPen(Qt.PenStyle.NoPen)
                painter.setBrush(color)
                for point in run:
                    painter.drawEllipse(point, _DOT, _DOT)
        painter.restore()

    def _paint_area(self, painter: QPainter, run: list[QPointF], color: QColor) -> None:
        tint = QColor(color)
        tint.setAlphaF(0.13)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(tint)
        base = self._plot.bottom()
        corners = [QPointF(run[-1].x(), base), QPointF(run[0].x(), base)]
        painter.drawPolygon(QPolygonF([*run, *corners]))

    def _paint_marks(self, painter: QPainter) -> None:
        colors, plot = self.ink.colors, self._plot
        painter.setFont(self.ink.tiny)
        for mark in self._chart.marks:
            share = self._x.share(mark.x)
            if not 0 <= share <= 1:
                continue
            x = round(plot.x() + share * plot.width()) + 0.5
            pen = QPen(QColor(colors.faint), 1, Qt.PenStyle.CustomDashLine)
            pen.setDashPattern([3, 3])
            painter.setPen(pen)
            painter.drawLine(QLineF(x, plot.y(), x, plot.bottom()))
            after = plot.right() - x
            side = Qt.AlignmentFlag.AlignLeft if share <= 0.6 else Qt.AlignmentFlag.AlignRight
            room = QRectF(x + 6, plot.y() - 2, after - 6, 16)
            if share > 0.6:
                room = QRectF(plot.x(), plot.y() - 2, x - plot.x() - 6, 16)
            draw_text(painter, room, mark.text, colors.dim, side)

    def _paint_pointer(self, painter: QPainter, found: list[tuple[int, float, float]]) -> None:
        plot = self._plot
        x = round(plot.x() + self._x.share(found[0][1]) * plot.width()) + 0.5
        painter.setPen(QPen(self.ink.outline, 1))
        painter.drawLine(QLineF(x, plot.y(), x, plot.bottom()))
        for number, value, height in found:
            tone = self._chart.series[number].tone
            painter.setPen(QPen(QColor(self.ink.colors.page), 1.5))
            painter.setBrush(self.ink.fill(tone))
            across = plot.x() + self._x.share(value) * plot.width()
            up = plot.bottom() - self._y.share(height) * plot.height()
            if math.isfinite(up) and plot.y() - 4 <= up <= plot.bottom() + 4:
                painter.drawEllipse(QPointF(across, up), 4, 4)

    def _nearest(self, point: QPointF) -> list[tuple[int, float, float]]:
        """Series, x and y of the measurements that share the x next to a point."""
        if not self._plot.adjusted(-6, -6, 6, 6).contains(point):
            return []
        wanted = (point.x() - self._plot.x()) / self._plot.width()
        best: list[tuple[float, int, float, float]] = []
        for number, series in enumerate(self._chart.series):
            shares, held = self._held[number]
            if len(shares):
                place = int(np.argmin(np.abs(shares - wanted)))
                index = int(held[place])
                gap = abs(float(shares[place]) - wanted)
                best.append((gap, number, series.xs[index], series.ys[index]))
        if not best:
            return []
        nearest = min(best)[2]
        tolerance = (self._x.high - self._x.low) * 1e-9
        return [(n, x, y) for _gap, n, x, y in best if abs(x - nearest) <= tolerance]

    @cached_property
    def _held(self) -> list[tuple[np.ndarray, np.ndarray]]:
        """For each series the places along the axis that have a value, and their indices."""
        held: list[tuple[np.ndarray, np.ndarray]] = []
        for series in self._chart.series:
            count = min(len(series.xs), len(series.ys))
            shares = _shares(series.xs[:count], self._x)
            there = np.isfinite(shares) & np.isfinite(np.asarray(series.ys[:count], dtype=float))
            held.append((shares[there], np.flatnonzero(there)))
        return held


def _paint_line(painter: QPainter, run: list[QPointF], color: QColor, *, dashed: bool) -> None:
    pen = QPen(color, 1.75)
    pen.setCapStyle(Qt.PenCapStyle.RoundCap)
    if dashed:
        # One path, for separate segments would each begin the dashes anew.
        pen.setCapStyle(Qt.PenCapStyle.FlatCap)
        pen.setStyle(Qt.PenStyle.CustomDashLine)
        pen.setDashPattern([4, 3])
        painter.setPen(pen)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        path = QPainterPath(run[0])
        for point in run[1:]:
            path.lineTo(point)
        painter.drawPath(path)
        return
    painter.setPen(pen)
    # Separate segments cost a tenth of one joined line.
    painter.drawLines([QLineF(start, end) for start, end in itertools.pairwise(run)])


def _shares(numbers: Sequence[float], scale: Scale) -> np.ndarray:
    """`Scale.share` of many numbers; infinities become NaN."""
    array = np.asarray(numbers, dtype=np.float64)
    low, high = scale.low, scale.high
    with np.errstate(all="ignore"):
        if scale.log:
            array = np.log10(np.where(array > 0, array, np.nan))
            low, high = math.log10(low), math.log10(high)
        shares = (array / 2 - low / 2) / (high / 2 - low / 2)
    shares[~np.isfinite(shares)] = np.nan
    return shares


def _thinned(xs: np.ndarray, ys: np.ndarray, buckets: int) -> tuple[np.ndarray, np.ndarray]:
    """Of very many points the lowest and the highest of each stretch: the same picture."""
    size = -(-len(xs) // max(buckets, 1))
    padded = -(-len(xs) // size) * size - len(xs)
    rows = np.pad(ys, (0, padded), mode="edge").reshape(-1, size)
    with np.errstate(all="ignore"):
        low = np.where(np.isnan(rows), np.inf, rows).argmin(axis=1)
        high = np.where(np.isnan(rows), -np.inf, rows).argmax(axis=1)
    starts = np.arange(len(rows)) * size
    kept = np.sort(np.stack([starts + low, starts + high], axis=1), axis=1).ravel()
    kept = np.minimum(kept, len(xs) - 1)
    return xs[kept], ys[kept]


def _extremes(numbers: Sequence[float], *, log: bool) -> list[float]:
    """The lowest and the highest number that an axis can show."""
    array = np.asarray(numbers, dtype=np.float64)
    array = array[np.isfinite(array)]
    if log:
        array = array[array > 0]
    return [float(array.min()), float(array.max())] if array.size else []


def _scale(numbers: list[float], axis: values.Axis, *, from_zero: bool) -> Scale:
    low, high = _finite(axis.low), _finite(axis.high)
    return axes.fit(numbers, log=axis.log, low=low, high=high, from_zero=from_zero)


def _finite(number: float | None) -> float | None:
    return number if number is not None and math.isfinite(number) else None


def _axis_words(axis: values.Axis) -> str:
    """The title of an axis with its unit: "time to first token, s"."""
    return ", ".join(part for part in (one_line(axis.title), one_line(axis.unit)) if part)


def _with_axis(value: float, axis: values.Axis) -> str:
    number = written(value, axis.unit)
    return number if axis.unit or not axis.title else f"{one_line(axis.title)} {number}"
