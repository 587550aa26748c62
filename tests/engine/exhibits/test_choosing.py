"""Exhibit 12: distributions before and after each step, and draws held against them."""

from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest

import engine
from engine.exhibits.choosing import EXHIBIT, ChoosingInputs, ChoosingResult
from engine.exhibits.draws import total_variation
from tests.engine.exhibits.watched import all_seen, by_name, measured, stops


@pytest.fixture(scope="module")
def result(starter: engine.Model) -> ChoosingResult:
    return measured(EXHIBIT, starter, ChoosingInputs(top_k=50))


def test_every_claim_is_seen_on_the_starter(result: ChoosingResult) -> None:
    claims = all_seen(EXHIBIT, result)
    assert set(claims) == {
        "sums", "order", "top_k", "fewer", "temperature", "possible", "histogram", "same_seed",
        "other_seed",
    }  # fmt: skip
    assert claims["histogram"].bound < 0.3
    assert claims["sums"].bound < 0.003


def test_each_step_is_shown(result: ChoosingResult) -> None:
    assert [stage.name for stage in result.stages] == [
        "model", "top_k", "top_p", "min_p", "temperature",
    ]  # fmt: skip
    kept = [stage.kept for stage in result.stages]
    assert kept[:2] == [49_152, 50]
    assert [stage.removed for stage in result.stages] == [
        0, *(before - after for before, after in pairwise(kept))
    ]  # fmt: skip
    assert len(result.stages[0].top) == 20


def test_the_histogram_counts_every_draw(result: ChoosingResult) -> None:
    draws = result.draws
    assert draws is not None
    assert sum(bar.drawn for bar in draws.bars) == draws.samples == len(draws.tokens) == 100
    assert sum(bar.expected for bar in draws.bars) == pytest.approx(100, abs=0.1)


def test_at_temperature_0_all_draws_are_one_token(tiny: engine.Model) -> None:
    found = measured(EXHIBIT, tiny, ChoosingInputs(temperature=0, samples=30))
    claims = all_seen(EXHIBIT, found)
    assert "greedy" in claims
    assert "temperature" not in claims
    assert found.draws is not None
    assert len(set(found.draws.tokens)) == 1
    assert found.stages[-1].kept == 1
    assert found.stages[-1].entropy == 0
    assert "greedy" in {note.name for note in found.notes}


def test_a_high_temperature_widens(tiny: engine.Model) -> None:
    found = EXHIBIT.measure(tiny, ChoosingInputs(temperature=2, top_p=1, min_p=0))
    assert [stage.name for stage in found.stages] == ["model", "temperature"]
    claim = by_name(EXHIBIT, found)["temperature"]
    assert claim.relation == "≥"
    assert claim.seen


def test_total_variation_and_its_bound() -> None:
    even = np.array([0.25, 0.25, 0.25, 0.25])
    assert total_variation([0, 1, 2, 3], even)[0] == 0
    distance, bound = total_variation([0] * 400, even)
    assert distance == pytest.approx(0.75)
    # ½ × 4 × √(¼ × ¾ / 400) + √(ln 1000 / 800)
    assert bound == pytest.approx(0.0433 + 0.0929, abs=1e-4)


def test_a_right_sampler_keeps_within_the_bound_and_a_wrong_one_does_not() -> None:
    generator = np.random.default_rng(7)
    right = np.array([0.5, 0.3, 0.15, 0.05])
    wrong = np.array([0.05, 0.3, 0.15, 0.5])
    held = [
        [
            distance <= bound
            for distance, bound in (
                total_variation(generator.choice(4, 100, p=drawn).tolist(), right)
                for _ in range(200)
            )
        ]
        for drawn in (right, wrong)
    ]
    assert all(held[0])
    assert not any(held[1])


def test_claims_fail_where_it_is_otherwise(result: ChoosingResult) -> None:
    assert result.draws is not None
    *rest, last = result.stages
    upside_down = replace(last, top=last.top[::-1], total=0.5, kept=60, entropy=9.0)
    top_k = replace(rest[1], kept=55)
    broken = replace(
        result,
        stages=(rest[0], top_k, *rest[2:], upside_down),
        draws=replace(
            result.draws, distance=0.9, impossible=1, same_seed_differs=1, other_seed_differs=0
        ),
    )
    assert not any(claim.seen for claim in by_name(EXHIBIT, broken).values())


def test_stopping(tiny: engine.Model) -> None:
    stops(EXHIBIT, tiny, ChoosingInputs())
