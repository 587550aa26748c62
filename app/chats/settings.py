"""What a chat, a preset and a reply can be set to, as plain values and as tolerant JSON."""

import json
import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields
from typing import Any, Literal, cast

# Lowest and highest value; a whole number where the bounds are whole.
BOUNDS: dict[str, tuple[float, float]] = {
    "temperature": (0.0, 100.0),
    "top_k": (0, 1 << 31),
    "top_p": (0.0, 1.0),
    "min_p": (0.0, 1.0),
    "repetition_penalty": (0.01, 100.0),
    "repetition_context": (0, 1 << 20),
    "frequency_penalty": (-2.0, 2.0),
    "presence_penalty": (-2.0, 2.0),
    "dry_multiplier": (0.0, 100.0),
    "dry_base": (1.0, 4.0),
    "dry_allowed_length": (1, 50),
    "dry_range": (1, 1 << 16),
    "xtc_probability": (0.0, 1.0),
    "xtc_threshold": (0.0, 0.5),
    "seed": (0, (1 << 63) - 1),
    "max_tokens": (1, 1 << 20),
    "window_tokens": (64, 1 << 24),
    "bits": (4, 8),
}
LARGEST_BIAS = 100.0
LONGEST_TEXT = 1000
MOST_TEXTS = 100
LONGEST_SCHEMA = 100_000


@dataclass(frozen=True)
class SamplingSettings:
    """How tokens are chosen; names, meaning and bounds are those of the engine's sampler.

    `logit_bias` holds token ids with what is added to their logits, from -100, which is as good as
    never, to 100.
    """

    temperature: float = 0.7
    top_k: int = 0
    top_p: float = 0.95
    min_p: float = 0.0
    repetition_penalty: float = 1.0
    repetition_context: int = 64
    seed: int | None = None
    frequency_penalty: float = 0.0
    presence_penalty: float = 0.0
    dry_multiplier: float = 0.0
    dry_base: float = 1.75
    dry_allowed_length: int = 2
    dry_range: int = 1024
    xtc_probability: float = 0.0
    xtc_threshold: float = 0.1
    banned: tuple[str, ...] = ()
    logit_bias: tuple[tuple[int, float], ...] = ()


@dataclass(frozen=True)
class ReplySettings:
    """Where a reply ends, and what form it has.

    Attributes:
        max_tokens: The most tokens to write; None is what the context has room for.
        stop: The reply ends before the first of these texts.
        schema: A JSON schema as text, which the reply keeps to; empty for none.
    """

    max_tokens: int | None = None
    stop: tuple[str, ...] = ()
    schema: str = ""


@dataclass(frozen=True)
class ContextSettings:
    """What the model keeps of a chat.

    Attributes:
        policy: "all" keeps every token and ends the reply where the context is full, "window"
            keeps the system prompt and the most recent tokens, so that a chat never ends.
        window_tokens: How many recent tokens that is; None is what suits the model.
        bits: 8 or 4 to hold keys and values quantised, None for the model's own precision.
    """

    policy: Literal["all", "window"] = "window"
    window_tokens: int | None = None
    bits: int | None = None


@dataclass(frozen=True)
class ChatSettings:
    """All that a chat is set to. `model` None is whichever model is loaded."""

    system_prompt: str = ""
    model: str | None = None
    sampling: SamplingSettings = field(default_factory=SamplingSettings)
    context: ContextSettings = field(default_factory=ContextSettings)
    reply: ReplySettings = field(default_factory=ReplySettings)


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
    sampling, reply = _mapping(values.get("sampling")), _mapping(values.get("reply"))
    schema = reply.get("schema")
    kept = _within_bounds(ContextSettings, context)
    if context.get("policy") in ("all", "window"):
        kept["policy"] = context["policy"]
    if kept.get("bits") not in (None, 4, 8):
        del kept["bits"]
    return ChatSettings(
        system_prompt=prompt if isinstance(prompt, str) else "",
        model=model if isinstance(model, str) else None,
        sampling=SamplingSettings(
            **_within_bounds(SamplingSettings, sampling),
            banned=_texts(sampling.get("banned")),
            logit_bias=_biases(sampling.get("logit_bias")),
        ),
        context=ContextSettings(**kept),
        reply=ReplySettings(
            **_within_bounds(ReplySettings, reply),
            stop=_texts(reply.get("stop")),
            schema=schema if isinstance(schema, str) and len(schema) <= LONGEST_SCHEMA else "",
        ),
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
        if entry.name in BOUNDS and _fits(entry.name, value):
            kept[entry.name] = value
    return kept


def _texts(data: object) -> tuple[str, ...]:
    values = cast("list[object]", data) if isinstance(data, list) else []
    good = [one for one in values if isinstance(one, str) and 0 < len(one) <= LONGEST_TEXT]
    return tuple(good[:MOST_TEXTS])


def _biases(data: object) -> tuple[tuple[int, float], ...]:
    pairs = cast("list[object]", data) if isinstance(data, list) else []
    kept: dict[int, float] = {}
    for pair in pairs:
        match pair:
            case [int(token), int() | float() as bias] if not isinstance(token, bool):
                fits = abs(bias) <= LARGEST_BIAS and not isinstance(bias, bool)
                if fits and 0 <= token < 1 << 32:
                    kept[token] = float(bias)
            case _:
                pass
    return tuple(kept.items())


def _fits(name: str, value: object) -> bool:
    low, high = BOUNDS[name]
    kinds = int if isinstance(low, int) else (int, float)
    return (
        isinstance(value, kinds)
        and not isinstance(value, bool)
        and low <= value <= high
        and math.isfinite(value)
    )
