"""Jobs on the engine's thread: in order, with progress, cancelled, failed, and without a model."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

import pytest

from app.requests import JobEnd, JobProgress

if TYPE_CHECKING:
    from pathlib import Path

    from app.jobs.workbench import Workbench
    from tests.app.driving import Log


def test_a_job_sees_the_model_and_its_result_arrives(log: Log, terse: Path) -> None:
    log.load(terse)
    seen: list[str] = []

    def job(bench: Workbench) -> tuple[int, ...]:
        seen.append(threading.current_thread().name)
        bench.report(1.0, "nearly")
        return tuple(bench.model.tokenizer.encode("hello"))

    job_id = log.worker.run(job)
    end = log.job_end(job_id)
    assert isinstance(end.result, tuple)
    assert (end.error, end.cancelled, seen) == ("", False, ["engine"])
    assert log.all("job_progressed") == [JobProgress(job_id, 1.0, "nearly")]


def test_a_job_waits_its_turn_behind_a_reply(log: Log, terse: Path) -> None:
    log.load(terse)
    log.ask("hello")
    log.job_end(log.worker.run(lambda bench: bench.session("chat")))
    assert log.names("ended", "job_ended") == ["ended", "job_ended"]


def test_reports_that_come_too_often_are_dropped(log: Log, terse: Path) -> None:
    log.load(terse)

    def job(bench: Workbench) -> None:
        for step in range(1000):
            bench.report(step / 1000)
        bench.report(1.0, "all")

    log.job_end(log.worker.run(job))
    reports: list[JobProgress] = log.all("job_progressed")
    assert len(reports) < 100
    assert (reports[0].share, reports[-1].partial) == (0.0, "all")


def test_a_job_that_fails_says_so_and_the_next_one_runs(log: Log, terse: Path) -> None:
    log.load(terse)

    def job(_: Workbench) -> None:
        raise ZeroDivisionError("by nought")

    assert "ZeroDivisionError: by nought" in log.job_end(log.worker.run(job)).error
    assert log.job_end(log.worker.run(lambda _: 7)).result == 7


def test_without_a_model_a_job_is_refused_in_a_sentence(log: Log) -> None:
    end = log.job_end(log.worker.run(lambda bench: bench.model.name))
    assert end.error == "No model is loaded; choose one first."


@pytest.mark.parametrize("how", ["stop", "load", "unload"])
def test_a_running_job_is_cancelled(log: Log, terse: Path, how: str) -> None:
    log.load(terse)
    begun = threading.Event()

    def job(bench: Workbench) -> None:
        from engine import CancelledError

        begun.set()
        while not bench.cancelled():
            pass
        raise CancelledError

    job_id = log.worker.run(job)
    assert begun.wait(10)
    {
        "stop": lambda: log.worker.stop_job(job_id),
        "load": lambda: log.worker.load(str(terse)),
        "unload": log.worker.unload,
    }[how]()
    assert log.job_end(job_id) == JobEnd(job_id, cancelled=True)


def test_a_waiting_job_is_cancelled_at_once(log: Log, terse: Path) -> None:
    log.load(terse)
    go = threading.Event()
    first = log.worker.run(lambda _: go.wait(10))
    second = log.worker.run(lambda _: "never")
    log.worker.stop_job(second)
    assert log.all("job_ended") == [JobEnd(second, cancelled=True)]
    go.set()
    log.job_end(first)
    assert len(log.all("job_ended")) == 2
