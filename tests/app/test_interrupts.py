"""Ctrl-C and a polite kill arrive in Qt's loop, and what was there before comes back."""

from __future__ import annotations

import os
import signal
from typing import TYPE_CHECKING

import pytest

from app.interrupts import Interrupts

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_is_told_once_and_then_ends_the_process(
    qtbot: QtBot, number: signal.Signals
) -> None:
    before = signal.getsignal(number)
    interrupts = Interrupts()
    with qtbot.waitSignal(interrupts.asked):
        os.kill(os.getpid(), number)
    assert signal.getsignal(number) is signal.SIG_DFL
    interrupts.close()
    assert signal.getsignal(number) is before
