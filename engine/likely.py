"""What logits of several positions say: the most likely tokens, and how undecided they are."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import cast

import mlx.core as mx
import numpy as np
from numpy.typing import NDArray

_PROJECTED_BYTES = 32 << 20


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
    total = mx.logsumexp(logits, axis=-1, keepdims=True)
    logprobs = logits - total
    entropies = -mx.sum(mx.exp(logprobs) * logprobs, axis=-1)
    some = mx.argpartition(logits, kth=-top, axis=-1)[:, -top:]
    found = mx.take_along_axis(logprobs, some, axis=-1)
    order = mx.argsort(-found, axis=-1)
    ids = mx.take_along_axis(some, order, axis=-1).astype(mx.int32)
    found = mx.take_along_axis(found, order, axis=-1)
    mx.eval(ids, found, entropies)
    return Likely(
        cast("NDArray[np.int32]", np.array(ids)),
        cast("NDArray[np.float32]", np.array(found)),
        cast("NDArray[np.float32]", np.array(entropies)),
    )


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
