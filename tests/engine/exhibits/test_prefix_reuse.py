"""Exhibit 11: what is reused, where it stops, and that replies are not kept."""

from dataclasses import replace
from pathlib import Path

import pytest

import engine
from engine.exhibits.prefix_reuse import EXHIBIT, PrefixReuseInputs, PrefixReuseResult, Timed
from engine.zoo_config import older_style
from tests.engine.exhibits.watched import all_seen, by_name, measured, stops
from tests.engine.zoo_checkpoints import ZOO, build, write_zoo

SHORT = PrefixReuseInputs(
    first="Once upon a time a robin sat on a spade and sang.",
    second="Once upon a time a robot sat on a wall and slept. It was",
    rounds=1,
    reply=2,
    temperature=2.0,
)


@pytest.fixture(scope="module")
def result(starter: engine.Model) -> PrefixReuseResult:
    return measured(EXHIBIT, starter, SHORT)


def test_every_claim_is_seen_on_the_starter(result: PrefixReuseResult) -> None:
    claims = all_seen(EXHIBIT, result)
    assert set(claims) == {
        "reused", "prefilled", "same_reply", "all_reused", "same_seed", "other_seed",
    }  # fmt: skip
    assert result.timed is not None
    assert result.timed.with_best_s == min(result.timed.with_reuse_s)
    assert result.timed.without_best_s == min(result.timed.without_s)


def test_time_is_claimed_to_be_saved_where_much_is_reused(result: PrefixReuseResult) -> None:
    shared = replace(result.shared, reused_tokens=100, prefilled_tokens=10, second_tokens=110)
    much = replace(result, shared=shared, timed=Timed((1.0,), (2.0,), 1.0, 2.0))
    assert by_name(EXHIBIT, much)["sooner"].seen
    later = replace(much, timed=Timed((2.0,), (1.0,), 2.0, 1.0))
    assert not by_name(EXHIBIT, later)["sooner"].seen
    mostly_new = replace(much, shared=replace(shared, prefilled_tokens=101))
    assert "sooner" not in by_name(EXHIBIT, mostly_new)


def test_reuse_stops_at_the_first_token_that_differs(result: PrefixReuseResult) -> None:
    shared = result.shared
    assert (shared.last_common, shared.held_piece, shared.new_piece) == (" a", " rob", " robot")
    assert shared.common_tokens == shared.reused_tokens == 5
    assert shared.common_characters == len("Once upon a time a rob")
    assert shared.reason == "Token 6 differs: ' rob' was held, the prompt has ' robot'."


def test_the_reply_is_the_same_but_for_rounding(result: PrefixReuseResult) -> None:
    same = result.same_reply
    assert same is not None
    assert same.with_reuse == same.without
    assert 0 <= same.largest < 1e-3


def test_the_same_prompt_is_reused_and_answered_anew(result: PrefixReuseResult) -> None:
    one, again, other = result.seeded
    assert (one.seed, again.seed, other.seed) == (1, 1, 2)
    assert one.reply == again.reply != other.reply
    assert other.reused_tokens == other.prompt_tokens - 1


def test_what_is_shared_is_told_before_anything_is_run(tiny: engine.Model) -> None:
    told: list[PrefixReuseResult] = []

    def progress(_share: float, partial: object) -> None:
        if isinstance(partial, PrefixReuseResult):
            told.append(partial)

    found = EXHIBIT.measure(tiny, SHORT, progress)
    begun = told[0]
    assert begun.shared.reused_tokens is None
    assert begun.shared.common_tokens == found.shared.common_tokens
    assert begun.shared.new_piece == found.shared.new_piece
    assert EXHIBIT.claims(begun) == ()
    reused = next(each for each in told if each.shared.reused_tokens is not None)
    assert reused.timed is None
    assert set(by_name(EXHIBIT, reused)) == {"reused", "prefilled"}


def test_one_prompt_begins_the_other(tiny: engine.Model) -> None:
    inputs = replace(SHORT, first="Once", second="Once upon")
    found = EXHIBIT.measure(tiny, inputs).shared
    assert found.held_piece == ""
    assert found.new_piece != ""
    assert found.reused_tokens == found.first_tokens


def test_nothing_in_common_and_all_in_common(tiny: engine.Model) -> None:
    apart = EXHIBIT.measure(tiny, replace(SHORT, first="xyz", second="abc"))
    assert (apart.shared.reused_tokens, apart.shared.last_common) == (0, "")
    alike = EXHIBIT.measure(tiny, replace(SHORT, second=SHORT.first, temperature=0.0))
    claims = by_name(EXHIBIT, alike)
    assert claims["reused"].seen
    assert claims["reused"].bound == alike.shared.second_tokens - 1
    assert "other_seed" not in claims
    assert alike.seeded[0].ids == alike.seeded[2].ids


def test_claims_fail_where_it_is_otherwise(result: PrefixReuseResult) -> None:
    assert result.timed is not None
    assert result.same_reply is not None
    one, _, other = result.seeded
    broken = replace(
        result,
        shared=replace(result.shared, reused_tokens=4, prefilled_tokens=3),
        timed=replace(result.timed, with_best_s=2.0, without_best_s=1.0),
        same_reply=replace(result.same_reply, same_tokens=1),
        seeded=(replace(one, reused_tokens=3), other, one),
    )
    assert not any(claim.seen for claim in by_name(EXHIBIT, broken).values())


def test_stopping(tiny: engine.Model) -> None:
    stops(EXHIBIT, tiny, SHORT)


@pytest.mark.slow
def test_a_state_that_cannot_go_back_is_said(tmp_path: Path) -> None:
    raw = ZOO["mamba2"]
    model = engine.load(write_zoo(tmp_path, raw, build(older_style(raw))))
    found = measured(EXHIBIT, model, SHORT)
    assert not by_name(EXHIBIT, found)["reused"].seen
    assert "runs_through_mlx_lm" in {note.name for note in found.notes}


@pytest.mark.slow
def test_the_exhibit_as_it_opens(starter: engine.Model) -> None:
    found = measured(EXHIBIT, starter, PrefixReuseInputs())
    all_seen(EXHIBIT, found, timed=["sooner"])
    assert found.shared.reused_tokens > 150
