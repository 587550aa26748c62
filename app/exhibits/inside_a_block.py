"""Exhibit 3 for visitors: one token's way through a block, and from shallow to deep."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication

from app.exhibits import controls as make
from app.exhibits.checks import inside_a_block as checks
from app.exhibits.definition import Definition, Texts, View
from app.exhibits.words import small, strip_text, token_words
from ui import figures
from ui.charts.values import (
    Axis,
    Bar,
    Bars,
    Card,
    Cards,
    Chart,
    Column,
    Lines,
    Row,
    Series,
    Step,
    Steps,
    StripToken,
    Table,
    TokenStrip,
)
from ui.exhibits.values import Control, Part, Pictures
from ui.pieces import visible

if TYPE_CHECKING:
    from collections.abc import Mapping

    from app.jobs.exhibit_results import (
        Block,
        Depth,
        Depths,
        InsideABlockResult,
        Parameters,
        StepSeen,
    )
    from app.jobs.exhibits import Setting

_DEPTH, _PARAMETERS = "depth", "parameters"
_MAIN_STEPS = {
    "input",
    "input_layernorm",
    "heads",
    "o_proj",
    "attention_residual",
    "post_attention_layernorm",
    "swiglu",
    "down_proj",
    "output",
}
_ADDING = {"o_proj", "down_proj"}
_MARKS = 8

translate = QCoreApplication.translate


def texts() -> Texts:
    """The words of the exhibit."""
    return Texts(
        title=translate("Exhibits", "Inside a block"),
        claim=translate(
            "Exhibits",
            "A block reads the token's vector, and adds two things to it: what attention found, "
            "and what the feed-forward made of that. The vector itself runs straight through.",
        ),
        question=translate(
            "Exhibits",
            "A network of many blocks turns a word into a prediction. Before you run it: does each "
            "block make a new vector, or does it only add to the old one?",
        ),
        about=(
            translate(
                "Exhibits",
                "Each token is a list of numbers, its vector. It runs through all blocks, one by "
                "one. In each, RMSNorm first brings the vector to a size that is the same for "
                "all, and weights every number by what was learnt; attention then fetches "
                "something from earlier tokens, and the feed-forward works on the token alone. "
                "Both results are added to the vector, which is called the residual stream.",
            ),
            translate(
                "Exhibits",
                "“From shallow to deep” asks after every block what the network would say if it "
                "ended there (the logit lens). “Where the parameters sit” counts what the model "
                "has learned.",
            ),
        ),
        part_claims={
            _DEPTH: translate(
                "Exhibits",
                "After the last block the lens says to the last bit what the network itself says. "
                "Look how the answer takes shape on the way there.",
            ),
            _PARAMETERS: translate(
                "Exhibits",
                "The numbers counted in memory are those of the formula. Where weights are tied, "
                "one table both reads and writes tokens.",
            ),
        },
    )


def parts() -> tuple[Part, ...]:
    """The block, the way through all, the parameters."""
    return (
        Part("", ""),
        Part(_DEPTH, translate("Exhibits", "From shallow to deep")),
        Part(_PARAMETERS, translate("Exhibits", "Where the parameters sit")),
    )


def controls(bounds: Mapping[str, Setting]) -> tuple[Control, ...]:
    """The text, the token and the block."""
    both = ("", _DEPTH)
    return (
        make.text(bounds["text"], translate("Exhibits", "Text"), lines=1, parts=both),
        make.number(bounds["layer"], translate("Exhibits", "Block"), folded=False),
        make.number(
            bounds["position"],
            translate("Exhibits", "Token"),
            help=translate("Exhibits", "From 0; −1 is the last. A click in the text sets it."),
            parts=both,
        ),
        make.slider(
            bounds["shown"],
            translate("Exhibits", "Tokens listed"),
            range(1, 9),
            parts=(_DEPTH,),
        ),
        make.slider(bounds["numbers"], translate("Exhibits", "Numbers shown"), range(1, 17)),
    )


def present(result: InsideABlockResult, view: View) -> Pictures:
    """Draw the block, the way through all of them, or the parameters."""
    if view.part == _DEPTH:
        return Pictures() if result.depths is None else _depth_pictures(result, result.depths)
    if view.part == _PARAMETERS:
        return Pictures() if result.parameters is None else _parameter_pictures(result.parameters)
    if result.block is None:
        return Pictures((_strip(result),))
    return Pictures((_strip(result), _cards(result.block)), (_steps(result.block, view.selected),))


def _strip(result: InsideABlockResult) -> TokenStrip:
    return TokenStrip(
        tuple(
            StripToken(strip_text(piece), 0.6 if at == result.position else 0.0, key=str(at))
            for at, piece in enumerate(result.pieces)
        ),
        selected=result.position,
        edges=True,
        title=translate("Exhibits", "The token that is followed"),
    )


def _cards(block: Block) -> Cards:
    steps = {step.name: step for step in block.steps}
    names = (
        ("input", translate("Exhibits", "What comes in")),
        ("o_proj", translate("Exhibits", "What attention adds")),
        ("down_proj", translate("Exhibits", "What the feed-forward adds")),
        ("output", translate("Exhibits", "What goes out")),
    )
    return Cards(
        tuple(
            Card(
                name,
                small(steps[key].norm),
                translate("Exhibits", "length of {width} numbers").format(
                    width=figures.count(steps[key].width)
                ),
                number=steps[key].norm,
                tone="accent" if key == "output" else "plain",
            )
            for key, name in names
            if key in steps
        )
    )


def _step_name(name: str) -> str:
    """What happens in a step; names of modules stay as they are in checkpoints."""
    return {
        "input": translate("Exhibits", "the token's vector"),
        "input_layernorm": "RMSNorm",
        "heads": translate("Exhibits", "attention, all heads"),
        "o_proj": translate("Exhibits", "+ attention's output"),
        "attention_residual": translate("Exhibits", "vector after attention"),
        "post_attention_layernorm": "RMSNorm",
        "swiglu": translate("Exhibits", "feed-forward, inside"),
        "down_proj": translate("Exhibits", "+ feed-forward's output"),
        "output": translate("Exhibits", "vector after the block"),
    }.get(name, name)


def _steps(block: Block, selected: str) -> Steps:
    shown = [step for step in block.steps if step.name in _MAIN_STEPS]
    return Steps(
        tuple(
            Step(
                _step_name(step.name),
                step.rms,
                small(step.rms),
                _numbers(step) if step.name == selected else step.name,
                adds=step.name in _ADDING,
                tone="new" if step.name in _ADDING else "held",
                key=step.name,
            )
            for step in shown
        ),
        value_name=translate("Exhibits", "root mean square"),
        selected=selected,
        title=translate("Exhibits", "The way through the block"),
        note=translate("Exhibits", "root mean square; a click shows numbers"),
    )


def _numbers(step: StepSeen) -> str:
    return "  ".join(f"{each:+.3f}" for each in step.first)


def _depth_pictures(result: InsideABlockResult, depths: Depths) -> Pictures:
    every = max(len(depths.each) // _MARKS, 1)
    last = len(depths.each) - 1
    shown = [each for at, each in enumerate(depths.each) if at % every == 0 or at == last]
    width = max((len(each.top) for each in shown), default=0)
    names = [translate("Exhibits", "first choice")]
    names += [str(rank) for rank in range(2, width + 1)]
    table = Table(
        (
            Column(translate("Exhibits", "after block")),
            *(Column(name, code=True) for name in names),
            Column(translate("Exhibits", "entropy"), "right"),
        ),
        tuple(_depth_row(each, width) for each in shown),
        marked=len(shown) - 1,
        title=translate("Exhibits", "What the network would say if it ended there"),
        note=translate("Exhibits", "after {text}").format(
            text=token_words(result.pieces[result.position])
        ),
    )
    xs = tuple(float(at) for at in range(len(depths.each)))
    lines = Lines(
        (
            Series(
                translate("Exhibits", "the answer's probability"),
                xs,
                tuple(_chance(each, depths.model_top[0].token) for each in depths.each),
                "new",
                points=True,
            ),
        ),
        Axis(translate("Exhibits", "blocks passed"), low=0),
        Axis(low=0, high=1),
        title=translate("Exhibits", "When {answer} comes up").format(answer=visible(depths.answer)),
        note=translate("Exhibits", "0 where it is not among those listed"),
    )
    return Pictures((table,), (lines,))


def _chance(depth: Depth, answer: int) -> float:
    return next((each.probability for each in depth.top if each.token == answer), 0.0)


def _depth_row(depth: Depth, width: int) -> Row:
    name = (
        translate("Exhibits", "none: the embedding")
        if depth.block is None
        else figures.count(depth.block)
    )
    said = [f"{visible(each.piece)} {figures.percent(each.probability)}" for each in depth.top]
    said += [""] * (width - len(said))
    return Row(
        (name, *said, figures.decimal(depth.entropy, 2)),
        (None, *(None for _ in said), depth.entropy),
        faded=not depth.answer_leads,
    )


def _parameter_pictures(found: Parameters) -> Pictures:
    names = {
        "embedding": translate("Exhibits", "table of tokens"),
        "attention": translate("Exhibits", "attention"),
        "feed_forward": translate("Exhibits", "feed-forward"),
        "norms": translate("Exhibits", "norms"),
        "lm_head": translate("Exhibits", "output layer"),
    }
    bars: Chart = Bars(
        tuple(
            Bar(
                names.get(part.name, part.name),
                float(part.loaded),
                f"{figures.count(part.loaded)} · {figures.share(part.loaded / found.loaded)}",
            )
            for part in found.parts
        ),
        title=translate("Exhibits", "Parameters, counted in memory"),
    )
    tied = (
        translate("Exhibits", "the same table reads and writes tokens")
        if found.tied
        else translate("Exhibits", "reading and writing have a table each")
    )
    cards = Cards(
        (
            Card(
                translate("Exhibits", "In all"),
                figures.count(found.loaded),
                translate("Exhibits", "by the config: {count}").format(
                    count=figures.count(found.formula)
                ),
                number=float(found.loaded),
            ),
            Card(
                translate("Exhibits", "Weight tying"),
                translate("Exhibits", "tied") if found.tied else translate("Exhibits", "not tied"),
                tied,
            ),
            Card(
                translate("Exhibits", "One logit, two ways"),
                figures.decimal(found.logit, 4),
                translate("Exhibits", "by the token's own vector: {logit}").format(
                    logit=figures.decimal(found.by_embedding, 4)
                ),
                number=found.logit,
            ),
        )
    )
    return Pictures((cards, bars))


def chosen(_result: InsideABlockResult, key: str) -> dict[str, int]:
    """A click on a token follows it; one on a step of the block only points it out."""
    return {"position": int(key)} if key.isdecimal() else {}


DEFINITION: Definition[InsideABlockResult] = Definition(
    number=3,
    texts=texts,
    parts=parts,
    controls=controls,
    present=present,
    claims=checks.claims,
    notes=checks.notes,
    part_claims={
        "": ("residual", "rms_norm", "rms_of_one"),
        _DEPTH: ("lens_is_exact",),
        _PARAMETERS: ("parameters", "parts", "tied", "untied"),
    },
    part_sources={"": ("block",), _DEPTH: ("depths",), _PARAMETERS: ("parameters",)},
    choose=chosen,
)
