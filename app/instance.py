"""One running application for each data folder: a second start hands over to the first.

The first holds a lock on a file in the data folder for as long as its process lives, however that
ends, and writes into the file where it listens. So nothing that a crash leaves behind can be taken
for a running application, users are apart because their data folders are, and the socket's path
can be short wherever the data folder is.
"""

from __future__ import annotations

import fcntl
import json
import os
import socket
import tempfile
import time
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from PySide6.QtCore import QObject, QSocketNotifier, QTimer, Signal

from app.chats.loose import as_list, as_mapping

if TYPE_CHECKING:
    from collections.abc import Sequence

Start = Literal["first", "handed", "silent"]

_LOCK = "running"
_PREFIX = "cutaway-"
_SOCKET = "s"
_LONGEST_SOCKET = 100
"""macOS allows 103 bytes, Linux 107."""
_LONGEST_MESSAGE = 1 << 20
_ANSWER_S = 2.0
_PATIENCE_S = 8.0
_PAUSE_S = 0.05
_SILENCE_MS = 2000
_DONE = b"ok\n"


class Lock:
    """The right to use a data folder; the system takes it back when the process ends."""

    def __init__(self, folder: Path) -> None:
        self._path = folder / _LOCK
        self._file: int | None = None

    @property
    def is_held(self) -> bool:
        """Whether this process has the right."""
        return self._file is not None

    def take(self) -> bool:
        """Take the right if nobody has it.

        Raises:
            OSError: The folder cannot be written to, or its file system knows no locks.
        """
        self._path.parent.mkdir(parents=True, exist_ok=True)
        file = os.open(self._path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            os.close(file)
            return False
        except OSError:
            os.close(file)
            raise
        self._file = file
        return True

    def read(self) -> str:
        """What whoever has the right wrote down; "" where that is nothing."""
        try:
            return self._path.read_text(encoding="utf-8", errors="replace")
        except OSError:
            return ""

    def write(self, text: str) -> None:
        """Write something down for others to read; needs the right."""
        assert self._file is not None
        os.ftruncate(self._file, 0)
        os.pwrite(self._file, text.encode(), 0)

    def release(self) -> None:
        """Give the right back."""
        if self._file is not None:
            os.close(self._file)
            self._file = None


class Listener(QObject):
    """Listens for later starts; `asked` carries the paths that they were to open."""

    asked = Signal(list)

    def __init__(self, lock: Lock, parent: QObject | None = None) -> None:
        """Begin to listen; without a place for the socket nothing is heard.

        Args:
            lock: What an earlier process left behind is cleared away where it is held.
            parent: Owns this object.
        """
        super().__init__(parent)
        self._lock = lock
        self._folder: Path | None = None
        self._socket = socket.socket(socket.AF_UNIX)
        self._socket.setblocking(False)
        self._talks: set[_Talk] = set()
        if lock.is_held:
            _clear(lock.read())
            with suppress(OSError):
                self._listen()

    def _listen(self) -> None:
        self._folder = _short_folder()
        place = self._folder / _SOCKET
        self._socket.bind(str(place))
        self._socket.listen(8)
        notifier = QSocketNotifier(self._socket.fileno(), QSocketNotifier.Type.Read, self)
        notifier.activated.connect(self._on_activated)
        self._notifier = notifier
        self._lock.write(str(place))

    def close(self) -> None:
        """Listen no more; the lock stays, so that a later start waits until all is saved."""
        for talk in tuple(self._talks):
            talk.close()
        for notifier in self.findChildren(QSocketNotifier):
            notifier.setEnabled(False)
        self._socket.close()
        if self._folder is not None:
            with suppress(OSError):
                (self._folder / _SOCKET).unlink(missing_ok=True)
                self._folder.rmdir()
            self._folder = None

    def _on_activated(self) -> None:
        try:
            connection, _ = self._socket.accept()
        except OSError:
            return  # whoever came has left
        talk = _Talk(connection, self)
        self._talks.add(talk)
        talk.over.connect(self._on_over)

    def _on_over(self, talk: _Talk) -> None:
        self._talks.discard(talk)
        if talk.paths is not None:
            self.asked.emit(talk.paths)


class _Talk(QObject):
    """One later start that is telling what it wants."""

    over = Signal(object)

    def __init__(self, connection: socket.socket, parent: QObject) -> None:
        super().__init__(parent)
        self.paths: list[str] | None = None
        self._connection = connection
        self._connection.setblocking(False)
        self._heard = b""
        self._notifier = QSocketNotifier(connection.fileno(), QSocketNotifier.Type.Read, self)
        self._notifier.activated.connect(self._on_activated)
        QTimer.singleShot(_SILENCE_MS, self, self.close)

    def close(self) -> None:
        """End the talk, whatever was said."""
        if self._notifier.isEnabled():
            self._notifier.setEnabled(False)
            self._connection.close()
            self.over.emit(self)
            self.deleteLater()

    def _on_activated(self) -> None:
        try:
            new = self._connection.recv(1 << 16)
        except BlockingIOError:
            return
        except OSError:
            new = b""
        self._heard += new
        if self._heard.endswith(b"\n"):
            self.paths = _paths(self._heard)
            if self.paths is not None:
                with suppress(OSError):
                    self._connection.send(_DONE)
        if not new or self._heard.endswith(b"\n") or len(self._heard) > _LONGEST_MESSAGE:
            self.close()


def hand_over(lock: Lock, paths: Sequence[str], patience_s: float = _PATIENCE_S) -> Start:
    """Take the lock, or have whoever holds it open `paths` and come to the front.

    Waits while the other one is about to start or to end.

    Args:
        lock: Of the data folder.
        paths: Absolute.
        patience_s: How long to try.

    Returns:
        "first" where the lock is ours now, "handed" where the other one has taken the paths,
        "silent" where it runs and does not answer.

    Raises:
        OSError: As `Lock.take`.
    """
    until = time.monotonic() + patience_s
    while True:
        if lock.take():
            return "first"
        place = lock.read()
        if place and _tell(place, paths):
            return "handed"
        if time.monotonic() > until:
            return "silent"
        time.sleep(_PAUSE_S)


def _tell(place: str, paths: Sequence[str]) -> bool:
    message = json.dumps({"open": list(paths)}).encode() + b"\n"
    with socket.socket(socket.AF_UNIX) as connection:
        connection.settimeout(_ANSWER_S)
        try:
            connection.connect(place)
            connection.sendall(message)
            return connection.recv(len(_DONE)) == _DONE
        except OSError:
            return False


def _paths(message: bytes) -> list[str] | None:
    """The paths of a message; None where it is not one."""
    try:
        found = json.loads(message)
    except (ValueError, RecursionError):
        return None
    wanted = as_mapping(found)
    if "open" not in wanted:
        return None
    return [path for path in as_list(wanted["open"]) if isinstance(path, str)]


def _short_folder() -> Path:
    """A new folder that only this user can enter, with a path short enough for a socket.

    Raises:
        OSError: There is no place for one.
    """
    for parent in (tempfile.gettempdir(), "/tmp"):
        folder = Path(tempfile.mkdtemp(prefix=_PREFIX, dir=parent))
        if len(os.fsencode(folder)) < _LONGEST_SOCKET - 2:
            return folder
        folder.rmdir()
    raise OSError("there is no folder with a short path")


def _clear(place: str) -> None:
    """Remove what a crash left behind; nothing but a socket in a folder of ours."""
    file = Path(place)
    with suppress(OSError):
        if file.parent.name.startswith(_PREFIX) and file.is_socket():
            file.unlink()
            file.parent.rmdir()
