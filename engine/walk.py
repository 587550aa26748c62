"""One token of one layer and head, step by step: from its query to the weighted sum of values."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import cast

import mlx.core as mx

from engine.asked import check_head, check_layer, check_position
from engine.conditions import UNWATCHED, USUAL, Conditions, Watch
from engine.errors import SettingError
from engine.heads import Floats, Heads, floats, rope_of
from engine.model import Model
from engine.passes import BlockPass, pass_at


@dataclass(frozen=True, eq=False)
class AttentionWalk:
    """What one head does for one token; everything float32 and evaluated.

    n is the number of tokens that it sees, D the head dimension.

    Attributes:
        layer: Counted from 0.
        head: The query head.
        kv_head: The head of keys and values that it shares with its neighbours.
        position: Of the token.
        query: (D,): what the token asks, rotated by its position.
        query_unrotated: (D,): the same before RoPE.
        positions: Of the tokens that it sees, ascending, n.
        keys: (n, D): their signs, rotated by their positions, as the cache holds them.
        products: (n,): query · key.
        scale: 1 / √D.
        scores: (n,): products × scale.
        weights: (n,): softmax of the scores.
        values: (n, D): what the tokens say.
        mixed: (D,): Σ weight × value, what the head found.
        contribution: (hidden,): what o_proj makes of this head's find alone, a bias left out.
        output: (hidden,): what all heads of the layer add to the residual stream.
    """

    layer: int
    head: int
    kv_head: int
    position: int
    query: Floats
    query_unrotated: Floats
    positions: tuple[int, ...]
    keys: Floats
    products: Floats
    scale: float
    scores: Floats
    weights: Floats
    values: Floats
    mixed: Floats
    contribution: Floats
    output: Floats


def walk_attention(
    model: Model,
    ids: Sequence[int],
    layer: int,
    head: int,
    position: int,
    *,
    conditions: Conditions = USUAL,
    watch: Watch = UNWATCHED,
) -> AttentionWalk:
    """Follow one token through one head.

    Args:
        model: One that runs in Cutaway's own decoder.
        ids: L token ids.
        layer: Counted from 0.
        head: Of the queries.
        position: Which token.
        conditions: A rotating or quantised cache, or mask and RoPE set aside.
        watch: Follows and stops.

    Raises:
        UnsupportedError: The model runs through mlx-lm.
        PromptError: The ids are none, or not of this vocabulary.
        SettingError: There is no such layer, head or token.
        MemoryLimitError: There is no memory for a pass.
        CancelledError: The caller stopped it.
    """
    check_layer(model, layer)
    check_head(model, head)
    part, row = pass_at(model, ids, layer, position, conditions, watch)
    heads = part.heads
    shared = heads.kv_head(head)
    slots = _seen_slots(heads, row)
    query = heads.queries[head, row].astype(mx.float32)
    keys = heads.keys[shared][mx.array(slots)].astype(mx.float32)
    values = heads.values[shared][mx.array(slots)].astype(mx.float32)
    products = keys @ query
    scores = products * heads.scale
    weights = mx.softmax(scores, precise=True)
    mixed = weights @ values
    return AttentionWalk(
        layer=layer,
        head=head,
        kv_head=shared,
        position=position,
        query=floats(query),
        query_unrotated=floats(heads.unrotated_queries[head, row]),
        positions=tuple(heads.positions[slot] for slot in slots),
        keys=floats(keys),
        products=floats(products),
        scale=heads.scale,
        scores=floats(scores),
        weights=floats(weights),
        values=floats(values),
        mixed=floats(mixed),
        contribution=floats(_through_o_proj(model, part, head, mixed)),
        output=floats(part.attention[0, row]),
    )


def scores_by_distance(
    model: Model,
    ids: Sequence[int],
    layer: int,
    head: int,
    pair: tuple[int, int],
    most: int = 256,
) -> Floats:
    """The score of one query and one key, were they 0, 1, … `most` tokens apart.

    RoPE makes scores depend on the distance alone, so the key stays at position 0 and the query
    moves (Su et al. 2021, arXiv:2104.09864).

    Args:
        model: One that runs in Cutaway's own decoder.
        ids: L token ids.
        layer: Counted from 0.
        head: Of the queries.
        pair: The positions of the tokens whose query and key are taken.
        most: The largest distance, in tokens.

    Returns:
        (most + 1,) float32.

    Raises:
        EngineError: As `walk_attention` does.
    """
    check_layer(model, layer)
    check_head(model, head)
    asks, says = pair
    check_position(ids, says)
    longest = model.config.longest_sequence or model.config.max_position_embeddings
    if not 0 <= most < longest:
        raise SettingError("Distances go up to {most:,} tokens for this model.", most=longest - 1)
    part, row = pass_at(model, ids, layer, asks, USUAL, UNWATCHED)
    heads, rope = part.heads, rope_of(model, layer)
    query = heads.unrotated_queries[head, row]
    key = heads.unrotated_keys[heads.kv_head(head), says]
    moved = rope(mx.broadcast_to(query, (1, 1, most + 1, query.size)), 0)[0, 0]
    still = rope(key.reshape(1, 1, 1, -1), 0)[0, 0, 0]
    return floats((moved.astype(mx.float32) @ still.astype(mx.float32)) * heads.scale)


def _seen_slots(heads: Heads, row: int) -> list[int]:
    """The slots that a query sees, in the order of their tokens."""
    seen = cast("list[bool]", heads.seen[row].tolist())
    slots = (slot for slot, is_seen in enumerate(seen) if is_seen)
    return sorted(slots, key=heads.positions.__getitem__)


def _through_o_proj(model: Model, part: BlockPass, head: int, mixed: mx.array) -> mx.array:
    """What o_proj gives for one head's find, less what it gives for nothing."""
    heads, dim = part.heads.queries.shape[0], mixed.size
    alone = mx.zeros((2, heads, dim))
    alone[0, head] = mixed
    rows = alone.reshape(2, heads * dim).astype(part.mixed.dtype)
    found = model.decoder.layers[part.layer].self_attn.o_proj(rows).astype(mx.float32)
    return found[0] - found[1]
