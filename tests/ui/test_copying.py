"""Copying: a selection as Markdown and as rich text, a whole message, the menu for it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QGuiApplication, QTextCursor

from tests.ui.test_transcript import reply_of
from ui.chat.copying import markdown_of, mime
from ui.chat.message_menu import message_menu
from ui.chat.prose import Prose, TableBlock
from ui.state import MessageView

if TYPE_CHECKING:
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
    reply._copy.click()
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
