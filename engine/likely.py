"""What logits of several positions say: the most likely tokens, and how undecided they are."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import cast

import mlx.core as mx
import numpy as np
from numpy.typing import NDArray

from engine.kernels import exp

_PROJECTED_BYTES = 32 << 20
_BLOCK = 64


@dataclass(frozen=True, eq=False)
class Likely:
    """Of n positions, evaluated; natural logarithms.

    Attributes:
        ids: (n, K) the most likely tokens, the likeliest first.
        logprobs: (n, K) float32, theirs.
        entropies: (n,) float32, -Σ p log p in nats: 0 where one token is certain.
    """

    ids: NDArray[np.int32]
    logprobs: NDArray[np.float32]
    entropies: NDArray[np.float32]


def likely(logits: mx.array, top: int) -> Likely:
    """Read logits (n, V) float32: the `top` most likely tokens of each position."""
    peak = mx.max(logits, axis=-1, keepdims=True)
    shifted = logits - peak
    parts = mx.exp(shifted)
    total = mx.sum(parts, axis=-1, keepdims=True)
    entropies = mx.log(total) - mx.sum(parts * shifted, axis=-1, keepdims=True) / total
    ids = largest(logits, top)
    logprobs = mx.take_along_axis(shifted, ids, axis=-1) - mx.log(total)
    mx.eval(ids, logprobs, entropies)
    return Likely(
        cast("NDArray[np.int32]", np.array(ids.astype(mx.int32))),
        cast("NDArray[np.float32]", np.array(logprobs)),
        cast("NDArray[np.float32]", np.array(entropies[:, 0])),
    )


def logsumexp(logits: mx.array) -> mx.array:
    """The logarithm of the sum of e to each of logits (V,) float32; lazy.

    On a CPU half the time of MLX's own, for the reason that `engine.kernels` gives.
    """
    if mx.metal.is_available():
        return mx.logsumexp(logits)
    top = mx.max(logits)
    return top + mx.log(mx.sum(exp(logits - top)))


def largest(values: mx.array, count: int) -> mx.array:
    """Where the largest `count` values of each row (n, V) are, the largest first: (n, count).

    They are among the blocks with the largest maxima, which leaves little to sort of a row.
    """
    rows, width = values.shape
    blocks = -(-width // _BLOCK)
    if count < blocks:
        spare = blocks * _BLOCK - width
        padded = mx.pad(values, [(0, 0), (0, spare)], constant_values=-mx.inf) if spare else values
        maxima = mx.max(padded.reshape(rows, blocks, _BLOCK), axis=-1)
        best = mx.argpartition(maxima, kth=-count, axis=-1)[:, -count:]
        some = (best[:, :, None] * _BLOCK + mx.arange(_BLOCK)).reshape(rows, -1)
        found = mx.take_along_axis(padded, some, axis=-1)
    else:
        some = mx.broadcast_to(mx.arange(width), values.shape)
        found = values
    order = mx.argsort(-found, axis=-1)[:, :count]
    return mx.take_along_axis(some, order, axis=-1)


def projected(
    x: mx.array, project: Callable[[mx.array], mx.array], vocab_size: int
) -> Iterator[tuple[int, mx.array]]:
    """Logits a few positions at a time, so that they never take more than some dozen megabytes.

    Args:
        x: (n, hidden).
        project: Final norm and lm_head, of (1, m, hidden).
        vocab_size: V.

    Yields:
        The first row, and the logits of it and the next, (m, V) float32; lazy.
    """
    rows = projected_rows(vocab_size)
    for start in range(0, x.shape[0], rows):
        yield start, project(x[None, start : start + rows])[0].astype(mx.float32)


def projected_rows(vocab_size: int) -> int:
    """How many positions `projected` takes at a time."""
    return max(1, _PROJECTED_BYTES // (4 * vocab_size))
