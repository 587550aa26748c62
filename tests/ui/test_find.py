"""Find in the chat: counted everywhere, built on a jump, marked, ended by Esc."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QPlainTextEdit, QTextEdit

from ui.chat.find import source_of
from ui.state import MessageView

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

    from ui.theme import Theme
    from ui.window import MainWindow

CONTROL = Qt.KeyboardModifier.ControlModifier


def marks(window: MainWindow) -> list[tuple[str, str]]:
    """The marked words that are shown, with their ground."""
    found: list[tuple[str, str]] = []
    for item in window.page.transcript.items:
        for text in item.texts():
            found += marks_of(text)
    return found


def marks_of(text: QTextEdit | QPlainTextEdit) -> list[tuple[str, str]]:
    return [
        (mark.cursor.selectedText(), mark.format.background().color().name())  # pyright: ignore[reportAttributeAccessIssue]  Qt's way
        for mark in text.extraSelections()
    ]


def search(window: MainWindow, qtbot: QtBot, words: str) -> None:
    qtbot.keyClick(window, Qt.Key.Key_F, CONTROL)
    field = window.page.find_bar.field
    assert window.focusWidget() is field
    field.clear()
    qtbot.keyClicks(field, words)
    qtbot.waitUntil(lambda: window.page.find_bar.figures != "")


def test_hits_in_words_code_and_tables(window: MainWindow, theme: Theme, qtbot: QtBot) -> None:
    window.show_chat(
        [
            MessageView("u", "user", "What is Fish?"),
            MessageView(
                "r", "assistant", "A **fish** is\n\n```\nfish()\n```\n\n| a |\n|--|\n| fish |"
            ),
        ],
        "",
    )
    search(window, qtbot, "fish")
    bar = window.page.find_bar
    assert bar.figures == "1 of 4"
    found = marks(window)
    assert [word for word, _ in found] == ["Fish", "fish", "fish", "fish"]
    assert [color for _, color in found] == [theme.colors.found_current] + [theme.colors.found] * 3
    qtbot.keyClick(bar.field, Qt.Key.Key_Return)
    assert bar.figures == "2 of 4"
    assert marks(window)[1][1] == theme.colors.found_current
    qtbot.keyClick(bar.field, Qt.Key.Key_Return, Qt.KeyboardModifier.ShiftModifier)
    qtbot.keyClick(bar.field, Qt.Key.Key_Up)
    assert bar.figures == "4 of 4"
    qtbot.mouseClick(bar.on, Qt.MouseButton.LeftButton)
    assert bar.figures == "1 of 4"
    window.set_busy(True)
    stops: list[bool] = []
    window.stop_requested.connect(lambda: stops.append(True))
    qtbot.keyClick(bar.field, Qt.Key.Key_Escape)
    assert not stops
    assert bar.isHidden()
    assert marks(window) == []
    assert window.focusWidget() is window.page.composer.draft


def test_what_is_not_built_is_counted_and_built_on_a_jump(window: MainWindow, qtbot: QtBot) -> None:
    views = [
        MessageView(str(n), "assistant" if n % 2 else "user", f"Message {n}. " + "Words. " * 60)
        for n in range(300)
    ]
    views[3] = MessageView("3", "assistant", "The **needle** and " + "hay " * 50)
    window.show_chat(views, "")
    transcript = window.page.transcript
    search(window, qtbot, "needle")
    assert window.page.find_bar.figures == "1 of 1"
    start = time.perf_counter()
    qtbot.waitUntil(lambda: bool(marks(window)), timeout=15_000)
    assert time.perf_counter() - start < 10
    item = next(item for item in transcript.items if item.message_id == "3")
    top = transcript.verticalScrollBar().value()
    assert top <= item.y() <= top + transcript.viewport().height()
    assert not transcript.following


def test_growing_reply_and_another_chat_are_searched_again(
    window: MainWindow, qtbot: QtBot
) -> None:
    window.show_chat([MessageView("r", "assistant", "one fish", "streaming")], "")
    search(window, qtbot, "fish")
    window.append_text("r", " two fish")
    qtbot.waitUntil(lambda: window.page.find_bar.finder.total == 2)
    window.show_chat([MessageView("s", "assistant", "nothing")], "")
    qtbot.waitUntil(lambda: window.page.find_bar.figures == "Not found")
    assert not window.page.find_bar.on.isEnabled()


def test_selected_words_are_looked_for(window: MainWindow) -> None:
    window.show_chat([MessageView("u", "user", "fish")], "")
    text = window.page.transcript.items[0].texts()[0]
    text.setFocus()
    text.selectAll()
    window.actions_of_menus.find.trigger()
    assert window.page.find_bar.field.text() == "fish"


def test_source_is_searched_without_its_markup_and_thoughts() -> None:
    view = MessageView("r", "assistant", "<think>fish</think>A *bold* [fish](http://fish.example)")
    assert source_of(view) == "a bold fish"
    marked = MessageView("r", "assistant", "fish\n</think>\nA Fish", thought_open=False)
    assert source_of(marked) == "a fish"


def test_hits_are_found_below_a_place_far_from_the_end(window: MainWindow, qtbot: QtBot) -> None:
    views = [MessageView(str(n), "user", f"fish {n}" if n % 50 == 0 else "-") for n in range(300)]
    window.show_chat(views, "")
    transcript, bar = window.page.transcript, window.page.find_bar
    transcript.show_message("100")
    window.actions_of_menus.find.trigger()
    qtbot.keyClicks(bar.field, "fish")
    qtbot.waitUntil(lambda: bar.figures == "3 of 6")
    bar.on.click()
    bar.on.click()
    qtbot.waitUntil(lambda: bar.figures == "5 of 6")
    item = next(item for item in transcript.items if item.message_id == "200")
    top = transcript.verticalScrollBar().value()
    assert top <= item.y() <= top + transcript.viewport().height()
    assert item.texts()[0].extraSelections()
    window.update_message(MessageView("300", "user", "unknown"))
    window.update_message(MessageView("299", "user", "a fish more"))
    window.add_message(MessageView("new", "assistant", "one more fish", "streaming"))
    qtbot.waitUntil(lambda: bar.figures == "5 of 8")


def test_search_of_a_huge_chat_is_quick() -> None:
    text = "Some **words** of a long reply. " * 200
    views = [MessageView(str(n), "assistant", text) for n in range(300)]
    start = time.perf_counter()
    assert sum(source_of(view).count("words of") for view in views) == 60_000
    assert time.perf_counter() - start < 2
