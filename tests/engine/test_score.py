"""Scores of a given text next to plain NumPy on the logits of one pass."""

import math
from pathlib import Path

import numpy as np
import pytest

import engine
from engine.cache import CachePolicy
from tests.engine.checkpoints import TinyLlama, write_folder
from tests.engine.opened import tokens
from tests.engine.running import limited, singles
from tests.engine.variants import VARIANTS

TEXT = "The trophy didn't fit in the suitcase because it was too big."


def assert_scored(model: engine.Model, ids: list[int], found: engine.Score, start: int) -> None:
    logits = singles(model.logits(ids)).astype(np.float64)
    logprobs = logits - np.log(np.exp(logits).sum(axis=-1, keepdims=True))
    assert [each.position for each in found.tokens] == list(range(start, len(ids)))
    for each in found.tokens:
        row, token = logprobs[each.position - 1], ids[each.position]
        assert each.token == token
        assert each.text == model.tokenizer.piece(token)
        assert abs(each.logprob - row[token]) < 1e-3
        assert each.rank == 1 + int((row > row[token]).sum())
        assert abs(each.entropy + (np.exp(row) * row).sum()) < 1e-3
        order = np.argsort(-row)[: len(each.top)]
        assert [other.token for other in each.top] == order.tolist()
        assert np.abs(np.array([other.logprob for other in each.top]) - row[order]).max() < 1e-3
    mean = -np.mean([logprobs[at - 1, ids[at]] for at in range(start, len(ids))])
    assert abs(found.mean_nll - mean) < 1e-3


@pytest.mark.parametrize("start", [1, 6, 13])
def test_the_starter(starter: engine.Model, start: int) -> None:
    ids = starter.tokenizer.encode(TEXT)
    assert_scored(starter, ids, engine.score(starter, ids, start, top=3), start)


@pytest.mark.parametrize("name", ["llama", "qwen2, untied", "qwen3", "RoPE by layer type"])
@pytest.mark.parametrize("start", [1, 50, 89])
def test_families_in_chunks(tmp_path: Path, name: str, start: int) -> None:
    loaded = engine.load(write_folder(tmp_path, VARIANTS[name]), precision="float32")
    model, ids = limited(loaded, 1 << 30, chunk=16), tokens(90)
    assert_scored(model, ids, engine.score(model, ids, start, top=4), start)


def test_it_equals_what_was_told_while_a_reply_was_written(starter: engine.Model) -> None:
    session, prompt = starter.session(), starter.tokenizer.encode("Once upon a time")
    sampling = engine.Sampling(temperature=1.0, seed=3)
    chunks = [c for c in session.generate(prompt, sampling, 8, logprobs=4) if c.token is not None]
    found = engine.score(starter, session.tokens, len(prompt), top=4)
    assert [each.token for each in found.tokens] == [chunk.token for chunk in chunks]
    for each, chunk in zip(found.tokens, chunks, strict=True):
        assert chunk.logprob is not None
        assert abs(each.logprob - chunk.logprob) < 1e-3
        assert [a.token for a in each.top] == [a.token for a in chunk.top]
        assert [a.text for a in each.top] == [a.text for a in chunk.top]


def test_through_a_rotating_cache(tiny: engine.Model) -> None:
    """Beyond the context; what is evicted is not seen."""
    ids, policy = tokens(600), CachePolicy(window=40, pinned=4)
    with pytest.raises(engine.PromptError, match="context holds 512"):
        engine.score(tiny, ids)
    rotating = engine.score(tiny, ids, policy=policy)
    assert len(rotating.tokens) == 599
    plain = engine.score(tiny, ids[:500])
    apart = [
        abs(one.logprob - other.logprob)
        for one, other in zip(rotating.tokens, plain.tokens, strict=False)
    ]
    assert max(apart[:40]) < 1e-4 < max(apart[60:])


@pytest.mark.parametrize(
    ("ids", "start", "top", "message"),
    [
        ([1], 1, 5, "at least 2 tokens"),
        ([1, 2, 3], 0, 5, "from 1 to 2, not 0"),
        ([1, 2, 3], 3, 5, "not 3"),
        ([1, 2, 3], 1, 0, "1 to 100"),
        ([1, 999], 1, 5, "vocabulary"),
    ],
)
def test_what_cannot_be_scored_is_refused(
    tiny: engine.Model, ids: list[int], start: int, top: int, message: str
) -> None:
    with pytest.raises(engine.EngineError, match=message):
        engine.score(tiny, ids, start, top)


def test_it_tells_and_stops(tmp_path: Path) -> None:
    model = limited(engine.load(write_folder(tmp_path, TinyLlama())), 1 << 30, chunk=16)
    shares: list[float] = []
    watch = engine.Watch(cancelled=lambda: len(shares) >= 2, progress=shares.append)
    with pytest.raises(engine.CancelledError):
        engine.score(model, tokens(65), watch=watch)
    assert shares == [0.25, 0.5]
    with pytest.raises(engine.MemoryLimitError):
        engine.score(limited(model, 0), tokens(65))


def test_what_a_sampler_leaves_of_the_alternatives(starter: engine.Model) -> None:
    ids = starter.tokenizer.encode("The cat sat because it was tired.")
    sampling = engine.Sampling(temperature=0.7, top_k=3)
    for token in engine.score(starter, ids, start=2, top=6, sampling=sampling).tokens:
        assert sum(token.drawn[:3]) == pytest.approx(1.0, abs=1e-5)
        assert token.drawn[3:] == (0.0, 0.0, 0.0)
        likely = [math.exp(each.logprob / 0.7) for each in token.top[:3]]
        expected = [each / sum(likely) for each in likely]
        assert token.drawn[:3] == pytest.approx(expected, abs=1e-4)
    assert all(not token.drawn for token in engine.score(starter, ids).tokens)
