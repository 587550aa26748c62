"""What a GGUF file's metadata says about its model: the `ModelConfig`, and names of its tensors.

llama.cpp's converter writes these keys and names; its `LlamaModel` in convert_hf_to_gguf.py is the
source of the mapping and of the order of query and key rows. Its
`llama` is also what Mistral models are called; qwen2 and qwen3 keep the checkpoint's row order.
"""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from engine.config import ModelConfig, parse_config
from engine.config_keys import refuse_unknown, refused
from engine.errors import ModelFileError, UnsupportedError
from engine.gguf_file import GGUFFile, Value, whole
from engine.gguf_metadata import architecture_of, entry
from engine.gguf_rope import rope_parameters

__all__ = ["GGUFFile", "config_json", "gguf_name", "model_config", "row_order"]

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
_UNDERSTOOD = frozenset(
    {
        "attention.head_count",
        "attention.head_count_kv",
        "attention.key_length",
        "attention.layer_norm_epsilon",
        "attention.layer_norm_rms_epsilon",
        "attention.sliding_window",
        "attention.sliding_window_pattern",
        "attention.value_length",
        "rope.dimension_count",
        "rope.freq_base",
        "rope.scaling.factor",
        "rope.scaling.finetuned",
        "rope.scaling.original_context_length",
        "rope.scaling.type",
        "rope.scaling.yarn_beta_fast",
        "rope.scaling.yarn_beta_slow",
    }
)
_NEUTRAL: Mapping[str, Value] = {
    "attention.causal": True,
    "attention.scale": 0.0,
    "attention.temperature_scale": 0.0,
    "rope.scale_linear": 1.0,
    "rope.scaling.attn_factor": 1.0,
    "rope.scaling.yarn_attn_factor": 1.0,
    "rope.scaling.yarn_ext_factor": 1.0,
    "rope.scaling.yarn_log_multiplier": 0.0,
}
ARCHITECTURES = ("llama", "qwen2", "qwen3")
"""What is computed from a GGUF file, as its metadata names it."""
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
    "self_attn.q_norm": "attn_q_norm",
    "self_attn.k_norm": "attn_k_norm",
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
    architecture = architecture_of(file)
    if architecture not in ARCHITECTURES:
        raise UnsupportedError(
            "The architecture {architecture!r} of {file} is not supported yet; in a GGUF file "
            "this version runs {supported}.",
            architecture=architecture[:64],
            file=file.path.name,
            supported=", ".join(ARCHITECTURES),
        )
    _refuse_what_is_not_computed(file)
    config = parse_config(config_json(file))
    return replace(
        config,
        attention_bias="blk.0.attn_q.bias" in file.tensors,
        attention_output_bias="blk.0.attn_output.bias" in file.tensors,
        mlp_bias="blk.0.ffn_down.bias" in file.tensors,
    )


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
    the converter therefore interleaves the two halves of every head of q and k. Other
    architectures it leaves alone.

    Returns:
        Row r of the file is row order[r] of the checkpoint; None where they are the same.
    """
    if config.model_type != "llama":
        return None
    if ".q_proj." in name:
        heads = config.num_attention_heads
    elif ".k_proj." in name:
        heads = config.num_key_value_heads
    else:
        return None
    rows = np.arange(heads * config.head_dim).reshape(heads, 2, config.head_dim // 2)
    return rows.swapaxes(1, 2).reshape(-1)


def _refuse_what_is_not_computed(file: GGUFFile) -> None:
    prefix = f"{architecture_of(file)}."
    entries = {
        key.removeprefix(prefix): value
        for key, value in file.metadata.items()
        if key.startswith(prefix)
    }
    refuse_unknown(entries, _UNDERSTOOD | _NEUTRAL.keys(), file.path.name)
    for key, neutral in _NEUTRAL.items():
        if entries.get(key, neutral) != neutral:
            raise refused(file.path.name, key, entries[key])


def config_json(file: GGUFFile) -> dict[str, Any]:
    """The metadata in the words of config.json, but for biases, which only the tensors tell.

    Raises:
        ModelFileError: A key is missing or its value impossible.
        UnsupportedError: It asks for something that is not computed here.
    """
    embedding = file.tensors.get("token_embd.weight")
    if embedding is None:
        raise ModelFileError(
            "{file} has no tensor token_embd.weight; fetch it again.", file=file.path.name
        )
    heads, hidden_size = entry(file, "attention.head_count"), entry(file, "embedding_length")
    kv_heads, head_dim = entry(file, "attention.head_count_kv"), _head_dim(file)
    if head_dim is None and isinstance(hidden_size, int) and isinstance(heads, int) and heads > 0:
        head_dim = hidden_size // heads
    config: dict[str, Any] = {
        "model_type": architecture_of(file),
        "vocab_size": embedding.shape[0],
        "hidden_size": hidden_size,
        "num_hidden_layers": entry(file, "block_count"),
        "intermediate_size": entry(file, "feed_forward_length"),
        "num_attention_heads": heads,
        "num_key_value_heads": heads if kv_heads is None else kv_heads,
        "rms_norm_eps": entry(file, "attention.layer_norm_rms_epsilon"),
        "max_position_embeddings": entry(file, "context_length"),
        "head_dim": head_dim,
        "tie_word_embeddings": "output.weight" not in file.tensors,
        "bos_token_id": file.metadata.get("tokenizer.ggml.bos_token_id"),
        "eos_token_id": _end_ids(file),
    }
    config = {key: value for key, value in config.items() if value is not None}
    config |= _sliding(file, parse_config(config))
    config["rope_parameters"] = rope_parameters(file, parse_config(config))
    return config


def _sliding(file: GGUFFile, config: ModelConfig) -> dict[str, Any]:
    """A window that the file gives a llama is for all its layers, as Mistral's is."""
    window = entry(file, "attention.sliding_window")
    if window in (None, 0):
        return {}
    if config.model_type != "llama" or entry(file, "attention.sliding_window_pattern") is not None:
        raise UnsupportedError(
            "{file} asks for a sliding window of {window} tokens without saying for which "
            "layers, which this version does not compute.",
            file=file.path.name,
            window=str(window)[:32],
        )
    types = ["sliding_attention"] * config.num_hidden_layers
    return {"sliding_window": window, "layer_types": types}


def _head_dim(file: GGUFFile) -> Value | None:
    key, value = entry(file, "attention.key_length"), entry(file, "attention.value_length")
    if key != value:
        raise UnsupportedError(
            "{file} has keys of {keys} and values of {values} numbers a head, which this version "
            "does not compute.",
            file=file.path.name,
            keys=key,
            values=value,
        )
    return key


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
