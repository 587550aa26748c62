"""Memory: what a plan needs, and what MLX uses now."""

from dataclasses import dataclass, replace

import mlx.core as mx

from engine.cache.slots import slots_of_window
from engine.config import ModelConfig
from engine.errors import SettingError
from engine.kv import kv_bytes
from engine.sentence import Sentence
from engine.zoo_config import ZooConfig

_MOST_TOKENS = 1 << 40


@dataclass(frozen=True)
class Plan:
    """What running a model takes.

    Attributes:
        context: Tokens per user.
        users: Conversations held at the same time.
        bits: Bits per cached value: 16 or 32 unquantised, 8 or 4 quantised in groups of 64.
        bytes_per_token: Keys and values of one token in all layers; once a layer's window is full
            it takes no more. A recurrent state is not in it, but in bytes_per_user.
        bytes_per_user: The same for a whole context.
        total_bytes: The same for all users.
        weights_bytes: Weights at 16 bits, or as the config says they are quantised.
        needed_bytes: Weights and caches together.
        memory_bytes: What there is; None where it was not given and is not known.
        fits: Whether needed_bytes is at most memory_bytes; None where that is not known.
        users_that_fit: How many users fit beside the weights; None where that is not known.
        context_that_fits: Tokens per user that fit with that many users; None likewise, and where
            the cache stops growing before the memory is full.
    """

    context: int
    users: int
    bits: int
    bytes_per_token: int
    bytes_per_user: int
    total_bytes: int
    weights_bytes: int
    needed_bytes: int
    memory_bytes: int | None
    fits: bool | None
    users_that_fit: int | None
    context_that_fits: int | None


@dataclass(frozen=True)
class MemoryReading:
    """What MLX uses on this machine now, in bytes; the limit is None where it is not known."""

    active_bytes: int
    peak_bytes: int
    cached_bytes: int
    limit_bytes: int | None


def weight_bytes(config: ModelConfig) -> int:
    """Bytes of the weights: 16 bits each, or as the config says they are quantised."""
    how = config.quantization
    if how is None:
        size = 4 if config.torch_dtype == "float32" else 2
        return config.parameters * size
    return int(config.parameters * how.bits_per_value / 8)


def plan(
    config: ModelConfig,
    *,
    context: int = 8192,
    users: int = 1,
    bits: int = 16,
    memory: int | None = None,
) -> Plan:
    """What `users` conversations of `context` tokens take, and whether that fits.

    Args:
        config: The model's shape.
        context: Tokens per conversation.
        users: Conversations held at once.
        bits: Bits per cached value: 4, 8, 16 or 32.
        memory: Bytes there are; the device's recommended working set where left out.

    Raises:
        SettingError: A number is outside its bounds.
    """
    for name, value in ((Sentence("context"), context), (Sentence("users"), users)):
        if not 1 <= value <= 1 << 40:
            raise SettingError(
                "The number for {name} must be from 1 to 2^40, not {value}.", name=name, value=value
            )
    if bits not in (4, 8, 16, 32):
        raise SettingError("Cached values have 4, 8, 16 or 32 bits, not {bits}.", bits=bits)
    if memory is not None and memory < 1:
        raise SettingError("The memory must be at least one byte, not {memory}.", memory=memory)
    if bits < 16 and isinstance(config, ZooConfig):
        raise SettingError(
            "{model_type} runs through mlx-lm, whose caches are not held quantised here; plan "
            "for 16 or 32 bits.",
            model_type=config.model_type,
        )
    memory = device_limit_bytes() if memory is None else memory
    per_token = kv_bytes(config, 2, bits=bits) - kv_bytes(config, 1, bits=bits)
    per_user = _conversation_bytes(config, context, bits)
    weights = weight_bytes(config)
    needed = weights + per_user * users
    room = None if memory is None else max(memory - weights, 0)
    return Plan(
        context=context,
        users=users,
        bits=bits,
        bytes_per_token=per_token,
        bytes_per_user=per_user,
        total_bytes=per_user * users,
        weights_bytes=weights,
        needed_bytes=needed,
        memory_bytes=memory,
        fits=None if memory is None else needed <= memory,
        users_that_fit=None if room is None else room // max(per_user, 1),
        context_that_fits=None if room is None else _context_that_fits(config, bits, room // users),
    )


def _conversation_bytes(config: ModelConfig, tokens: int, bits: int) -> int:
    """What a conversation keeps: layers with a window of their own, that and the ring's slack."""
    if isinstance(config, ZooConfig):
        return kv_bytes(config, tokens, bits=bits)
    kept = sum(
        tokens if window is None else min(tokens, slots_of_window(window))
        for window in config.windows
    )
    one_layer = replace(config, num_hidden_layers=1, layer_types=())
    return kv_bytes(one_layer, kept, bits=bits)


def _context_that_fits(config: ModelConfig, bits: int, room: int) -> int | None:
    """The most tokens whose cache takes at most `room` bytes, None where every number does."""
    fits, too_many = 0, _MOST_TOKENS
    if _conversation_bytes(config, too_many, bits) <= room:
        return None
    while too_many - fits > 1:
        tokens = (fits + too_many) // 2
        if _conversation_bytes(config, tokens, bits) <= room:
            fits = tokens
        else:
            too_many = tokens
    return fits


def device_limit_bytes() -> int | None:
    """The device's recommended working set, None where MLX does not know it (on a CPU)."""
    size = mx.device_info().get("max_recommended_working_set_size")
    return int(size) if size else None


def device_name() -> str:
    """What MLX computes on by default, such as "Apple M2, GPU"."""
    kind = "GPU" if mx.default_device().type == mx.DeviceType.gpu else "CPU"
    return ", ".join(filter(None, (str(mx.device_info().get("device_name", "")), kind)))


def read_memory() -> MemoryReading:
    """What MLX uses now."""
    return MemoryReading(
        active_bytes=mx.get_active_memory(),
        peak_bytes=mx.get_peak_memory(),
        cached_bytes=mx.get_cache_memory(),
        limit_bytes=device_limit_bytes(),
    )
