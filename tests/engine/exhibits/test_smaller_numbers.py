"""Exhibit 13: bytes, logits and likelihood of caches at 16, 8 and 4 bits."""

from dataclasses import replace
from pathlib import Path

import mlx.core as mx
import pytest

import engine
from engine.exhibits.common import Watch, never, silent
from engine.exhibits.rounding import half_bytes, rounded_cache
from engine.exhibits.scoring import fill
from engine.exhibits.smaller_numbers import (
    EXHIBIT,
    SmallerNumbersInputs,
    SmallerNumbersResult,
)
from tests.engine.checkpoints import TinyLlama, write_folder
from tests.engine.exhibits.watched import all_seen, by_name, measured, stops


@pytest.fixture(scope="module")
def result(starter: engine.Model) -> SmallerNumbersResult:
    return measured(EXHIBIT, starter, SmallerNumbersInputs(tokens=33))


@pytest.mark.slow
def test_bytes_and_logits_on_the_starter(result: SmallerNumbersResult) -> None:
    claims = by_name(EXHIBIT, result)
    # In so short a text the likelihood itself may change either way.
    assert {name for name, claim in claims.items() if not claim.seen} <= {"four", "eight"}
    assert [width.bits for width in result.widths] == [32, 16, 8, 4]
    assert [width.rounded for width in result.widths] == [False, True, False, False]
    assert [width.bytes_per_token for width in result.widths] == [46_080, 23_040, 12_240, 6_480]
    assert [width.positions for width in result.widths] == [32] * 4


def test_the_models_own_precision_is_what_others_are_compared_with(
    result: SmallerNumbersResult,
) -> None:
    own = result.widths[0]
    assert (own.largest, own.typical, own.nll_change, own.same_tokens) == (0, 0, 0, 32)
    for width in result.widths[1:]:
        assert width.largest > width.typical > 0
        assert width.nll_change == pytest.approx(width.nll - own.nll)


def test_rounding_leaves_what_sixteen_bits_can_say(tiny: engine.Model) -> None:
    cache = rounded_cache(tiny)
    fill(tiny, cache, [1, 2, 3], 8, Watch(silent, never))
    for layer in cache.held():
        for array in (*layer.keys, *layer.values):
            assert mx.array_equal(array.astype(mx.bfloat16).astype(mx.float32), array).item()
    assert half_bytes(cache) * 2 == cache.used_bytes


def test_a_model_of_sixteen_bits_is_not_rounded(tmp_path: Path) -> None:
    folder = write_folder(tmp_path / "half", TinyLlama(head_dim=32), "bfloat16")
    model = engine.load(folder, precision="stored")
    found = measured(EXHIBIT, model, SmallerNumbersInputs(tokens=17))
    assert [width.bits for width in found.widths] == [16, 8, 4]
    assert not any(width.rounded for width in found.widths)
    claims = by_name(EXHIBIT, found)
    assert claims["formula"].seen
    assert "half" not in claims
    assert "rounded" not in {note.name for note in found.notes}


def test_a_text_of_ones_own(tiny: engine.Model) -> None:
    found = EXHIBIT.measure(tiny, SmallerNumbersInputs(tokens=40, text="Up and down."))
    assert found.tokens == len(tiny.raw_tokens("Up and down.")) - 1
    with pytest.raises(engine.PromptError, match="at least 2 tokens"):
        EXHIBIT.measure(tiny, SmallerNumbersInputs(text="U"))
    with pytest.raises(engine.PromptError, match="context holds 512"):
        EXHIBIT.measure(tiny, SmallerNumbersInputs(tokens=600))


def test_claims_fail_where_it_is_otherwise(result: SmallerNumbersResult) -> None:
    own, half, eight, four = result.widths
    wrong = [
        own,
        replace(half, nll_change=0.2, typical=1.0, used_bytes=100),
        replace(eight, nll_change=-0.2, nll=3.0, typical=0.5, used_bytes=90),
        replace(four, nll=3.0, typical=0.4, used_bytes=80),
    ]
    claims = by_name(EXHIBIT, replace(result, widths=tuple(wrong)))
    assert not any(claim.seen for claim in claims.values())


def test_stopping(tiny: engine.Model) -> None:
    stops(EXHIBIT, tiny, SmallerNumbersInputs(tokens=40))


@pytest.mark.slow
def test_every_claim_is_seen_on_the_starter(starter: engine.Model) -> None:
    found = measured(EXHIBIT, starter, SmallerNumbersInputs())
    claims = all_seen(EXHIBIT, found)
    assert claims["eight"].measured < 0.02
    assert claims["half"].measured < 0.01
