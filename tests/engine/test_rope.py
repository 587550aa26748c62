"""Rotation against the formula, each scaling, and that rotations add up."""

from typing import Any

import mlx.core as mx
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.config import parse_config
from engine.rope import Rope, inverse_frequencies
from tests.engine import reference
from tests.engine.checkpoints import TinyLlama
from tests.engine.running import singles

LLAMA3 = {
    "rope_type": "llama3",
    "factor": 32.0,
    "low_freq_factor": 1.0,
    "high_freq_factor": 4.0,
    "original_max_position_embeddings": 8192,
}
SCALINGS: dict[str, dict[str, Any]] = {
    "default": {},
    "linear": {"rope_scaling": {"type": "linear", "factor": 2.5}},
    "llama3": {"rope_theta": 500_000.0, "rope_scaling": LLAMA3},
}


def rope_of(extra: dict[str, Any], dim: int = 64) -> tuple[Rope, dict[str, Any]]:
    raw = TinyLlama(head_dim=dim, extra=extra).config()
    config = parse_config(raw)
    return Rope(config.rope, config.head_dim), raw


def rotated(x: np.ndarray, positions: np.ndarray, raw: dict[str, Any]) -> np.ndarray:
    """As complex numbers: (x[i] + j x[i + D/2]) · exp(j · position · frequency[i])."""
    half = x.shape[-1] // 2
    turned = x[..., :half] + 1j * x[..., half:]
    angle = positions[:, None] * reference.inverse_frequencies(raw, x.shape[-1])
    turned = turned * np.exp(1j * angle)
    return np.concatenate([turned.real, turned.imag], axis=-1)


@pytest.mark.parametrize("name", SCALINGS)
@pytest.mark.parametrize("offset", [0, 1, 77, 5000])
def test_rotation_is_that_of_the_paper(name: str, offset: int) -> None:
    rope, raw = rope_of(SCALINGS[name])
    x = np.random.default_rng(1).normal(size=(1, 3, 10, 64))
    expected = rotated(x, offset + np.arange(10), raw)
    found = singles(rope(mx.array(x.astype(np.float32)), offset))
    assert np.abs(found - expected).max() < 1e-3 * (1 + offset / 1000)


@pytest.mark.parametrize("name", SCALINGS)
def test_frequencies_are_those_of_the_published_code(name: str) -> None:
    raw = TinyLlama(head_dim=64, extra=SCALINGS[name]).config()
    found = inverse_frequencies(parse_config(raw).rope, 64)
    assert np.allclose(found, reference.inverse_frequencies(raw, 64), rtol=1e-12)


def test_llama3_keeps_short_waves_and_stretches_long_ones() -> None:
    raw = TinyLlama(head_dim=64, extra=SCALINGS["llama3"]).config()
    plain = reference.inverse_frequencies({"rope_theta": 500_000.0}, 64)
    ratio = inverse_frequencies(parse_config(raw).rope, 64) / plain
    assert ratio[0] == 1.0
    assert ratio[-1] == pytest.approx(1 / 32)
    assert np.all(np.diff(ratio) <= 0)
    assert np.any((ratio > 1 / 31) & (ratio < 0.99))


@settings(max_examples=40, derandomize=True)
@given(st.sampled_from(list(SCALINGS)), st.integers(0, 4000), st.integers(0, 4000))
def test_moving_keys_equals_rotating_them_further(name: str, first: int, by: int) -> None:
    rope, _ = rope_of(SCALINGS[name])
    x = mx.array(np.random.default_rng(2).normal(size=(1, 2, 5, 64)).astype(np.float32))
    moved, direct = rope.move(rope(x, first), by), rope(x, first + by)
    assert np.abs(singles(moved) - singles(direct)).max() < 5e-3
    if by == 0:
        assert np.array_equal(singles(moved), singles(rope(x, first)))


def test_only_the_distance_counts() -> None:
    rope, _ = rope_of({})
    rng = np.random.default_rng(3)
    q, k = (mx.array(rng.normal(size=(1, 1, 1, 64)).astype(np.float32)) for _ in range(2))
    scores = [np.sum(singles(rope(q, at + 30)) * singles(rope(k, at))) for at in (0, 100, 2000)]
    assert np.ptp(scores) < 1e-2
