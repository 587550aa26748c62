"""Settings as JSON: back and forth, and from files that say anything."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.chats.settings import (
    ChatSettings,
    ContextSettings,
    SamplingSettings,
    settings_from_json,
    settings_json,
    settings_of,
)

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=8,
)


def test_settings_come_back() -> None:
    settings = ChatSettings(
        "Be brief.",
        "starter",
        SamplingSettings(0.0, 40, 0.9, 0.05, 1.1, 128, 7),
        ContextSettings("window", 512, 4, 8),
    )
    assert settings_from_json(settings_json(settings)) == settings
    assert settings_from_json(settings_json(ChatSettings())) == ChatSettings()


@pytest.mark.parametrize("temperature", [-1, 1e9, float("nan"), float("inf"), True, "hot", None])
def test_a_value_out_of_bounds_is_default_and_the_others_stay(temperature: object) -> None:
    settings = settings_of({"sampling": {"temperature": temperature, "top_k": 5}})
    assert settings.sampling == SamplingSettings(top_k=5)


def test_what_the_cache_cannot_hold_is_default() -> None:
    context = {"policy": "magic", "window": 0, "pinned": -1, "bits": 5}
    assert settings_of({"context": context}).context == ContextSettings()


@given(JSON, JSON, JSON)
def test_anything_gives_settings(whole: object, sampling: object, context: object) -> None:
    for data in (whole, {"sampling": sampling, "context": context, "model": whole}):
        settings = settings_of(data)
        assert settings_from_json(settings_json(settings)) == settings


def test_no_json_is_default() -> None:
    assert settings_from_json("{") == settings_from_json("[" * 100_000) == ChatSettings()
