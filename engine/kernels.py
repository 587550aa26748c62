"""Attention and the gate of a feed-forward, with what is fastest on the device at hand.

On Metal MLX's own kernels are used. On a CPU MLX computes exponentials one by one. Those of
attention are NumPy's here, a dozen times faster: what they are of is computed at once for that.
Where the graph has to stay lazy they are a polynomial, which needs only products and sums and so
runs on whole vectors, three times faster and as near to the true value.
"""

import math
from typing import cast

import mlx.core as mx
import numpy as np
from numpy.typing import NDArray

from engine.cache import Mask

_Floats = NDArray[np.float32]

_FEW = 8
"""With fewer queries than this MLX's own attention is as fast, and its graph smaller."""
_BLOCK = 1 << 20
"""How many scores are computed at once: few enough to stay in the processor's cache, and so many
that the keys and values of a block are not copied too often."""
_COPIES = 3
"""How many arrays of the size of a block there are: the scores, the weights, and these for MLX."""
_LARGEST = 126.0
_MAGIC = 1.5 * 2**23
"""Added to a float32, this leaves its whole part in the lowest bits."""
_EXPONENT_BIAS, _MANTISSA_BITS = 127, 23
# 2**f for f from -1/2 to 1/2: its Taylor series, to below the rounding of float32.
_SERIES = tuple(math.log(2) ** power / math.factorial(power) for power in range(8))


def grouped_attention(
    queries: mx.array, keys: mx.array, values: mx.array, scale: float, mask: Mask
) -> mx.array:
    """softmax(scale × QKᵀ) V, with fewer heads of keys and values than of queries.

    Args:
        queries: (B, H, L, D), the last L of the sequence.
        keys: (B, Hkv, S, D).
        values: (B, Hkv, S, D).
        scale: Of the scores.
        mask: None where every key is seen, `causal` where none that is later, else (L, S) bool.

    Returns:
        (B, H, L, D), lazy; on a CPU all but the last product of several queries is computed.
    """
    if queries.shape[2] < _FEW or not _computes_here(queries):
        return mx.fast.scaled_dot_product_attention(queries, keys, values, scale=scale, mask=mask)
    heads, length, span = queries.shape[1], queries.shape[2], keys.shape[2]
    rows = max(1, _BLOCK // (heads * span))
    queries = queries * scale
    blocks: list[mx.array] = []
    for start in range(0, length, rows):
        end = min(start + rows, length)
        some = queries[:, :, start:end]
        if mask == "causal":  # only among the last keys, the queries' own, is anything hidden
            seen = span - length + end
            hidden = np.triu(np.full((end - start, end - start), -np.inf, np.float32), 1)
            blocks.append(_attend(some, keys[:, :, :seen], values[:, :, :seen], hidden))
        else:
            hidden = None if mask is None else _hiding(mask[start:end])
            blocks.append(_attend(some, keys, values, hidden))
    return blocks[0] if len(blocks) == 1 else mx.concatenate(blocks, axis=2)


def swiglu(gate: mx.array, up: mx.array) -> mx.array:
    """silu(gate) × up, with silu(x) = x / (1 + exp(-x)) (Shazeer 2020, arXiv:2002.05202).

    Args:
        gate: (B, L, inner).
        up: (B, L, inner).
    """
    if gate.shape[1] < _FEW or not _computes_here(gate):
        return gate * mx.sigmoid(gate) * up
    return gate * up / (1.0 + exp(-gate))


def exp(x: mx.array) -> mx.array:
    """E to the x, of float32; outside ±87 that of the bound.

    e**x = 2**n × 2**f with n whole and f at most a half: 2**n is written into the exponent bits,
    2**f is a polynomial.
    """
    power = mx.clip(x * (1 / math.log(2)), -_LARGEST, _LARGEST)
    shifted = power + _MAGIC
    fraction = power - (shifted - _MAGIC)
    series = fraction * _SERIES[-1] + _SERIES[-2]
    for factor in reversed(_SERIES[:-2]):
        series = series * fraction + factor
    bits = (mx.view(shifted, mx.int32) << _MANTISSA_BITS) + (_EXPONENT_BIAS << _MANTISSA_BITS)
    return series * mx.view(bits, mx.float32)


def working_values(queries: int, scores: int) -> int:
    """How many float32 values `grouped_attention` needs at once on a CPU for so many scores."""
    if queries < _FEW:
        return scores
    return min(scores, max(_BLOCK, scores // queries)) * _COPIES


def _computes_here(x: mx.array) -> bool:
    return x.dtype == mx.float32 and not mx.metal.is_available()


def _hiding(seen: mx.array) -> _Floats:
    """What to add to the scores of keys (L, S) bool: 0, or -inf where one is not seen."""
    shown = cast("NDArray[np.bool_]", np.asarray(seen))
    return np.where(shown, np.float32(0), np.float32(-np.inf))


def _attend(
    queries: mx.array, keys: mx.array, values: mx.array, hidden: _Floats | None
) -> mx.array:
    """Attention with the queries that share a head of keys one below the other.

    Args:
        queries: (B, H, L, D), scaled.
        keys: (B, Hkv, S, D).
        values: (B, Hkv, S, D).
        hidden: (L, n), added to the scores of the last n keys, for each head.

    Returns:
        (B, H, L, D).
    """
    batch, heads, rows, dim = queries.shape
    shared = keys.shape[1]
    grouped = queries.reshape(batch, shared, heads // shared * rows, dim)
    weights = cast("_Floats", np.array(grouped @ keys.swapaxes(-1, -2)))
    if hidden is not None:
        by_head = weights.reshape(batch, shared, heads // shared, rows, -1)
        by_head[..., -hidden.shape[1] :] += hidden
    weights -= weights.max(axis=-1, keepdims=True)
    np.exp(weights, out=weights)
    total = mx.array(weights.sum(axis=-1, keepdims=True))
    return (mx.array(weights) @ values / total).reshape(queries.shape)
