"""Live figures: a row of a terminal that is given back, one line where there is no terminal."""

from __future__ import annotations

import io
import time

import pytest
from typing_extensions import override

from app.cli.status import fitting, status_line


class Terminal(io.StringIO):
    """A stream that says it is a terminal, and keeps what is written."""

    @override
    def isatty(self) -> bool:
        return True


def test_without_a_terminal_only_the_last_figures_are_said(
    capsys: pytest.CaptureFixture[str],
) -> None:
    out = io.StringIO()
    with status_line(out) as status:
        status.show("1 token")
        status.finish("2 tokens")
    assert out.getvalue() == ""
    assert capsys.readouterr().err == "2 tokens\n"


def test_a_terminal_s_last_row_shows_figures_and_is_given_back(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("LINES", "24")
    monkeypatch.setenv("COLUMNS", "20")
    out = Terminal()
    with status_line(out) as status:
        assert "\x1b[1;23r" in out.getvalue()
        status.show("a line that is far too long for this terminal")
        status.show("too soon")
        time.sleep(0.11)
        status.show("later")
        status.finish("at the end")
    text = out.getvalue()
    assert "\x1b[24;1H\x1b[2K\x1b[2ma line that is far \x1b[0m" in text
    assert "too soon" not in text
    assert "later" in text
    assert "\x1b[2mat the end\x1b[0m\n" in text
    assert text.rindex("\x1b[r") > text.rindex("23r")


def test_the_row_is_given_back_when_a_reply_fails() -> None:
    out = Terminal()
    with pytest.raises(ValueError, match="broken"), status_line(out):
        raise ValueError("broken")
    assert "\x1b[r" in out.getvalue()


@pytest.mark.parametrize(
    ("columns", "row"), [(14, "9 tokens · 2 s"), (13, "9 tokens"), (8, "9 tokens"), (7, "9 token")]
)
def test_a_narrow_row_shows_whole_figures(columns: int, row: str) -> None:
    assert fitting("9 tokens · 2 s", columns) == row
