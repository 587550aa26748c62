"""What a GGUF file says about rotary position embedding, in the words of config.json."""

import math
from typing import Any

import numpy as np

from engine.arrays import Rows
from engine.config import ModelConfig
from engine.errors import ModelFileError, UnsupportedError
from engine.gguf_file import GGUFFile
from engine.gguf_metadata import entry, shortest

_LLAMA3_LOW, _LLAMA3_HIGH, _LLAMA3_CONTEXT = 1.0, 4.0, 8192


def rope_parameters(file: GGUFFile, config: ModelConfig) -> dict[str, Any]:
    """The `rope_parameters` that the file's metadata and frequency factors amount to.

    Raises:
        ModelFileError: The frequency factors are damaged.
        UnsupportedError: It asks for a rotation that is not computed here.
    """
    dims = entry(file, "rope.dimension_count")
    if dims not in (None, config.head_dim):
        raise UnsupportedError(
            "Partial rotary embedding ({dims} of {head_dim} dimensions) is not supported yet.",
            dims=str(dims)[:32],
            head_dim=config.head_dim,
        )
    theta = entry(file, "rope.freq_base")
    rope: dict[str, Any] = {} if theta is None else {"rope_theta": theta}
    kind, factor = entry(file, "rope.scaling.type"), entry(file, "rope.scaling.factor")
    if kind is None and factor not in (None, 0.0, 1.0):
        kind = "linear"  # what llama.cpp takes a factor of no kind for
    if kind not in (None, "none"):
        rope |= {"rope_type": kind, "factor": factor}
    if kind == "yarn":
        rope |= {
            "original_max_position_embeddings": entry(file, "rope.scaling.original_context_length"),
            "beta_fast": entry(file, "rope.scaling.yarn_beta_fast"),
            "beta_slow": entry(file, "rope.scaling.yarn_beta_slow"),
        }
    if "rope_freqs.weight" in file.tensors:
        if "rope_type" in rope:
            raise UnsupportedError("{file} scales RoPE in two ways at once.", file=file.path.name)
        rope |= _llama3_of_factors(file, config.head_dim, float(rope.get("rope_theta", 10_000.0)))
    return rope


def _llama3_of_factors(file: GGUFFile, head_dim: int, theta: float) -> dict[str, Any]:
    """The llama3 scaling that `rope_freqs.weight` was computed from, verified value by value.

    The file holds only the resulting divisor of each frequency. The largest is the factor; the
    rest must follow from it and from the numbers that every llama 3 has.

    Raises:
        UnsupportedError: The divisors are not those of a llama 3.
    """
    info = file.tensors["rope_freqs.weight"]
    if info.type.name != "F32" or info.shape != (head_dim // 2,):
        raise ModelFileError(
            "{file} has a damaged rope_freqs.weight; fetch it again.", file=file.path.name
        )
    rows = Rows(info.path, info.offset, head_dim // 2, info.type.block_bytes)
    factors = np.concatenate([raw.view("<f4") for _, raw in rows.chunks()]).ravel()
    factor = shortest(float(factors.max()))
    if np.all(factors == 1.0):
        return {}
    with np.errstate(all="ignore"):
        expected = llama3_factors(head_dim, theta, factor)
    if not np.allclose(factors, expected, rtol=1e-4, atol=0.0):
        raise UnsupportedError(
            "{file} has RoPE frequency factors that are not those of llama 3, which is not "
            "supported yet.",
            file=file.path.name,
        )
    return {
        "rope_type": "llama3",
        "factor": factor,
        "low_freq_factor": _LLAMA3_LOW,
        "high_freq_factor": _LLAMA3_HIGH,
        "original_max_position_embeddings": _LLAMA3_CONTEXT,
    }


def llama3_factors(
    head_dim: int, theta: float, factor: float
) -> np.ndarray[Any, np.dtype[np.float64]]:
    """What llama 3's scaling divides each of the head_dim / 2 frequencies by.

    Source: `generate_extra_tensors` of llama.cpp's converter, after transformers'
    `_compute_llama3_parameters`.
    """
    exponents = np.arange(0, head_dim, 2, dtype=np.float64) / head_dim
    wavelengths = 2 * math.pi * np.power(theta, exponents)
    smooth = (_LLAMA3_CONTEXT / wavelengths - _LLAMA3_LOW) / (_LLAMA3_HIGH - _LLAMA3_LOW)
    between = 1 / ((1 - smooth) / factor + smooth)
    is_long = wavelengths > _LLAMA3_CONTEXT / _LLAMA3_LOW
    is_short = wavelengths < _LLAMA3_CONTEXT / _LLAMA3_HIGH
    return np.where(is_short, 1.0, np.where(is_long, factor, between))
