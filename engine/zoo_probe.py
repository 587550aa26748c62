"""Looks at what mlx-lm built: is it what the config asks for?

A model of mlx-lm may read a setting, or pass over it, or read half of it. What it made of RoPE and
of sliding windows can be seen on its modules and caches, so that is looked at rather than trusted.
"""

import math
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from typing import Any, cast

import mlx.core as mx
from mlx import nn

from engine.config import Json
from engine.errors import UnsupportedError
from engine.sentence import Sentence

_KINDS = {
    "RoPE": "default",
    "Llama3RoPE": "llama3",
    "YarnRoPE": "yarn",
    "DeepseekV2YarnRotaryEmbedding": "yarn",
    "SuScaledRoPE": "longrope",
    "DynamicNTKScalingRoPE": "dynamic",
    "ProportionalRoPE": "proportional",
}
_SAME_KIND = {
    "su": "longrope",
    "deepseek_yarn": "yarn",
    "telechat3-yarn": "yarn",
    "mrope": "default",
    "linear": "default",
}


@dataclass(frozen=True)
class _Rope:
    """One kind of RoPE that was found: its base where it says so, and its factor on positions."""

    kind: str
    base: float | None
    scale: float


# What transformers takes where a config leaves its window out.
_WINDOWS_LEFT_OUT = {"gemma2": 4096}


def check_rope(text: Json, model: nn.Module, accepted: Collection[str]) -> None:
    """Compare the RoPE that a config asks for with the modules that were built.

    Args:
        text: The language model's entries, as the model was given them.
        model: What was built from them.
        accepted: The entries that the model reads.

    Raises:
        UnsupportedError: The model would rotate otherwise than the config says.
    """
    found = set(_ropes(model))
    for entries in _asked(text):
        kind, theta = str(entries.get("type") or "default"), entries.get("rope_theta")
        if found:
            fits = any(_fits(rope, entries, kind, theta) for rope in found)
        else:
            fits = kind == "default" and (theta is None or "rope_theta" in accepted)
        if not fits:
            raise _ignored(
                text,
                Sentence(
                    "RoPE of the type {kind!r} with base {theta}", kind=kind[:32], theta=theta
                ),
            )


def mend_yarn(text: Json, model: nn.Module) -> None:
    """Give YaRN modules what mlx-lm leaves out: an own attention factor, untruncated bounds.

    YaRN (Peng et al. 2023, arXiv:2309.00071) blends two sets of frequencies over a ramp of
    dimensions. Its bounds are rounded outwards unless the config says `truncate: false`.

    Raises:
        UnsupportedError: The model has a YaRN module of its own, which cannot be mended.
    """
    scaling = cast("Json", text.get("rope_scaling") or text.get("rope_parameters") or {})
    factor: object = scaling.get("attention_factor")
    if str(scaling.get("type") or scaling.get("rope_type")) != "yarn":
        return
    truncates = scaling.get("truncate") is not False
    if factor is None and truncates:
        return
    for _, module in cast("list[tuple[str, Any]]", model.named_modules()):
        name = type(module).__name__
        if _KINDS.get(name) != "yarn":
            continue
        if name != "YarnRoPE":
            raise _ignored(text, Sentence("attention_factor or truncate in its RoPE scaling"))
        if isinstance(factor, int | float):
            module.mscale = float(factor)
        if not truncates:
            base = scaling.get("rope_theta") or text.get("rope_theta") or 10_000.0
            module._freqs = _yarn_frequencies(scaling, module.dims, float(base))  # noqa: SLF001


def _yarn_frequencies(scaling: Json, dims: int, base: float) -> mx.array:
    """Periods / 2π of each pair of dimensions, with a ramp whose bounds are not rounded."""
    original = float(scaling["original_max_position_embeddings"])

    def bound(rotations: float) -> float:
        return dims * math.log(original / (rotations * 2 * math.pi)) / (2 * math.log(base))

    low = max(bound(float(scaling.get("beta_fast") or 32)), 0.0)
    high = min(bound(float(scaling.get("beta_slow") or 1)), dims - 1.0)
    ramp = (mx.arange(dims // 2, dtype=mx.float32) - low) / max(high - low, 0.001)
    kept = 1.0 - mx.clip(ramp, 0, 1)
    unscaled = base ** (mx.arange(0, dims, 2, dtype=mx.float32) / dims)
    factor = float(scaling["factor"])
    return 1.0 / (kept / unscaled + (1.0 - kept) / (factor * unscaled))


def check_windows(
    text: Json, windows: list[int | None], context: int
) -> tuple[int, tuple[str, ...]]:
    """Compare the layers that should slide with those whose caches do.

    Args:
        text: The language model's entries.
        windows: For each layer the window its cache keeps, None where it keeps all.
        context: The trained one.

    Returns:
        How far sequences may go, and why no further: up to the window's length nothing slides, so
        that a model without windows computes the same there.

    Raises:
        UnsupportedError: Layers slide that should not.
    """
    types: object = text.get("layer_types")
    left_out = _WINDOWS_LEFT_OUT.get(str(text.get("model_type")))
    window: object = text.get("sliding_window", left_out)
    if type(window) is not int or window < 1 or text.get("use_sliding_window") is False:
        return context, ()
    names = cast("list[object]", types) if isinstance(types, list) else []
    if len(names) == len(windows):
        for name, kept in zip(names, windows, strict=True):
            if name == "full_attention" and kept is not None:
                raise _ignored(text, Sentence("layer_types"))
        slides = all(
            kept == window
            for name, kept in zip(names, windows, strict=True)
            if name == "sliding_attention"
        )
    else:
        slides = window in windows
    if slides or window >= context:
        return context, ()
    return window, (
        Sentence(
            "mlx-lm computes {model_type} without its sliding window, so the context is held to "
            "the {window:,} tokens up to which that makes no difference.",
            model_type=str(text.get("model_type"))[:64],
            window=window,
        ),
    )


def _asked(text: Json) -> list[dict[str, Any]]:
    """What RoPE is asked for: in the newer style, perhaps by layer type, or in the older one."""
    newer = cast("dict[str, Any]", text.get("rope_parameters") or {})
    nested = [cast("dict[str, Any]", each) for each in newer.values() if isinstance(each, dict)]
    asked = nested or [
        {"rope_theta": text.get("rope_theta"), **(newer or text.get("rope_scaling") or {})}
    ]
    return [{**entry, "type": entry.get("rope_type") or entry.get("type")} for entry in asked]


def _fits(rope: _Rope, entries: Json, kind: str, theta: object) -> bool:
    scale = 1 / float(entries.get("factor") or 1) if kind == "linear" else 1.0
    return (
        rope.kind == _SAME_KIND.get(kind, kind)
        and math.isclose(rope.scale, scale, rel_tol=1e-6)
        and (rope.base is None or theta is None or rope.base == theta)
    )


def _ropes(model: nn.Module) -> Iterator[_Rope]:
    for _, module in cast("list[tuple[str, Any]]", model.named_modules()):
        kind = _KINDS.get(type(module).__name__)
        if kind is not None:
            base, scale = getattr(module, "base", None), getattr(module, "scale", 1.0)
            yield _Rope(kind, base, float(scale))


def _ignored(text: Json, what: Sentence) -> UnsupportedError:
    return UnsupportedError(
        "The config asks for {what}, which mlx-lm computes otherwise for {model_type}; the numbers "
        "would be wrong.",
        what=what,
        model_type=str(text.get("model_type"))[:64],
    )
