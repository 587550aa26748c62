"""What a pass costs: operations counted, bytes read, and a line fitted to measured seconds."""

import time
from collections.abc import Sequence

import mlx.core as mx
import numpy as np

from engine.config import ModelConfig
from engine.llama import Decoder
from engine.model import Model
from engine.operations import count_operations

# On graphics cores the launch of a short product would count as much as its reading.
_PROBE_METAL_BYTES, _PROBE_BYTES, _PROBES = 256 << 20, 64 << 20, 5


def fit(tokens: Sequence[int], seconds: Sequence[float]) -> tuple[float, float, float]:
    """Least squares of a × tokens + b × tokens² = seconds, each length relative to its own time.

    Returns:
        a, b, and the root of the mean square of what is left over, as a share of the time.
    """
    n, t = np.array(tokens, dtype=np.float64), np.array(seconds, dtype=np.float64)
    columns = np.stack([n / t, n * n / t], axis=1)
    solution = np.linalg.lstsq(columns, np.ones_like(t), rcond=None)[0]
    left = columns @ solution - 1
    return float(solution[0]), float(solution[1]), float(np.sqrt(np.mean(left**2)))


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


def probe_gb_per_s(dtype: mx.Dtype) -> float:
    """What is read where one vector meets a large matrix, in 10⁹ bytes per second."""
    width = 4096
    size = _PROBE_METAL_BYTES if mx.metal.is_available() else _PROBE_BYTES
    rows = size // (width * dtype.size)
    matrix, vector = mx.ones((rows, width), dtype), mx.ones((1, width), dtype)
    mx.eval(matrix, vector)
    best_s = float("inf")
    for _ in range(_PROBES):
        begun = time.perf_counter()
        mx.eval(vector @ matrix.T)
        best_s = min(best_s, time.perf_counter() - begun)
    return matrix.nbytes / best_s / 1e9


def read_bytes(model: Model) -> int:
    """Weights that one decoded token reads: all, but of an embedding of its own only a row."""
    config = model.config
    if config.tie_word_embeddings or not isinstance(model.network, Decoder):
        return model.weights_bytes
    rows = model.network.embed_tokens
    parts = (getattr(rows, "weight", None), getattr(rows, "matrix", None))
    held = sum(part.nbytes for part in parts if isinstance(part, mx.array))
    return model.weights_bytes - held
