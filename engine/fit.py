"""Whether a model fits this machine, asked before it is loaded: a peak in parts, and a verdict."""

from dataclasses import dataclass
from typing import Literal

import mlx.core as mx

from engine.cache import CachePolicy
from engine.config import ModelConfig
from engine.errors import SettingError
from engine.guard import MemoryGuard
from engine.need import LEAST_WINDOW, STEP, SessionNeed, even_window
from engine.prefill import SMALLEST_CHUNK, ChunkSize
from engine.zoo_config import ZooConfig

Verdict = Literal["comfortable", "tight", "too big", "unknown"]

_COMFORTABLE = 0.8
"""Share of the limit up to which other programs still have what they usually need."""


@dataclass(frozen=True)
class Footprint:
    """What is known of a model's memory before it is loaded.

    Attributes:
        config: Its shape.
        weights_bytes: What its weights take once they are loaded on this device.
        value_bytes: Bytes of one value as this device computes it.
        rotates: Whether its cache can have a window.
    """

    config: ModelConfig
    weights_bytes: int
    value_bytes: int
    rotates: bool = True


@dataclass(frozen=True)
class Fit:
    """What a model takes with a full cache, in bytes, and whether there is so much.

    Attributes:
        verdict: `tight` is more than four fifths of the limit, or only with small prefill chunks.
        weights_bytes: Of the weights.
        cache_bytes: Of the keys and values of `tokens`.
        prefill_bytes: What a prefill takes beside them at its peak, in chunks of `chunk`.
        limit_bytes: What there is for all of it; None where nobody knows.
        tokens: The context or window that this is for.
        bits: 8 or 4 where the cache is quantised.
        chunk: Tokens that go through the decoder at once.
        fitting_tokens: The largest context or window that fits; None where none does, or where
            the limit is not known.
    """

    verdict: Verdict
    weights_bytes: int
    cache_bytes: int
    prefill_bytes: int
    limit_bytes: int | None
    tokens: int
    bits: int | None
    chunk: int
    fitting_tokens: int | None

    @property
    def needed_bytes(self) -> int:
        """Weights, cache and prefill together: the peak."""
        return self.weights_bytes + self.cache_bytes + self.prefill_bytes


def fit(
    footprint: Footprint,
    *,
    tokens: int,
    policy: CachePolicy | None = None,
    chunk: int | None = None,
    limit_bytes: int | None = None,
) -> Fit:
    """Work out whether a model fits.

    Args:
        footprint: Of the model.
        tokens: How many the cache is to hold; with a window in the policy it counts as full.
        policy: How keys and values are held; as they are computed, all of them, where left out.
        chunk: Tokens that go through the decoder at once; what this device is expected to take
            where left out.
        limit_bytes: What there is for weights, cache and prefill, as of `machine_limit`.

    Raises:
        SettingError: The model cannot have such a cache.
    """
    policy = policy or CachePolicy()
    if isinstance(footprint.config, ZooConfig) or not footprint.rotates:
        policy = CachePolicy()
    chunk = chunk or ChunkSize(footprint.config.parameters).tokens
    need = SessionNeed(footprint.config, policy, footprint.value_bytes)
    chunk = max(min(chunk, tokens), 1)
    cache, prefill = need.cache_bytes(tokens), need.prefill_bytes(tokens, chunk)
    needed = footprint.weights_bytes + cache + prefill
    least = footprint.weights_bytes + need.bytes(tokens, min(chunk, SMALLEST_CHUNK))
    return Fit(
        verdict=verdict_of(needed, least, limit_bytes),
        weights_bytes=footprint.weights_bytes,
        cache_bytes=cache,
        prefill_bytes=prefill,
        limit_bytes=limit_bytes,
        tokens=tokens,
        bits=policy.bits,
        chunk=chunk,
        fitting_tokens=_fitting(footprint, need, min(chunk, SMALLEST_CHUNK), limit_bytes),
    )


def machine_limit() -> int | None:
    """What MLX may use in this process for everything, in bytes; None where nobody knows.

    Only counters are read, so it may be asked on any thread.
    """
    room = MemoryGuard().room_bytes()
    return None if room is None else room + mx.get_active_memory()


def can_quantize(config: ModelConfig) -> bool:
    """Whether the model's cache can be held at 8 or 4 bits."""
    if isinstance(config, ZooConfig):
        return False
    try:
        SessionNeed(config, CachePolicy(bits=8), 2).cache_bytes(1)
    except SettingError:
        return False
    return True


def verdict_of(needed: int, least: int, limit: int | None) -> Verdict:
    """Whether something fits.

    Args:
        needed: What it takes, in bytes.
        least: What it takes where it is made to take less; as `needed` where it cannot be.
        limit: What there is; None where nobody knows.
    """
    if limit is None:
        return "unknown"
    if needed <= limit * _COMFORTABLE:
        return "comfortable"
    return "tight" if least <= limit else "too big"


def _fitting(
    footprint: Footprint, need: SessionNeed, chunk: int, limit_bytes: int | None
) -> int | None:
    """The largest round number of tokens that fits: of a window, or of a context that grows."""
    if limit_bytes is None:
        return None
    room = limit_bytes - footprint.weights_bytes
    if footprint.rotates and not isinstance(footprint.config, ZooConfig):
        return need.fitting_window(room, chunk)
    tokens = even_window(max(footprint.config.max_position_embeddings, STEP))
    while need.bytes(tokens, chunk) > room:
        if tokens <= LEAST_WINDOW:
            return None
        tokens = even_window(tokens - 1)
    return tokens
