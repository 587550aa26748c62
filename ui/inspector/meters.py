"""Bars, rows of figures and keys: painted, of fixed size, so that an update costs a repaint."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFont, QFontMetrics, QPainter, QPainterPath
from PySide6.QtWidgets import QSizePolicy, QWidget
from typing_extensions import override

from ui import theme as look
from ui.figures import percent

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtGui import QPaintEvent

    from ui.theme import Theme

Tone = Literal["cache_pinned", "cache_held", "cache_new", "dim", "hairline", "accent"]


@dataclass(frozen=True)
class Part:
    """A part of a stacked bar.

    Attributes:
        name: For the key; "" leaves it out.
        figure: The amount in words, as in "538 MiB".
        fraction: Of the whole bar, 0 to 1.
        tone: The colour's name in the palette.
    """

    name: str
    figure: str
    fraction: float
    tone: Tone


class Meter(QWidget):
    """A thin bar that fills from the left; without a fraction there is none."""

    def __init__(self, theme: Theme, name: str, tone: Tone = "accent") -> None:
        super().__init__()
        self._theme = theme
        self._tone: Tone = tone
        self._fraction: float | None = None
        self.setFixedHeight(4)
        self.setAccessibleName(name)
        theme.changed.connect(self.update)

    @property
    def fraction(self) -> float | None:
        """How full it is, 0 to 1."""
        return self._fraction

    def set_fraction(self, fraction: float | None) -> None:
        """Fill the bar to a fraction, 0 to 1; None where it is unknown."""
        bounded = None if fraction is None else min(max(fraction, 0.0), 1.0)
        if bounded != self._fraction:
            self._fraction = bounded
            self.setAccessibleDescription("" if bounded is None else percent(bounded))
            self.update()

    @override
    def sizeHint(self) -> QSize:
        return QSize(120, 4)

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        if self._fraction is not None:
            _paint_bar(self, self._theme, [(self._fraction, self._tone)])


class StackedBar(QWidget):
    """Several parts of one whole, side by side."""

    def __init__(self, theme: Theme, name: str) -> None:
        super().__init__()
        self._theme = theme
        self._parts: tuple[Part, ...] = ()
        self.setFixedHeight(8)
        self.setAccessibleName(name)
        theme.changed.connect(self.update)

    def set_parts(self, parts: Sequence[Part]) -> None:
        """Show other parts, from the left."""
        if tuple(parts) != self._parts:
            self._parts = tuple(parts)
            named = [f"{part.name} {part.figure}" for part in parts if part.name]
            self.setAccessibleDescription(", ".join(named))
            self.update()

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        _paint_bar(self, self._theme, [(part.fraction, part.tone) for part in self._parts])


def _paint_bar(widget: QWidget, theme: Theme, parts: Sequence[tuple[float, Tone]]) -> None:
    """A rounded track with parts laid into it from the left."""
    painter = QPainter(widget)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    rect = QRectF(widget.rect())
    track = QPainterPath()
    track.addRoundedRect(rect, rect.height() / 2, rect.height() / 2)
    painter.setClipPath(track)
    painter.fillRect(rect, QColor(theme.colors.hairline))
    left = 0.0
    for fraction, tone in parts:
        width = max(fraction, 0.0) * rect.width()
        painter.fillRect(QRectF(left, 0, width, rect.height()), tone_color(theme, tone))
        left += width


class Figure(QWidget):
    """A row: what it is at the left, its figure at the right, and its colour in the bar above."""

    def __init__(self, theme: Theme, name: str, tone: Tone | None = None) -> None:
        super().__init__()
        self._theme = theme
        self._tone: Tone | None = tone
        self._name = name
        self._value = ""
        self.setFont(theme.font(look.TEXT - 1))
        self._value_font = theme.font(look.TEXT - 1, QFont.Weight.Medium)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setAccessibleName(name)
        theme.changed.connect(self.update)

    @property
    def name(self) -> str:
        """What the figure is."""
        return self._name

    @property
    def value(self) -> str:
        """The figure as it is shown."""
        return self._value

    def set_value(self, value: str) -> None:
        """Show another figure."""
        if value != self._value:
            self._value = value
            self.setAccessibleName(f"{self._name}: {value}")
            self.update()

    @override
    def sizeHint(self) -> QSize:
        return QSize(160, 22)

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        colors = self._theme.colors
        painter = QPainter(self)
        rect = self.rect()
        middle = Qt.AlignmentFlag.AlignVCenter
        if self._tone:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(tone_color(self._theme, self._tone))
            painter.drawRoundedRect(QRectF(0, (self.height() - 9) / 2, 9, 9), 2, 2)
            rect = rect.adjusted(17, 0, 0, 0)
        painter.setPen(QColor(colors.dim))
        painter.drawText(rect, middle | Qt.AlignmentFlag.AlignLeft, self._name)
        painter.setFont(self._value_font)
        painter.setPen(QColor(colors.text))
        side = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight
        painter.drawText(rect, side, self._value)


class Heading(Figure):
    """The head of a section, with a small note at the right."""

    def __init__(self, theme: Theme, name: str) -> None:
        super().__init__(theme, name)
        self._head_font = theme.font(look.HEAD, QFont.Weight.DemiBold)
        self._note_font = theme.font(look.HEAD)

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setPen(QColor(self._theme.colors.faint))
        painter.setFont(self._head_font)
        middle = Qt.AlignmentFlag.AlignVCenter
        painter.drawText(self.rect(), middle | Qt.AlignmentFlag.AlignLeft, self._name)
        painter.setFont(self._note_font)
        painter.drawText(self.rect(), middle | Qt.AlignmentFlag.AlignRight, self._value)


class BigNumber(QWidget):
    """One large figure and its unit."""

    def __init__(self, theme: Theme, name: str, unit: str) -> None:
        super().__init__()
        self._theme = theme
        self._name = name
        self._unit = unit
        self._value = ""
        self.setFont(theme.font(look.NUMBER, QFont.Weight.DemiBold))
        self._unit_font = theme.font(look.TEXT - 1)
        self.setFixedHeight(40)
        theme.changed.connect(self.update)

    @property
    def value(self) -> str:
        """The figure as it is shown."""
        return self._value

    def set_value(self, value: str) -> None:
        """Show another figure."""
        if value != self._value:
            self._value = value
            self.setAccessibleName(f"{self._name}: {value} {self._unit}")
            self.update()

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        colors = self._theme.colors
        painter = QPainter(self)
        metrics = QFontMetrics(self.font())
        base = (self.height() + metrics.capHeight()) // 2
        painter.setPen(QColor(colors.text))
        painter.drawText(0, base, self._value)
        painter.setFont(self._unit_font)
        painter.setPen(QColor(colors.dim))
        painter.drawText(metrics.horizontalAdvance(self._value) + 8, base, self._unit)


def tone_color(theme: Theme, tone: Tone) -> QColor:
    """The colour of a tone in the appearance that is in force."""
    colors = theme.colors
    return QColor(
        {
            "cache_pinned": colors.cache_pinned,
            "cache_held": colors.cache_held,
            "cache_new": colors.cache_new,
            "dim": colors.dim,
            "hairline": colors.hairline,
            "accent": colors.accent,
        }[tone]
    )
