"""Layers of a cache: the keys and values of one, and what those that see alike have in common."""

from collections.abc import Callable
from dataclasses import dataclass

import mlx.core as mx

from engine.cache.held import HeldLayer
from engine.cache.slots import Mask, Positions, Run, Slots
from engine.cache.store import STEP, Store

BLOCK = 256

Rotate = Callable[[mx.array, int], mx.array]


class Layout:
    """What layers that see alike share: which slots there are, and where the newest tokens go.

    It stands apart from the cache so that nothing refers back to it: a cache that is dropped is
    freed at once, not when Python next looks for cycles.
    """

    __slots__ = ("expected", "runs", "slots")

    def __init__(self, window: int | None, pinned: int) -> None:
        self.slots = Slots(window, pinned)
        self.runs: list[Run] = []
        self.expected = 0

    @property
    def reserved(self) -> int:
        """How many slots the buffers must have: whole steps, at most the capacity."""
        slots = -(-max(self.slots.span, self.expected) // STEP) * STEP
        capacity = self.slots.capacity
        return slots if capacity is None else min(slots, capacity)


@dataclass(frozen=True)
class LayerState:
    """Keys and values of one layer's slots as `Store.copy` takes them, pinned keys not moved."""

    keys: list[mx.array]
    values: list[mx.array]


class LayerCache:
    """Keys and values of one layer."""

    __slots__ = ("_keys", "_layout", "_pinned", "_values")

    def __init__(self, layout: Layout, keys: Store, values: Store) -> None:
        self._layout = layout
        self._keys = keys
        self._values = values
        self._pinned: list[mx.array] = []

    def update(self, keys: mx.array, values: mx.array) -> tuple[mx.array, mx.array]:
        """Hold what the cache was just extended by.

        Args:
            keys: (1, Hkv, L, D), rotated.
            values: (1, Hkv, L, D).

        Returns:
            All keys and values that are held, (1, Hkv, S, D), in the order of the mask.
        """
        slots, span = self._layout.reserved, self._layout.slots.span
        for store, new in ((self._keys, keys), (self._values, values)):
            if store.slots < slots:
                store.reserve(slots, new)
            for run in self._layout.runs:
                store.write(run.slot, new[:, :, run.start : run.end, :])
        return self._keys.read(0, span), self._values.read(0, span)

    def move_pinned(self, count: int, by: int, rotate: Rotate) -> None:
        """Stand the first `count` keys `by` positions later than they were computed for."""
        # Always from the copy: rotating or quantising what was moved before would add up errors.
        self._pinned = self._pinned or self._keys.copy(0, count)
        self._keys.paste(0, self._pinned)
        if by:
            self._keys.write(0, rotate(self._keys.read(0, count), by))

    def stored(self, moved_by: int) -> HeldLayer:
        """Keys and values of the slots in use bit for bit, in memory of their own.

        Args:
            moved_by: How far the pinned keys stand from where they were computed for.
        """
        span = self._layout.slots.span
        keys, values = self._keys.copy(0, span), self._values.copy(0, span)
        return HeldLayer(self.positions(), tuple(keys), tuple(values), moved_by)

    def copied(self, span: int) -> LayerState:
        """The first `span` slots, lazily; pinned keys as they were computed, not as moved."""
        keys = self._keys.copy(0, span)
        if self._pinned:
            count = min(self._pinned[0].shape[2], span)
            keys = [
                mx.concatenate([pinned[:, :, :count], part[:, :, count:]], axis=2)
                for pinned, part in zip(self._pinned, keys, strict=True)
            ]
        return LayerState(keys, self._values.copy(0, span))

    def resume(self, state: LayerState, like: mx.array) -> None:
        """Hold what `copied` took, in slots that were resumed before.

        Args:
            state: Keys and values.
            like: Keys or values of a token, (1, Hkv, 1, D), as the model computes them.
        """
        for store, parts in ((self._keys, state.keys), (self._values, state.values)):
            store.reserve(self._layout.reserved, like)
            store.paste(0, parts)

    def forget_pinned(self) -> None:
        """Drop the copy that `move_pinned` starts from: other keys are going to be pinned."""
        self._pinned = []

    @property
    def dtype(self) -> mx.Dtype:
        """Of keys and values as attention takes them, once there are any."""
        return self._keys.dtype

    @property
    def slots(self) -> int:
        """How many tokens there is room for."""
        return self._keys.slots

    @property
    def buffer_bytes(self) -> int:
        """Bytes of the buffers for keys and values."""
        return sum(array.nbytes for array in (*self._keys.arrays(), *self._values.arrays()))

    def held(self) -> tuple[mx.array, mx.array]:
        """Keys and values of the slots in use, (1, Hkv, S, D)."""
        span = self._layout.slots.span
        return self._keys.read(0, span), self._values.read(0, span)

    def positions(self) -> list[int]:
        """The position of the token in each slot in use, -1 where there is none."""
        return self._layout.slots.positions()

    def arrays(self) -> list[mx.array]:
        """Every buffer."""
        return [*self._keys.arrays(), *self._values.arrays(), *self._pinned]


class LayerGroup:
    """Layers that see alike: one window, and so one set of slots, masks and moves.

    Pinned keys grow old without bound. Where a query would stand further from them than the
    trained context reaches, they are moved up behind the window: RoPE scores depend on the
    distance alone, and rotations add up, so this is a rotation of a few dozen keys. They move
    from block to block of positions, so that where they stand depends on the query alone.
    """

    def __init__(self, window: int | None, pinned: int, reach: int, rotate: Rotate) -> None:
        """Prepare for layers that the caller adds.

        Args:
            window: How many recent tokens a query sees; None sees all.
            pinned: How many leading tokens it always sees; needs a window.
            reach: How far from a key queries stood in training, in tokens.
            rotate: Rotates keys (1, Hkv, L, D) further by a number of positions.
        """
        self.window = window
        self._pinned = 0 if window is None else pinned
        self._reach = reach
        self._rotate = rotate
        self.moved_by = 0
        self._layout = Layout(window, pinned)
        self._slots = self._layout.slots
        self.peak_slots = 0
        self.layers: list[LayerCache] = []

    def add(self, keys: Store, values: Store) -> LayerCache:
        """A new layer of this group."""
        self.layers.append(LayerCache(self._layout, keys, values))
        return self.layers[-1]

    @property
    def length(self) -> int:
        """How many tokens of the sequence have gone through."""
        return self._slots.length

    @property
    def span(self) -> int:
        """How many slots a query looks through."""
        return self._slots.span

    @property
    def filled(self) -> int:
        """Tokens per layer that are held."""
        return self._slots.filled

    @property
    def slots(self) -> int:
        """Tokens per layer that the buffers have room for."""
        return self.layers[0].slots

    @property
    def used_bytes(self) -> int:
        """Bytes of the slots that hold a token, in all layers."""
        allocated = sum(layer.buffer_bytes for layer in self.layers)
        return allocated * self.filled // self.slots if self.slots else 0

    def expect(self, length: int) -> None:
        """Reserve for `length` tokens at once."""
        self._layout.expected = length

    def chunk(self, most: int) -> int:
        """How many of the next `most` tokens one extension may add, at least 1."""
        largest = self._slots.largest_chunk
        if largest is None:
            return most
        same_block = BLOCK - self.length % BLOCK if self._pinned else most
        return min(most, largest, same_block)

    def extend(self, count: int) -> Mask:
        """Make place for the next `count` tokens; what each of them may see."""
        self._move_pinned()
        self._layout.runs = self._slots.place(count)
        self.peak_slots = max(self.peak_slots, self._layout.reserved)
        return self._slots.mask(count)

    def reusable(self, length: int) -> int:
        """After how many of the first `length` tokens these layers can be continued exactly."""
        return self._slots.reusable(length)

    def trim(self, length: int) -> None:
        """Forget every token from position `length` on."""
        if length < self._pinned:
            self._stand_pinned(0)
            for layer in self.layers:
                layer.forget_pinned()
        self._slots.trim(length)

    def trimmed(self, length: int) -> Positions:
        """The positions that `trim` would leave, -1 in slots without a token."""
        return self._slots.trimmed(length)

    def resume(self, length: int, positions: Positions) -> None:
        """Take over the slots of another sequence, before the layers take over what is in them.

        Raises:
            ValueError: No sequence of that length leaves slots like these.
        """
        self._slots.resume(length, positions)
        self.peak_slots = self._layout.reserved

    def positions(self) -> list[int]:
        """The position of the token in each slot, -1 where there is none."""
        return self._slots.positions()

    def _move_pinned(self) -> None:
        """Stand the pinned keys where the queries of the next token's block can reach them."""
        if self.window is None or not self._pinned or self.length < self._pinned:
            return
        block = self.length // BLOCK * BLOCK
        behind = max(block - self.window - self._pinned, 0)
        self._stand_pinned(0 if block + BLOCK <= self._reach else behind)

    def _stand_pinned(self, by: int) -> None:
        if by == self.moved_by:
            return
        self.moved_by = by
        for layer in self.layers:
            layer.move_pinned(self._pinned, by, self._rotate)
