"""What the exhibits that look inside the network share: how they follow it, and read its logits."""

import mlx.core as mx
import numpy as np
from numpy.typing import NDArray

from engine.conditions import Watch as EngineWatch
from engine.errors import PromptError
from engine.exhibits.choosing import Likely
from engine.exhibits.common import Watch
from engine.exhibits.scoring import alone
from engine.likely import likely
from engine.model import Model

Grid = tuple[tuple[float, ...], ...]
"""Rows of numbers, each as long as the others."""

MOST_TOKENS = 256
# Sums of thousands of products differ by some dozens of roundings when their order changes. Half
# precision is summed up in float32 and rounded far more seldom.
_ROUNDINGS, _HALF_ROUNDINGS = 256, 16


def followed(watch: Watch) -> EngineWatch:
    """The engine's way of following and stopping, for a part of an exhibit."""
    return EngineWatch(watch.cancelled, watch.tell)


def rounding_bound(model: Model, scale: float) -> float:
    """How far two ways of adding up the same terms may differ.

    Args:
        model: Whose precision counts.
        scale: The largest absolute value of the results.
    """
    dtype = model.network.dtype
    roundings = _ROUNDINGS if dtype == mx.float32 else _HALF_ROUNDINGS
    return roundings * float(mx.finfo(dtype).eps) * scale


def tokens_of(model: Model, text: str, *, least: int = 1, most: int = MOST_TOKENS) -> list[int]:
    """The token ids of a text that is not too long to be shown.

    Raises:
        PromptError: It has fewer or more tokens than the exhibit can run.
    """
    ids = model.raw_tokens(text)
    most = min(most, model.config.max_position_embeddings)
    if not least <= len(ids) <= most:
        raise PromptError(
            "This exhibit runs {least:,} to {most:,} tokens, and the text has {count:,}.",
            count=len(ids),
            least=least,
            most=most,
        )
    return ids


def top_tokens(model: Model, logits: NDArray[np.float32], count: int) -> tuple[Likely, ...]:
    """The most likely of all tokens, by logits (V,); fewer where the vocabulary is small."""
    found = likely(mx.array(logits)[None], min(count, logits.size))
    return listed(model, found.ids[0], np.exp(found.logprobs[0].astype(np.float64)))


def listed(
    model: Model, ids: NDArray[np.integer], chances: NDArray[np.floating]
) -> tuple[Likely, ...]:
    """Tokens with their texts and probabilities."""
    tokens: list[int] = ids.tolist()
    return tuple(
        Likely(token, piece, float(chance))
        for token, piece, chance in zip(tokens, alone(model, tokens), chances, strict=True)
    )


def softmax(scores: NDArray[np.float32]) -> NDArray[np.float64]:
    """Shares that sum to 1, by the exponentials of scores (n,), in double precision."""
    raised = np.exp(scores.astype(np.float64) - scores.max())
    return raised / raised.sum()


def grid(rows: NDArray[np.float32]) -> Grid:
    """A matrix as plain numbers."""
    return tuple(tuple(map(float, row)) for row in rows)


def largest(difference: NDArray[np.floating]) -> float:
    """The largest absolute value; 0 of nothing."""
    return float(np.abs(difference).max()) if difference.size else 0.0


def changed_bits(one: NDArray[np.float32], other: NDArray[np.float32]) -> int:
    """How many numbers of two arrays of one shape are not the same to the last bit."""
    first, second = (np.ascontiguousarray(each).view(np.uint32) for each in (one, other))
    return int(np.count_nonzero(first != second))
