"""Attention and the gate of a feed-forward, with what is fastest on the device at hand.

On Metal MLX's own kernels are used. On a CPU MLX computes exponentials one by one; here they are a
polynomial, which needs only products and sums and so runs on whole vectors: about five times
faster, and as near to the true value.
"""

import math

import mlx.core as mx

from engine.cache import Mask

_FEW = 8
"""With fewer queries than this MLX's own attention is as fast, and its graph smaller."""
_BLOCK = 1 << 18
"""How many scores are computed at once, so that they stay in the processor's cache."""
_COPIES = 8
"""How many arrays of the size of a block there are while its exponentials are computed."""
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
        (B, H, L, D), lazy.
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
        if mask == "causal":
            seen = span - length + end
            blocks.append(_causal(some, keys[:, :, :seen], values[:, :, :seen]))
        else:
            part = None if mask is None else mask[start:end]
            blocks.append(_masked(some, keys, values, part))
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
    return scores if queries < _FEW else min(scores, _BLOCK) * _COPIES


def _computes_here(x: mx.array) -> bool:
    return x.dtype == mx.float32 and not mx.metal.is_available()


def _causal(queries: mx.array, keys: mx.array, values: mx.array) -> mx.array:
    """The last keys are the queries' own, and only among these is anything hidden."""
    rows, span = queries.shape[2], keys.shape[2]
    past = span - rows
    hidden = mx.triu(mx.full((rows, rows), -mx.inf), 1)
    new = _scores(queries, keys[:, :, past:], hidden)
    top = mx.max(new, axis=-1, keepdims=True)
    old = _scores(queries, keys[:, :, :past], None) if past else None
    if old is not None:
        top = mx.maximum(top, mx.max(old, axis=-1, keepdims=True))
    weights = exp(new - top)
    total, mixed = mx.sum(weights, axis=-1, keepdims=True), weights @ values[:, :, past:]
    if old is not None:
        weights = exp(old - top)
        total = total + mx.sum(weights, axis=-1, keepdims=True)
        mixed = mixed + weights @ values[:, :, :past]
    return (mixed / total).reshape(queries.shape)


def _masked(queries: mx.array, keys: mx.array, values: mx.array, seen: mx.array | None) -> mx.array:
    hidden = None if seen is None else mx.where(seen, 0.0, -mx.inf)
    scores = _scores(queries, keys, hidden)
    weights = exp(scores - mx.max(scores, axis=-1, keepdims=True))
    mixed = weights @ values / mx.sum(weights, axis=-1, keepdims=True)
    return mixed.reshape(queries.shape)


def _scores(queries: mx.array, keys: mx.array, hidden: mx.array | None) -> mx.array:
    """QKᵀ with the queries that share a head of keys one below the other: (B, Hkv, H/Hkv × L, S).

    Args:
        queries: (B, H, L, D), scaled.
        keys: (B, Hkv, S, D).
        hidden: (L, S), added to the scores of each head: 0, or -inf where a key is not seen.
    """
    batch, heads, rows, dim = queries.shape
    shared, span = keys.shape[1], keys.shape[2]
    grouped = queries.reshape(batch, shared, heads // shared * rows, dim)
    scores = grouped @ keys.swapaxes(-1, -2)
    if hidden is None:
        return scores
    by_head = scores.reshape(batch, shared, heads // shared, rows, span) + hidden
    return by_head.reshape(scores.shape)
