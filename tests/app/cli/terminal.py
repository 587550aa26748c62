"""A program in a real terminal: what a person sees of it, and the keys they press."""

from __future__ import annotations

import codecs
import contextlib
import os
import pty
import select
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).parents[3]
PATIENCE_S = 60.0
CTRL_C, CTRL_D = "\x03", "\x04"
# The program makes the terminal its controlling one, so that Ctrl-C in it becomes a signal.
_START = """
import fcntl, sys, termios
fcntl.ioctl(0, termios.TIOCSCTTY, 0)
from app.__main__ import main
sys.exit(main())
"""


class Terminal:
    """Runs `cutaway` with a pseudo terminal as its standard input, output and error."""

    def __init__(self, *words: object) -> None:
        self.text = ""
        self._read = 0
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")
        self._master, slave = pty.openpty()
        self._process = subprocess.Popen(
            [sys.executable, "-c", _START, *map(str, words)],
            cwd=ROOT,
            env={**os.environ, "TERM": "xterm", "LC_ALL": "C.UTF-8"},
            stdin=slave,
            stdout=slave,
            stderr=slave,
            start_new_session=True,
        )
        os.close(slave)

    def expect(self, text: str) -> str:
        """Wait until `text` comes after what was expected before; return what came up to it."""
        deadline = time.monotonic() + PATIENCE_S
        while (found := self.text.find(text, self._read)) < 0:
            assert time.monotonic() < deadline, f"{text!r} did not come: {self.text!r}"
            assert self._receive(), f"the program ended before {text!r}: {self.text!r}"
        before, self._read = self.text[self._read : found], found + len(text)
        return before

    def send(self, keys: str) -> None:
        """Press keys."""
        os.write(self._master, keys.encode())

    def wait(self) -> int:
        """Wait for the program to end; return its status."""
        while self._receive():
            pass
        return self._process.wait(PATIENCE_S)

    def close(self) -> None:
        """End the program if it still runs, and let go of the terminal."""
        if self._process.poll() is None:
            self._process.kill()
            self._process.wait()
        os.close(self._master)

    def _receive(self) -> bool:
        ready, _, _ = select.select([self._master], [], [], PATIENCE_S)
        data = b""
        with contextlib.suppress(OSError):  # how Linux says that the other side is closed
            data = os.read(self._master, 4096) if ready else b""
        self.text += self._decoder.decode(data)
        return bool(data)
