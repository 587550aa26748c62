"""The score of one query and one key as a function of the distance between their tokens."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import mlx.core as mx
import numpy as np

from engine.conditions import UNWATCHED, USUAL
from engine.exhibits.common import Claim, Watch
from engine.exhibits.looking import followed, largest
from engine.exhibits.scoring import alone
from engine.heads import Floats, floats, rope_of
from engine.model import Model
from engine.passes import pass_at
from engine.walk import scores_by_distance, walk_attention

# Devices compute sines to about three digits, and half precision keeps as many.
_DIGITS = 0.01


@dataclass(frozen=True)
class Distance:
    """One query, one key, and the score that they would have this far apart.

    Attributes:
        asks: The text of the token whose query is taken.
        says: That of the token whose key is taken.
        real: How far they are apart in the text.
        scores: At 0, 1, … tokens.
        largest: |query| × |key| / √D, which no rotation can exceed.
        in_text: The score that attention really gave, at the distance in the text.
        shift: How far both were moved together.
        moved: How much scores changed by that at most.
    """

    asks: str
    says: str
    real: int
    scores: tuple[float, ...]
    largest: float
    in_text: float
    shift: int
    moved: float

    @property
    def rounding(self) -> float:
        """How much scores may change by rounding."""
        return _DIGITS * max(self.largest, 1.0)


def measure_distance(
    model: Model,
    ids: Sequence[int],
    layer: int,
    head: int,
    pair: tuple[int, int],
    most: int,
    watch: Watch,
) -> Distance:
    """Turn one query past one key, and both together past the text.

    Args:
        model: One that runs in Cutaway's own decoder.
        ids: The tokens.
        layer: From 0.
        head: Of the queries.
        pair: The positions of the tokens that ask and say; the former is not the earlier one.
        most: The largest distance, in tokens.
        watch: Follows and stops.
    """
    asks, says = pair
    scores = scores_by_distance(model, ids, layer, head, pair, most)
    watch.tell(0.4)
    walk = walk_attention(model, ids, layer, head, asks, watch=followed(watch.part(0.4, 0.8)))
    longest = model.config.longest_sequence or model.config.max_position_embeddings
    shift = max(0, min(1000, longest - most - 1))
    query, key = _unrotated(model, ids, layer, head, pair)
    moved = _scores_from(model, layer, query, key, most, shift)
    scale = model.config.head_dim**-0.5
    lengths = [float(np.linalg.norm(floats(each))) for each in (query, key)]
    seen = dict(zip(walk.positions, walk.scores.tolist(), strict=True))
    asked, said = alone(model, [ids[asks], ids[says]])
    return Distance(
        asks=asked,
        says=said,
        real=asks - says,
        scores=tuple(map(float, scores)),
        largest=lengths[0] * lengths[1] * scale,
        in_text=float(seen[says]),
        shift=shift,
        moved=largest(moved - scores),
    )


def distance_claims(distance: Distance) -> Iterator[Claim]:
    """What should be seen of it."""
    if distance.shift:  # a short context may leave no room to move in
        yield Claim(
            "only_distance",
            "The score depends on the distance alone: moving both tokens together through the "
            "text changes it by no more than rounding.",
            distance.moved, "≤", distance.rounding, "score",
        )  # fmt: skip
    if distance.real < len(distance.scores):
        yield Claim(
            "in_text",
            "At the distance that they have in the text, the curve is at the score that attention "
            "really gave.",
            abs(distance.scores[distance.real] - distance.in_text), "≤", distance.rounding, "score",
        )  # fmt: skip
    yield Claim(
        "distance_matters",
        "At other distances the same query and key have other scores.",
        max(distance.scores) - min(distance.scores), ">", distance.rounding, "score",
    )  # fmt: skip


def _unrotated(
    model: Model, ids: Sequence[int], layer: int, head: int, pair: tuple[int, int]
) -> tuple[mx.array, mx.array]:
    """The query and the key (D,) before RoPE."""
    part, row = pass_at(model, ids, layer, pair[0], USUAL, UNWATCHED)
    heads = part.heads
    return (
        heads.unrotated_queries[head, row],
        heads.unrotated_keys[heads.kv_head(head), pair[1]],
    )


def _scores_from(
    model: Model, layer: int, query: mx.array, key: mx.array, most: int, start: int
) -> Floats:
    """Scores at distances 0 to `most` with the key at position `start`."""
    rope = rope_of(model, layer)
    moved = rope(mx.broadcast_to(query, (1, 1, most + 1, query.size)), start)[0, 0]
    still = rope(key.reshape(1, 1, 1, -1), start)[0, 0, 0]
    products = moved.astype(mx.float32) @ still.astype(mx.float32)
    return floats(products * query.size**-0.5)
