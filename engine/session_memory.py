"""What a session's cache takes in memory now."""

from dataclasses import dataclass

from engine.cache import Cache
from engine.cache.layers import LayerCache
from engine.protocols import SequenceCache


@dataclass(frozen=True)
class SessionMemory:
    """What a session's cache takes.

    Attributes:
        used_bytes: Keys and values that are held.
        allocated_bytes: The buffers they are in.
        formula_bytes: What the network's formula says of the tokens that each layer holds; for
            Cutaway's own decoder 2 × KV heads × head dimension × tokens × bytes per value.
        slots: Tokens per layer that the buffers have room for.
        peak_slots: The most slots per layer there ever were.
        held_tokens: Tokens that layers without a window of their own hold.
    """

    used_bytes: int
    allocated_bytes: int
    formula_bytes: int
    slots: int
    peak_slots: int
    held_tokens: int


def session_memory(cache: SequenceCache) -> SessionMemory:
    """Measure a cache."""
    return SessionMemory(
        used_bytes=cache.used_bytes,
        allocated_bytes=cache.allocated_bytes,
        formula_bytes=cache.formula_bytes,
        slots=cache.slots,
        peak_slots=cache.peak_slots,
        held_tokens=cache.filled,
    )


@dataclass(frozen=True)
class LayerMemory:
    """What one layer of a cache takes: tokens that are held, and their bytes and the buffers'."""

    tokens: int
    used_bytes: int
    allocated_bytes: int


def layer_memory(cache: SequenceCache) -> tuple[LayerMemory, ...]:
    """Measure a cache layer by layer; nothing for networks that run through mlx-lm."""
    if not isinstance(cache, Cache):
        return ()
    return tuple(
        LayerMemory(filled, layer.buffer_bytes * filled // slots if slots else 0, _bytes(layer))
        for layer, filled, slots in cache.by_layer()
    )


def _bytes(layer: LayerCache) -> int:
    return sum(array.nbytes for array in layer.arrays())
