"""What opens below a model's buttons: its load settings, a conversion, the question of deleting."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget
from typing_extensions import override

from ui import theme as look
from ui.controls import QuietButton
from ui.controls_buttons import ActionButton
from ui.exhibits.words import Words
from ui.fields import Choice, ChoiceField, NumberField
from ui.form import Form

if TYPE_CHECKING:
    from ui.fields import Field
    from ui.models.values import CardView, ConversionView, RemovalView
    from ui.theme import Theme

_BITS = (4, 5, 6, 8, 16)
_LEAST_WINDOW = 256
_MOST_CHUNK = 8192


class _Drawer(QWidget):
    """Widgets one below the other, and a last line of buttons."""

    closed = Signal()

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.column = QVBoxLayout(self)
        self.column.setContentsMargins(0, 10, 0, 2)
        self.column.setSpacing(10)
        self.close_button = QuietButton(theme, self.tr("Close"), size=look.TEXT - 1)
        self.close_button.clicked.connect(self.closed)

    def add_form(self, form: Form) -> None:
        """Add fields, no wider than one can read."""
        form.setMaximumWidth(look.MEASURE)
        row = QHBoxLayout()  # which asks how high they are at that width
        row.addWidget(form, 1)
        row.addStretch()
        self.column.addLayout(row)

    def add_buttons(self, *buttons: QWidget) -> None:
        """Add the last line."""
        row = QHBoxLayout()
        row.setSpacing(10)
        for button in (*buttons, self.close_button):
            row.addWidget(button)
        row.addStretch(1)
        self.column.addLayout(row)

    def focus_first(self) -> None:
        """Put the keyboard where it is needed first."""
        self.close_button.setFocus()


class SettingsDrawer(_Drawer):
    """How a model is loaded, and how its chats begin."""

    changed = Signal(str, object)

    def __init__(self, theme: Theme, view: CardView) -> None:
        super().__init__(theme)
        self.form = Form(theme, self._fields(view.longest))
        self.add_form(self.form)
        self.add_buttons()
        self.form.changed.connect(self.changed)
        self.set_view(view)

    def _fields(self, longest: int) -> tuple[Field, ...]:
        return (
            NumberField(
                name="window",
                title=self.tr("Window"),
                help=self.tr("How many recent tokens new chats keep in the KV cache."),
                usual=None,
                low=min(_LEAST_WINDOW, longest),
                high=longest,
                step=256,
                empty=self.tr("As it suits"),
            ),
            ChoiceField(
                name="bits",
                title=self.tr("KV cache"),
                help=self.tr("Fewer bits take less memory in new chats, and cost a little."),
                usual=None,
                choices=(
                    Choice(None, self.tr("As computed")),
                    Choice(8, self.tr("8-bit")),
                    Choice(4, self.tr("4-bit")),
                ),
            ),
            NumberField(
                name="chunk",
                title=self.tr("Prefill chunk"),
                help=self.tr(
                    "The most tokens at once. Smaller ones take less memory and stop sooner. "
                    "Used when the model is loaded the next time."
                ),
                usual=None,
                low=1,
                high=_MOST_CHUNK,
                step=64,
                empty=self.tr("Measured"),
            ),
        )

    def set_view(self, view: CardView) -> None:
        """Show other values."""
        if view.settings is not None:
            self.form.set_values(view.settings)

    @override
    def focus_first(self) -> None:
        self.form.row("window").entry.setFocus()


class ConvertDrawer(_Drawer):
    """Into how many bits, and what that gives and takes."""

    plan_requested = Signal(int)
    confirmed = Signal(int)

    def __init__(self, theme: Theme) -> None:
        super().__init__(theme)
        choices = tuple(
            Choice(bits, self.tr("bfloat16") if bits == 16 else self.tr("{0}-bit").format(bits))
            for bits in _BITS
        )
        field = ChoiceField(
            name="bits",
            title=self.tr("Convert to"),
            help=self.tr("A new model for MLX; this one stays as it is."),
            usual=4,
            choices=choices,
        )
        self.form = Form(theme, (field,))
        self.sentence = Words(theme, size=look.CAPTION, tone="dim")
        self.start = ActionButton(theme, self.tr("Convert"), main=True)
        self.start.setEnabled(False)
        self.add_form(self.form)
        self.column.addWidget(self.sentence)
        self.add_buttons(self.start)
        self.close_button.set_label(self.tr("Cancel"))
        self.form.changed.connect(self._on_changed)
        self.start.clicked.connect(lambda: self.confirmed.emit(self.bits))

    @property
    def bits(self) -> int:
        """The chosen number of bits."""
        bits = self.form.values["bits"]
        return bits if isinstance(bits, int) else _BITS[0]

    def show_plan(self, plan: ConversionView) -> None:
        """Show what a conversion would give and take, unless another is chosen by now."""
        if plan.bits == self.bits:
            self.sentence.setText(plan.sentence)
            self.sentence.set_tone("dim" if plan.possible else "accent")
            self.start.setEnabled(plan.possible)

    @override
    def focus_first(self) -> None:
        self.form.row("bits").entry.setFocus()

    def _on_changed(self, _name: str, _value: object) -> None:
        self.start.setEnabled(False)
        self.plan_requested.emit(self.bits)


class RemovalDrawer(_Drawer):
    """What deleting would do."""

    confirmed = Signal()
    forgotten = Signal()
    """It is to be taken off the list, and nothing else."""

    def __init__(self, theme: Theme, removal: RemovalView) -> None:
        super().__init__(theme)
        self.start = ActionButton(theme, self.tr("Move to Trash"), main=True)
        if removal.question:
            self.column.addWidget(Words(theme, removal.question, size=look.TEXT - 1))
        self.column.addWidget(Words(theme, removal.sentence, size=look.TEXT - 1, tone="dim"))
        self.forget = ActionButton(theme, self.tr("Only take off the list"))
        self.add_buttons(self.start, self.forget)
        self.start.setVisible(removal.deletes)
        self.forget.setVisible(removal.listed)
        self.close_button.set_label(self.tr("Cancel"))
        self.start.clicked.connect(self.confirmed)
        self.forget.clicked.connect(self.forgotten)


Drawer = SettingsDrawer | ConvertDrawer | RemovalDrawer
