"""The sampler's promises, the bounds of its settings, and the stages it can be watched in."""

import math
from typing import cast

import mlx.core as mx
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import engine
from engine.sampling import Sampler, Sampling, stages
from engine.token_sets import TokenSets

PROBABILITIES = [0.1, 0.4, 0.05, 0.3, 0.15]
LOGITS = mx.array(np.log(PROBABILITIES), dtype=mx.float32)


def drawn(sampler: Sampler, logits: mx.array) -> int:
    return cast("int", sampler(logits).item())


def draws(sampling: Sampling, seed: int, count: int) -> list[int]:
    sampler = Sampler(sampling, seed, [])
    return [drawn(sampler, LOGITS) for _ in range(count)]


def test_temperature_zero_takes_the_most_likely_token() -> None:
    assert draws(Sampling(temperature=0, top_p=0.0), 1, 5) == [1] * 5


def test_the_same_seed_draws_the_same_tokens_and_another_seed_others() -> None:
    sampling = Sampling(temperature=1.0, top_p=1.0)
    assert draws(sampling, 7, 50) == draws(sampling, 7, 50)
    assert draws(sampling, 7, 50) != draws(sampling, 8, 50)


def test_draws_follow_the_probabilities() -> None:
    counts = np.bincount(draws(Sampling(temperature=1.0, top_p=1.0), 3, 4000), minlength=5)
    assert np.allclose(counts / 4000, PROBABILITIES, atol=0.03)


def test_a_high_temperature_never_lets_in_what_a_filter_removed() -> None:
    assert set(draws(Sampling(temperature=50.0, top_k=2, top_p=1.0), 5, 300)) == {1, 3}


def test_the_penalty_sees_the_prompt_and_what_was_drawn() -> None:
    sampling = Sampling(temperature=0, repetition_penalty=50.0, repetition_context=2)
    sampler = Sampler(sampling, 0, [0, 1])
    assert drawn(sampler, LOGITS + 4) == 3
    assert drawn(sampler, LOGITS + 4) != 3


@pytest.mark.parametrize(
    "values",
    [
        {"temperature": -0.1},
        {"temperature": math.nan},
        {"temperature": math.inf},
        {"top_p": 1.5},
        {"top_p": -1},
        {"top_k": -1},
        {"top_k": 1.5},
        {"min_p": 2},
        {"repetition_penalty": 0},
        {"seed": -1},
        {"seed": True},
        {"frequency_penalty": 3},
        {"presence_penalty": -2.1},
        {"dry_multiplier": -1},
        {"dry_base": 0.5},
        {"dry_allowed_length": 0},
        {"dry_range": 0},
        {"xtc_probability": 1.1},
        {"xtc_threshold": 0.6},
    ],
)
def test_numbers_without_meaning_are_refused_in_a_sentence(values: dict[str, float]) -> None:
    with pytest.raises(engine.SettingError, match=r"must be a .*number from .* to .*, not .*\.$"):
        Sampling(**values)  # pyright: ignore[reportArgumentType]


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        ({"top_p": 0.41}, {1, 3}),
        ({"min_p": 0.24, "top_p": 1.0}, {0, 1, 3, 4}),
        ({"top_k": 3, "top_p": 1.0}, {1, 3, 4}),
        ({"top_k": 3, "top_p": 0.5, "min_p": 0.9}, {1}),
        ({"top_k": 99, "top_p": 1.0}, {0, 1, 2, 3, 4}),
    ],
)
def test_the_sampler_draws_all_that_the_filters_keep_and_nothing_else(
    values: dict[str, float], expected: set[int]
) -> None:
    sampling = Sampling(temperature=5.0, **values)  # pyright: ignore[reportArgumentType] - mixed
    assert set(draws(sampling, 2, 200)) == expected


@pytest.mark.parametrize("temperature", [1e-3, 1e-30, 1e-45, 5e-324])
def test_the_coldest_temperatures_take_the_most_likely_token(temperature: float) -> None:
    sampling = Sampling(temperature=temperature, top_p=1.0)
    sampler = Sampler(sampling, 3, [])
    for shift in (-40.0, 0.0, 40.0):
        assert {drawn(sampler, LOGITS + shift) for _ in range(20)} == {1}


@pytest.mark.parametrize("dtype", [mx.float16, mx.bfloat16])
def test_logits_in_half_precision_are_drawn_from_in_single(dtype: mx.Dtype) -> None:
    sampler = Sampler(Sampling(temperature=1.0, top_p=1.0), 3, [])
    assert {drawn(sampler, LOGITS.astype(dtype)) for _ in range(200)} == {0, 1, 2, 3, 4}


def test_any_seed_within_bounds_gives_draws() -> None:
    for seed in (0, 1, (1 << 32) + 1, (1 << 64) - 1):
        assert set(draws(Sampling(temperature=1.0, top_p=1.0), seed, 30)) <= {0, 1, 2, 3, 4}
    sampling = Sampling(temperature=1.0, top_p=1.0)
    assert draws(sampling, 1, 50) != draws(sampling, (1 << 32) + 1, 50)


@pytest.mark.parametrize(
    ("values", "sentence"),
    [
        ({"logit_bias": {-1: 1.0}}, "token ids from 0 on"),
        ({"logit_bias": {"a": 1.0}}, "token ids from 0 on"),
        ({"logit_bias": {True: 1.0}}, "token ids from 0 on"),
        ({"logit_bias": {1: math.nan}}, "up to 100, or -inf to ban"),
        ({"logit_bias": {1: math.inf}}, "up to 100, or -inf to ban"),
        ({"logit_bias": {1: True}}, "up to 100, or -inf to ban"),
        ({"logit_bias": [1]}, "a number for each"),
        ({"banned": "word"}, "a list of texts"),
        ({"banned": 3}, "a list of texts"),
        ({"banned": [""]}, "1 to 1,000 characters"),
        ({"banned": ["x" * 1001]}, "1 to 1,000 characters"),
        ({"banned": ["x"] * 1001}, "up to 1,000"),
        ({"dry_breakers": [3]}, "1 to 1,000 characters"),
    ],
)
def test_biases_and_texts_without_meaning_are_refused_in_a_sentence(
    values: dict[str, object], sentence: str
) -> None:
    with pytest.raises(engine.SettingError, match=f"{sentence}.*\\.$"):
        Sampling(**values)  # pyright: ignore[reportArgumentType]


def test_settings_do_not_change_with_what_they_were_made_from() -> None:
    bias, banned = {1: -math.inf}, ["a"]
    sampling = Sampling(logit_bias=bias, banned=banned)
    bias[2] = 1.0
    banned.append("b")
    assert sampling.logit_bias == {1: -math.inf}
    assert sampling.banned == ("a",)
    assert hash(sampling) == hash(Sampling(logit_bias={1: -math.inf}, banned=("a",)))


def test_a_banned_token_is_never_drawn_not_even_greedily() -> None:
    bias = {1: -math.inf, 3: -math.inf}
    assert draws(Sampling(temperature=0, logit_bias=bias), 1, 3) == [4] * 3
    assert set(draws(Sampling(temperature=9.0, top_p=1, logit_bias=bias), 1, 200)) == {0, 2, 4}


def test_presence_and_frequency_see_the_prompt_and_what_was_drawn() -> None:
    sampler = Sampler(Sampling(temperature=0, presence_penalty=2.0), 0, [1])
    assert [drawn(sampler, LOGITS) for _ in range(3)] == [3, 4, 0]
    sampler = Sampler(Sampling(temperature=0, frequency_penalty=2.0, repetition_context=1), 0, [1])
    assert [drawn(sampler, LOGITS) for _ in range(3)] == [3, 1, 3]


def test_dry_breaks_a_loop() -> None:
    loop = Sampling(temperature=0, dry_multiplier=2.0, dry_base=2.0, dry_allowed_length=2)
    sampler = Sampler(loop, 0, [1, 1])
    found = [drawn(sampler, LOGITS) for _ in range(6)]
    assert found[:2] != [1, 1]
    breakers = TokenSets(breakers=mx.array([False, True, False, False, False]))
    sampler = Sampler(loop, 0, [1, 1], breakers)
    assert [drawn(sampler, LOGITS) for _ in range(6)] == [1] * 6


def test_xtc_acts_as_often_as_it_should_and_spares_what_it_must() -> None:
    sampling = Sampling(temperature=1.0, top_p=1.0, xtc_probability=0.5, xtc_threshold=0.2)
    found = np.bincount(draws(sampling, 3, 3000), minlength=5) / 3000
    removed = np.array([0.1, 0.0, 0.05, 0.3, 0.15]) / 0.6
    assert np.allclose(found, 0.5 * np.array(PROBABILITIES) + 0.5 * removed, atol=0.03)
    assert draws(sampling, 3, 50) == draws(sampling, 3, 50)
    sampler = Sampler(
        Sampling(temperature=1.0, top_p=1.0, xtc_probability=1.0, xtc_threshold=0.2),
        3,
        [],
        TokenSets(spared=mx.array([1])),
    )
    assert {drawn(sampler, LOGITS) for _ in range(100)} >= {1, 3}


any_sampling = st.builds(
    Sampling,
    temperature=st.sampled_from([0.0, 0.5, 1.0, 3.0]),
    top_k=st.integers(0, 7),
    top_p=st.sampled_from([0.0, 0.3, 0.9, 1.0]),
    min_p=st.sampled_from([0.0, 0.1, 1.0]),
    repetition_penalty=st.sampled_from([0.5, 1.0, 2.0]),
    repetition_context=st.integers(0, 4),
    frequency_penalty=st.sampled_from([-2.0, 0.0, 1.0]),
    presence_penalty=st.sampled_from([-2.0, 0.0, 1.0]),
    dry_multiplier=st.sampled_from([0.0, 1.0]),
    dry_range=st.integers(1, 6),
    xtc_probability=st.sampled_from([0.0, 1.0]),
    xtc_threshold=st.sampled_from([0.0, 0.1, 0.5]),
    logit_bias=st.dictionaries(st.integers(0, 3), st.sampled_from([-math.inf, -1.0, 5.0])),
)


@settings(max_examples=150, derandomize=True, deadline=None)
@given(any_sampling, st.lists(st.integers(0, 4), max_size=12), st.booleans())
def test_the_stages_are_what_a_reply_is_drawn_from(
    sampling: Sampling, history: list[int], limited: bool
) -> None:
    allowed = mx.array([True, False, True, False, True]) if limited else None
    if limited and {0, 2} <= {t for t, b in sampling.logit_bias.items() if b == -math.inf}:
        sampling = Sampling()
    shown = stages(LOGITS, sampling, history, allowed=allowed)
    assert shown[0].name == "model"
    gone: set[int] = set()
    for stage in shown:
        assert math.isclose(np.exp(stage.logprobs.astype(np.float64)).sum(), 1.0, abs_tol=1e-5)
        assert gone.isdisjoint(stage.removed.tolist())
        gone |= set(stage.removed.tolist())
        assert gone == set(np.flatnonzero(np.isneginf(stage.logprobs)).tolist())
    left = set(range(5)) - gone
    for seed in range(5):
        sampler = Sampler(sampling, seed, history)
        assert cast("int", sampler(LOGITS, allowed).item()) in left


def test_steps_that_are_off_are_no_stages() -> None:
    off = Sampling(temperature=1.0, top_p=1.0)
    assert [stage.name for stage in stages(LOGITS, off, [1, 2, 3])] == ["model"]
    on = Sampling(
        temperature=0.5,
        top_k=4,
        top_p=0.9,
        min_p=0.1,
        repetition_penalty=1.1,
        presence_penalty=0.1,
        dry_multiplier=0.8,
        xtc_probability=0.3,
        logit_bias={1: 1.0},
    )
    shown = stages(LOGITS, on, [1, 2, 3], allowed=mx.array([True] * 5))
    assert [stage.name for stage in shown] == [
        *("model", "allowed", "logit_bias", "repetition_penalty", "frequency_presence", "dry"),
        *("top_k", "top_p", "min_p", "xtc", "temperature"),
    ]
    assert [stage.chance for stage in shown if stage.chance < 1] == [0.3]
    assert shown[6].removed.tolist() == [2]
    greedy = stages(LOGITS, Sampling(temperature=0, top_k=3), [])
    assert [stage.name for stage in greedy] == ["model", "temperature"]
    assert np.flatnonzero(np.isfinite(greedy[-1].logprobs)).tolist() == [1]
