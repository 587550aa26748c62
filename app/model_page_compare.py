"""Comparing models, or settings of one, as their section shows it."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication, QObject, Signal

from app.chats.settings import SamplingSettings
from app.errands import LatestErrand
from ui import figures
from ui.models.values import AnswerView, ComparisonView

if TYPE_CHECKING:
    from app.errands import Errands
    from app.jobs.compare import SideResult
    from ui.models.compare import SideWish
    from ui.state import ModelChoice

_SEED = 1
_NOTICED_S = 0.05
"""A model that was there already is loaded in less."""


class ModelCompare(QObject):
    """Has one prompt answered by each side, and tells how that goes."""

    changed = Signal(ComparisonView)

    def __init__(self, errands: Errands, parent: QObject) -> None:
        super().__init__(parent)
        self._errand = LatestErrand(errands)
        self._names: dict[str, str] = {}
        self._view = ComparisonView()

    def on_choices(self, choices: list[ModelChoice]) -> None:
        """Take what the models are called."""
        self._names = {choice.source: choice.name for choice in choices}

    def on_requested(self, prompt: str, wishes: list[SideWish], max_tokens: int) -> None:
        """Compare."""
        from app.jobs.compare import Side, comparison

        if not prompt.strip():
            self._show(ComparisonView(sentence=self.tr("There is no prompt; write one first.")))
            return
        sides = [
            Side(
                wish.source,
                SamplingSettings(temperature=wish.temperature, seed=_SEED),
                wish.window,
                wish.bits,
            )
            for wish in wishes
        ]
        titles = [self._names.get(wish.source, wish.source) for wish in wishes]

        def on_progress(share: float, results: tuple[SideResult, ...] | None) -> None:
            if results is not None:
                self._take(titles, results, share)

        def on_done(results: tuple[SideResult, ...]) -> None:
            self._take(titles, results, 1.0)
            self._end(self.tr("Done, with seed {0} on every side.").format(_SEED))

        self._show(ComparisonView(tuple(AnswerView(title) for title in titles), running=True))
        self._errand.run(
            comparison(prompt, sides, max_tokens),
            on_done,
            self._end,
            progress=on_progress,
            cancelled=lambda: self._end(self.tr("The comparison was stopped.")),
        )

    def on_cancelled(self) -> None:
        """Stop; what was written stays."""
        self._errand.stop()

    def tell(self) -> None:
        """Show it again, as to a page that has just been built."""
        self.changed.emit(self._view)

    def _take(self, titles: list[str], results: tuple[SideResult, ...], share: float) -> None:
        answers = tuple(
            AnswerView(title, result.text, _figures(result), result.error, result.done)
            for title, result in zip(titles, results, strict=True)
        )
        self._show(ComparisonView(answers, share, running=True))

    def _end(self, sentence: str) -> None:
        self._show(replace(self._view, running=False, sentence=sentence))

    def _show(self, view: ComparisonView) -> None:
        self._view = view
        self.changed.emit(view)


def _figures(result: SideResult) -> tuple[tuple[str, str], ...]:
    """What was measured of a side, as far as it has come."""
    translate = QCoreApplication.translate
    rows = [(translate("Models", "Tokens"), figures.count(result.tokens))]
    if result.load_s is not None and result.load_s >= _NOTICED_S:
        rows.append((translate("Models", "Loading"), figures.seconds(result.load_s)))
    if not result.done:
        return tuple(rows)
    speed = translate("Models", "{0} tokens/s")
    rows += [
        (translate("Models", "Prompt"), figures.count(result.prompt_tokens)),
        (translate("Models", "First token"), figures.seconds(result.ttft_s)),
        (translate("Models", "Prefill"), speed.format(figures.speed(result.prefill_tps))),
        (translate("Models", "Decode"), speed.format(figures.speed(result.decode_tps))),
        (translate("Models", "Weights"), figures.size(result.weights_bytes)),
        (translate("Models", "KV cache"), figures.size(result.kv_bytes)),
    ]
    return tuple(rows)
