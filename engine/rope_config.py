"""What a config says about rotary position embedding, in both of its styles.

The older style has `rope_theta` and `rope_scaling`, the newer one `rope_parameters`, for all layers
or by layer type. Names, defaults and formulas are those of transformers' modeling_rope_utils.py.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal, cast

from engine.config_keys import refuse_keys
from engine.config_values import Json, flag, positive, shown, whole
from engine.errors import ModelFileError, UnsupportedError
from engine.sentence import Sentence

LayerType = Literal["full_attention", "sliding_attention"]
RopeKind = Literal["default", "linear", "dynamic", "llama3", "yarn"]

LAYER_TYPES: tuple[LayerType, ...] = ("full_attention", "sliding_attention")

_MOST_TOKENS = 1 << 40
_EVERY_KIND = {
    "rope_theta",
    "rope_type",
    "type",
    "partial_rotary_factor",
    "original_max_position_embeddings",
    "finetuned",
}
_KEYS: Mapping[RopeKind, set[str]] = {
    "default": set(),
    "linear": {"factor"},
    "dynamic": {"factor"},
    "llama3": {"factor", "low_freq_factor", "high_freq_factor"},
    "yarn": {
        "factor",
        "attention_factor",
        "beta_fast",
        "beta_slow",
        "mscale",
        "mscale_all_dim",
        "truncate",
    },
}


@dataclass(frozen=True)
class RopeConfig:
    """Rotary position embedding: frequency base and how it is stretched.

    Attributes:
        theta: Base of the frequencies, theta ** (-2i / dims).
        kind: `default`, `linear` (positions divided by `factor`), `dynamic` (as `default` within
            the trained context), `llama3` or `yarn` (stretched by wavelength).
        factor: How far the context is stretched, 1 for `default`.
        low_freq_factor: llama3: wavelengths above original / low are stretched by `factor`.
        high_freq_factor: llama3: wavelengths below original / high are left as they are.
        original_max_position_embeddings: The context before it was stretched, in tokens; for
            `dynamic` the one within which nothing is stretched.
        partial_rotary_factor: Which share of a head's dimensions is rotated.
        attention_factor: yarn: what rotated queries and keys are multiplied by.
        beta_fast: yarn: pairs that turn more often than this in the original context are kept.
        beta_slow: yarn: pairs that turn less often are stretched by `factor`.
        truncate: yarn: whether the borders between those pairs are rounded outwards.
    """

    theta: float = 10_000.0
    kind: RopeKind = "default"
    factor: float = 1.0
    low_freq_factor: float = 1.0
    high_freq_factor: float = 4.0
    original_max_position_embeddings: int = 8192
    partial_rotary_factor: float = 1.0
    attention_factor: float = 1.0
    beta_fast: float = 32.0
    beta_slow: float = 1.0
    truncate: bool = True

    def rotated_dims(self, head_dim: int) -> int:
        """How many of a head's dimensions are rotated, from the first on."""
        return int(head_dim * self.partial_rotary_factor)

    @property
    def longest(self) -> int | None:
        """The longest sequence, in tokens, whose frequencies these are; None without bound.

        `dynamic` computes all frequencies anew from the length once it passes the trained context.
        Keys in a cache were rotated by the earlier ones, so what follows would depend on how a
        sequence was cut into steps.
        """
        return self.original_max_position_embeddings if self.kind == "dynamic" else None


def parse_ropes(
    raw: Json, layer_types: Sequence[str], head_dim: int, context: int
) -> dict[str, RopeConfig]:
    """RoPE by layer type.

    Args:
        raw: The content of a config.json.
        layer_types: The types that occur.
        head_dim: Dimensions of a head, D.
        context: max_position_embeddings.

    Raises:
        ModelFileError: A number is missing or impossible.
        UnsupportedError: The scaling, or something it asks for, is not computed here, or the two
            styles are both there and disagree.
    """
    found = [
        _by_layer_type(raw, key, layer_types, context)
        for key in ("rope_scaling", "rope_parameters")
        if raw.get(key)
    ]
    if not found:
        found = [_by_layer_type(raw, "rope_parameters", layer_types, context)]
    if found[0] != found[-1]:
        raise UnsupportedError(
            "The config describes RoPE twice, and rope_scaling differs from rope_parameters."
        )
    for rope in found[0].values():
        dims = rope.rotated_dims(head_dim)
        if dims < 2 or dims % 2 or dims > head_dim:
            raise ModelFileError(
                "The config rotates {dims} of {head_dim} dimensions a head; RoPE needs an even "
                "number of them.",
                dims=dims,
                head_dim=head_dim,
            )
    return found[0]


def _by_layer_type(
    raw: Json, key: str, layer_types: Sequence[str], context: int
) -> dict[str, RopeConfig]:
    value: object = raw.get(key) or {}
    if not isinstance(value, Mapping):
        raise ModelFileError("The config's RoPE settings are not an object; fetch the model again.")
    entries = cast("Json", value)
    if not entries.keys() & set(LAYER_TYPES):
        return dict.fromkeys(layer_types, _parse(entries, raw, context))
    refuse_keys(entries, LAYER_TYPES, Sentence("The config's RoPE by layer type"))
    ropes: dict[str, RopeConfig] = {}
    for layer_type in layer_types:
        own: object = entries.get(layer_type)
        if not isinstance(own, Mapping):
            raise UnsupportedError(
                "The config gives RoPE by layer type, but none for {layer_type} layers.",
                layer_type=layer_type,
            )
        ropes[layer_type] = _parse(cast("Json", own), raw, context)
    return ropes


def _parse(entries: Json, raw: Json, context: int) -> RopeConfig:
    """One set of RoPE settings; `raw` has what they leave out."""
    kind = _kind(entries)
    where = Sentence("The config's {kind} RoPE", kind=kind)
    refuse_keys(entries, _EVERY_KIND | _KEYS[kind], where)
    share = positive(raw, "partial_rotary_factor", 1.0)
    share = positive(entries, "partial_rotary_factor", share)
    if share > 1.0:
        raise ModelFileError(
            "The config has {share} for partial_rotary_factor, 1 at most.", share=share
        )
    # An entry beside the settings has the last word in transformers.
    original = raw if raw.get("original_max_position_embeddings") else entries
    plain = RopeConfig(
        theta=positive(entries, "rope_theta", positive(raw, "rope_theta", 10_000.0)),
        partial_rotary_factor=share,
    )
    if kind == "default":
        return plain
    if kind == "linear":
        return replace(plain, kind=kind, factor=positive(entries, "factor"))
    trained = whole(original, "original_max_position_embeddings", context, most=_MOST_TOKENS)
    if kind == "dynamic":
        return _dynamic(entries, plain, trained, context)
    if kind == "llama3":
        return _llama3(entries, plain, trained)
    return _yarn(entries, plain, trained, context)


def _kind(entries: Json) -> RopeKind:
    named: object = entries.get("rope_type") or entries.get("type") or "default"
    for kind in _KEYS:
        if kind == named:
            return kind
    raise UnsupportedError("The RoPE scaling {kind} is not supported.", kind=shown(named))


def _dynamic(entries: Json, plain: RopeConfig, trained: int, context: int) -> RopeConfig:
    if trained != context:
        raise UnsupportedError(
            "Dynamic RoPE with original_max_position_embeddings {trained} beside "
            "max_position_embeddings {context} is not supported.",
            trained=trained,
            context=context,
        )
    factor = positive(entries, "factor")
    return replace(plain, kind="dynamic", factor=factor, original_max_position_embeddings=trained)


def _llama3(entries: Json, plain: RopeConfig, trained: int) -> RopeConfig:
    rope = replace(
        plain,
        kind="llama3",
        factor=positive(entries, "factor"),
        low_freq_factor=positive(entries, "low_freq_factor"),
        high_freq_factor=positive(entries, "high_freq_factor"),
        original_max_position_embeddings=trained,
    )
    if rope.high_freq_factor <= rope.low_freq_factor:
        raise ModelFileError("The config's RoPE high_freq_factor is not above low_freq_factor.")
    return rope


def _yarn(entries: Json, plain: RopeConfig, trained: int, context: int) -> RopeConfig:
    """Peng et al. 2023 (arXiv:2309.00071); the attention factor is their √(1/t)."""
    factor = positive(entries, "factor", context / trained if trained != context else None)
    rope = replace(
        plain,
        kind="yarn",
        factor=factor,
        original_max_position_embeddings=trained,
        attention_factor=positive(entries, "attention_factor", _attention_factor(entries, factor)),
        beta_fast=positive(entries, "beta_fast", 32.0),
        beta_slow=positive(entries, "beta_slow", 1.0),
        truncate=flag(entries, "truncate", default=True),
    )
    if rope.beta_fast < rope.beta_slow or rope.theta <= 1.0:
        raise ModelFileError(
            "The config's yarn RoPE needs a rope_theta above 1 and a beta_fast above beta_slow."
        )
    return rope


def _attention_factor(entries: Json, factor: float) -> float:
    if not (entries.get("mscale") and entries.get("mscale_all_dim")):
        return yarn_attention_factor(factor)
    own, all_dims = positive(entries, "mscale"), positive(entries, "mscale_all_dim")
    return yarn_attention_factor(factor, own) / yarn_attention_factor(factor, all_dims)


def yarn_attention_factor(factor: float, mscale: float = 1.0) -> float:
    """What yarn multiplies queries and keys by, for contexts stretched by `factor`."""
    return 1.0 if factor <= 1.0 else 0.1 * mscale * math.log(factor) + 1.0
