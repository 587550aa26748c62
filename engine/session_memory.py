"""What a session's cache takes in memory now."""

from dataclasses import dataclass, replace

from engine.cache import Cache, CachePolicy
from engine.cache.policy import group_size
from engine.config import ModelConfig
from engine.memory import GROUP_SIZE, kv_bytes


@dataclass(frozen=True)
class SessionMemory:
    """What a session's cache takes.

    Attributes:
        used_bytes: Keys and values that are held.
        allocated_bytes: The buffers they are in.
        formula_bytes: 2 × layers × KV heads × head dimension × tokens × bytes per value, with the
            tokens that each layer holds.
        held_tokens: Tokens that layers without a window of their own hold.
        slots: Tokens per layer that the buffers have room for.
        peak_slots: The most slots per layer there ever were.
    """

    used_bytes: int
    allocated_bytes: int
    formula_bytes: int
    held_tokens: int
    slots: int
    peak_slots: int


def session_memory(
    config: ModelConfig, policy: CachePolicy, cache: Cache, value_bytes: int
) -> SessionMemory:
    """Measure a cache.

    Args:
        config: The model's shape.
        policy: How the cache holds keys and values.
        cache: The cache.
        value_bytes: Bytes of one value as the model computes it.
    """
    return SessionMemory(
        used_bytes=cache.used_bytes,
        allocated_bytes=cache.allocated_bytes,
        formula_bytes=kv_bytes(
            replace(config, num_hidden_layers=1),
            cache.filled_in_all_layers,
            bits=policy.bits or value_bytes * 8,
            group_size=group_size(config.head_dim) if policy.bits else GROUP_SIZE,
        ),
        held_tokens=cache.filled,
        slots=cache.slots,
        peak_slots=cache.peak_slots,
    )
