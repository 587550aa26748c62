"""What the visitor can change in an exhibit: sliders and fields side by side, more when wanted."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QGridLayout, QVBoxLayout, QWidget
from typing_extensions import override

from ui import figures
from ui import theme as look
from ui.controls import QuietButton
from ui.controls_values import LabelledSlider
from ui.exhibits.values import Slider
from ui.fields import ChoiceField, NumberField, TextField
from ui.form import FieldRow

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from PySide6.QtGui import QResizeEvent

    from ui.exhibits.values import Control
    from ui.fields import Value
    from ui.theme import Theme

_COLUMN = 196
_MOST_COLUMNS = 4
_BETWEEN = 32
_LABEL = 200
_LEAST, _LINE = 200, 640
_FIGURE = 72
_LEAST_ROW = 150


class ControlPanel(QWidget):
    """The controls of one exhibit; only those of the part that is shown are there."""

    changed = Signal(str, object)
    """The name of an input, and its new value, which fits."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self._controls: dict[str, Control] = {}
        self._widgets: dict[str, LabelledSlider | FieldRow] = {}
        self._part = ""
        self._columns = 0
        self._telling = True
        self._open = _Grid()
        self._folded = _Grid()
        self.more = QuietButton(theme, self.tr("More to set"), size=look.CAPTION)
        self.more.setCheckable(True)
        self.more.setParent(self)  # until the page puts it among its buttons
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(8)
        column.addWidget(self._open)
        column.addWidget(self._folded)
        self.more.toggled.connect(self._arrange)

    @property
    def values(self) -> dict[str, Value]:
        """The value of every input, of all parts."""
        return {name: _value(widget) for name, widget in self._widgets.items()}

    def widget(self, name: str) -> LabelledSlider | FieldRow:
        """The control of one input."""
        return self._widgets[name]

    def set_controls(self, controls: Sequence[Control]) -> None:
        """Offer other inputs."""
        for widget in self._widgets.values():
            widget.hide()
            widget.deleteLater()
        self._controls = {control.name: control for control in controls}
        self._widgets = {control.name: self._made(control) for control in controls}
        for widget in self._widgets.values():
            widget.setParent(self)  # before it is shown, or it would be a window of its own
        self.more.setChecked(False)
        self._columns = 0
        self._arrange()

    def set_values(self, values: Mapping[str, Value]) -> None:
        """Show other values, without telling of it; inputs that are not named stay."""
        self._telling = False
        for name, value in values.items():
            widget = self._widgets.get(name)
            if isinstance(widget, FieldRow):
                widget.set_value(value)
            elif widget is not None and isinstance(value, int | float):
                widget.set_number(value)
        self._telling = True

    def set_part(self, key: str) -> None:
        """Show the controls of a part."""
        if key != self._part:
            self._part = key
            self._arrange()

    def take_in(self) -> None:
        """Hand out what is typed and not handed out yet."""
        for widget in self._widgets.values():
            if isinstance(widget, FieldRow):
                widget.take_in()

    @property
    def problem(self) -> str:
        """What is wrong with what stands in a control that is shown; empty where nothing is."""
        rows = (each for each in self._widgets.values() if isinstance(each, FieldRow))
        return next((row.problem for row in rows if row.problem and row.isVisible()), "")

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width():
            self._arrange()

    def _fitting(self) -> int:
        return max(min((self.width() + _BETWEEN) // (_COLUMN + _BETWEEN), _MOST_COLUMNS), 1)

    def _arrange(self) -> None:
        """Put what belongs to the part into as many columns as there is room for."""
        self._columns = self._fitting()
        shown = [each for each in self._controls.values() if self._part in each.parts]
        folded = [each.name for each in shown if each.folded]
        opened = [each.name for each in shown if not each.folded]
        self.more.setVisible(bool(folded))
        unfolded = folded if self.more.isChecked() else []
        for name, widget in self._widgets.items():
            widget.setVisible(name in opened or name in unfolded)
        self._open.fill([self._placed(name) for name in opened], self._columns)
        self._folded.fill([self._placed(name) for name in unfolded], self._columns)
        self.setVisible(bool(shown))

    def _placed(self, name: str) -> tuple[QWidget, int]:
        """A control, and how many columns it takes."""
        what = self._controls[name].what
        widget = self._widgets[name]
        if isinstance(what, TextField) and what.lines == 1 and isinstance(widget, FieldRow):
            widget.entry.setFixedWidth(min(max(self.width() - _LABEL, _LEAST), _LINE))
        if isinstance(what, TextField):
            return widget, self._columns
        return widget, min(2, self._columns) if isinstance(what, ChoiceField) else 1

    def _made(self, control: Control) -> LabelledSlider | FieldRow:
        what = control.what
        if not isinstance(what, Slider):
            row = FieldRow(self._theme, what)
            if isinstance(what, NumberField):
                row.entry.setFixedWidth(_FIGURE)
                row.setMinimumWidth(_LEAST_ROW)  # less than forms want, which have help below
            row.changed.connect(self.changed)
            return row
        texts = dict(zip(what.values, what.texts, strict=False))

        def write(number: float) -> str:
            return texts.get(number) or figures.plain(number)

        slider = LabelledSlider(self._theme, what.title, what.values, write)
        slider.setToolTip(what.help)
        slider.set_number(what.usual)
        whole = all(float(each).is_integer() for each in what.values)

        def tell(number: float) -> None:
            if self._telling:
                self.changed.emit(what.name, int(number) if whole else number)

        slider.changed.connect(tell)
        return slider


class _Grid(QWidget):
    """Controls in columns of equal width."""

    def __init__(self) -> None:
        super().__init__()
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setHorizontalSpacing(_BETWEEN)
        self._grid.setVerticalSpacing(10)

    def fill(self, placed: Sequence[tuple[QWidget, int]], columns: int) -> None:
        """Place controls, each with the number of columns that it takes."""
        while self._grid.takeAt(0) is not None:
            pass
        for column in range(_MOST_COLUMNS):
            self._grid.setColumnStretch(column, 1 if column < columns else 0)
        line = column = 0
        for widget, span in placed:
            if column + span > columns:
                line, column = line + 1, 0
            self._grid.addWidget(widget, line, column, 1, span)
            widget.show()
            column += span
        self.setVisible(bool(placed))


def _value(widget: LabelledSlider | FieldRow) -> Value:
    if isinstance(widget, FieldRow):
        return widget.value
    number = widget.number
    return int(number) if float(number).is_integer() else number
