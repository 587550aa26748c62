"""Live figures in the last row of a terminal, below the text that scrolls."""

import shutil
import sys
import time
from collections.abc import Generator
from contextlib import contextmanager
from typing import Protocol, TextIO

_EVERY_S = 0.1
_BETWEEN = " · "


class Status(Protocol):
    """Shows one line of figures."""

    def show(self, text: str) -> None:
        """Show figures that will change; may be left out when they come too often."""
        ...

    def finish(self, text: str) -> None:
        """Show the final figures."""
        ...


class _PlainStatus:
    """Without a terminal: only the final figures, on standard error."""

    def show(self, text: str) -> None:
        """Live figures have no place here."""

    def finish(self, text: str) -> None:
        """Write the figures as a line."""
        sys.stderr.write(f"{text}\n")
        sys.stderr.flush()


class _BottomRow:
    """Keeps the last row of a terminal for figures, by narrowing the region that scrolls."""

    def __init__(self, out: TextIO) -> None:
        self._out = out
        self._shown_at = 0.0
        self._rows = shutil.get_terminal_size().lines
        # Make room for the row, then scroll only above it, keeping the cursor where it is.
        self._out.write(f"\n\x1b[A\x1b7\x1b[1;{self._rows - 1}r\x1b8")

    def show(self, text: str) -> None:
        """Show the line, at most ten times a second."""
        now = time.monotonic()
        if now - self._shown_at >= _EVERY_S:
            self._shown_at = now
            columns = shutil.get_terminal_size().columns
            row = fitting(text, columns - 1)
            self._out.write(f"\x1b7\x1b[{self._rows};1H\x1b[2K\x1b[2m{row}\x1b[0m\x1b8")
            self._out.flush()

    def finish(self, text: str) -> None:
        """Give the row back and leave the line in the text."""
        self.close()
        self._out.write(f"\x1b[2m{text}\x1b[0m\n")

    def close(self) -> None:
        """Give the row back."""
        self._out.write(f"\x1b7\x1b[r\x1b[{self._rows};1H\x1b[2K\x1b8")
        self._out.flush()


def fitting(text: str, columns: int) -> str:
    """As many whole figures of a line as a row of so many columns has room for."""
    if len(text) <= columns:
        return text
    return text[: columns + len(_BETWEEN)].rpartition(_BETWEEN)[0] or text[:columns]


@contextmanager
def status_line(out: TextIO) -> Generator[Status]:
    """A place for figures that suits `out`."""
    if not out.isatty():
        yield _PlainStatus()
        return
    row = _BottomRow(out)
    try:
        yield row
    finally:
        row.close()
