"""mlx-lm's model on the very same weight arrays: what speed and logits are compared with.

Imported only where a comparison is asked for: mlx-lm takes seconds to import.
"""

import math
from collections.abc import Iterator, Sequence
from typing import Any

import mlx.core as mx
from mlx import nn
from mlx_lm.generate import generate_step
from mlx_lm.models import llama, qwen2, qwen3

from engine.config import ModelConfig
from engine.errors import UnsupportedError
from engine.layers import DenseEmbedding, DenseLinear, QuantizedEmbedding, QuantizedLinear, RMSNorm
from engine.llama import Decoder
from engine.rope_config import yarn_attention_factor
from engine.sentence import Sentence

_ATTENTION = ("q_proj", "k_proj", "v_proj", "o_proj")
_NORMS = ("q_norm", "k_norm")
_FEED_FORWARD = ("gate_proj", "up_proj", "down_proj")


def twin(config: ModelConfig, decoder: Decoder) -> nn.Module:
    """mlx-lm's model for `config`, holding the arrays of `decoder`: nothing is copied.

    Raises:
        UnsupportedError: mlx-lm has no model that computes the same; what it lacks is named.
    """
    parts = dict(_parts(decoder))
    model = _model(config)

    def quantised(path: str, _: object) -> bool | dict[str, Any]:
        part = parts.get(path)
        if not isinstance(part, QuantizedLinear | QuantizedEmbedding):
            return False
        how = part.matrix.how
        return {"group_size": how.group_size, "bits": how.bits, "mode": how.mode}

    nn.quantize(model, class_predicate=quantised)
    arrays = [
        (f"{path}.{name}", array)
        for path, part in parts.items()
        for name, array in _arrays(part).items()
    ]
    model.load_weights(arrays, strict=True)
    return model


def stream(model: nn.Module, ids: Sequence[int], max_tokens: int) -> Iterator[int]:
    """What mlx-lm's own loop writes greedily after `ids`; it does not end at an end token."""
    # On the default stream, so that one synchronisation drains this loop and the engine's alike.
    steps = generate_step(
        mx.array(list(ids)),
        model,
        stream=mx.default_stream(mx.default_device()),
        max_tokens=max_tokens,
    )
    for token, _ in steps:
        yield int(token)


def _model(config: ModelConfig) -> nn.Module:
    """mlx-lm's module for the family, with weights of its own still."""
    lacks = _lacks(config)
    if lacks is not None:
        raise UnsupportedError(
            "mlx-lm computes this model otherwise: it has no {lacks}.", lacks=lacks
        )
    arguments = _arguments(config)
    if config.qk_norm:
        return qwen3.Model(qwen3.ModelArgs.from_dict(arguments))
    if config.attention_bias and not config.attention_output_bias:
        return qwen2.Model(qwen2.ModelArgs.from_dict(arguments))
    return llama.Model(llama.ModelArgs.from_dict(arguments))


def _lacks(config: ModelConfig) -> Sentence | None:
    """What the model needs and mlx-lm's module for it does not compute."""
    rope = config.rope
    if config.sliding_window is not None:
        return Sentence("sliding window for it")
    if rope.partial_rotary_factor != 1.0:
        return Sentence("partial rotary embedding for it")
    as_published = math.isclose(rope.attention_factor, yarn_attention_factor(rope.factor))
    if rope.kind == "yarn" and not (rope.truncate and as_published):
        return Sentence("such yarn")
    if config.qk_norm and config.attention_bias:
        return Sentence("biases beside norms of queries and keys")
    is_qwen2 = config.attention_bias and not config.attention_output_bias
    if is_qwen2 and config.head_dim * config.num_attention_heads != config.hidden_size:
        return Sentence("head dimension of its own for it")
    return None


def _arguments(config: ModelConfig) -> dict[str, Any]:
    rope = config.rope
    scaling: dict[str, float | str] | None = None
    if rope.kind not in ("default", "dynamic"):
        scaling = {"rope_type": rope.kind, "factor": rope.factor}
    if rope.kind in ("llama3", "yarn") and scaling is not None:
        scaling |= {
            "low_freq_factor": rope.low_freq_factor,
            "high_freq_factor": rope.high_freq_factor,
            "original_max_position_embeddings": rope.original_max_position_embeddings,
            "beta_fast": rope.beta_fast,
            "beta_slow": rope.beta_slow,
        }
    return {
        "model_type": config.model_type,
        "hidden_size": config.hidden_size,
        "num_hidden_layers": config.num_hidden_layers,
        "intermediate_size": config.intermediate_size,
        "num_attention_heads": config.num_attention_heads,
        "rms_norm_eps": config.rms_norm_eps,
        "vocab_size": config.vocab_size,
        "head_dim": config.head_dim,
        "max_position_embeddings": config.max_position_embeddings,
        "num_key_value_heads": config.num_key_value_heads,
        "attention_bias": config.attention_bias,
        "mlp_bias": config.mlp_bias,
        "rope_theta": rope.theta,
        "rope_scaling": scaling,
        "tie_word_embeddings": config.tie_word_embeddings,
    }


def _parts(decoder: Decoder) -> Iterator[tuple[str, object]]:
    """Module path, as in a checkpoint, and the part of the decoder that holds its weights."""
    yield "model.embed_tokens", decoder.embed_tokens
    for index, block in enumerate(decoder.layers):
        path = f"model.layers.{index}"
        yield f"{path}.input_layernorm", block.input_layernorm
        yield f"{path}.post_attention_layernorm", block.post_attention_layernorm
        for name in _ATTENTION:
            yield f"{path}.self_attn.{name}", getattr(block.self_attn, name)
        for name in _NORMS if block.self_attn.q_norm is not None else ():
            yield f"{path}.self_attn.{name}", getattr(block.self_attn, name)
        for name in _FEED_FORWARD:
            yield f"{path}.mlp.{name}", getattr(block.mlp, name)
    yield "model.norm", decoder.norm
    if isinstance(decoder.lm_head, DenseLinear | QuantizedLinear):
        yield "lm_head", decoder.lm_head


def _arrays(part: object) -> dict[str, mx.array]:
    match part:
        case DenseLinear(weight=weight, bias=bias):
            found = {"weight": weight, "bias": bias}
        case QuantizedLinear(matrix=matrix, bias=bias):
            found = {"weight": matrix.weight, "scales": matrix.scales, "biases": matrix.biases}
            found["bias"] = bias
        case QuantizedEmbedding(matrix=matrix):
            found = {"weight": matrix.weight, "scales": matrix.scales, "biases": matrix.biases}
        case DenseEmbedding(weight=weight) | RMSNorm(weight=weight):
            found = {"weight": weight}
        case _:
            raise TypeError(f"a decoder has no part like {part!r}")
    return {name: array for name, array in found.items() if array is not None}
