"""Notices that the machine slept: the clock on the wall went on, the one that counts work did not.

Every duration that is shown comes from the second one, which stands still meanwhile on macOS and
Linux, so a reply that was interrupted by sleep keeps its true speed. What goes by the calendar
must be told.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from datetime import date
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer, Signal

if TYPE_CHECKING:
    from collections.abc import Callable

_LOOK_EVERY_MS = 20_000
_SHORTEST_S = 30.0
"""Shorter differences are clocks being set right."""


@dataclass(frozen=True)
class Clocks:
    """Both clocks and the day at one moment.

    Attributes:
        wall_s: Seconds that go on while the machine sleeps.
        work_s: Seconds that do not.
        day: The calendar's.
    """

    wall_s: float
    work_s: float
    day: date


def clocks() -> Clocks:
    """Both clocks now."""
    return Clocks(time.time(), time.monotonic(), date.today())


def slept_s(before: Clocks, now: Clocks) -> float:
    """How long the machine slept between two moments, 0 for not at all, in seconds."""
    difference = (now.wall_s - before.wall_s) - (now.work_s - before.work_s)
    return difference if difference >= _SHORTEST_S else 0.0


class Sleep(QObject):
    """Looks at the clocks now and then; the first look after a sleep comes with the wake-up."""

    woke = Signal(float)
    """How long the machine slept, in seconds."""
    day_changed = Signal()

    def __init__(self, parent: QObject, read: Callable[[], Clocks] = clocks) -> None:
        super().__init__(parent)
        self._read = read
        self._before = read()
        self._timer = QTimer(self)
        self._timer.setInterval(_LOOK_EVERY_MS)
        self._timer.timeout.connect(self.look)

    def start(self) -> None:
        """Begin to look."""
        self._timer.start()

    def look(self) -> None:
        """Compare the clocks with the last time."""
        before, self._before = self._before, self._read()
        slept = slept_s(before, self._before)
        if slept:
            self.woke.emit(slept)
        if self._before.day != before.day:
            self.day_changed.emit()
