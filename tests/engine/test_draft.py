"""Drafts next to the plain reference: what is told after every token, whatever came before."""

import math

import numpy as np
import pytest

import engine
from engine.draft import Draft
from tests.engine.running import singles

TEXT = [5, 9, 30, 41, 7, 7, 7, 100, 3, 12, 80]
SCHEMA = {"enum": [{"a": True}, {"a": False}]}


def assert_told(model: engine.Model, draft: Draft) -> None:
    """Every number of a draft equals that of one pass over its tokens."""
    logits = singles(model.logits(draft.tokens)).astype(np.float64)
    logprobs = logits - np.log(np.exp(logits).sum(axis=-1, keepdims=True))
    told = draft.told
    assert told[0] is None
    for position in range(1, len(told)):
        each, row = told[position], logprobs[position - 1]
        assert each is not None
        token = draft.tokens[position]
        assert abs(each.logprob - row[token]) < 1e-3
        assert each.rank == 1 + int((row > row[token]).sum())
        assert abs(each.entropy + (np.exp(row) * row).sum()) < 1e-3
    size = model.tokenizer.vocab_size
    for position in (0, len(told) // 2, len(told) - 1):
        after = singles(draft.logits(position))
        assert np.abs(after - logits[position][:size]).max() < 1e-3


def test_a_text_is_followed_through_every_change(tiny: engine.Model) -> None:
    draft = Draft(tiny)
    assert draft.follow(TEXT) == len(TEXT)
    assert_told(tiny, draft)
    assert draft.follow(TEXT) == 0
    assert draft.follow([*TEXT, 17]) == 1
    assert_told(tiny, draft)
    assert draft.follow(TEXT[:6]) == 0  # what is taken back costs nothing
    assert_told(tiny, draft)
    assert draft.follow([*TEXT[:3], 99, 98, 97]) == 3
    assert_told(tiny, draft)
    assert draft.follow([1, 2, 3]) == 3
    assert_told(tiny, draft)
    assert draft.computed == len(TEXT) + 1 + 3 + 3


def test_a_long_text_comes_in_chunks(tiny: engine.Model) -> None:
    draft, shares = Draft(tiny), list[float]()
    ids = [(7 * n) % 250 + 3 for n in range(300)]
    before = tiny.common.chunk_size.tokens
    tiny.common.chunk_size.tokens = 64
    try:
        draft.follow(ids, engine.Watch(progress=shares.append))
    finally:
        tiny.common.chunk_size.tokens = before
    assert len(shares) == 5
    assert shares[-1] == 1
    assert_told(tiny, draft)


def test_stopped_in_the_middle_it_goes_on_from_there(tiny: engine.Model) -> None:
    draft = Draft(tiny)
    ids = [(7 * n) % 250 + 3 for n in range(100)]
    before = tiny.common.chunk_size.tokens
    tiny.common.chunk_size.tokens = 32
    try:
        with pytest.raises(engine.CancelledError):
            draft.follow(ids, engine.Watch(cancelled=lambda: len(draft.tokens) > 40))
        assert 40 < len(draft.tokens) < 100
        held = len(draft.tokens)
        assert draft.follow(ids) == 100 - held
    finally:
        tiny.common.chunk_size.tokens = before
    assert_told(tiny, draft)


def test_stages_are_those_of_a_reply(tiny: engine.Model) -> None:
    draft = Draft(tiny)
    draft.follow(TEXT)
    sampling = engine.Sampling(temperature=0.7, top_k=20, top_p=0.9, repetition_penalty=1.3)
    found = draft.stages(6, sampling)
    wanted = tiny.limiter.stages(tiny.logits(TEXT)[6], sampling, TEXT[:7])
    assert [stage.name for stage in found] == [stage.name for stage in wanted]
    for mine, theirs in zip(found, wanted, strict=True):
        assert mine.removed.tolist() == theirs.removed.tolist()
    left = np.exp(found[-1].logprobs.astype(np.float64))
    assert abs(left.sum() - 1) < 1e-5
    assert (left > 0).sum() <= 20
    told = draft.entropy(6)
    first = found[0].logprobs.astype(np.float64)
    assert abs(told + (np.exp(first) * first).sum()) < 1e-3


def test_a_seed_draws_the_same_in_steps_and_in_runs(tiny: engine.Model) -> None:
    sampling = engine.Sampling(temperature=1.0, seed=7)
    run = Draft(tiny)
    run.follow(TEXT)
    writer = run.writer(sampling)
    drawn = [writer.write() for _ in range(6)]
    steps = Draft(tiny)
    steps.follow(TEXT)
    assert [steps.writer(sampling).write() for _ in range(6)] == drawn
    assert len(set(drawn)) > 1
    assert run.computed == len(TEXT) + 6
    assert_told(tiny, run)


def test_greedy_takes_the_most_likely(tiny: engine.Model) -> None:
    draft = Draft(tiny)
    draft.follow(TEXT)
    token = draft.writer(engine.Sampling(temperature=0)).write()
    assert token == int(np.argmax(singles(tiny.logits(TEXT))[-1]))
    told = draft.told[-1]
    assert told is not None
    assert told.rank == 1
    assert 0 < math.exp(told.logprob) <= 1


def test_a_schema_limits_what_is_drawn(tiny: engine.Model) -> None:
    draft = Draft(tiny)
    draft.follow(TEXT)
    start = len(TEXT)
    sampling = engine.Sampling(temperature=1.0, seed=3)
    allowed = draft.stages(start - 1, sampling, SCHEMA, start)[1]
    assert allowed.name == "allowed"
    writer = draft.writer(sampling, SCHEMA, start)
    while not writer.finished and draft.tokens[-1] not in draft.end_ids:
        draft.stages(len(draft.tokens) - 1, sampling, SCHEMA, start)
        writer.write()
    text = tiny.tokenizer.decode(draft.tokens[start:])
    assert text.replace(" ", "").replace("\n", "") in {'{"a":true}', '{"a":false}'}
    with pytest.raises(engine.SettingError, match="does not keep to the schema"):
        draft.writer(sampling, SCHEMA, 0)


def test_what_cannot_be_is_refused_in_a_sentence(tiny: engine.Model) -> None:
    draft = Draft(tiny)
    with pytest.raises(engine.PromptError, match="write something first"):
        draft.follow([])
    with pytest.raises(engine.PromptError, match="shorten it"):
        draft.follow([5] * 513)
    draft.follow([5] * 512)
    with pytest.raises(engine.PromptError, match="context is full"):
        draft.writer(engine.Sampling()).write()
    with pytest.raises(engine.SettingError, match="no token 513"):
        draft.logits(512)


def test_the_starter_says_what_a_score_says(starter: engine.Model) -> None:
    ids = starter.tokenizer.encode("The trophy didn't fit in the suitcase.")
    draft = Draft(starter)
    draft.follow(ids[:4])
    draft.follow(ids)
    for each in engine.score(starter, ids).tokens:
        told = draft.told[each.position]
        assert told is not None
        assert told.rank == each.rank
        assert abs(told.logprob - each.logprob) < 1e-3
        assert abs(told.entropy - each.entropy) < 1e-3
