"""Exhibit 5: later words change nothing with the mask, and something without."""

from dataclasses import replace

import numpy as np
import pytest

import engine
from engine.exhibits.causal_mask import EXHIBIT, CausalMaskInputs, CausalMaskResult
from tests.engine.exhibits.watched import all_seen, by_name, measured, stops
from tests.engine.opened import tiny_model
from tests.engine.variants import VARIANTS

CLAIMS = {"no_future", "nothing_changes", "sees_future", "leaks", "alone"}


@pytest.fixture(scope="module")
def result(starter: engine.Model) -> CausalMaskResult:
    return measured(EXHIBIT, starter, CausalMaskInputs())


def test_every_claim_is_seen_on_the_starter(result: CausalMaskResult) -> None:
    claims = all_seen(EXHIBIT, result)
    assert set(claims) == CLAIMS
    assert claims["alone"].bound < 0.002
    assert claims["leaks"].measured > 1
    assert claims["sees_future"].measured > 0.05
    assert result.alone_differs is not None
    assert result.alone_differs < 1e-3


def test_what_is_said_at_the_last_shared_token(result: CausalMaskResult) -> None:
    assert result.pieces[: result.shared] == ("The", " bank", " was")
    assert len(result.pieces) == len(result.other_pieces)
    assert result.masked.first.top == result.masked.second.top
    assert (result.masked.moved, result.masked.top_changed) == (0, False)
    assert (result.masked.first.next_piece, result.masked.second.next_piece) == (
        " steep",
        " closed",
    )
    assert result.unmasked is not None
    assert result.unmasked.moved > 0.1
    # The word that really follows is given away to some extent.
    assert result.unmasked.second.next_probability > result.masked.second.next_probability
    assert len(result.unmasked.differences) == result.shared == 3


def test_the_grid_is_a_triangle_with_the_mask_only(result: CausalMaskResult) -> None:
    assert result.unmasked is not None
    for seen, is_triangle in ((result.masked, True), (result.unmasked, False)):
        weights = np.array(seen.weights)
        assert weights.shape == (len(result.pieces),) * 2
        assert np.abs(weights.sum(axis=1) - 1).max() < 1e-5
        assert (np.triu(weights, k=1) == 0).all() == is_triangle


@pytest.mark.parametrize("name", ["mistral, sliding", "qwen3"])
def test_other_families(tiny: engine.Model, name: str) -> None:
    found = measured(EXHIBIT, tiny_model(tiny, VARIANTS[name]), CausalMaskInputs(layer=1))
    all_seen(EXHIBIT, found)
    windows = any(note.name == "windows" for note in found.notes)
    assert windows == (name == "mistral, sliding")


def test_claims_fail_where_it_is_otherwise(result: CausalMaskResult) -> None:
    assert result.unmasked is not None
    swapped = replace(result, masked=result.unmasked, unmasked=result.masked, alone_differs=20.0)
    claims = by_name(EXHIBIT, swapped)
    assert set(claims) == CLAIMS
    assert not any(claim.seen for claim in claims.values())


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"other_ending": CausalMaskInputs().ending}, "change an ending"),
        ({"other_ending": CausalMaskInputs().ending + "!"}, "change an ending"),
        ({"beginning": " ", "ending": "ab", "other_ending": "x" * 99}, "runs 2 to 96"),
    ],
)
def test_texts_that_cannot_be_compared(
    tiny: engine.Model, change: dict[str, str], said: str
) -> None:
    with pytest.raises(engine.PromptError, match=said):
        EXHIBIT.measure(tiny, replace(CausalMaskInputs(), **change))


def test_a_beginning_that_is_no_token_of_its_own(starter: engine.Model) -> None:
    inputs = CausalMaskInputs(beginning="s", ending="team is up", other_ending="and is down")
    with pytest.raises(engine.PromptError, match="lengthen the beginning"):
        EXHIBIT.measure(starter, inputs)


def test_no_such_layer(tiny: engine.Model) -> None:
    with pytest.raises(engine.SettingError, match="layers"):
        EXHIBIT.measure(tiny, CausalMaskInputs(layer=2))


def test_stopping(tiny: engine.Model) -> None:
    stops(EXHIBIT, tiny, CausalMaskInputs())
