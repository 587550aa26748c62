"""Settings as JSON: back and forth, and from files that say anything."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.chats.settings import (
    ChatSettings,
    ContextSettings,
    ReplySettings,
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
        SamplingSettings(
            0.0, 40, 0.9, 0.05, 1.1, 128, 7, banned=("no",), logit_bias=((5, -100.0), (7, 1.5))
        ),
        ContextSettings("all", 512, 8),
        ReplySettings(200, ("\n\n", "End"), '{"type": "object"}'),
    )
    assert settings_from_json(settings_json(settings)) == settings
    assert settings_from_json(settings_json(ChatSettings())) == ChatSettings()


@pytest.mark.parametrize("temperature", [-1, 1e9, float("nan"), float("inf"), True, "hot", None])
def test_a_value_out_of_bounds_is_default_and_the_others_stay(temperature: object) -> None:
    settings = settings_of({"sampling": {"temperature": temperature, "top_k": 5}})
    assert settings.sampling == SamplingSettings(top_k=5)


def test_what_the_cache_cannot_hold_is_default() -> None:
    context = {"policy": "magic", "window_tokens": 0, "bits": 5}
    assert settings_of({"context": context}).context == ContextSettings()


@given(JSON, JSON, JSON)
def test_anything_gives_settings(whole: object, sampling: object, context: object) -> None:
    reply = {"stop": sampling, "schema": whole, "max_tokens": context}
    more = {"banned": whole, "logit_bias": [[context, sampling], whole]}
    for data in (
        whole,
        {"sampling": sampling, "context": context, "model": whole},
        {"sampling": more, "reply": reply},
    ):
        settings = settings_of(data)
        assert settings_from_json(settings_json(settings)) == settings


def test_no_json_is_default() -> None:
    assert settings_from_json("{") == settings_from_json("[" * 100_000) == ChatSettings()


def test_an_earlier_window_that_nobody_chose_is_not_taken_over() -> None:
    settings = settings_of({"context": {"policy": "all", "window": 4096, "pinned": None}})
    assert settings.context == ContextSettings("all")


def test_texts_and_biases_are_looked_at_one_by_one() -> None:
    sampling = {"banned": ["a", "", 3], "logit_bias": [[1, 2], [True, 1], [-1, 1], [3, 1e9], "x"]}
    found = settings_of({"sampling": sampling, "reply": {"stop": "no list", "max_tokens": 0}})
    assert found.sampling == SamplingSettings(banned=("a",), logit_bias=((1, 2.0),))
    assert found.reply == ReplySettings()
