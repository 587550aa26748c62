"""Each function of sampling on small distributions, and the sampler's promises."""

import math
from typing import cast

import mlx.core as mx
import numpy as np
import pytest

import engine
from engine.sampling import (
    Sampler,
    Sampling,
    keep_min_p,
    keep_top_k,
    keep_top_p,
    penalise,
    top_logprobs,
)
from tests.engine.running import singles

PROBABILITIES = [0.1, 0.4, 0.05, 0.3, 0.15]
LOGITS = mx.array(np.log(PROBABILITIES), dtype=mx.float32)


def kept(logits: mx.array) -> list[int]:
    return [index for index, value in enumerate(singles(logits)) if value != -math.inf]


@pytest.mark.parametrize(("k", "expected"), [(1, [1]), (2, [1, 3]), (5, [0, 1, 2, 3, 4])])
def test_top_k_keeps_the_k_most_likely(k: int, expected: list[int]) -> None:
    assert kept(keep_top_k(LOGITS, k)) == expected


@pytest.mark.parametrize(
    ("p", "expected"),
    [(0.0, [1]), (0.39, [1]), (0.41, [1, 3]), (0.84, [1, 3, 4]), (1.0, [0, 1, 2, 3, 4])],
)
def test_top_p_keeps_the_fewest_that_reach_p(p: float, expected: list[int]) -> None:
    assert kept(keep_top_p(LOGITS, p)) == expected


@pytest.mark.parametrize(("p", "expected"), [(0.9, [1]), (0.7, [1, 3]), (0.24, [0, 1, 3, 4])])
def test_min_p_is_relative_to_the_most_likely(p: float, expected: list[int]) -> None:
    assert kept(keep_min_p(LOGITS, p)) == expected


def test_filters_leave_the_kept_logits_as_they_are() -> None:
    for filtered in (keep_top_k(LOGITS, 2), keep_top_p(LOGITS, 0.5), keep_min_p(LOGITS, 0.7)):
        for index in kept(filtered):
            assert float(filtered[index]) == float(LOGITS[index])


def test_penalty_lowers_positive_and_negative_logits_once_each() -> None:
    logits = mx.array([2.0, -2.0, 3.0])
    changed = penalise(logits, mx.array([0, 1, 0]), 2.0)
    assert changed.tolist() == [1.0, -4.0, 3.0]
    assert penalise(logits, mx.array([], dtype=mx.int32), 2.0).tolist() == logits.tolist()


def test_logprobs_are_those_of_the_softmax_in_descending_order() -> None:
    logprobs, ids, values = top_logprobs(LOGITS + 7, 3)
    assert np.allclose(np.exp(singles(logprobs)), PROBABILITIES, atol=1e-6)
    assert ids.tolist() == [1, 3, 4]
    assert np.allclose(singles(values), np.log([0.4, 0.3, 0.15]), atol=1e-6)


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
    logprobs, _, _ = top_logprobs(LOGITS.astype(dtype), 1)
    assert logprobs.dtype == mx.float32


def test_any_seed_within_bounds_gives_draws() -> None:
    for seed in (0, 1, (1 << 32) + 1, (1 << 64) - 1):
        assert set(draws(Sampling(temperature=1.0, top_p=1.0), seed, 30)) <= {0, 1, 2, 3, 4}
    sampling = Sampling(temperature=1.0, top_p=1.0)
    assert draws(sampling, 1, 50) != draws(sampling, (1 << 32) + 1, 50)


def test_all_alternatives_can_be_asked_for() -> None:
    _, ids, values = top_logprobs(LOGITS, 5)
    assert ids.tolist() == [1, 3, 4, 0, 2]
    assert math.isclose(sum(np.exp(singles(values))), 1.0, abs_tol=1e-6)
