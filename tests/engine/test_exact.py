"""Exactness: what a session stores never changes, and replaying a sequence gives the same bits."""

import numpy as np
import pytest

import engine
from engine.cache import CachePolicy
from tests.engine.running import (
    Held,
    cache_of,
    feed,
    held,
    ids_of,
    new_cache,
    singles,
    text_of,
    uncached,
)

GREEDY = engine.Sampling(temperature=0.0)
POLICIES = [
    CachePolicy(),
    CachePolicy(bits=8),
    CachePolicy(bits=4),
    CachePolicy(window=30),
    CachePolicy(window=30, pinned=5),
    CachePolicy(window=30, pinned=5, bits=4),
]


def tokens(count: int, seed: int = 5) -> list[int]:
    return np.random.default_rng(seed).integers(97, 123, count).tolist()


def assert_kept(before: Held, after: Held) -> None:
    """Everything that both hold is the same, bit for bit."""
    for old, new in zip(before.keys + before.values, after.keys + after.values, strict=True):
        assert all(new[at] == kept for at, kept in old.items() if at in new)


@pytest.mark.parametrize("policy", POLICIES)
def test_what_is_stored_never_changes(tiny: engine.Model, policy: CachePolicy) -> None:
    """Through growth, rotation, prefill and decode."""
    cache = new_cache(tiny.config, tiny.decoder, policy)
    seen: Held | None = None
    for step, size in enumerate([40, 1, 1, 30, 5, 1, 1, 260, 1, 1]):
        feed(tiny.decoder, cache, tokens(size, seed=step), [size])
        now = held(cache)
        assert len(now.keys[0]) == cache.filled
        if seen is not None:
            assert_kept(seen, now)
            assert (
                len(seen.keys[0].keys() & now.keys[0].keys()) >= min(30, len(seen.keys[0])) - size
            )
        seen = now


@pytest.mark.parametrize("policy", POLICIES)
def test_what_a_session_keeps_through_turns_and_edits_never_changes(
    tiny: engine.Model, policy: CachePolicy
) -> None:
    session, prompt = tiny.session(policy), tokens(60)
    list(session.generate(prompt, GREEDY, 8))
    first = held(cache_of(session))
    list(session.generate(session.tokens + tokens(9, seed=1), GREEDY, 3))
    second = held(cache_of(session))
    assert_kept(first, second)
    edited = session.tokens[:-5] + tokens(4, seed=2)
    list(session.generate(edited, GREEDY, 3))
    third = held(cache_of(session))
    kept = session.reuse.reused_tokens
    assert kept == len(edited) - 4
    common = [{at: part[at] for at in part if at < kept} for part in second.keys + second.values]
    assert_kept(Held(common[:2], common[2:]), third)


@pytest.mark.parametrize("policy", POLICIES)
def test_a_replay_token_by_token_gives_the_same_bits(
    tiny: engine.Model, policy: CachePolicy
) -> None:
    ids = tokens(120)
    runs = [new_cache(tiny.config, tiny.decoder, policy) for _ in range(2)]
    one, two = (feed(tiny.decoder, cache, ids, [1]) for cache in runs)
    assert np.array_equal(one, two)
    assert held(runs[0]) == held(runs[1])


def test_the_starters_decode_is_near_its_one_shot_prefill(starter: engine.Model) -> None:
    ids = starter.tokenizer.encode("Water boils at a lower temperature on a high mountain.")
    cache = new_cache(starter.config, starter.decoder, CachePolicy())
    found = feed(starter.decoder, cache, ids, [5, 1])
    assert np.abs(found - uncached(starter.decoder, ids)).max() < 1e-3


@pytest.mark.slow
def test_a_session_holds_what_a_replay_of_its_tokens_computes(starter: engine.Model) -> None:
    session = starter.session()
    ids = starter.prompt_tokens([{"role": "user", "content": "Say something about rivers."}])
    chunks = list(session.generate(ids, GREEDY, 12))
    assert session.tokens == ids + ids_of(chunks)
    assert text_of(chunks) == starter.tokenizer.decode(ids_of(chunks))
    cache = new_cache(starter.config, starter.decoder, CachePolicy())
    feed(starter.decoder, cache, session.tokens[: cache_of(session).length], [len(ids), 1])
    for ours, theirs in zip(cache_of(session).layers, cache.layers, strict=True):
        for one, other in zip(ours.held(), theirs.held(), strict=True):
            assert np.abs(singles(one) - singles(other)).max() < 1e-2
