"""A model's shape: config.json (both of its styles) or GGUF metadata → `ModelConfig`.

Everything is validated here, once; the rest of the engine trusts a `ModelConfig`. Names are those
of config.json. What an architecture means by an entry it leaves out stands in families.py.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, cast

from engine.config_values import Json, flag, positive, shown, whole
from engine.errors import ModelFileError, ModelNotFoundError, UnsupportedError, unreadable
from engine.families import Family, family_of, layer_types_of
from engine.quantization import Quantization, parse_quantization
from engine.rope_config import LayerType, RopeConfig, parse_ropes

__all__ = [
    "ModelConfig",
    "ParameterCounts",
    "Quantization",
    "RopeConfig",
    "parse_config",
    "read_config",
    "read_json",
    "token_ids",
]

_CONFIG_LIMIT_BYTES = 16 << 20
_ACTIVATIONS = ("silu", "swish")


@dataclass(frozen=True)
class ParameterCounts:
    """How many numbers of a model sit where; tied ones are counted once, in the embedding.

    Attributes:
        embedding: Of the table of token vectors.
        attention: Of q_proj, k_proj, v_proj and o_proj in all blocks, biases included.
        feed_forward: Of gate_proj, up_proj and down_proj in all blocks, biases included.
        norms: Of all RMSNorms.
        lm_head: 0 where it is tied to the embedding.
        tied: Whether it is.
        layers: Over how many blocks attention and feed-forward are spread.
    """

    embedding: int
    attention: int
    feed_forward: int
    norms: int
    lm_head: int
    tied: bool
    layers: int

    @property
    def total(self) -> int:
        """All of them."""
        blocks = self.attention + self.feed_forward
        return self.embedding + blocks + self.norms + self.lm_head


@dataclass(frozen=True)
class ModelConfig:
    """The shape of a llama-family decoder; field names are config.json's.

    Attributes:
        layer_types: One name per layer, none where all have full attention. Layers of the type
            `sliding_attention` see `sliding_window` tokens, the query's own included.
        rope: RoPE of the layers with full attention; of all layers, where all slide.
        sliding_rope: RoPE of sliding layers where it differs from `rope`.
        attention_bias: Whether q_proj, k_proj and v_proj have biases.
        attention_output_bias: Whether o_proj has one.
        qk_norm: Whether every head's queries and keys are RMS-normalised before RoPE.
        quantization: For all linears and embeddings that have scales, unless named in `layers`.
        quantized_layers: Module path → its own setting, None where it is held unquantised.
        eos_token_ids: Every id that ends a turn according to the config, sorted.
    """

    model_type: str
    hidden_size: int
    num_hidden_layers: int
    num_attention_heads: int
    num_key_value_heads: int
    head_dim: int
    intermediate_size: int
    vocab_size: int
    max_position_embeddings: int = 2048
    rms_norm_eps: float = 1e-6
    layer_types: tuple[LayerType, ...] = ()
    sliding_window: int | None = None
    rope: RopeConfig = field(default_factory=RopeConfig)
    sliding_rope: RopeConfig | None = None
    tie_word_embeddings: bool = False
    attention_bias: bool = False
    attention_output_bias: bool = False
    mlp_bias: bool = False
    qk_norm: bool = False
    bos_token_id: int | None = None
    eos_token_ids: tuple[int, ...] = ()
    torch_dtype: str = "bfloat16"
    quantization: Quantization | None = None
    quantized_layers: Mapping[str, Quantization | None] = field(
        default_factory=dict[str, Quantization | None]
    )

    @property
    def parameters(self) -> int:
        """Number of weights of the decoder, tied ones counted once."""
        return self.parameter_counts.total

    @property
    def parameter_counts(self) -> ParameterCounts:
        """Where they sit in Cutaway's own decoder."""
        hidden, inner, dim = self.hidden_size, self.intermediate_size, self.head_dim
        wide, narrow = self.num_attention_heads * dim, self.num_key_value_heads * dim
        attention = 2 * hidden * (wide + narrow)
        attention += (wide + 2 * narrow) * self.attention_bias + hidden * self.attention_output_bias
        feed_forward = 3 * hidden * inner + (2 * inner + hidden) * self.mlp_bias
        norms = 2 * hidden + 2 * dim * self.qk_norm
        table = self.vocab_size * hidden
        return ParameterCounts(
            embedding=table,
            attention=self.num_hidden_layers * attention,
            feed_forward=self.num_hidden_layers * feed_forward,
            norms=self.num_hidden_layers * norms + hidden,
            lm_head=0 if self.tie_word_embeddings else table,
            tied=self.tie_word_embeddings,
            layers=self.num_hidden_layers,
        )

    @property
    def windows(self) -> tuple[int | None, ...]:
        """How many tokens each layer sees, the query's own included; None sees all."""
        if not self.layer_types:
            return (None,) * self.num_hidden_layers
        return tuple(
            self.sliding_window if name == "sliding_attention" else None
            for name in self.layer_types
        )

    @property
    def longest_sequence(self) -> int | None:
        """The most tokens that RoPE, as configured, has frequencies for; None without bound."""
        ropes = [self.rope] if self.sliding_rope is None else [self.rope, self.sliding_rope]
        bounds = [rope.longest for rope in ropes if rope.longest is not None]
        return min(bounds, default=None)

    def quantization_of(self, module: str) -> Quantization | None:
        """How the weights of `module` (a path such as `model.layers.0.mlp.up_proj`) are held."""
        return self.quantized_layers.get(module, self.quantization)


def read_config(path: Path) -> ModelConfig:
    """Read and validate a config.json.

    Args:
        path: The file.

    Returns:
        The validated shape.

    Raises:
        ModelNotFoundError: There is no such file.
        ModelFileError: It is not a JSON object, or a number in it is impossible.
        UnsupportedError: It asks for something this engine does not compute.
    """
    return parse_config(read_json(path))


def read_json(path: Path) -> dict[str, Any]:
    """Read a JSON object of at most 16 MiB.

    Raises:
        ModelNotFoundError: There is no such file.
        ModelFileError: It is unreadable or not a JSON object.
    """
    try:
        if path.exists() and not path.is_file():
            raise ModelFileError("{path} is not a file that can be read.", path=path)
        if path.stat().st_size > _CONFIG_LIMIT_BYTES:
            raise ModelFileError("{path} is too large to be a model's configuration.", path=path)
        value: object = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise ModelNotFoundError("There is no file {path}.", path=path) from None
    except OSError as error:
        raise unreadable(path, error) from error
    except (ValueError, RecursionError) as error:
        raise ModelFileError(
            "{path} is not valid JSON; fetch the model again.", path=path
        ) from error
    if not isinstance(value, dict):
        raise ModelFileError("{path} is not a JSON object; fetch the model again.", path=path)
    return cast("dict[str, Any]", value)


def parse_config(raw: Json) -> ModelConfig:
    """Validate the content of a config.json.

    Args:
        raw: The parsed object; unknown keys that do not change the computation are ignored.

    Returns:
        The validated shape.

    Raises:
        ModelFileError: A key is missing or its value is impossible.
        UnsupportedError: The architecture, or something it asks for, is not computed here; the
            message names it.
    """
    family = family_of(raw)
    activation = raw.get("hidden_act") or "silu"
    if activation not in _ACTIVATIONS:
        raise UnsupportedError(
            "The activation {activation} is not supported; llama uses silu.",
            activation=shown(activation),
        )
    layers = whole(raw, "num_hidden_layers", most=4096)
    heads, kv_heads, head_dim = _heads(raw, family)
    context = whole(
        raw, "max_position_embeddings", default=family.max_position_embeddings, most=1 << 40
    )
    layer_types, window = layer_types_of(raw, family, layers)
    ropes = parse_ropes(raw, sorted(set(layer_types)), head_dim, context)
    full, sliding = ropes.get("full_attention"), ropes.get("sliding_attention")
    rope = full or sliding or RopeConfig()
    has_bias = family.biases == "as configured" and flag(raw, "attention_bias")
    quantization, quantized_layers = parse_quantization(raw)
    return ModelConfig(
        model_type=family.model_type,
        hidden_size=whole(raw, "hidden_size"),
        num_hidden_layers=layers,
        num_attention_heads=heads,
        num_key_value_heads=kv_heads,
        head_dim=head_dim,
        intermediate_size=whole(raw, "intermediate_size"),
        vocab_size=whole(raw, "vocab_size"),
        max_position_embeddings=context,
        rms_norm_eps=positive(raw, "rms_norm_eps", 1e-6),
        layer_types=layer_types if window is not None else (),
        sliding_window=window,
        rope=rope,
        sliding_rope=None if sliding in (None, rope) else sliding,
        tie_word_embeddings=flag(raw, "tie_word_embeddings"),
        attention_bias=has_bias or family.biases == "queries, keys and values",
        attention_output_bias=has_bias,
        mlp_bias=flag(raw, "mlp_bias"),
        qk_norm=family.has_qk_norm,
        bos_token_id=_token_id(raw.get("bos_token_id")),
        eos_token_ids=token_ids(raw.get("eos_token_id")),
        torch_dtype=str(raw.get("dtype") or raw.get("torch_dtype") or "bfloat16"),
        quantization=quantization,
        quantized_layers=quantized_layers,
    )


def token_ids(value: object) -> tuple[int, ...]:
    """The ids of an `eos_token_id` entry, which is one id, a list of ids, or absent."""
    entries = cast("list[object]", value) if isinstance(value, list) else [value]
    ids = {_token_id(entry) for entry in entries}
    return tuple(sorted(entry for entry in ids if entry is not None))


def _token_id(value: object) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) and value >= 0 else None


def _heads(raw: Json, family: Family) -> tuple[int, int, int]:
    """Query heads, KV heads and the dimensions of a head."""
    hidden_size = whole(raw, "hidden_size")
    heads = whole(raw, "num_attention_heads", most=65_536)
    # A null, other than an entry that is left out, means as many as query heads in every family.
    shared = None if "num_key_value_heads" in raw else family.num_key_value_heads
    kv_heads = whole(raw, "num_key_value_heads", default=shared or heads, most=65_536)
    head_dim = whole(raw, "head_dim", default=family.head_dim or hidden_size // heads, most=65_536)
    if not raw.get("head_dim") and not family.head_dim and hidden_size % heads:
        raise ModelFileError(
            "The config has a hidden_size of {hidden_size}, which {heads} heads do not divide.",
            hidden_size=hidden_size,
            heads=heads,
        )
    if heads % kv_heads:
        raise ModelFileError(
            "The config has {heads} attention heads, which {kv_heads} KV heads do not divide.",
            heads=heads,
            kv_heads=kv_heads,
        )
    if head_dim % 2:
        raise ModelFileError(
            "The config has head_dim {head_dim}; RoPE needs an even one.", head_dim=head_dim
        )
    return heads, kv_heads, head_dim
