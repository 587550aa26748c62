"""The log on disk: a file that is turned over, and where a crash of native code left its trace."""

from __future__ import annotations

import faulthandler
import logging
import queue
import threading
from contextlib import suppress
from typing import TYPE_CHECKING

from typing_extensions import override

from app.log import OWN, PlainFormatter

if TYPE_CHECKING:
    from io import TextIOWrapper
    from pathlib import Path

    from app.log import Lines

NAME = "cutaway.log"
CRASH_NAME = "crash.txt"
_LARGEST_BYTES = 1 << 20
_OLD_FILES = 3
_LONGEST_CRASH = 6000


class LogFile(logging.Handler):
    """Writes records on a thread of its own, so that whoever logs does not wait for the disk."""

    def __init__(self, folder: Path, lines: Lines) -> None:
        """Begin to write.

        Args:
            folder: Where; it is made on the thread.
            lines: What was noted before goes first.
        """
        super().__init__()
        self.setFormatter(PlainFormatter())
        self._folder = folder
        self._crash: TextIOWrapper | None = None
        self._waiting: queue.SimpleQueue[str | None] = queue.SimpleQueue()
        for line in lines.since(0)[1]:
            self._waiting.put(line)
        # As a daemon it holds no process up that ends without `close`.
        self._thread = threading.Thread(target=self._run, name="log", daemon=True)
        self._thread.start()

    @override
    def emit(self, record: logging.LogRecord) -> None:
        try:
            self._waiting.put(self.format(record))
        except Exception:  # noqa: BLE001 - what is logged is never a reason to fail
            self.handleError(record)

    @override
    def close(self) -> None:
        """Write what waits, and end the thread."""
        self._waiting.put(None)
        self._thread.join()
        super().close()

    def _run(self) -> None:
        # Imported here: it is for the disk alone, and takes a moment.
        from logging.handlers import RotatingFileHandler

        try:
            self._folder.mkdir(parents=True, exist_ok=True)
            file = RotatingFileHandler(
                self._folder / NAME,
                maxBytes=_LARGEST_BYTES,
                backupCount=_OLD_FILES,
                encoding="utf-8",
                errors="replace",
            )
        except OSError:  # the log in memory has to do
            while self._waiting.get() is not None:
                pass
            return
        self._watch_for_crashes()
        try:
            while (text := self._waiting.get()) is not None:
                with suppress(OSError):
                    # Its own formatter would write the time a second time.
                    file.emit(logging.makeLogRecord({"msg": text}))
        finally:
            file.close()
            self._forget_crashes()

    def _watch_for_crashes(self) -> None:
        """Note the trace that the run before left, and have this run leave one.

        Traces of native crashes hold the names of files and functions only.
        """
        path = self._folder / CRASH_NAME
        with suppress(OSError):
            if path.exists() and (trace := path.read_text("utf-8", "replace").strip()):
                told = f"The run before ended in a crash:\n{trace[:_LONGEST_CRASH]}"
                logging.getLogger(OWN).warning("%s", told)
            self._crash = path.open("w", encoding="utf-8")
            faulthandler.enable(self._crash)

    def _forget_crashes(self) -> None:
        if self._crash is not None:
            faulthandler.disable()
            self._crash.close()
            with suppress(OSError):
                (self._folder / CRASH_NAME).unlink()
