"""A sequence's way through the blocks, opened up: what each block reads, computes and adds.

It is `engine.llama` once more, written for looking: the same modules called in the same order on
the same arrays, so that what is shown is bit for bit what the network computes, but with every part
in the open, and with mask or RoPE set aside where the caller asks for it. The network itself knows
nothing of this and pays nothing for it.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import cast

import mlx.core as mx
import numpy as np
from numpy.typing import NDArray

from engine.asked import (
    CHUNK,
    MOST_TOKENS,
    check_layer,
    check_position,
    check_room,
    checked_ids,
    pass_bytes,
)
from engine.cache import Cache, CachePolicy, LayerCache, Mask, causal_mask
from engine.conditions import UNWATCHED, USUAL, Conditions, Watch
from engine.config import ModelConfig
from engine.errors import PromptError
from engine.layers import RMSNorm
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
class BlockPass:
    """Some tokens in one block; arrays (1, n, hidden), lazy.

    Attributes:
        layer: The block.
        start: The position of the first token.
        before: The residual stream that the block reads.
        normed: It after input_layernorm.
        heads: Queries, keys and values.
        mixed: What the heads found, side by side: (1, n, H × D).
        attention: What attention adds to the stream.
        middle: The stream after that.
        middle_normed: It after post_attention_layernorm.
        feed_forward: What the feed-forward adds.
        after: The stream that the next block reads.
    """

    layer: int
    start: int
    before: mx.array
    normed: mx.array
    heads: Heads
    mixed: mx.array
    attention: mx.array
    middle: mx.array
    middle_normed: mx.array
    feed_forward: mx.array
    after: mx.array

    @property
    def count(self) -> int:
        """How many tokens, n."""
        return self.before.shape[1]


def passes(
    model: Model,
    ids: Sequence[int],
    conditions: Conditions = USUAL,
    *,
    until: int | None = None,
    watch: Watch = UNWATCHED,
) -> Iterator[BlockPass]:
    """Run a sequence block by block.

    Args:
        model: One that runs in Cutaway's own decoder.
        ids: L token ids.
        conditions: Up to 1,024 tokens come at once; more, and all under a policy other than the
            usual one, in chunks through a cache, each going through all blocks before the next.
        until: The last block of interest, which is handed out but not computed to its end unless
            the caller does; None for all blocks.
        watch: Told after each block.

    Yields:
        Every block in turn, for every chunk in turn. What the caller evaluates of it is computed
        once; the block's output is computed when the next one is asked for.

    Raises:
        UnsupportedError: The model runs through mlx-lm.
        PromptError: The ids are none, not of this vocabulary, or too many for the model's RoPE.
        SettingError: There is no such layer, or the model cannot have such a cache.
        CancelledError: The caller stopped it.
    """
    decoder = model.decoder
    checked = checked_ids(model, ids)
    _check_conditions(model, len(checked), conditions)
    last = len(decoder.layers) - 1 if until is None else check_layer(model, until)
    if conditions.policy == CachePolicy() and len(checked) <= MOST_TOKENS:
        chunks = _at_once(model.config, checked, conditions)
    else:
        chunks = _chunked(model, checked, conditions.policy, last)
    done, total = 0, len(ids) * (last + 1)
    watch.check()
    for chunk in chunks:
        x = decoder.embed_tokens(mx.array([chunk.ids], dtype=mx.int32))
        for layer in range(last + 1):
            part = _block_pass(model, layer, x, chunk, conditions)
            yield part
            if layer < last:
                mx.eval(part.after)
            x = part.after
            done += part.count
            watch.step(done, total)


def pass_at(
    model: Model,
    ids: Sequence[int],
    layer: int,
    position: int,
    conditions: Conditions,
    watch: Watch,
) -> tuple[BlockPass, int]:
    """One token in one block.

    Args:
        model: One that runs in Cutaway's own decoder.
        ids: L token ids.
        layer: The block.
        position: Of the token.
        conditions: As for `passes`.
        watch: Told after each block.

    Returns:
        The pass of the token's chunk through the block, and the token's row in it.

    Raises:
        MemoryLimitError: There is no memory for a pass.
        EngineError: As `passes` does, and where there is no such token.
    """
    check_layer(model, layer)
    check_position(ids, position)
    needed = pass_bytes(model.config, len(ids), model.network.dtype.size)
    check_room(model, f"A pass of {len(ids):,} tokens", needed, "take fewer tokens")
    for part in passes(model, ids, conditions, until=layer, watch=watch):
        if part.layer == layer and position < part.start + part.count:
            return part, position - part.start
    raise AssertionError("every token is in a chunk")


def floats(array: mx.array) -> Floats:
    """An array as evaluated float32 numbers of NumPy."""
    return cast("Floats", np.array(array.astype(mx.float32)))


@dataclass(frozen=True)
class _Chunk:
    """Tokens that go through the blocks together; what they see and go by, for each layer."""

    ids: list[int]
    start: int
    masks: Sequence[Mask]
    caches: Sequence[LayerCache | None]


def _check_conditions(model: Model, tokens: int, conditions: Conditions) -> None:
    for layer in conditions.layers or ():
        check_layer(model, layer)
    if tokens > MOST_TOKENS and not (conditions.mask and conditions.rope):
        raise PromptError(
            f"Mask and RoPE can be set aside for at most {MOST_TOKENS:,} tokens, and these are "
            f"{tokens:,}; take a shorter text."
        )


def _at_once(config: ModelConfig, ids: list[int], conditions: Conditions) -> Iterator[_Chunk]:
    masks: list[Mask] = [
        causal_mask(len(ids), window) if conditions.masked(layer) else None
        for layer, window in enumerate(config.windows)
    ]
    yield _Chunk(ids, 0, masks, [None] * len(masks))


def _chunked(model: Model, ids: list[int], policy: CachePolicy, last: int) -> Iterator[_Chunk]:
    config, decoder = model.config, model.decoder
    # A cache of the layers that are run alone: others would have nothing to move or to count.
    few = replace(config, num_hidden_layers=last + 1, layer_types=config.layer_types[: last + 1])
    cache = Cache(few, policy, decoder.rope.move, decoder.sliding_rope.move)
    cache.expect(len(ids))
    while cache.length < len(ids):
        start = cache.length
        count = cache.chunk(min(CHUNK, len(ids) - start))
        extension = cache.extend(count)
        yield _Chunk(ids[start : start + count], start, extension.masks, cache.layers)
        mx.eval(cache.arrays())  # of the last layer too, whose output nobody may have asked for


def _block_pass(
    model: Model, layer: int, x: mx.array, chunk: _Chunk, conditions: Conditions
) -> BlockPass:
    """RMSNorm → attention → residual → RMSNorm → feed-forward → residual, kept apart."""
    block = model.decoder.layers[layer]
    normed = block.input_layernorm(x)
    heads, mixed = _attend(model, layer, normed, chunk, rotated=conditions.rotated(layer))
    attention = block.self_attn.o_proj(mixed)
    middle = x + attention
    middle_normed = block.post_attention_layernorm(middle)
    feed_forward = block.mlp(middle_normed)
    return BlockPass(
        layer=layer,
        start=chunk.start,
        before=x,
        normed=normed,
        heads=heads,
        mixed=mixed,
        attention=attention,
        middle=middle,
        middle_normed=middle_normed,
        feed_forward=feed_forward,
        after=middle + feed_forward,
    )


def _attend(
    model: Model, layer: int, normed: mx.array, chunk: _Chunk, *, rotated: bool
) -> tuple[Heads, mx.array]:
    """softmax(QKᵀ / √D) V: the heads, and what they found, (1, n, H × D)."""
    attn, dim = model.decoder.layers[layer].self_attn, model.config.head_dim
    unrotated_queries = _split(attn.q_proj(normed), dim, attn.q_norm)
    unrotated_keys = _split(attn.k_proj(normed), dim, attn.k_norm)
    values = _split(attn.v_proj(normed), dim, None)
    rope = rope_of(model, layer)
    rotate = rope if rotated else _unmoved(rope)
    queries = rotate(unrotated_queries, chunk.start)
    keys = own_keys = rotate(unrotated_keys, chunk.start)
    positions = list(range(len(chunk.ids)))
    cache = chunk.caches[layer]
    if cache is not None:
        keys, values = cache.update(keys, values)
        positions = cache.positions()
    mask = chunk.masks[layer]
    scale = dim**-0.5
    out = mx.fast.scaled_dot_product_attention(queries, keys, values, scale=scale, mask=mask)
    heads = Heads(
        queries=queries[0],
        keys=keys[0],
        values=values[0],
        own_keys=own_keys[0],
        unrotated_queries=unrotated_queries[0],
        unrotated_keys=unrotated_keys[0],
        positions=positions,
        seen=_seen(mask, chunk.start, len(chunk.ids), len(positions)),
        scale=scale,
    )
    return heads, out.transpose(0, 2, 1, 3).reshape(*normed.shape[:2], -1)


def rope_of(model: Model, layer: int) -> Rope:
    """The RoPE of a layer; sliding ones may have their own."""
    slides = model.config.windows[layer] is not None
    return model.decoder.sliding_rope if slides else model.decoder.rope


def _split(x: mx.array, dim: int, norm: RMSNorm | None) -> mx.array:
    """Heads (1, heads, n, D) of x (1, n, heads × D), each normalised where the family does."""
    heads = x.reshape(*x.shape[:2], -1, dim)
    return (heads if norm is None else norm(heads)).transpose(0, 2, 1, 3)


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
