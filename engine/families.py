"""What each architecture means where its config.json is silent, and which entries it has.

Defaults are those of transformers' configuration classes, which leave out of a saved config what
equals them; which projections have a bias, and which layers a window, is as in its modeling files.
"""

from dataclasses import dataclass
from typing import Any, Literal, cast

from engine.config_keys import refuse_unknown
from engine.config_values import Json, flag, shown, whole
from engine.errors import ModelFileError, UnsupportedError
from engine.rope_config import LAYER_TYPES, LayerType
from engine.sentence import Sentence

Biases = Literal["none", "as configured", "queries, keys and values"]
Windows = Literal["by layer type", "all layers", "upper layers"]

_EVERY_FAMILY = frozenset(
    {
        "architectures",
        "attention_bias",
        "bos_token_id",
        "dtype",
        "eos_token_id",
        "head_dim",
        "hidden_act",
        "hidden_size",
        "intermediate_size",
        "layer_types",
        "max_position_embeddings",
        "max_window_layers",
        "mlp_bias",
        "model_type",
        "num_attention_heads",
        "num_hidden_layers",
        "num_key_value_heads",
        "original_max_position_embeddings",
        "partial_rotary_factor",
        "quantization",
        "quantization_config",
        "rms_norm_eps",
        "rope_parameters",
        "rope_scaling",
        "rope_theta",
        "sliding_window",
        "tie_word_embeddings",
        "torch_dtype",
        "use_sliding_window",
        "vocab_size",
    }
)
_LEGACY_LAYER_TYPES = {"attention": "full_attention"}
_CLASSES = ("Llama", "LLaMA", "Mistral", "Ministral", "Qwen2", "Qwen3")


@dataclass(frozen=True)
class Family:
    """One architecture; numbers are what a config that leaves them out means.

    Attributes:
        model_type: Its name in config.json.
        num_key_value_heads: None means as many as query heads.
        head_dim: None means hidden_size / num_attention_heads.
        sliding_window: In tokens; None means none.
        biases: Which attention projections have one; `as configured` is all four or none.
        has_mlp_bias: Whether the config may ask for biases in the feed-forward.
        has_qk_norm: Whether queries and keys are normalised head by head before RoPE.
        windows: Which layers slide where the config does not list them. `upper layers` slide
            only where use_sliding_window is on.
    """

    model_type: str
    num_key_value_heads: int | None = None
    head_dim: int | None = None
    max_position_embeddings: int = 2048
    sliding_window: int | None = None
    biases: Biases = "none"
    has_mlp_bias: bool = False
    has_qk_norm: bool = False
    windows: Windows = "by layer type"


FAMILIES = (
    Family("llama", biases="as configured", has_mlp_bias=True),
    Family(
        "mistral",
        num_key_value_heads=8,
        max_position_embeddings=131_072,
        sliding_window=4096,
        windows="all layers",
    ),
    Family(
        "ministral",
        num_key_value_heads=8,
        max_position_embeddings=131_072,
        sliding_window=4096,
        windows="all layers",
    ),
    Family(
        "qwen2",
        num_key_value_heads=32,
        max_position_embeddings=32_768,
        sliding_window=4096,
        biases="queries, keys and values",
        windows="upper layers",
    ),
    Family(
        "qwen3",
        num_key_value_heads=32,
        head_dim=128,
        max_position_embeddings=32_768,
        sliding_window=4096,
        biases="as configured",
        has_qk_norm=True,
        windows="upper layers",
    ),
)
SUPPORTED_ARCHITECTURES = tuple(family.model_type for family in FAMILIES)


def family_of(raw: Json) -> Family:
    """The family of a config.json, once nothing in it asks for what is not computed.

    Raises:
        UnsupportedError: The architecture, or an entry that changes the computation, is not
            computed here; it is named.
    """
    model_type: object = raw.get("model_type") or "missing"
    family = next((each for each in FAMILIES if each.model_type == model_type), None)
    if family is None:
        raise UnsupportedError(
            "The architecture {model_type} is not supported yet; this version runs {supported}.",
            model_type=shown(model_type),
            supported=", ".join(SUPPORTED_ARCHITECTURES),
        )
    _refuse_other_classes(raw)
    refuse_unknown(raw, _EVERY_FAMILY, Sentence("The config"))
    if family.biases == "none" and flag(raw, "attention_bias"):
        raise UnsupportedError(
            "The config asks for attention_bias, which {model_type} has not.", model_type=model_type
        )
    if not family.has_mlp_bias and flag(raw, "mlp_bias"):
        raise UnsupportedError(
            "The config asks for mlp_bias, which {model_type} has not.", model_type=model_type
        )
    return family


def layer_types_of(
    raw: Json, family: Family, layers: int
) -> tuple[tuple[LayerType, ...], int | None]:
    """The type of each layer, and the window of those that slide, in tokens.

    Raises:
        ModelFileError: The layer types are not a list of one name per layer, or a number is
            impossible.
        UnsupportedError: A layer type is not computed here, or which layers slide is ambiguous.
    """
    window = _window(raw, family)
    if raw.get("layer_types") is None:
        first = _first_sliding(raw, family, layers, window)
        types = ("full_attention",) * first + ("sliding_attention",) * (layers - first)
        return cast("tuple[LayerType, ...]", types), window if first < layers else None
    types = _listed(raw, layers)
    if "sliding_attention" not in types:
        return types, None
    if window is None:
        raise ModelFileError("The config has sliding_attention layers but no sliding_window.")
    return types, window


def _refuse_other_classes(raw: Json) -> None:
    """Refuse classifiers, embedders and hand-made architectures under a known model_type."""
    known = [f"{name}{kind}" for name in _CLASSES for kind in ("ForCausalLM", "Model")]
    named: object = raw.get("architectures") or []
    names = cast("list[Any]", named) if isinstance(named, list) else [named]
    if names and not any(name in known for name in names):
        raise UnsupportedError(
            "The architecture {model_type} is not supported.", model_type=shown(names[0])
        )


def _window(raw: Json, family: Family) -> int | None:
    """sliding_window, unless it is null or switched off."""
    switch = flag(raw, "use_sliding_window", default=family.windows != "upper layers")
    if not switch and family.windows != "all layers":
        return None
    if "sliding_window" in raw and raw["sliding_window"] is None:
        return None
    if "sliding_window" not in raw and family.sliding_window is None:
        return None
    return whole(raw, "sliding_window", family.sliding_window, most=1 << 40)


def _first_sliding(raw: Json, family: Family, layers: int, window: int | None) -> int:
    """The layer from which on all slide, where the config does not list types."""
    if window is None:
        return layers
    if family.windows == "all layers":
        return 0
    if family.windows == "upper layers":
        value: object = raw.get("max_window_layers")
        below = 0 if value == 0 else whole(raw, "max_window_layers", 28)
        return min(below, layers)
    raise UnsupportedError(
        "The config has a sliding_window of {window} without layer_types, and {model_type} does "
        "not say which layers it is for; set it to null to run all without.",
        window=window,
        model_type=family.model_type,
    )


def _listed(raw: Json, layers: int) -> tuple[LayerType, ...]:
    value: object = raw["layer_types"]
    names = cast("list[Any]", value) if isinstance(value, list) else []
    if len(names) != layers:
        raise ModelFileError(
            "The config has {layers} layers, but layer_types lists {listed}.",
            layers=layers,
            listed=len(names),
        )
    return tuple(_layer_type(name) for name in names)


def _layer_type(name: object) -> LayerType:
    current = _LEGACY_LAYER_TYPES.get(name, name) if isinstance(name, str) else name
    for known in LAYER_TYPES:
        if known == current:
            return known
    raise UnsupportedError("The layer type {layer_type} is not supported.", layer_type=shown(name))
