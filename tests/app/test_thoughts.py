"""Thoughts: timed and counted while they run, kept with the reply, left out as templates say."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import Qt

from app.chats.model import Figures
from app.chats.rows import figures_json, figures_of
from app.thoughts import ThoughtMeter
from tests.app.talkers import write_talker
from ui.chat.body import ThoughtLine
from ui.chat.reply import ReplyMessage

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.app.driving import Driver

    Drive = Callable[..., Driver]

# As Qwen's and DeepSeek's do: the reply begins in a thought, which later prompts leave out.
TEMPLATE = (
    "{% for message in messages %}{% set text = message.content.split('</think>')[-1] %}"
    "<{{ message.role }}>{{ text }}\n{% endfor %}"
    "{% if add_generation_prompt %}<assistant><think>\n{% endif %}"
)


class Clock:
    """A clock that goes on when it is told to."""

    def __init__(self) -> None:
        self.now_s = 0.0

    def __call__(self) -> float:
        return self.now_s


def run(meter: ThoughtMeter, clock: Clock, pieces: list[str]) -> list[bool]:
    """Feed tokens, one each 0.1 s; return after which there was something to tell."""
    told: list[bool] = []
    for piece in pieces:
        told.append(meter.add(piece, is_token=True))
        clock.now_s += 0.1
    return told


def test_an_opened_thought_is_timed_and_counted() -> None:
    clock = Clock()
    meter = ThoughtMeter(opened=True, clock=clock)
    assert (meter.took_s, meter.tokens) == (None, None)
    told = run(meter, clock, ["a", " b", " c", "</think>", "So", "."])
    assert told == [False, False, False, True, False, False]
    assert meter.tokens == 3
    assert meter.took_s == pytest.approx(0.3)


def test_a_thought_that_the_model_opens_begins_there() -> None:
    clock = Clock()
    meter = ThoughtMeter(opened=False, clock=clock)
    run(meter, clock, ["<think>", "a", " b", "</think>", "So."])
    assert meter.tokens == 2
    assert meter.took_s == pytest.approx(0.3)


def test_a_close_that_nothing_opened_counts_all_before() -> None:
    clock = Clock()
    meter = ThoughtMeter(opened=False, clock=clock)
    run(meter, clock, ["a\n", "b\n", "</think>", "So."])
    assert meter.tokens == 2
    assert meter.took_s == pytest.approx(0.2)


def test_a_running_thought_is_told_of_now_and_then() -> None:
    clock = Clock()
    meter = ThoughtMeter(opened=True, clock=clock)
    told = run(meter, clock, ["a"] * 20)
    assert 4 <= sum(told) <= 8
    assert (meter.tokens, meter.took_s) == (20, None)


def test_without_a_thought_there_is_nothing_to_tell() -> None:
    clock = Clock()
    meter = ThoughtMeter(opened=False, clock=clock)
    assert not any(run(meter, clock, ["Just", " an", " answer."] * 10))
    assert (meter.tokens, meter.took_s) == (None, None)


def test_a_reply_that_goes_on_goes_on_in_its_thought() -> None:
    clock = Clock()
    earlier = Figures(thought_open=True, thought_tokens=5)
    meter = ThoughtMeter(opened=True, begun="so far", earlier=earlier, clock=clock)
    run(meter, clock, [" on", "</think>"])
    assert meter.tokens == 6
    over = ThoughtMeter(opened=True, begun="so</think>", earlier=earlier, clock=clock)
    assert not any(run(over, clock, ["x", "y"]))
    assert over.tokens == 5


def test_figures_of_thoughts_are_stored() -> None:
    figures = Figures(thought_open=True, thought_s=1.5, thought_tokens=7)
    text = figures_json(figures)
    assert text is not None
    assert figures_of(json.loads(text)) == figures
    assert figures_of({"thought_open": 1, "thought_s": "x"}) == Figures()


@pytest.fixture(scope="session")
def thinker(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A talker whose template opens a thought, which it never closes."""
    return write_talker(tmp_path_factory.mktemp("models") / "thinker", template=TEMPLATE)


def thought_of(app: Driver) -> ThoughtLine | None:
    reply = app.items[-1] if app.items else None
    first = reply.segments[0] if isinstance(reply, ReplyMessage) and reply.segments else None
    return first if isinstance(first, ThoughtLine) else None


def test_a_thought_that_the_template_opens_is_folded_live_and_after_a_restart(
    drive: Drive, thinker: Path
) -> None:
    app = drive(thinker)
    app.until_ready()
    app.ask("why?")
    app.until(lambda: thought_of(app) is not None)
    line = thought_of(app)
    assert line is not None
    app.until(lambda: "Thinking…" in line.button.text() and "tokens" in line.button.text())
    assert line.text.isHidden()
    app.press(Qt.Key.Key_Escape)
    app.until(lambda: not app.busy)
    assert app.items[-1].answer == ""
    app.until(lambda: line.button.text().startswith("Thought"))
    text = line.button.text()
    assert "tokens" in text
    app.close()
    again = drive(thinker)
    again.choose("why?")
    again.until(lambda: thought_of(again) is not None)
    kept = thought_of(again)
    assert kept is not None
    assert kept.button.text().split(" · ")[-1] == text.split(" · ")[-1]
    again.close()


def test_a_waiting_reply_says_what_it_waits_for(drive: Drive, thinker: Path) -> None:
    app = drive(thinker)
    app.ask("early")  # the model is still being loaded
    reply = app.items[-1]
    assert isinstance(reply, ReplyMessage)
    assert reply.note == "Waiting for the model…"
    app.until(lambda: reply.note == "")
    app.until(lambda: reply.source != "")
    app.new_chat()
    app.ask("another")
    other = app.items[-1]
    assert isinstance(other, ReplyMessage)
    assert other.note == "Waiting for another reply…"
    app.choose("early")
    app.until(lambda: app.words[:1] == ["early"])
    app.press(Qt.Key.Key_Escape)
    app.choose("another")
    app.until(lambda: app.items[-1].message_id == other.message_id)
    last = app.items[-1]
    assert isinstance(last, ReplyMessage)
    app.until(lambda: last.source != "")
    assert last.note == ""
