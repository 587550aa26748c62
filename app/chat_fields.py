"""What a chat can be set to, as fields with words and bounds, and the way from values to settings.

The values themselves and their bounds are declared in `app.chats.settings`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, fields, replace
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QCoreApplication

from app.chat_texts import (
    bias_lines,
    biases,
    check_biases,
    check_schema,
    check_texts,
    joined,
    lines,
)
from app.chats.settings import (
    BOUNDS,
    LONGEST_SCHEMA,
    LONGEST_TEXT,
    MOST_TEXTS,
    ChatSettings,
    ContextSettings,
    ReplySettings,
    SamplingSettings,
)
from ui.fields import Choice, ChoiceField, Field, FieldGroup, NumberField, TextField, Value
from ui.figures import plain

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

_LONGEST_PROMPT = 100_000
_PARTS = {"sampling": SamplingSettings, "reply": ReplySettings, "context": ContextSettings}


@dataclass(frozen=True)
class _AsText:
    """A value that is written as text: both ways."""

    write: Callable[[Any], str]
    read: Callable[[str], Any]


def settings_values(settings: ChatSettings) -> dict[str, Value]:
    """The settings by the names of their fields."""
    values: dict[str, Value] = {
        "system_prompt": settings.system_prompt,
        "model": settings.model,
    }
    for part in _PARTS:
        for entry in fields(_PARTS[part]):
            value = getattr(getattr(settings, part), entry.name)
            text = _AS_TEXT.get(entry.name)
            values[entry.name] = value if text is None else text.write(value)
    return values


def with_value(settings: ChatSettings, name: str, value: Value) -> ChatSettings:
    """The settings with another value for one field."""
    if name == "system_prompt":
        return replace(settings, system_prompt=str(value))
    if name == "model":
        return replace(settings, model=None if value is None else str(value))
    text = _AS_TEXT.get(name)
    kept = value if text is None else text.read(str(value))
    change: dict[str, Any] = {name: kept}
    for part, kind in _PARTS.items():
        if name in {entry.name for entry in fields(kind)}:
            changed = replace(getattr(settings, part), **change)
            whole: dict[str, Any] = {part: changed}
            return replace(settings, **whole)
    raise KeyError(name)


def settings_groups(models: Sequence[tuple[str, str]] = ()) -> tuple[FieldGroup, ...]:
    """Every field of a chat, in the order in which they are shown.

    Args:
        models: The sources and names of the models that can be chosen.
    """
    translate = QCoreApplication.translate
    return (
        FieldGroup("", (_system_prompt(),)),
        FieldGroup(translate("ChatFields", "Model"), (_model(models),)),
        FieldGroup(translate("ChatFields", "Sampling"), _sampling()),
        FieldGroup(translate("ChatFields", "Reply"), _reply()),
        FieldGroup(translate("ChatFields", "Context"), _context()),
        FieldGroup(translate("ChatFields", "Penalties"), _penalties(), folded=True),
        FieldGroup(translate("ChatFields", "DRY and XTC"), _rare(), folded=True),
        FieldGroup(translate("ChatFields", "Limits on the text"), _limits(), folded=True),
    )


def summary(settings: ChatSettings, model: str = "") -> str:
    """The sampling in a few words, as in "temperature 0.7 · top-p 0.95".

    Args:
        settings: The chat's.
        model: The name of its own model; empty where it has none.
    """
    translate = QCoreApplication.translate
    sampling, usual = settings.sampling, SamplingSettings()
    parts = [translate("ChatFields", "temperature {n}").format(n=plain(sampling.temperature))]
    if sampling.temperature > 0:
        words = {
            "top_p": (translate("ChatFields", "top-p {n}"), 1.0),
            "top_k": (translate("ChatFields", "top-k {n}"), 0),
            "min_p": (translate("ChatFields", "min-p {n}"), 0.0),
        }
        for name, (word, off) in words.items():
            value = getattr(sampling, name)
            if value != off:
                parts.append(word.format(n=plain(value)))
    told = ("temperature", "top_p", "top_k", "min_p")
    same = replace(usual, **{name: getattr(sampling, name) for name in told})
    if sampling != same or settings.reply != ReplySettings():
        parts.append(translate("ChatFields", "more"))
    return " · ".join([model, *parts] if model else parts)


def _number(name: str, title: str, usual: float | None, **more: Any) -> NumberField:
    low, high = BOUNDS[name]
    return NumberField(name=name, title=title, usual=usual, low=low, high=high, **more)


def _system_prompt() -> Field:
    translate = QCoreApplication.translate
    return TextField(
        name="system_prompt",
        title=translate("ChatFields", "System prompt"),
        lines=5,
        longest=_LONGEST_PROMPT,
        hint=translate("ChatFields", "Who the model is and how it answers; stays in sight of it."),
    )


def _model(models: Sequence[tuple[str, str]]) -> Field:
    translate = QCoreApplication.translate
    return ChoiceField(
        name="model",
        title=translate("ChatFields", "Answers from"),
        usual=None,
        choices=(
            Choice(None, translate("ChatFields", "The model that is loaded")),
            *(Choice(source, name) for source, name in models),
        ),
        help=translate("ChatFields", "A model of the chat's own is loaded when it is asked."),
    )


def _sampling() -> tuple[Field, ...]:
    translate, usual = QCoreApplication.translate, SamplingSettings()
    return (
        _number(
            "temperature",
            translate("ChatFields", "Temperature"),
            usual.temperature,
            step=0.1,
            decimals=2,
            help=translate("ChatFields", "0 takes the likeliest token, higher is more surprising."),
        ),
        _number(
            "top_p",
            translate("ChatFields", "Top-p"),
            usual.top_p,
            step=0.05,
            decimals=3,
            help=translate("ChatFields", "The fewest tokens that together reach p; 1 is off."),
        ),
        _number(
            "top_k",
            translate("ChatFields", "Top-k"),
            usual.top_k,
            help=translate("ChatFields", "Only the k likeliest tokens; 0 is off."),
        ),
        _number(
            "min_p",
            translate("ChatFields", "Min-p"),
            usual.min_p,
            step=0.01,
            decimals=3,
            help=translate(
                "ChatFields", "Only tokens at least this times as likely as the first; 0 is off."
            ),
        ),
        _number(
            "seed",
            translate("ChatFields", "Seed"),
            usual.seed,
            empty=translate("ChatFields", "Random"),
            help=translate("ChatFields", "The same seed gives the same reply."),
        ),
    )


def _reply() -> tuple[Field, ...]:
    translate = QCoreApplication.translate
    return (
        _number(
            "max_tokens",
            translate("ChatFields", "Longest reply, in tokens"),
            None,
            step=64,
            empty=translate("ChatFields", "No limit"),
        ),
        TextField(
            name="stop",
            title=translate("ChatFields", "Stop texts"),
            lines=2,
            longest=LONGEST_TEXT * MOST_TEXTS,
            fixed_pitch=True,
            help=translate(
                "ChatFields",
                "The reply ends before the first of these, one per line; \\n is a line break.",
            ),
            check=check_texts,
        ),
    )


def _context() -> tuple[Field, ...]:
    translate = QCoreApplication.translate
    return (
        ChoiceField(
            name="policy",
            title=translate("ChatFields", "When the context is full"),
            usual="window",
            choices=(
                Choice("window", translate("ChatFields", "Forget the oldest messages")),
                Choice("all", translate("ChatFields", "End the reply")),
            ),
            help=translate("ChatFields", "The system prompt is never forgotten."),
        ),
        _number(
            "window_tokens",
            translate("ChatFields", "Window, in tokens"),
            None,
            step=64,
            empty=translate("ChatFields", "Automatic"),
            help=translate("ChatFields", "How much of the latest text the model still sees."),
        ),
        ChoiceField(
            name="bits",
            title=translate("ChatFields", "Cache precision"),
            usual=None,
            choices=(
                Choice(None, translate("ChatFields", "The model's own")),
                Choice(8, translate("ChatFields", "8 bits")),
                Choice(4, translate("ChatFields", "4 bits")),
            ),
            help=translate("ChatFields", "Fewer bits hold a longer chat in the same memory."),
        ),
    )


def _penalties() -> tuple[Field, ...]:
    translate, usual = QCoreApplication.translate, SamplingSettings()
    return (
        _number(
            "repetition_penalty",
            translate("ChatFields", "Repetition penalty"),
            usual.repetition_penalty,
            step=0.05,
            decimals=2,
            help=translate("ChatFields", "Makes recent tokens less likely; 1 is off."),
        ),
        _number(
            "frequency_penalty",
            translate("ChatFields", "Frequency penalty"),
            usual.frequency_penalty,
            step=0.1,
            decimals=2,
            help=translate("ChatFields", "Once more for each time a token came; 0 is off."),
        ),
        _number(
            "presence_penalty",
            translate("ChatFields", "Presence penalty"),
            usual.presence_penalty,
            step=0.1,
            decimals=2,
            help=translate("ChatFields", "Once for each token that came at all; 0 is off."),
        ),
        _number(
            "repetition_context",
            translate("ChatFields", "Tokens that count as recent"),
            usual.repetition_context,
            step=16,
        ),
    )


def _rare() -> tuple[Field, ...]:
    translate, usual = QCoreApplication.translate, SamplingSettings()
    return (
        _number(
            "dry_multiplier",
            translate("ChatFields", "DRY strength"),
            usual.dry_multiplier,
            step=0.1,
            decimals=2,
            help=translate("ChatFields", "Against repeating longer passages; 0 is off."),
        ),
        _number(
            "dry_base",
            translate("ChatFields", "DRY base"),
            usual.dry_base,
            step=0.05,
            decimals=2,
            help=translate("ChatFields", "How much stronger with each repeated token."),
        ),
        _number(
            "dry_allowed_length",
            translate("ChatFields", "DRY free length, in tokens"),
            usual.dry_allowed_length,
        ),
        _number(
            "dry_range",
            translate("ChatFields", "DRY range, in tokens"),
            usual.dry_range,
            step=64,
        ),
        _number(
            "xtc_probability",
            translate("ChatFields", "XTC probability"),
            usual.xtc_probability,
            step=0.05,
            decimals=2,
            help=translate("ChatFields", "How often the top choices are passed over; 0 is off."),
        ),
        _number(
            "xtc_threshold",
            translate("ChatFields", "XTC threshold"),
            usual.xtc_threshold,
            step=0.01,
            decimals=3,
            help=translate("ChatFields", "From which probability on a token is a top choice."),
        ),
    )


def _limits() -> tuple[Field, ...]:
    translate = QCoreApplication.translate
    return (
        TextField(
            name="banned",
            title=translate("ChatFields", "Banned texts"),
            lines=2,
            longest=LONGEST_TEXT * MOST_TEXTS,
            fixed_pitch=True,
            help=translate("ChatFields", "Never in a reply, spelled exactly so; one per line."),
            check=check_texts,
        ),
        TextField(
            name="logit_bias",
            title=translate("ChatFields", "Logit bias"),
            lines=2,
            fixed_pitch=True,
            help=translate(
                "ChatFields", "A token id and a number from -100 to 100, one pair per line."
            ),
            check=check_biases,
        ),
        TextField(
            name="schema",
            title=translate("ChatFields", "JSON schema"),
            lines=5,
            longest=LONGEST_SCHEMA,
            fixed_pitch=True,
            help=translate("ChatFields", "The reply is JSON that keeps to it; empty is off."),
            check=check_schema,
        ),
    )


_AS_TEXT: Mapping[str, _AsText] = {
    "stop": _AsText(joined, lines),
    "banned": _AsText(joined, lines),
    "logit_bias": _AsText(bias_lines, biases),
}
