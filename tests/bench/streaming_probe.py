"""Streams a real reply into the real window, and prints the gaps of its main thread.

A timer ticks every millisecond. How much later than that it comes is how long the main thread
was doing something else, or waited: for the interpreter's lock, or for a core.
"""

import json
import os
import sys
import threading
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path

from PySide6.QtCore import QObject, Qt, QTimer
from PySide6.QtWidgets import QApplication

from app.collector import Collector
from app.cutaway import Cutaway
from app.requests import ReplyEnd, ReplyPiece

_QUESTION = "Write a long story about a lighthouse keeper, with a beginning, a middle and an end."
_TOKENS = 120
_IDLE_MS = 1500
_TIMEOUT_MS = 200_000
_TICK_MS = 1.0

Gap = tuple[float, float | None]
"""Milliseconds of lateness, and those of them in which no Python thread waited for a core."""


class Heartbeat(QObject):
    """Collects the gaps of the main thread, by phase."""

    def __init__(self) -> None:
        super().__init__()
        self.phase = "start"
        self.clocks: list[Callable[[], float]] = _waiting_clocks(threading.get_native_id())
        self.gaps: dict[str, list[Gap]] = {}
        self._timer = QTimer(self, timerType=Qt.TimerType.PreciseTimer)
        self._timer.setInterval(int(_TICK_MS))
        self._timer.timeout.connect(self.on_tick)
        self._at, self._waited_ms = time.perf_counter(), self._waited()
        self._timer.start()

    def watch(self, threads: Sequence[threading.Thread]) -> None:
        """Count as waiting also what others wait, for they may hold the interpreter's lock."""
        own = threading.get_native_id()
        ids = [thread.native_id for thread in threads if thread.native_id not in {None, own}]
        self.clocks += [clock for thread_id in ids for clock in _waiting_clocks(thread_id)]
        self._waited_ms = self._waited()

    def _waited(self) -> float | None:
        return sum(clock() for clock in self.clocks) if self.clocks else None

    def on_tick(self) -> None:
        """Note how late this tick is."""
        now, waited = time.perf_counter(), self._waited()
        late = max((now - self._at) * 1000 - _TICK_MS, 0.0)
        own = None
        if waited is not None and self._waited_ms is not None:
            own = max(late - (waited - self._waited_ms), 0.0)
        self.gaps.setdefault(self.phase, []).append((late, own))
        self._at, self._waited_ms = now, waited

    def figures(self, phase: str) -> dict[str, float | None]:
        """The longest gap of a phase, the 99th percentile, and the longest without waiting."""
        gaps = self.gaps[phase]
        late = sorted(gap[0] for gap in gaps)
        own = [gap[1] for gap in gaps if gap[1] is not None]
        return {
            "longest_ms": late[-1],
            "p99_ms": late[int(len(late) * 0.99)],
            "own_ms": max(own) if own else None,
        }


def _waiting_clocks(thread_id: int | None) -> list[Callable[[], float]]:
    """Reads how many ms a thread has waited for a core so far; empty where that is unknown."""
    path = Path(f"/proc/self/task/{thread_id}/schedstat")
    if not path.exists():
        return []
    file = os.open(path, os.O_RDONLY)
    last = 0.0

    def clock() -> float:
        nonlocal last
        with suppress(ProcessLookupError):  # the thread has ended
            last = int(os.pread(file, 100, 0).split()[1]) / 1e6
        return last

    return [clock]


def main() -> int:
    """Run, and print one JSON object."""
    application = QApplication(sys.argv[:1])
    application.setQuitOnLastWindowClosed(False)
    cutaway = Cutaway(application, Path.home() / "cutaway")
    heartbeat = Heartbeat()
    tokens: list[int] = []

    def on_loaded(_: object) -> None:
        heartbeat.phase = "settling"
        heartbeat.watch(threading.enumerate())
        QTimer.singleShot(500, cutaway, on_settled)

    def on_settled() -> None:
        heartbeat.phase = "idle"
        QTimer.singleShot(_IDLE_MS, cutaway, on_idle)

    def on_idle() -> None:
        heartbeat.phase = "prefill"
        cutaway.window.submitted.emit(_QUESTION)

    def on_produced(piece: ReplyPiece) -> None:
        heartbeat.phase = "decode"
        tokens.append(piece.token or 0)
        if len(tokens) == _TOKENS:
            cutaway.window.stop_requested.emit()

    def on_ended(_: ReplyEnd) -> None:
        heartbeat.phase = "end"
        cutaway.close()

    collector = Collector()
    cutaway.worker.loaded.connect(collector.on_loaded)
    cutaway.worker.loaded.connect(on_loaded)
    cutaway.worker.produced.connect(on_produced)
    cutaway.worker.ended.connect(on_ended)
    cutaway.closed.connect(application.quit)
    QTimer.singleShot(_TIMEOUT_MS, cutaway, cutaway.close)
    cutaway.start()
    application.exec()
    report = {phase: heartbeat.figures(phase) for phase in ("idle", "prefill", "decode")}
    sys.stdout.write(json.dumps({**report, "tokens": len(tokens)}) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
