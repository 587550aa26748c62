"""The few icons of the window, drawn as strokes so that they follow colour and scale."""

from __future__ import annotations

from enum import Enum, auto
from typing import TYPE_CHECKING

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPen

if TYPE_CHECKING:
    from collections.abc import Callable


class Icon(Enum):
    """What an icon shows."""

    PLUS = auto()
    ARROW_UP = auto()
    ARROW_DOWN = auto()
    STOP = auto()
    CLOSE = auto()
    CHEVRON = auto()
    CHEVRON_UP = auto()
    SIDEBAR = auto()
    INSPECTOR = auto()
    PAGE = auto()


def paint_icon(painter: QPainter, icon: Icon, rect: QRectF, color: str) -> None:
    """Draw an icon.

    Args:
        painter: Where to; its state is kept.
        icon: Which one.
        rect: The square to fill, in the painter's coordinates.
        color: As #rrggbb.
    """
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    pen = QPen(QColor(color), 1.5)
    pen.setCapStyle(Qt.PenCapStyle.RoundCap)
    pen.setJoinStyle(Qt.PenJoinStyle.RoundJoin)
    painter.setPen(pen)
    _DRAWINGS[icon](painter, rect)
    painter.restore()


def _line(painter: QPainter, rect: QRectF, *points: tuple[float, float]) -> None:
    """A stroke through points given as fractions of the rectangle."""
    painter.drawPolyline(
        [QPointF(rect.x() + x * rect.width(), rect.y() + y * rect.height()) for x, y in points]
    )


def _plus(painter: QPainter, rect: QRectF) -> None:
    _line(painter, rect, (0.5, 0.14), (0.5, 0.86))
    _line(painter, rect, (0.14, 0.5), (0.86, 0.5))


def _arrow_up(painter: QPainter, rect: QRectF) -> None:
    _line(painter, rect, (0.5, 0.88), (0.5, 0.14))
    _line(painter, rect, (0.2, 0.44), (0.5, 0.14), (0.8, 0.44))


def _arrow_down(painter: QPainter, rect: QRectF) -> None:
    _line(painter, rect, (0.5, 0.12), (0.5, 0.86))
    _line(painter, rect, (0.2, 0.56), (0.5, 0.86), (0.8, 0.56))


def _stop(painter: QPainter, rect: QRectF) -> None:
    painter.setBrush(painter.pen().color())
    painter.setPen(Qt.PenStyle.NoPen)
    inset = rect.width() * 0.14
    painter.drawRoundedRect(rect.adjusted(inset, inset, -inset, -inset), 2, 2)


def _close(painter: QPainter, rect: QRectF) -> None:
    _line(painter, rect, (0.2, 0.2), (0.8, 0.8))
    _line(painter, rect, (0.8, 0.2), (0.2, 0.8))


def _chevron(painter: QPainter, rect: QRectF) -> None:
    _line(painter, rect, (0.15, 0.34), (0.5, 0.68), (0.85, 0.34))


def _chevron_up(painter: QPainter, rect: QRectF) -> None:
    _line(painter, rect, (0.15, 0.66), (0.5, 0.32), (0.85, 0.66))


def _pane(painter: QPainter, rect: QRectF, divider: float) -> None:
    frame = rect.adjusted(0.5, 2.0, -0.5, -2.0)
    painter.drawRoundedRect(frame, 2.5, 2.5)
    x = frame.x() + frame.width() * divider
    painter.drawLine(QPointF(x, frame.top()), QPointF(x, frame.bottom()))


def _sidebar(painter: QPainter, rect: QRectF) -> None:
    _pane(painter, rect, 0.34)


def _inspector(painter: QPainter, rect: QRectF) -> None:
    _pane(painter, rect, 0.66)


def _page(painter: QPainter, rect: QRectF) -> None:
    """A sheet with a folded corner."""
    _line(painter, rect, (0.62, 0.04), (0.14, 0.04), (0.14, 0.96), (0.86, 0.96), (0.86, 0.28))
    _line(painter, rect, (0.86, 0.28), (0.62, 0.04), (0.62, 0.28), (0.86, 0.28))


_DRAWINGS: dict[Icon, Callable[[QPainter, QRectF], None]] = {
    Icon.PLUS: _plus,
    Icon.ARROW_UP: _arrow_up,
    Icon.ARROW_DOWN: _arrow_down,
    Icon.STOP: _stop,
    Icon.CLOSE: _close,
    Icon.CHEVRON: _chevron,
    Icon.CHEVRON_UP: _chevron_up,
    Icon.SIDEBAR: _sidebar,
    Icon.INSPECTOR: _inspector,
    Icon.PAGE: _page,
}
