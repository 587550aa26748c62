"""How many prompt tokens go through the decoder at once."""

import mlx.core as mx

_TARGET_S = 0.15
# Below 32 tokens, reading the weights anew for each chunk costs more than a stop could gain.
_SMALLEST, _LARGEST = 32, 2048


class ChunkSize:
    """A power of two that keeps one prefill chunk near 150 ms on this device.

    A running evaluation cannot be interrupted, so a chunk's time is how long a stop may wait.
    """

    def __init__(self) -> None:
        self.tokens = 512 if mx.metal.is_available() else 64

    def measured(self, tokens: int, seconds: float) -> None:
        """Learn from one chunk of `tokens` that took `seconds`."""
        if tokens < self.tokens or seconds <= 0:
            return
        if seconds > 1.5 * _TARGET_S:
            self.tokens = max(self.tokens // 2, _SMALLEST)
        elif seconds < 0.5 * _TARGET_S:
            self.tokens = min(self.tokens * 2, _LARGEST)
