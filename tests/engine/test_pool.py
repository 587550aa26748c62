"""Several sessions at once: which are kept, where, and what a new one starts from."""

import os
from collections.abc import Sequence
from pathlib import Path

import mlx.core as mx
import numpy as np
import pytest

import engine
from engine.need import SessionNeed
from engine.pool import WORTH_TOKENS
from engine.session import Session
from tests.engine.checkpoints import TinyLlama, write_folder
from tests.engine.running import limited

GREEDY = engine.Sampling(temperature=0.0)
ROTATING = engine.CachePolicy(window=24, pinned=4)
PLENTY = 1 << 40


def tokens(count: int, seed: int = 5) -> list[int]:
    return np.random.default_rng(seed).integers(0, 256, count).tolist()


def answer(session: Session, ids: Sequence[int]) -> list[int]:
    chunks = session.generate(ids, GREEDY, 4)
    return [chunk.token for chunk in chunks if chunk.token is not None]


@pytest.fixture
def bytes_of_one(tiny: engine.Model) -> int:
    """What a session of 150 tokens takes."""
    session = tiny.session()
    answer(session, tokens(150))
    return session.memory().allocated_bytes


def fill(pool: engine.SessionPool, keys: str) -> dict[str, list[int]]:
    """Ask each key's session something of its own; their tokens afterwards."""
    held: dict[str, list[int]] = {}
    for index, key in enumerate(keys):
        session = pool.session(key)
        answer(session, tokens(150, seed=index + 1))
        pool.shrink()
        held[key] = session.tokens
    return held


def files(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def test_a_key_keeps_its_session(tiny: engine.Model) -> None:
    pool = engine.SessionPool(tiny, PLENTY)
    session = pool.session("a")
    assert pool.session("b") is not session
    assert pool.session("a") is session is pool.held("a")
    assert pool.held("c") is None


def test_the_least_recently_used_go_first(tiny: engine.Model, bytes_of_one: int) -> None:
    pool = engine.SessionPool(tiny, 2 * bytes_of_one)
    fill(pool, "ab")
    pool.session("a")
    fill(pool, "c")
    assert [key for key in "abc" if pool.held(key)] == ["a", "c"]
    assert pool.session("b").tokens == []


def test_the_last_one_stays_whatever_it_takes(tiny: engine.Model) -> None:
    pool = engine.SessionPool(tiny, 0)
    fill(pool, "ab")
    assert [key for key in "ab" if pool.held(key)] == ["b"]


def test_a_running_session_is_never_put_away(tiny: engine.Model) -> None:
    pool = engine.SessionPool(tiny, 0)
    running = pool.session("a")
    chunks = running.generate(tokens(100), GREEDY, 6)
    next(chunks)
    fill(pool, "bc")
    assert pool.held("a") is running
    assert pool.session("a", ROTATING, tokens(9)) is running
    assert len(list(chunks)) == 5
    fill(pool, "d")
    assert pool.held("a") is None


def test_what_does_not_fit_goes_to_disk_and_comes_back(
    tiny: engine.Model, tmp_path: Path, bytes_of_one: int
) -> None:
    folder = tmp_path / "sessions"
    pool = engine.SessionPool(tiny, bytes_of_one, folder, PLENTY)
    held = fill(pool, "abc")
    assert [key for key in "abc" if pool.held(key)] == ["c"]
    assert len(files(folder)) == 2
    again = pool.session("a")
    assert again.tokens == held["a"]
    answer(again, [*held["a"], 1, 2])
    assert again.reuse.reused_tokens == len(held["a"]) - 1
    assert pool.held("c") is None


def test_yesterdays_sessions_answer_today(tiny: engine.Model, tmp_path: Path) -> None:
    pool = engine.SessionPool(tiny, PLENTY, tmp_path, PLENTY)
    held = fill(pool, "ab")
    rotating = pool.session("c", ROTATING)
    answer(rotating, tokens(200))
    pool.save()
    today = engine.SessionPool(tiny, PLENTY, tmp_path, PLENTY)
    assert today.held("a") is None
    for key in "ab":
        assert today.session(key).tokens == held[key]
    assert today.session("c", ROTATING).tokens == rotating.tokens


def test_what_is_on_disk_already_is_not_written_again(tiny: engine.Model, tmp_path: Path) -> None:
    pool = engine.SessionPool(tiny, PLENTY, tmp_path, PLENTY)
    fill(pool, "a")
    pool.save()
    (file,) = tmp_path.iterdir()
    os.utime(file, (1, 1))
    pool.save()
    assert file.stat().st_mtime == 1
    answer(pool.session("a"), tokens(100, seed=7))
    pool.save()
    assert file.stat().st_mtime > 1


def test_the_disk_budget_holds_and_the_oldest_files_go(tiny: engine.Model, tmp_path: Path) -> None:
    pool = engine.SessionPool(tiny, PLENTY, tmp_path, PLENTY)
    held: dict[str, list[int]] = {}
    for when, key in enumerate("abc", start=1):
        before = set(tmp_path.iterdir())
        held |= fill(pool, key)
        pool.save()
        (new,) = set(tmp_path.iterdir()) - before
        os.utime(new, (when, when))
    size = sum(path.stat().st_size for path in tmp_path.iterdir())
    tight = engine.SessionPool(tiny, PLENTY, tmp_path, size)
    assert tight.session("a").tokens == held["a"], "which makes its file the most recent"
    answer(tight.session("d"), tokens(150))
    tight.save()
    left = engine.SessionPool(tiny, PLENTY, tmp_path, PLENTY)
    assert [key for key in "abcd" if left.session(key).tokens] == ["a", "c", "d"]


def test_a_session_larger_than_the_disk_budget_is_dropped(
    tiny: engine.Model, tmp_path: Path
) -> None:
    pool = engine.SessionPool(tiny, 0, tmp_path, 1000)
    fill(pool, "ab")
    assert files(tmp_path) == []
    assert pool.session("a").tokens == []


def test_short_sessions_are_not_worth_a_file(tiny: engine.Model, tmp_path: Path) -> None:
    pool = engine.SessionPool(tiny, 0, tmp_path, PLENTY)
    answer(pool.session("a"), tokens(WORTH_TOKENS - 5))
    pool.save()
    assert files(tmp_path) == []


def test_a_damaged_file_is_a_new_session(tiny: engine.Model, tmp_path: Path) -> None:
    pool = engine.SessionPool(tiny, 0, tmp_path, PLENTY)
    held = fill(pool, "ab")
    (file,) = tmp_path.iterdir()
    file.write_bytes(file.read_bytes()[:-9])
    session = pool.session("a")
    assert session.tokens == []
    assert answer(session, tokens(150, seed=1)) == held["a"][150:]
    assert file.name not in files(tmp_path)


def test_a_folder_that_cannot_be_written_costs_a_prefill_and_no_more(
    tiny: engine.Model, tmp_path: Path
) -> None:
    (tmp_path / "file").write_text("not a folder")
    pool = engine.SessionPool(tiny, 0, tmp_path / "file", PLENTY)
    fill(pool, "ab")
    assert pool.session("a").tokens == []
    pool.save()


def test_what_a_crash_left_is_cleared_away(tiny: engine.Model, tmp_path: Path) -> None:
    (tmp_path / ".session-abc.tmp").write_bytes(b"half")
    (tmp_path / "notes.txt").write_text("mine")
    engine.SessionPool(tiny, 0, tmp_path, PLENTY)
    assert files(tmp_path) == ["notes.txt"]


def test_models_do_not_get_each_others_sessions(tiny: engine.Model, tmp_path: Path) -> None:
    other = engine.load(write_folder(tmp_path / "other", TinyLlama(seed=3)))
    folder = tmp_path / "sessions"
    pools = [engine.SessionPool(model, PLENTY, folder, PLENTY) for model in (tiny, other)]
    held = [fill(pool, "a")["a"] for pool in pools]
    for pool in pools:
        pool.save()
    again = [engine.SessionPool(model, PLENTY, folder, PLENTY) for model in (tiny, other)]
    assert [pool.session("a").tokens for pool in again] == held


def test_a_forgotten_chat_leaves_nothing(tiny: engine.Model, tmp_path: Path) -> None:
    pool = engine.SessionPool(tiny, PLENTY, tmp_path, PLENTY)
    fill(pool, "ab")
    pool.save()
    pool.forget("a")
    pool.forget("never there")
    assert pool.held("a") is None
    assert len(files(tmp_path)) == 1
    assert pool.session("a").tokens == []


def test_names_of_files_tell_nothing_and_hold_any_key(tiny: engine.Model, tmp_path: Path) -> None:
    pool = engine.SessionPool(tiny, PLENTY, tmp_path, PLENTY)
    for key in ("../../secret plans", "\ud800", ""):
        answer(pool.session(key), tokens(100))
    pool.save()
    assert len(files(tmp_path)) == 3
    assert all(set(name) <= set("0123456789abcdef-.safetnor") for name in files(tmp_path))


def test_another_policy_starts_anew(tiny: engine.Model, tmp_path: Path) -> None:
    pool = engine.SessionPool(tiny, PLENTY, tmp_path, PLENTY)
    fill(pool, "a")
    pool.save()
    assert pool.session("a", ROTATING).policy == ROTATING
    assert pool.session("a").policy == ROTATING, "any will do"
    assert engine.SessionPool(tiny, PLENTY, tmp_path, PLENTY).session("a", ROTATING).tokens == []


def test_a_fork_starts_from_a_copy(tiny: engine.Model) -> None:
    pool = engine.SessionPool(tiny, PLENTY)
    held = fill(pool, "a")["a"]
    prompt = held[:120] + tokens(30, seed=9)
    fork = pool.session("b", prompt=prompt)
    assert fork.tokens == held[:120]
    said = answer(fork, prompt)
    assert fork.reuse.reused_tokens == 120
    assert said == answer(tiny.session(), prompt)
    original = pool.held("a")
    assert original is not None
    assert original.tokens == held


def test_of_several_the_one_that_saves_most_is_copied(tiny: engine.Model) -> None:
    pool = engine.SessionPool(tiny, PLENTY)
    prompt = tokens(200)
    for key, common in (("a", 80), ("b", 170), ("c", 120)):
        answer(pool.session(key), prompt[:common] + tokens(20, seed=common))
    assert pool.session("d", prompt=prompt).tokens == prompt[:170]


def test_a_session_of_its_own_is_left_only_for_a_good_deal_more(tiny: engine.Model) -> None:
    pool = engine.SessionPool(tiny, PLENTY)
    prompt = tokens(200)
    answer(pool.session("a"), prompt)
    own = pool.session("b")
    answer(own, prompt[:150] + tokens(5, seed=2))
    assert pool.session("b", prompt=prompt) is own
    answer(own, tokens(90, seed=4))
    assert pool.session("b", prompt=prompt) is not own
    assert pool.session("b").tokens == prompt[:-1]


def test_little_in_common_or_another_policy_is_not_copied(tiny: engine.Model) -> None:
    pool = engine.SessionPool(tiny, PLENTY)
    held = fill(pool, "a")["a"]
    assert pool.session("b", prompt=held[: WORTH_TOKENS - 1] + tokens(90)).tokens == []
    assert pool.session("c", ROTATING, prompt=held).tokens == []


def test_a_rotated_session_is_copied_as_far_as_it_reaches(tiny: engine.Model) -> None:
    pool = engine.SessionPool(tiny, PLENTY)
    answer(pool.session("a", ROTATING), tokens(300))
    near, far = [*tokens(290), 1, 2], [*tokens(200), 1, 2]
    assert pool.session("b", ROTATING, far).tokens == []
    fork = pool.session("c", ROTATING, near)
    assert fork.tokens == tokens(290)
    assert answer(fork, near) == answer(tiny.session(ROTATING), near)


def test_others_make_room_before_a_prompt_is_refused(tiny: engine.Model, tmp_path: Path) -> None:
    need = SessionNeed(tiny.config, engine.CachePolicy(), 4)
    model = limited(tiny, need.prefill_bytes(412, 16) + 7 * need.cache_bytes(150) // 2)
    pool = engine.SessionPool(model, PLENTY, tmp_path, PLENTY)
    held = fill(pool, "abc")
    assert all(pool.held(key) for key in "abc")
    session = pool.session("d", prompt=tokens(400))
    assert [key for key in "abcd" if pool.held(key)] == ["c", "d"]
    assert answer(session, tokens(400))
    assert pool.session("c").tokens == held["c"]


def test_without_memory_for_a_copy_a_fork_starts_empty(tiny: engine.Model) -> None:
    model = limited(tiny, 1 << 24)
    pool = engine.SessionPool(model, PLENTY)
    held = fill(pool, "a")["a"]
    room = model.common.guard.room_bytes()
    assert room is not None
    ballast = mx.zeros((room - 1000,), mx.uint8)
    mx.eval(ballast)
    assert pool.session("b", prompt=held).tokens == []
    assert pool.held("a") is None, "it made room"
