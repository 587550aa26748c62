"""The help says what is where, with this machine's keys and folders, and leads to the shortcuts."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QScrollArea

from ui.help_window import Folders, HelpWindow, chapters
from ui.shortcuts import keys_of

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

    from ui.theme import Theme
    from ui.window import MainWindow

FOLDERS = Folders("~/data", "/Volumes/models", "~/log")

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support")  # of sizes


@pytest.fixture
def shown(theme: Theme, window: MainWindow, qtbot: QtBot) -> HelpWindow:
    shown = HelpWindow(theme, chapters(window.actions_of_menus, FOLDERS), window)
    with qtbot.waitExposed(shown):
        shown.show()
    return shown


def words(shown: HelpWindow) -> str:
    return "\n".join(label.text() for label in shown.findChildren(QLabel))


def test_it_names_places_keys_and_folders(shown: HelpWindow, window: MainWindow) -> None:
    said = words(shown)
    assert all(title in said for title in window.places.titles)
    actions = window.actions_of_menus
    keys = [keys_of(action) for action in (actions.find, actions.search, actions.palette)]
    assert all(key and key in said for key in keys)
    assert {"~/data", "/Volumes/models"} <= set(said.split("\n"))
    assert "{" not in said


def test_without_a_log_none_is_named(window: MainWindow) -> None:
    last = chapters(window.actions_of_menus, Folders("~/data", "~/data/models", ""))[-1]
    assert [topic.text.split("\n")[0] for topic in last.topics] == ["~/data", "~/data/models"]


def test_it_is_read_with_the_keyboard_at_any_width(shown: HelpWindow, qtbot: QtBot) -> None:
    shown.resize(shown.minimumSize())
    area = shown.findChild(QScrollArea)
    assert area is not None
    qtbot.waitUntil(lambda: area.verticalScrollBar().maximum() > 0)
    area.setFocus()
    qtbot.keyClick(area, Qt.Key.Key_PageDown)
    assert area.verticalScrollBar().value() > 0
    page = area.widget()
    assert page is not None
    assert page.width() <= area.viewport().width()
    for label in page.findChildren(QLabel):
        assert label.height() >= label.heightForWidth(label.width())


def test_it_leads_to_the_shortcuts_and_closes_with_escape(
    shown: HelpWindow, window: MainWindow, qtbot: QtBot
) -> None:
    with qtbot.waitSignal(shown.shortcuts_wanted):
        shown.shortcuts.click()
    qtbot.keyClick(shown, Qt.Key.Key_Escape)
    qtbot.waitUntil(lambda: window.findChild(HelpWindow) is None)
