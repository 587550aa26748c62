"""Attention of one layer in the open: every head's queries, keys, values, scores and weights."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import cast

import mlx.core as mx
import numpy as np
from numpy.typing import NDArray

from engine.cache import LayerCache, Mask
from engine.kernels import grouped_attention
from engine.llama import split_heads
from engine.model import Model
from engine.rope import Rope

Floats = NDArray[np.float32]

_ALL = slice(None)


@dataclass(frozen=True)
class Heads:
    """Queries, keys and values of one layer, split into heads; lazy.

    Attributes:
        queries: (H, n, D), rotated.
        keys: (Hkv, S, D), rotated, of all tokens that the layer holds.
        values: (Hkv, S, D).
        own_keys: (Hkv, n, D), rotated, of the same tokens as the queries; a cache may hold them
            quantised.
        unrotated_queries: (H, n, D), before RoPE.
        unrotated_keys: (Hkv, n, D), before RoPE, of the same tokens.
        positions: Where the token of each key stands, S numbers; -1 for a slot without one.
        seen: (n, S) bool, which keys each query sees.
        scale: What scores are multiplied by, 1 / √D.
    """

    queries: mx.array
    keys: mx.array
    values: mx.array
    own_keys: mx.array
    unrotated_queries: mx.array
    unrotated_keys: mx.array
    positions: list[int]
    seen: mx.array
    scale: float

    def kv_head(self, head: int) -> int:
        """The KV head that a query head shares with its neighbours."""
        return head * self.keys.shape[0] // self.queries.shape[0]

    def scores(self, head: int, rows: slice = _ALL) -> mx.array:
        """Scaled products q · k / √D, (n, S) float32; -inf where a key is not seen."""
        queries = self.queries[head, rows].astype(mx.float32)
        keys = self.keys[self.kv_head(head)].astype(mx.float32)
        return mx.where(self.seen[rows], (queries @ keys.T) * self.scale, -mx.inf)

    def weights(self, head: int, rows: slice = _ALL) -> mx.array:
        """Their softmax, (n, S) float32: rows sum to 1, what is not seen has exactly 0."""
        return mx.softmax(self.scores(head, rows), axis=-1, precise=True)


@dataclass(frozen=True)
class Place:
    """Where tokens stand, and what they see.

    Attributes:
        start: The position of the first.
        mask: As `engine.llama.Attention` takes it.
        cache: Keys and values of the tokens before; None where there are none.
    """

    start: int
    mask: Mask
    cache: LayerCache | None


def attend(
    model: Model, layer: int, normed: mx.array, place: Place, *, rotated: bool
) -> tuple[Heads, mx.array]:
    """softmax(QKᵀ / √D) V, as the layer's `engine.llama.Attention` has it but for o_proj.

    Args:
        model: One that runs in Cutaway's own decoder.
        layer: Counted from 0.
        normed: (1, n, hidden), the residual stream after input_layernorm.
        place: Where the tokens stand; its cache is extended by them.
        rotated: Whether RoPE rotates; if not, every token stands at position 0.

    Returns:
        The heads, and what they found, side by side: (1, n, H × D); lazy.
    """
    count = normed.shape[1]
    attn, dim = model.decoder.layers[layer].self_attn, model.config.head_dim
    unrotated_queries = split_heads(attn.q_proj(normed), dim, attn.q_norm)
    unrotated_keys = split_heads(attn.k_proj(normed), dim, attn.k_norm)
    values = split_heads(attn.v_proj(normed), dim, None)
    rope = rope_of(model, layer)
    rotate = rope if rotated else _unmoved(rope)
    queries = rotate(unrotated_queries, place.start)
    keys = own_keys = rotate(unrotated_keys, place.start)
    positions = list(range(count))
    if place.cache is not None:
        keys, values = place.cache.update(keys, values)
        positions = place.cache.positions()
    scale = dim**-0.5
    out = grouped_attention(queries, keys, values, scale, place.mask)
    heads = Heads(
        queries=queries[0],
        keys=keys[0],
        values=values[0],
        own_keys=own_keys[0],
        unrotated_queries=unrotated_queries[0],
        unrotated_keys=unrotated_keys[0],
        positions=positions,
        seen=_seen(place.mask, place.start, count, len(positions)),
        scale=scale,
    )
    return heads, out.transpose(0, 2, 1, 3).reshape(*normed.shape[:2], -1)


def rope_of(model: Model, layer: int) -> Rope:
    """The RoPE of a layer; sliding ones may have their own."""
    slides = model.config.windows[layer] is not None
    return model.decoder.sliding_rope if slides else model.decoder.rope


def _unmoved(rope: Rope) -> Callable[[mx.array, int], mx.array]:
    """RoPE with every token at position 0: the rotation by nothing, yarn's factor kept."""

    def rotate(x: mx.array, _offset: int) -> mx.array:
        # Each token becomes a sequence of its own.
        return rope(x.transpose(2, 1, 0, 3), 0).transpose(2, 1, 0, 3)

    return rotate


def _seen(mask: Mask, start: int, queries: int, keys: int) -> mx.array:
    """A mask written out: (queries, keys) bool."""
    if mask is None:
        return mx.ones((queries, keys), dtype=mx.bool_)
    if isinstance(mask, mx.array):
        return mask
    return mx.arange(keys)[None, :] <= mx.arange(start, start + queries)[:, None]


def floats(array: mx.array) -> Floats:
    """An array as evaluated float32 numbers of NumPy."""
    return cast("Floats", np.array(array.astype(mx.float32)))
