"""The KV formula: what the keys and values of a sequence take."""

from engine.config import ModelConfig
from engine.zoo_config import ZooConfig

GROUP_SIZE = 64
_GROUP_OVERHEAD_BITS = 32  # a float16 scale and a float16 bias


def value_bits(bits: int, group_size: int = GROUP_SIZE) -> float:
    """Bits of one value; below 16 it is quantised and shares a group's scale and bias."""
    return bits if bits >= 16 else bits + _GROUP_OVERHEAD_BITS / group_size


def kv_bytes(
    config: ModelConfig,
    tokens: int,
    batch: int = 1,
    bits: int = 16,
    group_size: int = GROUP_SIZE,
) -> int:
    """Bytes of keys and values.

    2 × layers × KV heads × head dimension × tokens × batch × bytes per value; at 8 and 4 bits
    each group of values has a float16 scale and bias beside it. For a model that runs through
    mlx-lm it is what its layers keep, which a window or a recurrent state may bound.

    Args:
        config: The model's shape.
        tokens: Tokens per sequence.
        batch: Sequences.
        bits: 32, 16, 8 or 4 bits per value.
        group_size: How many values share a scale at 8 and 4 bits.
    """
    if isinstance(config, ZooConfig):
        return config.cache_values(tokens) * bits * batch // 8
    values = 2 * config.num_hidden_layers * config.num_key_value_heads * config.head_dim
    return int(values * value_bits(bits, group_size)) * tokens * batch // 8
