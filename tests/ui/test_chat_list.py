"""What is done to chats in the sidebar: rename, pin, archive, delete, several at once, search."""

from __future__ import annotations

import datetime
import time
from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLineEdit

from ui.state import ChatRow, HitRow

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

    from ui.window import MainWindow

TODAY = datetime.date(2026, 3, 2)
ROWS = [
    ChatRow("p", "Thesis", "", datetime.date(2025, 1, 9), pinned=True),
    ChatRow("a", "Latest", "hello", TODAY),
    ChatRow("b", "Second", "more", TODAY),
    ChatRow("c", "Before", "", datetime.date(2026, 3, 1)),
    ChatRow("z", "Put away", "", TODAY, archived=True),
]
SHIFT = Qt.KeyboardModifier.ShiftModifier


@pytest.fixture
def listed(window: MainWindow) -> MainWindow:
    window.sidebar.set_chats(ROWS, "a", TODAY)
    return window


def entries(window: MainWindow) -> list[str]:
    model = window.sidebar.list.chats
    return [str(model.index(row).data()) for row in range(model.rowCount())]


def test_pinned_chats_stand_first_and_archived_ones_apart(listed: MainWindow) -> None:
    usual = ["Pinned", "Thesis", "Today", "Latest", "Second", "Yesterday", "Before"]
    assert entries(listed) == usual
    listed.actions_of_menus.show_archived.setChecked(True)
    assert entries(listed)[-2:] == ["Archived", "Put away"]
    listed.grab()
    listed.actions_of_menus.show_archived.setChecked(False)
    assert entries(listed) == usual


def test_a_chat_is_renamed_in_its_place(listed: MainWindow, qtbot: QtBot) -> None:
    chats = listed.sidebar.list
    chats.setFocus()
    qtbot.keyClick(chats, Qt.Key.Key_F2)
    editor = chats.viewport().findChild(QLineEdit)
    assert editor is not None
    assert chats.is_renaming
    assert editor.text() == "Latest"
    listed.sidebar.set_chats(ROWS[1:], "a", TODAY)
    assert entries(listed)[0] == "Pinned"
    editor.setText("  Another\ttitle ")
    with qtbot.waitSignal(listed.chat_renamed) as signal:
        qtbot.keyClick(editor, Qt.Key.Key_Return)
    assert signal.args == ["a", "Another title"]
    qtbot.waitUntil(lambda: entries(listed)[0] == "Today")
    listed.actions_of_menus.rename_chat.trigger()
    editor = chats.viewport().findChildren(QLineEdit)[-1]
    renamed: list[str] = []
    listed.chat_renamed.connect(renamed.append)
    editor.setText(" ")
    qtbot.keyClick(editor, Qt.Key.Key_Return)
    assert renamed == []


def test_several_chats_are_pinned_archived_and_deleted(listed: MainWindow, qtbot: QtBot) -> None:
    chats = listed.sidebar.list
    chosen: list[str] = []
    listed.chat_selected.connect(chosen.append)
    chats.setFocus()
    spot = chats.visualRect(chats.chats.index_of("b")).center()
    qtbot.mouseClick(chats.viewport(), Qt.MouseButton.LeftButton, SHIFT, spot)
    assert [chat.id for chat in chats.selected] == ["a", "b"]
    listed.sidebar.set_chats(ROWS[:-1], "a", TODAY)
    assert [chat.id for chat in chats.selected] == ["a", "b"]
    names = [action.text() for action in chats.menu().actions() if action.text()]
    assert names == ["Pin", "Archive", "Export…", "Delete"]
    with qtbot.waitSignal(chats.export_requested):
        chats.menu().actions()[2].trigger()
    with qtbot.waitSignal(listed.chats_pinned) as signal:
        chats.pin()
    assert signal.args == [["a", "b"], True]
    with qtbot.waitSignal(listed.chats_archived) as signal:
        chats.archive()
    assert signal.args == [["a", "b"], True]
    with qtbot.waitSignal(listed.chats_delete_requested) as signal:
        qtbot.keyClick(chats, Qt.Key.Key_Delete)
    assert signal.args == [["a", "b"]]
    listed.sidebar.set_chats(ROWS, "p", TODAY)
    assert "Unpin" in [action.text() for action in chats.menu().actions()]
    listed.sidebar.set_chats([], "", TODAY)
    chats.delete()
    chats.pin()
    chats.archive()
    chats.rename()
    assert not chats.is_renaming


HITS = [
    HitRow("a", "", "天气 today", "天气 today", ((0, 2),)),
    HitRow("b", "m", "Emoji", "a 😀 and the needle in it", ((14, 20),)),
]


def test_found_messages_stand_in_for_the_list(listed: MainWindow, qtbot: QtBot) -> None:
    sidebar = listed.sidebar
    qtbot.keyClick(listed, Qt.Key.Key_F, Qt.KeyboardModifier.ControlModifier | SHIFT)
    assert sidebar.search.hasFocus()
    with qtbot.waitSignal(listed.search_requested) as signal:
        qtbot.keyClicks(sidebar.search, "needle")
    assert signal.args == ["needle"]
    listed.set_search_hits("other words", HITS)
    assert not sidebar.hits.isVisible()
    listed.set_search_hits("needle", HITS)
    assert sidebar.hits.isVisible()
    assert not sidebar.list.isVisible()
    listed.grab()
    qtbot.keyClick(sidebar.search, Qt.Key.Key_Down)
    assert sidebar.hits.hasFocus()
    qtbot.keyClick(sidebar.hits, Qt.Key.Key_Down)
    with qtbot.waitSignal(listed.message_selected) as signal:
        qtbot.keyClick(sidebar.hits, Qt.Key.Key_Return)
    assert signal.args == ["b", "m"]
    qtbot.keyClick(sidebar.hits, Qt.Key.Key_Escape)
    assert sidebar.search.hasFocus()
    with qtbot.waitSignal(listed.message_selected) as signal:
        qtbot.keyClick(sidebar.search, Qt.Key.Key_Return)
    assert signal.args == ["a", ""]
    qtbot.keyClick(sidebar.search, Qt.Key.Key_Escape)
    assert sidebar.list.isVisible()
    assert not sidebar.hits.isVisible()


def test_finding_nothing_is_said(listed: MainWindow) -> None:
    listed.sidebar.search.setText("xyzzy")
    listed.set_search_hits("xyzzy", [])
    assert listed.sidebar._none.isVisible()
    listed.sidebar.search.clear()
    assert not listed.sidebar._none.isVisible()


def test_marks_count_as_qt_does() -> None:
    from PySide6.QtGui import QTextCharFormat

    from ui.chat.hits import HitDelegate

    found = HitDelegate._range(HITS[1].snippet, HITS[1].marks[0], QTextCharFormat())
    assert (found.start, found.length) == (15, 6)


def test_ten_thousand_chats_are_listed_without_a_pause(window: MainWindow) -> None:
    rows = [
        ChatRow(str(number), f"Chat {number}", "", TODAY - datetime.timedelta(number // 20))
        for number in range(10_000)
    ]
    start = time.thread_time()
    window.sidebar.set_chats(rows, "5", TODAY)
    assert time.thread_time() - start < 0.1
    assert window.sidebar.list.currentIndex().data() == "Chat 5"
    window.sidebar.set_chats(rows, "9990", TODAY)
    assert window.sidebar.list.currentIndex().data() == "Chat 9990"
