"""The store's thread: order, coalescing, errors, closing, and processes that are killed."""

import contextlib
import random
import shutil
import sqlite3
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from app.chats import database
from app.chats.apart import beside
from app.chats.errors import StoreError
from app.chats.model import new_chat, new_message, new_reply
from app.chats.schema import MIGRATIONS
from app.chats.store import Store
from app.chats.thread import StoreThread
from tests.app.chats.planting import planted
from tests.app.chats.published import PUBLISHED

_ROOT = Path(__file__).parents[3]

# Asks and streams replies without end; says what the store has acknowledged, a line each.
_STREAMER = """
import sys
from pathlib import Path
from app.chats.model import new_chat, new_message, new_reply
from app.chats.thread import StoreThread

def say(*words):
    print(*words, flush=True)

thread = StoreThread(Path(sys.argv[1]))
thread.opened.result()
chat = new_chat()
thread.submit(lambda store: store.create_chat(chat)).result()
say("chat", chat.id, 0)
parent = None
for turn in range(10**9):
    question = new_message(chat.id, parent, "user", f"question {turn}")
    thread.submit(lambda store: store.add_message(question)).result()
    say("question", question.id, len(question.text))
    reply = new_reply(chat.id, question.id, "starter")
    thread.submit(lambda store: store.add_message(reply)).result()
    say("reply", reply.id, 0)
    text = ""
    for step in range(8):
        text += f"word{step} " * 50
        thread.save_reply(reply.id, text, "streaming", list(range(step))).result()
        say("reply", reply.id, len(text))
    thread.save_reply(reply.id, text, "complete").result()
    say("complete", reply.id, len(text))
    parent = reply.id
    if "edit" in sys.argv:
        edit = lambda store: store.branches.edit(question.id, f"question {turn}, edited")
        edited = thread.submit(edit).result()
        say("question", edited.id, len(edited.text))
        again = thread.submit(lambda store: store.branches.regenerate(reply.id, "starter")).result()
        say("reply", again.id, 0)
        number = thread.submit(lambda store: store.trash.delete_branch(edited.id)).result()
        thread.submit(lambda store: store.trash.undo(number)).result()
        thread.submit(lambda store: store.branches.show(reply.id)).result()
"""


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "chats.sqlite3"


@pytest.fixture
def thread(path: Path) -> Iterator[StoreThread]:
    with StoreThread(path) as thread:
        yield thread


class _Gate:
    """Work that holds the store's thread until it is opened, so that calls pile up behind it."""

    def __init__(self, thread: StoreThread) -> None:
        self._opened = threading.Event()
        entered = threading.Event()

        def wait(_: Store) -> None:
            entered.set()
            assert self._opened.wait(10)

        self.passed = thread.submit(wait)
        assert entered.wait(10)

    def open(self) -> None:
        self._opened.set()
        self.passed.result(10)


def test_calls_run_in_order_on_one_thread(thread: StoreThread) -> None:
    seen: list[int] = []
    names: set[str] = set()

    def work(number: int) -> int:
        seen.append(number)
        names.add(threading.current_thread().name)
        return number * number

    futures = [thread.submit(lambda _, n=n: work(n)) for n in range(50)]
    assert [future.result(10) for future in futures] == [n * n for n in range(50)]
    assert seen == list(range(50))
    assert names == {"chats"}


def test_waiting_saves_of_one_reply_become_one(thread: StoreThread) -> None:
    chat = new_chat()
    question = new_message(chat.id, None, "user", "Go on")
    first, second = (new_reply(chat.id, question.id, "starter") for _ in range(2))
    thread.submit(lambda store: store.create_chat(chat))
    for message in (question, first, second):
        thread.submit(lambda store, message=message: store.add_message(message))
    traced: list[str] = []
    thread.submit(lambda store: store._database.set_trace_callback(traced.append)).result(10)
    gate = _Gate(thread)
    ids = [1]
    early = thread.save_reply(first.id, "a", "streaming", ids)
    late = thread.save_reply(first.id, "ab", "streaming", ids)
    ids.append(2)  # belongs to nobody's save yet
    other = thread.save_reply(second.id, "x", "streaming")
    again = thread.save_reply(first.id, "abc", "stopped", ids)
    assert early is late
    assert len({id(future) for future in (late, other, again)}) == 3
    assert not early.cancel()
    gate.open()
    assert again.result(10)
    assert len({one for one in traced if one.startswith("UPDATE message SET text")}) == 3
    texts = {
        row[0]: row[1:]
        for row in thread.submit(
            lambda store: store._database.execute(
                "SELECT id, text, state, length(token_ids) FROM message"
            ).fetchall()
        ).result(10)
    }
    assert texts[first.id] == ("abc", "stopped", 8)
    assert texts[second.id] == ("x", "streaming", 0)


def test_close_does_what_was_asked_for_first(path: Path) -> None:
    thread = StoreThread(path)
    gate = _Gate(thread)
    chats = [new_chat(str(number)) for number in range(20)]
    futures = [thread.submit(lambda store, chat=chat: store.create_chat(chat)) for chat in chats]
    gate.open()
    thread.close()
    thread.close()
    assert all(future.done() for future in futures)
    with pytest.raises(StoreError, match="closed"):
        thread.submit(Store.chats).result(0)
    store = Store(path)
    assert {summary.chat.title for summary in store.chats()} == {str(n) for n in range(20)}
    store.close()


def test_an_error_reaches_its_caller_and_the_thread_goes_on(thread: StoreThread) -> None:
    orphan = new_message("nowhere", None, "user", "Hello?")
    failed = thread.submit(lambda store: store.add_message(orphan))
    broken = thread.submit(lambda _: 1 // 0)
    with pytest.raises(StoreError):
        failed.result(10)
    with pytest.raises(ZeroDivisionError):
        broken.result(10)
    assert thread.submit(Store.chats).result(10) == ()


def test_where_nothing_can_be_kept_every_call_fails(path: Path) -> None:
    path.write_bytes(b"not a database " * 100)
    beside(path).mkdir()
    with StoreThread(path) as thread:
        with pytest.raises(StoreError, match="damaged"):
            thread.opened.result(10)
        with pytest.raises(StoreError, match="damaged"):
            thread.submit(Store.chats).result(10)
        with pytest.raises(StoreError, match="damaged"):
            thread.save_reply("r", "text", "streaming").result(10)


def test_a_thread_whose_file_cannot_be_opened_ends(path: Path) -> None:
    path.mkdir()
    thread = StoreThread(path, retry_s=0.01)
    with pytest.raises(StoreError):
        thread.opened.result(10)
    time.sleep(0.05)
    thread.close()
    assert thread.reopened.cancelled()


def _stream_and_kill(path: Path, after_s: float, *more: str) -> list[tuple[str, str, int]]:
    """Let a process stream into the file, kill it, and return what it had acknowledged."""
    with subprocess.Popen(
        [sys.executable, "-c", _STREAMER, str(path), *more],
        cwd=_ROOT,
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdout is not None
        first = process.stdout.readline()
        time.sleep(after_s)
        process.kill()
        lines = [first, *process.stdout.read().split("\n")[:-1]]
    words = [line.split() for line in lines]
    return [(kind, message_id, int(length)) for kind, message_id, length in words]


def test_a_kill_while_streaming_loses_nothing_that_was_saved(path: Path) -> None:
    dice = random.Random(7)
    states: set[str] = set()
    saved: dict[str, int] = {}
    for _ in range(12):
        lines = _stream_and_kill(path, dice.uniform(0, 0.12))
        (_, chat_id, _), *messages = lines
        saved |= {message_id: length for _, message_id, length in messages}
        complete = {message_id for kind, message_id, _ in messages if kind == "complete"}
        store = Store(path)
        branch = store.branch(chat_id)
        assert {message_id for _, message_id, _ in messages} <= {m.id for m in branch}
        for message in branch:
            assert len(message.text) >= saved.get(message.id, 0)
            assert message.state != "streaming"
            assert message.state == "complete" or message.id not in complete
        states |= {message.state for message in branch}
        kept = {m.id: len(m.text) for s in store.chats() for m in store.branch(s.chat.id)}
        assert all(kept[message_id] >= length for message_id, length in saved.items())
        store.close()
    assert states == {"complete", "interrupted"}


@pytest.mark.slow
def test_many_kills_while_streaming_and_editing(path: Path) -> None:
    dice = random.Random(9)
    saved: dict[str, int] = {}
    for _ in range(100):
        lines = _stream_and_kill(path, dice.uniform(0, 0.15), "edit")
        saved |= {message_id: length for kind, message_id, length in lines if kind != "chat"}
        with contextlib.closing(Store(path)) as store:
            assert store.check(lambda: False)
            rows = store._database.execute("SELECT id, length(text) FROM message").fetchall()
            kept = dict(rows)
            assert all(kept[message_id] >= length for message_id, length in saved.items())
            for summary in store.chats():
                assert store.open_chat(summary.chat.id) is not None


def test_a_damaged_file_is_recovered_and_said_to_be(path: Path) -> None:
    with contextlib.closing(Store(path)) as store:
        talk = planted(store)
    with path.open("r+b") as file:
        file.seek(18)
        file.write(b"\xa5" * 60)
    with StoreThread(path) as thread:
        recovery = thread.opened.result(10)
        assert recovery is not None
        assert "1 chat with 4 messages could be recovered" in recovery.sentence
        assert len(thread.submit(lambda store: store.branch(talk.chat.id)).result(10)) == 4
    with StoreThread(path) as thread:
        assert thread.opened.result(10) is None
    assert thread.checked.cancelled()


def test_a_file_is_looked_through_when_nobody_asks_for_anything(path: Path) -> None:
    with StoreThread(path, idle_s=0.0) as thread:
        assert thread.checked.result(10) is None
        assert thread.submit(Store.chats).result(10) == ()


def test_damage_that_is_seen_late_is_recovered_at_the_next_start(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(database, "CHECKED_BYTES", 0)
    with contextlib.closing(Store(path)) as store:
        for number in range(40):
            planted(store, f"Talk {number} {'x' * 500}")
        leaf = store._database.execute(
            "SELECT rootpage FROM sqlite_schema WHERE name = 'message_by_parent'"
        ).fetchone()[0]
    with path.open("r+b") as file:
        file.seek((leaf - 1) * 4096)
        file.write(b"\xa5" * 4096)
    with StoreThread(path, idle_s=0.0) as thread:
        assert thread.opened.result(10) is None
        with pytest.raises(StoreError, match="damaged"):
            thread.checked.result(10)
    with StoreThread(path) as thread:
        recovery = thread.opened.result(10)
        assert recovery is not None
        assert (recovery.chats, recovery.messages) == (40, 160)


def test_chats_without_a_file_leave_nothing_behind(tmp_path: Path) -> None:
    with StoreThread(None, idle_s=0.0) as thread:
        talk = thread.submit(planted).result(10)
        archive = thread.submit(lambda store: store.archive(talk.chat.id)).result(10)
        assert len(thread.submit(lambda store: store.search.find("q1")).result(10)) == 1
        thread.checked.result(10)
    assert list(tmp_path.iterdir()) == []
    assert archive is not None
    with contextlib.closing(Store(tmp_path / "chats.sqlite3")) as store:
        store.imports.keep(archive)
        assert store.archive(talk.chat.id) == archive


_MIGRATOR = """
import sys
from pathlib import Path
from app.chats.store import Store
print("ready", flush=True)
Store(Path(sys.argv[1])).close()
print("done", flush=True)
"""


def _version_1(path: Path, chats: int) -> None:
    with contextlib.closing(sqlite3.connect(path)) as connection:
        connection.executescript(PUBLISHED[1])
        for number in range(chats):
            connection.execute(
                "INSERT INTO chat VALUES (?, 'Many', ?, ?, NULL)", (f"c{number}", number, number)
            )
            connection.executemany(
                "INSERT INTO message VALUES (?, ?, ?, 'user', ?, 'complete', ?, NULL, x'', NULL)",
                [
                    (
                        f"{number}.{n}",
                        f"c{number}",
                        f"{number}.{n - 1}" if n else None,
                        "w " * 99,
                        n,
                    )
                    for n in range(20)
                ],
            )
        connection.execute("UPDATE chat SET leaf_id = substr(id, 2) || '.19' WHERE id <> 'c'")
        connection.commit()


def _killed_migrations(tmp_path: Path, rounds: int, seed: int) -> None:
    dice = random.Random(seed)
    original = tmp_path / "original.sqlite3"
    _version_1(original, 300)
    versions: set[int] = set()
    for number in range(rounds):
        path = tmp_path / f"{number}.sqlite3"
        shutil.copyfile(original, path)
        with subprocess.Popen(
            [sys.executable, "-c", _MIGRATOR, str(path)], cwd=_ROOT, stdout=subprocess.PIPE
        ) as process:
            assert process.stdout is not None
            process.stdout.readline()
            time.sleep(dice.uniform(0, 0.5))
            process.kill()
        with contextlib.closing(sqlite3.connect(path)) as connection:
            versions.add(connection.execute("PRAGMA user_version").fetchone()[0])
        with contextlib.closing(Store(path)) as store:
            assert len(store.chats()) == 301
            assert store._database.execute("SELECT count(*) FROM message").fetchone() == (6002,)
            assert len(store.branch("c7")) == 20
            assert store.check(lambda: False)
        assert list(tmp_path.glob(f"{number}.v1-backup-*.sqlite3"))
    assert versions <= {*range(1, len(MIGRATIONS) + 1)}


def test_a_kill_while_migrating_loses_nothing(tmp_path: Path) -> None:
    _killed_migrations(tmp_path, 4, seed=2)


@pytest.mark.slow
def test_many_kills_while_migrating(tmp_path: Path) -> None:
    _killed_migrations(tmp_path, 40, seed=6)
