"""What a cache stores as hashes, before and after each token."""

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import cast

import mlx.core as mx
import numpy as np

from engine.cache import CachePolicy
from engine.cache.held import HeldLayer
from engine.exhibits.scoring import pieces, step
from engine.model import Model


@dataclass(frozen=True)
class HashedStep:
    """One token run through the cache.

    Attributes:
        position: Of the token.
        piece: Its text.
        before: Hash of all keys and values of earlier tokens before it was run; empty for the
            first, which has none.
        after: The same after it.
        own: Hash of the keys and values that it added, in all layers.
        values: How many stored numbers the hashes before and after are of.
    """

    position: int
    piece: str
    before: str
    after: str
    own: str
    values: int


def hashed(model: Model, ids: Sequence[int]) -> Iterator[HashedStep]:
    """Run one token after the other, hashing what is stored before and after each."""
    cache = model.network.new_cache(CachePolicy())
    before: list[HeldLayer] = []
    for position, (token, piece) in enumerate(zip(ids, pieces(model, ids), strict=True)):
        step(model, cache, [token])
        after = cast("list[HeldLayer]", cache.held())
        kept = [_shared(was, now) for was, now in zip(before, after, strict=False)]
        old, values = stored_hash(before, kept)
        new, _ = stored_hash(after[: len(kept)], kept)
        own, _ = stored_hash(after, [_slots_of(layer, position) for layer in after])
        yield HashedStep(position, piece, old, new, own, values)
        before = after


def stored_hash(layers: Sequence[HeldLayer], slots: Sequence[Sequence[int]]) -> tuple[str, int]:
    """A hash of some slots of all layers, and how many stored numbers it is of.

    BLAKE2b with 64 bits over the bytes of keys and values as they lie in memory, layer after
    layer: equal bits give equal hashes, and two different contents give the same one with a
    chance of 1 in 2^64.

    Args:
        layers: What a cache holds.
        slots: For each layer, which slots.

    Returns:
        16 hexadecimal digits, none where there is nothing to hash; and the count.
    """
    found = hashlib.blake2b(digest_size=8)
    count = 0
    for layer, chosen in zip(layers, slots, strict=True):
        if not chosen:
            continue
        index = mx.array(list(chosen))
        for array in (*layer.keys, *layer.values):
            taken = mx.contiguous(array[:, :, index])
            found.update(_bytes(taken))
            count += taken.size
    return (found.hexdigest() if count else ""), count


def _bytes(array: mx.array) -> bytes:
    """An array's memory; by way of whole numbers, as NumPy has no bfloat16."""
    whole_numbers = {1: mx.uint8, 2: mx.uint16, 4: mx.uint32, 8: mx.uint64}
    return np.array(array.view(whole_numbers[array.dtype.size])).tobytes()


def _shared(was: HeldLayer, now: HeldLayer) -> list[int]:
    """The slots that hold the same token before and after."""
    pairs = enumerate(zip(was.positions, now.positions, strict=False))
    return [slot for slot, (old, new) in pairs if old == new >= 0]


def _slots_of(layer: HeldLayer, position: int) -> list[int]:
    return [slot for slot, held in enumerate(layer.positions) if held == position]
