"""A chart on the screen: pointed at, clicked, walked by keyboard, changed, described."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QAccessible, QHelpEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QHBoxLayout, QScrollArea, QToolTip, QVBoxLayout, QWidget

from tests.ui.chart_samples import SAMPLES
from ui.charts import values as v
from ui.charts.picture import Move
from ui.charts.summaries import kind_name, summary
from ui.charts.view import ChartView, as_tip

if TYPE_CHECKING:
    from PySide6.QtWidgets import QApplication
    from pytestqt.qtbot import QtBot

    from ui.theme import Theme

CLICKABLE = [kind for kind in SAMPLES if kind not in {"lines", "note", "formula"}]


@pytest.fixture
def shown(theme: Theme, qtbot: QtBot) -> ChartView:
    view = ChartView(SAMPLES["bars"], theme)
    qtbot.addWidget(view)
    return show(view, qtbot)


def show(view: ChartView, qtbot: QtBot) -> ChartView:
    view.resize(480, 400)
    with qtbot.waitExposed(view):
        view.show()
    view.clearFocus()
    return view


def heard(view: ChartView) -> list[str]:
    keys: list[str] = []
    view.activated.connect(keys.append)
    return keys


def press(view: ChartView, *keys: Qt.Key) -> None:
    for key in keys:
        QTest.keyClick(view, key)


def centre_of(view: ChartView, key: str) -> QPoint:
    spot = view.picture.spot_of(key)
    assert spot
    return spot.rect.translated(0, view.picture.head_height).center().toPoint()


@pytest.mark.parametrize("kind", list(SAMPLES))
def test_every_kind_has_a_name_and_a_sentence(kind: str, theme: Theme, qtbot: QtBot) -> None:
    chart = SAMPLES[kind]
    view = ChartView(chart, theme)
    qtbot.addWidget(view)
    told = QAccessible.queryAccessibleInterface(view)
    assert told.text(QAccessible.Text.Name) == (chart.title or kind_name(chart))
    assert told.text(QAccessible.Text.Description) == summary(chart)
    assert summary(chart)
    given = dataclasses.replace(chart, summary="As it was said.", title="")
    view.set_chart(given)
    show(view, qtbot)
    assert view.accessibleName() == kind_name(chart)
    assert view.accessibleDescription() == "As it was said."


@pytest.mark.parametrize("kind", CLICKABLE)
def test_every_part_with_a_key_is_clicked_and_walked_to(
    kind: str, theme: Theme, qtbot: QtBot
) -> None:
    view = show(ChartView(SAMPLES[kind], theme), qtbot)
    qtbot.addWidget(view)
    clicked = heard(view)
    first = view.picture.walk("", Move.FIRST)
    QTest.mouseClick(view, Qt.MouseButton.LeftButton, pos=centre_of(view, first))
    assert clicked == [first]
    view.setFocus(Qt.FocusReason.TabFocusReason)
    press(view, Qt.Key.Key_Home, Qt.Key.Key_Return)
    assert len(clicked) == 2
    press(view, Qt.Key.Key_Right, Qt.Key.Key_Down, Qt.Key.Key_Up, Qt.Key.Key_Left)
    press(view, Qt.Key.Key_End, Qt.Key.Key_Space)
    assert len(clicked) == 3
    view.grab()


def test_arrows_walk_and_return_acts(shown: ChartView) -> None:
    clicked = heard(shown)
    shown.setFocus(Qt.FocusReason.TabFocusReason)
    assert shown.current_key == "big"
    press(shown, Qt.Key.Key_Down)
    assert shown.current_key == "large"
    press(shown, Qt.Key.Key_Down, Qt.Key.Key_Down, Qt.Key.Key_Return)
    assert clicked == ["old"]
    press(shown, Qt.Key.Key_Home, Qt.Key.Key_Up, Qt.Key.Key_Left, Qt.Key.Key_Enter)
    assert clicked == ["old", "big"]
    shown.clearFocus()
    assert shown.current_key == ""


def test_only_what_can_be_clicked_takes_the_focus(theme: Theme, qtbot: QtBot) -> None:
    for kind in SAMPLES:
        view = ChartView(SAMPLES[kind], theme)
        qtbot.addWidget(view)
        assert (view.focusPolicy() != Qt.FocusPolicy.NoFocus) == (kind in CLICKABLE)
        view.setFocus(Qt.FocusReason.TabFocusReason)
        press(view, Qt.Key.Key_Down, Qt.Key.Key_Return)


def test_a_press_that_ends_elsewhere_does_nothing(shown: ChartView) -> None:
    clicked = heard(shown)
    QTest.mousePress(shown, Qt.MouseButton.LeftButton, pos=centre_of(shown, "big"))
    QTest.mouseRelease(shown, Qt.MouseButton.LeftButton, pos=centre_of(shown, "old"))
    QTest.mouseClick(shown, Qt.MouseButton.RightButton, pos=centre_of(shown, "big"))
    QTest.mouseClick(shown, Qt.MouseButton.LeftButton, pos=QPoint(2, 2))
    assert clicked == []


def test_hovering_is_told_and_shown(shown: ChartView, qtbot: QtBot) -> None:
    told: list[str] = []
    shown.hovered.connect(told.append)
    before = shown.grab().toImage()
    QTest.mouseMove(shown, centre_of(shown, "large"))
    qtbot.waitUntil(lambda: told == ["large"])
    assert shown.cursor().shape() == Qt.CursorShape.PointingHandCursor
    assert shown.grab().toImage() != before
    shown.leaveEvent(QEvent(QEvent.Type.Leave))
    assert told == ["large", ""]
    assert shown.cursor().shape() == Qt.CursorShape.ArrowCursor


def test_tooltips_are_plain_text(theme: Theme, qtbot: QtBot) -> None:
    chart = v.TokenStrip((v.StripToken("<b>", tip="<b> & <img src=x>\n38 %", key="k"),))
    view = show(ChartView(chart, theme), qtbot)
    qtbot.addWidget(view)
    spot = centre_of(view, "k")
    found = view.picture.spot_at(QPointF(spot))
    assert found
    assert "&lt;img src=x&gt;<br>38 %" in as_tip(found.tip)
    nothing = QHelpEvent(QEvent.Type.ToolTip, QPoint(400, 2), QPoint(9000, 9000))
    assert view.event(nothing)
    assert not nothing.isAccepted()
    assert not QToolTip.isVisible()


def test_lines_tell_the_nearest_measurement(theme: Theme) -> None:
    view = ChartView(SAMPLES["lines"], theme)
    view.resize(480, 300)
    body = view.picture
    here = body.spot_at(QPointF(200, 100))
    assert here
    assert here.tip.splitlines()[0].endswith("tokens")
    assert "measured: " in here.tip
    assert body.spot_at(QPointF(200, -300)) is None
    ends = body.spot_at(QPointF(478, 100))
    assert ends
    assert ends.tip == "8 tokens\nmeasured: 1.9 s\nfit: 2 s"


def test_it_is_as_high_as_its_picture_in_any_layout(theme: Theme, qtbot: QtBot) -> None:
    page = QWidget()
    column, row = QVBoxLayout(page), QHBoxLayout()
    inner = QVBoxLayout()
    views = [ChartView(SAMPLES[kind], theme) for kind in ("strip", "cards", "note", "heat")]
    for view in views:
        inner.addWidget(view)
    row.addLayout(inner)
    row.addWidget(QWidget())
    column.addLayout(row)
    column.addStretch(1)
    area = QScrollArea()
    qtbot.addWidget(area)
    area.setWidgetResizable(True)
    area.setWidget(page)
    area.resize(500, 300)
    with qtbot.waitExposed(area):
        area.show()
    for width in (500, 900, 400):
        area.resize(width, 300)
        qtbot.waitUntil(
            lambda: all(abs(each.height() - each.picture.height) <= 1 for each in views)
        )


def test_a_change_keeps_widget_place_and_scroll(shown: ChartView) -> None:
    shown.setFocus(Qt.FocusReason.TabFocusReason)
    press(shown, Qt.Key.Key_Down)
    chart = SAMPLES["bars"]
    assert isinstance(chart, v.Bars)
    picture = shown.picture
    shown.set_chart(dataclasses.replace(chart))
    assert shown.picture is picture  # the same values: nothing is laid out again
    shown.set_chart(dataclasses.replace(chart, note="other"))
    assert shown.picture is not picture
    assert shown.current_key == "large"
    shown.set_chart(dataclasses.replace(chart, bars=chart.bars[:1]))
    assert shown.current_key == ""
    assert shown.heightForWidth(480) == pytest.approx(shown.picture.height, abs=1)
    shown.set_chart(SAMPLES["note"])
    assert shown.focusPolicy() == Qt.FocusPolicy.NoFocus
    assert shown.accessibleName() == "What you should see"


def test_out_of_sight_nothing_is_laid_out(theme: Theme, qtbot: QtBot) -> None:
    view = ChartView(SAMPLES["bars"], theme)
    qtbot.addWidget(view)
    view.resize(480, 300)
    for number in range(3):
        view.set_chart(v.Note(f"words {number}"))
        assert view._picture is None
    assert view.accessibleDescription() == summary(SAMPLES["bars"])
    show(view, qtbot)
    assert view.accessibleDescription() == "words 2"


def test_light_and_dark_are_followed_live(
    shown: ChartView, theme: Theme, qapp: QApplication
) -> None:
    light = shown.grab().toImage()
    theme.set_mode("dark")
    qapp.processEvents()
    dark = shown.grab().toImage()
    assert light != dark
    theme.set_mode("light")
    qapp.processEvents()
    assert shown.grab().toImage() == light


def test_the_keyboard_scrolls_to_its_part(theme: Theme, qtbot: QtBot) -> None:
    bars = tuple(v.Bar(f"bar {n}", n, key=str(n)) for n in range(100))
    view = ChartView(v.Bars(bars), theme)
    area = QScrollArea()
    qtbot.addWidget(area)
    area.setWidgetResizable(True)
    area.setWidget(view)
    area.resize(400, 200)
    with qtbot.waitExposed(area):
        area.show()
    view.setFocus(Qt.FocusReason.TabFocusReason)
    press(view, Qt.Key.Key_End)
    bar = area.verticalScrollBar()
    assert view.current_key == "99"
    assert bar.value() >= bar.maximum() - 30


def test_sentences_tell_what_matters() -> None:
    told = {kind: summary(chart) for kind, chart in SAMPLES.items()}
    assert told["bars"] == "3 bars, the largest: ␣big 38.1 %, ␣large 0.21, ␣old 0.006"
    assert told["lines"].startswith("measured from 0.1 s at 1 tokens to 1.9 s at 8 tokens; fit")
    assert told["heat"] == "7 × 7 values, the largest 1 at The, The"
    assert told["histogram"].startswith("␣big 41 of 100, expected 38; ␣large 19 of 100")
    assert told["rows"] == "before: 1 pinned, 1 held, 1 empty; after: 1 evicted, 1 quantised, 1 new"
    assert told["map"] == "200 held"
    assert told["ring"] == "1 pinned, 16 held; slot 3 is written next; 1,204 tokens seen"
    assert told["table"] == "2 rows: Token, id, cosine"
    assert told["steps"] == "RMSNorm 24.13, attention 5.3, residual 6.2"
    assert told["cards"].startswith("Stored values: 0 bits, changed in 64 steps; Difference")
