"""Caches of every policy against full attention under the one visibility rule.

A query at position q sees a key at position p exactly when p ≤ q and (p < pinned or
q - p < window), whatever the chunks, the phase, or how keys and values are held.
"""

from collections.abc import Sequence

import mlx.core as mx
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import engine
from engine.cache import CachePolicy
from engine.cache.cache import BLOCK
from engine.cache.policy import group_size
from engine.kv import kv_bytes
from tests.engine import reference
from tests.engine.checkpoints import TinyLlama
from tests.engine.reference import Doubles, Sight, window_rule
from tests.engine.running import Singles, build, doubles, feed, held, new_cache, singles, uncached

TINY = TinyLlama(
    hidden_size=32,
    num_attention_heads=2,
    num_key_value_heads=1,
    head_dim=32,
    intermediate_size=32,
    max_position_embeddings=4096,
)
CONFIG, DECODER = build(TINY)
WEIGHTS = doubles(TINY)
# An 8- or 4-bit value near the middle of two steps may be rounded to either.
TOLERANCE = {None: 2e-4, 8: 0.05, 4: 0.5}


def tokens(count: int, seed: int = 5) -> list[int]:
    return np.random.default_rng(seed).integers(0, TINY.vocab_size, count).tolist()


def quantised(bits: int) -> reference.Store:
    """What a quantised store gives back, by MLX's own functions, one whole array at once."""
    size = group_size(TINY.head_dim)

    def store(x: Doubles) -> Doubles:
        packed, scales, biases = mx.quantize(
            mx.array(x.astype(np.float32)), group_size=size, bits=bits
        )
        halves = [part.astype(mx.float16).astype(mx.float32) for part in (scales, biases)]
        unpacked = mx.dequantize(packed, *halves, group_size=size, bits=bits)
        return singles(unpacked).astype(np.float64)

    return store


def expected(ids: Sequence[int], policy: CachePolicy) -> Doubles:
    """Full attention under the rule."""
    visible = window_rule(len(ids), policy.window, policy.pinned)
    store = None if policy.bits is None else quantised(policy.bits)
    return reference.logits(TINY.config(), WEIGHTS, ids, Sight(visible, store=store))


def assert_close(found: Singles, wanted: Doubles | Singles, bits: int | None = None) -> None:
    """Exact caches: every logit; quantised ones: the root mean square of every row."""
    assert found.shape == wanted.shape
    error = np.abs(found - wanted)
    rows = error.max(axis=-1) if bits is None else np.sqrt((error**2).mean(axis=-1))
    assert rows.max() < TOLERANCE[bits]


policies = st.builds(
    CachePolicy,
    window=st.one_of(st.none(), st.integers(1, 40)),
    pinned=st.integers(0, 12),
    bits=st.sampled_from([None, None, 8, 4]),
)
sizes = st.lists(st.integers(1, 50), min_size=1, max_size=8)


@settings(max_examples=100, derandomize=True)
@given(policies, st.integers(1, 90), sizes)
def test_every_chunking_equals_full_attention_under_the_rule(
    policy: CachePolicy, length: int, sizes: list[int]
) -> None:
    ids = tokens(length)
    cache = new_cache(CONFIG, DECODER, policy)
    assert_close(feed(DECODER, cache, ids, sizes), expected(ids, policy), policy.bits)
    assert cache.length == length


def test_the_rule_is_not_full_attention() -> None:
    """One key more or less changes logits by more than the tolerances; comparisons can fail."""
    ids = tokens(60)
    for bits, tolerance in TOLERANCE.items():
        right = expected(ids, CachePolicy(window=9, pinned=3, bits=bits))
        for window, pinned in ((8, 3), (10, 3), (9, 2), (9, 4), (None, 0)):
            other = expected(ids, CachePolicy(window, pinned, bits))
            assert np.sqrt(((other - right) ** 2).mean(axis=-1)).max() > 1.2 * tolerance


@pytest.mark.parametrize("sizes", [[1], [7], [64], [200], [3, 90, 1]])
def test_cached_logits_equal_uncached_ones(sizes: list[int]) -> None:
    ids = tokens(200)
    found = feed(DECODER, new_cache(CONFIG, DECODER, CachePolicy()), ids, sizes)
    assert_close(found, uncached(DECODER, ids))


@settings(max_examples=45, derandomize=True)
@given(policies, st.data())
def test_a_trimmed_cache_goes_on_like_a_cold_one(policy: CachePolicy, data: st.DataObject) -> None:
    """Edits of any place, several in a row; where keys are gone, less is reused, never wrong."""
    ids = tokens(data.draw(st.integers(1, 130)))
    cache = new_cache(CONFIG, DECODER, policy)
    feed(DECODER, cache, ids, data.draw(sizes))
    for seed in range(3):
        kept = cache.reusable(data.draw(st.integers(0, len(ids))))
        cache.trim(kept)
        assert cache.length == kept
        left = [at for at in cache.positions() if at >= 0]
        assert len(left) == cache.filled <= kept
        assert all(at < kept for at in left)
        ids = ids[:kept] + tokens(data.draw(st.integers(1, 40)), seed=100 + seed)
        found = feed(DECODER, cache, ids[kept:], data.draw(sizes))
        assert_close(found, expected(ids, policy)[kept:], policy.bits)


@settings(max_examples=60, derandomize=True)
@given(policies, st.lists(st.integers(1, 700), min_size=1, max_size=4), st.data())
def test_slots_are_bounded_at_all_times(
    policy: CachePolicy, lengths: list[int], data: st.DataObject
) -> None:
    """During prefill as well, for prompts announced beforehand, and after trims."""
    cache = new_cache(CONFIG, DECODER, policy)
    one = mx.zeros((1, CONFIG.num_key_value_heads, 1, CONFIG.head_dim))
    most = 0
    for length in lengths:
        cache.expect(cache.length + length)
        done, total = cache.length, cache.length + length
        while done < total:
            size = cache.chunk(min(data.draw(st.sampled_from([1, 16, 64, 512])), total - done))
            cache.extend(size)
            new = mx.repeat(one, size, axis=2)
            for layer in cache.layers:
                layer.update(new, new)
            done += size
            assert cache.span <= cache.slots <= cache.peak_slots
        most = max(most, cache.length)
        cache.trim(cache.reusable(data.draw(st.integers(0, cache.length))))
    if policy.window is None:
        assert cache.peak_slots <= most + 256
    else:
        largest = cache.chunk(1 << 20)
        assert largest <= 256
        chunk = min(max(policy.window, 16), 256)
        assert cache.peak_slots <= policy.pinned + policy.window + chunk
        assert cache.filled <= policy.pinned + policy.window + chunk


ENDLESS = TinyLlama(
    hidden_size=32,
    num_attention_heads=2,
    num_key_value_heads=1,
    head_dim=32,
    intermediate_size=32,
    max_position_embeddings=2 * BLOCK,
)
ENDLESS_CONFIG, ENDLESS_DECODER = build(ENDLESS)


def moved(length: int, policy: CachePolicy, trained: int) -> np.ndarray:
    """(L, L): pinned keys stand behind the window of the query's block once it is too far."""
    assert policy.window is not None
    q, p = np.arange(length)[:, None], np.arange(length)[None, :]
    block = q // BLOCK * BLOCK
    by = np.where(block + BLOCK <= trained, 0, block - policy.window - policy.pinned)
    return np.where((p < policy.pinned) & (q >= policy.pinned), p + np.maximum(by, 0), p)


def expected_endless(ids: Sequence[int], policy: CachePolicy) -> Doubles:
    places = moved(len(ids), policy, ENDLESS.max_position_embeddings)
    visible = window_rule(len(ids), policy.window, policy.pinned)
    store = None if policy.bits is None else quantised(policy.bits)
    sight = Sight(visible, places, store)
    return reference.logits(ENDLESS.config(), doubles(ENDLESS), ids, sight)


@pytest.mark.parametrize("policy", [CachePolicy(window=24, pinned=5), CachePolicy(window=200)])
@pytest.mark.parametrize("sizes", [[16], [7, 100, 1, 30], [24] * 20 + [1]])
def test_pinned_keys_move_up_behind_the_window(policy: CachePolicy, sizes: list[int]) -> None:
    ids = tokens(3 * BLOCK + 40)
    cache = new_cache(ENDLESS_CONFIG, ENDLESS_DECODER, policy)
    found = feed(ENDLESS_DECODER, cache, ids, sizes)
    wanted = expected_endless(ids, policy)
    assert_close(found, wanted)
    if policy.pinned:
        left = reference.logits(
            ENDLESS.config(),
            doubles(ENDLESS),
            ids,
            Sight(window_rule(len(ids), policy.window, policy.pinned)),
        )
        assert_close(found[: 2 * BLOCK], left[: 2 * BLOCK])
        assert np.abs(found[2 * BLOCK :] - left[2 * BLOCK :]).max() > 0.05


@pytest.mark.parametrize("bits", [None, 8, 4])
@pytest.mark.parametrize("back_to", [700, 2 * BLOCK - 3, 5, 3, 0])
def test_keys_that_moved_come_back_for_an_edit(bits: int | None, back_to: int) -> None:
    """What follows an edit depends on positions alone: a warm cache equals a cold one."""
    policy = CachePolicy(window=24, pinned=5, bits=bits)
    warm = new_cache(ENDLESS_CONFIG, ENDLESS_DECODER, policy)
    first = tokens(710 if back_to > 2 * BLOCK else 2 * BLOCK + 10)
    feed(ENDLESS_DECODER, warm, first, [24])
    kept = warm.reusable(back_to)
    assert kept == back_to
    warm.trim(kept)
    ids = first[:kept] + tokens(60, seed=8) + first[kept + 60 : 2 * BLOCK] + tokens(40, seed=9)
    cold = new_cache(ENDLESS_CONFIG, ENDLESS_DECODER, policy)
    feed(ENDLESS_DECODER, cold, ids[:kept], [24])
    found = feed(ENDLESS_DECODER, warm, ids[kept:], [24])
    assert_close(found, feed(ENDLESS_DECODER, cold, ids[kept:], [24]))
    assert warm.positions() == cold.positions()
    if bits is None and len(ids) < 800:
        assert_close(found, expected_endless(ids, policy)[kept:])


@pytest.mark.parametrize("bits", [8, 4])
def test_quantised_keys_that_moved_equal_the_reference(bits: int) -> None:
    policy = CachePolicy(window=24, pinned=5, bits=bits)
    warm, cold = (new_cache(ENDLESS_CONFIG, ENDLESS_DECODER, policy) for _ in range(2))
    ids = tokens(2 * BLOCK + 5)
    feed(ENDLESS_DECODER, warm, ids, [24])
    warm.trim(2 * BLOCK - 4)
    feed(ENDLESS_DECODER, warm, ids[2 * BLOCK - 4 : 2 * BLOCK - 3], [1])
    feed(ENDLESS_DECODER, cold, ids[: 2 * BLOCK - 3], [24])
    assert held(warm).keys[0][0] == held(cold).keys[0][0], "not quantised a second time"


def test_allocation_grows_in_steps_and_not_at_all_in_rotation() -> None:
    growing = new_cache(CONFIG, DECODER, CachePolicy())
    rotating = new_cache(CONFIG, DECODER, CachePolicy(window=100, pinned=4))
    seen: dict[str, set[int]] = {"growing": set(), "rotating": set()}
    for _ in range(60):
        for name, cache in (("growing", growing), ("rotating", rotating)):
            feed(DECODER, cache, tokens(10), [10])
            seen[name].add(cache.slots)
    assert seen == {"growing": {256, 512, 768}, "rotating": {204}}


@pytest.mark.parametrize("bits", [None, 8, 4])
def test_bytes_are_those_of_the_formula(bits: int | None) -> None:
    cache = new_cache(CONFIG, DECODER, CachePolicy(bits=bits))
    assert (cache.used_bytes, cache.allocated_bytes, cache.slots, cache.filled) == (0, 0, 0, 0)
    feed(DECODER, cache, tokens(100), [100])
    formula = kv_bytes(CONFIG, 100, bits=bits or 32, group_size=32)
    assert cache.filled == 100
    assert cache.used_bytes == formula
    assert cache.allocated_bytes == kv_bytes(CONFIG, 256, bits=bits or 32, group_size=32)


def test_half_precision_is_held_in_half_precision() -> None:
    x = mx.ones((1, 1, 3, 32), dtype=mx.bfloat16)
    for bits in (None, 8):
        cache = new_cache(CONFIG, DECODER, CachePolicy(bits=bits))
        cache.extend(3)
        keys, values = cache.layers[0].update(x, x)
        assert keys.dtype == values.dtype == mx.bfloat16
        assert np.array_equal(singles(keys.astype(mx.float32)), np.ones((1, 1, 3, 32)))


@pytest.mark.parametrize(
    "values",
    [
        {"window": 0},
        {"window": -4},
        {"window": 1 << 60},
        {"window": 2.5},
        {"window": True},
        {"pinned": -1},
        {"pinned": 1.5},
        {"bits": 3},
        {"bits": 0},
        {"bits": 8.0},
        {"bits": True},
    ],
)
def test_policies_that_no_cache_can_follow_are_refused(values: dict[str, int]) -> None:
    with pytest.raises(engine.SettingError, match=r"^(The window|Pinned tokens|A quantised).*\.$"):
        CachePolicy(**values)


def test_a_head_dimension_that_cannot_be_quantised_is_refused() -> None:
    config, decoder = build(TinyLlama(head_dim=24))
    with pytest.raises(engine.SettingError, match="head dimension 24 cannot be quantised"):
        new_cache(config, decoder, CachePolicy(bits=4))
    assert [group_size(dim) for dim in (32, 64, 96, 128)] == [32, 64, 32, 64]
