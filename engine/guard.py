"""Whether memory suffices, asked before it is needed: for weights, and for a cache that grows.

On Metal the device says how much a process should use; on a CPU what the system has to give counts.
MLX does not survive an allocation that a CPU cannot make, so nothing here is left to trying.
"""

import os
from dataclasses import dataclass
from pathlib import Path

import mlx.core as mx

from engine.cache import CachePolicy
from engine.config import ModelConfig
from engine.errors import MemoryLimitError
from engine.memory import device_limit_bytes
from engine.need import STEP, SessionNeed
from engine.prefill import SMALLEST_CHUNK
from engine.sentence import Sentence

_SHARE_OF_PHYSICAL = 0.75
_MEMINFO = Path("/proc/meminfo")


@dataclass(frozen=True)
class MemoryGuard:
    """Refuses what would not fit.

    Attributes:
        limit_bytes: What MLX may use in this process; where left out, what the device recommends
            or, on a CPU, what the system has available.
    """

    limit_bytes: int | None = None

    def room_bytes(self) -> int | None:
        """How many bytes may still be allocated, at least 0; None where nobody knows."""
        limit = device_limit_bytes() if self.limit_bytes is None else self.limit_bytes
        if limit is not None:
            return max(limit - mx.get_active_memory(), 0)
        available = _available_bytes()
        # What MLX keeps for reuse is not free, but it is given out first.
        return None if available is None else available + mx.get_cache_memory()

    def check_weights(
        self, name: str, weights_bytes: int, config: ModelConfig, leaving_bytes: int = 0
    ) -> None:
        """Before loading: the weights, and a first short chat beside them.

        Args:
            name: What to call the model.
            weights_bytes: What its weights are going to take.
            config: Its shape.
            leaving_bytes: What is in use now and is going to be freed first.

        Raises:
            MemoryLimitError: There is not enough memory.
        """
        room = self.room_bytes()
        chat = SessionNeed(config, CachePolicy(), 4).bytes(STEP, STEP)
        if room is None:
            return
        room += leaving_bytes
        if weights_bytes + chat <= room:
            return
        advice = _smaller_model(room - chat, weights_bytes, config)
        raise MemoryLimitError(
            "{name} needs {needed} of memory and there are {room}; {advice}.",
            name=name,
            needed=_shown(weights_bytes + chat),
            room=_shown(room),
            advice=advice,
        )

    def check_session(
        self, need: SessionNeed, tokens: int, chunk: int, allocated_bytes: int = 0
    ) -> int:
        """Before a prompt, and before a cache grows.

        Args:
            need: What the session takes.
            tokens: How many tokens it is going to hold; a rotating cache counts as full.
            chunk: How many tokens are meant to go through the decoder at once.
            allocated_bytes: What its cache has by now.

        Returns:
            How many tokens may go through the decoder at once: `chunk`, or fewer.

        Raises:
            MemoryLimitError: There is not enough memory.
        """
        room = self.room_bytes()
        if room is None:
            return chunk
        room += allocated_bytes
        while need.bytes(tokens, chunk) > room and chunk > SMALLEST_CHUNK:
            chunk = max(chunk // 2, SMALLEST_CHUNK)
        needed = need.bytes(tokens, chunk)
        if needed <= room:
            return chunk
        fitting = need.fitting_window(room, chunk)
        window = need.policy.window
        what = (
            Sentence("A context of {tokens:,} tokens", tokens=tokens)
            if window is None
            else Sentence("A window of {tokens:,}", tokens=window)
        )
        advice = (
            Sentence("a window of {tokens:,} tokens would fit", tokens=fitting)
            if fitting is not None
            else Sentence("no window would fit, so take a smaller model")
        )
        raise MemoryLimitError(
            "{what} needs {needed} of memory and there are {room}; {advice}.",
            what=what,
            needed=_shown(needed),
            room=_shown(room),
            advice=advice,
            fitting_window=fitting,
        )


def _smaller_model(room: int, weights_bytes: int, config: ModelConfig) -> Sentence:
    """What would fit instead, as half a sentence."""
    four_bits = config.parameters * 9 // 16  # beside every 32 weights a scale and a bias
    if four_bits <= room and four_bits < weights_bytes:
        return Sentence("a copy with 4-bit weights, {size}, would fit", size=_shown(four_bits))
    millions = max(room, 0) * 16 // 9 // 1_000_000
    return Sentence(
        "a model with at most {millions:,} million 4-bit weights would fit", millions=millions
    )


def _available_bytes() -> int | None:
    """What the system can give to this process without swapping; None where it does not say."""
    if _MEMINFO.is_file():
        for line in _MEMINFO.read_text(encoding="ascii").splitlines():
            name, _, value = line.partition(":")
            if name == "MemAvailable":
                return int(value.split()[0]) * 1024
    try:
        physical = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    except (ValueError, OSError):
        return None
    return max(int(physical * _SHARE_OF_PHYSICAL) - mx.get_active_memory(), 0)


def _shown(size: int) -> str:
    return f"{size / 1e9:.1f} GB" if size >= 1e9 else f"{size / 1e6:.1f} MB"
