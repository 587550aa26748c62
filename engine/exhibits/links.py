"""Which heads of all layers lead from one token to which earlier one, as found."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from engine.conditions import USUAL
from engine.exhibits.common import Watch
from engine.exhibits.looking import followed
from engine.exhibits.scoring import pieces
from engine.heads import Floats, floats
from engine.model import Model
from engine.passes import passes


@dataclass(frozen=True)
class Link:
    """An earlier token, and the heads that look at it.

    Attributes:
        position: Of the token.
        piece: Its text.
        heads: How many heads of all layers look at it most, the first token left out.
        layer: Of the head that takes the most from it.
        head: That head.
        weight: What it takes.
    """

    position: int
    piece: str
    heads: int
    layer: int
    head: int
    weight: float


@dataclass(frozen=True)
class Links:
    """What one token takes from all earlier ones, in all layers.

    Attributes:
        heads: How many heads there are in all layers.
        first_most: How many of them take the most from the first token.
        each: Every earlier token but the first, the one that most heads look at most at the front.
    """

    heads: int
    first_most: int
    each: tuple[Link, ...]


def find_links(model: Model, ids: Sequence[int], position: int, watch: Watch) -> Links:
    """Look through all heads of all layers.

    Args:
        model: One that runs in Cutaway's own decoder.
        ids: The tokens.
        position: Of the token that looks, not the first.
        watch: Follows and stops.
    """
    rows: list[Floats] = []
    for part in passes(model, ids[: position + 1], USUAL, watch=followed(watch)):
        row = slice(position, position + 1)
        heads = range(part.heads.queries.shape[0])
        rows.append(np.concatenate([floats(part.heads.weights(head, row)) for head in heads]))
    earlier = np.stack(rows)[:, :, :position]  # (N, H, position): of layers, heads, tokens
    texts = pieces(model, ids[:position])
    most = earlier[:, :, 1:].argmax(axis=-1) + 1 if position > 1 else np.zeros(0)
    found: list[Link] = []
    for at in range(1, position):
        layer, head = divmod(int(earlier[:, :, at].argmax()), earlier.shape[1])
        count, weight = int((most == at).sum()), float(earlier[layer, head, at])
        found.append(Link(at, texts[at], count, layer, head, weight))
    found.sort(key=lambda link: (-link.heads, -link.weight))
    return Links(
        heads=earlier.shape[0] * earlier.shape[1],
        first_most=int((earlier.argmax(axis=-1) == 0).sum()),
        each=tuple(found),
    )
