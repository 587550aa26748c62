"""The whole application with the real model: from keys that are pressed to words that are saved."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import Qt

from tests.app.driving import Driver, driving, saved_chats
from tests.app.talkers import write_talker

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from PySide6.QtWidgets import QApplication
    from pytestqt.qtbot import QtBot

    from app.requests import ReplyEnd

    Drive = Callable[..., Driver]

ROOT = Path(__file__).parents[1]
LOST_AT_MOST_S = 0.5
SLOW_MACHINE_S = 1.0


@pytest.fixture
def drive(qtbot: QtBot, qapp: QApplication, tmp_path: Path) -> Iterator[Drive]:
    """A function that starts the application with a model, or as the program does."""
    with driving(qtbot, qapp, tmp_path / "data") as start:
        yield start


def test_a_person_chats_stops_goes_on_and_comes_back(drive: Drive) -> None:
    app = drive()
    sizes: list[int] = []

    def on_appended(_reply_id: str, text: str) -> None:
        sizes.append(len(text))

    app.app.chats.text_appended.connect(on_appended)

    # The question does not wait for the model, and the answer comes piece by piece.
    app.ask("Write a long story about a lighthouse keeper and his cat.")
    app.until(lambda: len(sizes) >= 8)
    assert app.window.header.model_chip.text().startswith("SmolLM2 135M Instruct")
    assert all(size < 40 for size in sizes)
    assert app.busy

    # Esc stops; what has come is kept.
    app.press(Qt.Key.Key_Escape)
    app.until(lambda: not app.busy)
    first = app.reply
    assert first
    assert app.caption.startswith("Stopped")
    title = app.window.header.title
    app.until(lambda: app.titles == [title])

    # The next turn computes only what is new.
    ends: list[ReplyEnd] = []

    def on_ended(end: ReplyEnd) -> None:
        ends.append(end)

    app.app.worker.ended.connect(on_ended)
    app.ask("And the cat's name?")
    app.until(lambda: len(app.items) == 4 and len(app.reply) > 3)
    app.press(Qt.Key.Key_Escape)
    app.until(lambda: bool(ends))
    held = ends[0].reused_tokens
    assert held > len(sizes)
    assert held < ends[0].prompt_tokens < held + 40
    new = ends[0].prompt_tokens - held
    app.until(lambda: f"{new} new, {held} reused" in app.window.page.composer.status)
    assert app.words[:2] == ["Write a long story about a lighthouse keeper and his cat.", first]
    words = app.words

    # Another chat, and the old one again.
    app.new_chat()
    assert app.words == []
    app.ask("What is the capital of Portugal?")
    app.until(lambda: len(app.reply) > 3)
    app.choose(title)
    app.until(lambda: app.words == words)
    assert not app.busy
    app.close()

    # Everything is there after a restart.
    portugal, lighthouse = app.saved()
    assert [message.text for message in lighthouse] == words
    assert portugal[1].state in {"stopped", "complete"}
    again = drive()
    again.until(lambda: len(again.titles) == 2)
    again.choose(title)
    again.until(lambda: again.words == words)
    assert again.caption.startswith("Stopped")


STREAMS = """
import sys, time
from pathlib import Path
from PySide6.QtWidgets import QApplication
from app.cutaway import Cutaway

def tell(piece):
    print(f"{time.monotonic()} {piece.token}", flush=True)

application = QApplication([])
cutaway = Cutaway(application, Path(sys.argv[1]))
cutaway.worker.produced.connect(tell)
cutaway.worker.loaded.connect(lambda _: cutaway.window.submitted.emit("Never stop."))
cutaway.window.show()
cutaway.chats.start()
cutaway.models.open(sys.argv[2])
cutaway.worker.start()
application.exec()
"""


def test_a_kill_loses_at_most_the_last_half_second(drive: Drive, tmp_path: Path) -> None:
    model = write_talker(tmp_path / "talker")
    process = subprocess.Popen(
        [sys.executable, "-c", STREAMS, str(tmp_path / "data"), str(model)],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    told: list[tuple[float, int]] = []
    for line in process.stdout:
        at, token = line.split()
        told.append((float(at), int(token)))
        if told[-1][0] - told[0][0] > 3:
            process.kill()
            break
    killed_at = time.monotonic()
    told += [(float(at), int(token)) for at, token in map(str.split, process.stdout)]
    process.stdout.close()
    assert process.wait() == -9

    app = drive(model)
    app.choose("Never stop.")
    app.until(lambda: len(app.items) == 2)
    assert app.caption.startswith("Interrupted")
    assert not app.busy
    kept = app.reply
    app.ask("Go on.")
    app.until(lambda: len(app.items) == 4 and len(app.reply) > 5)
    app.close()
    ((question, answer, _, _),) = saved_chats(tmp_path / "data")
    assert question.text == "Never stop."
    assert answer.text == kept
    assert answer.state == "interrupted"
    whole = "".join(chr(token) for _, token in told)
    safe_until = killed_at - LOST_AT_MOST_S - SLOW_MACHINE_S
    safe = "".join(chr(token) for at, token in told if at < safe_until)
    assert len(safe) > 100
    assert whole.startswith(safe)
    assert kept.startswith(safe)
