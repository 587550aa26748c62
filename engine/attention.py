"""Attention weights of one layer: what every token looks at, head by head or averaged."""

from collections.abc import Iterator, Sequence

import mlx.core as mx
import numpy as np
from numpy.typing import NDArray

from engine.asked import MOST_TOKENS, check_head, check_layer, check_room, checked_ids, pass_bytes
from engine.conditions import UNWATCHED, USUAL, Conditions, Watch
from engine.config import ModelConfig
from engine.errors import PromptError, SettingError
from engine.model import Model
from engine.passes import BlockPass, passes
from engine.sentence import Sentence

_COPIES = 4  # scores, masked scores, weights, and NumPy's copy of one head


def attention(
    model: Model,
    ids: Sequence[int],
    layer: int,
    heads: Sequence[int] | None = None,
    *,
    conditions: Conditions = USUAL,
    most_tokens: int = MOST_TOKENS,
    watch: Watch = UNWATCHED,
) -> NDArray[np.float32]:
    """softmax(QKᵀ / √D) after the causal mask (Vaswani et al. 2017, arXiv:1706.03762).

    Args:
        model: One that runs in Cutaway's own decoder, on the thread that loaded it.
        ids: L token ids.
        layer: Counted from 0.
        heads: Which query heads, in the order wanted; None for all H.
        conditions: A rotating or quantised cache, or mask and RoPE set aside.
        most_tokens: The most tokens to accept, as memory and time grow with their square.
        watch: Follows and stops.

    Returns:
        (H, L, L) float32: how much token q (row) takes from token p (column). Rows sum to 1;
        the future, and what a window has evicted, is exactly 0.

    Raises:
        UnsupportedError: The model runs through mlx-lm.
        PromptError: The ids are none, too many, or not of this vocabulary.
        SettingError: There is no such layer or head, or the model cannot have such a cache.
        MemoryLimitError: `attention_bytes` is more than there is.
        CancelledError: The caller stopped it.
    """
    chosen = _check(model, ids, layer, heads, most_tokens)
    _check_memory(model, len(ids), len(chosen))
    found = np.zeros((len(chosen), len(ids), len(ids)), np.float32)
    for part in _layer_passes(model, ids, layer, conditions, watch):
        rows = slice(part.start, part.start + part.count)
        for index, head in enumerate(chosen):
            _place(found[index, rows], part.heads.positions, part.heads.weights(head))
            watch.check()
    return found


def mean_attention(
    model: Model,
    ids: Sequence[int],
    layer: int,
    heads: Sequence[int] | None = None,
    *,
    conditions: Conditions = USUAL,
    most_tokens: int = MOST_TOKENS,
    watch: Watch = UNWATCHED,
) -> NDArray[np.float32]:
    """The mean of `attention` over heads, which are computed one after the other and not held.

    Args:
        model: As for `attention`, and so are all others.
        ids: L token ids.
        layer: Counted from 0.
        heads: Over which query heads; None for all.
        conditions: A rotating or quantised cache, or mask and RoPE set aside.
        most_tokens: The most tokens to accept.
        watch: Follows and stops.

    Returns:
        (L, L) float32; rows sum to 1.

    Raises:
        EngineError: As `attention` does.
    """
    chosen = _check(model, ids, layer, heads, most_tokens)
    _check_memory(model, len(ids), 1)
    found = np.zeros((len(ids), len(ids)), np.float32)
    for part in _layer_passes(model, ids, layer, conditions, watch):
        total = part.heads.weights(chosen[0])
        for head in chosen[1:]:
            total = total + part.heads.weights(head)
            mx.eval(total)
            watch.check()
        rows = slice(part.start, part.start + part.count)
        _place(found[rows], part.heads.positions, total / len(chosen))
    return found


def attention_bytes(
    config: ModelConfig, tokens: int, heads: int | None = None, *, value_bytes: int = 4
) -> int:
    """What `attention` is going to take at most beside the model, in bytes.

    heads × tokens² × 4 for the result, the same for a few copies of one head, and a pass through
    the blocks.

    Args:
        config: The model's shape.
        tokens: L.
        heads: How many matrices are held: None for all, 1 for `mean_attention`.
        value_bytes: Bytes of a number as the model computes it.
    """
    held = config.num_attention_heads if heads is None else heads
    return (held + _COPIES) * tokens * tokens * 4 + pass_bytes(config, tokens, value_bytes)


def _check(
    model: Model, ids: Sequence[int], layer: int, heads: Sequence[int] | None, most_tokens: int
) -> list[int]:
    """The query heads that are meant, once layer, heads and ids are known to be good."""
    check_layer(model, layer)
    every = range(model.config.num_attention_heads)
    chosen = [check_head(model, head) for head in (every if heads is None else heads)]
    if not chosen:
        raise SettingError("Choose at least one head to look at.")
    count = len(checked_ids(model, ids))
    if count > most_tokens:
        raise PromptError(
            "Attention is shown for at most {most:,} tokens, and these are {count:,}; "
            "take a shorter text.",
            most=most_tokens,
            count=count,
        )
    return chosen


def _check_memory(model: Model, tokens: int, held: int) -> None:
    needed = attention_bytes(model.config, tokens, held, value_bytes=model.network.dtype.size)
    advice = (
        Sentence("take fewer tokens")
        if held == 1
        else Sentence("take fewer tokens, fewer heads, or their mean")
    )
    what = Sentence("Attention over {tokens:,} tokens", tokens=tokens)
    check_room(model, what, needed, advice)


def _layer_passes(
    model: Model, ids: Sequence[int], layer: int, conditions: Conditions, watch: Watch
) -> Iterator[BlockPass]:
    """Every chunk's pass through the layer."""
    every = passes(model, ids, conditions, until=layer, watch=watch)
    return (part for part in every if part.layer == layer)


def _place(rows: NDArray[np.float32], positions: Sequence[int], weights: mx.array) -> None:
    """Write weights (n, S) of the keys that are held where their tokens stand in rows (n, L)."""
    places = np.asarray(positions)
    held = places >= 0
    rows[:, places[held]] = np.array(weights)[:, held]
