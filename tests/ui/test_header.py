"""The header at every width: places side by side, or behind one button; the model keeps room."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

import pytest
from PySide6.QtWidgets import QMenu

from ui.header import Header
from ui.state import ModelView

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

    from ui.theme import Theme

PLACES = ("Chat", "Playground", "Exhibits", "Models")
READY = ModelView("A model with a rather long name", "4-bit · 128k", "ready")


def header(theme: Theme, qtbot: QtBot, width: int, places: tuple[str, ...] = PLACES) -> Header:
    menu = QMenu()
    qtbot.addWidget(menu)
    header = Header(theme, menu, places)
    qtbot.addWidget(header)
    header.model_chip.set_model(READY)
    header.set_title("A long title " * 20)
    header.resize(width, header.height())
    header.show()
    qtbot.wait(5)
    return header


@pytest.mark.qt_log_ignore("propagateSizeHints")
@pytest.mark.parametrize("width", [320, 480, 560, 700, 1000, 1800])
def test_nothing_overlaps_or_is_squeezed(theme: Theme, qtbot: QtBot, width: int) -> None:
    bar = header(theme, qtbot, width)
    assert bar.width() == width
    shown = [
        part
        for part in (
            bar.sidebar_button,
            bar.places,
            bar.place_button,
            bar._title,
            bar.model_chip,
            bar.inspector_button,
        )
        if part.isVisible()
    ]
    for before, after in pairwise(shown):
        assert before.geometry().right() < after.geometry().left() + 1
    assert shown[-1].geometry().right() < width
    assert bar.places.isVisible() != bar.place_button.isVisible()
    if bar.places.isVisible():
        assert bar.places.width() >= bar.places.sizeHint().width()
    assert bar.model_chip.width() >= 120


@pytest.mark.qt_log_ignore("propagateSizeHints")
def test_one_button_leads_to_every_place(theme: Theme, qtbot: QtBot) -> None:
    bar = header(theme, qtbot, 400)
    chosen: list[int] = []
    bar.place_chosen.connect(chosen.append)
    for action in bar.place_button._menu.actions():
        action.trigger()
    assert chosen == [0, 1, 2, 3]
    bar.set_place(2)
    assert bar.place_button.text() == "Exhibits"
    assert bar.place_button.accessibleName() == "Place: Exhibits"
    assert bar._title.whole == ""
    bar.set_place(0)
    assert bar._title.whole == bar.title


@pytest.mark.qt_log_ignore("propagateSizeHints")
def test_one_place_needs_no_choice(theme: Theme, qtbot: QtBot) -> None:
    for width in (400, 1200):
        bar = header(theme, qtbot, width, ("Chat",))
        assert not bar.places.isVisible()
        assert not bar.place_button.isVisible()


@pytest.mark.qt_log_ignore("propagateSizeHints")
def test_a_title_is_left_out_where_only_a_few_letters_fit(theme: Theme, qtbot: QtBot) -> None:
    bar = header(theme, qtbot, 1360)
    assert bar._title.text().startswith("A long title A long")
    bar.resize(bar.width() - bar._title.width() + 60, bar.height())
    qtbot.waitUntil(lambda: bar._title.text() == "")
    bar.set_title("Hi")
    assert bar._title.text() == "Hi"
