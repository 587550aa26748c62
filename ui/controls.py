"""Painted controls used all over the window: quiet buttons, the round button, grounds."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from PySide6.QtCore import QEvent, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QFont, QFontMetrics, QKeyEvent, QPainter, QPen
from PySide6.QtWidgets import QAbstractButton, QLabel, QLineEdit, QSizePolicy, QWidget
from typing_extensions import override

from ui import theme as look
from ui.icons import Icon, paint_icon

if TYPE_CHECKING:
    from PySide6.QtGui import (
        QEnterEvent,
        QFocusEvent,
        QInputMethodEvent,
        QPaintEvent,
        QResizeEvent,
    )

    from ui.theme import Theme

BY_KEYBOARD = (
    Qt.FocusReason.TabFocusReason,
    Qt.FocusReason.BacktabFocusReason,
    Qt.FocusReason.ShortcutFocusReason,
)
"""How the keyboard leads to a widget; only then a ring is drawn."""
Ground = Literal["page", "sidebar", "panel"]
_DISABLED = 0.45


def color_words(label: QLabel, color: str) -> None:
    """Write a label in another colour, as #rrggbb."""
    palette = label.palette()
    palette.setColor(palette.ColorRole.WindowText, QColor(color))
    label.setPalette(palette)


class Surface(QWidget):
    """A plain ground in one of the three surface colours, with an optional hairline below."""

    def __init__(self, theme: Theme, ground: Ground, *, underline: bool = False) -> None:
        super().__init__()
        self._theme = theme
        self._ground: Ground = ground
        self._underline = underline
        theme.changed.connect(self.update)

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        colors = self._theme.colors
        grounds = {"page": colors.page, "sidebar": colors.sidebar, "panel": colors.panel}
        painter = QPainter(self)
        painter.fillRect(event.rect(), QColor(grounds[self._ground]))
        if self._underline:
            painter.fillRect(0, self.height() - 1, self.width(), 1, QColor(colors.hairline))


class ElidedLabel(QLabel):
    """A line that gives way: it is elided instead of widening the window."""

    def __init__(self, font: QFont, parent: QWidget | None = None) -> None:
        super().__init__("", parent)
        self._whole = ""
        self._shortest = 0
        self._between = ""
        self.setFont(font)
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)

    @property
    def whole(self) -> str:
        """The line in full."""
        return self._whole

    def set_whole(self, text: str) -> None:
        """Show a line, as much of it as there is room for."""
        self._whole = text
        self.setAccessibleName(text)
        self._elide()

    def set_shortest(self, width: int) -> None:
        """Show nothing where a line that does not fit has less room, in pixels."""
        self._shortest = width
        self._elide()

    def set_between(self, between: str) -> None:
        """Give way part by part from the end: this stands between the parts of a line."""
        self._between = between

    def set_color(self, color: str) -> None:
        """Write in another colour, as #rrggbb."""
        color_words(self, color)

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._elide()

    def _elide(self) -> None:
        line = self._whole[:400].replace("\n", " ")
        room = self.contentsRect().width()
        metrics, kept = self.fontMetrics(), line
        while self._between and self._between in kept and metrics.horizontalAdvance(kept) > room:
            kept = kept.rpartition(self._between)[0]
        shown = metrics.elidedText(kept, Qt.TextElideMode.ElideRight, room)
        if shown != line and room < self._shortest:
            shown = ""
        if shown != self.text():
            self.setText(shown)
        self.setToolTip(self._whole[:400] if shown not in ("", line) else "")


class Pressable(QAbstractButton):
    """What the painted buttons share: hover, and a ring only when the keyboard led here."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._ring = False
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        theme.changed.connect(self.update)

    @property
    def hovered(self) -> bool:
        """Whether the pointer is over the button."""
        return self.underMouse() and self.isEnabled()

    @override
    def focusInEvent(self, event: QFocusEvent) -> None:
        self._ring = event.reason() in BY_KEYBOARD
        super().focusInEvent(event)

    @override
    def focusOutEvent(self, event: QFocusEvent) -> None:
        self._ring = False
        super().focusOutEvent(event)

    def paint_ring(self, painter: QPainter, radius: float) -> None:
        """Draw the focus ring, when there is to be one."""
        if not self._ring:
            return
        painter.setPen(QPen(QColor(self._theme.colors.accent), 2))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawRoundedRect(QRectF(self.rect()).adjusted(1, 1, -1, -1), radius, radius)


class QuietButton(Pressable):
    """Text, an icon or both, on no ground until the pointer comes."""

    def __init__(
        self,
        theme: Theme,
        text: str = "",
        icon: Icon | None = None,
        *,
        size: float = look.TEXT,
        strong: bool = False,
    ) -> None:
        super().__init__(theme)
        self._icon = icon
        self._strong = strong
        self._inset = 8 if text else 0
        self.setFont(theme.font(size, QFont.Weight.Medium if strong else QFont.Weight.Normal))
        self.setText(text)
        self.setCursor(Qt.CursorShape.ArrowCursor)

    def set_label(self, text: str) -> None:
        """Show another word."""
        self._inset = 8 if text else 0
        self.setText(text)
        self.updateGeometry()

    @override
    def sizeHint(self) -> QSize:
        metrics = QFontMetrics(self.font())
        if not self.text():
            return QSize(32, 32)
        icon = 22 if self._icon else 0
        width = metrics.horizontalAdvance(self.text()) + icon + 2 * self._inset + 4
        return QSize(width, metrics.height() + 10)

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        colors = self._theme.colors
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if not self.isEnabled():
            painter.setOpacity(_DISABLED)
        if self.hovered or self.isDown() or self.isChecked():
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(QColor(colors.fill))
            painter.drawRoundedRect(self.rect(), look.ROW_RADIUS, look.ROW_RADIUS)
        color = colors.text if self._strong or self.hovered else colors.dim
        if not self.text() and self._icon:
            square = QRectF((self.width() - 16) / 2, (self.height() - 16) / 2, 16, 16)
            paint_icon(painter, self._icon, square, color)
        else:
            self._paint_text(painter, color)
        self.paint_ring(painter, look.ROW_RADIUS)

    def _paint_text(self, painter: QPainter, color: str) -> None:
        rect = self.rect().adjusted(self._inset, 0, -self._inset, 0)
        if self._icon:
            square = QRectF(rect.x(), (self.height() - 13) / 2, 13, 13)
            paint_icon(painter, self._icon, square, color)
            rect.setLeft(rect.left() + 22)
        painter.setPen(QColor(color))
        elided = painter.fontMetrics().elidedText(
            self.text(), Qt.TextElideMode.ElideRight, rect.width()
        )
        painter.drawText(rect, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft, elided)


class RoundButton(Pressable):
    """A disc with an icon: the main action in the accent, others on the page with a hairline."""

    def __init__(
        self, theme: Theme, icon: Icon, diameter: int, parent: QWidget, *, main: bool
    ) -> None:
        super().__init__(theme, parent)
        self._icon = icon
        self._main = main
        self.setFixedSize(diameter, diameter)

    def set_icon(self, icon: Icon) -> None:
        """Show another icon."""
        self._icon = icon
        self.update()

    @override
    def changeEvent(self, event: QEvent) -> None:
        if event.type() == QEvent.Type.EnabledChange:
            self.update()
        super().changeEvent(event)

    @override
    def enterEvent(self, event: QEnterEvent) -> None:
        self.update()
        super().enterEvent(event)

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        colors = self._theme.colors
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        ground, mark = colors.page, colors.dim
        painter.setPen(QPen(QColor(colors.hairline), 1))
        if self._main:
            painter.setPen(Qt.PenStyle.NoPen)
            ground, mark = colors.accent, colors.on_accent
            if not self.isEnabled():
                ground, mark = colors.fill, colors.faint
        fill = QColor(ground)
        if self.isDown():
            fill = fill.darker(112)
        elif self.hovered and self._main:
            fill = fill.lighter(108)
        elif self.hovered:
            fill, mark = QColor(colors.fill), colors.text
        painter.setBrush(fill)
        painter.drawEllipse(QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5))
        side = 14.0
        square = QRectF((self.width() - side) / 2, (self.height() - side) / 2, side, side)
        paint_icon(painter, self._icon, square, mark)
        if self._ring:
            painter.setPen(QPen(QColor(colors.text), 2))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawEllipse(QRectF(self.rect()).adjusted(1, 1, -1, -1))


class QuietField(QLineEdit):
    """A line to type in on a soft ground; it leaves stepping, Return and Esc to its owner.

    While an input method composes, these keys are the input method's.
    """

    stepped = Signal(int)
    """Down is 1, Up is -1."""
    entered = Signal(bool)
    """Return; True with Shift."""
    escaped = Signal()

    def __init__(self, theme: Theme, parent: QWidget, *, ground: bool = True) -> None:
        super().__init__(parent)
        self._theme = theme
        self._grounded = ground
        self._composing = False
        self.setObjectName("quiet")  # the style sheet takes frame and ground away
        self.setFrame(False)
        theme.changed.connect(self.update)

    @override
    def event(self, event: QEvent) -> bool:
        escape = isinstance(event, QKeyEvent) and event.key() == Qt.Key.Key_Escape
        if escape and event.type() == QEvent.Type.ShortcutOverride:
            event.accept()  # otherwise it would stop the reply
            return True
        return super().event(event)

    @override
    def inputMethodEvent(self, event: QInputMethodEvent) -> None:
        super().inputMethodEvent(event)
        self._composing = bool(event.preeditString())

    @override
    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self._composing = False

    @override
    def keyPressEvent(self, event: QKeyEvent) -> None:
        key = event.key()
        if self._composing:
            super().keyPressEvent(event)
        elif key == Qt.Key.Key_Escape:
            self.escaped.emit()
        elif key in {Qt.Key.Key_Return, Qt.Key.Key_Enter}:
            self.entered.emit(bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier))
        elif key in {Qt.Key.Key_Down, Qt.Key.Key_Up}:
            self.stepped.emit(1 if key == Qt.Key.Key_Down else -1)
        else:
            super().keyPressEvent(event)

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        if self._grounded:
            painter = QPainter(self)
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(QColor(self._theme.colors.fill))
            painter.drawRoundedRect(self.rect(), look.BUTTON_RADIUS, look.BUTTON_RADIUS)
            painter.end()
        super().paintEvent(event)
