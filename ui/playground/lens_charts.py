"""What layers make of a text, as charts: lens, residual stream, one logit, one block."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication

from ui import figures
from ui.charts.ink import token as token_text
from ui.charts.ink import written
from ui.charts.values import (
    Axis,
    Card,
    Cards,
    GridCell,
    GridRow,
    Legend,
    Lines,
    Series,
    Step,
    Steps,
    TokenGrid,
)
from ui.playground.attention_look import labels, quoted

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ui.playground.attention_values import BlockView, LensView, ShareView
    from ui.playground.state import PlayToken

_ADDED = ("o_proj", "down_proj")
_STREAM = ("input", "attention_residual", "output")


def lens_grid(lens: LensView, tokens: Sequence[PlayToken], place: int, layer: int) -> TokenGrid:
    """What each layer would predict at each position; warm where it is the network's answer.

    Args:
        lens: The numbers.
        tokens: The text that was run.
        place: The chosen token.
        layer: The chosen block.
    """
    translate = QCoreApplication.translate
    shown = [tokens[position] for position in lens.positions]
    answers = [cell[0].token for cell in lens.guesses[-1]]
    rows: list[GridRow] = []
    for number, guesses in enumerate(lens.guesses):
        cells = tuple(
            GridCell(
                cell[0].text,
                cell[0].probability,
                "new" if cell[0].token == answer else "held",
                tip="\n".join(
                    f"{token_text(guess.text)}  {figures.share(guess.probability)}"
                    for guess in cell
                ),
                key=f"{number - 1}:{position}",
            )
            for cell, answer, position in zip(guesses, answers, lens.positions, strict=True)
        )
        rows.append(GridRow(layer_name(number), cells))
    marked = lens.positions.index(place) if place in lens.positions else None
    return TokenGrid(
        labels(shown),
        tuple(rows),
        corner=translate("Lens", "after"),
        marked_column=marked,
        selected=f"{layer}:{place}" if marked is not None else "",
        strength_name=translate("Lens", "probability"),
        title=translate("Lens", "Logit lens"),
        note=translate("Lens", "what would come next if the network ended here"),
        summary=_lens_summary(lens, tokens),
        legend=(
            Legend("new", translate("Lens", "what the network says in the end")),
            Legend("held", translate("Lens", "another token; the stronger, the surer")),
        ),
    )


def layer_name(row: int) -> str:
    """What a row of the lens is called: the embedding, or the block that it comes after."""
    if row == 0:
        return QCoreApplication.translate("Lens", "embedding")
    return QCoreApplication.translate("Lens", "layer {layer}").format(layer=row - 1)


def _lens_summary(lens: LensView, tokens: Sequence[PlayToken]) -> str:
    """From which layer on each position says what it says in the end."""
    template = QCoreApplication.translate("Lens", "after {token}: {answer} from {layer} on")
    told: list[str] = []
    for column, position in enumerate(lens.positions):
        said = [row[column][0].token for row in lens.guesses]
        first = len(said) - 1
        while first > 0 and said[first - 1] == said[-1]:
            first -= 1
        told.append(
            template.format(
                token=quoted(tokens[position].shown),
                answer=quoted(lens.guesses[-1][column][0].text),
                layer=layer_name(first),
            )
        )
    return "; ".join(told)


def growth_lines(lens: LensView, tokens: Sequence[PlayToken], place: int) -> Lines:
    """How the residual stream of one position grows, and what the parts of each block add."""
    translate = QCoreApplication.translate
    column = lens.positions.index(place)
    stream = tuple(row[column] for row in lens.residual)
    blocks = tuple(float(n) for n in range(len(lens.attention)))
    after = (-1.0, *blocks)
    return Lines(
        (
            Series(translate("Lens", "the stream after it"), after, stream, "pinned", points=True),
            Series(
                translate("Lens", "attention adds"),
                blocks,
                tuple(row[column] for row in lens.attention),
                "new",
                points=True,
            ),
            Series(
                translate("Lens", "feed-forward adds"),
                blocks,
                tuple(row[column] for row in lens.feed_forward),
                "good",
                points=True,
            ),
        ),
        Axis(translate("Lens", "layer (-1: embedding)")),
        Axis(translate("Lens", "length"), log=True),
        title=translate("Lens", "The residual stream of {token}").format(
            token=quoted(tokens[place].shown)
        ),
        note=translate("Lens", "lengths of the vectors"),
    )


def share_lines(share: ShareView) -> Lines:
    """Who made the logit of the likeliest token: one term for each part of each block."""
    translate = QCoreApplication.translate
    blocks = tuple(float(n) for n in range(len(share.attention)))
    return Lines(
        (
            Series(translate("Lens", "attention"), blocks, share.attention, "new", points=True),
            Series(
                translate("Lens", "feed-forward"),
                blocks,
                share.feed_forward,
                "good",
                points=True,
            ),
        ),
        Axis(translate("Lens", "layer")),
        Axis(translate("Lens", "added to the logit")),
        title=translate("Lens", "Who made the logit of {token}").format(token=quoted(share.text)),
        note=translate("Lens", "terms of the sum, the final norm's divisor held fixed"),
    )


def share_cards(share: ShareView) -> Cards:
    """The same terms added up."""
    translate = QCoreApplication.translate
    parts = (
        (translate("Lens", "Embedding"), share.embedding),
        (translate("Lens", "Attention"), sum(share.attention)),
        (translate("Lens", "Feed-forward"), sum(share.feed_forward)),
    )
    cards = [Card(name, written(round(value, 2)), number=value) for name, value in parts]
    difference = written(abs(share.total - share.logit))
    caption = translate("Lens", "as the network computes it; the sum differs by {difference}")
    logit = Card(
        translate("Lens", "Logit"),
        written(round(share.logit, 2)),
        caption.format(difference=difference),
        "accent",
        number=share.logit,
    )
    return Cards((*cards, logit), title=translate("Lens", "Added up"))


def block_steps(block: BlockView, tokens: Sequence[PlayToken]) -> Steps:
    """One token's way through one block, with the length of the vector at every station."""
    translate = QCoreApplication.translate
    template = translate("Lens", "{width} numbers: {first} …")
    steps = tuple(
        Step(
            step.name,
            step.norm,
            written(step.norm),
            template.format(
                width=figures.count(step.width),
                first="  ".join(figures.signed(number, 2) for number in step.first[:5]),
            ),
            adds=step.name in _ADDED,
            tone="pinned" if step.name in _STREAM else "held",
        )
        for step in block.steps
    )
    title = translate("Lens", "{token} through layer {layer}").format(
        token=quoted(tokens[block.position].shown), layer=block.layer
    )
    return Steps(
        steps,
        value_name=translate("Lens", "length"),
        title=title,
        note=translate("Lens", "length of the vector at every station"),
    )
