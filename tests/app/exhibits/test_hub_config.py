"""Exhibit 8 asks the hub for the config.json of a model that is not on disk."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.engine.checkpoints import TinyLlama
from ui.exhibits.page import ExhibitsPage

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.app.driving import Driver

REPO = "org/model-8b"


@pytest.fixture
def app(drive: Callable[..., Driver], talker: Path) -> Driver:
    """The application at exhibit 8, its way to the hub cut."""
    app = drive(talker)
    app.until_ready()
    app.window.go("exhibits")
    app.until(lambda: app.app.tour.visit is not None)
    tour = app.app.tour
    tour.config_wanted.disconnect()
    tour.on_chosen(8)
    tour.on_changed("config", REPO)
    return app


def test_a_model_of_the_hub_gets_its_bill(app: Driver) -> None:
    tour = app.app.tour
    wanted: list[str] = []
    tour.config_wanted.connect(wanted.append)
    tour.on_run_requested("")
    app.until(lambda: wanted == [REPO])
    page = app.window.places.page("exhibits")
    assert isinstance(page, ExhibitsPage)
    assert page.buttons.caption.whole == f"Asking the hub for {REPO}…"
    tour.on_config_read(REPO, TinyLlama().config())
    visit = tour.visit
    assert visit is not None
    app.until(lambda: visit.phase == "done")
    assert visit.found is not None
    assert visit.found.result.other.name == REPO
    assert wanted == [REPO]  # it is known now


def test_a_refusal_of_the_hub_is_said_where_it_is_still_wanted(app: Driver) -> None:
    tour = app.app.tour
    tour.on_run_requested("")
    visit = tour.visit
    assert visit is not None
    app.until(lambda: visit.asking == REPO)
    tour.on_config_refused("another/one", "No.")
    assert visit.phase == "done"
    tour.on_config_refused(REPO, "There is no such model.")
    assert (visit.phase, visit.sentence) == ("failed", "There is no such model.")
    tour.on_changed("layers", 64)  # measured again at once, but not asked
    app.until(lambda: visit.found is not None and visit.found.result.inputs.layers == 64)
    app.until(lambda: visit.phase == "done")
    assert visit.asking == ""
    tour.on_run_requested("")
    app.until(lambda: visit.asking == REPO)
    app.window.go("chat")
    tour.on_config_read(REPO, {})
    assert visit.phase == "done"  # nothing is measured for who has left
