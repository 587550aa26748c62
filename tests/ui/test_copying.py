"""Copying: a selection as Markdown and as rich text, a whole message, the menu for it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QGuiApplication, QMouseEvent, QTextCursor
from PySide6.QtWidgets import QApplication, QPlainTextEdit, QTextEdit

from tests.ui.test_transcript import reply_of
from ui.chat.copying import markdown_of, mime
from ui.chat.message_menu import message_menu
from ui.chat.prose import Prose, TableBlock
from ui.state import MessageView

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget
    from pytestqt.qtbot import QtBot

    from ui.window import MainWindow


def all_of(prose: object) -> QTextCursor:
    assert isinstance(prose, Prose)
    prose.selectAll()
    return prose.textCursor()


@pytest.mark.parametrize(
    "source",
    [
        "A **bold** and *slanted* ~~gone~~ `co*de` word.",
        "## Head\n\nText",
        "- one\n- two\n    - deeper\n- [x] done\n- [ ] open",
        "3. three\n4. four",
        "> quoted\n\n> > deeper",
        "A [link](https://example.org/a) and $x_1$ here[^1].",
        "Before\n\n---\n\nafter",
        "$$\\frac{a}{b}$$",
        "A \\*star\\* and \\`tick\\` and snake_case.",
        "\\# no head",
    ],
)
def test_what_was_written_is_what_is_copied(window: MainWindow, source: str) -> None:
    reply = reply_of(window, source)
    assert markdown_of(all_of(reply.segments[0])) == source


def test_table_is_copied_as_a_table(window: MainWindow) -> None:
    source = "| a | b | c |\n| --- | --: | :-: |\n| 1 | **2** | 3 |\n| 4 | 5 | 6 |"
    reply = reply_of(window, source)
    assert isinstance(reply.segments[0], TableBlock)
    assert markdown_of(all_of(reply.segments[0])) == source


def test_part_of_a_paragraph_keeps_its_emphasis(window: MainWindow) -> None:
    reply = reply_of(window, "# Head\n\nSome **very bold** words 😀 here.")
    prose = reply.segments[0]
    assert isinstance(prose, Prose)
    cursor = prose.document().find("bold words 😀")
    assert markdown_of(cursor) == "**bold** words 😀"


def test_copied_selection_is_rich_and_plain(window: MainWindow, qtbot: QtBot) -> None:
    reply = reply_of(window, "A **bold** <b>word</b> with $x^2$.")
    all_of(reply.segments[0])
    reply.segments[0].setFocus()
    qtbot.keyClick(reply.segments[0], Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    data = QGuiApplication.clipboard().mimeData()
    assert data.text() == "A bold <b>word</b> with x^2."
    assert "<strong>bold</strong>" in data.html()
    assert "&lt;b&gt;" in data.html()
    assert "color" not in data.html()


def test_rich_text_loads_nothing() -> None:
    html = mime("![view](http://localhost:9/x.png) <img src='http://localhost:9/y.png'>").html()
    assert "<img" not in html
    assert "view" in html


def test_whole_reply_and_selection_by_keyboard(window: MainWindow, qtbot: QtBot) -> None:
    reply = reply_of(window, "<think>hm</think>A **bold** word.")
    reply.actions_row.button("copy").click()
    assert QGuiApplication.clipboard().text() == "A **bold** word."
    assert "<strong>" in QGuiApplication.clipboard().mimeData().html()
    QGuiApplication.clipboard().clear()
    both = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier
    qtbot.keyClick(window, Qt.Key.Key_C, both)
    assert QGuiApplication.clipboard().text() == "A **bold** word."
    prose = reply.segments[1]
    assert isinstance(prose, Prose)
    prose.setFocus()
    prose.setTextCursor(prose.document().find("bold"))
    window.actions_of_menus.copy_markdown.trigger()
    assert QGuiApplication.clipboard().text() == "**bold**"


def test_menu_of_a_message(window: MainWindow) -> None:
    reply = reply_of(window, "A [link](https://example.org) here.")
    prose = reply.segments[0]
    assert isinstance(prose, Prose)
    spot = prose.cursorRect(prose.document().find("link")).center() - QPoint(6, 0)
    menu = message_menu(reply, prose.mapTo(reply, spot))
    by_name = {action.text(): action for action in menu.actions()}
    assert not by_name["Copy"].isEnabled()
    by_name["Copy Link"].trigger()
    assert QGuiApplication.clipboard().text() == "https://example.org"
    by_name["Select All"].trigger()
    assert prose.textCursor().selectedText() == "A link here."
    again = {action.text(): action for action in message_menu(reply, spot).actions()}
    again["Copy as Markdown"].trigger()
    assert QGuiApplication.clipboard().text() == "A [link](https://example.org) here."
    by_name["Copy Message as Markdown"].trigger()
    assert QGuiApplication.clipboard().text() == reply.answer
    window.show_chat([MessageView("u", "user", "mine")], "")
    item = window.page.transcript.items[0]
    menu = message_menu(item, QPoint(5000, 5000))
    assert menu.actions()[0].text() == "Copy Message"
    menu.actions()[0].trigger()
    assert QGuiApplication.clipboard().text() == "mine"


def test_a_drag_selects_across_prose_and_code(window: MainWindow, qtbot: QtBot) -> None:
    reply = reply_of(window, "One **two** three.\n\n```py\nx = 1\n```\n\nFour five six.")
    first, code, last = reply.texts()
    assert isinstance(first, Prose)
    assert isinstance(last, Prose)
    start = first.cursorRect(at(first, 4))
    end = last.cursorRect(at(last, 4))
    view = first.viewport()
    left = Qt.MouseButton.LeftButton
    qtbot.mousePress(view, left, pos=start.center())
    drag(view, view.mapFromGlobal(last.viewport().mapToGlobal(end.center())))
    qtbot.mouseRelease(
        view, left, pos=view.mapFromGlobal(last.viewport().mapToGlobal(end.center()))
    )
    assert first.textCursor().selectedText() == "two three."
    assert code.textCursor().selectedText() == "x = 1"
    assert last.textCursor().selectedText() == "Four"
    first.setFocus()
    qtbot.keyClick(first, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    data = QGuiApplication.clipboard().mimeData()
    assert data.text() == "two three.\n\nx = 1\n\nFour"
    assert "<pre>" in data.html()
    window.actions_of_menus.copy_markdown.trigger()
    assert QGuiApplication.clipboard().text() == "**two** three.\n\n```\nx = 1\n```\n\nFour"
    drag(view, start.center() + QPoint(40, 0), press=start.center())
    assert not last.textCursor().hasSelection()
    assert not code.textCursor().hasSelection()
    qtbot.keyClick(first, Qt.Key.Key_A, Qt.KeyboardModifier.ControlModifier)
    assert last.textCursor().selectedText() == "Four five six."
    qtbot.keyClick(first, Qt.Key.Key_Escape)
    assert not last.textCursor().hasSelection()


def test_a_drag_upwards(window: MainWindow, qtbot: QtBot) -> None:
    reply = reply_of(window, "One two.\n\n| a |\n|--|\n| b |\n\nThree four.")
    first, table, last = reply.texts()
    assert isinstance(last, Prose)
    view = last.viewport()
    press = last.cursorRect(at(last, 5)).center()
    up = view.mapFromGlobal(first.viewport().mapToGlobal(first.cursorRect(at(first, 4)).center()))
    drag(view, up, press=press)
    assert first.textCursor().selectedText() == "two."
    assert table.textCursor().hasSelection()
    assert last.textCursor().selectedText() == "Three"
    window.grab()
    qtbot.mouseRelease(view, Qt.MouseButton.LeftButton, pos=up)


def at(text: QTextEdit | QPlainTextEdit, position: int) -> QTextCursor:
    cursor = QTextCursor(text.document())
    cursor.setPosition(position)
    return cursor


def drag(view: QWidget, to: QPoint, press: QPoint | None = None) -> None:
    """Move with the button held, as a hand does; pressed before where that is given."""
    left, none = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
    if press is not None:
        kind = QEvent.Type.MouseButtonPress
        where = view.mapToGlobal(QPointF(press))
        QApplication.sendEvent(view, QMouseEvent(kind, QPointF(press), where, left, left, none))
    kind = QEvent.Type.MouseMove
    where = view.mapToGlobal(QPointF(to))
    held = Qt.MouseButton.NoButton
    QApplication.sendEvent(view, QMouseEvent(kind, QPointF(to), where, held, left, none))
