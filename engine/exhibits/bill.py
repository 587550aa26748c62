"""What the keys and values of a shape or a model take: the bill of exhibit 8."""

from dataclasses import dataclass

import psutil

from engine.config import ModelConfig
from engine.kv import kv_bytes
from engine.memory import device_limit_bytes, plan
from engine.zoo_config import ZooConfig


@dataclass(frozen=True)
class Asked:
    """What is to be held.

    Attributes:
        tokens: Of each conversation.
        batch: Conversations at once.
        bits: Of each stored number.
    """

    tokens: int
    batch: int
    bits: int


@dataclass(frozen=True)
class Bill:
    """What one shape takes.

    Attributes:
        name: What it is of: `sliders`, `classroom`, a model's name, or `MHA`, `GQA`, `MQA`.
        layers: Of the network.
        query_heads: Per layer.
        kv_heads: Per layer; 0 where a model of mlx-lm has no single number.
        head_dim: Likewise.
        bits: Of each stored number.
        bytes_per_token: 2 × layers × KV heads × head dimension × bytes per number, with scales
            where that is quantised.
        bytes_per_conversation: The same for all tokens of one; layers with a window of their own
            take no more than that.
        total_bytes: The same for all conversations.
        scale_bytes: Of the total, what the scales and biases of quantised numbers take.
        weights_bytes: Of the model; None for shapes that are no model.
        conversations_that_fit: How many of these fit this machine beside the weights; None where
            the shape is no model or nobody knows.
    """

    name: str
    layers: int
    query_heads: int
    kv_heads: int
    head_dim: int
    bits: int
    bytes_per_token: int
    bytes_per_conversation: int
    total_bytes: int
    scale_bytes: int
    weights_bytes: int | None = None
    conversations_that_fit: int | None = None


def shape_bill(name: str, shape: ModelConfig, asked: Asked) -> Bill:
    """The bill of a shape: 2 × layers × KV heads × head dimension × tokens × batch × bytes."""
    values = 2 * shape.num_hidden_layers * shape.num_key_value_heads * shape.head_dim
    total = kv_bytes(shape, asked.tokens, asked.batch, asked.bits)
    return Bill(
        name=name,
        layers=shape.num_hidden_layers,
        query_heads=shape.num_attention_heads,
        kv_heads=shape.num_key_value_heads,
        head_dim=shape.head_dim,
        bits=asked.bits,
        bytes_per_token=kv_bytes(shape, 1, bits=asked.bits),
        bytes_per_conversation=kv_bytes(shape, asked.tokens, bits=asked.bits),
        total_bytes=total,
        scale_bytes=total - values * asked.tokens * asked.batch * asked.bits // 8,
    )


def model_bill(
    name: str, config: ModelConfig, asked: Asked, memory: int | None, weights: int | None = None
) -> Bill:
    """The bill of a model, by the plan that the library and the command line make too.

    Args:
        name: Of the model.
        config: Its shape.
        asked: What it is to hold.
        memory: Bytes that this machine has; None where nobody knows.
        weights: Bytes of its weights; worked out from the config where left out.
    """
    bits = max(asked.bits, 16) if isinstance(config, ZooConfig) else asked.bits
    planned = plan(config, context=asked.tokens, users=asked.batch, bits=bits, memory=memory)
    weights = planned.weights_bytes if weights is None else weights
    room = None if memory is None else max(memory - weights, 0)
    return Bill(
        name=name,
        layers=config.num_hidden_layers,
        query_heads=config.num_attention_heads,
        kv_heads=config.num_key_value_heads,
        head_dim=config.head_dim,
        bits=bits,
        bytes_per_token=planned.bytes_per_token,
        bytes_per_conversation=planned.bytes_per_user,
        total_bytes=planned.total_bytes,
        scale_bytes=0 if bits >= 16 else planned.total_bytes * 32 // (64 * bits + 32),
        weights_bytes=weights,
        conversations_that_fit=None if room is None else room // max(planned.bytes_per_user, 1),
    )


def machine_bytes() -> int | None:
    """What this machine has for a model and its caches: what Metal recommends, or its memory."""
    return device_limit_bytes() or psutil.virtual_memory().total


def shape_of(layers: int, query_heads: int, kv_heads: int, head_dim: int) -> ModelConfig:
    """A shape of which only what the cache depends on is meant."""
    return ModelConfig(
        model_type="",
        hidden_size=query_heads * head_dim,
        num_hidden_layers=layers,
        num_attention_heads=query_heads,
        num_key_value_heads=kv_heads,
        head_dim=head_dim,
        intermediate_size=1,
        vocab_size=1,
    )
