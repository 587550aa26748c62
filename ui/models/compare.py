"""Comparing: one prompt, two or three models or settings of them, and what each makes of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtGui import QFont
from PySide6.QtWidgets import QBoxLayout, QHBoxLayout, QPlainTextEdit, QSizePolicy
from typing_extensions import override

from ui import theme as look
from ui.announce import announce
from ui.controls import ElidedLabel
from ui.controls_buttons import ActionButton
from ui.controls_card import CardFrame
from ui.exhibits.words import Words
from ui.fields import Choice, ChoiceField, NumberField, TextField
from ui.form import FieldRow, Form
from ui.models.parts import Column, Figures, WorkRow
from ui.models.values import AnswerView, ComparisonView, WorkView

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtGui import QResizeEvent

    from ui.state import ModelChoice
    from ui.theme import Theme

_MOST = 3
_SIDE = 280
_MODEL, _ENTRY = 180, 140
_TEXT_LINES = 12


@dataclass(frozen=True)
class SideWish:
    """One of what is to be compared.

    Attributes:
        source: What loads the model.
        temperature: How freely it chooses.
        window: How many recent tokens the cache keeps; None keeps all.
        bits: Of keys and values; None for the model's own precision.
    """

    source: str
    temperature: float
    window: int | None
    bits: int | None


class SideCard(CardFrame):
    """A model with its settings, and below them its answer."""

    def __init__(self, theme: Theme, number: int) -> None:
        super().__init__(theme)
        self._theme = theme
        self._number = number
        self._choices: tuple[ModelChoice, ...] = ()
        self._is_chosen = False  # by the user, rather than another model for every side
        self.model: FieldRow | None = None
        self.form = Form(theme, self._fields(), resets=False)
        for name in self.form.values:
            self.form.row(name).entry.setFixedWidth(_ENTRY)
        self.title = ElidedLabel(theme.font(look.TEXT, QFont.Weight.Medium))
        self.text = QPlainTextEdit()
        self.text.setReadOnly(True)
        self.text.setTabChangesFocus(True)
        self.text.setFont(theme.font(look.TEXT - 1))
        self.text.setFrameShape(QPlainTextEdit.Shape.NoFrame)
        self.text.viewport().setAutoFillBackground(False)
        self.text.document().setDocumentMargin(0)
        self.text.setFixedHeight(_TEXT_LINES * self.text.fontMetrics().lineSpacing())
        self.problem = Words(theme, size=look.CAPTION, tone="accent")
        self.figures = Figures(theme)
        self.setMinimumWidth(_SIDE - 40)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self.setAccessibleName(self.tr("Side {number}").format(number=number + 1))
        self._place = QHBoxLayout()
        self.column.setSpacing(12)
        self.column.addLayout(self._place)
        for widget in (self.form, self.title, self.text, self.problem, self.figures):
            self.column.addWidget(widget)
        self.column.addStretch(1)
        self.show_answer(None)

    def _fields(self) -> tuple[NumberField | ChoiceField, ...]:
        return (
            NumberField(
                name="temperature",
                title=self.tr("Temperature"),
                usual=0.0,
                high=2,
                step=0.1,
                decimals=2,
            ),
            NumberField(
                name="window",
                title=self.tr("Window"),
                usual=None,
                low=64,
                high=1 << 20,
                step=256,
                empty=self.tr("All"),
            ),
            ChoiceField(
                name="bits",
                title=self.tr("KV cache"),
                usual=None,
                choices=(
                    Choice(None, self.tr("As computed")),
                    Choice(8, self.tr("8-bit")),
                    Choice(4, self.tr("4-bit")),
                ),
            ),
        )

    @property
    def wish(self) -> SideWish:
        """The model and its settings."""
        self.form.take_in()
        values = self.form.values
        model = "" if self.model is None else self.model.value
        temperature, window, bits = values["temperature"], values["window"], values["bits"]
        return SideWish(
            source=str(model or ""),
            temperature=float(temperature) if isinstance(temperature, int | float) else 0.0,
            window=window if isinstance(window, int) else None,
            bits=bits if isinstance(bits, int) else None,
        )

    def set_choices(self, choices: Sequence[ModelChoice]) -> None:
        """Offer other models; the chosen one stays where it is still there."""
        if tuple(choices) == self._choices:
            return
        chosen = self.model.value if self.model is not None and self._is_chosen else None
        self._choices = tuple(choices)
        sources = [choice.source for choice in choices]
        if self.model is not None:
            self._place.removeWidget(self.model)
            self.model.hide()
            self.model.deleteLater()
        usual = sources[min(self._number, len(sources) - 1)] if sources else ""
        field = ChoiceField(
            name="model",
            title=self.tr("Model"),
            usual=usual,
            choices=tuple(Choice(choice.source, choice.name) for choice in choices),
        )
        self.model = FieldRow(self._theme, field, resets=False)
        self.model.entry.setFixedWidth(_MODEL)
        self.model.changed.connect(self._on_chosen)
        self.model.set_value(chosen if chosen in sources else usual)
        self._place.addWidget(self.model)

    def _on_chosen(self, *_: object) -> None:
        self._is_chosen = True

    def show_answer(self, answer: AnswerView | None) -> None:
        """Show what came of it; None before anything did."""
        for widget in (self.title, self.text, self.figures):
            widget.setVisible(answer is not None and not answer.problem)
        self.problem.setVisible(answer is not None and bool(answer.problem))
        if answer is None:
            return
        self.title.set_whole(answer.title)
        self.title.set_color(self._theme.colors.text)
        self.text.setAccessibleName(self.tr("Answer of {name}").format(name=answer.title))
        if answer.text != self.text.toPlainText():
            self.text.setPlainText(answer.text)
        self.problem.setText(answer.problem)
        self.figures.set_figures(answer.figures)


class Compare(Column):
    """The section."""

    requested = Signal(str, list, int)
    """The prompt, a `SideWish` for each side, and the most tokens of an answer."""
    cancelled = Signal()

    def __init__(self, theme: Theme, name: str) -> None:
        super().__init__(name)
        self._theme = theme
        self._choices: tuple[ModelChoice, ...] = ()
        self.about = Words(
            theme,
            self.tr(
                "The same prompt for each side, one after the other. Each model is loaded in turn; "
                "the one that is loaded now comes back afterwards, and what is asked in chats "
                "meanwhile is answered then."
            ),
            size=look.TEXT - 1,
            tone="dim",
        )
        self.form = Form(theme, self._fields())
        self.sides = [SideCard(theme, number) for number in range(_MOST)]
        self.start = ActionButton(theme, self.tr("Compare"), main=True)
        self.third = ActionButton(theme, self.tr("Add a third side"))
        self.work = WorkRow(theme)
        self.sentence = Words(theme, size=look.CAPTION, tone="dim")
        self._across = QBoxLayout(QBoxLayout.Direction.LeftToRight)
        self._build()
        self.start.clicked.connect(self._on_start)
        self.third.clicked.connect(self._on_third)
        self.work.cancelled.connect(self.cancelled)

    def _fields(self) -> tuple[TextField | NumberField, ...]:
        return (
            TextField(
                name="prompt",
                title=self.tr("Prompt"),
                usual=self.tr("Explain in three sentences why the sky is blue."),
                lines=3,
                longest=20_000,
            ),
            NumberField(
                name="tokens",
                title=self.tr("Most tokens of an answer"),
                usual=200,
                low=1,
                high=4096,
                step=50,
            ),
        )

    def _build(self) -> None:
        self.about.setMaximumWidth(look.MEASURE)
        self._across.setSpacing(12)
        for side in self.sides:
            self._across.addWidget(side, 1)
        self.sides[-1].hide()
        buttons = QHBoxLayout()
        buttons.setSpacing(10)
        buttons.addWidget(self.start)
        buttons.addWidget(self.third)
        buttons.addStretch(1)
        self.rows.addWidget(self.about)
        self.rows.addWidget(self.form)
        self.rows.addLayout(buttons)
        self.rows.addWidget(self.work)
        self.rows.addWidget(self.sentence)
        self.rows.addLayout(self._across)
        self.rows.addStretch(1)
        self.sentence.hide()

    @property
    def shown_sides(self) -> tuple[SideCard, ...]:
        """The sides that are to be compared."""
        return tuple(side for side in self.sides if not side.isHidden())

    def set_choices(self, choices: Sequence[ModelChoice]) -> None:
        """Offer models."""
        self._choices = tuple(choices)
        for side in self.sides:
            side.set_choices(choices)
        self.start.setEnabled(bool(choices))

    def show_comparison(self, view: ComparisonView) -> None:
        """Show what came of it so far."""
        if view.running:
            self.work.set_work(WorkView(self.tr("Comparing"), view.share))
        if view.running and self.start.hasFocus():  # it is about to be disabled
            self.work.cancel.setFocus()
        self.start.setEnabled(not view.running and bool(self._choices))
        if not view.running:
            if self.work.cancel.hasFocus():
                self.start.setFocus()
            self.work.set_work(None)
        if view.sentence and view.sentence != self.sentence.text():
            announce(self, view.sentence)
        self.sentence.setText(view.sentence)
        self.sentence.setVisible(bool(view.sentence))
        for number, side in enumerate(self.sides):
            answer = view.answers[number] if number < len(view.answers) else None
            side.show_answer(answer)

    def _on_start(self) -> None:
        self.form.take_in()
        values = self.form.values
        tokens = values["tokens"]
        wishes = [side.wish for side in self.shown_sides]
        most = tokens if isinstance(tokens, int) else 200
        self.requested.emit(str(values["prompt"] or ""), wishes, most)

    def _on_third(self) -> None:
        shown = self.sides[-1].isHidden()
        self.sides[-1].setVisible(shown)
        words = self.tr("Leave the third out") if shown else self.tr("Add a third side")
        self.third.set_label(words)
        self._arrange()

    def _arrange(self) -> None:
        """Side by side where there is room, else one below the other."""
        beside = self.viewport().width() >= len(self.shown_sides) * _SIDE + 80
        directions = QBoxLayout.Direction
        self._across.setDirection(directions.LeftToRight if beside else directions.TopToBottom)

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._arrange()
