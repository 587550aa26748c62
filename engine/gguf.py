"""What a GGUF file's metadata says about its model: the `ModelConfig`, and names of its tensors.

llama.cpp's converter writes these keys and names; its `LlamaModel` in convert_hf_to_gguf.py is the
source of the mapping, of the order of query and key rows, and of the llama3 frequency factors.
"""

import math
from collections.abc import Mapping
from typing import Any

import numpy as np

from engine.arrays import Rows
from engine.config import ModelConfig, parse_config
from engine.errors import ModelFileError, UnsupportedError
from engine.gguf_file import GGUFFile, Value, whole

__all__ = ["GGUFFile", "gguf_name", "llama3_factors", "model_config", "row_order"]

_END_TOKENS = frozenset(
    {
        "<|endoftext|>",
        "<|end_of_text|>",
        "<|eot_id|>",
        "<|eom_id|>",
        "<|im_end|>",
        "<|end|>",
        "<end_of_turn>",
        "<EOT>",
        "</s>",
    }
)
_CONTROL_TOKEN = 3
_NEUTRAL: Mapping[str, Value] = {
    "expert_count": 0,
    "attention.sliding_window": 0,
    "attention.causal": True,
    "attention.max_alibi_bias": 0.0,
    "attention.clamp_kqv": 0.0,
    "attention.scale": 0.0,
    "attn_logit_softcapping": 0.0,
    "final_logit_softcapping": 0.0,
    "use_parallel_residual": False,
    "logit_scale": 0.0,
    "residual_scale": 0.0,
    "embedding_scale": 0.0,
    "rope.scaling.attn_factor": 1.0,
    "rope.scale_linear": 1.0,
}
_LLAMA3_LOW, _LLAMA3_HIGH, _LLAMA3_CONTEXT = 1.0, 4.0, 8192
_MODULES = {
    "model.embed_tokens": "token_embd",
    "model.norm": "output_norm",
    "lm_head": "output",
    "input_layernorm": "attn_norm",
    "post_attention_layernorm": "ffn_norm",
    "self_attn.q_proj": "attn_q",
    "self_attn.k_proj": "attn_k",
    "self_attn.v_proj": "attn_v",
    "self_attn.o_proj": "attn_output",
    "mlp.gate_proj": "ffn_gate",
    "mlp.up_proj": "ffn_up",
    "mlp.down_proj": "ffn_down",
}


def model_config(file: GGUFFile) -> ModelConfig:
    """The validated shape of the model in `file`.

    Raises:
        ModelFileError: A key is missing, its value impossible, or the file is truncated.
        UnsupportedError: The architecture, or something it asks for, is not computed here.
    """
    architecture = file.text("general.architecture") or "missing"
    if architecture != "llama":
        return parse_config({"model_type": architecture})
    parts = whole(file, "split.count") or 1
    if parts > 1:
        raise UnsupportedError(
            f"{file.path.name} is one of {parts} parts; split GGUF files are not supported yet, "
            "merge them with llama-gguf-split."
        )
    _refuse_what_is_not_computed(file)
    return parse_config(_as_config_json(file))


def gguf_name(name: str) -> str:
    """The name in a GGUF file of the checkpoint's tensor `name` (`.weight` or `.bias` included).

    `model.layers.3.self_attn.q_proj.weight` is `blk.3.attn_q.weight`.
    """
    module, _, kind = name.rpartition(".")
    if module.startswith("model.layers."):
        _, _, layer, part = module.split(".", 3)
        return f"blk.{layer}.{_MODULES[part]}.{kind}"
    return f"{_MODULES[module]}.{kind}"


def row_order(name: str, config: ModelConfig) -> np.ndarray[Any, np.dtype[np.intp]] | None:
    """Where each row of a GGUF tensor belongs in the checkpoint's tensor `name`.

    GGUF's llama rotates neighbouring pairs (2i, 2i + 1) of a head, checkpoints rotate (i, i + D/2);
    the converter therefore interleaves the two halves of every head of q and k.

    Returns:
        Row r of the file is row order[r] of the checkpoint; None where they are the same.
    """
    if ".q_proj." in name:
        heads = config.num_attention_heads
    elif ".k_proj." in name:
        heads = config.num_key_value_heads
    else:
        return None
    rows = np.arange(heads * config.head_dim).reshape(heads, 2, config.head_dim // 2)
    return rows.swapaxes(1, 2).reshape(-1)


def _refuse_what_is_not_computed(file: GGUFFile) -> None:
    for key, neutral in _NEUTRAL.items():
        value = file.metadata.get(f"llama.{key}", neutral)
        if value != neutral:
            raise UnsupportedError(
                f"{file.path.name} asks for {key.replace('_', ' ')} {str(value)[:32]}, "
                "which this version does not compute."
            )


def _as_config_json(file: GGUFFile) -> dict[str, Any]:
    """The metadata in the words of config.json."""
    embedding = file.tensors.get("token_embd.weight")
    if embedding is None:
        raise ModelFileError(f"{file.path.name} has no tensor token_embd.weight; fetch it again.")
    config: dict[str, Any] = {
        "model_type": "llama",
        "vocab_size": embedding.shape[0],
        "hidden_size": _get(file, "embedding_length"),
        "num_hidden_layers": _get(file, "block_count"),
        "intermediate_size": _get(file, "feed_forward_length"),
        "num_attention_heads": _get(file, "attention.head_count"),
        "num_key_value_heads": _get(file, "attention.head_count_kv"),
        "rms_norm_eps": _get(file, "attention.layer_norm_rms_epsilon"),
        "max_position_embeddings": _get(file, "context_length"),
        "head_dim": _head_dim(file),
        "tie_word_embeddings": "output.weight" not in file.tensors,
        "attention_bias": "blk.0.attn_q.bias" in file.tensors,
        "mlp_bias": "blk.0.ffn_down.bias" in file.tensors,
        "bos_token_id": file.metadata.get("tokenizer.ggml.bos_token_id"),
        "eos_token_id": _end_ids(file),
    }
    config = {key: value for key, value in config.items() if value is not None}
    config["rope_parameters"] = _rope(file, parse_config(config))
    return config


def _get(file: GGUFFile, key: str) -> Value | None:
    """The value of `llama.<key>`; one value where the file repeats it for every layer."""
    value = file.metadata.get(f"llama.{key}")
    if isinstance(value, list):
        if not value or any(each != value[0] for each in value):
            raise UnsupportedError(
                f"{file.path.name} has a different {key.replace('_', ' ')} from layer to layer, "
                "which this version does not compute."
            )
        value = value[0]
    return _shortest(value) if isinstance(value, float) else value


def _shortest(value: float) -> float:
    """The shortest decimal that is the same float32: 1e-05 rather than 9.999999747378752e-06."""
    return float(str(np.float32(value))) if abs(value) < 3e38 else value


def _head_dim(file: GGUFFile) -> Value | None:
    key, value = _get(file, "attention.key_length"), _get(file, "attention.value_length")
    if key != value:
        raise UnsupportedError(
            f"{file.path.name} has keys of {key} and values of {value} numbers a head, "
            "which this version does not compute."
        )
    return key


def _rope(file: GGUFFile, config: ModelConfig) -> dict[str, Any]:
    dims = _get(file, "rope.dimension_count")
    if dims not in (None, config.head_dim):
        raise UnsupportedError(
            f"Partial rotary embedding ({str(dims)[:32]} of {config.head_dim} dimensions) is not "
            "supported yet."
        )
    theta = _get(file, "rope.freq_base")
    rope: dict[str, Any] = {} if theta is None else {"rope_theta": theta}
    kind = _get(file, "rope.scaling.type")
    if kind not in (None, "none"):
        rope |= {"rope_type": kind, "factor": _get(file, "rope.scaling.factor")}
    if "rope_freqs.weight" in file.tensors:
        if "rope_type" in rope:
            raise UnsupportedError(f"{file.path.name} scales RoPE in two ways at once.")
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
        raise ModelFileError(f"{file.path.name} has a damaged rope_freqs.weight; fetch it again.")
    rows = Rows(file.path, info.offset, head_dim // 2, info.type.block_bytes)
    factors = np.concatenate([raw.view("<f4") for _, raw in rows.chunks()]).ravel()
    factor = _shortest(float(factors.max()))
    if np.all(factors == 1.0):
        return {}
    with np.errstate(all="ignore"):
        expected = llama3_factors(head_dim, theta, factor)
    if not np.allclose(factors, expected, rtol=1e-4, atol=0.0):
        raise UnsupportedError(
            f"{file.path.name} has RoPE frequency factors that are not those of llama 3, "
            "which is not supported yet."
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


def _end_ids(file: GGUFFile) -> list[int]:
    """Ids that end a turn: the named ones, and control tokens known to mean it, as llama.cpp."""
    keys = ("eos_token_id", "eot_token_id", "eom_token_id")
    named = [whole(file, f"tokenizer.ggml.{key}") for key in keys]
    ids = {token for token in named if token is not None}
    tokens = file.metadata.get("tokenizer.ggml.tokens")
    kinds = file.metadata.get("tokenizer.ggml.token_type")
    if isinstance(tokens, list) and isinstance(kinds, list) and len(tokens) == len(kinds):
        ids |= {
            index
            for index, kind in enumerate(kinds)
            if kind == _CONTROL_TOKEN and tokens[index] in _END_TOKENS
        }
    return sorted(ids)
