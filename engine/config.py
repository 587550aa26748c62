"""A model's shape: config.json (both of its styles) or GGUF metadata → `ModelConfig`.

Everything is validated here, once; the rest of the engine trusts a `ModelConfig`. Names are those
of config.json. Defaults are those of Hugging Face's `LlamaConfig`, which writers of checkpoints
rely on when they leave a key out.
"""

import json
import reprlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal, cast

from engine.errors import ModelFileError, ModelNotFoundError, UnsupportedError

Json = Mapping[str, Any]

RopeKind = Literal["default", "linear", "llama3"]

SUPPORTED_ARCHITECTURES = ("llama",)
_CONFIG_LIMIT_BYTES = 16 << 20
_ACTIVATIONS = ("silu", "swish")
# What float32 can still compute with; every real checkpoint is far inside.
_SMALLEST, _LARGEST = 1e-12, 1e12


@dataclass(frozen=True)
class RopeConfig:
    """Rotary position embedding: frequency base and how it is stretched.

    Attributes:
        theta: Base of the frequencies, theta ** (-2i / dims).
        kind: `default`, `linear` (positions divided by `factor`) or `llama3` (by wavelength).
        factor: How far the context is stretched, 1 for `default`.
        low_freq_factor: llama3: wavelengths above original / low are stretched by `factor`.
        high_freq_factor: llama3: wavelengths below original / high are left as they are.
        original_max_position_embeddings: llama3: the context before it was stretched, in tokens.
    """

    theta: float = 10_000.0
    kind: RopeKind = "default"
    factor: float = 1.0
    low_freq_factor: float = 1.0
    high_freq_factor: float = 4.0
    original_max_position_embeddings: int = 8192


@dataclass(frozen=True)
class Quantization:
    """How one linear or embedding is held: groups of `group_size` values at `bits` bits each."""

    group_size: int
    bits: int
    mode: str = "affine"


@dataclass(frozen=True)
class ModelConfig:
    """The shape of a llama-family decoder; field names are config.json's.

    Attributes:
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
    rope: RopeConfig = field(default_factory=RopeConfig)
    tie_word_embeddings: bool = False
    attention_bias: bool = False
    mlp_bias: bool = False
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
        attention = self.hidden_size * self.head_dim
        heads = 2 * self.num_attention_heads + 2 * self.num_key_value_heads
        block = attention * heads + 3 * self.hidden_size * self.intermediate_size
        block += 2 * self.hidden_size
        if self.attention_bias:
            query_and_key_values = self.num_attention_heads + 2 * self.num_key_value_heads
            block += query_and_key_values * self.head_dim + self.hidden_size
        if self.mlp_bias:
            block += 2 * self.intermediate_size + self.hidden_size
        embeddings = self.vocab_size * self.hidden_size * (1 if self.tie_word_embeddings else 2)
        return embeddings + self.num_hidden_layers * block + self.hidden_size

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
        if path.stat().st_size > _CONFIG_LIMIT_BYTES:
            raise ModelFileError(f"{path} is too large to be a model's configuration.")
        value: object = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise ModelNotFoundError(f"There is no file {path}.") from None
    except OSError as error:
        raise ModelFileError(f"{path} cannot be read: {error.strerror or error}.") from error
    except (ValueError, RecursionError) as error:
        raise ModelFileError(f"{path} is not valid JSON; fetch the model again.") from error
    if not isinstance(value, dict):
        raise ModelFileError(f"{path} is not a JSON object; fetch the model again.")
    return cast("dict[str, Any]", value)


def parse_config(raw: Json) -> ModelConfig:
    """Validate the content of a config.json.

    Args:
        raw: The parsed object; unknown keys that do not change the computation are ignored.

    Returns:
        The validated shape.

    Raises:
        ModelFileError: A key is missing or its value is impossible.
        UnsupportedError: The architecture, activation or RoPE scaling is not computed here.
    """
    model_type: object = raw.get("model_type") or "missing"
    if model_type not in SUPPORTED_ARCHITECTURES:
        raise UnsupportedError(
            f"The architecture {_shown(model_type)} is not supported yet; "
            f"this version runs {', '.join(SUPPORTED_ARCHITECTURES)}."
        )
    activation = raw.get("hidden_act") or "silu"
    if activation not in _ACTIVATIONS:
        raise UnsupportedError(
            f"The activation {_shown(activation)} is not supported; llama uses silu."
        )
    hidden_size = _whole(raw, "hidden_size")
    heads = _whole(raw, "num_attention_heads", most=65_536)
    kv_heads = _whole(raw, "num_key_value_heads", default=heads, most=65_536)
    head_dim = _whole(raw, "head_dim", default=hidden_size // heads, most=65_536)
    if heads % kv_heads:
        raise ModelFileError(
            f"The config has {heads} attention heads, which {kv_heads} KV heads do not divide."
        )
    if head_dim % 2:
        raise ModelFileError(f"The config has head_dim {head_dim}; RoPE needs an even one.")
    quantization, layers = _quantization(raw)
    return ModelConfig(
        model_type=str(model_type),
        hidden_size=hidden_size,
        num_hidden_layers=_whole(raw, "num_hidden_layers", most=4096),
        num_attention_heads=heads,
        num_key_value_heads=kv_heads,
        head_dim=head_dim,
        intermediate_size=_whole(raw, "intermediate_size"),
        vocab_size=_whole(raw, "vocab_size"),
        max_position_embeddings=_whole(raw, "max_position_embeddings", default=2048, most=1 << 40),
        rms_norm_eps=_positive(raw, "rms_norm_eps", 1e-6),
        rope=_rope(raw),
        tie_word_embeddings=_flag(raw, "tie_word_embeddings"),
        attention_bias=_flag(raw, "attention_bias"),
        mlp_bias=_flag(raw, "mlp_bias"),
        bos_token_id=_token_id(raw.get("bos_token_id")),
        eos_token_ids=token_ids(raw.get("eos_token_id")),
        torch_dtype=str(raw.get("dtype") or raw.get("torch_dtype") or "bfloat16"),
        quantization=quantization,
        quantized_layers=layers,
    )


def token_ids(value: object) -> tuple[int, ...]:
    """The ids of an `eos_token_id` entry, which is one id, a list of ids, or absent."""
    entries = cast("list[object]", value) if isinstance(value, list) else [value]
    ids = {_token_id(entry) for entry in entries}
    return tuple(sorted(entry for entry in ids if entry is not None))


def _token_id(value: object) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) and value >= 0 else None


def _rope(raw: Json) -> RopeConfig:
    """RoPE from `rope_parameters` (the newer style) or from `rope_theta` and `rope_scaling`."""
    newer, older = raw.get("rope_parameters"), raw.get("rope_scaling")
    scaling: object = newer or older or {}
    if not isinstance(scaling, Mapping):
        raise ModelFileError("The config's RoPE settings are not an object; fetch the model again.")
    entries: dict[str, Any] = {**cast("Json", scaling)}
    if any(isinstance(value, Mapping) for value in entries.values()):
        raise UnsupportedError("RoPE settings that differ between layers are not supported yet.")
    entries.setdefault("rope_theta", raw.get("rope_theta", 10_000.0))
    theta = _positive(entries, "rope_theta", 10_000.0)
    if _fraction(raw, entries) != 1.0:
        raise UnsupportedError("Partial rotary embedding is not supported yet.")
    kind = entries.get("rope_type") or entries.get("type") or "default"
    if kind == "default":
        return RopeConfig(theta=theta)
    if kind == "linear":
        return RopeConfig(theta=theta, kind="linear", factor=_positive(entries, "factor"))
    if kind == "llama3":
        rope = RopeConfig(
            theta=theta,
            kind="llama3",
            factor=_positive(entries, "factor"),
            low_freq_factor=_positive(entries, "low_freq_factor"),
            high_freq_factor=_positive(entries, "high_freq_factor"),
            original_max_position_embeddings=_whole(
                entries, "original_max_position_embeddings", most=1 << 40
            ),
        )
        if rope.high_freq_factor <= rope.low_freq_factor:
            raise ModelFileError("The config's RoPE high_freq_factor is not above low_freq_factor.")
        return rope
    raise UnsupportedError(f"The RoPE scaling {_shown(kind)} is not supported yet.")


def _fraction(raw: Json, entries: Json) -> float:
    value = entries.get("partial_rotary_factor", raw.get("partial_rotary_factor"))
    return 1.0 if value is None else _number(value, "partial_rotary_factor")


def _quantization(raw: Json) -> tuple[Quantization | None, dict[str, Quantization | None]]:
    """MLX's `quantization` entry: one setting for all, and settings by module path."""
    entry = raw.get("quantization")
    if entry is None:
        if method := raw.get("quantization_config"):
            name = cast("Json", method).get("quant_method") if isinstance(method, Mapping) else None
            raise UnsupportedError(
                f"Weights quantised by {_shown(name or 'another method')} are not supported; "
                "use an MLX-quantised or an unquantised copy of this model."
            )
        return None, {}
    if not isinstance(entry, Mapping):
        raise ModelFileError("The config's quantization is not an object; fetch the model again.")
    entries = cast("Json", entry)
    layers = {
        name: _quantization_of(cast("Json", setting)) if isinstance(setting, Mapping) else None
        for name, setting in entries.items()
        if isinstance(setting, Mapping) or setting is False
    }
    return _quantization_of(entries), layers


def _quantization_of(entry: Json) -> Quantization:
    mode: object = entry.get("mode") or "affine"
    if mode != "affine":
        raise UnsupportedError(f"The quantisation mode {_shown(mode)} is not supported yet.")
    bits = _whole(entry, "bits", most=8)
    group_size = _whole(entry, "group_size", most=65_536)
    return Quantization(group_size=group_size, bits=bits)


def _whole(raw: Json, key: str, default: int | None = None, most: int = 1 << 31) -> int:
    value: object = raw.get(key)
    if value is None:
        value = default
    if isinstance(value, bool) or not isinstance(value, int) or not 1 <= value <= most:
        said = "leaves out" if value is None else f"has {_shown(value)} for"
        raise ModelFileError(f"The config {said} {key}, which must be a whole number 1 to {most}.")
    return value


def _positive(raw: Json, key: str, default: float | None = None) -> float:
    value: object = raw.get(key)
    number = _number(default if value is None else value, key)
    if not _SMALLEST <= number <= _LARGEST:
        raise ModelFileError(
            f"The config has {number} for {key}, which must be from {_SMALLEST} to {_LARGEST}."
        )
    return number


def _number(value: object, key: str) -> float:
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    # Compared before it is converted: an integer of hundreds of digits overflows a float.
    if not is_number or not -_LARGEST <= cast("float", value) <= _LARGEST:
        raise ModelFileError(f"The config has {_shown(value)} for {key}, which must be a number.")
    return float(cast("float", value))


def _flag(raw: Json, key: str) -> bool:
    value: object = raw.get(key)
    if not isinstance(value, bool | None):
        raise ModelFileError(
            f"The config has {_shown(value)} for {key}, which must be true or false."
        )
    return bool(value)


def _shown(value: object) -> str:
    """A value as an error's sentence can show it, whatever a file holds."""
    return reprlib.repr(value)
