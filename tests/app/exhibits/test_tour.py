"""The exhibits in the running application: run, changed, left, cancelled, and without a model."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from app.exhibits.seen import Seen
from ui.controls_values import LabelledSlider
from ui.exhibits.page import ExhibitsPage

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.app.driving import Driver
    from ui.exhibits.values import Phase


@pytest.fixture
def app(drive: Callable[..., Driver], talker: Path) -> Driver:
    app = drive(talker)
    app.until_ready()
    return app


def _page(app: Driver) -> ExhibitsPage:
    app.window.go("exhibits")
    app.until(lambda: app.app.tour.visit is not None)
    page = app.window.places.page("exhibits")
    assert isinstance(page, ExhibitsPage)
    return page


def _until(app: Driver, phase: Phase) -> None:
    def reached() -> bool:
        visit = app.app.tour.visit
        return visit is not None and visit.phase == phase

    app.until(reached)


def test_an_exhibit_is_run_and_ticked(app: Driver) -> None:
    page = _page(app)
    assert [row.number for row in page.index.rows] == list(range(1, 14))
    page.index.chosen.emit(5)
    assert page.title.words == "The causal mask"
    assert page.result.isHidden()
    page.buttons.run.click()
    _until(app, "done")
    assert page.result.verdict.claim.text().count("yes") == 1
    assert page.buttons.caption.whole.endswith("on talker")
    page.buttons.button("unmasked").click()
    assert len(page.result.main.views) == 3
    assert "leaks" in page.result.verdict.claim.text()
    page.buttons.button("unmasked").click()  # back to the first part
    assert page.buttons.part == ""
    app.until(lambda: page.index.rows[4].is_seen)
    assert page.index.count.words == "1 of 13"
    kept = json.loads((app.folder / "exhibits.json").read_text(encoding="utf-8"))
    assert kept["seen"] == [5]
    assert not page.notes.isHidden()


def test_a_click_in_a_chart_sets_inputs_or_points_out(app: Driver) -> None:
    page = _page(app)
    page.index.chosen.emit(2)
    page.buttons.run.click()
    _until(app, "done")
    page.result.activated.emit("3")
    _until(app, "done")
    assert page.controls.values["position"] == 3
    page.index.chosen.emit(1)
    page.buttons.run.click()
    _until(app, "done")
    page.result.activated.emit("0")
    strip = page.result.main.views[0].chart
    prompt = len(app.app.tour.visit.found.result.prompt_pieces)  # pyright: ignore[reportOptionalMemberAccess] - it is done
    assert getattr(strip, "selected", None) == prompt


def test_live_exhibits_follow_their_sliders(app: Driver) -> None:
    page = _page(app)
    page.index.chosen.emit(8)
    slider = page.controls.widget("layers")
    assert isinstance(slider, LabelledSlider)
    slider.set_number(64)
    visit = app.app.tour.visit
    assert visit is not None
    assert visit.phase == "idle"  # before the first run nothing is given away
    page.buttons.run.click()
    _until(app, "done")
    slider.set_number(32)
    app.until(lambda: visit.found is not None and visit.found.result.inputs.layers == 32)
    _until(app, "done")
    page.buttons.reset.click()
    assert page.result.isHidden()
    assert page.controls.values["layers"] == 32


def test_the_loop_goes_step_by_step(app: Driver) -> None:
    page = _page(app)
    page.index.chosen.emit(1)
    slider = page.controls.widget("steps")
    assert isinstance(slider, LabelledSlider)
    slider.set_number(1)
    visit = app.app.tour.visit
    assert visit is not None
    page.buttons.run.click()
    _until(app, "done")
    assert visit.found is not None
    first = visit.found.result.steps[0].chosen.token
    slider.set_number(2)
    app.until(lambda: visit.found is not None and len(visit.found.result.steps) == 2)
    _until(app, "done")
    assert visit.found.result.steps[0].chosen.token == first


@pytest.mark.slow
def test_leaving_and_cancelling_stop_a_run(app: Driver) -> None:
    page = _page(app)
    page.index.chosen.emit(9)
    visit = app.app.tour.visit
    assert visit is not None
    slider = page.controls.widget("longest")
    assert isinstance(slider, LabelledSlider)
    slider.set_number(16_384)
    page.buttons.run.click()
    _until(app, "running")
    app.window.go("chat")
    assert visit.phase == "stopped"
    app.window.go("exhibits")
    assert page.buttons.caption.whole.startswith("Stopped")
    page.buttons.run.click()
    _until(app, "running")
    QTest.keyClick(page, Qt.Key.Key_Escape)
    assert visit.phase == "stopped"
    page.buttons.run.click()
    _until(app, "running")
    page.index.chosen.emit(12)
    assert visit.phase == "stopped"
    page.buttons.run.click()
    _until(app, "done")


def test_what_cannot_be_run_is_said(app: Driver) -> None:
    page = _page(app)
    page.index.chosen.emit(13)
    page.buttons.run.click()
    _until(app, "failed")
    assert page.buttons.sentence.words.endswith(".")
    assert page.index.rows[12].is_seen is False


def test_without_a_model_it_says_what_to_do(app: Driver) -> None:
    page = _page(app)
    app.app.models.unload()
    app.until(lambda: page.buttons.run.text() == "Load the starter model")
    assert "none is" in page.buttons.sentence.words
    page.index.chosen.emit(6)
    page.buttons.button("distance").click()
    assert app.app.models.now.state == "none"  # only the main button loads one
    wanted: list[bool] = []
    app.app.tour.model_wanted.disconnect()
    app.app.tour.model_wanted.connect(lambda: wanted.append(True))
    page.buttons.run.click()
    assert wanted == [True]


def test_a_run_waits_for_the_reply(app: Driver) -> None:
    app.ask("hello")
    app.until(lambda: bool(app.reply))
    page = _page(app)
    page.index.chosen.emit(2)
    page.buttons.run.click()
    app.until(lambda: "reply" in page.buttons.sentence.words)
    app.app.chats.on_stop_requested()
    _until(app, "done")


def test_the_language_is_kept_for_the_next_start(app: Driver) -> None:
    page = _page(app)
    page.index.language.click()
    assert app.app.preferences.now.language == "zh_CN"
    assert page.notice.sentence == "Cutaway 下次启动时将显示中文。"
    assert page.index.language.text() == "English"


def test_what_was_seen_outlives_damage(tmp_path: Path) -> None:
    file = tmp_path / "exhibits.json"
    seen = Seen(file)
    assert seen.read() == frozenset()
    assert seen.add(7) == {7}
    assert Seen(file).add(3) == {3, 7}
    file.write_text('{"version": 1, "seen": [3, "x", true]}', encoding="utf-8")
    assert seen.read() == {3}


def test_the_inspector_and_the_palette_lead_to_exhibits(app: Driver) -> None:
    app.window.inspector.cache.links.button(10).click()
    app.until(lambda: app.app.tour.visit is not None)
    page = _page(app)
    app.until(lambda: page.title.words == "The rotating window")
    app.window.inspector.tokens.links.button(12).click()
    assert page.title.words == "Choosing the next token"
    app.window.go("chat")
    palette = app.window.palette_of_actions
    app.window.actions_of_menus.palette.trigger()
    palette.field.setText("Prefix reuse")
    assert palette.titles[0] == "Prefix reuse"
    palette.choose()
    assert app.window.places.current == "exhibits"
    assert page.title.words == "Prefix reuse"


@pytest.mark.slow
def test_the_starter_shows_what_should_be_seen(drive: Callable[..., Driver]) -> None:
    app = drive()
    app.until_ready()
    page = _page(app)
    for number in (2, 4, 5, 6, 8, 12):
        page.index.chosen.emit(number)
        page.buttons.run.click()
        _until(app, "done")
        visit = app.app.tour.visit
        assert visit is not None
        for part in visit.page.definition.parts():
            visit.part = part.key
            result = visit.result()
            assert result is not None
            assert all(finding.is_seen for finding in result.findings), (number, part.key)
