"""Exhibit 4 for visitors: what a token looks at, head by head, and what it gets from there."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication

from app.exhibits import controls as make
from app.exhibits.checks import attending as checks
from app.exhibits.definition import Definition, Texts, View
from app.exhibits.words import small, strip_text, token_words
from ui import figures
from ui.charts.values import (
    Bar,
    Bars,
    Card,
    Cards,
    Column,
    HeatMap,
    Row,
    StripToken,
    Table,
    TokenStrip,
)
from ui.exhibits.values import Control, Part, Pictures

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from app.jobs.exhibit_results import AttendingResult, Followed, Links
    from app.jobs.exhibits import Setting

_WALK, _LINKS = "walk", "links"
_MOST_LINKS = 10

translate = QCoreApplication.translate


def texts() -> Texts:
    """The words of the exhibit."""
    return Texts(
        title=translate("Exhibits", "Attention"),
        claim=translate(
            "Exhibits",
            "Each head spreads all of its attention, 100 %, over the tokens so far and none over "
            "later ones. Look how differently the heads spread it.",
        ),
        question=translate(
            "Exhibits",
            "In “The trophy didn't fit in the suitcase because it was too big”, what does “it” "
            "mean? Before you run it: which words will the model look at from there?",
        ),
        about=(
            translate(
                "Exhibits",
                "Attention lets a token fetch something from tokens before it. It asks with a "
                "query, its question. Every earlier token has a key, a sign that says what is to "
                "be found there, and a value, the content. Where query and key match, much of the "
                "value is taken. A head is one such way of asking; a layer has several.",
            ),
            translate(
                "Exhibits",
                "Click a token to look from there, and a row of the heads to follow that one. What "
                "you see is where a head looks, which is not the same as what the model thinks: "
                "many heads rest on the first token when they find nothing.",
            ),
        ),
        part_claims={
            _WALK: translate(
                "Exhibits",
                "A head is no mystery: multiply query and key, make shares of the scores, add up "
                "the values by these shares. Done by hand it gives what the network has.",
            ),
            _LINKS: translate(
                "Exhibits",
                "No single head holds the meaning. Look how many heads lead to each word, and how "
                "many just rest on the first token.",
            ),
        },
    )


def parts() -> tuple[Part, ...]:
    """The heads, one head step by step, all heads of all layers."""
    return (
        Part("", ""),
        Part(_WALK, translate("Exhibits", "Follow one head")),
        Part(_LINKS, translate("Exhibits", "All heads of all layers")),
    )


def controls(bounds: Mapping[str, Setting]) -> tuple[Control, ...]:
    """The sentence, and where to look from."""
    every, two = ("", _WALK, _LINKS), ("", _WALK)
    names = (
        translate("Exhibits", "The trophy and the suitcase"),
        translate("Exhibits", "The tired cat"),
        translate("Exhibits", "My own"),
    )
    return (
        make.choice(bounds["sentence"], translate("Exhibits", "Sentence"), names, parts=every),
        make.number(bounds["layer"], translate("Exhibits", "Layer"), parts=two, folded=False),
        make.number(bounds["head"], translate("Exhibits", "Head"), parts=two, folded=False),
        make.text(
            bounds["own"],
            translate("Exhibits", "My own sentence"),
            lines=1,
            parts=every,
            folded=True,
        ),
        make.number(
            bounds["position"],
            translate("Exhibits", "Token"),
            help=translate("Exhibits", "From 0; −1 is “it”. A click in the sentence sets it."),
            parts=every,
        ),
        make.slider(bounds["beside"], translate("Exhibits", "Heads beside it"), range(16)),
        make.slider(
            bounds["numbers"],
            translate("Exhibits", "Numbers shown"),
            range(1, 7),
            parts=(_WALK,),
        ),
    )


def present(result: AttendingResult, view: View) -> Pictures:
    """Draw the heads, one of them step by step, or what all of them lead to."""
    if view.part == _WALK:
        return Pictures() if result.followed is None else _walk(result, result.followed)
    if view.part == _LINKS:
        return Pictures() if result.links is None else _links(result, result.links)
    head = next(each for each in result.heads if each.head == result.head)
    strip = _strip(result, head.weights[result.position], head.head)
    return Pictures((strip,), (_heads(result), _grid(result, head.weights, head.head)))


def _strip(result: AttendingResult, weights: Sequence[float], head: int) -> TokenStrip:
    """The sentence, each token as strong as the head looks at it."""
    return TokenStrip(
        tuple(
            StripToken(
                strip_text(piece),
                min(weights[at], 1.0),
                tip=figures.share(weights[at]),
                key=str(at),
            )
            for at, piece in enumerate(result.pieces)
        ),
        selected=result.position,
        large=True,
        title=translate("Exhibits", "What {token} looks at").format(
            token=token_words(result.pieces[result.position])
        ),
        note=translate("Exhibits", "layer {layer}, head {head}").format(
            layer=result.layer, head=head
        ),
        strength_name=translate("Exhibits", "weight"),
    )


def _heads(result: AttendingResult) -> HeatMap:
    """The heads side by side: a row for each, a column for each token."""
    head = translate("Exhibits", "head")
    rows = [(f"{head} {each.head}", each.weights) for each in result.heads]
    rows.append((translate("Exhibits", "mean"), result.mean))
    names = tuple(token_words(piece) for piece in result.pieces)
    marked = next(at for at, each in enumerate(result.heads) if each.head == result.head)
    return HeatMap(
        tuple(
            weight if at <= result.position else float("nan")
            for _, weights in rows
            for at, weight in enumerate(weights[result.position])
        ),
        len(rows),
        len(names),
        tuple(name for name, _ in rows),
        names,
        title=translate("Exhibits", "Several heads, the same token"),
        note=translate("Exhibits", "a row for each head; a click follows it"),
        low=0.0,
        high=1.0,
        marked_row=marked,
        value_name=translate("Exhibits", "weight"),
        clickable=True,
    )


def _grid(result: AttendingResult, weights: Sequence[Sequence[float]], head: int) -> HeatMap:
    """All tokens on all tokens, in the head that is followed."""
    names = tuple(token_words(piece) for piece in result.pieces)
    return HeatMap(
        tuple(weight for row in weights for weight in row),
        len(names),
        len(names),
        names,
        names,
        title=translate("Exhibits", "Every token on every earlier one"),
        note=translate("Exhibits", "head {head}").format(head=head),
        high=1.0,
        causal=True,
        marked_row=result.position,
        value_name=translate("Exhibits", "weight"),
    )


def _walk(result: AttendingResult, found: Followed) -> Pictures:
    rows = tuple(
        Row(
            (
                token_words(met.piece),
                _vector(met.key),
                figures.decimal(met.score, 2),
                figures.share(met.weight),
                _vector(met.value),
                small(met.brings),
            ),
            (None, None, met.score, met.weight, None, met.brings),
        )
        for met in found.met
    )
    most = max(range(len(found.met)), key=lambda at: found.met[at].weight)
    table = Table(
        (
            Column(translate("Exhibits", "token"), code=True),
            Column(translate("Exhibits", "key: its sign"), code=True),
            Column(translate("Exhibits", "query · key / √{d}").format(d=found.dimension), "right"),
            Column(translate("Exhibits", "share"), "right"),
            Column(translate("Exhibits", "value: its content"), code=True),
            Column(translate("Exhibits", "brings"), "right"),
        ),
        rows,
        marked=most,
        title=translate("Exhibits", "Query of {token}: {numbers} …").format(
            token=token_words(result.pieces[result.position]), numbers=_vector(found.query)
        ),
    )
    cards = Cards(
        (
            Card(
                translate("Exhibits", "Shares by hand"),
                small(found.softmax_differs),
                translate("Exhibits", "largest difference to the network's own"),
                number=found.softmax_differs,
            ),
            Card(
                translate("Exhibits", "Sum of values by hand"),
                small(found.sum_differs),
                translate("Exhibits", "largest difference; rounding allows {bound}").format(
                    bound=small(found.sum_bound)
                ),
                number=found.sum_differs,
            ),
            Card(
                translate("Exhibits", "What this head adds"),
                small(found.added),
                translate("Exhibits", "length; all heads of the layer: {all}").format(
                    all=small(found.layer_adds)
                ),
                number=found.added,
            ),
        )
    )
    return Pictures((cards, table))


def _vector(numbers: Sequence[float]) -> str:
    return " ".join(f"{number:+.2f}" for number in numbers)


def _links(result: AttendingResult, links: Links) -> Pictures:
    bars = Bars(
        tuple(
            Bar(
                token_words(each.piece),
                float(each.heads),
                translate(
                    "Exhibits", "{heads}; most in layer {layer}, head {head}: {share}"
                ).format(
                    heads=figures.count(each.heads),
                    layer=each.layer,
                    head=each.head,
                    share=figures.percent(each.weight),
                ),
            )
            for each in links.each[:_MOST_LINKS]
        ),
        title=translate("Exhibits", "Where the heads lead from {token}").format(
            token=token_words(result.pieces[result.position])
        ),
        note=translate("Exhibits", "heads that look there most, the first token left out"),
        code=True,
    )
    card = Cards(
        (
            Card(
                translate("Exhibits", "Heads in all layers"),
                figures.count(links.heads),
                number=float(links.heads),
            ),
            Card(
                translate("Exhibits", "rest on the first token"),
                figures.percent(links.first_most / links.heads),
                translate("Exhibits", "{count} of them take the most from it").format(
                    count=figures.count(links.first_most)
                ),
                number=float(links.first_most),
            ),
        )
    )
    return Pictures((card, bars))


def chosen(result: AttendingResult, key: str) -> dict[str, int]:
    """A click on a token looks from there; one on a row of the heads follows that head."""
    row, is_cell, _ = key.partition(":")
    if not is_cell:
        return {"position": int(key)}
    return {"head": result.heads[int(row)].head} if int(row) < len(result.heads) else {}


DEFINITION: Definition[AttendingResult] = Definition(
    number=4,
    texts=texts,
    parts=parts,
    controls=controls,
    present=present,
    claims=checks.claims,
    notes=checks.notes,
    part_claims={
        "": ("rows", "no_future"),
        _WALK: ("softmax", "sum_of_values"),
        _LINKS: (),
    },
    part_sources={"": ("heads", "mean"), _WALK: ("followed",), _LINKS: ("links",)},
    choose=chosen,
)
