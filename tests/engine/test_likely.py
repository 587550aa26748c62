"""The most likely tokens of several positions, next to plain NumPy."""

from typing import cast

import mlx.core as mx
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from engine.likely import likely, logsumexp, projected, projected_rows, row_sums


@settings(max_examples=60, derandomize=True, deadline=None)
@given(st.integers(1, 5), st.integers(2, 700), st.data())
def test_it_equals_sorting_everything(rows: int, width: int, data: st.DataObject) -> None:
    top = data.draw(st.integers(1, min(width, 30)))
    logits = np.random.default_rng(width).normal(0, 8, (rows, width)).astype(np.float32)
    found = likely(mx.array(logits), top)
    wide = logits.astype(np.float64)
    logprobs = wide - wide.max(axis=1, keepdims=True)
    logprobs -= np.log(np.exp(logprobs).sum(axis=1, keepdims=True))
    order = np.argsort(-wide, axis=1)[:, :top]
    assert np.array_equal(found.ids, order)
    assert np.abs(found.logprobs - np.take_along_axis(logprobs, order, axis=1)).max() < 1e-5
    entropies = -(np.exp(logprobs) * logprobs).sum(axis=1)
    assert np.abs(found.entropies - entropies).max() < 1e-4


def test_certainty_has_no_entropy_and_indecision_the_most() -> None:
    certain, torn = np.full(1000, -100.0), np.zeros(1000)
    certain[7] = 100
    found = likely(mx.array(np.stack([certain, torn]).astype(np.float32)), 1)
    assert found.ids[0, 0] == 7
    assert found.entropies == pytest.approx([0.0, np.log(1000)], abs=1e-5)


@pytest.mark.parametrize("scale", [0.0, 1.0, 30.0])
def test_the_sum_of_exponentials_is_near_the_true_one(scale: float) -> None:
    logits = np.random.default_rng(3).normal(5, scale, 50_001).astype(np.float32)
    wide = logits.astype(np.float64)
    true = wide.max() + np.log(np.exp(wide - wide.max()).sum())
    assert logsumexp(mx.array(logits)).item() == pytest.approx(true, rel=2e-7, abs=2e-6)
    rows = logsumexp(mx.array(np.stack([logits, logits[::-1]]))).tolist()
    assert rows == pytest.approx([true, true], rel=2e-7, abs=2e-6)


@pytest.mark.parametrize("shape", [(1, 49_152), (3, 50_257), (2, 5), (70,)])
def test_sums_of_a_whole_vocabulary_keep_their_digits(shape: tuple[int, ...]) -> None:
    values = np.exp(-12 * np.random.default_rng(1).random(shape)).astype(np.float32)
    found = cast("NDArray[np.float32]", np.array(row_sums(mx.array(values))))
    assert found == pytest.approx(values.astype(np.float64).sum(-1, keepdims=True), rel=1e-6)


def test_logits_come_a_few_rows_at_a_time() -> None:
    vocab_size = 1 << 20
    rows = projected_rows(vocab_size)
    x = mx.arange(2 * rows + 1)[:, None].astype(mx.float32)
    pieces = list(projected(x, lambda part: part * 2, vocab_size))
    assert [start for start, _ in pieces] == [0, rows, 2 * rows]
    whole = mx.concatenate([logits for _, logits in pieces])
    assert mx.array_equal(whole, x * 2).item()
    assert projected_rows(1 << 40) == 1
