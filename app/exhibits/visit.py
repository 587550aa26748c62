"""How one exhibit stands during a visit: its inputs, what was measured, what is under way."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from app.exhibits.definition import View
from app.exhibits.formulas import formula_words
from app.exhibits.words import figures_of
from ui.exhibits.values import Finding, Pictures, ResultView, Source
from ui.fields import TextField

if TYPE_CHECKING:
    from app.exhibits.book import Page
    from app.jobs.exhibits import Claim, Measured
    from ui.exhibits.values import Phase
    from ui.fields import Value


@dataclass
class Visit:
    """One exhibit as it was left.

    Attributes:
        page: The exhibit.
        values: What its inputs are set to.
        part: The key of the part that is shown.
        selected: The key of what was pointed out in its charts; "" for nothing.
        found: What was measured so far; None where nothing was.
        is_shown: Whether there is anything of it in the part that is shown.
        is_complete: Whether that is all.
        is_changed: Whether inputs were changed since.
        phase: What becomes of the measurement.
        share: How much of it is done, 0 to 1.
        sentence: What there is to say about it.
        asking: The repository of the hub that is being asked about; "" where none is.
        refused: The one that the hub refused; it is asked again when the visitor wants a run.
    """

    page: Page
    values: dict[str, Value]
    part: str = ""
    selected: str = ""
    found: Measured | None = None
    is_shown: bool = False
    is_complete: bool = False
    is_changed: bool = False
    phase: Phase = "idle"
    share: float = 0.0
    sentence: str = ""
    asking: str = ""
    refused: str = ""

    @classmethod
    def of(cls, page: Page) -> Visit:
        """A first visit: everything as usual."""
        return cls(page, usual_values(page))

    def result(self) -> ResultView | None:
        """What was measured, drawn and judged; None where there is nothing to show yet."""
        if self.found is None:
            return None
        definition, result = self.page.definition, self.found.result
        pictures: Pictures = definition.present(result, View(self.part, self.selected))
        if not (pictures.main or pictures.aside or self.is_complete):
            return None
        notes, texts = definition.notes(), definition.texts()
        figures = definition.part_sources.get(self.part)
        return ResultView(
            part=self.part,
            pictures=pictures,
            claim=texts.part_claims.get(self.part, texts.claim),
            findings=self._findings(self.found.claims),
            complete=self.is_complete,
            sources=tuple(
                Source(formula_words(each.formula), each.function)
                for each in result.how
                if figures is None or each.figure.startswith(figures)
            ),
            notes=tuple(notes.get(each.name, each.sentence) for each in result.notes),
        )

    def _findings(self, claims: tuple[Claim, ...]) -> tuple[Finding, ...]:
        definition = self.page.definition
        mine = definition.part_claims.get(self.part)
        sentences = definition.claims()
        return tuple(
            Finding(sentences.get(each.name, each.sentence), each.seen, figures_of(each))
            for each in claims
            if mine is None or each.name in mine
        )

    def forget_failure(self) -> None:
        """What one model could not show, another may."""
        if self.phase == "failed":
            self.phase, self.sentence = "idle", ""

    @property
    def missing(self) -> str:
        """The title of a text that must be written before a run; empty where none is missing."""
        bounds = self.page.bounds
        for control in self.page.definition.controls(bounds):
            name, what = control.name, control.what
            if isinstance(what, TextField) and len(str(self.values[name])) < bounds[name].least:
                return what.title
        return ""

    @property
    def asks_hub(self) -> str:
        """A repository whose config.json would complete what was measured; empty for none."""
        asks = self.page.definition.asks_hub
        repo = "" if asks is None or self.found is None else asks(self.found.result)
        return "" if repo == self.refused else repo

    def chosen(self, key: str) -> dict[str, Any]:
        """What a click on a part of a chart sets."""
        choose = self.page.definition.choose
        if choose is None or self.found is None:
            return {}
        return dict(choose(self.found.result, key))


def usual_values(page: Page) -> dict[str, Value]:
    """What the inputs of an exhibit are set to before anyone changes them."""
    return {control.name: control.usual for control in page.definition.controls(page.bounds)}
