"""Each step of sampling on small distributions, and against plain NumPy and Python."""

import math
from collections.abc import Sequence

import mlx.core as mx
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.filters import (
    add_bias,
    exclude_top_choices,
    keep_allowed,
    keep_min_p,
    keep_top_k,
    keep_top_p,
    log_probabilities,
    penalise,
    penalise_counts,
    penalise_repeats,
    scale,
    top_logprobs,
)
from tests.engine.running import Singles, singles

PROBABILITIES = [0.1, 0.4, 0.05, 0.3, 0.15]
LOGITS = mx.array(np.log(PROBABILITIES).tolist(), dtype=mx.float32)
NOTHING = mx.array([], dtype=mx.int32)
DETERMINISTIC = settings(max_examples=100, derandomize=True, deadline=None)


def normal(seed: int, size: int, spread: float) -> Singles:
    return np.random.default_rng(seed).normal(0, spread, size).astype(np.float32)


seeds = st.integers(0, 10_000)
spreads = st.sampled_from([0.0, 0.01, 1.0, 5.0, 30.0])
distributions = st.builds(normal, seeds, st.integers(1, 300), spreads)
histories = st.lists(st.integers(0, 5), max_size=80)


def device(values: Singles) -> mx.array:
    return mx.array(values.tolist(), dtype=mx.float32)


def kept(logits: mx.array) -> list[int]:
    return [index for index, value in enumerate(singles(logits)) if value != -math.inf]


@pytest.mark.parametrize(("k", "expected"), [(1, [1]), (2, [1, 3]), (5, [0, 1, 2, 3, 4])])
def test_top_k_keeps_the_k_most_likely(k: int, expected: list[int]) -> None:
    assert kept(keep_top_k(LOGITS, k)) == expected
    assert kept(keep_top_k(LOGITS, 99)) == [0, 1, 2, 3, 4]


@pytest.mark.parametrize(
    ("p", "expected"),
    [(0.0, [1]), (0.39, [1]), (0.41, [1, 3]), (0.84, [1, 3, 4]), (1.0, [0, 1, 2, 3, 4])],
)
def test_top_p_keeps_the_fewest_that_reach_p(p: float, expected: list[int]) -> None:
    assert kept(keep_top_p(LOGITS, p)) == expected


@DETERMINISTIC
@given(distributions, st.floats(0, 1))
def test_top_p_equals_sorting_everything(values: Singles, p: float) -> None:
    order = np.argsort(-values, kind="stable")
    exact = np.exp(values[order].astype(np.float64) - values.max())
    before = np.cumsum(exact / exact.sum()) - exact / exact.sum()
    if np.abs(before - p).min() < 1e-4:  # rounding may decide either way
        return
    last = values[order][max(int((before < p).sum()) - 1, 0)]
    assert kept(keep_top_p(device(values), p)) == np.flatnonzero(values >= last).tolist()


@DETERMINISTIC
@given(distributions, st.floats(0, 1), st.integers(1, 320))
def test_top_p_after_top_k_needs_to_sort_only_k(values: Singles, p: float, k: int) -> None:
    few = keep_top_k(device(values), k)
    assert kept(keep_top_p(few, p, k)) == kept(keep_top_p(few, p))


@pytest.mark.parametrize(("p", "expected"), [(0.9, [1]), (0.7, [1, 3]), (0.24, [0, 1, 3, 4])])
def test_min_p_is_relative_to_the_most_likely(p: float, expected: list[int]) -> None:
    assert kept(keep_min_p(LOGITS, p)) == expected


def test_filters_leave_the_kept_logits_as_they_are() -> None:
    for filtered in (
        keep_top_k(LOGITS, 2),
        keep_top_p(LOGITS, 0.5),
        keep_min_p(LOGITS, 0.7),
        exclude_top_choices(LOGITS, 0.1, None),
        keep_allowed(LOGITS, mx.array([True, False, True, True, False])),
    ):
        for index in kept(filtered):
            assert float(filtered[index]) == float(LOGITS[index])


def test_penalty_lowers_positive_and_negative_logits_once_each() -> None:
    logits = mx.array([2.0, -2.0, 3.0])
    changed = penalise(logits, mx.array([0, 1, 0]), 2.0)
    assert changed.tolist() == [1.0, -4.0, 3.0]
    assert penalise(logits, NOTHING, 2.0).tolist() == logits.tolist()


@DETERMINISTIC
@given(st.builds(normal, seeds, st.integers(6, 99), spreads), histories, st.floats(-2, 2))
def test_frequency_counts_and_presence_does_not(
    values: Singles, history: list[int], penalty: float
) -> None:
    recent = mx.array(history, dtype=mx.int32)
    counts = np.bincount(history, minlength=values.size)
    counted = penalise_counts(device(values), recent, frequency=penalty, presence=0.0)
    present = penalise_counts(device(values), recent, frequency=0.0, presence=penalty)
    assert np.allclose(singles(counted), values - penalty * counts, atol=1e-3)
    assert np.allclose(singles(present), values - penalty * (counts > 0), atol=1e-3)


def plain_dry(
    history: Sequence[int], breakers: set[int], multiplier: float, base: float, allowed: int
) -> dict[int, float]:
    """The penalties by token, as the original's loops find them."""
    lengths: dict[int, int] = {}
    for end in range(len(history) - 1):
        length = 0
        while (
            length < min(50, end + 1)
            and history[end - length] == history[-1 - length]
            and history[-1 - length] not in breakers
        ):
            length += 1
        following = history[end + 1]
        if following not in breakers:
            lengths[following] = max(lengths.get(following, 0), length)
    return {
        token: multiplier * base ** (length - allowed)
        for token, length in lengths.items()
        if length >= allowed
    }


@DETERMINISTIC
@given(
    histories,
    st.sets(st.integers(0, 5), max_size=2),
    st.floats(0.1, 2),
    st.floats(1, 2),
    st.integers(1, 5),
)
def test_dry_equals_the_originals_loops(
    history: list[int], breakers: set[int], multiplier: float, base: float, allowed: int
) -> None:
    expected = np.zeros(6)
    for token, penalty in plain_dry(history, breakers, multiplier, base, allowed).items():
        expected[token] = penalty
    found = penalise_repeats(
        mx.zeros(6),
        mx.array(history, dtype=mx.int32),
        mx.array([token in breakers for token in range(6)]),
        multiplier=multiplier,
        base=base,
        allowed_length=allowed,
    )
    assert np.allclose(-singles(found), expected, rtol=1e-4, atol=1e-6)


def test_dry_stays_finite_on_the_longest_repetition() -> None:
    found = penalise_repeats(
        mx.zeros(3),
        mx.array([1] * 2000),
        mx.zeros(3, dtype=mx.bool_),
        multiplier=100.0,
        base=4.0,
        allowed_length=1,
    )
    assert np.isfinite(singles(found)).all()
    assert singles(found)[1] < -1e30


@pytest.mark.parametrize(
    ("threshold", "spared", "expected"),
    [
        (0.1, None, [0, 2]),
        (0.12, None, [0, 2, 4]),
        (0.3, None, [0, 2, 3, 4]),
        (0.35, None, [0, 1, 2, 3, 4]),
        (0.5, None, [0, 1, 2, 3, 4]),
        (0.0, None, [2]),
        (0.12, [0, 4], [0, 2, 4]),
        (0.12, [2, 3], [0, 1, 2, 3, 4]),
    ],
)
def test_xtc_leaves_the_least_likely_of_the_top_choices(
    threshold: float, spared: list[int] | None, expected: list[int]
) -> None:
    ids = None if spared is None else mx.array(spared)
    assert kept(exclude_top_choices(LOGITS, threshold, ids)) == expected


def test_a_bias_is_added_and_an_infinite_one_bans() -> None:
    changed = add_bias(mx.array([1.0, 2.0, 3.0]), mx.array([0, 2]), mx.array([5.0, -math.inf]))
    assert changed.tolist() == [6.0, 2.0, -math.inf]


@DETERMINISTIC
@given(st.builds(normal, seeds, st.integers(6, 99), spreads), st.integers(0, 5), histories)
def test_a_removed_token_never_comes_back(values: Singles, left: int, history: list[int]) -> None:
    logits = keep_allowed(device(values), mx.arange(values.size) == left)
    recent = mx.array(history, dtype=mx.int32)
    none = mx.zeros(values.size, dtype=mx.bool_)
    for changed in (
        add_bias(logits, mx.array([left - 1]) % values.size, mx.array([100.0])),
        penalise(logits, recent, 0.5),
        penalise_counts(logits, recent, frequency=-2.0, presence=-2.0),
        penalise_repeats(logits, recent, none, multiplier=1.0, base=1.5, allowed_length=1),
        keep_top_k(logits, 3),
        keep_top_p(logits, 0.5),
        keep_min_p(logits, 0.5),
        exclude_top_choices(logits, 0.1, None),
        scale(logits, 0.5),
        scale(logits, 0),
    ):
        assert kept(changed) == [left]


def test_log_probabilities_are_those_of_the_softmax() -> None:
    assert np.allclose(np.exp(singles(log_probabilities(LOGITS + 7))), PROBABILITIES, atol=1e-6)
    assert kept(log_probabilities(mx.full((3,), -math.inf))) == []


def test_the_most_likely_tokens_come_in_descending_order() -> None:
    total, ids, values = top_logprobs(LOGITS + 7, 3)
    assert np.allclose(singles(LOGITS + 7 - total), np.log(PROBABILITIES), atol=1e-5)
    assert ids.tolist() == [1, 3, 4]
    assert np.allclose(singles(values), np.log([0.4, 0.3, 0.15]), atol=1e-5)


def test_all_alternatives_can_be_asked_for() -> None:
    _, ids, values = top_logprobs(LOGITS, 5)
    assert ids.tolist() == [1, 3, 4, 0, 2]
    assert math.isclose(sum(np.exp(singles(values))), 1.0, abs_tol=1e-6)


@pytest.mark.parametrize("dtype", [mx.float16, mx.bfloat16])
def test_log_probabilities_of_half_precision_are_single(dtype: mx.Dtype) -> None:
    total, _, values = top_logprobs(LOGITS.astype(dtype), 1)
    assert (total.dtype, values.dtype) == (mx.float32, mx.float32)
