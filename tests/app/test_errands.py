"""Errands: what follows a job of the engine's thread, and what does not."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from app.errands import Errands, LatestErrand

if TYPE_CHECKING:
    from pathlib import Path

    from pytestqt.qtbot import QtBot

    from app.jobs.workbench import Workbench
    from tests.app.driving import Log


class Said:
    """What followed, in order."""

    def __init__(self) -> None:
        self.all: list[tuple[str, object]] = []

    def then(self, result: object) -> None:
        self.all.append(("then", result))

    def failed(self, sentence: str) -> None:
        self.all.append(("failed", sentence))

    def progress(self, share: float, partial: object) -> None:
        self.all.append(("progress", (share, partial)))

    def cancelled(self) -> None:
        self.all.append(("cancelled", None))


@pytest.fixture
def said() -> Said:
    return Said()


def forever(bench: Workbench) -> None:
    from engine import CancelledError

    while not bench.cancelled():
        pass
    raise CancelledError


def test_a_result_follows_its_progress(log: Log, terse: Path, said: Said, qtbot: QtBot) -> None:
    log.load(terse)

    def job(bench: Workbench) -> str:
        bench.report(1.0, "half")
        return bench.model.name

    errands = Errands(log.worker)
    errands.run(job, said.then, said.failed, progress=said.progress)
    qtbot.waitUntil(lambda: len(said.all) == 2)
    assert said.all == [("progress", (1.0, "half")), ("then", "terse")]


def test_a_failure_is_a_sentence(log: Log, said: Said, qtbot: QtBot) -> None:
    errands = Errands(log.worker)
    errands.run(lambda bench: bench.model, said.then, said.failed)
    qtbot.waitUntil(lambda: bool(said.all))
    assert said.all == [("failed", "No model is loaded; choose one first.")]


def test_a_stop_is_told_and_a_drop_is_not(log: Log, said: Said, qtbot: QtBot) -> None:
    errands = Errands(log.worker)
    first = errands.run(forever, said.then, said.failed, cancelled=said.cancelled)
    second = errands.run(forever, said.then, said.failed, cancelled=said.cancelled)
    errands.drop(second)
    errands.stop(first)
    qtbot.waitUntil(lambda: len(log.all("job_ended")) == 2)
    assert said.all == [("cancelled", None)]


def test_the_latest_takes_the_place_of_the_one_before(log: Log, said: Said, qtbot: QtBot) -> None:
    latest = LatestErrand(Errands(log.worker))
    latest.run(forever, said.then, said.failed, cancelled=said.cancelled)
    assert latest.is_running
    latest.run(lambda _: "second", said.then, said.failed, cancelled=said.cancelled)
    qtbot.waitUntil(lambda: not latest.is_running)
    latest.run(forever, said.then, said.failed, cancelled=said.cancelled)
    latest.stop()
    qtbot.waitUntil(lambda: not latest.is_running)
    latest.run(lambda bench: bench.model, said.then, said.failed)
    qtbot.waitUntil(lambda: not latest.is_running)
    assert said.all == [
        ("then", "second"),
        ("cancelled", None),
        ("failed", "No model is loaded; choose one first."),
    ]
