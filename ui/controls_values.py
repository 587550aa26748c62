"""Numbers that are chosen by hand: a slider with its name and figure, and a small stepper."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from PySide6.QtCore import QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QFont, QFontMetrics, QPainter, QPen
from PySide6.QtWidgets import QAbstractSlider, QSizePolicy
from typing_extensions import override

from ui import figures
from ui import theme as look
from ui.controls import BY_KEYBOARD
from ui.icons import Icon, paint_icon

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from PySide6.QtGui import QFocusEvent, QMouseEvent, QPaintEvent, QWheelEvent

    from ui.theme import Theme

_TRACK = 8
_LINE = 22
_KNOB = 14
_PAGES = 10
_ARROW = 26


def stepped(low: float, high: float, step: float) -> tuple[float, ...]:
    """The numbers from `low` to `high` in even steps, without the crumbs of adding floats."""
    count = max(round((high - low) / step), 0)
    digits = max(0, 2 - math.floor(math.log10(step)))
    return tuple(round(low + number * step, digits) for number in range(count + 1))


class _Chosen(QAbstractSlider):
    """One of several numbers; its place among them is what Qt and assistive tools see."""

    changed = Signal(float)
    """The number, when the user or the program has chosen another."""
    _widening: QSizePolicy.Policy
    """Whether it takes more room than it needs."""

    def __init__(
        self,
        theme: Theme,
        name: str,
        values: Sequence[float],
        write: Callable[[float], str] = figures.plain,
    ) -> None:
        """Make the control.

        Args:
            theme: Colours and fonts.
            name: What is chosen.
            values: The numbers to choose from, smallest first, as from `stepped`.
            write: How a number is shown.
        """
        if not values:
            raise ValueError("there must be a number to choose")
        super().__init__()
        self._theme = theme
        self._values = tuple(values)
        self._write = write
        self._ring = False
        self._name_font = theme.font(look.TEXT - 1)
        self._figure_font = theme.font(look.TEXT - 1, QFont.Weight.Medium)
        self.setOrientation(Qt.Orientation.Horizontal)
        self.setSizePolicy(self._widening, QSizePolicy.Policy.Fixed)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)
        self.setAccessibleName(name)
        self.set_values(values)
        self.valueChanged.connect(self._on_value_changed)
        theme.changed.connect(self.update)

    @property
    def number(self) -> float:
        """The number that is chosen."""
        return self._values[self.value()]

    @property
    def text(self) -> str:
        """The number as it is shown."""
        return self._write(self.number)

    def set_number(self, number: float) -> None:
        """Choose the nearest of the numbers."""
        nearest = min(range(len(self._values)), key=lambda n: abs(self._values[n] - number))
        self.setValue(nearest)

    def show_number(self, number: float) -> None:
        """Choose this very number; one that was not offered is from now on."""
        if number not in self._values:
            self.set_values(sorted((*self._values, number)))
        self.set_number(number)

    def set_values(self, values: Sequence[float]) -> None:
        """Offer other numbers, smallest first; the nearest to the chosen one stays chosen."""
        before = self._values[min(self.value(), len(self._values) - 1)]
        self._values = tuple(values)
        self.setRange(0, len(self._values) - 1)
        self.setSingleStep(1)
        self.setPageStep(max(len(self._values) // _PAGES, 1))
        self.set_number(before)
        self.setAccessibleDescription(self.text)
        self.updateGeometry()
        self.update()

    def _on_value_changed(self, _place: int) -> None:
        self.setAccessibleDescription(self.text)
        self.update()
        self.changed.emit(self.number)

    @override
    def focusInEvent(self, event: QFocusEvent) -> None:
        self._ring = event.reason() in BY_KEYBOARD
        super().focusInEvent(event)
        self.update()

    @override
    def focusOutEvent(self, event: QFocusEvent) -> None:
        self._ring = False
        super().focusOutEvent(event)
        self.update()

    @override
    def wheelEvent(self, event: QWheelEvent) -> None:
        if self.hasFocus():
            super().wheelEvent(event)
        else:
            event.ignore()  # the page is scrolled over it, and nothing is changed by that

    def _paint_name(self, painter: QPainter, room: QRect) -> None:
        painter.setFont(self._name_font)
        painter.setPen(QColor(self._theme.colors.dim))
        metrics = QFontMetrics(self._name_font)
        name = metrics.elidedText(
            self.accessibleName(), Qt.TextElideMode.ElideRight, room.width() + 1
        )
        painter.drawText(room, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft, name)

    def _paint_figure(self, painter: QPainter, room: QRect, across: Qt.AlignmentFlag) -> None:
        colors = self._theme.colors
        painter.setFont(self._figure_font)
        painter.setPen(QColor(colors.text if self.isEnabled() else colors.faint))
        painter.drawText(room, Qt.AlignmentFlag.AlignVCenter | across, self.text)

    def _widest_figure(self) -> int:
        """The room for the figure, so that nothing moves while it changes."""
        metrics = QFontMetrics(self._figure_font)
        ends = {0, len(self._values) - 1, len(self._values) // 2, self.value()}
        return max(metrics.horizontalAdvance(self._write(self._values[n])) for n in ends)


class LabelledSlider(_Chosen):
    """A name at the left, the figure at the right, and the track below both.

    The arrows step, Page Up and Page Down leap, Home and End go to the ends; a click anywhere on
    the track goes there. The track is filled from the lowest number, or from a 0 within.
    """

    _widening = QSizePolicy.Policy.Expanding

    @override
    def sizeHint(self) -> QSize:
        return QSize(220, _LINE + _KNOB + 4)

    @override
    def minimumSizeHint(self) -> QSize:
        return QSize(110, _LINE + _KNOB + 4)

    @override
    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() != Qt.MouseButton.LeftButton or event.position().y() < _LINE - 4:
            event.ignore()
            return
        self.setSliderDown(True)
        self._go_to(event.position().x())

    @override
    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if self.isSliderDown():
            self._go_to(event.position().x())

    @override
    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if self.isSliderDown():
            self.setSliderDown(False)
            self.update()

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        figure = min(self._widest_figure() + 4, self.width() // 2)
        self._paint_name(painter, QRect(0, 0, self.width() - figure - 8, _LINE - 2))
        right = QRect(self.width() - figure, 0, figure, _LINE - 2)
        self._paint_figure(painter, right, Qt.AlignmentFlag.AlignRight)
        self._paint_track(painter)

    def _paint_track(self, painter: QPainter) -> None:
        colors = self._theme.colors
        top = _LINE + (_KNOB - _TRACK) / 2
        track = QRectF(0, top, self.width(), _TRACK)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(colors.fill))
        painter.drawRoundedRect(track, _TRACK / 2, _TRACK / 2)
        end, zero = self._x(self.value()), self._zero()
        start = self._x(zero) if zero else 0.0
        painter.setBrush(QColor(colors.accent if self.isEnabled() else colors.hairline))
        if self.value() != zero:
            filled = QRectF(min(start, end), top, abs(end - start), _TRACK)
            painter.drawRoundedRect(filled, _TRACK / 2, _TRACK / 2)
        active = self._ring or self.isSliderDown() or self.underMouse()
        knob = QRectF(end - _KNOB / 2, _LINE, _KNOB, _KNOB).adjusted(1, 1, -1, -1)
        painter.setBrush(QColor(colors.page))
        painter.setPen(QPen(QColor(colors.accent if self.isEnabled() else colors.faint), 2))
        if active or self.value() == zero:
            painter.drawEllipse(knob)
        if self._ring:
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.setPen(QPen(QColor(colors.text), 1.5))
            painter.drawEllipse(knob.adjusted(-1, -1, 1, 1))

    def _zero(self) -> int:
        """The place of what nothing is: of 0 between numbers on both sides, else of the lowest."""
        return self._values.index(0) if self._values[0] < 0 and 0 in self._values else 0

    def _x(self, place: int) -> float:
        """The middle of the knob at one of the numbers, in pixels."""
        return _KNOB / 2 + place / max(self.maximum(), 1) * (self.width() - _KNOB)

    def _go_to(self, x: float) -> None:
        share = (x - _KNOB / 2) / max(self.width() - _KNOB, 1)
        self.setValue(round(share * self.maximum()))


class Stepper(_Chosen):
    """A name, and a figure between two small arrows: the layer, the head.

    The arrow keys step, as do clicks on the arrows.
    """

    _widening = QSizePolicy.Policy.Maximum

    @override
    def sizeHint(self) -> QSize:
        name = QFontMetrics(self._name_font).horizontalAdvance(self.accessibleName())
        return QSize(name + 10 + self._box_width(), 28)

    @override
    def minimumSizeHint(self) -> QSize:
        return QSize(self._box_width(), 28)

    @override
    def mousePressEvent(self, event: QMouseEvent) -> None:
        box = self._box()
        x = event.position().x() - box.x()
        if event.button() != Qt.MouseButton.LeftButton or x < 0:
            event.ignore()
        elif x < _ARROW:
            self.triggerAction(QAbstractSlider.SliderAction.SliderSingleStepSub)
        elif x >= box.width() - _ARROW:
            self.triggerAction(QAbstractSlider.SliderAction.SliderSingleStepAdd)

    @override
    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        self.update()

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        colors, box = self._theme.colors, self._box()
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        room = QRect(0, 0, max(box.x() - 10, 0), self.height())
        name = QFontMetrics(self._name_font).horizontalAdvance(self.accessibleName())
        if room.width() >= min(name, _ARROW):  # else there is room for no letter of it
            self._paint_name(painter, room)
        frame = QRectF(box).adjusted(0.5, 0.5, -0.5, -0.5)
        painter.setPen(QPen(QColor(colors.accent if self._ring else colors.hairline), 1))
        if self._ring:
            painter.setPen(QPen(QColor(colors.accent), 2))
            frame.adjust(0.5, 0.5, -0.5, -0.5)
        painter.drawRoundedRect(frame, look.ROW_RADIUS, look.ROW_RADIUS)
        self._paint_figure(painter, box, Qt.AlignmentFlag.AlignHCenter)
        self._paint_arrows(painter, box)

    def _paint_arrows(self, painter: QPainter, box: QRect) -> None:
        colors = self._theme.colors
        at_ends = (self.value() <= self.minimum(), self.value() >= self.maximum())
        for at_end, x, turn in (
            (at_ends[0], box.x() + _ARROW / 2, 90),
            (at_ends[1], box.right() + 1 - _ARROW / 2, -90),
        ):
            painter.save()
            painter.translate(x, self.height() / 2)
            painter.rotate(turn)
            dull = at_end or not self.isEnabled()
            color = colors.hairline if dull else colors.text
            paint_icon(painter, Icon.CHEVRON, QRectF(-5, -5, 10, 10), color)
            painter.restore()

    def _box(self) -> QRect:
        width = self._box_width()
        return QRect(max(self.width() - width, 0), 0, width, self.height())

    def _box_width(self) -> int:
        return self._widest_figure() + 12 + 2 * _ARROW
