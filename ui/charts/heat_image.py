"""Many numbers as one image, without a loop over them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QBrush, QColor, QImage, QPainter, QPen, QTransform

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray


def resized(cells: NDArray[np.float32], height: int, width: int) -> NDArray[np.float32]:
    """The cells stretched or, by the largest of each stretch, shrunk to a size in pixels."""
    for axis, size in ((0, height), (1, width)):
        count = cells.shape[axis]
        starts = np.arange(size) * count // size
        shrunk = np.take(cells, starts, axis=axis)
        ends = np.append(starts[1:], count) - 1
        # One step for each place in a stretch: several times faster than `reduceat`.
        for step in range(1, -(-count // size)):
            others = np.take(cells, np.minimum(starts + step, np.maximum(ends, starts)), axis=axis)
            np.fmax(shrunk, others, out=shrunk)
        cells = shrunk
    return cells


def painted(
    cells: NDArray[np.float32], low: float, high: float, table: Sequence[QColor]
) -> NDArray[np.uint32]:
    """Colours of values, as 0xAARRGGBB; NaN is transparent.

    Args:
        cells: Any numbers; those beyond the range take the colour of its end.
        low: The value of the first colour.
        high: The value of the last; larger than `low`.
        table: 256 colours.
    """
    with np.errstate(all="ignore"):
        shares = np.clip((cells - low) / (high - low), 0, 1)
        empty = np.isnan(shares)
        places = np.where(empty, 0, shares * 255 + 0.5).astype(np.uint8)
    pixels = np.array([color.rgba() for color in table], dtype=np.uint32)[places]
    pixels[empty] = 0
    return pixels


def cut_into_cells(
    image: QImage, wide: float, high: float, empty: NDArray[np.bool_], outline: str
) -> None:
    """Cut an image into cells with round corners, and outline the empty ones.

    Args:
        image: Is changed.
        wide: The width of a cell in pixels.
        high: The height of a cell in pixels.
        empty: Which pixels are of empty cells.
        outline: Their colour, as #rrggbb.
    """
    cut = QPainter(image)
    cut.setCompositionMode(QPainter.CompositionMode.CompositionMode_DestinationIn)
    cut.fillRect(image.rect(), _tiles(wide, high, QColor("black"), outlined=False))
    if empty.any():
        outlines = QImage(image.size(), QImage.Format.Format_ARGB32_Premultiplied)
        outlines.fill(Qt.GlobalColor.transparent)
        line = QPainter(outlines)
        line.fillRect(outlines.rect(), _tiles(wide, high, QColor(outline), outlined=True))
        line.setCompositionMode(QPainter.CompositionMode.CompositionMode_DestinationIn)
        line.drawImage(0, 0, image_of(np.where(empty, np.uint32(0xFF000000), np.uint32(0))))
        line.end()
        cut.setCompositionMode(QPainter.CompositionMode.CompositionMode_SourceOver)
        cut.drawImage(0, 0, outlines)
    cut.end()


def image_of(pixels: NDArray[np.uint32]) -> QImage:
    """Pixels as 0xAARRGGBB as an image of its own."""
    height, width = pixels.shape
    pixels = np.ascontiguousarray(pixels)
    image = QImage(pixels.data, width, height, width * 4, QImage.Format.Format_ARGB32)
    return image.convertToFormat(QImage.Format.Format_ARGB32_Premultiplied)


def _tiles(wide: float, high: float, color: QColor, *, outlined: bool) -> QBrush:
    """A brush that repeats one cell with round corners."""
    width, height = max(round(wide), 1), max(round(high), 1)
    tile = QImage(width, height, QImage.Format.Format_ARGB32_Premultiplied)
    tile.fill(Qt.GlobalColor.transparent)
    gap = max(round(min(width, height) * 0.07), 1)
    painter = QPainter(tile)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    rect = QRectF(0, 0, width - gap, height - gap)
    radius = min(rect.width(), rect.height()) * 0.1
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(color)
    if outlined:
        line = max(gap / 2, 1.0)
        painter.setPen(QPen(color, line))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        rect = rect.adjusted(line / 2, line / 2, -line / 2, -line / 2)
    painter.drawRoundedRect(rect, radius, radius)
    painter.end()
    brush = QBrush(tile)
    brush.setTransform(QTransform.fromScale(wide / width, high / height))
    return brush
