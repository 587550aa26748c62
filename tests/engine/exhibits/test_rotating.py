"""Exhibit 10: the ring and the rule, what is forgotten, a long text with and without pins."""

from dataclasses import replace

import pytest

import engine
from engine.exhibits.ring import RingStep, proven, ring_claims, ring_step, turned
from engine.exhibits.rotating import EXHIBIT, RotatingInputs, RotatingResult
from tests.engine.exhibits.watched import all_seen, by_name, measured, stops
from tests.engine.opened import tiny_model
from tests.engine.variants import VARIANTS

SMALL = RotatingInputs(
    ring_window=3, ring_pinned=2, ring_steps=24, filler="and then " * 12, window=16, tokens=64
)
RING = engine.CachePolicy(3, 2)


@pytest.fixture(scope="module")
def result(tiny: engine.Model) -> RotatingResult:
    return measured(EXHIBIT, tiny, SMALL)


def test_the_ring_on_the_starter(starter: engine.Model) -> None:
    cache = starter.decoder.new_cache(RING)
    steps = list(turned(starter, cache, RING, starter.raw_tokens("One, two, three, four")))
    last = steps[-1]
    assert last.piece == " four"
    assert last.states == ("pinned", "pinned", "unseen", "unseen", "unseen", "seen", "seen")
    assert all(claim.seen for claim in ring_claims(RING, steps, None))


def test_what_is_pinned_seen_and_overwritten(result: RotatingResult) -> None:
    ring = result.ring
    assert len(ring) == 24
    assert ring[1].states == ("pinned", "pinned")
    assert ring[4].states == ("pinned", "pinned", "unseen", "seen", "seen")
    # The ring has room for a window of 3 and a chunk of 16 behind 2 pinned tokens.
    assert [each.evicted for each in ring] == [None] * 21 + [2, 3, 4]
    assert ring[-1].out_of_sight == tuple(range(2, 22))
    assert ring[-1].slots[:5] == (0, 1, 21, 22, 23)


def test_what_left_the_window_has_no_effect(result: RotatingResult) -> None:
    claims = by_name(EXHIBIT, result)
    for name in ("bounded", "held", "unseen", "seen", "out_of_sight", "bounded_reading"):
        assert claims[name].seen, claims[name]
    assert result.ring_proof is not None
    assert result.ring_proof.unseen == 17
    assert result.ring_proof.unseen_effect == 0


def test_layers_with_windows_of_their_own_hold_tokens_in_other_slots(tiny: engine.Model) -> None:
    model = tiny_model(tiny, VARIANTS["llama, alternating"])
    ids = model.raw_tokens("Up and down. " * 4)[:41]
    policy = engine.CachePolicy(12, 4)
    cache = model.decoder.new_cache(policy)
    ring = list(turned(model, cache, policy, ids[:-1]))
    proof = proven(model, cache, policy, ring[-1], ids[-1])
    assert proof.unseen > 0
    assert proof.unseen_effect == 0
    assert proof.seen_effect > 0


def test_the_fact_is_seen_where_it_is_pinned(result: RotatingResult) -> None:
    assert [each.way for each in result.recalls] == ["everything", "window", "pinned"]
    assert [each.fact_seen for each in result.recalls] == [True, False, True]
    everything, window, pinned = result.recalls
    assert (everything.pinned, window.pinned) == (0, 4)
    assert pinned.pinned > 4
    assert everything.tokens_between > SMALL.window


def test_a_text_is_read_in_three_ways_in_turn(tiny: engine.Model) -> None:
    seen: list[list[int]] = []

    def progress(_share: float, partial: RotatingResult | None) -> None:
        if partial is not None and partial.qualities:
            seen.append([len(each.nll) for each in partial.qualities])

    found = EXHIBIT.measure(tiny, replace(SMALL, tokens=100), progress)
    assert seen[0] == [64, 0, 0]
    assert seen[-1] == [99, 99, 99]
    everything, window, _ = found.qualities
    # Until the window is full, both see the same.
    assert window.nll[:16] == pytest.approx(everything.nll[:16], abs=1e-4)
    assert everything.slots_bound is None
    assert window.slots_bound == 32


def test_an_unlimited_cache_has_no_ring() -> None:
    step = ring_step(engine.CachePolicy(), 2, "c", [0, 1, 2, -1], None)
    assert step == RingStep(2, "c", (0, 1, 2, -1), ("seen", "seen", "seen", "empty"), (), None)
    assert list(ring_claims(engine.CachePolicy(), [step], None)) == []


def test_claims_fail_where_it_is_otherwise(result: RotatingResult) -> None:
    assert result.ring_proof is not None
    everything, window, pinned = result.recalls
    full, bare, pins = result.qualities
    last = result.ring[-1]
    broken = replace(
        result,
        ring=(replace(last, slots=last.slots * 2, states=("empty",) * len(last.slots) * 2),),
        ring_proof=replace(result.ring_proof, unseen_effect=1e-6, seen_effect=0.0),
        recalls=(
            replace(everything, logprob=-2.0),
            replace(window, logprob=-2.5, fact_seen=True),
            replace(pinned, logprob=-2.0),
        ),
        qualities=(
            replace(full, late=2.0),
            replace(bare, late=2.0),
            replace(pins, late=3.0, peak_slots=99),
        ),
    )
    assert not any(claim.seen for claim in by_name(EXHIBIT, broken).values())


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"tokens": 64, "window": 90}, "must be longer than the window of 90"),
        ({"filler": "long " * 500}, "context holds 512 tokens"),
        ({"answer": "\u200b", "tokens": 600}, "context holds 512 tokens"),
    ],
)
def test_texts_that_do_not_fit(tiny: engine.Model, change: dict[str, object], said: str) -> None:
    with pytest.raises(engine.PromptError, match=said):
        EXHIBIT.measure(tiny, replace(SMALL, **change))


def test_a_text_of_ones_own(tiny: engine.Model) -> None:
    found = EXHIBIT.measure(tiny, replace(SMALL, long_text="Up and down. " * 20, ring_steps=2))
    assert found.tokens == 64


def test_stopping(tiny: engine.Model) -> None:
    stops(EXHIBIT, tiny, SMALL)


@pytest.mark.slow
def test_every_claim_is_seen_on_the_starter(starter: engine.Model) -> None:
    found = measured(EXHIBIT, starter, RotatingInputs())
    claims = all_seen(EXHIBIT, found)
    assert claims["forgotten"].measured < -8
    assert claims["pinned_remembers"].measured > -3
    assert [each.correct for each in found.recalls] == [True, False, True]
    assert claims["pins_help"].measured < claims["pins_help"].bound - 0.3
