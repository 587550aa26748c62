"""A second start hands over to the first, whatever state the first is in."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import tempfile
import threading
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from typing_extensions import override

from app.instance import Listener, Lock, hand_over

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pytestqt.qtbot import QtBot

ROOT = Path(__file__).parents[2]

pytestmark = pytest.mark.usefixtures("qapp")  # sockets are watched by its loop


class First:
    """A running application and what later starts asked of it."""

    def __init__(self, folder: Path) -> None:
        self.lock = Lock(folder)
        assert self.lock.take()
        self.listener = Listener(self.lock)
        self.asked: list[list[str]] = []
        self.listener.asked.connect(self.asked.append)

    @property
    def place(self) -> Path:
        """Where it listens."""
        return Path(self.lock.read())

    def close(self) -> None:
        self.listener.close()
        self.lock.release()


@pytest.fixture
def first(tmp_path: Path) -> Iterator[First]:
    first = First(tmp_path / "data")
    yield first
    first.close()


class Second(threading.Thread):
    """A later start, in a thread so that the first can answer."""

    def __init__(self, folder: Path, paths: list[str], patience_s: float = 20.0) -> None:
        super().__init__()
        self.lock = Lock(folder)
        self.result = "none yet"
        self._paths, self._patience_s = paths, patience_s
        self.start()

    @override
    def run(self) -> None:
        self.result = hand_over(self.lock, self._paths, self._patience_s)

    def done(self) -> bool:
        return not self.is_alive()


def test_the_paths_of_a_second_start_reach_the_first(first: First, qtbot: QtBot) -> None:
    folder = Path(first.lock._path).parent
    paths = ["/models/a b.gguf", "/模型/β", "x" * 100_000]
    second = Second(folder, paths)
    qtbot.waitUntil(second.done)
    assert second.result == "handed"
    assert first.asked == [paths]
    again = Second(folder, [])
    qtbot.waitUntil(again.done)
    assert first.asked == [paths, []]


def test_only_the_user_can_reach_the_socket(first: First) -> None:
    assert first.place.is_socket()
    assert first.place.parent.stat().st_mode & 0o077 == 0
    assert first.place.parent.stat().st_uid == os.getuid()


def test_folders_of_their_own_keep_users_apart(first: First, tmp_path: Path) -> None:
    other = Lock(tmp_path / "another user")
    assert hand_over(other, ["/a"]) == "first"
    other.release()
    assert first.asked == []


def test_after_the_end_the_next_one_is_the_first(tmp_path: Path) -> None:
    first = First(tmp_path)
    place = first.place
    first.close()
    assert not place.parent.exists()
    second = Lock(tmp_path)
    assert hand_over(second, ["/a"]) == "first"
    second.release()


def test_a_start_waits_for_one_that_is_ending(tmp_path: Path, qtbot: QtBot) -> None:
    first = First(tmp_path)
    first.listener.close()  # as the window closes; the last words are still being saved
    second = Second(tmp_path, ["/a"])
    qtbot.wait(120)
    assert second.is_alive()
    first.lock.release()
    qtbot.waitUntil(second.done)
    assert second.result == "first"
    second.lock.release()


def test_a_start_waits_for_one_that_has_only_begun(tmp_path: Path, qtbot: QtBot) -> None:
    lock = Lock(tmp_path)
    assert lock.take()
    second = Second(tmp_path, ["/a"])
    qtbot.wait(120)
    listener = Listener(lock)
    asked: list[list[str]] = []
    listener.asked.connect(asked.append)
    qtbot.waitUntil(second.done)
    assert (second.result, asked) == ("handed", [["/a"]])
    listener.close()
    lock.release()


def test_one_that_hangs_is_not_waited_for_for_ever(tmp_path: Path) -> None:
    lock = Lock(tmp_path)
    assert lock.take()
    assert hand_over(Lock(tmp_path), [], patience_s=0.1) == "silent"
    lock.release()


CRASHING = """
import sys
from pathlib import Path
from PySide6.QtCore import QCoreApplication
from app.instance import Listener, Lock
application = QCoreApplication([])
lock = Lock(Path(sys.argv[1]))
assert lock.take()
listener = Listener(lock)
print(lock.read(), flush=True)
application.exec()
"""


def test_what_a_crash_leaves_behind_is_cleared_away(tmp_path: Path) -> None:
    process = subprocess.Popen(
        [sys.executable, "-c", CRASHING, str(tmp_path)], cwd=ROOT, stdout=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    place = Path(process.stdout.readline().strip())
    assert place.is_socket()
    process.send_signal(signal.SIGKILL)
    process.communicate()
    assert place.is_socket()
    lock = Lock(tmp_path)
    assert hand_over(lock, []) == "first"
    listener = Listener(lock)
    assert not place.parent.exists()
    assert lock.read() != str(place)
    listener.close()
    lock.release()


def test_nothing_but_an_old_socket_of_ours_is_removed(tmp_path: Path) -> None:
    kept = tmp_path / "cutaway-x" / "letter"
    kept.parent.mkdir()
    kept.write_text("dear", encoding="utf-8")
    lock = Lock(tmp_path)
    assert lock.take()
    lock.write(str(kept))
    listener = Listener(lock)
    assert kept.exists()
    listener.close()
    lock.release()


def test_long_temporary_folders_are_no_obstacle(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    long = tmp_path / ("a" * 90) / ("b" * 90)
    long.mkdir(parents=True)
    monkeypatch.setattr(tempfile, "tempdir", str(long))
    first = First(tmp_path / "data")
    assert len(os.fsencode(first.place)) < 100
    assert list(long.iterdir()) == []
    first.close()


def test_without_a_place_for_a_socket_the_program_still_runs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "missing"))
    first = First(tmp_path / "data")
    assert first.lock.read() == ""
    first.close()


@pytest.mark.parametrize(
    "message",
    [b"", b"\n", b"{}\n", b'{"open": "x"}', b"[" * 5000 + b"\n", b"\xff\n", b"x" * (2 << 20)],
)
def test_what_is_no_message_is_not_heard(first: First, qtbot: QtBot, message: bytes) -> None:
    answers: list[bytes] = []

    def talk() -> None:
        with socket.socket(socket.AF_UNIX) as connection:
            connection.connect(str(first.place))
            try:
                connection.sendall(message)
                connection.shutdown(socket.SHUT_WR)
                answers.append(connection.recv(10))
            except OSError:  # the listener has hung up
                answers.append(b"")

    thread = threading.Thread(target=talk)
    thread.start()
    qtbot.waitUntil(lambda: not thread.is_alive())
    assert answers == [b""]
    assert first.asked == []


def test_wrong_kinds_of_paths_are_left_out(first: First, qtbot: QtBot) -> None:
    with socket.socket(socket.AF_UNIX) as connection:
        connection.connect(str(first.place))
        connection.sendall(json.dumps({"open": ["/a", 5, None]}).encode() + b"\n")
        qtbot.waitUntil(lambda: first.asked == [["/a"]])
        assert connection.recv(10) == b"ok\n"


def test_one_who_says_nothing_is_cut_off_at_the_end(first: First, qtbot: QtBot) -> None:
    with socket.socket(socket.AF_UNIX) as connection:
        connection.connect(str(first.place))
        qtbot.wait(50)
        first.listener.close()
        assert connection.recv(10) == b""


def test_a_folder_that_cannot_be_written_to_is_said(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(OSError, match="file"):
        Lock(tmp_path / "file" / "data").take()
    assert Lock(tmp_path / "nowhere").read() == ""
