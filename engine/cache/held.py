"""What a cache stores, laid open: for the checks that it never changes."""

from collections.abc import Sequence
from dataclasses import dataclass

import mlx.core as mx


@dataclass(frozen=True)
class HeldLayer:
    """What a cache stores for one layer, slot by slot, as it lies in memory.

    Attributes:
        positions: For each slot the position of the token in it, -1 where there is none.
        keys: The arrays that make up the keys, each (1, Hkv, slots, …): one, or three quantised.
        values: Likewise.
        moved_by: How far the pinned keys stand from where they were computed for, in positions.
    """

    positions: Sequence[int]
    keys: tuple[mx.array, ...]
    values: tuple[mx.array, ...]
    moved_by: int = 0
