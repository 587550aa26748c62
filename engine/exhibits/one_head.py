"""One token in one head: its question, the signs that it meets, and the content it takes."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from engine.conditions import USUAL
from engine.exhibits.common import Claim, Watch
from engine.exhibits.looking import followed, largest, rounding_bound, softmax
from engine.exhibits.scoring import pieces
from engine.heads import Floats, floats
from engine.model import Model
from engine.passes import pass_at
from engine.walk import AttentionWalk, walk_attention

_SOFTMAX = 2.0**-19  # what single precision makes of a weight at most


@dataclass(frozen=True)
class Met:
    """A token that the chosen one sees, in the head that is followed.

    Attributes:
        position: Of the token.
        piece: Its text.
        key: The first numbers of its key, its sign.
        product: query · key.
        score: product / √D.
        weight: Softmax of the scores.
        value: The first numbers of its value, its content.
        value_norm: The length of its value.
        brings: weight × the length of the value: how much it can move the sum.
    """

    position: int
    piece: str
    key: tuple[float, ...]
    product: float
    score: float
    weight: float
    value: tuple[float, ...]
    value_norm: float
    brings: float


@dataclass(frozen=True)
class Followed:
    """The chosen token in the head that is followed.

    Attributes:
        head: Of the queries.
        query: The first numbers of its query, its question.
        dimension: How many numbers query, key and value have, D.
        met: Each token that it sees.
        output: The first numbers of Σ weight × value.
        sum_differs: How far the network's own output of this head is from that sum at most.
        sum_bound: What rounding may make of it.
        softmax_differs: How far the weights are from the softmax of the scores at most.
        added: The length of what this head adds to the token's vector, through o_proj.
        layer_adds: The length of what all heads of the layer add.
    """

    head: int
    query: tuple[float, ...]
    dimension: int
    met: tuple[Met, ...]
    output: tuple[float, ...]
    sum_differs: float
    sum_bound: float
    softmax_differs: float
    added: float
    layer_adds: float


def head_claims(found: Followed) -> Iterator[Claim]:
    """What should be seen of it."""
    yield Claim(
        "softmax",
        "The weights are the softmax of the scores query · key / √D.",
        found.softmax_differs, "≤", _SOFTMAX, "weight",
    )  # fmt: skip
    yield Claim(
        "sum_of_values",
        "What the head hands on is the sum of the values, each times its weight, but for "
        "rounding.",
        found.sum_differs, "≤", found.sum_bound, "per number",
    )  # fmt: skip


def follow(
    model: Model,
    ids: Sequence[int],
    layer: int,
    head: int,
    position: int,
    numbers: int,
    watch: Watch,
) -> Followed:
    """Follow one token through one head, and hold that against the network's own output.

    Args:
        model: One that runs in Cutaway's own decoder.
        ids: The tokens.
        layer: From 0.
        head: Of the queries.
        position: Of the token.
        numbers: How many numbers of each vector are told.
        watch: Follows and stops.
    """
    following = followed(watch.part(0.0, 0.5))
    walk = walk_attention(model, ids, layer, head, position, watch=following)
    part, row = pass_at(model, ids, layer, position, USUAL, followed(watch.part(0.5, 1.0)))
    dim = walk.query.size
    own = floats(part.mixed[0, row, head * dim : (head + 1) * dim])
    total = walk.weights.astype(np.float64) @ walk.values.astype(np.float64)
    return Followed(
        head=head,
        query=_some(walk.query, numbers),
        dimension=dim,
        met=_met(model, ids, walk, numbers),
        output=_some(own, numbers),
        sum_differs=largest(own - total),
        sum_bound=rounding_bound(model, largest(walk.values)),
        softmax_differs=largest(walk.weights - softmax(walk.scores)),
        added=float(np.linalg.norm(walk.contribution)),
        layer_adds=float(np.linalg.norm(walk.output)),
    )


def _met(model: Model, ids: Sequence[int], walk: AttentionWalk, numbers: int) -> tuple[Met, ...]:
    texts = pieces(model, [ids[at] for at in walk.positions])
    norms = np.linalg.norm(walk.values, axis=1)
    return tuple(
        Met(
            position=at,
            piece=texts[index],
            key=_some(walk.keys[index], numbers),
            product=float(walk.products[index]),
            score=float(walk.scores[index]),
            weight=float(walk.weights[index]),
            value=_some(walk.values[index], numbers),
            value_norm=float(norms[index]),
            brings=float(walk.weights[index] * norms[index]),
        )
        for index, at in enumerate(walk.positions)
    )


def _some(vector: Floats, count: int) -> tuple[float, ...]:
    return tuple(map(float, vector[:count]))
