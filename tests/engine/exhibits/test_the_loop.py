"""Exhibit 1: the loop by hand against a session, and the same ids by two ways."""

from dataclasses import replace

import pytest

import engine
from engine.exhibits.the_loop import EXHIBIT, TheLoopInputs, TheLoopResult
from tests.engine.exhibits.watched import all_seen, by_name, measured, stops

CLAIMS = {"sums", "by_hand", "one_token", "only_ids", "other_ids"}


@pytest.fixture(scope="module")
def result(starter: engine.Model) -> TheLoopResult:
    return measured(EXHIBIT, starter, TheLoopInputs(steps=6))


@pytest.mark.slow
def test_every_claim_is_seen_on_the_starter(result: TheLoopResult) -> None:
    claims = all_seen(EXHIBIT, result)
    assert set(claims) == CLAIMS
    assert claims["sums"].bound < 0.004
    assert claims["other_ids"].measured > 40_000


def test_each_step_takes_in_what_the_last_one_left(result: TheLoopResult) -> None:
    assert len(result.steps) == 6
    sequence = list(result.prompt_ids)
    assert "".join(result.prompt_pieces) == result.inputs.prompt
    for step in result.steps:
        assert list(step.ids) == sequence
        assert result.text.startswith(step.text)
        assert len(step.top) == 10
        assert [each.probability for each in step.top] == sorted(
            (each.probability for each in step.top), reverse=True
        )
        if step.rank < 10:
            assert step.top[step.rank] == step.chosen
        assert step.entropy > 0
        sequence.append(step.chosen.token)
    assert result.text.startswith("Once upon a time, there was a ")
    assert result.same_ids is not None
    assert result.same_ids.ids == len(sequence)
    assert result.same_ids.logits == result.vocabulary == 49_152


def test_every_step_is_reported_as_it_is_done(tiny: engine.Model) -> None:
    seen: list[int] = []

    def progress(_share: float, partial: TheLoopResult | None) -> None:
        if partial is not None and partial.greedy is None:
            seen.append(len(partial.steps))

    found = EXHIBIT.measure(tiny, TheLoopInputs(steps=5), progress)
    assert seen == list(range(1, len(found.steps) + 1))


def test_at_temperature_0_the_loop_is_what_a_session_writes(tiny: engine.Model) -> None:
    found = measured(EXHIBIT, tiny, TheLoopInputs(temperature=0, steps=8))
    claims = all_seen(EXHIBIT, found)
    assert set(claims) == CLAIMS | {"most_likely"}
    assert found.greedy.by_hand == tuple(step.chosen.token for step in found.steps)
    assert all(step.chosen.drawn_with == 1 for step in found.steps)
    assert "chance" not in {note.name for note in found.notes}


def test_it_stops_where_the_model_ends_the_text(tiny: engine.Model) -> None:
    end = TheLoopInputs(temperature=5.0, steps=64)
    runs = (EXHIBIT.measure(tiny, replace(end, seed=seed)) for seed in range(12))
    ended = next(found for found in runs if found.ended)
    assert len(ended.steps) < 64
    assert ended.steps[-1].chosen.token in tiny.end_ids


def test_claims_fail_where_it_is_otherwise(result: TheLoopResult) -> None:
    assert result.greedy is not None
    assert result.same_ids is not None
    step = replace(result.steps[0], total=1.1, rank=1)
    broken = replace(
        result,
        inputs=TheLoopInputs(temperature=0),
        steps=(step,),
        greedy=replace(result.greedy, session=result.greedy.by_hand[1:], uneven=1),
        same_ids=replace(result.same_ids, differing=1, other_differing=0),
    )
    claims = by_name(EXHIBIT, broken)
    assert set(claims) == CLAIMS | {"most_likely"}
    assert not any(claim.seen for claim in claims.values())


def test_prompts_that_cannot_be_run(tiny: engine.Model) -> None:
    with pytest.raises(engine.PromptError, match=r"This exhibit runs 1 to 256"):
        EXHIBIT.measure(tiny, TheLoopInputs(prompt="x" * 400))


def test_stopping(tiny: engine.Model) -> None:
    stops(EXHIBIT, tiny, TheLoopInputs())
