"""Exhibit 1 for visitors: the loop that writes a text, one token at a time."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication

from app.exhibits import controls as make
from app.exhibits.checks import the_loop as checks
from app.exhibits.definition import Definition, Texts, View
from app.exhibits.words import strip_text
from ui import figures
from ui.charts.values import (
    Bar,
    Bars,
    Card,
    Cards,
    Chart,
    Column,
    Row,
    StripToken,
    Table,
    TokenStrip,
)
from ui.exhibits.values import Control, Part, Pictures
from ui.pieces import visible

if TYPE_CHECKING:
    from collections.abc import Mapping

    from app.jobs.exhibit_results import LoopStep, TheLoopResult
    from app.jobs.exhibits import Setting

_ALONE = "alone"

translate = QCoreApplication.translate


def texts() -> Texts:
    """The words of the exhibit."""
    return Texts(
        title=translate("Exhibits", "The loop"),
        claim=translate(
            "Exhibits",
            "Each time round, token ids go in, a probability for every token comes out, one token "
            "is drawn and appended. That is all: nothing else goes in, and nothing else is kept.",
        ),
        question=translate(
            "Exhibits",
            "How does a model write a whole sentence? Before you run it: does it know the end of "
            "the sentence when it writes the first word?",
        ),
        about=(
            translate(
                "Exhibits",
                "A language model does one thing: for a text it says how likely every token is to "
                "come next. A token is a word or a piece of one. To write, one token is drawn by "
                "these probabilities and put at the end, and the longer text goes in again.",
            ),
            translate(
                "Exhibits",
                "Watch it go round, or set “Times round” to 1 and move it on by one to go step "
                "by step. Then click a word that was written, to see what else could have stood "
                "there. Logits are the model's scores; softmax turns them into probabilities "
                "that sum to one.",
            ),
        ),
        part_claims={
            _ALONE: translate(
                "Exhibits",
                "Going round by hand, from nothing but token ids, writes the very text that the "
                "app writes; the same ids give the same probabilities, whatever ran before.",
            )
        },
    )


def parts() -> tuple[Part, ...]:
    """The loop; whether there is anything else in it."""
    return Part("", ""), Part(_ALONE, translate("Exhibits", "Is there nothing else?"))


def controls(bounds: Mapping[str, Setting]) -> tuple[Control, ...]:
    """The prompt, how long to go on, and how to draw."""
    both = ("", _ALONE)
    return (
        make.text(bounds["prompt"], translate("Exhibits", "Prompt"), lines=1, parts=both),
        make.slider(
            bounds["steps"], translate("Exhibits", "Times round"), range(1, 65), parts=both
        ),
        make.slider(
            bounds["temperature"], translate("Exhibits", "Temperature"), make.steps(0, 2, 0.05)
        ),
        make.slider(bounds["shown"], translate("Exhibits", "Tokens listed"), range(3, 21)),
        make.number(bounds["seed"], translate("Exhibits", "Seed"), folded=False),
    )


def present(result: TheLoopResult, view: View) -> Pictures:
    """Draw the text and one step of it, or what it is held against."""
    if view.part == _ALONE:
        return _alone(result)
    if not result.steps:
        return Pictures()
    last = len(result.steps) - 1
    number = int(view.selected) if view.selected.isdecimal() else last
    step = result.steps[min(number, last)]
    return Pictures((_text(result, min(number, last)), _cards(result, step)), (_bars(step),))


def _text(result: TheLoopResult, selected: int) -> TokenStrip:
    """The prompt, and what was appended; a click shows what else could have come."""
    count = len(result.prompt_ids)
    prompt = [
        StripToken(strip_text(piece), tip=translate("Exhibits", "prompt"))
        for piece in result.prompt_pieces
    ]
    written = [
        StripToken(
            strip_text(piece),
            1 - step.chosen.probability,
            tip=translate("Exhibits", "{share}, rank {rank}").format(
                share=figures.share(step.chosen.probability), rank=figures.count(step.rank + 1)
            ),
            key=str(number),
        )
        for number, (step, piece) in enumerate(
            zip(result.steps, result.pieces[count:], strict=True)
        )
    ]
    return TokenStrip(
        (*prompt, *written),
        selected=count + selected,
        caret=not result.ended,
        large=True,
        title=translate("Exhibits", "The text so far"),
        note=translate("Exhibits", "the stronger, the less expected; click a token to look at it"),
        strength_name=translate("Exhibits", "surprise"),
    )


def _cards(result: TheLoopResult, step: LoopStep) -> Cards:
    """The stations of one time round."""
    return Cards(
        (
            Card(
                translate("Exhibits", "In: token ids"),
                figures.count(len(step.ids)),
                translate("Exhibits", "… {ids}").format(
                    ids=", ".join(str(each) for each in step.ids[-4:])
                ),
                number=float(len(step.ids)),
            ),
            Card(
                translate("Exhibits", "Out: a probability each for"),
                figures.count(result.vocabulary),
                translate("Exhibits", "tokens, which sum to {total}").format(
                    total=figures.decimal(step.total, 6)
                ),
                number=float(result.vocabulary),
            ),
            Card(
                translate("Exhibits", "Drawn and appended"),
                visible(step.chosen.piece),
                translate("Exhibits", "id {id}, {share} likely").format(
                    id=step.chosen.token, share=figures.share(step.chosen.drawn_with)
                ),
                tone="accent",
            ),
        )
    )


def _bars(step: LoopStep) -> Bars:
    return Bars(
        tuple(
            Bar(
                visible(each.piece),
                each.drawn_with,
                figures.share(each.drawn_with),
                "new" if each.token == step.chosen.token else "held",
                before=each.probability,
                tip=translate("Exhibits", "logit {logit}, softmax {share}").format(
                    logit=figures.decimal(each.logit, 2), share=figures.share(each.probability)
                ),
            )
            for each in step.top
        ),
        title=translate("Exhibits", "What could have come"),
        code=True,
        before_name=translate("Exhibits", "the model says"),
        value_name=translate("Exhibits", "after the temperature"),
    )


def _alone(result: TheLoopResult) -> Pictures:
    greedy, same = result.greedy, result.same_ids
    if greedy is None:
        return Pictures()
    agreeing = min(len(greedy.by_hand), len(greedy.session)) - greedy.differing
    strip = TokenStrip(
        tuple(
            StripToken(
                strip_text(piece), 0.4, "held" if greedy.session[at : at + 1] == (token,) else "new"
            )
            for at, (token, piece) in enumerate(zip(greedy.by_hand, greedy.pieces, strict=True))
        ),
        title=translate("Exhibits", "The most likely token each time, by hand"),
        note=translate("Exhibits", "{same} of {all} are those that the app writes").format(
            same=figures.count(max(agreeing, 0)), all=figures.count(len(greedy.by_hand))
        ),
    )
    charts: list[Chart] = [strip]
    if same is not None:
        rows = (
            Row(
                (
                    translate("Exhibits", "the same ids, after another text was run"),
                    translate("Exhibits", "{count} of {all}").format(
                        count=figures.count(same.differing), all=figures.count(same.logits)
                    ),
                ),
                (None, float(same.differing)),
            ),
            Row(
                (
                    translate("Exhibits", "one id changed"),
                    translate("Exhibits", "{count} of {all}").format(
                        count=figures.count(same.other_differing), all=figures.count(same.logits)
                    ),
                ),
                (None, float(same.other_differing)),
            ),
        )
        charts.append(
            Table(
                (
                    Column(translate("Exhibits", "what goes in")),
                    Column(translate("Exhibits", "logits that differ"), "right"),
                ),
                rows,
            )
        )
    return Pictures(tuple(charts))


DEFINITION: Definition[TheLoopResult] = Definition(
    number=1,
    texts=texts,
    parts=parts,
    controls=controls,
    present=present,
    claims=checks.claims,
    notes=checks.notes,
    part_claims={
        "": ("sums", "most_likely", "one_token", "only_ids"),
        _ALONE: ("by_hand", "one_token", "only_ids", "other_ids"),
    },
    part_sources={"": ("steps",), _ALONE: ("greedy", "same_ids")},
    live=True,
)
