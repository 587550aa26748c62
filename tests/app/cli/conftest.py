"""Runs the command line: inside the test's process for most, as a process for the rest."""

from __future__ import annotations

import io
import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import pytest

from app.__main__ import main

if TYPE_CHECKING:
    from collections.abc import Callable


@dataclass(frozen=True)
class Outcome:
    """What a command answered."""

    status: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        """The one JSON value that was printed, on one line."""
        assert self.out.count("\n") == 1
        return json.loads(self.out)

    @property
    def sentence(self) -> str:
        """The one sentence on standard error; nothing else was said."""
        assert self.out == ""
        assert self.err.count("\n") == 1
        assert self.err.endswith((".\n", "`.\n"))
        return self.err.strip()


@pytest.fixture
def cutaway(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> Callable[..., Outcome]:
    """A function that runs `cutaway` with words, and lines on standard input."""

    def run(*words: object, lines: str = "") -> Outcome:
        monkeypatch.setattr("sys.stdin", io.StringIO(lines))
        try:
            status = main([str(word) for word in words])
        except SystemExit as leaving:  # how argparse leaves
            status = leaving.code
        captured = capsys.readouterr()
        assert isinstance(status, int)
        assert "Traceback" not in captured.err
        return Outcome(status, captured.out, captured.err)

    return run
