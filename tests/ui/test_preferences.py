"""The window of preferences: told at once, searched, put back, and closed by keyboard."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import Qt

from ui.fields import Choice, ChoiceField, FieldGroup, SwitchField, TextField

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

    from ui.preferences.window import PreferencesWindow
    from ui.window import MainWindow

GROUPS = (
    FieldGroup(
        "Looks",
        (
            ChoiceField(
                name="shade",
                title="Shade",
                usual="light",
                choices=(Choice("light", "Light"), Choice("dark", "Dark")),
            ),
        ),
    ),
    FieldGroup(
        "Network",
        (
            SwitchField(name="offline", title="Offline", help="Nothing is sent.", usual=False),
            TextField(name="address", title="Address"),
        ),
    ),
)


@pytest.fixture
def preferences(window: MainWindow, qtbot: QtBot) -> PreferencesWindow:
    window.show_preferences(GROUPS, {"shade": "dark", "offline": True, "address": ""})
    assert window.preferences is not None
    qtbot.waitUntil(window.preferences.isVisible)
    return window.preferences


pytestmark = pytest.mark.qt_log_ignore("This plugin does not support")  # of sizes


def test_keys_ask_for_it(window: MainWindow, qtbot: QtBot) -> None:
    with qtbot.waitSignal(window.preferences_requested) as asked:
        qtbot.keyClick(window, Qt.Key.Key_Comma, Qt.KeyboardModifier.ControlModifier)
    assert asked.args == [""]
    with qtbot.waitSignal(window.preferences_requested):
        window.foot.preferences.click()
    with qtbot.waitSignal(window.preferences_requested) as asked:
        window.foot.network.click()
    assert asked.args == ["Offline"]


def test_values_are_shown_and_changes_told(
    window: MainWindow, preferences: PreferencesWindow, qtbot: QtBot
) -> None:
    assert preferences.forms[0].values == {"shade": "dark"}
    with qtbot.waitSignal(window.preference_changed) as told:
        qtbot.mouseClick(preferences.forms[0].row("shade").reset, Qt.MouseButton.LeftButton)
    assert told.args == ["shade", "light"]
    with qtbot.waitSignal(window.preferences_reset):
        qtbot.keyClick(preferences.reset_all, Qt.Key.Key_Space)
    window.set_preferences({"offline": False})
    assert preferences.forms[1].values["offline"] is False


def test_search_leaves_what_goes_by_the_words(preferences: PreferencesWindow, qtbot: QtBot) -> None:
    qtbot.keyClicks(preferences.search, "SENT nothing")
    assert preferences.shown == ("offline",)
    preferences.search.setText("network")
    assert preferences.shown == ("offline", "address")
    preferences.search.setText("xyz")
    assert preferences.shown == ()
    assert preferences._none.isVisible()
    qtbot.keyClick(preferences.search, Qt.Key.Key_Escape)
    assert preferences.shown == ("shade", "offline", "address")


def test_it_opens_once_and_with_words(window: MainWindow, preferences: PreferencesWindow) -> None:
    window.show_preferences(GROUPS, {}, "Offline")
    assert window.preferences is preferences
    assert preferences.shown == ("offline",)


def test_escape_closes_and_keeps_what_was_typed(
    window: MainWindow, preferences: PreferencesWindow, qtbot: QtBot
) -> None:
    line = preferences.forms[1].row("address").entry.focusProxy()
    assert line is not None
    qtbot.keyClicks(line, "https://example.org")
    with qtbot.waitSignal(window.preference_changed) as told:
        preferences.close()
    assert told.args == ["address", "https://example.org"]
    qtbot.waitUntil(lambda: window.preferences is None)
    window.show_preferences(GROUPS, {})
    assert window.preferences is not None
    again = window.preferences
    qtbot.keyClick(again.search, Qt.Key.Key_Escape)
    qtbot.waitUntil(lambda: window.preferences is None)
