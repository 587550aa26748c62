"""Sleep and the change of the day are noticed by two clocks."""

from __future__ import annotations

from datetime import date

import pytest
from PySide6.QtCore import QObject

from app.sleep import Clocks, Sleep, clocks, slept_s

BEFORE = Clocks(1000.0, 50.0, date(2026, 1, 2))


@pytest.mark.parametrize(
    ("wall_s", "work_s", "slept"),
    [
        (1020.0, 70.0, 0.0),
        (1025.0, 70.0, 0.0),
        (4620.0, 70.0, 3600.0),
        (900.0, 70.0, 0.0),  # the clock was set back
        (1600.0, 650.0, 0.0),  # the process was busy or stopped, the machine was not asleep
    ],
)
def test_sleep_is_what_one_clock_counts_and_the_other_does_not(
    wall_s: float, work_s: float, slept: float
) -> None:
    assert slept_s(BEFORE, Clocks(wall_s, work_s, BEFORE.day)) == slept


def test_waking_and_a_new_day_are_told_once() -> None:
    moments = [
        BEFORE,
        Clocks(1020.0, 70.0, BEFORE.day),
        Clocks(40_000.0, 90.0, date(2026, 1, 3)),
        Clocks(40_020.0, 110.0, date(2026, 1, 3)),
    ]
    waiting = iter(moments)
    parent = QObject()
    sleep = Sleep(parent, lambda: next(waiting))
    told: list[object] = []
    sleep.woke.connect(told.append)
    sleep.day_changed.connect(lambda: told.append("day"))
    for _ in moments[1:]:
        sleep.look()
    assert told == [38_960.0, "day"]


def test_the_clocks_of_this_machine_agree() -> None:
    assert slept_s(clocks(), clocks()) == 0.0
