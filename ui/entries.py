"""The controls of a form: a number, a switch, a choice, a line, several lines."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QRectF, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QColor, QKeyEvent, QPainter, QPen
from PySide6.QtWidgets import (
    QComboBox,
    QFrame,
    QHBoxLayout,
    QPlainTextEdit,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)
from typing_extensions import override

from ui import theme as look
from ui.controls import Pressable, QuietField
from ui.fields import ChoiceField, Field, FieldError, NumberField, TextField, Value
from ui.icons import Icon, paint_icon

if TYPE_CHECKING:
    from PySide6.QtGui import QPaintEvent, QWheelEvent

    from ui.theme import Theme

_NARROW = 132
_WIDE = 220
_HEIGHT = 30
_PAUSE_MS = 300
"""How long nothing is typed before several lines are handed out."""


class Entry(QWidget):
    """What a form asks of every control."""

    edited = Signal()
    """There is something new to be read with `value`."""
    wide = False

    def name(self, name: str, description: str) -> None:
        """Tell screen readers what the control is for."""
        control = self.focusProxy() or self
        control.setAccessibleName(name)
        control.setAccessibleDescription(description)

    def show_value(self, value: Value, field: Field) -> None:
        """Show a value, without telling of it."""
        raise NotImplementedError

    def value(self, field: Field, last: Value) -> Value:
        """What stands in the control.

        Args:
            field: What the control is for.
            last: The value that was last good.

        Raises:
            FieldError: It does not fit.
        """
        raise NotImplementedError

    def take_in(self) -> None:
        """Tell at once of what would be told a little later."""


class LineField(QuietField):
    """A line on a soft ground, with a ring while it is written in."""

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        if self.hasFocus():
            _ring(QPainter(self), self, self._theme)


class NumberEntry(Entry):
    """A line for a number, which the arrow keys step."""

    def __init__(self, theme: Theme, field: NumberField) -> None:
        super().__init__()
        self._field = field
        self._good: Value = field.usual
        self.line = LineField(theme, self)
        self.line.setFont(theme.font(look.TEXT - 1))
        self.line.setAlignment(Qt.AlignmentFlag.AlignRight)
        self.line.setPlaceholderText(field.empty)
        self.line.setTextMargins(8, 0, 8, 0)
        _fill(self, self.line, _NARROW, _HEIGHT)
        self.line.editingFinished.connect(self.edited)
        self.line.entered.connect(self._on_entered)
        self.line.stepped.connect(self._on_stepped)
        self.line.escaped.connect(self._on_escaped)

    @override
    def show_value(self, value: Value, field: Field) -> None:
        self._good = value
        self.line.setText(field.written(value))

    @override
    def value(self, field: Field, last: Value) -> Value:
        text = self.line.text()
        if text == field.written(last):  # what is shown is rounded, the value is not
            return last
        value = field.read(text)
        self._good = value
        self.line.setText(field.written(value))
        return value

    @override
    def take_in(self) -> None:
        self.edited.emit()

    def _on_entered(self, _shift: bool) -> None:  # noqa: FBT001 - a slot
        self.edited.emit()

    def _on_stepped(self, down: int) -> None:
        try:
            start = self.value(self._field, self._good)
        except FieldError:
            start = self._good
        self.line.setText(self._field.written(self._field.stepped(start, -down)))
        self.edited.emit()

    def _on_escaped(self) -> None:
        """Take back what was typed; where nothing was, Esc goes to whatever closes."""
        good = self._field.written(self._good)
        if self.line.text() != good:
            self.line.setText(good)
            self.edited.emit()
        else:
            _pass_escape(self)


class TextEntry(Entry):
    """A line for words."""

    def __init__(self, theme: Theme, field: TextField) -> None:
        super().__init__()
        self._good = field.usual
        self.line = LineField(theme, self)
        self.line.setFont(theme.code_font() if field.fixed_pitch else theme.font(look.TEXT - 1))
        self.line.setPlaceholderText(field.hint)
        self.line.setTextMargins(8, 0, 8, 0)
        _fill(self, self.line, _WIDE, _HEIGHT)
        self.line.editingFinished.connect(self.edited)
        self.line.entered.connect(self._on_entered)
        self.line.escaped.connect(self._on_escaped)

    @override
    def show_value(self, value: Value, field: Field) -> None:
        self._good = field.written(value)
        self.line.setText(self._good)
        self.line.setCursorPosition(0)  # of what is too long the beginning is seen

    @override
    def value(self, field: Field, last: Value) -> Value:
        value = field.read(self.line.text())
        self._good = field.written(value)
        return value

    @override
    def take_in(self) -> None:
        self.edited.emit()

    def _on_entered(self, _shift: bool) -> None:  # noqa: FBT001 - a slot
        self.edited.emit()

    def _on_escaped(self) -> None:
        if self.line.text() != self._good:
            self.line.setText(self._good)
            self.edited.emit()
        else:
            _pass_escape(self)


class LinesEntry(Entry):
    """Several lines for words, as wide as the form."""

    wide = True

    def __init__(self, theme: Theme, field: TextField) -> None:
        super().__init__()
        self._theme = theme
        self.text = QPlainTextEdit(self)
        self.text.setFont(theme.code_font() if field.fixed_pitch else theme.font(look.TEXT - 1))
        self.text.setFrameShape(QFrame.Shape.NoFrame)
        self.text.setTabChangesFocus(True)
        self.text.setPlaceholderText(field.hint)
        self.text.viewport().setAutoFillBackground(False)
        self.text.document().setDocumentMargin(0)
        self.text.installEventFilter(self)
        height = field.lines * self.text.fontMetrics().lineSpacing() + 18
        column = QVBoxLayout(self)
        column.setContentsMargins(10, 8, 6, 8)
        column.addWidget(self.text)
        self.setFixedHeight(height)
        self.setFocusProxy(self.text)
        self._pause = QTimer(self, singleShot=True, interval=_PAUSE_MS)
        self._pause.timeout.connect(self.edited)
        self.text.textChanged.connect(self._pause.start)
        theme.changed.connect(self.update)

    @override
    def show_value(self, value: Value, field: Field) -> None:
        if self.text.toPlainText() != field.written(value):
            self.text.setPlainText(field.written(value))
        self._pause.stop()

    @override
    def value(self, field: Field, last: Value) -> Value:
        return field.read(self.text.toPlainText())

    @override
    def take_in(self) -> None:
        if self._pause.isActive():
            self._pause.stop()
            self.edited.emit()

    @override
    def eventFilter(self, watched: object, event: QEvent) -> bool:
        if event.type() == QEvent.Type.FocusOut:
            self.take_in()
        if event.type() in (QEvent.Type.FocusIn, QEvent.Type.FocusOut):
            self.update()
        return False

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(self._theme.colors.fill))
        painter.drawRoundedRect(self.rect(), look.BUTTON_RADIUS, look.BUTTON_RADIUS)
        if self.text.hasFocus():
            _ring(painter, self, self._theme)


class Switch(Pressable):
    """On or off: a knob that is at the right while it is on."""

    def __init__(self, theme: Theme) -> None:
        super().__init__(theme)
        self.setCheckable(True)
        self.setFixedSize(38, 22)

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        colors = self._theme.colors
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        on = self.isChecked()
        track = QRectF(self.rect()).adjusted(1, 1, -1, -1)
        painter.setPen(QPen(QColor(colors.accent if on else colors.faint), 1))
        painter.setBrush(QColor(colors.accent if on else colors.fill))
        painter.drawRoundedRect(track, track.height() / 2, track.height() / 2)
        side = track.height() - 6
        left = track.right() - side - 3 if on else track.left() + 3
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(colors.on_accent if on else colors.faint))
        painter.drawEllipse(QRectF(left, track.top() + 3, side, side))
        if self._ring:
            painter.setPen(QPen(QColor(colors.text), 1.5))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRoundedRect(self.rect().adjusted(0, 0, -1, -1), 11, 11)


class SwitchEntry(Entry):
    """A switch."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.switch = Switch(theme)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.addWidget(self.switch)
        self.setFocusProxy(self.switch)
        self.switch.clicked.connect(self.edited)

    @override
    def show_value(self, value: Value, field: Field) -> None:
        self.switch.setChecked(bool(value))

    @override
    def value(self, field: Field, last: Value) -> Value:
        return self.switch.isChecked()


class _Choices(QComboBox):
    """Painted like the lines, but on macOS, where the system's own is at home."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        theme.changed.connect(self.update)

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        if sys.platform == "darwin":
            super().paintEvent(event)
            return
        colors = self._theme.colors
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(colors.fill))
        painter.drawRoundedRect(self.rect(), look.BUTTON_RADIUS, look.BUTTON_RADIUS)
        room = self.rect().adjusted(10, 0, -28, 0)
        middle = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft
        right = Qt.TextElideMode.ElideRight
        painter.setPen(QColor(colors.text))
        shown = painter.fontMetrics().elidedText(self.currentText(), right, room.width())
        painter.drawText(room, middle, shown)
        square = QRectF(self.width() - 22, (self.height() - 10) / 2, 10, 10)
        paint_icon(painter, Icon.CHEVRON, square, colors.dim)
        if self.hasFocus():
            _ring(painter, self, self._theme)

    # The wheel scrolls the page, not the value.
    @override
    def wheelEvent(self, event: QWheelEvent) -> None:
        event.ignore()


class ChoiceEntry(Entry):
    """One of a few values."""

    def __init__(self, theme: Theme, field: ChoiceField) -> None:
        super().__init__()
        self.choices = _Choices(theme)
        self.choices.setFont(theme.font(look.TEXT - 1))
        self.choices.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        for choice in field.choices:
            self.choices.addItem(choice.title)
        _fill(self, self.choices, _WIDE, _HEIGHT)
        self.choices.activated.connect(self._on_chosen)

    def _on_chosen(self, _index: int) -> None:
        self.edited.emit()

    @override
    def show_value(self, value: Value, field: Field) -> None:
        assert isinstance(field, ChoiceField)
        values = [choice.value for choice in field.choices]
        self.choices.setCurrentIndex(values.index(value) if value in values else -1)

    @override
    def value(self, field: Field, last: Value) -> Value:
        assert isinstance(field, ChoiceField)
        index = self.choices.currentIndex()
        return last if index < 0 else field.choices[index].value


def _fill(entry: Entry, control: QWidget, width: int, height: int) -> None:
    """Make a control all there is of an entry."""
    row = QHBoxLayout(entry)
    row.setContentsMargins(0, 0, 0, 0)
    row.addWidget(control)
    entry.setFixedSize(QSize(width, height))
    control.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
    entry.setFocusProxy(control)


def _ring(painter: QPainter, widget: QWidget, theme: Theme) -> None:
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    edge = QColor(theme.colors.accent)
    painter.setPen(QPen(edge, 1.5))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    frame = QRectF(widget.rect()).adjusted(0.75, 0.75, -0.75, -0.75)
    painter.drawRoundedRect(frame, look.BUTTON_RADIUS, look.BUTTON_RADIUS)


def _pass_escape(widget: QWidget) -> None:
    """Let the window of a control have the Esc that the control has no use for."""
    window = widget.window()
    event = QKeyEvent(QEvent.Type.KeyPress, Qt.Key.Key_Escape, Qt.KeyboardModifier.NoModifier)
    if window is not widget:
        window.event(event)
