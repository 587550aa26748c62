"""Chunks of a prefill: short enough for a stop, whatever the device, the model and the cache."""

import threading
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import engine
from engine.prefill import LEAST_CHUNK, ChunkSize
from tests.engine.checkpoints import TinyLlama, write_folder

GREEDY = engine.Sampling(temperature=0.0)


def test_a_larger_model_begins_with_smaller_chunks() -> None:
    sizes = [ChunkSize(parameters).tokens for parameters in (10**6, 10**8, 10**9, 10**11)]
    assert sizes == sorted(sizes, reverse=True)
    assert sizes[-1] == LEAST_CHUNK


@settings(derandomize=True)
@given(
    st.floats(1, 1e6), st.floats(0, 0.1), st.lists(st.integers(1, 4096), min_size=8, max_size=60)
)
def test_chunks_stay_short_whatever_pieces_there_are(
    tokens_per_s: float, overhead_s: float, pieces: list[int]
) -> None:
    """Prompts end anywhere, so that pieces are often smaller than what was asked for."""
    size = ChunkSize(10**8)
    for piece in pieces:
        tokens = min(size.tokens, piece)
        size.measured(tokens, overhead_s + tokens / tokens_per_s)
        assert size.tokens & (size.tokens - 1) == 0
        assert LEAST_CHUNK <= size.tokens <= 2048
    for _ in range(8):
        size.measured(size.tokens, overhead_s + size.tokens / tokens_per_s)
    slowest = LEAST_CHUNK / tokens_per_s + overhead_s
    assert overhead_s + size.tokens / tokens_per_s <= max(0.25, slowest)


@pytest.mark.parametrize("piece", [64, 100, 256])
def test_chunks_of_a_rotating_cache_are_learnt_from(piece: int) -> None:
    """They are never as large as asked for, and may be too slow all the same."""
    size = ChunkSize(10**6)
    asked = size.tokens
    assert piece < asked
    size.measured(piece, 0.1)
    assert size.tokens == asked
    size.measured(piece, 1.0)
    assert size.tokens <= piece // 2


def test_one_slow_piece_is_made_up_for() -> None:
    size = ChunkSize(10**6)
    size.measured(512, 10.0)
    assert size.tokens == LEAST_CHUNK
    for _ in range(4):
        size.measured(size.tokens, 0.001)
    assert size.tokens == 2048


def test_a_piece_of_few_tokens_says_nothing() -> None:
    size = ChunkSize(10**6)
    asked = size.tokens
    size.measured(1, 0.5)
    size.measured(LEAST_CHUNK, 0.0)
    assert size.tokens == asked


def test_sessions_of_a_model_share_what_was_learnt_and_models_do_not(tmp_path: Path) -> None:
    folder = write_folder(tmp_path / "model", TinyLlama())
    one, other = engine.load(folder), engine.load(folder)
    one.common.chunk_size.tokens = 32
    seen: list[int] = []
    for model in (one, other):
        chunks = model.session().generate(
            [1] * 64, GREEDY, 1, on_prefill=lambda done, _: seen.append(done)
        )
        list(chunks)
    assert seen[0] == 32
    assert seen[-1] == 64
    assert other.common.chunk_size is not one.common.chunk_size


@pytest.mark.parametrize("window", [None, 300])
def test_a_stop_ends_a_long_prefill_with_the_chunk_it_came_in(
    starter: engine.Model, window: int | None
) -> None:
    session, stop = starter.session(engine.CachePolicy(window=window)), threading.Event()
    seen: list[int] = []

    def on_prefill(done: int, _: int) -> None:
        seen.append(done)
        if done > 60:
            stop.set()

    list(session.generate([7] * 800, GREEDY, 1, cancel=stop, on_prefill=on_prefill))
    assert session.figures.finish_reason == "cancelled"
    assert [done for done in seen if done > 60] == seen[-1:]
    assert len(session.tokens) == seen[-1] < 800


def test_a_chunk_is_never_larger_than_was_asked_for(tiny_folder: Path) -> None:
    size = ChunkSize(10**6, 48)
    size.measured(48, 1e-6)
    assert size.tokens == 48
    size.measured(48, 10.0)
    assert size.tokens == LEAST_CHUNK
    model = engine.load(tiny_folder, largest_chunk=24)
    done: list[int] = []
    session = model.session()
    list(session.generate([1] * 60, GREEDY, 1, on_prefill=lambda so_far, _: done.append(so_far)))
    assert done == [24, 48, 60]
    with pytest.raises(engine.SettingError, match="at least 1 token, not 0"):
        engine.load(tiny_folder, largest_chunk=0)
