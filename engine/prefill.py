"""How many prompt tokens go through the decoder at once."""

import math

import mlx.core as mx

SMALLEST_CHUNK = 16  # what only a want of memory makes of a chunk
# Below 32 tokens, reading the weights anew for each chunk costs more than a stop could gain.
LEAST_CHUNK, LARGEST_CHUNK = 32, 2048
_TARGET_S = 0.17
_MOST_GROWTH = 4
# Operations per second that even slow devices of either kind reach in a prefill.
_SLOW_METAL, _SLOW_CPU = 1e12, 8e10


class ChunkSize:
    """A power of two that keeps one prefill chunk near 170 ms on this device with this model.

    A running evaluation cannot be interrupted, so a chunk's time is how long a stop may wait. One
    of these belongs to one model: its sessions share what was learnt.
    """

    def __init__(self, parameters: int, most: int = LARGEST_CHUNK) -> None:
        """Begin with a guess for a model of that many weights, each multiplied and added once.

        Args:
            parameters: How many weights.
            most: No chunk is larger, whatever is learnt; at least 1.
        """
        speed = (_SLOW_METAL if mx.metal.is_available() else _SLOW_CPU) / (2 * parameters)
        self._most = most
        self.tokens = min(_power_of_two(speed * _TARGET_S), most)

    def measured(self, tokens: int, seconds: float) -> None:
        """Learn from one chunk of `tokens` that took `seconds`.

        A chunk that was smaller than asked for, as a prompt's last one or one of a rotating cache,
        says nothing about larger ones unless it was too slow itself.
        """
        too_slow = tokens >= LEAST_CHUNK and seconds > _TARGET_S
        if seconds <= 0 or (tokens < self.tokens and not too_slow):
            return
        fitting = _power_of_two(tokens / seconds * _TARGET_S)
        self.tokens = min(fitting, self.tokens * _MOST_GROWTH, self._most)


def _power_of_two(tokens: float) -> int:
    """The power of two nearest to `tokens` by ratio, within the bounds."""
    return 1 << round(math.log2(min(max(tokens, LEAST_CHUNK), LARGEST_CHUNK)))
