"""Rotary position embedding (Su et al. 2021, arXiv:2104.09864) and its scalings."""

import math

import mlx.core as mx
import numpy as np

from engine.config import ModelConfig, RopeConfig


class Rope:
    """Rotates pairs (x[i], x[i + D/2]) of queries and keys by position × frequency[i]."""

    def __init__(self, config: ModelConfig) -> None:
        rope = config.rope
        self._dims = config.head_dim
        self._scale = 1.0 / rope.factor if rope.kind == "linear" else 1.0
        self._base: float | None = rope.theta
        self._freqs: mx.array | None = None
        if rope.kind == "llama3":
            # mx.fast.rope takes what positions are divided by: the reciprocals.
            self._base = None
            self._freqs = mx.array((1.0 / inverse_frequencies(rope, self._dims)).astype(np.float32))
            mx.eval(self._freqs)

    def __call__(self, x: mx.array, offset: int) -> mx.array:
        """Rotate x (B, H, L, D), whose first token stands at position `offset`."""
        return mx.fast.rope(
            x,
            self._dims,
            traditional=False,
            base=self._base,
            scale=self._scale,
            offset=offset,
            freqs=self._freqs,
        )

    def move(self, x: mx.array, by: int) -> mx.array:
        """Rotate keys x (1, H, L, D), which are rotated already, `by` positions further each."""
        # Each token becomes a sequence of its own that starts at position `by`.
        apart = x.transpose(2, 1, 0, 3)
        return self(apart, by).transpose(2, 1, 0, 3)


def inverse_frequencies(rope: RopeConfig, dims: int) -> np.ndarray:
    """Angle per position of each pair, in radians.

    Args:
        rope: The base and the scaling.
        dims: How many of a head's dimensions are rotated, D.

    Returns:
        (D/2,) float64: theta ** (-2i / D), stretched as the scaling says. `llama3` is the scheme
        of Llama 3.1 (Grattafiori et al. 2024, arXiv:2407.21783, and its published code): long
        wavelengths are divided by `factor`, short ones kept, those between interpolated.
    """
    inverse = rope.theta ** -(np.arange(0, dims, 2, dtype=np.float64) / dims)
    if rope.kind == "linear":
        return inverse / rope.factor
    if rope.kind == "llama3":
        turns = rope.original_max_position_embeddings * inverse / (2 * math.pi)
        smooth = (turns - rope.low_freq_factor) / (rope.high_freq_factor - rope.low_freq_factor)
        keep = np.clip(smooth, 0.0, 1.0)
        return inverse * (keep + (1.0 - keep) / rope.factor)
    return inverse
