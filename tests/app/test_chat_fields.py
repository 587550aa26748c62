"""Every setting of a chat has a field, and every field leads to its setting and back."""

from __future__ import annotations

from dataclasses import fields
from typing import Any

import pytest

from app.chat_fields import settings_groups, settings_values, summary, with_value
from app.chats.settings import (
    BOUNDS,
    ChatSettings,
    ContextSettings,
    ReplySettings,
    SamplingSettings,
)
from engine import Sampling, SettingError
from ui.fields import Field, FieldError, NumberField

OTHER = ChatSettings(
    "Be brief.",
    "starter",
    SamplingSettings(
        0.1, 40, 0.9, 0.05, 1.1, 128, 7, banned=("a\nb", "c\\n"), logit_bias=((5, -2),)
    ),
    ContextSettings("all", 512, 8),
    ReplySettings(200, ("\n\n", "End"), '{"type": "object"}'),
)
NUMBERS = {each.name for each in fields(SamplingSettings)} - {"banned", "logit_bias"}


def all_fields() -> dict[str, Field]:
    return {field.name: field for group in settings_groups() for field in group.fields}


def test_there_is_a_field_for_everything() -> None:
    assert set(all_fields()) == set(settings_values(ChatSettings()))


def test_the_usual_value_of_a_field_is_that_of_its_setting() -> None:
    usual = settings_values(ChatSettings())
    assert {name: field.usual for name, field in all_fields().items()} == usual


def test_values_lead_to_settings_and_back() -> None:
    settings = ChatSettings()
    for name, value in settings_values(OTHER).items():
        text = all_fields()[name].written(value)
        read = value if name in ("policy", "bits", "model") else all_fields()[name].read(text)
        settings = with_value(settings, name, read)
    assert settings == OTHER


def test_bounds_are_declared_once() -> None:
    numbers = [field for field in all_fields().values() if isinstance(field, NumberField)]
    assert len(numbers) == len(BOUNDS) - 1  # bits are a choice
    for field in numbers:
        assert (field.low, field.high) == BOUNDS[field.name]


@pytest.mark.parametrize("name", sorted(NUMBERS))
def test_bounds_are_those_of_the_sampler(name: str) -> None:
    low, high = BOUNDS[name]
    step = 1 if isinstance(low, int) else 1e-6
    for value in (low, high):
        assert sampling(name, value) == value
    for value in (low - step, high + step):
        if name != "seed" or value < 0:  # the sampler takes seeds that no file of chats can hold
            with pytest.raises(SettingError):
                sampling(name, value)


def sampling(name: str, value: float) -> object:
    kept: dict[str, Any] = {name: value}
    return getattr(Sampling(**kept), name)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("schema", "[1]"),
        ("schema", "{"),
        ("logit_bias", "a b"),
        ("logit_bias", "1 2 3"),
        ("logit_bias", "5 1000"),
        ("logit_bias", "7"),
        ("stop", "x" * 1001),
    ],
)
def test_what_no_engine_takes_is_refused_in_a_sentence(name: str, text: str) -> None:
    with pytest.raises(FieldError):
        all_fields()[name].read(text)


def test_a_chat_in_a_few_words() -> None:
    assert summary(ChatSettings()) == "temperature 0.7 · top-p 0.95"
    assert summary(ChatSettings(sampling=SamplingSettings(temperature=0))) == "temperature 0"
    assert summary(ChatSettings(), "Llama").startswith("Llama · temperature")
    assert summary(OTHER) == "temperature 0.1 · top-p 0.9 · top-k 40 · min-p 0.05 · more"
