"""Which token stands in which slot, and which slots a query may see.

The one rule: a query at position q sees a key at position p exactly when p ≤ q and
(p < pinned or q - p < window). Pinned tokens keep the first slots; the rest share a ring that is a
prefill chunk longer than the window, so that a chunk never overwrites a key its queries still see.
"""

import itertools
from dataclasses import dataclass
from typing import Literal

import mlx.core as mx
import numpy as np
from numpy.typing import NDArray

Mask = mx.array | Literal["causal"] | None
Positions = NDArray[np.int64]

_EMPTY = -1
_LEAST_CHUNK, _MOST_CHUNK = 16, 256


@dataclass(frozen=True)
class Run:
    """New tokens `start` to `end` go to the slots from `slot` on, without a gap."""

    slot: int
    start: int
    end: int


class Slots:
    """The slots of one sequence; all layers that see alike share them."""

    def __init__(self, window: int | None, pinned: int) -> None:
        self._window = window
        self._pinned = pinned if window is not None else 0
        self._ring = 0
        if window is not None:
            self._ring = slots_of_window(window)
        self._positions = np.full(0, _EMPTY, dtype=np.int64)
        self.length = 0

    @property
    def largest_chunk(self) -> int | None:
        """The most tokens that may be placed at once; None where there is no bound."""
        return None if self._window is None else self._ring - self._window

    @property
    def capacity(self) -> int | None:
        """The most slots there will ever be; None where there is no bound."""
        return None if self._window is None else self._pinned + self._ring

    @property
    def span(self) -> int:
        """How many slots, from the first on, hold or have held a token."""
        return self._positions.size

    @property
    def filled(self) -> int:
        """How many slots hold a token."""
        return int(np.count_nonzero(self._positions != _EMPTY))

    def positions(self) -> list[int]:
        """The position of the token in each slot, -1 where there is none."""
        return self._positions.tolist()

    def place(self, count: int) -> list[Run]:
        """Give the next `count` tokens, at most `largest_chunk`, their slots."""
        assert self.largest_chunk is None or count <= self.largest_chunk
        positions = np.arange(self.length, self.length + count)
        slots = self._slots_of(positions)
        span = max(self.span, int(slots.max()) + 1)
        if span > self.span:
            more = np.full(span - self.span, _EMPTY, dtype=np.int64)
            self._positions = np.concatenate([self._positions, more])
        self._positions[slots] = positions
        self.length += count
        edges = [0, *(np.flatnonzero(np.diff(slots) != 1) + 1).tolist(), count]
        return [Run(int(slots[start]), start, end) for start, end in itertools.pairwise(edges)]

    def mask(self, count: int) -> Mask:
        """What each of the last `count` placed tokens may see, as attention takes it.

        Returns:
            None where all slots are seen, `causal` where that says it, else (count, span) bool.
        """
        if self.span == self.length and (
            self._window is None or self.length <= self._pinned + self._window
        ):
            return "causal" if count > 1 else None
        queries = np.arange(self.length - count, self.length)
        return mx.array(_seen(queries, self._positions, self._window, self._pinned))

    def reusable(self, length: int) -> int:
        """After how many of the first `length` tokens the sequence can be continued exactly.

        All of them while every key that the next query would see is still held, and the last one
        of all, so that what is held is never nothing; otherwise the pinned ones, which always are.
        """
        length = min(length, self.length)
        if self._window is None:
            return length
        needed = np.arange(max(length - max(self._window - 1, 1), 0), length)
        if np.isin(needed, self._positions).all():
            return length
        return min(length, self._pinned)

    def trim(self, length: int) -> None:
        """Forget every token from position `length` on."""
        self._positions = self.trimmed(length)
        self.length = min(self.length, length)

    def trimmed(self, length: int) -> Positions:
        """The positions that `trim` would leave."""
        positions = np.where(self._positions < length, self._positions, _EMPTY)
        held = np.flatnonzero(positions != _EMPTY)
        return positions[: held[-1] + 1 if held.size else 0]

    def resume(self, length: int, positions: Positions) -> None:
        """Go on where other slots of this kind were.

        Args:
            length: Of the sequence.
            positions: The position of the token in each slot, -1 where there is none.

        Raises:
            ValueError: No sequence of that length leaves slots like these.
        """
        held = np.flatnonzero(positions != _EMPTY)
        span = held[-1] + 1 if held.size else 0
        fits = self.capacity is None or span <= self.capacity
        if not fits or span != positions.size or not (positions[held] < length).all():
            raise ValueError("the slots do not fit")
        if (positions < _EMPTY).any() or not np.array_equal(self._slots_of(positions[held]), held):
            raise ValueError("tokens are in other slots than theirs")
        pinned = length if self._window is None else min(self._pinned, length)
        if not np.array_equal(positions[:pinned], np.arange(pinned)):
            raise ValueError("tokens are missing")
        self._positions, self.length = positions, length
        if self.reusable(length) != length:
            raise ValueError("the window is not whole")

    def _slots_of(self, positions: np.ndarray) -> np.ndarray:
        if self._window is None:
            return positions
        ring = self._pinned + (positions - self._pinned) % self._ring
        return np.where(positions < self._pinned, positions, ring)


def slots_of_window(window: int) -> int:
    """How many slots the tokens of a window share: the window's and those of a prefill chunk."""
    return window + min(max(window, _LEAST_CHUNK), _MOST_CHUNK)


def causal_mask(count: int, window: int | None) -> Mask:
    """What each of `count` tokens, the first of a sequence, may see of them, without a cache."""
    if window is None or count <= window:
        return "causal" if count > 1 else None
    positions = np.arange(count)
    return mx.array(_seen(positions, positions, window, pinned=0))


def _seen(queries: np.ndarray, keys: np.ndarray, window: int | None, pinned: int) -> np.ndarray:
    """The rule: (queries, keys) bool, from the positions of both."""
    queries, keys = queries[:, None], keys[None, :]
    seen = (keys != _EMPTY) & (keys <= queries)
    if window is not None:
        seen &= (keys < pinned) | (queries - keys < window)
    return seen
