"""What the playground says while its text is not read: nothing of the text before."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

from app.errands import Errands
from app.playground import Playground
from ui.playground.state import PlayText

if TYPE_CHECKING:
    from pathlib import Path

    from pytestqt.qtbot import QtBot

    from tests.app.driving import Log


def test_a_text_that_waits_or_is_stopped_is_told_nothing_of_the_one_before(
    log: Log, qtbot: QtBot, terse: Path
) -> None:
    log.load(terse)
    play = Playground(Errands(log.worker, log), log)
    said: list[object] = []
    shown: list[tuple[PlayText, str]] = []
    play.next_found.connect(said.append)
    play.next_refused.connect(said.append)
    play.shown.connect(lambda tokens, text: shown.append((tokens, text)))  # pyright: ignore[reportUnknownLambdaType, reportUnknownArgumentType]  a signal's values

    def waits(condition: object) -> None:
        qtbot.waitUntil(condition, timeout=60_000)  # pyright: ignore[reportArgumentType]  a function

    play.on_text_edited("hello")
    waits(lambda: len(said) == 1)
    assert shown[-1][0].tokens
    go = threading.Event()
    log.worker.run(lambda _: go.wait(20))
    play.on_text_edited("another one")
    waits(lambda: len(said) == 2)
    assert said[-1] == "What can come next is shown once the text is read."
    assert shown[-1] == (PlayText(), "another one")
    play.on_stop()
    go.set()
    waits(lambda: len(said) == 3)
    assert str(said[-1]).startswith("The reading was stopped.")
    assert shown[-1] == (PlayText(), "another one")
    play.on_step()
    waits(lambda: len(said) == 4)
    assert play.document.text.startswith("another one")
    assert len(play.document.text) > len("another one")
    assert shown[-1] == (play.document.tokens, play.document.text)
