"""Exhibit 12 for visitors: from what the model says to the token that is drawn."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication

from app.exhibits import controls as make
from app.exhibits.checks import choosing as checks
from app.exhibits.definition import Definition, Texts, View
from ui import figures
from ui.charts.values import (
    Bar,
    Bars,
    Bin,
    Column,
    Histogram,
    Row,
    Table,
)
from ui.exhibits.values import Control, Part, Pictures
from ui.pieces import visible

if TYPE_CHECKING:
    from collections.abc import Mapping

    from app.jobs.exhibit_results import ChoosingResult, Draws
    from app.jobs.exhibits import Setting

_BARS = 12
_BINS = 16
_STEPS = "steps"

translate = QCoreApplication.translate


def texts() -> Texts:
    """The words of the exhibit."""
    return Texts(
        title=translate("Exhibits", "Choosing the next token"),
        claim=translate(
            "Exhibits",
            "Each step removes tokens or shifts weight among them, and never changes their order. "
            "What is drawn follows the probabilities as closely as chance allows, and a seed "
            "repeats it.",
        ),
        question=translate(
            "Exhibits",
            "The model says how likely each token is; it chooses nothing. Before you run it: of a "
            "hundred draws, how many will be the most likely token?",
        ),
        about=(
            translate(
                "Exhibits",
                "For each place in a text the model gives every token of its vocabulary a "
                "probability. A sampler then draws one, as with a loaded die. A low temperature "
                "makes the likely ones likelier, a high one evens them out. Top-k keeps the k most "
                "likely tokens, top-p the fewest that together reach p, min-p those that are not "
                "too far below the first.",
            ),
            translate(
                "Exhibits",
                "Move the sliders and watch both pictures: the probabilities before and after, and "
                "a hundred draws held against them. A seed is the number that the draws begin "
                "with; the same seed draws the same.",
            ),
        ),
    )


def parts() -> tuple[Part, ...]:
    """The distribution and the draws; the steps one by one."""
    return Part("", ""), Part(_STEPS, translate("Exhibits", "Step by step"))


def controls(bounds: Mapping[str, Setting]) -> tuple[Control, ...]:
    """The prompt and the sampler."""
    both = ("", _STEPS)
    return (
        make.text(bounds["prompt"], translate("Exhibits", "Prompt"), lines=1, parts=both),
        make.slider(
            bounds["temperature"],
            translate("Exhibits", "Temperature"),
            make.steps(0, 2, 0.05),
            parts=both,
        ),
        make.slider(
            bounds["top_k"],
            translate("Exhibits", "Top-k"),
            (0, 1, 2, 3, 4, 5, 8, 10, 20, 40, 50, 100, 200, 500, 1000),
            write=lambda k: figures.count(int(k)) if k else translate("Exhibits", "off"),
            parts=both,
        ),
        make.slider(
            bounds["top_p"],
            translate("Exhibits", "Top-p"),
            make.steps(0.05, 1, 0.05),
            write=lambda p: translate("Exhibits", "off") if p == 1 else figures.plain(p),
            parts=both,
        ),
        make.slider(
            bounds["min_p"],
            translate("Exhibits", "Min-p"),
            (0, 0.01, 0.02, 0.05, 0.1, 0.15, 0.2, 0.3, 0.4, 0.5, 0.7, 1),
            write=lambda p: figures.plain(p) if p else translate("Exhibits", "off"),
            parts=both,
        ),
        make.slider(
            bounds["samples"],
            translate("Exhibits", "Draws"),
            (10, 20, 50, 100, 200, 500, 1000),
            write=figures.whole,
        ),
        make.number(bounds["seed"], translate("Exhibits", "Seed"), folded=False),
        make.slider(
            bounds["shown"],
            translate("Exhibits", "Tokens listed"),
            (5, 10, 15, 20, 30, 50, 100, 200),
            parts=(_STEPS,),
        ),
    )


def present(result: ChoosingResult, view: View) -> Pictures:
    """Draw before and after with the draws, or every step."""
    if view.part == _STEPS:
        return Pictures((_entropy(result),), (_table(result),))
    main = () if result.draws is None else (_histogram(result.draws),)
    return Pictures(main, (_bars(result),))


def _bars(result: ChoosingResult) -> Bars:
    """The model's distribution, thin, and what is drawn from."""
    model, last = result.stages[0], result.stages[-1]
    pairs = list(zip(model.top, last.top, strict=True))[:_BARS]
    return Bars(
        tuple(
            Bar(
                visible(after.piece),
                after.probability,
                figures.share(after.probability),
                "new",
                faded=after.probability == 0,
                before=before.probability,
                tip=translate("Exhibits", "{before} by the model, {after} after all steps").format(
                    before=figures.share(before.probability),
                    after=figures.share(after.probability),
                ),
            )
            for before, after in pairs
        ),
        title=translate("Exhibits", "Probability of the next token"),
        note=translate("Exhibits", "{kept} of {all} tokens are left").format(
            kept=figures.count(last.kept), all=figures.count(model.kept)
        ),
        code=True,
        before_name=translate("Exhibits", "the model says"),
        value_name=translate("Exhibits", "what is drawn from"),
    )


def _histogram(draws: Draws) -> Histogram:
    return Histogram(
        tuple(
            Bin(visible(each.piece), each.drawn, each.expected / draws.samples)
            for each in draws.bars[:_BINS]
        ),
        title=translate("Exhibits", "{count} draws").format(count=figures.count(draws.samples)),
        note=translate("Exhibits", "distance {distance}, chance allows up to {bound}").format(
            distance=figures.decimal(draws.distance, 3),
            bound=figures.decimal(draws.distance_bound, 3),
        ),
        draws=draws.samples,
        observed_name=translate("Exhibits", "drawn"),
        expected_name=translate("Exhibits", "expected"),
        code=True,
    )


def _stage_name(name: str) -> str:
    return {
        "model": translate("Exhibits", "model"),
        "top_k": translate("Exhibits", "top-k"),
        "top_p": translate("Exhibits", "top-p"),
        "min_p": translate("Exhibits", "min-p"),
        "temperature": translate("Exhibits", "temperature"),
    }.get(name, name)


def _table(result: ChoosingResult) -> Table:
    """Each of the most likely tokens after each step."""
    stages = result.stages
    columns = (
        Column(translate("Exhibits", "token"), code=True),
        *(Column(_stage_name(stage.name), "right") for stage in stages),
    )
    rows = tuple(
        Row(
            (
                visible(stages[0].top[at].piece),
                *(_share(stage.top[at].probability) for stage in stages),
            ),
            (None, *(stage.top[at].probability for stage in stages)),
            faded=stages[-1].top[at].probability == 0,
        )
        for at in range(len(stages[0].top))
    )
    return Table(columns, rows, title=translate("Exhibits", "After each step"))


def _share(probability: float) -> str:
    return figures.share(probability) if probability else figures.UNKNOWN


def _entropy(result: ChoosingResult) -> Bars:
    return Bars(
        tuple(
            Bar(
                _stage_name(stage.name),
                stage.entropy,
                translate("Exhibits", "{entropy}, {kept} tokens").format(
                    entropy=figures.decimal(stage.entropy, 2), kept=figures.count(stage.kept)
                ),
            )
            for stage in result.stages
        ),
        title=translate("Exhibits", "How undecided it is"),
        note=translate("Exhibits", "entropy in nats, and tokens that are left"),
        unit=translate("Exhibits", "nats"),
    )


DEFINITION: Definition[ChoosingResult] = Definition(
    number=12,
    texts=texts,
    parts=parts,
    controls=controls,
    present=present,
    claims=checks.claims,
    notes=checks.notes,
    part_claims={_STEPS: ("sums", "order", "top_k", "fewer", "temperature")},
    part_sources={_STEPS: ("stages",)},
    live=True,
)
