"""What a chat, a preset and a reply can be set to, as plain values and as tolerant JSON."""

import json
import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields
from typing import Any, Literal, cast

# Lowest and highest value; a whole number where the bounds are whole.
_BOUNDS: dict[str, tuple[float, float]] = {
    "temperature": (0.0, 100.0),
    "top_k": (0, 1 << 31),
    "top_p": (0.0, 1.0),
    "min_p": (0.0, 1.0),
    "repetition_penalty": (0.01, 100.0),
    "repetition_context": (0, 1 << 20),
    "seed": (0, (1 << 63) - 1),
    "window": (1, 1 << 31),
    "pinned": (0, 1 << 31),
    "bits": (4, 8),
}


@dataclass(frozen=True)
class SamplingSettings:
    """How tokens are chosen; names and bounds are those of the engine's sampler."""

    temperature: float = 0.7
    top_k: int = 0
    top_p: float = 0.95
    min_p: float = 0.0
    repetition_penalty: float = 1.0
    repetition_context: int = 64
    seed: int | None = None


@dataclass(frozen=True)
class ContextSettings:
    """What the model keeps of a chat.

    Attributes:
        policy: "all" keeps every token, "window" the pinned and the most recent ones.
        window: How many recent tokens the window policy keeps.
        pinned: How many leading tokens are never evicted; None is the system prompt.
        bits: 8 or 4 to hold keys and values quantised, None for the model's own precision.
    """

    policy: Literal["all", "window"] = "all"
    window: int = 4096
    pinned: int | None = None
    bits: int | None = None


@dataclass(frozen=True)
class ChatSettings:
    """All that a chat is set to. `model` None is whichever model is loaded."""

    system_prompt: str = ""
    model: str | None = None
    sampling: SamplingSettings = field(default_factory=SamplingSettings)
    context: ContextSettings = field(default_factory=ContextSettings)


def settings_data(settings: ChatSettings) -> dict[str, Any]:
    """Return the settings as JSON's own types."""
    return asdict(settings)


def settings_json(settings: ChatSettings) -> str:
    """Return the settings as one line of JSON."""
    return json.dumps(settings_data(settings), ensure_ascii=False)


def settings_of(data: object) -> ChatSettings:
    """Return the settings in parsed JSON; what is missing, unknown or out of bounds is default.

    Files of chats come from anywhere, so every value is looked at on its own.
    """
    values = _mapping(data)
    prompt, model = values.get("system_prompt"), values.get("model")
    context = _mapping(values.get("context"))
    kept = _within_bounds(ContextSettings, context)
    if context.get("policy") in ("all", "window"):
        kept["policy"] = context["policy"]
    if kept.get("bits") not in (None, 4, 8):
        del kept["bits"]
    return ChatSettings(
        system_prompt=prompt if isinstance(prompt, str) else "",
        model=model if isinstance(model, str) else None,
        sampling=SamplingSettings(
            **_within_bounds(SamplingSettings, _mapping(values.get("sampling")))
        ),
        context=ContextSettings(**kept),
    )


def settings_from_json(text: str) -> ChatSettings:
    """Return the settings in a line of JSON; the defaults for what is no JSON."""
    try:
        return settings_of(json.loads(text))
    except (ValueError, RecursionError):
        return ChatSettings()


def _mapping(data: object) -> Mapping[str, Any]:
    return cast("Mapping[str, Any]", data) if isinstance(data, dict) else {}


def _within_bounds(kind: type[Any], values: Mapping[str, Any]) -> dict[str, Any]:
    kept: dict[str, Any] = {}
    for entry in fields(kind):
        value = values.get(entry.name)
        if entry.name in _BOUNDS and _fits(entry.name, value):
            kept[entry.name] = value
    return kept


def _fits(name: str, value: object) -> bool:
    low, high = _BOUNDS[name]
    kinds = int if isinstance(low, int) else (int, float)
    return (
        isinstance(value, kinds)
        and not isinstance(value, bool)
        and low <= value <= high
        and math.isfinite(value)
    )
