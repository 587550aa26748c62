"""What is said of an exhibit whose shown part has nothing to show, yet or at all."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

import engine
from app.exhibits.book import open_book
from app.exhibits.status import run_view
from app.exhibits.visit import Visit
from app.jobs.exhibits import Measured
from engine.exhibits import EXHIBITS
from tests.app.talkers import write_talker
from ui.exhibits.page import ExhibitsPage
from ui.state import ModelView

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.app.driving import Driver

READY = ModelView(state="ready", name="tiny")


@pytest.fixture(scope="module")
def first_token(tmp_path_factory: pytest.TempPathFactory) -> Visit:
    """Exhibit 4 measured from the first token, from which no head leads anywhere."""
    folder: Path = tmp_path_factory.mktemp("models") / "tiny"
    model, exhibit = engine.load(str(write_talker(folder))), EXHIBITS[4]
    result = exhibit.measure(model, exhibit.inputs(sentence="own", own="Look", position=0))
    visit = Visit.of(open_book()[4])
    visit.found = Measured(4, "tiny", result, exhibit.claims(result), 1.0)
    visit.part = "links"
    return visit


def test_what_a_run_has_not_come_to_is_announced(first_token: Visit) -> None:
    running = replace(first_token, phase="running", share=0.5)
    assert running.result() is None
    later = "This part is measured later in the run"
    assert run_view(running, READY, "idle").caption == later
    assert run_view(replace(running, is_shown=True), READY, "idle").caption == ""


def test_a_stop_speaks_of_what_was_measured_only_where_it_is_shown(first_token: Visit) -> None:
    stopped = replace(first_token, phase="stopped")
    assert run_view(stopped, READY, "idle").caption == "Stopped"
    shown = replace(stopped, part="", is_shown=True)
    assert run_view(shown, READY, "idle").caption.startswith("Stopped; this is what was measured")


def test_a_text_that_is_missing_is_asked_for_by_its_title(first_token: Visit) -> None:
    assert first_token.missing == ""
    emptied = replace(first_token, values={**first_token.values, "own": ""})
    assert emptied.missing == "My own sentence"
    optional = Visit.of(open_book()[13])
    assert optional.values["text"] == ""
    assert optional.missing == ""


def test_a_failure_is_that_of_one_model(first_token: Visit) -> None:
    failed = replace(first_token, phase="failed", sentence="This model cannot.")
    failed.forget_failure()
    assert run_view(failed, READY, "idle").sentence == ""
    running = replace(first_token, phase="running")
    running.forget_failure()
    assert running.phase == "running"


def test_nothing_is_run_without_its_text(drive: Callable[..., Driver], talker: Path) -> None:
    app = drive(talker)
    app.until_ready()
    app.window.go("exhibits")
    app.until(lambda: app.app.tour.visit is not None)
    visit = app.app.tour.visit
    assert visit is not None
    app.app.tour.on_changed("prompt", "")
    app.app.tour.on_run_requested("")
    page = app.window.places.page("exhibits")
    assert isinstance(page, ExhibitsPage)
    assert page.buttons.sentence.words == "Write something in “Prompt” first."
    assert not page.buttons.is_busy
    app.app.tour.on_changed("prompt", "a")
    app.app.tour.on_run_requested("")
    app.until(lambda: visit.phase == "done")


def test_a_part_that_stays_empty_is_told_with_its_notes(first_token: Visit) -> None:
    done = replace(first_token, phase="done", is_complete=True).result()
    assert done is not None
    assert (done.pictures.main, done.findings) == ((), ())
    assert done.notes
