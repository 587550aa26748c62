"""What a model is said to need is what it takes, and the verdict follows from it."""

from __future__ import annotations

import dataclasses

import mlx.core as mx
import pytest

import engine
from engine.fit import Footprint, can_quantize, fit, machine_limit
from engine.zoo_config import ZooConfig
from tests.bench.fit import WITHIN, peak

GIB = 1 << 30


@pytest.fixture(scope="session")
def footprint(starter: engine.Model) -> Footprint:
    return Footprint(starter.config, starter.weights_bytes, 4)


@pytest.mark.parametrize(
    ("tokens", "policy", "chunk"),
    [
        (300, engine.CachePolicy(), 64),
        (400, engine.CachePolicy(window=128, pinned=4, bits=4), 64),
    ],
)
@pytest.mark.slow
def test_the_estimate_is_within_five_percent_of_the_peak(
    starter: engine.Model, tokens: int, policy: engine.CachePolicy, chunk: int
) -> None:
    estimate, measured = peak(starter, tokens, policy, chunk)
    assert abs(estimate / measured - 1) <= WITHIN


def test_the_parts_add_up_and_the_verdict_follows(footprint: Footprint) -> None:
    needed = fit(footprint, tokens=4096, chunk=256).needed_bytes
    assert needed > footprint.weights_bytes + engine.kv_bytes(footprint.config, 4096, bits=32)
    verdicts = [
        fit(footprint, tokens=4096, chunk=256, limit_bytes=limit).verdict
        for limit in (None, 1, needed - (1 << 20), needed, needed * 5 // 4 + 1)
    ]
    assert verdicts == ["unknown", "too big", "tight", "tight", "comfortable"]


def test_a_smaller_window_or_fewer_bits_take_less(footprint: Footprint) -> None:
    policies = (None, engine.CachePolicy(2048), engine.CachePolicy(2048, bits=8))
    held = (8192, 2048, 2048)
    fits = [
        fit(footprint, tokens=tokens, policy=policy)
        for tokens, policy in zip(held, policies, strict=True)
    ]
    caches = [each.cache_bytes for each in fits]
    assert caches == sorted(caches, reverse=True)
    assert [each.bits for each in fits] == [None, None, 8]


def test_the_window_that_fits_does_and_the_next_does_not(footprint: Footprint) -> None:
    limit = fit(footprint, tokens=3000, policy=engine.CachePolicy(3000), chunk=16).needed_bytes
    window = fit(footprint, tokens=8192, limit_bytes=limit).fitting_tokens
    assert window == 2048
    for tokens, verdict in ((window, "tight"), (3072, "too big")):
        policy = engine.CachePolicy(tokens)
        again = fit(footprint, tokens=tokens, policy=policy, limit_bytes=limit)
        assert again.verdict == verdict
    assert fit(footprint, tokens=8192, limit_bytes=footprint.weights_bytes).fitting_tokens is None


def test_a_model_of_mlx_lm_has_a_context_instead_of_a_window(footprint: Footprint) -> None:
    foreign = dataclasses.replace(footprint, rotates=False)
    limit = fit(foreign, tokens=3072, chunk=16).needed_bytes
    found = fit(foreign, tokens=8192, policy=engine.CachePolicy(64, bits=8), limit_bytes=limit)
    assert (found.bits, found.fitting_tokens) == (None, 3072)
    assert fit(foreign, tokens=1, limit_bytes=1).fitting_tokens is None


def test_which_caches_can_be_quantised(footprint: Footprint) -> None:
    assert can_quantize(footprint.config)
    assert not can_quantize(dataclasses.replace(footprint.config, head_dim=48))
    fields = {name: getattr(footprint.config, name) for name in ("hidden_size", "vocab_size")}
    numbers = dict.fromkeys(
        ("num_hidden_layers", "num_attention_heads", "num_key_value_heads", "head_dim"), 64
    )
    foreign = ZooConfig(model_type="gemma3", intermediate_size=64, **fields, **numbers)
    assert not can_quantize(foreign)


def test_the_machine_has_a_limit() -> None:
    limit = machine_limit()
    assert limit is not None
    assert limit > max(mx.get_active_memory(), GIB // 2)
