"""Ctrl-C while a reply is written in the terminal."""

import signal
import threading
from collections.abc import Generator
from contextlib import contextmanager
from types import FrameType


@contextmanager
def ctrl_c() -> Generator[threading.Event]:
    """An event that Ctrl-C sets; a second Ctrl-C interrupts as usual."""
    cancel = threading.Event()

    def on_interrupt(_number: int, _frame: FrameType | None) -> None:
        if cancel.is_set():
            raise KeyboardInterrupt
        cancel.set()

    before = signal.signal(signal.SIGINT, on_interrupt)
    try:
        yield cancel
    finally:
        signal.signal(signal.SIGINT, before)
