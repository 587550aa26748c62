"""Replies: how they stream, when they end, what they report."""

import math
import shutil
import threading
from dataclasses import replace
from pathlib import Path
from typing import cast

import mlx.core as mx
import numpy as np
import pytest
from typing_extensions import override

import engine
from engine.prefill import ChunkSize
from tests.engine.checkpoints import TinyLlama, write_folder
from tests.engine.running import cache_of, ids_of, most_likely, singles, text_of

GREEDY = engine.Sampling(temperature=0.0)
WINDOW = engine.CachePolicy(window=16)
"""Prefills 16 tokens at a time, whatever the device."""


def tokens(count: int, seed: int = 5) -> list[int]:
    return np.random.default_rng(seed).integers(97, 123, count).tolist()


def greedy(model: engine.Model, ids: list[int], count: int) -> list[int]:
    """The most likely tokens, by whole passes without a cache."""
    alone = list(ids)
    for _ in range(count):
        alone.append(most_likely(model.logits(alone)[-1]))
    return alone[len(ids) :]


def test_a_greedy_reply_equals_one_without_a_cache(tiny: engine.Model) -> None:
    prompt = tokens(20)
    chunks = list(tiny.session().generate(prompt, GREEDY, 12))
    assert ids_of(chunks) == greedy(tiny, prompt, 12)
    assert [chunk.finish_reason for chunk in chunks] == [None] * (len(chunks) - 1) + ["length"]


def test_texts_add_up_to_the_decoded_tokens(tiny: engine.Model) -> None:
    sampling = engine.Sampling(temperature=3.0, top_p=1.0, seed=4)
    chunks = list(tiny.session().generate(tokens(5), sampling, 200))
    ids = ids_of(chunks)
    assert text_of(chunks) == tiny.tokenizer.decode(ids)
    if chunks[-1].token is None:
        assert chunks[-1].text


def test_max_tokens_of_one(tiny: engine.Model) -> None:
    chunks = list(tiny.session().generate(tokens(5), GREEDY, 1))
    assert ids_of(chunks) == greedy(tiny, tokens(5), 1)
    assert chunks[-1].finish_reason == "length"


def test_a_reply_ends_where_the_context_does(tmp_path: Path) -> None:
    model = engine.load(write_folder(tmp_path, TinyLlama(max_position_embeddings=24)))
    for most in (None, 100):
        session = model.session()
        chunks = list(session.generate(tokens(20), GREEDY, most))
        assert len(session.tokens) == 24
        assert chunks[-1].finish_reason == "length"


@pytest.mark.parametrize("place", [0, 2])
def test_an_end_token_of_the_config_ends_the_reply(tmp_path: Path, place: int) -> None:
    plain = TinyLlama(seed=9, tied=False, num_key_value_heads=1, head_dim=32)
    prompt = tokens(20)
    said = greedy(engine.load(write_folder(tmp_path / "plain", plain)), prompt, 3)
    assert len(set(said)) == 3
    ends = replace(plain, extra={"eos_token_id": [said[place], 258]})
    model = engine.load(write_folder(tmp_path / "ends", ends))
    session = model.session()
    chunks = list(session.generate(prompt, GREEDY, 50))
    assert chunks[-1].finish_reason == "stop"
    assert ids_of(chunks) == said[: place + 1]
    assert text_of(chunks) == model.tokenizer.decode(said[:place])
    assert session.tokens == prompt + said[: place + 1], "the end token is part of the sequence"
    assert cache_of(session).length == len(session.tokens)


def test_stop_texts_may_span_tokens(starter: engine.Model) -> None:
    ids = starter.tokenizer.encode("One, two, three, four,")
    plain = text_of(starter.session().generate(ids, GREEDY, 14))
    stop = plain[9:17]
    assert len(starter.tokenizer.encode(stop)) > 2
    session = starter.session()
    chunks = list(session.generate(ids, GREEDY, 14, stop=["never said", stop]))
    assert text_of(chunks) == plain[: plain.index(stop)]
    assert chunks[-1].finish_reason == "stop"
    assert session.figures.finish_reason == "stop"


def test_text_held_back_for_a_stop_text_is_shown_in_the_end(starter: engine.Model) -> None:
    ids = starter.tokenizer.encode("One, two, three, four,")
    plain = text_of(starter.session().generate(ids, GREEDY, 6))
    chunks = list(starter.session().generate(ids, GREEDY, 6, stop=[plain[-3:] + "\0"]))
    assert text_of(chunks) == plain
    assert [chunk.token is None for chunk in chunks] == [False] * 6 + [True]
    assert [chunk.finish_reason for chunk in chunks] == [None] * 6 + ["length"]


def test_logprobs_are_those_of_the_plain_logits(tiny: engine.Model) -> None:
    prompt = tokens(20)
    sampling = engine.Sampling(temperature=2.0, top_p=1.0, repetition_penalty=1.3, seed=9)
    chunks = list(tiny.session().generate(prompt, sampling, 10, logprobs=5))
    ids = ids_of(chunks)
    logits = singles(tiny.logits(prompt + ids)).astype(np.float64)[len(prompt) - 1 :]
    logprobs = logits - np.log(np.exp(logits).sum(axis=-1, keepdims=True))
    for row, chunk in zip(logprobs, chunks, strict=False):
        if chunk.token is None:
            continue
        assert chunk.logprob == pytest.approx(row[chunk.token], abs=2e-4)
        assert [entry.token for entry in chunk.top] == np.argsort(-row)[:5].tolist()
        assert [entry.logprob for entry in chunk.top] == pytest.approx(
            np.sort(row)[::-1][:5], abs=2e-4
        )
        assert [entry.text for entry in chunk.top] == [
            tiny.tokenizer.piece(entry.token) for entry in chunk.top
        ]


def test_without_logprobs_there_are_none(tiny: engine.Model) -> None:
    for chunk in tiny.session().generate(tokens(5), GREEDY, 3):
        assert chunk.logprob is None
        assert chunk.top == ()


def test_the_same_seed_gives_the_same_text(tiny: engine.Model) -> None:
    def text(seed: int | None, policy: engine.CachePolicy | None = None) -> tuple[str, int]:
        sampling = engine.Sampling(temperature=1.0, top_p=1.0, seed=seed)
        session = tiny.session(policy)
        return text_of(session.generate(tokens(40), sampling, 30)), session.figures.seed

    assert text(7) == text(7)
    assert text(7)[0] != text(8)[0]
    fresh, seed = text(None)
    assert text(seed)[0] == fresh, "the seed that was drawn is reported, and repeats the reply"


def test_a_stop_during_prefill_keeps_what_was_computed(tiny: engine.Model) -> None:
    session, prompt, cancel = tiny.session(WINDOW), tokens(100), threading.Event()
    seen: list[tuple[int, int]] = []

    def on_prefill(done: int, total: int) -> None:
        seen.append((done, total))
        if len(seen) == 2:
            other = threading.Thread(target=cancel.set)
            other.start()
            other.join()

    chunks = list(session.generate(prompt, GREEDY, 5, cancel=cancel, on_prefill=on_prefill))
    assert chunks == [engine.Chunk(None, "", "cancelled")]
    assert seen == [(16, 100), (32, 100)]
    assert session.tokens == prompt[:32]
    assert session.figures.finish_reason == "cancelled"
    assert session.figures.ttft_s is None
    said = ids_of(session.generate(prompt, GREEDY, 5))
    assert session.reuse.reused_tokens == 32
    assert said == ids_of(tiny.session(WINDOW).generate(prompt, GREEDY, 5))


def test_a_stop_before_the_start_computes_nothing(tiny: engine.Model) -> None:
    session, cancel = tiny.session(), threading.Event()
    cancel.set()
    chunks = list(session.generate(tokens(9), GREEDY, 5, cancel=cancel))
    assert chunks == [engine.Chunk(None, "", "cancelled")]
    assert session.tokens == []


def test_a_stop_between_tokens_keeps_the_partial_reply(tiny: engine.Model) -> None:
    session, prompt, cancel = tiny.session(), tokens(20), threading.Event()
    chunks: list[engine.Chunk] = []
    for chunk in session.generate(prompt, GREEDY, 30, cancel=cancel):
        chunks.append(chunk)
        if len(chunks) == 3:
            cancel.set()
    said = ids_of(chunks)
    assert said == greedy(tiny, prompt, 3)
    assert chunks[-1].finish_reason == "cancelled"
    assert text_of(chunks) == tiny.tokenizer.decode(said)
    assert session.tokens == prompt + said
    assert session.figures.finish_reason == "cancelled"


def test_closing_the_stream_is_a_stop(tiny: engine.Model) -> None:
    session, prompt = tiny.session(), tokens(20)
    for count, _ in enumerate(session.generate(prompt, GREEDY, 30), start=1):
        if count == 3:
            break
    assert session.tokens == prompt + greedy(tiny, prompt, 3)
    assert session.figures.finish_reason == "cancelled"
    said = ids_of(session.generate(session.tokens, GREEDY, 2))
    assert said == greedy(tiny, prompt, 5)[3:]


def test_closing_a_stream_that_has_ended_changes_nothing(tiny: engine.Model) -> None:
    session = tiny.session()
    chunks = session.generate(tokens(20), GREEDY, 2)
    while next(chunks).finish_reason is None:
        pass
    chunks.close()
    assert session.figures.finish_reason == "length"


def test_figures_of_a_turn(tiny: engine.Model) -> None:
    session, prompt = tiny.session(WINDOW), tokens(50)
    before: list[engine.Figures] = []

    def on_prefill(done: int, total: int) -> None:
        before.append(session.figures)
        assert total == 50
        assert session.figures.prefill_done == done

    chunks = list(session.generate(prompt, GREEDY, 6, on_prefill=on_prefill))
    figures = session.figures
    assert [f.prefill_done for f in before] == [16, 32, 48, 50]
    assert all(f.finish_reason is None and f.ttft_s is None for f in before)
    assert figures.prompt_tokens == figures.prefill_done == 50
    assert figures.generated_tokens == 6 == len([c for c in chunks if c.token is not None])
    assert figures.ttft_s is not None
    assert figures.ttft_s >= figures.prefill_s > 0
    assert figures.prefill_tps == pytest.approx(50 / figures.prefill_s)
    assert figures.decode_tps == pytest.approx(5 / figures.decode_s)
    list(session.generate(prompt, GREEDY, 1))
    assert session.figures.reused_tokens == 49
    assert session.figures.decode_tps is None
    assert engine.Figures().prefill_tps is None


class TestPaddedVocabulary:
    """Embeddings are often padded to a round number of rows; those rows are no tokens."""

    @pytest.fixture
    def padded(self, tmp_path: Path, tiny_folder: Path) -> engine.Model:
        small = write_folder(tmp_path / "small", TinyLlama(vocab_size=261))
        folder = tmp_path / "padded"
        shutil.copytree(tiny_folder, folder)
        shutil.copy(small / "tokenizer.json", folder)
        return engine.load(folder)

    def test_their_rows_are_never_chosen(self, padded: engine.Model) -> None:
        assert (padded.tokenizer.vocab_size, padded.config.vocab_size) == (261, 288)
        sampling = engine.Sampling(temperature=100.0, top_p=1.0, seed=1)
        session = padded.session()
        chunks = list(session.generate(tokens(5), sampling, 300, logprobs=100))
        assert max(session.tokens) < 261
        shown = [entry for chunk in chunks for entry in chunk.top]
        assert {entry.text for entry in shown if entry.token >= 261} == {""}

    def test_a_prompt_may_hold_one(self, padded: engine.Model) -> None:
        session = padded.session()
        list(session.generate([1, 280, 3], GREEDY, 1))
        list(session.generate([1, 281, 3], GREEDY, 1))
        assert session.reuse.reason == "Token 2 differs: '' was held, the prompt has ''."


class Clock(ChunkSize):
    """A chunk size told how fast its device is, in tokens per second."""

    @override
    def __init__(self, tokens_per_s: float) -> None:
        super().__init__(parameters=100_000_000)
        self.speed = tokens_per_s

    def settle(self) -> float:
        """Measure until nothing changes; the seconds that a chunk takes then."""
        for _ in range(20):
            self.measured(self.tokens, self.tokens / self.speed)
        return self.tokens / self.speed


@pytest.mark.parametrize("speed", [150.0, 400.0, 1000.0, 10_000.0])
def test_chunks_settle_near_the_target(speed: float) -> None:
    assert 0.07 < Clock(speed).settle() < 0.23


def test_chunks_stay_within_bounds_and_ignore_the_last_piece() -> None:
    slow, fast = Clock(1.0), Clock(1e9)
    slow.settle()
    fast.settle()
    assert (slow.tokens, fast.tokens) == (32, 2048)
    fast.measured(1, 0.5)
    fast.measured(2048, 0.0)
    assert fast.tokens == 2048


def test_a_model_that_computes_no_numbers_says_so(tmp_path: Path) -> None:
    folder = write_folder(tmp_path / "damaged", TinyLlama())
    path = folder / "model.safetensors"
    weights = cast("dict[str, mx.array]", mx.load(str(path)))
    weights["model.norm.weight"] = weights["model.norm.weight"] * math.nan
    mx.save_safetensors(str(path), weights)
    with pytest.raises(engine.EngineError, match="weights are damaged"):
        list(engine.load(folder).session().generate([1, 2, 3]))
