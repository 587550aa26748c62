"""mlx-lm's llama on the very same weight arrays: what speed and logits are compared with.

Imported only where a comparison is asked for: mlx-lm takes seconds to import.
"""

from collections.abc import Iterator, Sequence
from typing import Any

import mlx.core as mx
from mlx import nn
from mlx_lm.generate import generate_step
from mlx_lm.models.llama import Model as Llama
from mlx_lm.models.llama import ModelArgs

from engine.config import ModelConfig
from engine.layers import DenseEmbedding, DenseLinear, QuantizedEmbedding, QuantizedLinear, RMSNorm
from engine.llama import Decoder

_ATTENTION = ("q_proj", "k_proj", "v_proj", "o_proj")
_FEED_FORWARD = ("gate_proj", "up_proj", "down_proj")


def twin(config: ModelConfig, decoder: Decoder) -> nn.Module:
    """mlx-lm's model for `config`, holding the arrays of `decoder`: nothing is copied."""
    parts = dict(_parts(decoder))
    model = Llama(_arguments(config))

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


def _arguments(config: ModelConfig) -> ModelArgs:
    rope = config.rope
    scaling: dict[str, float | str] | None = None
    if rope.kind != "default":
        scaling = {"rope_type": rope.kind, "factor": rope.factor}
    if rope.kind == "llama3" and scaling is not None:
        scaling |= {
            "low_freq_factor": rope.low_freq_factor,
            "high_freq_factor": rope.high_freq_factor,
            "original_max_position_embeddings": rope.original_max_position_embeddings,
        }
    return ModelArgs(
        model_type="llama",
        hidden_size=config.hidden_size,
        num_hidden_layers=config.num_hidden_layers,
        intermediate_size=config.intermediate_size,
        num_attention_heads=config.num_attention_heads,
        rms_norm_eps=config.rms_norm_eps,
        vocab_size=config.vocab_size,
        head_dim=config.head_dim,
        max_position_embeddings=config.max_position_embeddings,
        num_key_value_heads=config.num_key_value_heads,
        attention_bias=config.attention_bias,
        mlp_bias=config.mlp_bias,
        rope_theta=rope.theta,
        rope_scaling=scaling,
        tie_word_embeddings=config.tie_word_embeddings,
    )


def _parts(decoder: Decoder) -> Iterator[tuple[str, object]]:
    """Module path, as in a checkpoint, and the part of the decoder that holds its weights."""
    yield "model.embed_tokens", decoder.embed_tokens
    for index, block in enumerate(decoder.layers):
        path = f"model.layers.{index}"
        yield f"{path}.input_layernorm", block.input_layernorm
        yield f"{path}.post_attention_layernorm", block.post_attention_layernorm
        for name in _ATTENTION:
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
