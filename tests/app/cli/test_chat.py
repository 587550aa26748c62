"""`cutaway chat`: lines of standard input, and a conversation in a real terminal."""

from __future__ import annotations

import io
import os
import re
import signal
import sys
import time
from typing import TYPE_CHECKING, Any

import pytest
from typing_extensions import override

from app.__main__ import main
from app.cli.ctrl_c import ctrl_c
from tests.app.cli.terminal import CTRL_C, CTRL_D, Terminal
from tests.app.talkers import LETTERS, write_talker

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    Cutaway = Callable[..., Any]


def figures(error: str) -> list[str]:
    """The lines of figures on standard error."""
    return [line for line in error.splitlines() if "tokens reused" in line]


def test_lines_are_answered_one_by_one(cutaway: Cutaway, terse: Path) -> None:
    outcome = cutaway("chat", terse, lines="hello\n\n   \n/new\nhi\n")
    assert outcome.status == 0
    assert f"Loading {terse} …" in outcome.err
    assert "terse, 96 tokens of context" in outcome.err
    assert "Ctrl-C" not in outcome.err
    replies = outcome.out.splitlines()
    assert [len(reply) for reply in replies] == [96 - 24, 96 - 21]
    assert set("".join(replies)) <= set(LETTERS)
    told = figures(outcome.err)
    assert [line.split(" · ")[3] for line in told] == [
        "0 of 24 tokens reused",
        "0 of 21 tokens reused",
    ]


def test_a_reply_that_nobody_can_stop_ends(cutaway: Cutaway, terse: Path) -> None:
    assert "A reply ends after 1,000 tokens" in cutaway("chat", terse, lines="/quit\n").err
    outcome = cutaway("chat", terse, "--max-tokens", "7", lines="hello\n")
    assert "A reply ends after 7 tokens" in outcome.err
    assert [len(reply) for reply in outcome.out.splitlines()] == [7]


def test_a_full_context_is_said_and_new_starts_over(cutaway: Cutaway, terse: Path) -> None:
    outcome = cutaway("chat", terse, lines="hello\nagain\n/new\nfresh\n")
    assert outcome.status == 0
    assert len(figures(outcome.err)) == 2
    refusal = outcome.err.splitlines()[3]
    assert "96" in refusal
    assert refusal.endswith(".")


def test_a_refused_question_leaves_the_conversation_as_it_was(
    cutaway: Cutaway, terse: Path
) -> None:
    outcome = cutaway("chat", terse, lines=f"{'word ' * 60}\nhello\n/quit\nnever asked\n")
    assert outcome.status == 0
    assert outcome.out.count("\n") == 1
    assert "96" in outcome.err.splitlines()[2]
    assert "0 of 24 tokens reused" in outcome.err


def test_a_template_that_fails_is_said_and_the_chat_goes_on(
    cutaway: Cutaway, tmp_path: Path
) -> None:
    template = "{% if messages[0].content == 'a' %}{{ raise_exception('No a') }}{% endif %}hello"
    model = write_talker(tmp_path / "odd", context=64, template=template)
    outcome = cutaway("chat", model, lines="a\nb\n")
    assert outcome.status == 0
    assert "No a" in outcome.err
    assert len(outcome.out) == 64 - 5 + 1


def test_settings_are_checked_before_the_model_is_loaded(cutaway: Cutaway) -> None:
    outcome = cutaway("chat", "--temp", -1)
    assert outcome.status == 2
    assert "temperature" in outcome.sentence
    missing = cutaway("chat", "/nowhere")
    assert missing.status == 2
    assert "/nowhere" in missing.err


class Typed(io.StringIO):
    """Standard input that says it is a terminal; Ctrl-C is pressed where the text ends."""

    @override
    def isatty(self) -> bool:
        return True

    @override
    def readline(self, size: int | None = -1, /) -> str:
        line = super().readline()
        if not line:
            raise KeyboardInterrupt
        return line


def test_ctrl_c_at_the_prompt_leaves(
    terse: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "stdin", Typed("hello\n"))
    assert main(["chat", str(terse)]) == 0
    captured = capsys.readouterr()
    assert captured.out.startswith("\n› ")
    assert captured.out.endswith("\n› \n")
    assert "/quit" in captured.err


def test_the_first_ctrl_c_stops_a_reply_and_the_second_interrupts() -> None:
    before = signal.getsignal(signal.SIGINT)

    def press_twice() -> None:
        with ctrl_c() as cancel:
            assert not cancel.is_set()
            os.kill(os.getpid(), signal.SIGINT)
            assert cancel.is_set()
            os.kill(os.getpid(), signal.SIGINT)

    with pytest.raises(KeyboardInterrupt):
        press_twice()
    assert signal.getsignal(signal.SIGINT) is before


@pytest.fixture
def terminal(talker: Path) -> Iterator[Terminal]:
    """A chat with an endless talker in a real terminal."""
    terminal = Terminal("chat", talker, "--temp", "0")
    yield terminal
    terminal.close()


def test_a_conversation_in_a_real_terminal(terminal: Terminal) -> None:
    terminal.expect("talker, 65,536 tokens of context. /new starts over")
    terminal.expect("› ")
    terminal.send("hello\r")
    terminal.expect("tokens/s")
    terminal.expect("tokens/s")
    terminal.send(CTRL_C)
    terminal.expect("0 of 24 tokens reused")
    terminal.expect("› ")
    terminal.send("again\r")
    terminal.expect("tokens/s")
    terminal.send(CTRL_C)
    reused, prompt = re.findall(r"([\d,]+) of ([\d,]+)$", terminal.expect(" tokens reused"))[0]
    assert 24 < int(reused.replace(",", "")) < int(prompt.replace(",", ""))
    terminal.expect("› ")
    terminal.send("/new\r")
    terminal.expect("› ")
    terminal.send(CTRL_D)
    assert terminal.wait() == 0
    assert "Traceback" not in terminal.text
    assert "^C" not in terminal.text.rsplit("› ", 1)[1]
    assert terminal.text.endswith("› \r\n")
    assert terminal.text.rindex("\x1b[r") > terminal.text.rindex("\x1b[1;")


def test_ctrl_c_at_a_real_prompt_leaves_without_a_word(terminal: Terminal) -> None:
    terminal.expect("› ")
    time.sleep(0.3)  # readline shows its prompt a moment before it listens
    terminal.send(CTRL_C)
    assert terminal.wait() == 0
    assert "Traceback" not in terminal.text
