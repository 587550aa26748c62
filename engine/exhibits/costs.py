"""What a pass costs: operations counted, bytes read, and a curve fitted to measured seconds."""

import math
import time
from collections.abc import Sequence
from dataclasses import dataclass

import mlx.core as mx
import numpy as np
from numpy.typing import NDArray

from engine.config import ModelConfig
from engine.llama import Decoder
from engine.model import Model
from engine.operations import count_operations

# On graphics cores the launch of a short product would count as much as its reading.
_PROBE_METAL_BYTES, _PROBE_BYTES, _WIDTH = 256 << 20, 64 << 20, 4096


@dataclass(frozen=True)
class Curve:
    """Seconds = fixed_s + per_token_s × tokens + per_pair_s × tokens².

    Attributes:
        fixed_s: What every prefill takes, however short; never below 0.
        per_token_s: The linear part; never below 0.
        per_pair_s: The quadratic part.
        residual: Root of the mean square of (fitted - measured) / measured.
    """

    fixed_s: float
    per_token_s: float
    per_pair_s: float
    residual: float


def fit(tokens: Sequence[int], seconds: Sequence[float]) -> Curve:
    """Least squares of a curve through measured times, each error relative to its own time."""
    n, t = np.array(tokens, dtype=np.float64), np.array(seconds, dtype=np.float64)
    columns = np.stack([1 / t, n / t, n * n / t], axis=1)
    # No time is below 0: of the curves whose parts are none, the nearest one.
    curves = [_curve(columns, parts) for parts in ([0, 1, 2], [1, 2], [0, 2], [2])]
    possible = [each for each in curves if min(each.fixed_s, each.per_token_s) >= 0]
    return min(possible, key=lambda each: each.residual)


def spread(times: Sequence[Sequence[float]]) -> float:
    """By what share the second best time is above the best one: root of the mean square.

    Args:
        times: Of each length, the seconds of its rounds; one round alone tells of no spread.
    """
    rounds = [sorted(each) for each in times if len(each) > 1]
    return math.hypot(*(two / one - 1 for one, two, *_ in rounds)) / math.sqrt(len(rounds) or 1)


def split_operations(config: ModelConfig, tokens: int) -> tuple[int, int]:
    """Operations of a prefill: what is linear in the tokens, and attention.

    Both follow from `count_operations`, which counts a run that projects every position; a prefill
    projects the last one alone.
    """
    head = 2 * config.hidden_size * config.vocab_size
    key = 4 * config.num_attention_heads * config.head_dim * config.num_hidden_layers
    matrices = count_operations(config, 1).cached - head - key
    attention = count_operations(config, tokens).cached - tokens * (matrices + head)
    return tokens * matrices + head, attention


class Probe:
    """Reads memory as a decode does: one vector meets a large matrix.

    Attributes:
        gb_per_s: In the best turn so far, in 10⁹ bytes per second.
    """

    def __init__(self, dtype: mx.Dtype) -> None:
        size = _PROBE_METAL_BYTES if mx.metal.is_available() else _PROBE_BYTES
        self._matrix = mx.ones((size // (_WIDTH * dtype.size), _WIDTH), dtype)
        self._vector = mx.ones((1, _WIDTH), dtype)
        mx.eval(self._matrix, self._vector)
        self.gb_per_s = 0.0

    def turn(self, least_s: float) -> None:
        """Read for so many seconds, and at least once."""
        read, begun, passed_s = 0, time.perf_counter(), 0.0
        while not read or passed_s < least_s:
            mx.eval(self._vector @ self._matrix.T)
            read += self._matrix.nbytes
            passed_s = time.perf_counter() - begun
        self.gb_per_s = max(self.gb_per_s, read / passed_s / 1e9)


def read_bytes(model: Model) -> int:
    """Weights that one decoded token reads: all, but of an embedding of its own only a row."""
    config = model.config
    if config.tie_word_embeddings or not isinstance(model.network, Decoder):
        return model.weights_bytes
    rows = model.network.embed_tokens
    parts = (getattr(rows, "weight", None), getattr(rows, "matrix", None))
    held = sum(part.nbytes for part in parts if isinstance(part, mx.array))
    return model.weights_bytes - held


def _curve(columns: NDArray[np.float64], parts: Sequence[int]) -> Curve:
    """The nearest curve that has these parts alone, by their columns."""
    solution = np.zeros(3)
    solution[parts] = np.linalg.lstsq(columns[:, parts], np.ones(len(columns)), rcond=None)[0]
    left = columns @ solution - 1
    return Curve(*map(float, solution), residual=float(np.sqrt(np.mean(left**2))))
