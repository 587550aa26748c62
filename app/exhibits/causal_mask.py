"""Exhibit 5 for visitors: the causal mask, and how the future leaks where it is set aside."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication

from app.exhibits import controls as make
from app.exhibits.checks import causal_mask as checks
from app.exhibits.definition import Definition, Texts, View
from app.exhibits.words import short, small, strip_text, token_words
from ui import figures
from ui.charts.values import Card, Cards, Chart, Column, HeatMap, Row, StripToken, Table, TokenStrip
from ui.exhibits.values import Control, Part, Pictures
from ui.pieces import visible

if TYPE_CHECKING:
    from collections.abc import Mapping

    from app.jobs.exhibit_results import CausalMaskResult, Seen
    from app.jobs.exhibits import Setting

_UNMASKED = "unmasked"
_LABEL = 25

translate = QCoreApplication.translate


def texts() -> Texts:
    """The words of the exhibit."""
    return Texts(
        title=translate("Exhibits", "The causal mask"),
        claim=translate(
            "Exhibits",
            "With the mask no token looks at a later one, so what is said at a place does not "
            "depend on what comes after it, whatever that is.",
        ),
        question=translate(
            "Exhibits",
            "Two texts begin with the same words and then part. Before you run it: does what the "
            "model says after the last common word depend on how the text goes on?",
        ),
        about=(
            translate(
                "Exhibits",
                "A model that writes must not see what is not written yet. When it reads a text "
                "that is complete, all tokens are there at once, so the causal mask forbids every "
                "token to look at later ones.",
            ),
            translate(
                "Exhibits",
                "Without it the future leaks: the prediction for the next word changes with the "
                "words that come later, and so do the logits, the scores that the model gives to "
                "all tokens. Models are trained with the mask, so without it they also talk "
                "nonsense; what counts here is that something changes at all. “Set the mask "
                "aside” shows it.",
            ),
        ),
        part_claims={
            _UNMASKED: translate(
                "Exhibits",
                "Without the mask tokens look at later ones, and the same place says something "
                "else when later words change: the future leaks.",
            )
        },
    )


def parts() -> tuple[Part, ...]:
    """With the mask, and without."""
    return Part("", ""), Part(_UNMASKED, translate("Exhibits", "Set the mask aside"))


def controls(bounds: Mapping[str, Setting]) -> tuple[Control, ...]:
    """The two texts."""
    both = ("", _UNMASKED)
    return (
        make.text(bounds["beginning"], translate("Exhibits", "Both begin"), lines=1, parts=both),
        make.text(bounds["ending"], translate("Exhibits", "One goes on"), lines=1, parts=both),
        make.text(
            bounds["other_ending"], translate("Exhibits", "The other goes on"), lines=1, parts=both
        ),
        make.number(bounds["layer"], translate("Exhibits", "Layer shown"), parts=both),
        make.slider(
            bounds["shown"], translate("Exhibits", "Tokens listed"), range(3, 11), parts=both
        ),
    )


def present(result: CausalMaskResult, view: View) -> Pictures:
    """Draw both predictions with the mask, or without."""
    seen = result.unmasked if view.part == _UNMASKED else result.masked
    if seen is None:
        return Pictures()
    main: list[Chart] = [_texts(result), _cards(seen), _table(result, seen)]
    return Pictures(tuple(main), (_grid(result, seen, masked=view.part != _UNMASKED),))


def _texts(result: CausalMaskResult) -> TokenStrip:
    """The beginning, and both ways to go on."""
    begin = [StripToken(strip_text(piece), 0.4, "held") for piece in result.pieces[: result.shared]]
    one = [StripToken(strip_text(piece), 0.4, "new") for piece in result.pieces[result.shared :]]
    other = [
        StripToken(strip_text(piece), 0.4, "pinned")
        for piece in result.other_pieces[result.shared :]
    ]
    return TokenStrip(
        (*begin, *one, StripToken("  /  "), *other),
        selected=result.shared - 1,
        title=translate("Exhibits", "One beginning, two ways to go on"),
        note=translate("Exhibits", "the marked token is where the model is asked"),
    )


def _cards(seen: Seen) -> Cards:
    largest = max(seen.differences, default=0.0)
    return Cards(
        (
            Card(
                translate("Exhibits", "Logits move by"),
                small(largest),
                translate("Exhibits", "at most, at the words that both texts share"),
                number=largest,
                tone="accent",
            ),
            Card(
                translate("Exhibits", "Probability that went elsewhere"),
                figures.share(seen.moved),
                translate("Exhibits", "after the last shared word"),
                number=seen.moved,
            ),
            Card(
                translate("Exhibits", "Most that a token takes from a later one"),
                figures.share(seen.future),
                translate("Exhibits", "in the layer that is shown"),
                number=seen.future,
            ),
        )
    )


def _table(result: CausalMaskResult, seen: Seen) -> Table:
    pairs = list(zip(seen.first.top, seen.second.top, strict=False))
    return Table(
        (
            Column(translate("Exhibits", "rank"), "right"),
            Column(
                translate("Exhibits", "…{text}").format(text=short(result.inputs.ending, _LABEL)),
                code=True,
            ),
            Column("", "right"),
            Column(
                translate("Exhibits", "…{text}").format(
                    text=short(result.inputs.other_ending, _LABEL)
                ),
                code=True,
            ),
            Column("", "right"),
        ),
        tuple(
            Row(
                (
                    str(rank),
                    visible(one.piece),
                    figures.share(one.probability),
                    visible(other.piece),
                    figures.share(other.probability),
                ),
                (float(rank), None, one.probability, None, other.probability),
            )
            for rank, (one, other) in enumerate(pairs, 1)
        ),
        title=translate("Exhibits", "What the model says after {token}").format(
            token=token_words(result.pieces[result.shared - 1])
        ),
        note=translate("Exhibits", "in the first text, and in the second"),
    )


def _grid(result: CausalMaskResult, seen: Seen, *, masked: bool) -> HeatMap:
    names = tuple(token_words(piece) for piece in result.pieces)
    return HeatMap(
        tuple(weight for row in seen.weights for weight in row),
        len(names),
        len(names),
        names,
        names,
        title=translate("Exhibits", "Who looks at whom"),
        note=translate("Exhibits", "layer {layer}, mean of its heads").format(
            layer=result.inputs.layer
        ),
        high=1.0,
        causal=masked and seen.future == 0,
        marked_row=result.shared - 1,
        value_name=translate("Exhibits", "weight"),
    )


DEFINITION: Definition[CausalMaskResult] = Definition(
    number=5,
    texts=texts,
    parts=parts,
    controls=controls,
    present=present,
    claims=checks.claims,
    notes=checks.notes,
    part_claims={
        "": ("no_future", "nothing_changes", "alone"),
        _UNMASKED: ("sees_future", "leaks"),
    },
    part_sources={"": ("masked", "alone"), _UNMASKED: ("unmasked",)},
)
