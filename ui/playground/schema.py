"""Structured output: a JSON schema, and what it leaves of the tokens that could come next."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication, Signal
from PySide6.QtWidgets import QHBoxLayout, QLabel, QVBoxLayout
from typing_extensions import override

from ui import figures
from ui import theme as look
from ui.charts.export import ExportButton
from ui.charts.values import Bar, Bars, Card, Cards
from ui.charts.view import ChartView
from ui.controls_buttons import ActionButton
from ui.entries import LinesEntry, Switch
from ui.fields import TextField
from ui.inspector.meters import Heading
from ui.pieces import visible
from ui.playground.attention_wrap import Wrap
from ui.playground.state import SchemaView as Schema
from ui.playground.views import PlaygroundView
from ui.playground.words import Paragraph

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ui.charts.values import Chart
    from ui.playground.state import Distribution
    from ui.theme import Theme

_LONGEST = 100_000
EXAMPLE = """{
  "type": "object",
  "properties": {
    "city": {"type": "string", "maxLength": 30},
    "population": {"type": "integer", "minimum": 0},
    "coastal": {"type": "boolean"}
  },
  "required": ["city", "population", "coastal"],
  "additionalProperties": false
}"""


def mask_cards(found: Distribution) -> Cards:
    """How many tokens the schema allows, and how many of the likeliest it forbids."""
    translate = QCoreApplication.translate
    allowed = next((stage for stage in found.stages if stage.name == "allowed"), None)
    left = found.vocab_size if allowed is None else allowed.left
    most = [each for each in found.candidates if each.removed_by == "allowed"]
    of_all = translate("Playground", "of {count} tokens can come here").format(
        count=figures.count(found.vocab_size)
    )
    of_likely = translate("Playground", "of the {count} tokens below are forbidden").format(
        count=len(found.candidates)
    )
    return Cards(
        (
            Card(translate("Playground", "Allowed"), figures.count(left), of_all, number=left),
            Card(
                translate("Playground", "Forbidden"),
                figures.count(len(most)),
                of_likely,
                tone="accent" if most else "plain",
                number=len(most),
            ),
        )
    )


def mask_bars(found: Distribution) -> Bars:
    """The likeliest tokens as the model says; those that the schema forbids are faded."""
    translate = QCoreApplication.translate
    bars = tuple(
        Bar(
            visible(each.shown),
            each.before,
            figures.share(each.before),
            "held",
            faded=each.removed_by == "allowed",
            tip="{text} · {share}\n{verdict}".format(
                text=visible(each.shown),
                share=figures.share(each.before),
                verdict=translate("Playground", "forbidden by the schema")
                if each.removed_by == "allowed"
                else translate("Playground", "allowed by the schema"),
            ),
        )
        for each in found.candidates
    )
    return Bars(
        bars,
        title=translate("Playground", "What the schema allows"),
        note=translate("Playground", "the model's probabilities; faded: forbidden"),
        code=True,
        value_name=translate("Playground", "by the model"),
    )


class SchemaView(PlaygroundView):
    """The schema, whether it holds and from where on, and the mask at the cursor."""

    changed = Signal(object)
    """The `SchemaView` value that is to hold now."""
    run_wanted = Signal()
    failed = Signal(str)

    def __init__(self, theme: Theme) -> None:
        super().__init__(theme)
        self._schema = Schema()
        self._found: Distribution | None = None
        self.head = Heading(theme, self.tr("JSON schema"))
        self._field = TextField(
            name="schema",
            title=self.tr("JSON schema"),
            lines=9,
            longest=_LONGEST,
            hint=self.tr("A JSON schema; Example fills one in."),
            fixed_pitch=True,
        )
        self.entry = LinesEntry(theme, self._field)
        self.entry.text.setAccessibleName(self.tr("JSON schema"))
        self.switch = Switch(theme)
        self.switch.setAccessibleName(self.tr("Keep to the schema"))
        self.holds = QLabel(self.tr("Keep to it"))
        self.holds.setFont(theme.font(look.TEXT - 1))
        self.example = ActionButton(theme, self.tr("Example"))
        self.begin = ActionButton(theme, self.tr("Begin at the end of the text"))
        self.run = ActionButton(theme, self.tr("Run under the schema"), main=True)
        self.words = Paragraph(theme)
        self.cards = ChartView(Cards(()), theme)
        self.bars = ChartView(Bars(()), theme)
        self.export = ExportButton(theme, self.charts)
        self._lay_out()
        self.entry.edited.connect(self._on_edited)
        self.switch.clicked.connect(self._on_switched)
        self.example.clicked.connect(self._on_example)
        self.begin.clicked.connect(self._on_begin)
        self.run.clicked.connect(self._on_run)
        self.export.failed.connect(self.failed)
        self.refresh()

    def _lay_out(self) -> None:
        switch = QHBoxLayout()
        switch.setSpacing(look.GRID)
        switch.addWidget(self.switch)
        switch.addWidget(self.holds)
        switch.addStretch(1)
        foot = QHBoxLayout()
        foot.addStretch(1)
        foot.addWidget(self.export)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(look.GRID)
        column.addWidget(self.head)
        column.addWidget(self.entry)
        column.addLayout(switch)
        column.addWidget(Wrap((self.run, self.begin, self.example), 10))
        column.addWidget(self.words)
        column.addSpacing(look.GRID)
        column.addWidget(self.cards)
        column.addWidget(self.bars)
        column.addLayout(foot)
        column.addStretch(1)

    @override
    def charts(self) -> Sequence[Chart]:
        shown = self._found is not None and self._schema.on
        return (self.cards.chart, self.bars.chart) if shown else ()

    @override
    def refresh(self) -> None:
        schema, there = self._schema, bool(self._schema.text.strip())
        self.switch.setEnabled(there)
        self.switch.setChecked(schema.on)
        self.run.setEnabled(there and bool(self.text.tokens))
        self.example.setVisible(not there)
        self.begin.setVisible(schema.on and schema.start != len(self.text.tokens))
        drawn = schema.on and self._found is not None
        for part in (self.cards, self.bars, self.export):
            part.setVisible(drawn)
        if drawn and self._found is not None:
            self.cards.set_chart(mask_cards(self._found))
            self.bars.set_chart(mask_bars(self._found))
        self.words.setText(self._sentence())

    def show_schema(self, schema: Schema) -> None:
        """Show a schema, and whether it holds."""
        self._schema = schema
        self.entry.show_value(schema.text, self._field)
        self.mark_stale()

    def show_next(self, found: Distribution | None) -> None:
        """Show what the schema leaves of what can come at the cursor."""
        self._found = found
        self.mark_stale()

    def show_problem(self, sentence: str) -> None:
        """Say why the schema cannot be kept to."""
        self._found = None
        self.mark_stale()
        if self._schema.on:
            self.words.setText(sentence)

    def _sentence(self) -> str:
        schema = self._schema
        if not schema.text.strip():
            return self.tr("What is written from some token on can be kept to a JSON schema.")
        if not schema.on:
            return self.tr("The schema does not hold now: every token can come.")
        if schema.start >= len(self.text.tokens):
            return self.tr("The JSON begins with the next token.")
        return self.tr("The JSON begins with token {number} of the text.").format(
            number=figures.count(schema.start + 1)
        )

    def _on_edited(self) -> None:
        text = str(self.entry.value(self._field, ""))
        on = self._schema.on and bool(text.strip())
        self._take(replace(self._schema, text=text, on=on))

    def _on_switched(self) -> None:
        on = self.switch.isChecked()
        start = len(self.text.tokens) if on else self._schema.start
        self._take(replace(self._schema, on=on, start=start))

    def _on_example(self) -> None:
        self.entry.show_value(EXAMPLE, self._field)
        self._take(Schema(EXAMPLE, True, len(self.text.tokens)))

    def _on_begin(self) -> None:
        self._take(replace(self._schema, start=len(self.text.tokens)))

    def _on_run(self) -> None:
        self.entry.take_in()
        if not self._schema.on:
            self._take(replace(self._schema, on=True, start=len(self.text.tokens)))
        self.run_wanted.emit()

    def _take(self, schema: Schema) -> None:
        if schema != self._schema:
            self._schema = schema
            self.changed.emit(schema)
            self.mark_stale()
