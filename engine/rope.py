"""Rotary position embedding (Su et al. 2021, arXiv:2104.09864) and its scalings."""

import math

import mlx.core as mx
import numpy as np

from engine.errors import ModelFileError
from engine.rope_config import RopeConfig


class Rope:
    """Rotates pairs (x[i], x[i + d/2]) of queries and keys by position × frequency[i].

    The first d of a head's D dimensions are rotated; d is D unless the config says otherwise.
    """

    def __init__(self, rope: RopeConfig, head_dim: int) -> None:
        self._dims = rope.rotated_dims(head_dim)
        with np.errstate(all="ignore"):
            inverse = inverse_frequencies(rope, self._dims)
            freqs = (1.0 / inverse).astype(np.float32)
        if not np.isfinite(inverse).all() or np.isnan(freqs).any():
            raise ModelFileError("The config's RoPE numbers give no frequencies.")
        self._scale = 1.0 / rope.factor if rope.kind == "linear" else 1.0
        # Where the base says it all, MLX computes the same float32 angles as for mlx-lm; where it
        # does not, mx.fast.rope takes what positions are divided by: the reciprocals.
        stretched = rope.kind in {"llama3", "yarn"}
        self._base = None if stretched else rope.theta
        self._freqs = mx.array(freqs) if stretched else None
        self._stretch: mx.array | None = None
        if rope.attention_factor != 1.0:
            rotated = np.arange(head_dim) < self._dims
            self._stretch = mx.array(np.where(rotated, np.float32(rope.attention_factor), 1.0))
        mx.eval(*(array for array in (self._freqs, self._stretch) if array is not None))

    def __call__(self, x: mx.array, offset: int) -> mx.array:
        """Rotate x (B, H, L, D), whose first token stands at position `offset`."""
        if self._stretch is not None:
            x = x * self._stretch.astype(x.dtype)
        return self._rotate(x, offset)

    def move(self, x: mx.array, by: int) -> mx.array:
        """Rotate keys x (1, H, L, D), which are rotated already, `by` positions further each."""
        # Each token becomes a sequence of its own that starts at position `by`.
        apart = x.transpose(2, 1, 0, 3)
        return self._rotate(apart, by).transpose(2, 1, 0, 3)

    def _rotate(self, x: mx.array, offset: int) -> mx.array:
        return mx.fast.rope(
            x,
            self._dims,
            traditional=False,
            base=self._base,
            scale=self._scale,
            offset=offset,
            freqs=self._freqs,
        )


def inverse_frequencies(rope: RopeConfig, dims: int) -> np.ndarray:
    """Angle per position of each pair, in radians.

    Args:
        rope: The base and the scaling.
        dims: How many of a head's dimensions are rotated, d.

    Returns:
        (d/2,) float64: theta ** (-2i / d), stretched as the scaling says. `llama3` is the scheme
        of Llama 3.1 (Grattafiori et al. 2024, arXiv:2407.21783, and its published code): long
        wavelengths are divided by `factor`, short ones kept, those between interpolated. `yarn`
        (Peng et al. 2023, arXiv:2309.00071) does the same between other borders.
    """
    inverse = rope.theta ** -(np.arange(0, dims, 2, dtype=np.float64) / dims)
    if rope.kind == "linear":
        return inverse / rope.factor
    if rope.kind == "llama3":
        turns = rope.original_max_position_embeddings * inverse / (2 * math.pi)
        smooth = (turns - rope.low_freq_factor) / (rope.high_freq_factor - rope.low_freq_factor)
        return _stretched(inverse, rope.factor, keep=np.clip(smooth, 0.0, 1.0))
    if rope.kind == "yarn":
        low, high = _yarn_borders(rope, dims)
        ramp = (np.arange(dims // 2) - low) / (high - low or 0.001)
        return _stretched(inverse, rope.factor, keep=1.0 - np.clip(ramp, 0.0, 1.0))
    return inverse


def _stretched(inverse: np.ndarray, factor: float, keep: np.ndarray) -> np.ndarray:
    """Divide by `factor` what is not kept, keep: (d/2,), 0 to 1."""
    return inverse * (keep + (1.0 - keep) / factor)


def _yarn_borders(rope: RopeConfig, dims: int) -> tuple[float, float]:
    """The pair that turns `beta_fast` times in the original context, and that for `beta_slow`."""

    def pair_that_turns(times: float) -> float:
        context = rope.original_max_position_embeddings
        return dims * math.log(context / (times * 2 * math.pi)) / (2 * math.log(rope.theta))

    low, high = pair_that_turns(rope.beta_fast), pair_that_turns(rope.beta_slow)
    if rope.truncate:
        low, high = math.floor(low), math.ceil(high)
    return max(low, 0), min(high, dims - 1)
