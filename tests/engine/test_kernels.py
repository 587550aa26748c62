"""Attention and SwiGLU on a CPU equal MLX's own, whatever the shape and the mask."""

from __future__ import annotations

import mlx.core as mx
import numpy as np
import pytest

from engine.cache import Mask
from engine.kernels import exp, grouped_attention, swiglu
from tests.engine.running import singles

pytestmark = pytest.mark.skipif(mx.metal.is_available(), reason="Metal has kernels of its own")


def random(*shape: int, seed: int = 0) -> mx.array:
    return mx.array(np.random.default_rng(seed).normal(size=shape).astype(np.float32))


def test_the_exponential_is_as_near_as_a_float_can_be() -> None:
    x = np.linspace(-80, 80, 200_001).astype(np.float32)
    found = np.array(exp(mx.array(x))).astype(np.float64)
    true = np.exp(x.astype(np.float64))
    # The argument's own rounding times log₂e counts as much as its size.
    bound = 2.0**-23 * (np.abs(x) + 2)
    assert (np.abs(found / true - 1) <= bound).all()
    assert np.array(exp(mx.array([0.0])))[0] == 1.0
    assert 0 <= np.array(exp(mx.array([-mx.inf])))[0] < 1e-37


@pytest.mark.parametrize(("length", "span"), [(8, 8), (9, 40), (33, 700), (64, 5000)])
@pytest.mark.parametrize("mask", ["causal", None, "window"])
def test_attention_equals_mlxs(length: int, span: int, mask: str | None) -> None:
    queries = random(1, 6, length, 16, seed=1)
    keys, values = random(1, 2, span, 16, seed=2), random(1, 2, span, 16, seed=3)
    how: Mask = None
    if mask == "causal":
        how = "causal"
    elif mask is not None:
        places = np.arange(span)[None, :], np.arange(span - length, span)[:, None]
        seen = (places[0] <= places[1]) & (places[1] - places[0] < 20)
        how = mx.array(seen.tolist())
    found = grouped_attention(queries, keys, values, 0.25, how)
    expected = mx.fast.scaled_dot_product_attention(queries, keys, values, scale=0.25, mask=how)
    assert found.shape == expected.shape
    assert np.allclose(singles(found), singles(expected), rtol=1e-4, atol=2e-6)


def test_swiglu_equals_its_definition() -> None:
    gate, up = 30 * random(1, 12, 40), random(1, 12, 40, seed=1)
    expected = gate * mx.sigmoid(gate) * up
    assert np.allclose(singles(swiglu(gate, up)), singles(expected), rtol=1e-5, atol=1e-6)


def test_half_precision_is_left_to_mlx() -> None:
    queries = random(1, 2, 16, 8).astype(mx.bfloat16)
    keys = random(1, 1, 16, 8, seed=2).astype(mx.bfloat16)
    found = grouped_attention(queries, keys, keys, 0.3, "causal")
    expected = mx.fast.scaled_dot_product_attention(queries, keys, keys, scale=0.3, mask="causal")
    assert found.dtype == mx.bfloat16
    assert mx.array_equal(found, expected).item()
