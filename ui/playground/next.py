"""What can come next, as bars before and after the sampler's steps, and the sampler's controls."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication, Signal
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from ui import figures
from ui.charts.export import ExportButton
from ui.charts.values import Bar, Bars
from ui.charts.view import ChartView
from ui.pieces import visible
from ui.playground.sampling import SamplingControls, step_name
from ui.playground.words import Paragraph

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from ui.charts.values import Chart
    from ui.playground.state import Candidate, Distribution, PlaySettings
    from ui.theme import Theme


def next_bars(found: Distribution, settings: PlaySettings) -> Bars:
    """The likeliest tokens, with what they are drawn with and what the model says.

    What a step removed is faded and has the model's probability alone.
    """
    most = max((each.after for each in found.candidates), default=0.0)
    bars = tuple(_bar(each, found, settings, best=each.after == most) for each in found.candidates)
    translate = QCoreApplication.translate
    return Bars(
        bars,
        title=translate("Playground", "Next token"),
        note=_note(found, settings),
        code=True,
        before_name=translate("Playground", "by the model"),
        value_name=translate("Playground", "drawn with"),
        selected="" if found.follows is None else str(found.follows),
    )


def _bar(each: Candidate, found: Distribution, settings: PlaySettings, *, best: bool) -> Bar:
    translate = QCoreApplication.translate
    gone = each.after == 0
    share = figures.share(each.before if gone else each.after)
    tip = translate("Playground", "{text} · token {id}\n{before} by the model, {after}").format(
        text=visible(each.shown),
        id=each.token,
        before=figures.share(each.before),
        after=translate("Playground", "removed by {step}").format(
            step=step_name(each.removed_by, settings)
        )
        if gone
        else translate("Playground", "drawn with {share}").format(share=share),
    )
    return Bar(
        visible(each.shown),
        each.before if gone else each.after,
        share,
        "new" if best or each.token == found.follows else "held",
        faded=gone,
        before=each.before,
        tip=tip,
        key=str(each.token),
    )


def _note(found: Distribution, settings: PlaySettings) -> str:
    """Which steps removed something, and how many tokens are left."""
    translate = QCoreApplication.translate
    steps = [step_name(stage.name, settings) for stage in found.stages if stage.removed]
    left = figures.count(found.stages[-1].left)
    if not steps:
        return translate("Playground", "all {count} tokens can come").format(count=left)
    return translate("Playground", "faded: removed by {steps} · {left} left").format(
        steps=", ".join(steps), left=left
    )


class NextPanel(QWidget):
    """The bars and the sampler's controls below them."""

    taken = Signal(object)
    """A `Candidate` that is to come next."""

    def __init__(self, theme: Theme, text_charts: Callable[[], Sequence[Chart]]) -> None:
        """Make the panel.

        Args:
            theme: Colours and fonts.
            text_charts: The text that the bars belong to, for export.
        """
        super().__init__()
        self._text_charts = text_charts
        self._found: Distribution | None = None
        self.bars = ChartView(Bars(()), theme)
        self.export = ExportButton(theme, self.charts)
        self.sentence = Paragraph(theme)
        self.hint = Paragraph(theme, self.tr("Press a token to have it come next."))
        self.sampling = SamplingControls(theme)
        foot = QHBoxLayout()
        foot.addWidget(self.hint, 1)
        foot.addWidget(self.export)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(4)
        column.addWidget(self.bars)
        column.addWidget(self.sentence)
        column.addLayout(foot)
        column.addSpacing(12)
        column.addWidget(self.sampling)
        column.addStretch(1)
        self.bars.activated.connect(self._on_activated)
        self.show_next(None)

    def charts(self) -> Sequence[Chart]:
        """What Export writes."""
        return (*self._text_charts(), self.bars.chart) if self._found is not None else ()

    def show_next(self, found: Distribution | None) -> None:
        """Show what can come; None for an empty text."""
        self._found = found
        if found is None:
            self._say(self.tr("Write something above: what can come next is shown here."))
            return
        self._draw()
        self._say("")

    def show_settings(self, settings: PlaySettings) -> None:
        """Show how tokens are chosen."""
        self.sampling.show_settings(settings)

    def show_problem(self, sentence: str) -> None:
        """Say why nothing can be shown."""
        self._found = None
        self._say(sentence)

    def _draw(self) -> None:
        if self._found is not None:
            self.bars.set_chart(next_bars(self._found, self.sampling.settings))

    def _say(self, sentence: str) -> None:
        self.sentence.setText(sentence)
        self.sentence.setVisible(bool(sentence))
        for part in (self.bars, self.export, self.hint):
            part.setVisible(not sentence)

    def _on_activated(self, key: str) -> None:
        if self._found is not None:
            each = next(one for one in self._found.candidates if str(one.token) == key)
            self.taken.emit(each)
