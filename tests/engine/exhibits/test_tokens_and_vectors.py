"""Exhibit 2: tokens, their vectors, their neighbours, spellings and languages."""

from dataclasses import replace

import numpy as np
import pytest

import engine
from engine.exhibits.spellings import spell, spelling_claims
from engine.exhibits.tokens_and_vectors import (
    EXHIBIT,
    TokensAndVectorsInputs,
    TokensAndVectorsResult,
)
from tests.engine.exhibits.watched import all_seen, by_name, measured, stops

CLAIMS = {
    "round_trip", "bytes", "languages", "one_vector", "nearest", "different_ids", "related",
}  # fmt: skip


@pytest.fixture(scope="module")
def result(starter: engine.Model) -> TokensAndVectorsResult:
    return measured(EXHIBIT, starter, TokensAndVectorsInputs())


def test_every_claim_is_seen_on_the_starter(result: TokensAndVectorsResult) -> None:
    claims = all_seen(EXHIBIT, result)
    assert set(claims) == CLAIMS
    assert claims["nearest"].measured > 0.4
    assert claims["related"].measured > claims["related"].bound + 0.2
    assert claims["different_ids"].measured == 5


def test_tokens_and_their_vectors(starter: engine.Model, result: TokensAndVectorsResult) -> None:
    assert "".join(token.piece for token in result.tokens) == result.inputs.sentence
    assert [token.piece for token in result.tokens][:3] == ["The", " cat", " sat"]
    assert result.tokens[1].hex == "20 63 61 74"
    for token in result.tokens[1:3]:
        vector = engine.neighbours(starter, token.token, 0).vector
        assert token.norm == pytest.approx(float(np.linalg.norm(vector)))
        assert token.first == tuple(map(float, vector[:6]))


def test_the_nearest_of_a_cat(result: TokensAndVectorsResult) -> None:
    near = result.near
    assert near is not None
    assert (near.piece, near.width, near.vocabulary, near.tied) == (" cat", 576, 49_152, True)
    assert [each.text for each in near.nearest][:3] == [" Cat", "Cat", "cat"]
    assert len(near.nearest) == 10
    assert near.chance.samples == 512


def test_spellings(starter: engine.Model, result: TokensAndVectorsResult) -> None:
    found = result.spellings
    assert found is not None
    assert [each.text for each in found.each] == [" cat", "cat", " Cat", "Cat", "CAT"]
    assert found.single == (0, 1, 2, 3, 4)
    cosines = np.array(found.cosines)
    assert np.abs(np.diag(cosines) - 1).max() < 1e-5
    assert np.abs(cosines - cosines.T).max() < 1e-6
    nearest = engine.neighbours(starter, found.each[0].ids[0]).nearest
    assert cosines[0][1] == pytest.approx(
        next(each.cosine for each in nearest if each.text == "cat"), abs=1e-5
    )


def test_spellings_of_several_tokens_have_no_vector(starter: engine.Model) -> None:
    some = spell(starter, "Paris")
    assert [some.each[at].text for at in some.single] == [" Paris", "Paris"]
    assert len(some.cosines) == 2
    none = spell(starter, "xqzjv")
    assert none.chance is None
    assert [claim.name for claim in spelling_claims(none)] == ["different_ids"]


def test_languages(result: TokensAndVectorsResult) -> None:
    english, other = result.languages
    assert (english.bytes, english.characters, other.bytes, other.characters) == (63, 63, 57, 19)
    assert english.bytes_per_token == pytest.approx(63 / len(english.pieces))
    assert other.characters_per_token < 1 < english.characters_per_token


def test_all_characters_come_back(tiny: engine.Model) -> None:
    found = measured(EXHIBIT, tiny, TokensAndVectorsInputs(sentence="naïve 🐈\t人\n", position=0))
    assert (found.changed, found.foreign_bytes) == (0, 0)


def test_claims_fail_where_it_is_otherwise(result: TokensAndVectorsResult) -> None:
    assert result.near is not None
    assert result.spellings is not None
    assert result.spellings.chance is not None
    spellings = replace(
        result.spellings,
        each=result.spellings.each[:1] * 5,
        chance=replace(result.spellings.chance, mean=0.9),
    )
    near = replace(result.near, differing=1, chance=replace(result.near.chance, few=0.9))
    broken = replace(
        result,
        changed=1,
        foreign_bytes=1,
        near=near,
        spellings=spellings,
        languages=result.languages[::-1],
    )
    claims = by_name(EXHIBIT, broken)
    assert set(claims) == CLAIMS
    assert not any(claim.seen for claim in claims.values())


def test_what_cannot_be_shown(tiny: engine.Model) -> None:
    with pytest.raises(engine.PromptError, match="shows 1 to 256"):
        EXHIBIT.measure(tiny, TokensAndVectorsInputs(sentence="x" * 300))


def test_a_text_of_one_token(tiny: engine.Model) -> None:
    found = EXHIBIT.measure(tiny, TokensAndVectorsInputs(sentence="x", position=4000))
    assert found.near is not None
    assert found.near.piece == "x"


def test_stopping(tiny: engine.Model) -> None:
    stops(EXHIBIT, tiny, TokensAndVectorsInputs())
