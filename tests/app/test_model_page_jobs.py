"""Models that a job borrows: compared and measured one after the other, the former comes back."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

import pytest

from app.chats.settings import SamplingSettings
from app.jobs.benchmark import benchmark_of
from app.jobs.compare import Side, SideResult, comparison
from app.library.settings import Benchmark, LoadSettings
from app.worker import Worker
from tests.app.driving import GREEDY, Log

if TYPE_CHECKING:
    from pathlib import Path

    from pytestqt.qtbot import QtBot

    from app.jobs.workbench import Workbench


def test_sides_are_answered_in_turn_and_the_former_model_comes_back(
    log: Log, terse: Path, talker: Path
) -> None:
    log.load(terse)
    sides = (
        Side(str(talker), GREEDY),
        Side("/nowhere", GREEDY),
        Side(str(talker), SamplingSettings(temperature=1.0, seed=3), window=300),
        Side(str(terse), GREEDY),
    )
    job_id = log.worker.run(comparison("hello", sides, 5))
    log.ask("hello", max_tokens=3)
    results: tuple[SideResult, ...] = log.job_end(job_id).result  # type: ignore[assignment]
    assert [result.tokens for result in results] == [5, 0, 5, 5]
    assert all(result.done for result in results)
    assert "nowhere" in results[1].error
    assert results[0].text
    assert results[0].kv_bytes > 0
    assert results[0].decode_tps is not None
    # The question that was asked meanwhile is answered, by the model that was there before.
    assert log.end().finish_reason == "length"
    assert [model.source for model in log.all("loaded")] == [str(terse)] * 2
    assert log.names("job_ended", "ended") == ["job_ended", "ended"]


def test_a_model_that_is_there_already_is_not_loaded_again(log: Log, terse: Path) -> None:
    log.load(terse)
    count = len(log.all("loading"))
    log.job_end(log.worker.run(comparison("hello", [Side(str(terse))] * 2, 2)))
    assert (len(log.all("loading")), len(log.all("loaded"))) == (count, 1)


@pytest.mark.slow
def test_a_comparison_stops_and_a_load_meanwhile_is_what_stays(
    log: Log, terse: Path, talker: Path, qtbot: QtBot
) -> None:
    log.load(terse)
    job_id = log.worker.run(comparison("hello", [Side(str(talker))], 60_000))
    qtbot.waitUntil(lambda: any(p.share > 0.5 for p in log.all("job_progressed")))
    log.worker.stop_job(job_id)
    assert log.job_end(job_id).cancelled
    assert log.wait("loaded", 2).source == str(terse)
    job_id = log.worker.run(comparison("hello", [Side(str(talker))], 60_000))
    qtbot.waitUntil(lambda: log.all("job_progressed")[-1].job_id == job_id)
    log.worker.load(str(talker))
    assert log.job_end(job_id).cancelled
    assert log.wait("loaded", 3).source == str(talker)
    assert len(log.all("loaded")) == 3


def test_without_a_model_before_there_is_none_after(log: Log, terse: Path) -> None:
    job_id = log.worker.run(benchmark_of(str(terse)))
    found = log.job_end(job_id).result
    assert isinstance(found, Benchmark)
    assert found.rows[0].prefill_tps > 0
    log.wait("unloaded")
    assert log.all("loaded") == []


def test_a_model_is_loaded_as_its_settings_say(qtbot: QtBot, terse: Path) -> None:
    asked: list[tuple[str, str]] = []

    def settings_of(source: str) -> LoadSettings:
        asked.append((source, threading.current_thread().name))
        return LoadSettings(window=300, chunk=7)

    log = Log(qtbot, start=False)
    log.worker.settings_of = settings_of
    log.worker.start()
    try:
        assert log.load(terse).settings == LoadSettings(window=300, chunk=7)
        assert asked == [(str(terse), "engine")]

        def job(bench: Workbench) -> list[int]:
            done: list[int] = []

            def on_prefill(count: int, _: int) -> None:
                done.append(count)

            list(bench.model.session().generate(list(range(5, 25)), None, 1, on_prefill=on_prefill))
            return done

        assert log.job_end(log.worker.run(job)).result == [7, 14, 20]
    finally:
        log.close()


def test_usual_settings_where_nothing_is_remembered() -> None:
    assert Worker().settings_of("starter") == LoadSettings()
