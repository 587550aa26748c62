"""A sequence's way through the blocks, opened up: what each block reads, computes and adds.

It is `engine.llama` once more, written for looking: the same modules called in the same order on
the same arrays, so that what is shown is bit for bit what the network computes, but with every part
in the open, and with mask or RoPE set aside where the caller asks for it. The network itself knows
nothing of this and pays nothing for it.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import mlx.core as mx

from engine.asked import (
    CHUNK,
    MOST_TOKENS,
    check_layer,
    check_pass,
    check_position,
    checked_ids,
)
from engine.cache import Cache, CachePolicy, LayerCache, Mask, causal_mask
from engine.conditions import UNWATCHED, USUAL, Conditions, Watch
from engine.config import ModelConfig
from engine.errors import PromptError
from engine.heads import Heads, Place, attend
from engine.model import Model


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
    check_pass(model, len(ids))
    for part in passes(model, ids, conditions, until=layer, watch=watch):
        if part.layer == layer and position < part.start + part.count:
            return part, position - part.start
    raise AssertionError("every token is in a chunk")


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
            "Mask and RoPE can be set aside for at most {most:,} tokens, and these are "
            "{tokens:,}; take a shorter text.",
            most=MOST_TOKENS,
            tokens=tokens,
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
    place = Place(chunk.start, chunk.masks[layer], chunk.caches[layer])
    heads, mixed = attend(model, layer, normed, place, rotated=conditions.rotated(layer))
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
