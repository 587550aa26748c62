"""What the application notes while it runs: in memory for the log window, in a file under Logs.

No line holds what was said in a chat. The application's own records say what happened, never in
whose words; of other packages' records only the template is kept, of exceptions the places, and
their sentence where Python or the system wrote it.
"""

from __future__ import annotations

import logging
import sys
import threading
import traceback
from collections import deque
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QtMsgType, Signal, qInstallMessageHandler
from typing_extensions import override

if TYPE_CHECKING:
    from collections.abc import Callable
    from types import TracebackType

    from PySide6.QtCore import QMessageLogContext

    from app.log_file import LogFile

OWN = "cutaway"
"""The logger of the application; what it is told may be shown to anyone."""

_MOST_LINES = 2000
_LONGEST_LINE = 1000
_LONGEST_FOREIGN = 200
_FRAMES = 30
_FORMAT = "%(asctime)s.%(msecs)03d %(levelname)-7s %(name)s: %(message)s"
_DATES = "%Y-%m-%d %H:%M:%S"

# Their sentences come from Python or the system; those of others may quote what was typed.
_TELLING = (
    OSError, ImportError, AttributeError, NameError, TypeError, RuntimeError, MemoryError,
    ArithmeticError,
)  # fmt: skip

_LEVELS = {
    QtMsgType.QtDebugMsg: logging.DEBUG,
    QtMsgType.QtInfoMsg: logging.INFO,
    QtMsgType.QtWarningMsg: logging.WARNING,
    QtMsgType.QtCriticalMsg: logging.ERROR,
    QtMsgType.QtFatalMsg: logging.CRITICAL,
}


class PlainFormatter(logging.Formatter):
    """Writes one record as short lines without anybody's words."""

    def __init__(self) -> None:
        super().__init__(_FORMAT, _DATES)
        self._home = str(Path.home())

    @override
    def format(self, record: logging.LogRecord) -> str:
        own = record.name.partition(".")[0] == OWN
        message = record.getMessage() if own else str(record.msg)[:_LONGEST_FOREIGN]
        left_out = dict.fromkeys(("args", "exc_info", "exc_text", "stack_info"))
        text = super().format(
            logging.makeLogRecord({**record.__dict__, **left_out, "msg": message})
        )
        if record.exc_info and record.exc_info[1] is not None:
            text = f"{text}\n{told_exception(record.exc_info[1])}"
        return self._without_home("\n".join(line[:_LONGEST_LINE] for line in text.splitlines()))

    def _without_home(self, text: str) -> str:
        """The user's name stands in the path of the home folder."""
        return text.replace(self._home, "~") if len(self._home) > 1 else text


def told_exception(error: BaseException) -> str:
    """An exception with the places that it came through, without words that it may quote."""
    frames = traceback.extract_tb(error.__traceback__)[-_FRAMES:]
    lines = [f"  {frame.filename}:{frame.lineno} in {frame.name}" for frame in frames]
    kind = type(error).__qualname__
    lines.append(f"  {kind}: {error}" if isinstance(error, _TELLING) else f"  {kind}")
    if (cause := error.__cause__ or error.__context__) is not None:
        lines.append(f"  from {type(cause).__qualname__}")
    return "\n".join(lines)


class Lines(logging.Handler):
    """The latest lines, in memory; safe to read while any thread logs."""

    def __init__(self, most: int = _MOST_LINES) -> None:
        super().__init__()
        self.setFormatter(PlainFormatter())
        self._lines: deque[str] = deque(maxlen=most)
        self._count = 0

    @override
    def emit(self, record: logging.LogRecord) -> None:
        try:
            text = self.format(record)
        except Exception:  # noqa: BLE001 - what is logged is never a reason to fail
            self.handleError(record)
            return
        for line in text.splitlines():
            self._lines.append(line)
            self._count += 1

    def since(self, count: int) -> tuple[int, tuple[str, ...]]:
        """How many lines there have been, and those after the first `count` that are still here."""
        with self.lock or threading.RLock():
            new = min(self._count - count, len(self._lines))
            return self._count, tuple(self._lines)[len(self._lines) - new :] if new > 0 else ()


class Journal(QObject):
    """Keeps the log from the start of the program to its end; nothing is changed before `begin`.

    Attributes:
        lines: What the log window shows.
        folder: Where it is kept on disk; None where it is not.
    """

    crashed = Signal()
    """An exception was not caught, on whichever thread."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.lines = Lines()
        self.folder: Path | None = None
        self._file: LogFile | None = None
        self._except_hook = sys.excepthook
        self._thread_hook = threading.excepthook
        self._qt_handler: Callable[..., object] | None = None
        self._own = logging.getLogger(OWN)

    def begin(self) -> None:
        """Note what is logged, what nobody catches, and what Qt says."""
        self._own.setLevel(logging.INFO)
        logging.getLogger().addHandler(self.lines)
        self._except_hook, sys.excepthook = sys.excepthook, self._on_uncaught
        self._thread_hook, threading.excepthook = threading.excepthook, self._on_uncaught_in_thread
        self._qt_handler = qInstallMessageHandler(self._on_qt)

    def keep(self, folder: Path) -> None:
        """Keep the log on disk too, from what was noted so far."""
        from app.log_file import LogFile

        self.folder = folder
        self._file = LogFile(folder, self.lines)
        logging.getLogger().addHandler(self._file)

    def end(self) -> None:
        """Leave everything as it was."""
        if self._file is not None:
            logging.getLogger().removeHandler(self._file)
            self._file.close()
            self._file = None
        qInstallMessageHandler(self._qt_handler)
        threading.excepthook = self._thread_hook
        sys.excepthook = self._except_hook
        logging.getLogger().removeHandler(self.lines)
        self._own.setLevel(logging.NOTSET)

    def _on_uncaught(
        self,
        kind: type[BaseException],
        error: BaseException,
        trace: TracebackType | None,
    ) -> None:
        if not issubclass(kind, KeyboardInterrupt):
            self._note(error, "Nobody caught an error.")
        self._except_hook(kind, error, trace)

    def _on_uncaught_in_thread(self, args: threading.ExceptHookArgs) -> None:
        if args.exc_value is not None:
            thread = args.thread.name if args.thread is not None else "?"
            self._note(args.exc_value, f"Nobody caught an error on the thread {thread}.")
        self._thread_hook(args)

    def _note(self, error: BaseException, sentence: str) -> None:
        self._own.error(sentence, exc_info=(type(error), error, error.__traceback__))
        self.crashed.emit()

    def _on_qt(self, kind: QtMsgType, context: QMessageLogContext, message: str) -> None:
        # Qt speaks of its own parts, not of what they show.
        level = _LEVELS.get(kind, logging.WARNING)
        logging.getLogger(f"{OWN}.qt").log(level, "%s", message[:_LONGEST_FOREIGN])
        if self._qt_handler is not None:
            self._qt_handler(kind, context, message)
        elif level >= logging.WARNING and sys.stderr is not None:
            sys.stderr.write(f"{message}\n")
