"""Chats grouped by day; choosing one tells of it, showing them does not."""

from __future__ import annotations

import datetime
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt

from ui.state import ChatRow

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

    from ui.window import MainWindow

TODAY = datetime.date(2026, 3, 2)
ROWS = [
    ChatRow("a", "Latest", "hello", TODAY),
    ChatRow("b", "Same day", "x" * 5000, TODAY),
    ChatRow("c", "Before", "two\nlines", datetime.date(2026, 3, 1)),
    ChatRow("d", "Winter", "", datetime.date(2026, 1, 9)),
    ChatRow("e", "Older", "", datetime.date(2025, 1, 9)),
]


def entries(window: MainWindow) -> list[str]:
    model = window.sidebar.list.chats
    return [str(model.index(row).data()) for row in range(model.rowCount())]


def test_chats_are_grouped_by_day(window: MainWindow) -> None:
    window.sidebar.set_chats(ROWS, "a", TODAY)
    assert entries(window) == [
        "Today",
        "Latest",
        "Same day",
        "Yesterday",
        "Before",
        "January",
        "Winter",
        "January 2025",
        "Older",
    ]
    window.grab()


def test_showing_chats_marks_the_current_one_silently(window: MainWindow) -> None:
    chosen: list[str] = []
    window.chat_selected.connect(chosen.append)
    window.sidebar.set_chats(ROWS, "c", TODAY)
    assert window.sidebar.list.currentIndex().data() == "Before"
    assert chosen == []


def test_pointer_and_arrows_choose_a_chat(window: MainWindow, qtbot: QtBot) -> None:
    chosen: list[str] = []
    window.chat_selected.connect(chosen.append)
    window.sidebar.set_chats(ROWS, "a", TODAY)
    chats = window.sidebar.list
    spot = chats.visualRect(chats.chats.index_of("b")).center()
    qtbot.mouseClick(chats.viewport(), Qt.MouseButton.LeftButton, pos=spot)
    assert chosen == ["b"]
    qtbot.keyClick(chats, Qt.Key.Key_Down)
    assert chosen == ["b", "c"]
    assert not chats.chats.flags(chats.chats.index(0)) & Qt.ItemFlag.ItemIsSelectable


def test_pressing_the_shown_chat_leads_back_to_it(window: MainWindow, qtbot: QtBot) -> None:
    window.sidebar.set_chats(ROWS, "a", TODAY)
    window.go("playground")
    chats = window.sidebar.list
    spot = chats.visualRect(chats.chats.index_of("a")).center()
    qtbot.mouseClick(chats.viewport(), Qt.MouseButton.LeftButton, pos=spot)
    assert window.places.current == "chat"


def test_a_key_that_goes_to_another_chat_selects_that_one_alone(
    window: MainWindow, qtbot: QtBot
) -> None:
    window.set_chats(ROWS, "a")

    def on_selected(chat_id: str) -> None:
        window.set_chats(ROWS, chat_id)

    window.chat_selected.connect(on_selected)
    control = Qt.KeyboardModifier.ControlModifier
    with qtbot.waitSignal(window.chat_selected):
        qtbot.keyClick(window.page.composer.draft, Qt.Key.Key_Tab, control)
    assert len(window.sidebar.list.selected) == 1


def test_a_new_preview_keeps_the_list_in_place(window: MainWindow) -> None:
    window.sidebar.set_chats(ROWS, "a", TODAY)
    resets: list[bool] = []
    window.sidebar.list.chats.modelReset.connect(lambda: resets.append(True))
    window.sidebar.set_chats(ROWS, "a", TODAY)
    changed = ChatRow("a", "Latest", "other", TODAY)
    window.sidebar.set_chats([changed, *ROWS[1:]], "a", TODAY)
    assert not resets
    assert window.sidebar.list.chats.chat(window.sidebar.list.currentIndex()) == changed
    window.sidebar.set_chats(ROWS[1:], "", TODAY)
    assert resets
    assert not window.sidebar.list.currentIndex().isValid()


def test_new_chat(window: MainWindow, qtbot: QtBot) -> None:
    with qtbot.waitSignal(window.new_chat_requested):
        qtbot.mouseClick(window.sidebar._new, Qt.MouseButton.LeftButton)
    with qtbot.waitSignal(window.new_chat_requested):
        qtbot.keyClick(window, Qt.Key.Key_N, Qt.KeyboardModifier.ControlModifier)
