"""A small plot of one figure over time: bounded, cheap, painted by hand."""

from __future__ import annotations

import itertools
from collections import deque
from typing import TYPE_CHECKING

from PySide6.QtCore import QLineF, QPointF, QSize, Qt
from PySide6.QtGui import QColor, QPainter, QPen, QPolygonF
from PySide6.QtWidgets import QSizePolicy, QWidget
from typing_extensions import override

from ui.inspector.meters import tone_color

if TYPE_CHECKING:
    from collections.abc import Callable

    from PySide6.QtGui import QPaintEvent

    from ui.inspector.meters import Tone
    from ui.theme import Theme

CAPACITY = 300
"""How many values are kept; the oldest one goes when another comes."""

_STEPS = (1.0, 1.5, 2.0, 3.0, 4.0, 6.0, 8.0, 10.0)


class Sparkline(QWidget):
    """A line with a faint ground, from the oldest value at the left to the latest."""

    def __init__(self, theme: Theme, name: str, tone: Tone, write: Callable[[float], str]) -> None:
        super().__init__()
        self._theme = theme
        self._tone: Tone = tone
        self._write = write
        self._values: deque[float] = deque(maxlen=CAPACITY)
        self.setFixedHeight(44)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setAccessibleName(name)
        theme.changed.connect(self.update)

    @property
    def values(self) -> tuple[float, ...]:
        """What is plotted, oldest first."""
        return tuple(self._values)

    def add(self, value: float) -> None:
        """Plot one more value, not negative."""
        self._values.append(max(value, 0.0))
        self.setAccessibleDescription(
            self.tr("{latest} now, at most {highest}").format(
                latest=self._write(value), highest=self._write(max(self._values))
            )
        )
        self.update()

    def clear(self) -> None:
        """Forget all values."""
        self._values.clear()
        self.setAccessibleDescription("")
        self.update()

    @override
    def sizeHint(self) -> QSize:
        return QSize(160, 44)

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        base = self.height() - 0.5
        painter.setPen(QPen(QColor(self._theme.colors.hairline), 1))
        painter.drawLine(QLineF(0, base, self.width(), base))
        if len(self._values) < 2:
            return
        points = self._points()
        color = tone_color(self._theme, self._tone)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        ground = QColor(color)
        ground.setAlphaF(0.14)
        corners = [QPointF(points[-1].x(), base), QPointF(points[0].x(), base)]
        painter.setPen(Qt.PenStyle.NoPen)  # an outline would cost more than all the rest
        painter.setBrush(ground)
        # Half of the points are enough for the ground, and segments cost a tenth of a polyline.
        outline = [*points[:-1:2], points[-1]]
        painter.drawPolygon(QPolygonF([*outline, *corners]))
        pen = QPen(color, 1.5)
        pen.setCapStyle(Qt.PenCapStyle.RoundCap)
        painter.setPen(pen)
        painter.drawLines([QLineF(start, end) for start, end in itertools.pairwise(points)])

    def _points(self) -> list[QPointF]:
        """The values in pixels; the width stands for the capacity once half of it is used."""
        top, height = 2.0, self.height() - 3.0
        scale = ceiling(max(self._values))
        span = max(len(self._values) - 1, CAPACITY // 5)
        step = self.width() / span
        return [
            QPointF(number * step, top + height * (1 - value / scale))
            for number, value in enumerate(self._values)
        ]


def ceiling(highest: float) -> float:
    """A round number at or above the highest value, so that the scale seldom changes."""
    if highest <= 0:
        return 1.0
    power = 1.0
    while power * 10 <= highest:
        power *= 10
    while power > highest:
        power /= 10
    return next(step * power for step in _STEPS if step * power >= highest * (1 - 1e-9))
