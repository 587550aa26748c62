"""The exhibits' page on frozen values alone: index, controls, charts, verdicts."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import QPoint, QRect

from ui.charts.values import Bar, Bars, Card, Cards
from ui.exhibits.page import ExhibitsPage
from ui.exhibits.values import (
    Control,
    ExhibitView,
    Finding,
    IndexRow,
    Part,
    Pictures,
    ResultView,
    RunView,
    Slider,
    Source,
)
from ui.fields import Choice, ChoiceField, NumberField, TextField
from ui.form import FieldRow

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

    from ui.theme import Theme

pytestmark = pytest.mark.qt_log_ignore("propagateSizeHints")

CONTROLS = (
    Control(Slider("steps", "Steps", (1.0, 2.0, 4.0), 2.0, ("one", "two", "four"), "How many.")),
    Control(TextField(name="text", title="Text", usual="words", lines=1)),
    Control(
        ChoiceField(
            name="kind", title="Kind", usual="a", choices=(Choice("a", "A"), Choice("b", "B"))
        )
    ),
    Control(NumberField(name="seed", title="Seed", usual=1, high=9), folded=True),
    Control(NumberField(name="layer", title="Layer", usual=0, high=9), parts=("other",)),
)
EXHIBIT = ExhibitView(
    7,
    "The cache",
    "What changes?",
    ("First of all.", "And then."),
    (Part("", ""), Part("other", "Other part")),
    CONTROLS,
)
RESULT = ResultView(
    part="",
    pictures=Pictures(
        (Cards((Card("Bits", "0"),)),), (Bars((Bar("one", 1.0, key="one"), Bar("two", 2.0))),)
    ),
    claim="Nothing changes & <nothing> is lost.",
    findings=(Finding("No bit changes.", is_seen=True, figures="Measured 0."),),
    complete=True,
    sources=(Source("a = b", "engine.one"), Source("c = d", "engine.two")),
    notes=("Take care.",),
)
READY = RunView("Run on tiny", enabled=True)


@pytest.fixture
def page(theme: Theme, qtbot: QtBot) -> ExhibitsPage:
    page = ExhibitsPage(theme)
    qtbot.addWidget(page)
    qtbot.addWidget(page.index)
    page.resize(1100, 780)
    page.show()
    page.index.set_rows([IndexRow(1, "The loop", is_seen=True), IndexRow(7, "The cache")])
    page.show_exhibit(EXHIBIT, {"steps": 4, "text": "others", "kind": "b"}, "")
    page.show_run(READY)
    return page


def test_the_index_marks_what_is_shown_and_seen(page: ExhibitsPage, qtbot: QtBot) -> None:
    assert page.index.count.words == "1 of 2"
    first, second = page.index._rows[1], page.index._rows[7]
    assert second.isChecked()
    assert first.accessibleName() == "1. The loop, seen"
    with qtbot.waitSignal(page.chosen) as chosen:
        first.click()
    assert chosen.args == [1]
    with qtbot.waitSignal(page.language_chosen) as language:
        page.index.language.click()
    assert language.args == ["zh_CN"]
    page.index.resize(248, 700)
    page.index.grab()


def test_controls_belong_to_parts(page: ExhibitsPage, qtbot: QtBot) -> None:
    panel = page.controls
    assert panel.values == {"steps": 4, "text": "others", "kind": "b", "seed": 1, "layer": 0}
    shown = {name for name in panel.values if panel.widget(name).isVisible()}
    assert shown == {"steps", "text", "kind"}
    panel.more.click()
    assert panel.widget("seed").isVisible()
    page.show_part("other")
    assert {name for name in panel.values if panel.widget(name).isVisible()} == {"layer"}
    with qtbot.waitSignal(page.changed) as changed:
        panel.widget("steps").set_number(1)  # pyright: ignore[reportAttributeAccessIssue] - a slider
    assert changed.args == ["steps", 1]
    with qtbot.assertNotEmitted(page.changed):
        page.show_values({"steps": 2, "text": "again"})
    assert panel.values["text"] == "again"


def test_what_is_typed_is_handed_out_before_a_run(page: ExhibitsPage, qtbot: QtBot) -> None:
    row = page.controls.widget("text")
    assert isinstance(row, FieldRow)
    row.entry.line.setText("typed")  # pyright: ignore[reportAttributeAccessIssue, reportUnknownMemberType] - a line
    told: list[str] = []

    def on_changed(name: str, _value: object) -> None:
        told.append(name)

    def on_run(_part: str) -> None:
        told.append("run")

    page.changed.connect(on_changed)
    page.run_requested.connect(on_run)
    page.buttons.run.click()
    assert told == ["text", "run"]
    with qtbot.waitSignal(page.part_requested) as part:
        page.buttons.button("other").click()
    assert part.args == ["other"]


def test_the_buttons_take_as_many_lines_as_they_need(page: ExhibitsPage, qtbot: QtBot) -> None:
    row = page.buttons
    page.show_exhibit(
        replace(EXHIBIT, parts=(Part("", ""), Part("other", "Long words " * 3))), {}, ""
    )

    def lines() -> int:
        buttons = (row.run, row.button("other"), row.reset)
        assert all(button.width() >= button.sizeHint().width() for button in buttons)
        return len({button.mapTo(row, QPoint()).y() // 8 for button in buttons})

    for width, count in ((1100, 1), (500, 2), (330, 3)):
        page.resize(width, 780)
        qtbot.waitUntil(lambda count=count: lines() == count)
    assert row.run.x() == row.button("other").x() == row.reset.x() == 0


def test_of_long_words_the_beginning_is_seen(page: ExhibitsPage) -> None:
    page.show_values({"text": "many words " * 20})
    row = page.controls.widget("text")
    assert isinstance(row, FieldRow)
    assert row.entry.line.cursorPosition() == 0  # pyright: ignore[reportAttributeAccessIssue, reportUnknownMemberType] - a line


def test_a_part_that_has_nothing_to_show_says_so(page: ExhibitsPage) -> None:
    page.show_result(replace(RESULT, pictures=Pictures(), findings=()))
    assert "There is nothing of it to show" in page.result.verdict.claim.text()
    assert page.result.sources.isHidden()
    page.show_result(replace(RESULT, findings=()))
    assert "nothing of it" not in page.result.verdict.claim.text()
    assert not page.result.sources.isHidden()


def test_progress_shows_only_where_it_takes_time(page: ExhibitsPage, qtbot: QtBot) -> None:
    page.show_run(replace(READY, phase="running", share=0.4))
    assert page.buttons.meter.isHidden()
    qtbot.waitUntil(lambda: not page.buttons.meter.isHidden())
    assert page.buttons.meter.fraction == 0.4
    with qtbot.waitSignal(page.cancelled):
        page.buttons.cancel.click()
    page.show_run(replace(READY, phase="failed", sentence="The text is empty."))
    assert page.buttons.cancel.isHidden()
    assert page.buttons.sentence.words == "The text is empty."


def test_a_result_is_shown_with_its_verdict(page: ExhibitsPage, qtbot: QtBot) -> None:
    page.show_result(RESULT)
    verdict = page.result.verdict
    assert "yes" in verdict.claim.text()
    assert "&lt;nothing&gt;" in verdict.claim.text()
    assert verdict.differing.isHidden()
    verdict.all.click()
    assert not verdict.checks.isHidden()
    with qtbot.waitSignal(page.activated) as activated:
        page.result.aside.views[0].activated.emit("one")
    assert activated.args == ["one"]
    unseen = Finding("It is fast.", is_seen=False, figures="Measured 3, expected < 2 (s).")
    page.show_result(replace(RESULT, findings=(*RESULT.findings, unseen)))
    assert "1 of 2 checks" in verdict.claim.text()
    assert verdict.differing.words == "It is fast. Measured 3, expected < 2 (s)."
    page.show_result(replace(RESULT, findings=(), complete=False))
    assert "Not measured yet." in verdict.claim.text()
    page.show_result(replace(RESULT, findings=()))
    assert "Not measured yet." not in verdict.claim.text()
    page.show_result(None)
    assert page.result.isHidden()
    assert page.notes.isHidden()


def test_formulas_unfold(page: ExhibitsPage) -> None:
    page.show_result(RESULT)
    sources = page.result.sources
    assert [row.isVisible() for row in sources._rows] == [True, True, False, False]
    sources.more.click()
    assert all(row.isVisible() for row in sources._rows)


@pytest.mark.parametrize("width", [552, 1100])
def test_it_fits_its_width(page: ExhibitsPage, qtbot: QtBot, width: int) -> None:
    page.resize(width, 560)
    page.show_result(RESULT)
    qtbot.wait(1)
    assert page._body.width() <= width
    views = (*page.result.main.views, *page.result.aside.views)
    whole = QRect(0, 0, page._body.width(), page._body.height())
    for view in views:
        spot = view.mapTo(page._body, view.rect().topLeft())
        assert whole.contains(QRect(spot, view.size()))


def test_it_looks_right_in_both_themes(page: ExhibitsPage, theme: Theme) -> None:
    page.show_result(RESULT)
    light = page.grab().toImage()
    theme.set_mode("dark")
    assert page.grab().toImage() != light
