"""The places of the window: built at the first visit, with their own left side and inspector."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QVBoxLayout, QWidget
from typing_extensions import override

from ui.places import Place, PlacePage, Places
from ui.segments import Segments

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

    from ui.theme import Theme
    from ui.window import MainWindow


class _Page(PlacePage):
    """A page with a list of its own at the left."""

    def __init__(self, theme: Theme) -> None:
        super().__init__(theme)
        self._list = QLabel("list")

    @property
    @override
    def side(self) -> QWidget:
        return self._list


def test_a_page_is_built_at_the_first_visit_and_told_of_before_it_is_shown(
    qtbot: QtBot, theme: Theme
) -> None:
    chat, chats = QWidget(), QWidget()
    places = Places(
        theme,
        chat,
        chats,
        [Place("playground", "Playground", PlacePage), Place("models", "Models", _Page)],
    )
    qtbot.addWidget(places)
    qtbot.addWidget(places.sides)
    told: list[tuple[str, QWidget]] = []

    def on_built(name: str, page: QWidget) -> None:
        told.append((name, page))

    places.built.connect(on_built)
    assert places.page("models") is None
    places.go("models")
    page = places.page("models")
    assert page is not None
    assert told == [("models", page)]
    assert (places.currentWidget(), places.sides.currentWidget()) == (page, page.side)
    places.go("playground")
    assert places.sides.currentWidget() is chats
    places.go("chat")
    assert (places.currentWidget(), places.sides.currentWidget()) == (chat, chats)
    places.go("models")
    assert [name for name, _ in told] == ["models", "playground"]


def test_a_page_hears_of_every_visit(qtbot: QtBot, theme: Theme) -> None:
    places = Places(theme, QWidget(), QWidget(), [Place("models", "Models", _Page)])
    qtbot.addWidget(places)
    qtbot.addWidget(places.sides)
    places.go("models")
    page = places.page("models")
    assert page is not None
    with qtbot.waitSignal(page.entered):
        places.go("models")


@pytest.mark.qt_log_ignore("propagateSizeHints")
def test_segments_are_one_group_for_the_keyboard(qtbot: QtBot, theme: Theme) -> None:
    segments = Segments(theme, ["One", "Two", "Three"], "Numbers")
    host = QWidget()
    QVBoxLayout(host).addWidget(segments)
    qtbot.addWidget(host)
    with qtbot.waitActive(host):
        host.show()
        host.activateWindow()
    chosen: list[int] = []
    segments.chosen.connect(chosen.append)
    buttons = segments._group.buttons()
    buttons[0].setFocus(Qt.FocusReason.TabFocusReason)
    qtbot.keyClick(buttons[0], Qt.Key.Key_Right)
    assert (segments.current, buttons[1].hasFocus()) == (1, True)
    qtbot.mouseClick(buttons[2], Qt.MouseButton.LeftButton)
    segments.set_current(0)
    assert chosen == [1, 2]
    assert [button.accessibleName() for button in buttons] == ["One", "Two", "Three"]


def test_the_focus_goes_along_with_the_places(window: MainWindow) -> None:
    window.go("exhibits")
    page = window.places.page("exhibits")
    assert page is not None
    assert window.focusWidget() is page.focusProxy()
    window.go("chat")
    assert window.focusWidget() is window.page.composer.draft
