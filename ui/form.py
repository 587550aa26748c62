"""A form made of fields: title, help, control, and a way back to the usual value.

A value that does not fit is never handed out: the sentence that says why stands under the field
until it is mended or taken back with Esc.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QFont
from PySide6.QtWidgets import QGridLayout, QLabel, QSizePolicy, QVBoxLayout, QWidget
from typing_extensions import override

from ui import theme as look
from ui.controls import QuietButton, color_words
from ui.entries import ChoiceEntry, Entry, LinesEntry, NumberEntry, SwitchEntry, TextEntry
from ui.fields import ChoiceField, Field, FieldError, NumberField, SwitchField, TextField, Value

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from ui.theme import Theme

_BETWEEN = 14


class Heading(QLabel):
    """The title of a group of fields."""

    def __init__(self, theme: Theme, text: str) -> None:
        super().__init__(text)
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setFont(theme.font(look.HEAD, QFont.Weight.DemiBold))
        self._theme = theme
        theme.changed.connect(self._dress)
        self._dress()

    def _dress(self) -> None:
        color_words(self, self._theme.colors.dim)


class Form(QWidget):
    """Fields, one below the other."""

    changed = Signal(str, object)
    """The name of a field, and its new value, which fits."""

    def __init__(self, theme: Theme, fields: Sequence[Field], *, resets: bool = True) -> None:
        """A form; arguments as of `FieldRow`."""
        super().__init__()
        self._rows = {field.name: FieldRow(theme, field, resets=resets) for field in fields}
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(_BETWEEN)
        for row in self._rows.values():
            column.addWidget(row)
            row.changed.connect(self.changed)
        column.addStretch(1)

    def row(self, name: str) -> FieldRow:
        """One field with its control."""
        return self._rows[name]

    @property
    def values(self) -> dict[str, Value]:
        """The value of every field, as it was last good."""
        return {name: row.value for name, row in self._rows.items()}

    def set_values(self, values: Mapping[str, Value]) -> None:
        """Show other values, without telling of it; fields that are not named stay."""
        for name, row in self._rows.items():
            if name in values:
                row.set_value(values[name])

    def take_in(self) -> None:
        """Hand out what is typed and not handed out yet, as before the form goes away."""
        for row in self._rows.values():
            row.take_in()


class FieldRow(QWidget):
    """One field: its words, its control, its Reset.

    Args:
        theme: Colours and fonts.
        field: What is asked for.
        resets: Whether there is a way back to the usual value; not where nothing is usual.
    """

    changed = Signal(str, object)

    def __init__(self, theme: Theme, field: Field, *, resets: bool = True) -> None:
        super().__init__()
        self.field = field
        self._resets = resets
        self._theme = theme
        self._value = field.usual
        self._problem = ""
        self.entry = _entry(theme, field)
        self.reset = QuietButton(theme, self.tr("Reset"), size=look.CAPTION)
        self.reset.setAccessibleName(self.tr("Reset {name}").format(name=field.title))
        if resets:
            _keep_room(self.reset)
        self._title = QLabel(field.title)
        self._title.setFont(theme.font(look.TEXT - 1))
        self._title.setTextFormat(Qt.TextFormat.PlainText)
        self._title.setBuddy(self.entry)
        self._note = QLabel(field.help)
        self._note.setFont(theme.font(look.CAPTION))
        self._note.setTextFormat(Qt.TextFormat.PlainText)
        self._note.setWordWrap(True)
        self._note.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Minimum)
        self._lay_out()
        self.entry.edited.connect(self._on_edited)
        self.reset.clicked.connect(self._on_reset)
        theme.changed.connect(self._dress)
        self.set_value(field.usual)

    def _lay_out(self) -> None:
        grid = QGridLayout(self)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setHorizontalSpacing(8)
        grid.setVerticalSpacing(3)
        grid.setColumnStretch(0, 1)
        grid.addWidget(self._title, 0, 0)
        if self.entry.wide:
            grid.addWidget(self.reset, 0, 2)
            grid.addWidget(self.entry, 1, 0, 1, 3)
            grid.addWidget(self._note, 2, 0, 1, 3)
            return
        grid.addWidget(self.reset, 0, 1)
        grid.addWidget(self.entry, 0, 2, Qt.AlignmentFlag.AlignRight)
        grid.addWidget(self._note, 1, 0, 1, 3)

    @property
    def value(self) -> Value:
        """The value, as it was last good."""
        return self._value

    @property
    def problem(self) -> str:
        """What is wrong with what stands in the control; empty where nothing is."""
        return self._problem

    def set_value(self, value: Value) -> None:
        """Show another value, without telling of it."""
        self._value = value
        self.entry.show_value(value, self.field)
        self._tell("")

    def take_in(self) -> None:
        """Hand out what is typed and not handed out yet."""
        self.entry.take_in()

    def _on_edited(self) -> None:
        try:
            value = self.entry.value(self.field, self._value)
        except FieldError as error:
            self._tell(str(error))
            return
        is_new = value != self._value or type(value) is not type(self._value)
        self._value = value
        self._tell("")
        if is_new:
            self.changed.emit(self.field.name, value)

    def _on_reset(self) -> None:
        self.set_value(self.field.usual)
        self.changed.emit(self.field.name, self._value)
        self.entry.setFocus()

    def _tell(self, problem: str) -> None:
        self._problem = problem
        text = problem or self.field.help
        self._note.setText(text)
        self._note.setVisible(bool(text))
        self.entry.name(self.field.title, text)
        is_usual = self._value == self.field.usual and not problem
        self.reset.setVisible(self._resets and not is_usual)
        self._dress()

    def _dress(self) -> None:
        colors = self._theme.colors
        color_words(self._title, colors.text)
        color_words(self._note, colors.accent if self._problem else colors.faint)

    @override
    def minimumSizeHint(self) -> QSize:
        return QSize(240, super().minimumSizeHint().height())


def _entry(theme: Theme, field: Field) -> Entry:
    match field:
        case NumberField():
            return NumberEntry(theme, field)
        case SwitchField():
            return SwitchEntry(theme)
        case ChoiceField():
            return ChoiceEntry(theme, field)
        case TextField() if field.lines > 1:
            return LinesEntry(theme, field)
        case TextField():
            return TextEntry(theme, field)
        case _:
            raise TypeError(f"There is no control for {type(field).__name__}.")


def _keep_room(widget: QWidget) -> None:
    """Nothing moves when it comes and goes."""
    policy = widget.sizePolicy()
    policy.setRetainSizeWhenHidden(True)
    widget.setSizePolicy(policy)
