"""Exhibit 6 for visitors: how attention knows the order of words, and what it knows without."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication

from app.exhibits import controls as make
from app.exhibits.checks import order as checks
from app.exhibits.definition import Definition, Texts, View
from app.exhibits.words import small, strip_text
from ui import figures
from ui.charts.values import (
    Axis,
    Card,
    Cards,
    Column,
    Lines,
    Mark,
    Row,
    Series,
    StripToken,
    Table,
    TokenStrip,
)
from ui.exhibits.values import Control, Part, Pictures
from ui.pieces import visible

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from app.jobs.exhibit_results import Distance, OneLayer, OrderResult, Stack
    from app.jobs.exhibits import Setting
    from ui.charts.values import Tone

_NETWORK, _DISTANCE = "network", "distance"
_STACK_TONES: dict[str, Tone] = {"usual": "new", "no_rope": "held", "no_rope_no_mask": "dim"}

translate = QCoreApplication.translate


def texts() -> Texts:
    """The words of the exhibit."""
    return Texts(
        title=translate("Exhibits", "Order"),
        claim=translate(
            "Exhibits",
            "Without RoPE one layer's attention gives the same for the same words in any order, "
            "but for rounding. With RoPE it does not: so already one layer tells the orders apart.",
        ),
        question=translate(
            "Exhibits",
            "“dog bites man” and “man bites dog” are the same words. Before you run it: attention "
            "adds up what it finds, so how could it know which of them came first?",
        ),
        about=(
            translate(
                "Exhibits",
                "Attention is a sum over earlier tokens, and a sum does not care about order. So "
                "position must be put in. RoPE, rotary position embedding, does that by rotating "
                "queries (what a token asks for) and keys (what earlier ones are found by): the "
                "further along a token stands, the more they are turned. How well a query and a "
                "key match then depends on how far apart they are.",
            ),
            translate(
                "Exhibits",
                "Here the very same vectors are given to one layer in several orders, with the "
                "rotation and without. A whole network still notices order without RoPE, through "
                "the causal mask: see “The whole network”.",
            ),
        ),
        part_claims={
            _NETWORK: translate(
                "Exhibits",
                "Without RoPE the deep network still tells both orders apart, for the mask lets "
                "each token see only what is before it. Without both it cannot.",
            ),
            _DISTANCE: translate(
                "Exhibits",
                "The score of a query and a key depends on the distance of their tokens alone, not "
                "on where in the text they stand.",
            ),
        },
    )


def parts() -> tuple[Part, ...]:
    """One layer, the whole network, the score by distance."""
    return (
        Part("", ""),
        Part(_NETWORK, translate("Exhibits", "The whole network")),
        Part(_DISTANCE, translate("Exhibits", "How far apart")),
    )


def controls(bounds: Mapping[str, Setting]) -> tuple[Control, ...]:
    """The words in two orders, and where to look."""
    every = ("", _NETWORK, _DISTANCE)
    return (
        make.text(bounds["words"], translate("Exhibits", "Words"), lines=1, parts=every),
        make.text(
            bounds["other_order"],
            translate("Exhibits", "In another order"),
            lines=1,
            parts=("", _NETWORK),
        ),
        make.slider(bounds["shuffles"], translate("Exhibits", "Other orders tried"), range(21)),
        make.number(
            bounds["layer"], translate("Exhibits", "Layer"), parts=("", _DISTANCE), folded=False
        ),
        make.number(
            bounds["head"], translate("Exhibits", "Head"), parts=(_DISTANCE,), folded=False
        ),
        make.number(
            bounds["key"], translate("Exhibits", "Token"), parts=(_DISTANCE,), folded=False
        ),
        make.slider(
            bounds["distance"],
            translate("Exhibits", "Up to a distance of"),
            (16, 32, 64, 128, 256, 512),
            parts=(_DISTANCE,),
        ),
        make.text(
            bounds["asks"],
            translate("Exhibits", "What comes after"),
            lines=1,
            parts=every,
            folded=True,
        ),
        make.slider(
            bounds["shown"], translate("Exhibits", "Tokens listed"), range(1, 11), parts=(_NETWORK,)
        ),
    )


def present(result: OrderResult, view: View) -> Pictures:
    """Draw one layer, the whole network, or the score by distance."""
    if view.part == _NETWORK:
        return _network(result.stacks)
    if view.part == _DISTANCE:
        return Pictures() if result.distance is None else _distance(result.distance)
    if result.one_layer is None:
        return Pictures()
    strip = TokenStrip(
        (
            *(StripToken(strip_text(piece), 0.4, "held") for piece in result.pieces),
            StripToken("  /  "),
            *(StripToken(strip_text(piece), 0.4, "pinned") for piece in result.other_pieces),
        ),
        large=True,
        title=translate("Exhibits", "The same words in two orders"),
        note=translate("Exhibits", "the last token looks at all before it"),
    )
    return Pictures((strip, _cards(result.one_layer)), (_orders(result.one_layer),))


def _cards(found: OneLayer) -> Cards:
    first = found.orders[0]
    return Cards(
        (
            Card(
                translate("Exhibits", "RoPE off"),
                small(first.without_rope),
                translate(
                    "Exhibits", "apart; rounding allows {bound}; {bits} of {all} numbers differ"
                ).format(
                    bound=small(found.rounding_bound),
                    bits=figures.count(first.differing_bits),
                    all=figures.count(found.width),
                ),
                number=first.without_rope,
            ),
            Card(
                translate("Exhibits", "RoPE on"),
                small(first.with_rope),
                translate("Exhibits", "apart, where the largest number is {scale}").format(
                    scale=small(found.scale)
                ),
                number=first.with_rope,
                tone="accent",
            ),
        ),
        title=translate("Exhibits", "Attention's output for the last token, in both orders"),
        note=translate("Exhibits", "layer {layer}").format(layer=found.layer),
    )


def _orders(found: OneLayer) -> Table:
    return Table(
        (
            Column(translate("Exhibits", "order"), code=True),
            Column(translate("Exhibits", "RoPE off"), "right"),
            Column(translate("Exhibits", "RoPE on"), "right"),
        ),
        tuple(
            Row(
                (
                    visible("".join(each.pieces)),
                    small(each.without_rope),
                    small(each.with_rope),
                ),
                (None, each.without_rope, each.with_rope),
            )
            for each in found.orders
        ),
        title=translate("Exhibits", "How far the output moves"),
    )


def _stack_name(name: str) -> str:
    return {
        "usual": translate("Exhibits", "as it is"),
        "no_rope": translate("Exhibits", "without RoPE"),
        "no_rope_no_mask": translate("Exhibits", "without RoPE and mask"),
    }.get(name, name)


def _network(stacks: Sequence[Stack]) -> Pictures:
    if not stacks:
        return Pictures()
    lines = Lines(
        tuple(
            Series(
                _stack_name(each.name),
                tuple(float(at) for at in range(1, len(each.by_layer) + 1)),
                each.by_layer,
                _STACK_TONES.get(each.name, "dim"),
            )
            for each in stacks
        ),
        Axis(translate("Exhibits", "blocks passed")),
        Axis(low=0),
        title=translate("Exhibits", "How far apart the two orders are"),
        note=translate("Exhibits", "the last token's vector, as a share of its length"),
    )
    table = Table(
        (
            Column(translate("Exhibits", "the network")),
            Column(translate("Exhibits", "logits differ by"), "right"),
            Column(translate("Exhibits", "next, one order"), code=True),
            Column(translate("Exhibits", "next, the other"), code=True),
        ),
        tuple(
            Row(
                (
                    _stack_name(each.name),
                    small(each.difference),
                    " ".join(visible(one.piece) for one in each.first[:3]),
                    " ".join(visible(one.piece) for one in each.other[:3]),
                ),
                (None, each.difference, None, None),
            )
            for each in stacks
        ),
    )
    return Pictures((lines, table))


def _distance(found: Distance) -> Pictures:
    lines = Lines(
        (
            Series(
                translate("Exhibits", "score"),
                tuple(float(at) for at in range(len(found.scores))),
                found.scores,
                "new",
            ),
        ),
        Axis(translate("Exhibits", "tokens apart"), low=0),
        Axis(),
        title=translate("Exhibits", "{asks} asks {says}: the score by distance").format(
            asks=visible(found.asks), says=visible(found.says)
        ),
        marks=(Mark(float(found.real), translate("Exhibits", "in the text")),),
    )
    cards = Cards(
        (
            Card(
                translate("Exhibits", "In the text"),
                figures.decimal(found.in_text, 3),
                translate("Exhibits", "the score that attention really gave"),
                number=found.in_text,
            ),
            Card(
                translate("Exhibits", "Both moved by {shift}").format(
                    shift=figures.count(found.shift)
                ),
                small(found.moved),
                translate("Exhibits", "is the most that a score changed"),
                number=found.moved,
            ),
        )
    )
    return Pictures((lines, cards))


DEFINITION: Definition[OrderResult] = Definition(
    number=6,
    texts=texts,
    parts=parts,
    controls=controls,
    present=present,
    claims=checks.claims,
    notes=checks.notes,
    part_claims={
        "": ("no_order", "rope_knows"),
        _NETWORK: ("without_both", "mask_leaks_order", "network_knows"),
        _DISTANCE: ("only_distance", "in_text", "distance_matters"),
    },
    part_sources={"": ("one_layer",), _NETWORK: ("stacks",), _DISTANCE: ("distance",)},
)
