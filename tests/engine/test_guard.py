"""Memory is asked for before it is needed, and what would fit is told."""

import gc
import math
from pathlib import Path

import mlx.core as mx
import numpy as np
import pytest

import engine
from engine.guard import MemoryGuard
from engine.need import SessionNeed, default_window, even_window
from engine.session import Session
from engine.weights import Precision, open_tensors
from tests.engine.checkpoints import TinyLlama, write_folder, write_gguf, write_quantized_folder
from tests.engine.running import cache_of, limited

GREEDY = engine.Sampling(temperature=0.0)
WIDE = TinyLlama(hidden_size=256, intermediate_size=512, head_dim=64, num_hidden_layers=3)


def tokens(count: int, seed: int = 5) -> list[int]:
    return np.random.default_rng(seed).integers(0, 256, count).tolist()


def needed(model: engine.Model, policy: engine.CachePolicy, count: int, chunk: int = 16) -> int:
    return SessionNeed(model.config, policy, 4).bytes(count, chunk)


def said(session: Session, ids: list[int], most: int | None = 4) -> list[engine.Chunk]:
    return list(session.generate(ids, GREEDY, most))


@pytest.mark.parametrize("precision", ["stored", "float32"])
@pytest.mark.parametrize("kind", ["float32", "bfloat16", "4-bit", "8-bit", "Q4_0", "Q8_0", "F16"])
def test_the_bytes_of_weights_are_known_before_they_are_loaded(
    tmp_path: Path, kind: str, precision: Precision
) -> None:
    if kind.endswith("bit"):
        path = write_quantized_folder(tmp_path / "model", WIDE, (64, int(kind[0])))
    elif kind.endswith(("32", "16")) and kind != "F16":
        path = write_folder(tmp_path / "model", WIDE, dtype=kind)
    else:
        path = write_gguf(tmp_path / "model.gguf", WIDE, kind)
    gc.collect()
    model = engine.load(path, precision=precision)
    tensors = open_tensors(model.source, model.config, precision)
    assert math.isclose(tensors.loaded_bytes(), model.weights_bytes, rel_tol=0.1)


def test_a_model_that_does_not_fit_is_refused_before_it_is_loaded(tiny_folder: Path) -> None:
    gc.collect()
    before = mx.get_active_memory()
    with pytest.raises(
        engine.MemoryLimitError,
        match=r"^tiny llama needs [\d.]+ MB of memory and there are 0.0 MB; a model with at most "
        r"0 million 4-bit weights would fit\.$",
    ):
        engine.load(tiny_folder, memory_limit=1)
    assert mx.get_active_memory() == before


def test_a_copy_with_fewer_bits_is_named_where_that_would_fit(tmp_path: Path) -> None:
    folder = write_folder(tmp_path / "wide", WIDE)
    model = engine.load(folder)
    chat = SessionNeed(model.config, engine.CachePolicy(), 4).bytes(256, 256)
    limit = mx.get_active_memory() + chat + model.weights_bytes // 2
    with pytest.raises(engine.MemoryLimitError, match=r"a copy with 4-bit weights, .+, would fit"):
        engine.load(folder, memory_limit=limit)


def test_what_is_about_to_be_freed_counts_as_free(tiny_folder: Path, starter_path: Path) -> None:
    before, steps = mx.get_active_memory(), list[str]()
    taken = mx.zeros((64 << 20,), dtype=mx.uint8)
    mx.eval(taken)
    limit, leaving = before + taken.nbytes, taken.nbytes
    with pytest.raises(engine.MemoryLimitError):
        engine.load(tiny_folder, memory_limit=limit, on_checked=lambda: steps.append("early"))
    engine.load(
        tiny_folder,
        memory_limit=limit,
        leaving_bytes=leaving,
        on_checked=lambda: steps.append("checked"),
        on_progress=lambda share: steps.append(f"{share:.1f}"),
    )
    assert steps == ["checked", "0.0", "0.5", "1.0"], "before any weights are read"
    with pytest.raises(engine.MemoryLimitError):
        engine.load(
            starter_path,
            memory_limit=limit,
            leaving_bytes=leaving,
            on_checked=lambda: steps.append("late"),
        )
    assert "late" not in steps


def test_what_fits_is_loaded(tiny_folder: Path) -> None:
    assert engine.load(tiny_folder, memory_limit=mx.get_active_memory() + (64 << 20))


@pytest.mark.parametrize(
    "policy",
    [
        engine.CachePolicy(),
        engine.CachePolicy(bits=8),
        engine.CachePolicy(window=60, pinned=4),
        engine.CachePolicy(window=60, pinned=4, bits=4),
    ],
)
@pytest.mark.parametrize("sliding", [False, True])
def test_the_need_of_a_session_is_what_it_allocates(
    tmp_path: Path, policy: engine.CachePolicy, sliding: bool
) -> None:
    extra = {"sliding_window": 40} if sliding else {}
    shape = TinyLlama(model_type="mistral" if sliding else "llama", extra=extra, head_dim=32)
    model = engine.load(write_folder(tmp_path / "model", shape))
    session = model.session(policy)
    said(session, tokens(300))
    need = SessionNeed(model.config, policy, 4)
    moved = session.memory().formula_bytes * policy.pinned // 2 // cache_of(session).filled
    assert 0 <= need.cache_bytes(304) - session.memory().allocated_bytes <= moved


@pytest.mark.slow
@pytest.mark.parametrize("bits", [None, 8])
def test_a_prefill_needs_no_more_than_was_reckoned(starter: engine.Model, bits: int | None) -> None:
    model = limited(starter, 1 << 40, chunk=64)
    policy = engine.CachePolicy(bits=bits)
    session, need = model.session(policy), SessionNeed(model.config, policy, 4)
    before = mx.get_active_memory()
    mx.reset_peak_memory()
    assert len(said(session, tokens(200), 1)) == 1
    peak = mx.get_peak_memory() - before
    assert peak <= need.bytes(200, 64)
    assert peak >= need.bytes(200, 64) / 4, "and not far less"


def test_a_chunk_is_as_small_as_memory_wants_it(tiny: engine.Model) -> None:
    model = limited(tiny, needed(tiny, engine.CachePolicy(), 404), chunk=512)
    seen: list[int] = []
    prompt = tokens(400)
    list(model.session().generate(prompt, GREEDY, 4, on_prefill=lambda done, _: seen.append(done)))
    assert seen == [*range(16, 400, 16), 400]


def test_a_prompt_that_does_not_fit_is_refused_and_nothing_is_lost(tiny: engine.Model) -> None:
    model = limited(tiny, needed(tiny, engine.CachePolicy(), 250))
    session = model.session()
    said(session, tokens(100))
    held = session.tokens
    with pytest.raises(
        engine.MemoryLimitError,
        match=r"^A context of 404 tokens needs [\d.]+ MB of memory and there are [\d.]+ MB; a "
        r"window of \d+ tokens would fit\.$",
    ) as refusal:
        session.generate(tokens(400), GREEDY, 4)
    assert session.tokens == held
    window = refusal.value.fitting_window
    assert window is not None
    session.reset()
    rotating = model.session(engine.CachePolicy(window=window))
    assert len(said(rotating, tokens(400))) == 4


def test_a_window_counts_as_full_from_the_start(tiny: engine.Model) -> None:
    model = limited(tiny, needed(tiny, engine.CachePolicy(window=100), 1, 2))
    assert said(model.session(engine.CachePolicy(window=100)), [1, 2])
    with pytest.raises(engine.MemoryLimitError, match="A window of 400 needs") as refusal:
        model.session(engine.CachePolicy(window=400)).generate([1, 2])
    window = refusal.value.fitting_window
    assert window in (96, 128)
    assert said(model.session(engine.CachePolicy(window)), [1, 2])


def test_where_no_window_fits_none_is_offered(tiny: engine.Model) -> None:
    with pytest.raises(engine.MemoryLimitError, match="no window would fit") as refusal:
        limited(tiny, 1000).session().generate([1, 2])
    assert refusal.value.fitting_window is None


def test_a_reply_that_outgrows_memory_ends_and_is_kept(tmp_path: Path) -> None:
    """The growing cache asks again before each step."""
    tiny = TinyLlama(num_hidden_layers=8, max_position_embeddings=2048)
    model = engine.load(write_folder(tmp_path / "model", tiny))
    model = limited(model, needed(model, engine.CachePolicy(), 500))
    session, prompt = model.session(), tokens(200)
    got: list[int | None] = []
    with pytest.raises(engine.MemoryLimitError, match=r"A context of [\d,]+ tokens") as refusal:
        got.extend(chunk.token for chunk in session.generate(prompt, GREEDY))
    assert len(got) + len(prompt) in range(512, 2048, 256)
    assert f"context of {len(got) + len(prompt) + 1:,} tokens" in str(refusal.value)
    assert session.tokens == [*prompt, *got]
    assert not session.running
    assert session.figures.finish_reason == "cancelled"
    assert said(session, prompt)[0].token == got[0]


def test_a_reply_that_just_fits_is_not_refused(tiny: engine.Model) -> None:
    model = limited(tiny, needed(tiny, engine.CachePolicy(), 250))
    chunks = said(model.session(), tokens(200), 56)
    assert chunks[-1].finish_reason == "length"
    assert len([chunk for chunk in chunks if chunk.token is not None]) == 56


def test_a_session_is_restored_only_where_it_fits(tiny: engine.Model, tmp_path: Path) -> None:
    path = tmp_path / "session.safetensors"
    session = tiny.session()
    said(session, tokens(400))
    session.save(path)
    with pytest.raises(engine.MemoryLimitError, match="would fit"):
        limited(tiny, needed(tiny, engine.CachePolicy(), 250, 1)).restore(path)
    with pytest.raises(engine.MemoryLimitError, match="would fit"):
        limited(tiny, 1000).restore(path)


def test_the_system_says_what_it_has() -> None:
    room = MemoryGuard().room_bytes()
    assert room is not None
    assert 1 << 20 < room < 1 << 50
    assert MemoryGuard(0).room_bytes() == 0


@pytest.mark.parametrize(
    ("most", "even"), [(1, 1), (2, 2), (3, 3), (5, 4), (6, 6), (7, 6), (8191, 6144), (8192, 8192)]
)
def test_windows_are_round_numbers(most: int, even: int) -> None:
    assert even_window(most) == even


def test_the_default_window_leaves_room_for_what_is_pinned(starter: engine.Model) -> None:
    assert starter.default_window(30) == 6144
    assert starter.default_window(3000) == 4096
    for pinned in (8192 - 256, 9000):
        with pytest.raises(engine.SettingError, match=r"The system prompt has .+; shorten it"):
            starter.default_window(pinned)


def test_the_default_window_is_one_that_fits(tiny: engine.Model) -> None:
    assert default_window(tiny.config, 4) == tiny.default_window(4) == 192
    tight = limited(tiny, needed(tiny, engine.CachePolicy(window=100), 1), chunk=256)
    with pytest.raises(engine.MemoryLimitError):
        limited(tiny, 1000).default_window(4)
    window = tight.default_window(4)
    assert window < 192
    assert said(tight.session(engine.CachePolicy(window, 4)), tokens(9))


def test_a_chat_in_the_default_window_never_ends(tiny: engine.Model) -> None:
    session = tiny.session(engine.CachePolicy(tiny.default_window(4), 4))
    for turn in range(5):
        assert said(session, session.tokens + tokens(200, seed=turn), 40)
    assert len(session.tokens) > 1000
    assert session.memory().peak_slots <= 4 + 192 + 192


def test_without_a_window_the_reply_ends_where_the_context_does(tiny: engine.Model) -> None:
    session = tiny.session()
    chunks = said(session, tokens(500), None)
    assert chunks[-1].finish_reason in ("length", "stop")
    assert len(session.tokens) == 500 + len(chunks) <= 512
    with pytest.raises(engine.PromptError, match="context holds 512"):
        session.generate(tokens(512))
