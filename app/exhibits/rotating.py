"""Exhibit 10 for visitors: the rotating window, what it forgets, and what pins save."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from PySide6.QtCore import QCoreApplication

from app.exhibits import controls as make
from app.exhibits.checks import rotating as checks
from app.exhibits.definition import Definition, Texts, View
from app.exhibits.words import strip_text
from ui import figures
from ui.charts.values import (
    Axis,
    Bar,
    Bars,
    Card,
    Cards,
    Cell,
    Legend,
    Lines,
    Mark,
    Ring,
    Series,
    StripToken,
    TokenStrip,
)
from ui.exhibits.values import Control, Part, Pictures
from ui.pieces import visible

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from app.jobs.exhibit_results import Quality, Recall, RingStep, RotatingResult
    from app.jobs.exhibits import Setting
    from ui.charts.values import Tone

_RECALL, _QUALITY = "recall", "quality"
_SMOOTHED = 24
_TONES: dict[str, Tone] = {
    "pinned": "pinned",
    "seen": "held",
    "unseen": "evicted",
    "empty": "empty",
}
_WAY_TONES: dict[str, Tone] = {"everything": "dim", "window": "held", "pinned": "pinned"}

translate = QCoreApplication.translate


def texts() -> Texts:
    """The words of the exhibit."""
    return Texts(
        title=translate("Exhibits", "The rotating window"),
        claim=translate(
            "Exhibits",
            "However long the text, the ring stays as large as it is: each new token takes the "
            "place of an old one. The next token sees the pinned ones and the window, and what "
            "lies in other slots has no effect on it.",
        ),
        question=translate(
            "Exhibits",
            "A chat goes on for days, but memory is bounded. Before you run it: which tokens would "
            "you throw away, and what will the model no longer know?",
        ),
        about=(
            translate(
                "Exhibits",
                "What a model remembers of a text, a key and a value for each token in every "
                "layer, is its KV cache, and it grows with every token. A rotating cache does "
                "not: it keeps the keys and values of the most recent tokens, the window, and "
                "overwrites the oldest, like a ring that turns. A few tokens at the very "
                "beginning are pinned and stay.",
            ),
            translate(
                "Exhibits",
                "Watch the ring fill and turn. Then ask for a fact that was stated before the "
                "window (“Ask for something old”), and let the model read a long text with and "
                "without pins (“Read a long text”).",
            ),
        ),
        part_claims={
            _RECALL: translate(
                "Exhibits",
                "What left the window is forgotten: the right answer becomes far less likely. What "
                "stands in the pinned beginning is remembered.",
            ),
            _QUALITY: translate(
                "Exhibits",
                "A window alone loses its footing once the first tokens are gone. With a few of "
                "them pinned, bounded memory reads nearly as well as holding everything.",
            ),
        },
    )


def parts() -> tuple[Part, ...]:
    """The ring, a fact that is asked for, a long text."""
    return (
        Part("", ""),
        Part(_RECALL, translate("Exhibits", "Ask for something old")),
        Part(_QUALITY, translate("Exhibits", "Read a long text")),
    )


def controls(bounds: Mapping[str, Setting]) -> tuple[Control, ...]:
    """The ring's sizes, the fact and its question, the long text."""
    recall, quality = (_RECALL,), (_QUALITY,)
    return (
        make.slider(bounds["ring_window"], translate("Exhibits", "Window"), range(2, 65)),
        make.slider(bounds["ring_pinned"], translate("Exhibits", "Pinned"), range(17)),
        make.slider(bounds["ring_steps"], translate("Exhibits", "Tokens"), range(4, 257, 4)),
        make.text(bounds["fact"], translate("Exhibits", "Fact"), lines=1, parts=recall),
        make.text(bounds["question"], translate("Exhibits", "Question"), lines=1, parts=recall),
        make.text(
            bounds["answer"],
            translate("Exhibits", "Answer, with the space before it"),
            lines=1,
            parts=recall,
        ),
        make.text(
            bounds["filler"],
            translate("Exhibits", "What comes between"),
            lines=3,
            parts=recall,
            folded=True,
        ),
        make.slider(
            bounds["window"],
            translate("Exhibits", "Window"),
            range(16, 513, 16),
            parts=(_RECALL, _QUALITY),
        ),
        make.slider(
            bounds["tokens"],
            translate("Exhibits", "Tokens of the long text"),
            range(64, 4097, 64),
            parts=quality,
            write=figures.whole,
        ),
        make.text(
            bounds["long_text"],
            translate("Exhibits", "A text of your own"),
            lines=3,
            parts=quality,
            folded=True,
        ),
    )


def present(result: RotatingResult, view: View) -> Pictures:
    """Draw the ring, the question asked in three ways, or the long text read in three ways."""
    if view.part == _RECALL:
        return _recall_pictures(result)
    if view.part == _QUALITY:
        return _quality_pictures(result)
    if not result.ring:
        return Pictures()
    last = result.ring[-1]
    return Pictures((_text(result.ring),), (_ring(last, result.inputs.ring_pinned),))


def _ring(step: RingStep, pinned: int) -> Ring:
    """The slots after the latest token."""
    cells = [
        Cell(
            "new" if held == step.position else _TONES[state],
            translate("Exhibits", "Slot {slot}: token {token}").format(slot=slot, token=held)
            if held >= 0
            else translate("Exhibits", "Slot {slot}: empty").format(slot=slot),
        )
        for slot, (held, state) in enumerate(zip(step.slots, step.states, strict=True))
    ]
    rotating = cells[pinned:]
    newest = step.slots.index(step.position) - pinned
    return Ring(
        tuple(rotating),
        write=(newest + 1) % len(rotating) if rotating and newest >= 0 else None,
        pinned=tuple(cells[:pinned]),
        centre=figures.count(step.position + 1),
        centre_caption=translate("Exhibits", "tokens seen"),
        legend=_legend(),
        title=translate("Exhibits", "The ring"),
        note=translate("Exhibits", "{count} slots").format(count=len(cells)),
    )


def _legend() -> tuple[Legend, ...]:
    return (
        Legend("pinned", translate("Exhibits", "pinned")),
        Legend("held", translate("Exhibits", "in the window")),
        Legend("evicted", translate("Exhibits", "out of sight")),
        Legend("new", translate("Exhibits", "newest")),
    )


def _text(ring: Sequence[RingStep]) -> TokenStrip:
    """The text as the next token sees it."""
    last = ring[-1]
    gone = set(last.out_of_sight)
    pinned = {
        held for held, state in zip(last.slots, last.states, strict=True) if state == "pinned"
    }

    def token(step: RingStep) -> StripToken:
        if step.position in gone:
            tip = translate("Exhibits", "forgotten")
            return StripToken(strip_text(step.piece), faded=True, tip=tip)
        if step.position == last.position:
            return StripToken(
                strip_text(step.piece), 0.6, "new", tip=translate("Exhibits", "newest")
            )
        if step.position in pinned:
            return StripToken(
                strip_text(step.piece), 0.7, "pinned", tip=translate("Exhibits", "pinned")
            )
        return StripToken(
            strip_text(step.piece), 0.5, "held", tip=translate("Exhibits", "in the window")
        )

    return TokenStrip(
        tuple(token(step) for step in ring),
        caret=True,
        title=translate("Exhibits", "What the next token sees of the text"),
        note=translate("Exhibits", "{count} of {all} tokens forgotten").format(
            count=figures.count(len(gone)), all=figures.count(last.position + 1)
        ),
    )


def _way(way: Literal["everything", "window", "pinned"]) -> str:
    return {
        "everything": translate("Exhibits", "everything held"),
        "window": translate("Exhibits", "window alone"),
        "pinned": translate("Exhibits", "window and pins"),
    }[way]


def _recall_way(way: Literal["everything", "window", "pinned"]) -> str:
    if way == "pinned":
        return translate("Exhibits", "fact pinned")
    return _way(way)


def _recall_pictures(result: RotatingResult) -> Pictures:
    if not result.recalls:
        return Pictures()
    cards = Cards(tuple(_recall_card(recall) for recall in result.recalls))
    bars = Bars(
        tuple(
            Bar(
                _recall_way(recall.way),
                -recall.logprob,
                figures.decimal(-recall.logprob, 2),
                _WAY_TONES[recall.way],
            )
            for recall in result.recalls
        ),
        title=translate("Exhibits", "How unlikely the right answer is"),
        note=translate("Exhibits", "nats; less is better"),
        unit=translate("Exhibits", "nats"),
    )
    return Pictures((cards,), (bars,))


def _recall_card(recall: Recall) -> Card:
    seen = translate("Exhibits", "the fact is seen from {tokens} tokens away")
    unseen = translate("Exhibits", "the fact is {tokens} tokens away, out of sight")
    return Card(
        _recall_way(recall.way),
        visible(recall.says),
        (seen if recall.fact_seen else unseen).format(tokens=figures.count(recall.tokens_between)),
        tone="good" if recall.correct else "plain",
    )


def _quality_pictures(result: RotatingResult) -> Pictures:
    qualities = result.qualities
    if not qualities:
        return Pictures()
    lines = Lines(
        tuple(
            Series(
                _way(each.way),
                tuple(float(at) for at in range(_SMOOTHED, len(each.nll) + 1)),
                _smooth(each.nll),
                _WAY_TONES[each.way],
                dashed=each.way == "everything",
            )
            for each in qualities
        ),
        Axis(translate("Exhibits", "token of the text"), low=0, high=float(result.tokens)),
        Axis(unit=translate("Exhibits", "nats"), low=0),
        title=translate("Exhibits", "How surprising each token is"),
        note=translate("Exhibits", "mean of {count} tokens; less is better").format(
            count=_SMOOTHED
        ),
        marks=(Mark(float(result.inputs.window), translate("Exhibits", "window full")),),
    )
    late = [each for each in qualities if each.late is not None]
    if not late:
        return Pictures((lines,))
    return Pictures((lines, _late(late)), (_slots(qualities),))


def _smooth(nll: Sequence[float]) -> tuple[float, ...]:
    """The mean of the last few tokens at each."""
    found: list[float] = []
    total = 0.0
    for at, value in enumerate(nll):
        total += value
        if at >= _SMOOTHED:
            total -= nll[at - _SMOOTHED]
        if at >= _SMOOTHED - 1:
            found.append(total / _SMOOTHED)
    return tuple(found)


def _late(late: Sequence[Quality]) -> Cards:
    return Cards(
        tuple(
            Card(
                _way(each.way),
                figures.decimal(each.late or 0.0, 2),
                translate("Exhibits", "mean once the window has left the beginning"),
                number=each.late,
                unit=translate("Exhibits", "nats"),
            )
            for each in late
        )
    )


def _slots(qualities: Sequence[Quality]) -> Bars:
    return Bars(
        tuple(
            Bar(
                _way(each.way),
                float(each.peak_slots),
                figures.count(each.peak_slots),
                _WAY_TONES[each.way],
            )
            for each in qualities
        ),
        title=translate("Exhibits", "Most tokens held at once"),
        note=translate("Exhibits", "slots of each layer"),
    )


DEFINITION: Definition[RotatingResult] = Definition(
    number=10,
    texts=texts,
    parts=parts,
    controls=controls,
    present=present,
    claims=checks.claims,
    notes=checks.notes,
    part_claims={
        "": ("bounded", "held", "unseen", "seen"),
        _RECALL: ("out_of_sight", "forgotten", "pinned_remembers"),
        _QUALITY: ("pins_help", "close_to_everything", "bounded_reading"),
    },
    part_sources={"": ("ring",), _RECALL: ("recalls",), _QUALITY: ("qualities",)},
)
