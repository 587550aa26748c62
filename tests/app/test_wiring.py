"""The application as a whole: its start, its layout, and its end in every state."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import Qt

from tests.app.driving import Driver

if TYPE_CHECKING:
    from collections.abc import Callable

    from ui.state import Telemetry

    Drive = Callable[..., Driver]

LONG = "the words of a long question " * 100
ROOT = Path(__file__).parents[2]


def running() -> set[str]:
    """The names of the app's threads that run."""
    return {thread.name for thread in threading.enumerate()} & {"engine", "chats"}


def stream(app: Driver) -> None:
    app.ask("hello")
    app.until(lambda: len(app.reply) > 20)


def stream_elsewhere(app: Driver) -> None:
    stream(app)
    app.new_chat()
    app.ask("something else")


def prefill(app: Driver) -> None:
    phases: list[str] = []

    def on_measured(telemetry: Telemetry) -> None:
        phases.append(telemetry.phase)

    app.app.worker.measured.connect(on_measured)
    app.paste(LONG)
    app.press(Qt.Key.Key_Return)
    app.until(lambda: "prefill" in phases)


def just_asked(app: Driver) -> None:
    app.ask("hello")


def unloaded(app: Driver) -> None:
    app.window.actions_of_menus.unload.trigger()


def idle(_: Driver) -> None:
    """Nothing was asked."""


@pytest.mark.parametrize(
    ("come_to", "chats"),
    [(idle, 0), (just_asked, 1), (prefill, 1), (stream, 1), (stream_elsewhere, 2), (unloaded, 0)],
)
def test_closing_saves_the_words_and_ends_the_threads(
    drive: Drive, talker: Path, come_to: Callable[[Driver], None], chats: int
) -> None:
    app = drive(talker)
    app.until_ready()
    come_to(app)
    reply = app.reply
    app.close()
    assert running() == set()
    assert app.errors == []
    saved = app.saved()
    assert len(saved) == chats
    assert all(messages[0].text and messages[1].state == "stopped" for messages in saved)
    if come_to is stream:
        assert saved[0][1].text.startswith(reply)
    if come_to is stream_elsewhere:
        assert len(saved[1][1].text) > 20


def test_closing_before_the_threads_have_started(drive: Drive) -> None:
    app = drive()
    app.close()
    assert running() == set()
    assert app.saved() == []


def test_closing_while_the_starter_loads(drive: Drive) -> None:
    app = drive()
    shares: list[float] = []

    def on_loading(_source: str, share: float) -> None:
        shares.append(share)

    app.app.worker.loading.connect(on_loading)
    app.until(lambda: bool(shares))
    app.ask("early")
    app.close()
    assert running() == set()
    ((question, answer),) = app.saved()
    assert (question.text, answer.text, answer.state) == ("early", "", "stopped")


def test_quit_from_the_menu_ends_it_too(drive: Drive, talker: Path) -> None:
    app = drive(talker)
    app.until_ready()
    app.window.actions_of_menus.quit.trigger()
    app.until(lambda: app.closed)
    assert not app.window.isVisible()


def test_the_layout_of_the_window_and_the_open_chat_are_kept(drive: Drive, talker: Path) -> None:
    app = drive(talker)
    app.until_ready()
    app.ask("hello")
    app.until(lambda: app.reply != "")
    app.window.actions_of_menus.toggle_inspector.trigger()
    app.window.resize(800, 700)  # the whole width of the offscreen display
    app.close()
    again = drive()
    assert not again.window.inspector.isVisible()
    assert (again.window.width(), again.window.height()) == (800, 700)
    again.until(lambda: again.words[:1] == ["hello"])


def test_the_figures_follow_the_shown_chat(drive: Drive, talker: Path) -> None:
    app = drive(talker)
    app.until_ready()
    app.ask("hello")
    app.until(lambda: len(app.reply) > 20)
    app.press(Qt.Key.Key_Escape)
    app.until(lambda: not app.busy)
    status = app.window.page.composer.status
    assert "24 new" in status
    app.new_chat()
    app.until(lambda: app.window.page.composer.status.startswith("0 of 65,536"))
    app.choose("hello")
    app.until(lambda: app.window.page.composer.status == status)


def program(*words: str, **environment: str | None) -> subprocess.Popen[str]:
    """Start `cutaway` as a process of its own."""
    merged = {**os.environ, **environment}
    return subprocess.Popen(
        [sys.executable, "-m", "app.__main__", *words],
        cwd=ROOT,
        env={name: value for name, value in merged.items() if value is not None},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


@pytest.mark.skipif(sys.platform != "linux", reason="macOS always has a display")
def test_without_a_display_the_program_says_so() -> None:
    names = ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM")
    process = program(**dict.fromkeys(names))
    out, err = process.communicate(timeout=60)
    assert (process.returncode, out) == (2, "")
    assert err == "There is no display here; `cutaway chat` works in the terminal.\n"


def test_the_program_opens_its_window_and_ends_cleanly_at_ctrl_c(own_folders: Path) -> None:
    process = program()
    database = own_folders / "data" / "Cutaway" / "chats.sqlite3"
    if sys.platform == "darwin":
        database = own_folders / "Library/Application Support/Cutaway/chats.sqlite3"
    deadline = time.monotonic() + 60
    while not database.exists() and time.monotonic() < deadline:
        time.sleep(0.05)
    assert database.exists()
    second = program("/no/such.gguf")  # goes to the window that is there
    assert second.communicate(timeout=60) == ("", "")
    assert second.returncode == 0
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=60)
    err = err.replace("This plugin does not support raise()\n", "")  # windows without a display
    assert (process.returncode, out, err) == (0, "", "")
    assert (database.parent / "window.layout").exists()
