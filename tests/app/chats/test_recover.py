"""Damaged files: what can be read is brought over, and the damaged file is never overwritten."""

import contextlib
import random
import sqlite3
import subprocess
import sys
import time
from pathlib import Path

import pytest

from app.chats import recover as recovering
from app.chats.errors import DamagedError
from app.chats.library import new_preset, new_prompt
from app.chats.model import Figures, new_attachment
from app.chats.recover import recover
from app.chats.settings import ChatSettings
from app.chats.store import Store
from app.chats.thread import StoreThread
from tests.app.chats.planting import Talk, planted
from tests.app.chats.published import PUBLISHED

_ROOT = Path(__file__).parents[3]


@pytest.fixture
def full(path: Path) -> set[str]:
    """A closed file of many chats, one with a word in every column; returns all texts."""
    with contextlib.closing(Store(path)) as store:
        talks = [planted(store, f"Talk {number}") for number in range(30)]
        for talk in talks:
            _fill(talk)
        store.set_settings(talks[0].chat.id, ChatSettings(system_prompt="Be brief."))
        store.set_pinned([talks[0].chat.id], pinned=True)
        store.branches.edit(talks[0].ids["q1"], "q1b")
        store.library.save_preset(new_preset("Cold", ChatSettings("Be cold.")))
        store.library.save_prompt(new_prompt("Pirate", "Talk like a pirate."))
        return {row[0] for row in store._database.execute("SELECT text FROM message")}


def _fill(talk: Talk) -> None:
    long = f"long {talk.chat.title} " + "word " * 3000  # goes on in overflow pages
    talk.say("q3", "r2", new_attachment("notes.txt", "text/plain", long, len(long)))
    talk.say(long, "q3")
    reply = talk.ids[long]
    talk.store.save_reply(reply, long, "complete", range(3000), Figures(tokens=3000), "starter")


def _texts(path: Path) -> set[str]:
    with contextlib.closing(sqlite3.connect(path)) as connection:
        return {row[0] for row in connection.execute("SELECT text FROM message")}


def _smash(path: Path, start: int, length: int) -> bytes:
    with path.open("r+b") as file:
        file.seek(start)
        file.write(b"\xa5" * length)
    return path.read_bytes()


def test_a_sound_file_comes_over_whole(path: Path, full: set[str]) -> None:
    with contextlib.closing(Store(path)) as store:
        before = {one.chat.id: store.archive(one.chat.id) for one in store.chats()}
    recovery = recover(path)
    assert (recovery.chats, recovery.messages) == (30, 30 * 6 + 1)
    with contextlib.closing(Store(path)) as store:
        assert {one.chat.id: store.archive(one.chat.id) for one in store.chats()} == before
        assert [preset.settings.system_prompt for preset in store.library.presets()] == ["Be cold."]
        assert [prompt.text for prompt in store.library.prompts()] == ["Talk like a pirate."]
        assert store.search.find("q1b")
    assert _texts(path) == full


@pytest.mark.parametrize("version", PUBLISHED)
def test_every_version_can_be_recovered(path: Path, version: int) -> None:
    with contextlib.closing(sqlite3.connect(path)) as connection:
        connection.executescript(PUBLISHED[version])
    recover(path)
    with contextlib.closing(Store(path)) as store:
        question, reply = store.branch("c")
        assert (question.text, reply.text, reply.token_ids) == ("Wörds", "Half a rep", (5, 65535))
        assert reply.figures == Figures(prompt_tokens=4, tokens=2, ttft_s=0.5)
        assert [one.chat.title for one in store.chats()] == ["Old chat"]
        draft = store.drafts.read("c")
        with_drafts = 3  # from this version on
        assert draft.text == ("Half a question" if version >= with_drafts else "")


@pytest.mark.parametrize("damage", ["header", "schema", "middle", "cut"])
def test_what_can_be_read_is_brought_over(path: Path, full: set[str], damage: str) -> None:
    size = path.stat().st_size
    if damage == "cut":
        with path.open("r+b") as file:
            file.truncate(size * 3 // 4 + 100)
        damaged = path.read_bytes()
    else:
        start, length = {"header": (18, 60), "schema": (100, 3996), "middle": (size // 2, 9000)}[
            damage
        ]
        damaged = _smash(path, start, length)
    recovery = recover(path)
    assert recovery.kept.read_bytes() == damaged
    assert recovery.kept.name == "chats.damaged-1.sqlite3"
    assert str(recovery.kept) in recovery.sentence
    found = _texts(path)
    assert found <= full
    assert len(found) >= len(full) // 2 if damage == "cut" else len(found) >= len(full) * 0.8
    with contextlib.closing(Store(path)) as store:
        assert store.check(lambda: False)
        assert store._database.execute("PRAGMA foreign_key_check").fetchall() == []


def test_nothing_to_read_leaves_the_file(path: Path) -> None:
    path.write_bytes(b"Dear diary,\n" * 5000)
    with pytest.raises(DamagedError, match="left as it is"):
        recover(path)
    assert path.read_bytes() == b"Dear diary,\n" * 5000
    assert list(path.parent.iterdir()) == [path]
    path.write_bytes(b"")
    with pytest.raises(DamagedError):
        recover(path)


def test_the_log_counts(path: Path, full: set[str]) -> None:
    store = Store(path)
    talk = planted(store, "In the log")
    talk.say("q-log", "r2")
    copy = path.with_name("copy.sqlite3")
    copy.write_bytes(path.read_bytes())
    log = path.with_name(f"{path.name}-wal").read_bytes()
    copy.with_name(f"{copy.name}-wal").write_bytes(log)
    store.close()
    _smash(copy, 18, 60)
    recovery = recover(copy)
    assert _texts(copy) == full | {"q-log"}
    assert recovery.kept.with_name(f"{recovery.kept.name}-wal").read_bytes() == log
    assert not copy.with_name(f"{copy.name}-wal").exists()


def test_a_recovery_that_was_killed_is_done_again_from_the_kept_copy(
    path: Path, full: set[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Killed after the log was removed and before the new file was in place."""
    _smash(path, 18, 60)
    kept = recovering._keep(path)
    recovery = recover(path)
    assert recovery.kept == kept
    assert _texts(path) == full
    _smash(path, 18, 60)

    def killed(self: Path, target: Path) -> None:
        if target == path:
            raise KeyboardInterrupt
        self.rename(target)

    with monkeypatch.context() as context:
        context.setattr(Path, "replace", killed)
        with pytest.raises(KeyboardInterrupt):
            recover(path)
    second = recover(path)
    assert second.kept.name == "chats.damaged-2.sqlite3"
    assert _texts(path) == full
    assert sorted(one.name for one in path.parent.iterdir()) == [
        "chats.damaged-1.sqlite3",
        "chats.damaged-2.sqlite3",
        "chats.sqlite3",
    ]


def test_what_was_deleted_stays_deleted(path: Path) -> None:
    with contextlib.closing(Store(path)) as store:
        talk, other, third = (planted(store, title) for title in ("Talk", "Other", "Third"))
        store.trash.delete_chats([other.chat.id])
        store.trash.delete_message(talk.ids["r1"])
        store.trash.delete_branch(talk.ids["r2"])
        store.delete_chat(third.chat.id)
    recover(path)
    with contextlib.closing(Store(path)) as store:
        (summary,) = store.chats()
        assert summary.chat.id == talk.chat.id
        branch = store.branch(talk.chat.id)
        assert [message.text for message in branch] == ["q1", "q2"]
        assert branch[1].parent_id == branch[0].id


def test_random_damage_never_crashes(path: Path, full: set[str]) -> None:
    sound = path.read_bytes()
    dice = random.Random(8)
    recovered = 0
    for _ in range(25):
        content = bytearray(sound)
        for _ in range(dice.choice((1, 20, 400))):
            at, length = dice.randrange(len(content) - 600), dice.choice((1, 4, 600))
            content[at : at + length] = dice.randbytes(length)
        path.write_bytes(content[: dice.choice((len(content), dice.randrange(len(content))))])
        with contextlib.suppress(DamagedError):
            recovered += recover(path).messages
            with contextlib.closing(Store(path)) as store:
                assert store.check(lambda: False)
                for summary in store.chats():
                    assert store.open_chat(summary.chat.id) is not None
    assert recovered > 25 * len(full) // 2


_RECOVERER = """
import sys
from pathlib import Path
from app.chats.recover import recover
print("ready", flush=True)
recover(Path(sys.argv[1]))
"""


def test_a_kill_while_recovering_loses_nothing(path: Path, full: set[str]) -> None:
    damaged = _smash(path, 18, 60)
    dice = random.Random(1)
    for _ in range(6):
        with subprocess.Popen(
            [sys.executable, "-c", _RECOVERER, str(path)], cwd=_ROOT, stdout=subprocess.PIPE
        ) as process:
            assert process.stdout is not None
            process.stdout.readline()
            time.sleep(dice.uniform(0, 0.3))
            process.kill()
        if path.read_bytes() != damaged:
            break
    with StoreThread(path) as thread:
        thread.opened.result(10)
    assert _texts(path) == full
    kept = list(path.parent.glob("chats.damaged-*.sqlite3"))
    assert [one.read_bytes() for one in kept] == [damaged]
