"""Exhibit 4: grids, one head followed, and all heads looked through."""

from dataclasses import replace

import numpy as np
import pytest

import engine
from engine.exhibits.attending import EXHIBIT, AttendingInputs, AttendingResult
from tests.engine.exhibits.watched import all_seen, by_name, measured, stops
from tests.engine.opened import tiny_model
from tests.engine.variants import VARIANTS

CLAIMS = {"rows", "no_future", "softmax", "sum_of_values"}


@pytest.fixture(scope="module")
def result(starter: engine.Model) -> AttendingResult:
    return measured(EXHIBIT, starter, AttendingInputs())


def test_every_claim_is_seen_on_the_starter(result: AttendingResult) -> None:
    claims = all_seen(EXHIBIT, result)
    assert set(claims) == CLAIMS
    assert claims["rows"].bound < 1e-5
    assert claims["sum_of_values"].bound < 1e-3


def test_it_is_the_pronoun_that_looks(starter: engine.Model, result: AttendingResult) -> None:
    assert result.pieces[result.position] == " it"
    cat = EXHIBIT.measure(starter, AttendingInputs(sentence="cat"))
    assert cat.pieces[cat.position] == " it"
    assert cat.mean_look.first_weight > 0
    followed = cat.heads[8].look
    assert followed.earlier is not None
    assert cat.pieces[followed.earlier] == " cat"
    assert followed.earlier_weight > 0.5


def test_heads_stand_side_by_side(result: AttendingResult) -> None:
    assert [head.head for head in result.heads] == list(range(9))
    assert [head.kv_head for head in result.heads] == [0, 0, 0, 1, 1, 1, 2, 2, 2]
    grids = np.array([head.weights for head in result.heads])
    assert grids.shape == (9, 15, 15)
    assert np.abs(grids.mean(axis=0) - np.array(result.mean)).max() < 1e-6
    for head in result.heads:
        row = head.weights[result.position]
        assert head.look.most_weight == max(row) == row[head.look.most]
        assert head.look.earlier is not None
        assert 0 < head.look.earlier < result.position
        assert head.look.earlier_weight == max(row[1 : result.position])


def test_one_head_is_followed(result: AttendingResult) -> None:
    found = result.followed
    assert found is not None
    assert [met.position for met in found.met] == list(range(result.position + 1))
    assert sum(met.weight for met in found.met) == pytest.approx(1, abs=1e-6)
    for met in found.met:
        assert met.score == pytest.approx(met.product / 8, abs=1e-4)
        assert met.weight == pytest.approx(result.heads[8].weights[result.position][met.position])
        assert met.brings == pytest.approx(met.weight * met.value_norm)
    assert len(found.query) == len(found.output) == 4
    assert found.added > 0
    # Heads add up to what the layer adds, so none alone tells how much that is.
    assert found.layer_adds > 0


def test_links_are_counted_over_all_layers(starter: engine.Model, result: AttendingResult) -> None:
    links = result.links
    assert links is not None
    assert links.heads == 30 * 9
    assert 30 < links.first_most < links.heads
    assert sum(link.heads for link in links.each) == links.heads
    assert {link.position for link in links.each} == set(range(1, result.position))
    trophy = next(link for link in links.each if link.piece == " trophy")
    ids = starter.raw_tokens(result.text)
    heads = engine.attention(starter, ids, trophy.layer, [trophy.head])
    assert heads[0, result.position, trophy.position] == pytest.approx(trophy.weight, abs=1e-5)
    assert trophy.weight > 0.4


@pytest.mark.parametrize("name", ["qwen3, biases", "mistral, sliding", "llama"])
def test_other_families(tiny: engine.Model, name: str) -> None:
    model = tiny_model(tiny, VARIANTS[name])
    own = AttendingInputs(sentence="own", own="Look at this again and again", beside=1)
    found = measured(EXHIBIT, model, own)
    all_seen(EXHIBIT, found)
    assert (found.layer, [head.head for head in found.heads]) == (1, [0, 3])
    assert found.position == len(found.pieces) - 1


def test_the_first_token_sees_itself_alone(tiny: engine.Model) -> None:
    found = measured(EXHIBIT, tiny, AttendingInputs(position=0))
    all_seen(EXHIBIT, found)
    assert found.links is None
    assert (found.mean_look.earlier, found.mean_look.own_weight) == (None, 1.0)
    last = EXHIBIT.measure(tiny, AttendingInputs(sentence="own", own="Oh", position=4000))
    assert (last.position, last.head) == (len(last.pieces) - 1, 3)
    second = EXHIBIT.measure(tiny, AttendingInputs(position=1))
    assert second.links is not None
    assert second.links.each == ()


def test_claims_fail_where_it_is_otherwise(result: AttendingResult) -> None:
    assert result.followed is not None
    backwards = tuple(row[::-1] for row in result.mean)
    broken = replace(
        result,
        mean=(*backwards[1:], (2.0,) * len(backwards)),
        followed=replace(result.followed, sum_differs=0.1, softmax_differs=0.1),
    )
    claims = by_name(EXHIBIT, broken)
    assert set(claims) == CLAIMS
    assert not any(claim.seen for claim in claims.values())


def test_what_cannot_be_shown(tiny: engine.Model) -> None:
    with pytest.raises(engine.PromptError, match="runs 1 to 64"):
        EXHIBIT.measure(tiny, AttendingInputs(sentence="own", own="x" * 90))


def test_stopping(tiny: engine.Model) -> None:
    stops(EXHIBIT, tiny, AttendingInputs())
