"""Layers with windows of their own: what they see and hold, reuse, and the end of dynamic RoPE."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.cache import CachePolicy
from engine.errors import PromptError, SettingError
from engine.kv import kv_bytes
from tests.engine.checkpoints import TinyLlama
from tests.engine.reference import Bools, Sight, window_rule
from tests.engine.running import build, feed, held, new_cache, uncached
from tests.engine.test_families import LENGTH, assert_close, expected, tokens
from tests.engine.variants import ROPES, VARIANTS

MIXED = VARIANTS["RoPE by layer type"]


def combined(length: int, policy: CachePolicy) -> Sight:
    """What every layer sees where its own window meets the policy's."""

    def visible(window: int | None) -> Bools:
        windows = [each for each in (window, policy.window) if each is not None]
        pinned = policy.pinned if policy.window is not None else 0
        return window_rule(length, min(windows, default=None), pinned)

    return Sight(visible)


@settings(max_examples=20, derandomize=True, deadline=None)
@given(
    st.sampled_from(["RoPE by layer type", "mistral, sliding", "qwen2, upper layers"]),
    st.one_of(st.none(), st.integers(1, 30)),
    st.integers(0, 6),
    st.lists(st.integers(1, 40), min_size=1, max_size=5),
)
def test_a_layers_window_and_the_policys_combine(
    name: str, window: int | None, pinned: int, sizes: list[int]
) -> None:
    tiny, ids, policy = VARIANTS[name], tokens(LENGTH), CachePolicy(window=window, pinned=pinned)
    config, decoder = build(tiny)
    found = feed(decoder, new_cache(config, decoder, policy), ids, sizes)
    assert_close(found, expected(tiny, ids, combined(LENGTH, policy)))


@settings(max_examples=40, derandomize=True, deadline=None)
@given(
    st.one_of(st.none(), st.integers(2, 30)),
    st.integers(0, 6),
    st.integers(1, LENGTH),
    st.integers(0, LENGTH),
)
def test_reuse_is_exact(window: int | None, pinned: int, first: int, back_to: int) -> None:
    """What is reused after an edit continues like a cold cache, whichever layers were strictest."""
    policy = CachePolicy(window=window, pinned=pinned)
    config, decoder = build(MIXED)
    warm, before = new_cache(config, decoder, policy), tokens(first)
    feed(decoder, warm, before, [16])
    kept = warm.reusable(back_to)
    assert kept <= min(first, back_to)
    warm.trim(kept)
    after = [*before[:kept], *tokens(40, seed=9)]
    cold = new_cache(config, decoder, policy)
    wanted = feed(decoder, cold, after, [16])[kept:]
    assert_close(feed(decoder, warm, after[kept:], [16]), wanted)


def test_a_short_way_back_is_reused_and_a_long_one_is_not() -> None:
    config, decoder = build(MIXED)
    cache = new_cache(config, decoder, CachePolicy())
    feed(decoder, cache, tokens(LENGTH), [16])
    assert cache.reusable(LENGTH) == LENGTH
    assert cache.reusable(LENGTH - 3) == LENGTH - 3
    assert cache.reusable(20) == 0


def test_sliding_layers_are_bounded_and_figures_are_true() -> None:
    config, decoder = build(MIXED)
    cache = new_cache(config, decoder, CachePolicy())
    feed(decoder, cache, tokens(400), [64, 1])
    capacity = 9 + 16
    assert [layer.slots <= capacity for layer in cache.layers] == [True, False, True]
    assert cache.filled == 400
    assert cache.filled_in_all_layers == 400 + 2 * capacity
    per_token = kv_bytes(config, 1, bits=32) // 3
    assert cache.used_bytes == per_token * cache.filled_in_all_layers
    assert cache.allocated_bytes >= cache.used_bytes


def test_what_sliding_layers_store_never_changes() -> None:
    config, decoder = build(MIXED)
    cache, seen = new_cache(config, decoder, CachePolicy()), [dict[int, bytes]() for _ in range(3)]
    for token in tokens(60):
        feed(decoder, cache, [token], [1])
        for layer, found in enumerate(held(cache).keys):
            for position, stored in found.items():
                assert seen[layer].setdefault(position, stored) == stored


def test_pinned_tokens_outlive_every_window() -> None:
    """Far beyond all windows, the pinned keys of sliding layers stay within their trained reach."""
    tiny = TinyLlama(
        model_type="mistral", extra={"sliding_window": 64, "max_position_embeddings": 4096}
    )
    config, decoder = build(tiny)
    policy = CachePolicy(window=200, pinned=4)
    chunks = [
        feed(decoder, new_cache(config, decoder, policy), tokens(700), [size]) for size in (64, 7)
    ]
    assert np.abs(chunks[0] - chunks[1]).max() < 2e-3


def test_dynamic_rope_ends_with_the_trained_context() -> None:
    """Beyond it all frequencies depend on the length, which keys in a cache cannot follow."""
    tiny = TinyLlama(max_position_embeddings=64, extra=ROPES["dynamic"])
    config, decoder = build(tiny)
    assert_close(uncached(decoder, tokens(64)), expected(tiny, tokens(64)))
    with pytest.raises(PromptError, match="dynamic RoPE"):
        uncached(decoder, tokens(65))
    with pytest.raises(SettingError, match="at most 64"):
        new_cache(config, decoder, CachePolicy(window=65))
    new_cache(config, decoder, CachePolicy(window=64))
