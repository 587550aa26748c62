"""Attention of one layer on the same vectors in other orders, with RoPE and without."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import mlx.core as mx
import numpy as np

from engine.cache import causal_mask
from engine.conditions import Conditions
from engine.exhibits.common import Claim, Watch
from engine.exhibits.looking import changed_bits, followed, largest, rounding_bound
from engine.exhibits.scoring import pieces
from engine.heads import Floats, Place, attend, floats
from engine.model import Model
from engine.passes import pass_at

_SEED = 1  # of the shuffles
_TRIES = 4  # per shuffle that is wanted, as some come twice


@dataclass(frozen=True)
class Reordered:
    """The same vectors in another order, under one layer's attention.

    Attributes:
        pieces: The tokens in this order, and those that look.
        without_rope: How far the output for the last token is then from that in the first order:
            the largest difference of a number.
        with_rope: The same with RoPE.
        differing_bits: How many numbers of the output differ at all without RoPE.
    """

    pieces: tuple[str, ...]
    without_rope: float
    with_rope: float
    differing_bits: int


@dataclass(frozen=True)
class OneLayer:
    """Attention of one layer.

    Attributes:
        layer: From 0.
        orders: The other order first, then shuffles.
        width: How many numbers an output has.
        scale: The largest of them.
        rounding_bound: What another order of the same sums may change.
    """

    layer: int
    orders: tuple[Reordered, ...]
    width: int
    scale: float
    rounding_bound: float


def reorder(
    model: Model, layer: int, ids: Sequence[int], orders: Sequence[list[int]], watch: Watch
) -> OneLayer:
    """Give attention of one layer its inputs in other orders.

    Args:
        model: One that runs in Cutaway's own decoder.
        layer: From 0.
        ids: The tokens in the first order, in which the network runs up to the layer.
        orders: Where the tokens of each other order stand in the first; all end with the same.
        watch: Follows and stops.
    """
    last = len(ids) - 1
    part, _ = pass_at(model, ids, layer, last, Conditions(), followed(watch.part(0.0, 0.5)))
    usual = list(range(len(ids)))
    bare, turned = (
        attended(model, layer, part.normed, usual, rotated=rotated) for rotated in (False, True)
    )
    texts, found = pieces(model, ids), list[Reordered]()
    for index, order in enumerate(orders):
        without = attended(model, layer, part.normed, order, rotated=False)
        with_rope = attended(model, layer, part.normed, order, rotated=True)
        found.append(
            Reordered(
                pieces=tuple(texts[at] for at in order),
                without_rope=largest(without - bare),
                with_rope=largest(with_rope - turned),
                differing_bits=changed_bits(without, bare),
            )
        )
        watch.tell(0.5 + 0.5 * (index + 1) / len(orders))
    scale = largest(bare)
    return OneLayer(layer, tuple(found), bare.size, scale, rounding_bound(model, scale))


def attended(
    model: Model, layer: int, normed: mx.array, order: Sequence[int], *, rotated: bool
) -> Floats:
    """What one layer's attention adds to the last token, its inputs (1, n, hidden) reordered."""
    mask = causal_mask(len(order), model.config.windows[layer])
    reordered = normed[:, mx.array(list(order))]
    _, mixed = attend(model, layer, reordered, Place(0, mask, None), rotated=rotated)
    return floats(model.decoder.layers[layer].self_attn.o_proj(mixed)[0, -1])


def reordering_claims(layer: OneLayer) -> Iterator[Claim]:
    """What should be seen of one layer."""
    yield Claim(
        "no_order",
        "Without RoPE, what attention of one layer makes of a set of tokens is the same in "
        "whatever order they stand, but for rounding.",
        max(order.without_rope for order in layer.orders), "≤", layer.rounding_bound, "per number",
    )  # fmt: skip
    yield Claim(
        "rope_knows",
        "With RoPE every other order changes it by more than it ever changes without.",
        min(order.with_rope for order in layer.orders), ">",
        max(order.without_rope for order in layer.orders), "per number",
    )  # fmt: skip


def shuffles(
    ids: Sequence[int], known: Sequence[int], words: range, count: int
) -> Iterator[list[int]]:
    """Other orders, whose tokens read differently in each: two of the same may not change places.

    Args:
        ids: The tokens in the first order.
        known: Another order that there is already.
        words: The places that are shuffled; all others stay.
        count: How many; fewer where there are no more.
    """
    generator = np.random.default_rng(_SEED)
    seen = {tuple(ids), tuple(ids[at] for at in known)}
    for _ in range(count * _TRIES):
        moved = map(int, generator.permutation(words))
        order = [*range(words.start), *moved, *range(words.stop, len(known))]
        reads = tuple(ids[at] for at in order)
        if len(seen) < count + 2 and reads not in seen:
            seen.add(reads)
            yield order
