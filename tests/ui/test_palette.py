"""The palette reaches every action, chat and model; the list of shortcuts names every key."""

from __future__ import annotations

import datetime
from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QInputMethodEvent
from PySide6.QtWidgets import QApplication, QLabel, QLineEdit

from ui.palette import score
from ui.shortcuts import ShortcutList, menu_actions, rows_of
from ui.state import ChatRow, HitRow, MessageView, ModelChoice

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

    from ui.palette import Palette
    from ui.window import MainWindow

DAY = datetime.date(2026, 1, 2)


@pytest.fixture
def palette(window: MainWindow, qtbot: QtBot) -> Palette:
    window.set_chats([ChatRow("c1", "Trip to Lisbon", "", DAY), ChatRow("c2", "翻译", "", DAY)])
    window.set_model_choices([ModelChoice("/models/q", "Qwen3 4B")])
    qtbot.keyClick(window, Qt.Key.Key_K, Qt.KeyboardModifier.ControlModifier)
    assert window.focusWidget() is window.palette_of_actions.field
    return window.palette_of_actions


def test_every_action_is_reached(window: MainWindow, palette: Palette) -> None:
    actions = window.actions_of_menus
    listed = set(palette.titles)
    missing = {
        action.text()
        for _, action in menu_actions(window.menuBar())
        if action.isEnabled() and action is not actions.palette and action.text() not in listed
    }
    assert not missing
    assert {"Trip to Lisbon", "翻译", "Qwen3 4B"} <= listed


def test_chats_and_models_are_chosen_by_their_letters(
    window: MainWindow, palette: Palette, qtbot: QtBot
) -> None:
    qtbot.keyClicks(palette.field, "lisb")
    assert palette.titles[0] == "Trip to Lisbon"
    assert palette.list.verticalScrollBar().maximum() == 0
    with qtbot.waitSignal(window.chat_selected) as chosen:
        qtbot.keyClick(palette.field, Qt.Key.Key_Return)
    assert chosen.args == ["c1"]
    assert palette.isHidden()
    assert window.focusWidget() is window.page.composer.draft
    window.actions_of_menus.palette.trigger()
    qtbot.keyClicks(palette.field, "qwen")
    with qtbot.waitSignal(window.model_open_requested) as opened:
        qtbot.mouseClick(palette.list.viewport(), Qt.MouseButton.LeftButton, pos=QPoint(30, 18))
    assert opened.args == ["/models/q"]


def test_an_action_works_where_the_focus_was(
    window: MainWindow, palette: Palette, qtbot: QtBot
) -> None:
    palette.close_palette()
    draft = window.page.composer.draft
    qtbot.keyClicks(draft, "words")
    window.actions_of_menus.palette.trigger()
    qtbot.keyClicks(palette.field, "select all")
    qtbot.keyClick(palette.field, Qt.Key.Key_Return)
    assert draft.textCursor().selectedText() == "words"


def test_keys_and_presses_beside_it(window: MainWindow, palette: Palette, qtbot: QtBot) -> None:
    first = palette.list.currentIndex().row()
    qtbot.keyClick(palette.field, Qt.Key.Key_Up)
    assert palette.list.currentIndex().row() == len(palette.titles) - 1
    qtbot.keyClick(palette.field, Qt.Key.Key_Down)
    assert palette.list.currentIndex().row() == first == 0
    assert palette.titles[0] in palette.field.accessibleDescription()
    qtbot.keyClicks(palette.field, "no such thing")
    assert palette.titles == ()
    window.grab()
    qtbot.keyClick(palette.field, Qt.Key.Key_Return)
    assert not palette.isHidden()
    window.resize(900, 600)
    assert palette.size() == window.size()
    qtbot.mouseClick(palette, Qt.MouseButton.LeftButton, pos=QPoint(5, 300))
    assert palette.isHidden()
    window.actions_of_menus.palette.trigger()
    window.grab()
    window.set_busy(True)
    qtbot.keyClick(palette.field, Qt.Key.Key_Escape)
    assert palette.isHidden()


def test_what_had_the_focus_may_be_gone(window: MainWindow, qtbot: QtBot) -> None:
    field = QLineEdit(window)
    field.show()
    field.setFocus()
    assert QApplication.focusWidget() is field
    window.actions_of_menus.palette.trigger()
    with qtbot.waitSignal(field.destroyed):
        field.deleteLater()
    qtbot.keyClick(window.palette_of_actions.field, Qt.Key.Key_Escape)
    assert window.palette_of_actions.isHidden()


def test_words_are_looked_for_in_all_chats(
    window: MainWindow, palette: Palette, qtbot: QtBot
) -> None:
    asked: list[str] = []
    window.search_requested.connect(asked.append)
    qtbot.keyClicks(palette.field, "xyz")
    assert asked == ["x", "xy", "xyz"]
    window.set_search_hits("xy", [HitRow("c1", "m", "Trip", "too late")])
    window.set_search_hits("xyz", [HitRow("c1", "m3", "Trip", "… the xyz of it …")])
    assert palette.titles == ("… the xyz of it …",)
    with qtbot.waitSignal(window.message_selected) as chosen:
        qtbot.keyClick(palette.field, Qt.Key.Key_Return)
    assert chosen.args == ["c1", "m3"]


def test_a_message_is_brought_into_sight(window: MainWindow, qtbot: QtBot) -> None:
    views = [MessageView(str(n), "user", f"Message {n}. " * 40) for n in range(120)]
    window.show_chat(views, "")
    window.reveal_message("7")
    transcript = window.page.transcript
    qtbot.waitUntil(lambda: any(i.message_id == "7" for i in transcript.items), timeout=10_000)
    item = next(item for item in transcript.items if item.message_id == "7")
    bar = transcript.verticalScrollBar()
    qtbot.waitUntil(lambda: bar.value() <= item.y() <= bar.value() + 100)


def test_where_all_is_in_sight_nothing_leads_to_the_end(window: MainWindow, qtbot: QtBot) -> None:
    window.show_chat([MessageView("q", "user", "Why?"), MessageView("r", "assistant", "So.")], "")
    transcript = window.page.transcript
    with qtbot.waitSignal(transcript.revealed):
        window.reveal_message("q")
    window.resize(window.width() - 40, window.height())  # laid out anew
    assert not transcript._jump.isVisible()


def test_better_names_come_first() -> None:
    assert score("New Chat", "new") > score("Renew", "new") > 0
    assert score("Find Next", "fn") > 0
    assert score("Find Next", "xt") > 0
    assert score("Find Next", "next find") > 0
    assert score("Find Next", "fz") == 0
    assert score("anything", "") > 0


def test_what_stands_in_a_menu_of_a_menu_is_reached(window: MainWindow, palette: Palette) -> None:
    actions = window.actions_of_menus
    assert {actions.forget_oldest.text(), actions.end_reply.text()} <= set(palette.titles)
    assert "When the Context Is Full" not in palette.titles


def test_what_an_entry_is_finds_it_too(window: MainWindow, palette: Palette, qtbot: QtBot) -> None:
    actions = window.actions_of_menus
    qtbot.keyClicks(palette.field, "context full")
    assert {actions.forget_oldest.text(), actions.end_reply.text()} == set(palette.titles)
    palette.close_palette()
    window.set_exhibits({1: "The loop", 12: "Choosing"})
    actions.palette.trigger()
    qtbot.keyClicks(palette.field, "exhibit 12")
    assert palette.titles == ("Choosing",)


def test_keys_belong_to_the_input_method_while_it_composes(palette: Palette, qtbot: QtBot) -> None:
    field = palette.field
    QApplication.sendEvent(field, QInputMethodEvent("fan", []))
    for key in (Qt.Key.Key_Down, Qt.Key.Key_Return, Qt.Key.Key_Escape):
        qtbot.keyClick(field, key)
    assert not palette.isHidden()
    assert palette.list.currentIndex().row() == 0
    done = QInputMethodEvent("", [])
    done.setCommitString("翻译")
    QApplication.sendEvent(field, done)
    assert palette.titles[0] == "翻译"
    qtbot.keyClick(field, Qt.Key.Key_Return)
    assert palette.isHidden()


@pytest.mark.qt_log_ignore("This plugin does not support")
def test_the_list_of_shortcuts_is_there_once(window: MainWindow, qtbot: QtBot) -> None:
    for _ in range(2):
        window.actions_of_menus.shortcuts.trigger()
    (shown,) = window.findChildren(ShortcutList)
    shown.close()
    qtbot.waitUntil(lambda: window.findChild(ShortcutList) is None)


@pytest.mark.qt_log_ignore("This plugin does not support")
def test_list_of_shortcuts_names_every_key(window: MainWindow, qtbot: QtBot) -> None:
    window.actions_of_menus.shortcuts.trigger()
    shown = window.findChild(ShortcutList)
    assert shown is not None
    labels = {label.text() for label in shown.findChildren(QLabel)}
    for group, name, keys in rows_of(window.menuBar()):
        assert {group, name, keys} <= labels
    assert "Send the message" in labels
    assert "Take back a token or an edit" in labels
    shown.close()
    qtbot.waitUntil(lambda: window.findChild(ShortcutList) is None)
