"""A matrix as a picture: one image for all cells, made once for each size."""

from __future__ import annotations

import math
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import QCoreApplication, QPointF, QRectF, Qt
from PySide6.QtGui import (
    QBrush,
    QColor,
    QImage,
    QLinearGradient,
    QPaintEngine,
    QPainter,
    QPen,
)
from typing_extensions import override

from ui.charts import values
from ui.charts.axes import round_step
from ui.charts.heat_image import cut_into_cells, image_of, painted, resized
from ui.charts.ink import blend, draw_text, one_line, text_width, widest, written
from ui.charts.picture import Move, Picture, Pointing, Spot

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from ui.charts.ink import Ink

_WIDEST = 34.0
_HIGHEST = 640.0
_LOW_ROW = 14.0
_FEW_ROWS = 48
_SIDE = 8.0
_LABEL_STEP = 14.0
_TILE = 6.0
"""From this size on cells are separate, with round corners."""
_EVEN = 14.0
_STRIP = 6.0
_SCALE_HEIGHT = 28.0
_TURNED = 64.0
_CRUMB = 1e-6
_VECTOR_RATIO = 2.0
"""How dense the image in a drawing without pixels of its own is."""


class HeatMapPicture(Picture):
    """Draws a `HeatMap`."""

    def __init__(self, chart: values.HeatMap, ink: Ink, width: float) -> None:
        super().__init__(chart, ink, width)
        self._chart = chart
        self._rows, self._columns = self.cells.shape
        labels = widest(ink.tiny, list(chart.row_labels[: self._rows]))
        self._left = round(min(labels, self.width * 0.25) + _SIDE) if labels else 0
        room = max(self.width - self._left, 8.0)
        self._pitch_x = min(room / max(self._columns, 1), _WIDEST)
        self._pitch_y = min(self._pitch_x, _HIGHEST / max(self._rows, 1))
        if self._rows <= _FEW_ROWS:
            self._pitch_y = max(self._pitch_y, _LOW_ROW)
        if min(self._pitch_x, self._pitch_y) >= _TILE:
            # Whole pixels, so that all cells are equally sharp.
            self._pitch_x, self._pitch_y = map(_whole, (self._pitch_x, self._pitch_y))
        self._top = self._column_label_height() + (_STRIP + 4 if chart.column_tones else 0.0)
        self._images: dict[float, QImage] = {}

    @cached_property
    def cells(self) -> NDArray[np.float32]:
        """The values, NaN where a cell is empty; what is missing is NaN too."""
        return matrix(self._chart)

    @property
    @override
    def body_height(self) -> float:
        if not self.cells.size:
            return 0.0
        return self._top + self._rows * self._pitch_y + _SCALE_HEIGHT

    @property
    @override
    def clickable(self) -> bool:
        return self._chart.clickable and bool(self.cells.size)

    @property
    @override
    def follows_pointer(self) -> bool:
        return True

    @override
    def paint_body(self, painter: QPainter, clip: QRectF, pointing: Pointing) -> None:
        if not self.cells.size:
            return
        self._paint_row_labels(painter, clip)
        self._paint_column_labels(painter)
        self._paint_strip(painter)
        vector = painter.paintEngine().type() == QPaintEngine.Type.SVG
        ratio = _VECTOR_RATIO if vector else painter.device().devicePixelRatioF()
        image = self._image(max(ratio, 1.0))
        if vector:
            # Qt would encode a large image here while every other thread waits for Python.
            stand_in = QImage(1, 1, QImage.Format.Format_RGB32)
            stand_in.fill(0xFF000000 + self.number)
            self.inlays.append((stand_in, image))
            size = image.deviceIndependentSize()
            painter.drawImage(QRectF(QPointF(self._left, self._top), size), stand_in)
        else:
            painter.drawImage(QPointF(self._left, self._top), image)
        self._paint_marks(painter, pointing)
        self._paint_scale(painter)

    @override
    def spot_at(self, point: QPointF) -> Spot | None:
        column = math.floor((point.x() - self._left) / self._pitch_x)
        row = math.floor((point.y() - self._top) / self._pitch_y)
        if not (0 <= row < self._rows and 0 <= column < self._columns):
            return None
        return self._spot(row, column)

    @override
    def spot_of(self, key: str) -> Spot | None:
        row, column = _place(key)
        if not (0 <= row < self._rows and 0 <= column < self._columns):
            return None
        return self._spot(row, column)

    @override
    def walk(self, key: str, move: Move) -> str:
        row, column = _place(key)
        if not (0 <= row < self._rows and 0 <= column < self._columns):
            row = self._chart.marked_row or 0
            return f"{min(max(row, 0), self._rows - 1)}:0"
        down, right = {
            Move.BACK: (0, -1),
            Move.ON: (0, 1),
            Move.UP: (-1, 0),
            Move.DOWN: (1, 0),
            Move.FIRST: (0, -column),
            Move.LAST: (0, self._columns - 1 - column),
        }[move]
        row = min(max(row + down, 0), self._rows - 1)
        column = min(max(column + right, 0), self._columns - 1)
        if self._chart.causal:
            column = min(column, row)
        return f"{row}:{column}"

    def _spot(self, row: int, column: int) -> Spot:
        rect = QRectF(
            self._left + column * self._pitch_x,
            self._top + row * self._pitch_y,
            self._pitch_x,
            self._pitch_y,
        )
        key = f"{row}:{column}" if self._chart.clickable else ""
        return Spot(rect, self._tip(row, column), key)

    def _tip(self, row: int, column: int) -> str:
        value = float(self.cells[row, column])
        across = self._chart.column_labels or (self._chart.row_labels if self._square else ())
        names = [
            one_line(labels[place]) if place < len(labels) else str(place)
            for labels, place in ((self._chart.row_labels, row), (across, column))
        ]
        told = written(value)
        if math.isnan(value):
            told = QCoreApplication.translate("Charts", "empty")
        elif self._chart.value_name:
            told = f"{one_line(self._chart.value_name)} {told}"
        return f"{names[0]} → {names[1]}\n{told}"

    @property
    def _square(self) -> bool:
        return self._rows == self._columns

    @cached_property
    def _range(self) -> tuple[float, float]:
        """The values of the palest and the strongest colour."""
        return value_range(self._chart, self.cells)

    @cached_property
    def strongest(self) -> str:
        """What the strongest colour stands for: "≥ 0.17" where some values are beyond."""
        high = self._range[1]
        finite = self.cells[np.isfinite(self.cells)]
        beyond = bool(finite.size) and float(finite.max()) > high * (1 + _CRUMB)
        return f"≥ {written(high)}" if beyond else written(high)

    def _color(self, share: float) -> QColor:
        """The colour at a share of the range; from −1 where the map is diverging."""
        colors = self.ink.colors
        if share < 0:
            return blend(colors.fill, colors.cache_new, -share)
        return blend(colors.fill, colors.cache_pinned, share)

    def _image(self, ratio: float) -> QImage:
        """All cells in device pixels, kept for as long as this picture lives."""
        if ratio not in self._images:
            self._images.clear()
            self._images[ratio] = self._drawn(ratio)
        return self._images[ratio]

    def _drawn(self, ratio: float) -> QImage:
        wide, high = self._pitch_x * ratio, self._pitch_y * ratio
        size = (round(self._columns * wide), round(self._rows * high))
        cells = resized(self.cells, max(size[1], 1), max(size[0], 1))
        low, high_value = self._range
        diverging = self._chart.diverging
        lowest = -high_value if diverging else low
        table = [self._color(n / 255 * 2 - 1 if diverging else n / 255) for n in range(256)]
        image = image_of(painted(cells, lowest, high_value, table))
        if min(self._pitch_x, self._pitch_y) >= _TILE:
            cut_into_cells(image, wide, high, np.isnan(cells), self.ink.colors.hairline)
        image.setDevicePixelRatio(ratio)
        return image

    def _paint_row_labels(self, painter: QPainter, clip: QRectF) -> None:
        stride = max(round(round_step(_LABEL_STEP / self._pitch_y)), 1)
        painter.setFont(self.ink.tiny)
        marked = self._chart.marked_row
        for row in range(0, min(self._rows, len(self._chart.row_labels)), stride):
            y = self._top + row * self._pitch_y + self._pitch_y / 2
            near = marked is not None and row != marked and abs(row - marked) < stride
            if y < clip.top() - 20 or y > clip.bottom() + 20 or near or row == marked:
                continue
            self._paint_row_label(painter, row, y, self.ink.colors.faint)
        if marked is not None and 0 <= marked < min(self._rows, len(self._chart.row_labels)):
            strong = self.ink.head
            painter.setFont(strong)
            y = self._top + marked * self._pitch_y + self._pitch_y / 2
            self._paint_row_label(painter, marked, y, self.ink.colors.accent)

    def _paint_row_label(self, painter: QPainter, row: int, y: float, color: str) -> None:
        room = QRectF(0, y - 9, self._left - _SIDE, 18)
        text = self._chart.row_labels[row]
        draw_text(painter, room, text, color, Qt.AlignmentFlag.AlignRight)

    def _column_label_height(self) -> float:
        """Room for labels above: none where they would be unreadable or repeat the rows."""
        labels = self._chart.column_labels[: self._columns]
        if not labels or self._pitch_x < _LABEL_STEP:
            return 0.0
        width = widest(self.ink.tiny, list(labels))
        if width + 6 <= self._pitch_x:
            return 20.0
        return min(width, _TURNED) + 6

    def _paint_column_labels(self, painter: QPainter) -> None:
        height = self._column_label_height()
        if not height:
            return
        labels = self._chart.column_labels[: self._columns]
        flat = widest(self.ink.tiny, list(labels)) + 6 <= self._pitch_x
        painter.setFont(self.ink.tiny)
        color = self.ink.colors.faint
        for column, label in enumerate(labels):
            x = self._left + column * self._pitch_x
            if flat:
                room = QRectF(x, 0, self._pitch_x, 16)
                draw_text(painter, room, label, color, Qt.AlignmentFlag.AlignHCenter)
                continue
            painter.save()
            painter.translate(x + self._pitch_x / 2, height - 4)
            painter.rotate(-90)
            draw_text(painter, QRectF(0, -8, height - 4, 16), label, color)
            painter.restore()

    def _paint_strip(self, painter: QPainter) -> None:
        """The tones of the columns; runs of one tone are drawn at once."""
        tones = self._chart.column_tones[: self._columns]
        start = 0
        for column in range(1, len(tones) + 1):
            if column < len(tones) and tones[column] == tones[start]:
                continue
            left = self._left + start * self._pitch_x
            rect = QRectF(left, self._top - _STRIP - 3, (column - start) * self._pitch_x, _STRIP)
            rect.setWidth(max(rect.width() - (2 if self._pitch_x > 6 else 0), 0.5))
            self._paint_tone(painter, rect, tones[start])
            start = column

    def _paint_tone(self, painter: QPainter, rect: QRectF, tone: values.Tone) -> None:
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(self.ink.fill(tone))
        if tone == "evicted":
            painter.setPen(QPen(self.ink.outline, 1))
            rect = rect.adjusted(0.5, 0.5, -0.5, -0.5)
        painter.drawRoundedRect(rect, 2, 2)

    def _paint_marks(self, painter: QPainter, pointing: Pointing) -> None:
        """A line round the cell that is pointed at; rings round the current one."""
        if pointing.at is not None and (spot := self.spot_at(pointing.at)):
            painter.setPen(QPen(QColor(self.ink.colors.text), 1.25))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRoundedRect(spot.rect.adjusted(-0.5, -0.5, -0.5, -0.5), 3, 3)
        if pointing.current and (spot := self.spot_of(pointing.current)):
            self.paint_ring(painter, spot.rect.adjusted(-1, -1, 0, 0), 3)

    def _paint_scale(self, painter: QPainter) -> None:
        """What the colours mean, from the palest to the strongest."""
        low, high = self._range
        first = written(-high if self._chart.diverging else low)
        y = self._top + self._rows * self._pitch_y + 10
        painter.setFont(self.ink.tiny)
        faint = self.ink.colors.faint
        x = self._left
        x += draw_text(painter, QRectF(x, y, 80, 16), first, faint) + 8
        ramp = QLinearGradient(QPointF(x, 0), QPointF(x + 96, 0))
        for stop in range(9):
            share = stop / 8
            ramp.setColorAt(share, self._color(share * 2 - 1 if self._chart.diverging else share))
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QBrush(ramp))
        painter.drawRoundedRect(QRectF(x, y + 4, 96, 8), 2, 2)
        after = f"{self.strongest}  {one_line(self._chart.value_name)}".rstrip()
        width = text_width(self.ink.tiny, after) + 2
        draw_text(painter, QRectF(x + 104, y, width, 16), after, faint)


def matrix(chart: values.HeatMap) -> NDArray[np.float32]:
    """The values of a map as rows × columns, NaN where a cell is empty or missing."""
    rows, columns = max(chart.rows, 0), max(chart.columns, 0)
    given = chart.values
    if isinstance(given, bytes):
        flat = np.frombuffer(given[: len(given) // 4 * 4], dtype=np.float32)
    else:
        with np.errstate(over="ignore"):
            flat = np.asarray(given, dtype=np.float64).astype(np.float32)
    cells = np.full(rows * columns, np.nan, dtype=np.float32)
    held = min(flat.size, cells.size)
    cells[:held] = flat[:held]
    cells = cells.reshape(rows, columns)
    if chart.causal:
        cells[np.triu(np.ones((rows, columns), dtype=bool), k=1)] = np.nan
    return cells


def value_range(chart: values.HeatMap, cells: NDArray[np.float32]) -> tuple[float, float]:
    """The values of the palest and the strongest colour, always finite and apart."""
    finite = cells[np.isfinite(cells)]
    if chart.diverging:
        low = 0.0
        largest = float(np.abs(finite).max()) if finite.size else 1.0
    else:
        low = chart.low if math.isfinite(chart.low) else 0.0
        largest = float(finite.max()) if finite.size else 1.0
    high = chart.high if chart.high is not None and math.isfinite(chart.high) else largest
    return low, high if high > low else low + 1.0


def _whole(pitch: float) -> float:
    """A whole number of pixels, even where that costs little: it is whole at 1.5 pixels too."""
    return float(math.floor(pitch / 2) * 2 if pitch >= _EVEN else math.floor(pitch))


def _place(key: str) -> tuple[int, int]:
    """Row and column of a key; −1 where it is none."""
    row, _colon, column = key.partition(":")
    return (int(row), int(column)) if row.isdecimal() and column.isdecimal() else (-1, -1)
