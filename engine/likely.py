"""What logits of several positions say: of all tokens the likeliest, and of those that came."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import cast

import mlx.core as mx
import numpy as np
from numpy.typing import NDArray

from engine.kernels import exp

_PROJECTED_BYTES = 32 << 20
_BLOCK = 64
_CACHED = 1 << 18
"""How many exponentials are computed at a time on a CPU."""


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


@dataclass(frozen=True)
class Told:
    """What the model said of a token, given those before; natural logarithms.

    Attributes:
        logprob: How likely it was.
        rank: 1 where it was the most likely one.
        entropy: How undecided the model was, -Σ p log p in nats.
    """

    logprob: float
    rank: int
    entropy: float


class Distributions:
    """The softmax of logits (n, V) float32, to be read in several ways; computed once."""

    def __init__(self, logits: mx.array) -> None:
        self._logits = logits
        self._shifted = logits - mx.max(logits, axis=-1, keepdims=True)
        total, weighted = _exponential_sums(self._shifted)
        self._log_total = mx.log(total)
        self._entropies = (self._log_total - weighted / total)[:, 0]

    def likely(self, top: int) -> Likely:
        """The `top` most likely tokens of each position."""
        ids = largest(self._logits, top)
        logprobs = self._logprobs(ids)
        mx.eval(ids, logprobs, self._entropies)
        return Likely(
            cast("NDArray[np.int32]", np.array(ids.astype(mx.int32))),
            cast("NDArray[np.float32]", np.array(logprobs)),
            cast("NDArray[np.float32]", np.array(self._entropies)),
        )

    def told(self, tokens: Sequence[int]) -> list[Told]:
        """What is said of the n tokens that came, one at each position."""
        ids = mx.array(list(tokens))[:, None]
        came = mx.take_along_axis(self._logits, ids, axis=-1)
        ranks, logprobs = mx.sum(self._logits > came, axis=-1) + 1, self._logprobs(ids)[:, 0]
        mx.eval(ranks, logprobs, self._entropies)
        rows = zip(
            cast("list[float]", logprobs.tolist()),
            cast("list[int]", ranks.tolist()),
            cast("list[float]", self._entropies.tolist()),
            strict=True,
        )
        return [Told(*row) for row in rows]

    def _logprobs(self, ids: mx.array) -> mx.array:
        return mx.take_along_axis(self._shifted, ids, axis=-1) - self._log_total


def likely(logits: mx.array, top: int) -> Likely:
    """Read logits (n, V) float32: the `top` most likely tokens of each position."""
    return Distributions(logits).likely(top)


def logsumexp(logits: mx.array) -> mx.array:
    """The logarithms of the sums of e to each of logits (..., V) float32: (...); lazy.

    On a CPU half the time of MLX's own, for the reason that `engine.kernels` gives.
    """
    if mx.metal.is_available():
        return mx.logsumexp(logits, axis=-1)
    top = mx.max(logits, axis=-1, keepdims=True)
    return (top + mx.log(row_sums(exp(logits - top))))[..., 0]


def row_sums(values: mx.array) -> mx.array:
    """The sums of rows (..., V) float32: (..., 1); lazy.

    A CPU adds one number after the other, which loses four digits over a whole vocabulary; sums
    of short blocks lose none, and take half the time.
    """
    width = values.shape[-1]
    even = width // _BLOCK * _BLOCK
    blocks = values[..., :even].reshape(*values.shape[:-1], even // _BLOCK, _BLOCK)
    sums = mx.sum(mx.sum(blocks, axis=-1), axis=-1, keepdims=True)
    return sums + mx.sum(values[..., even:], axis=-1, keepdims=True) if even < width else sums


def _exponential_sums(values: mx.array) -> tuple[mx.array, mx.array]:
    """The sums of e**x and of x e**x over rows x of (n, V): (n, 1) each.

    On a CPU a few rows are done at a time, so that they stay in the processor's cache.
    """
    if mx.metal.is_available():
        parts = mx.exp(values)
        return row_sums(parts), row_sums(parts * values)
    rows = max(1, _CACHED // values.shape[-1])
    totals: list[mx.array] = []
    weighted: list[mx.array] = []
    for start in range(0, values.shape[0], rows):
        some = values[start : start + rows]
        parts = exp(some)
        totals.append(row_sums(parts))
        weighted.append(row_sums(parts * some))
        mx.eval(totals[-1], weighted[-1])
    return mx.concatenate(totals), mx.concatenate(weighted)


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
