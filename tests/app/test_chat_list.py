"""The list of chats with its store: rename, pin, archive, delete with undo, search and jump."""

from __future__ import annotations

import sqlite3
from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import Qt

from app.chats.model import new_chat, new_message
from app.chats.store import Store

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.app.driving import Driver

    Drive = Callable[..., Driver]


@pytest.fixture
def stored(drive: Drive, talker: Path, tmp_path: Path) -> Driver:
    """Three chats on disk, one of them with two versions of its question."""
    (tmp_path / "data").mkdir(exist_ok=True)
    store = Store(tmp_path / "data" / "chats.sqlite3")
    for title, words in (
        ("weather", "今天的天气很好"),
        ("bread", "flour and water"),
        ("tree", "old"),
    ):
        chat = new_chat(title)
        store.create_chat(chat)
        question = new_message(chat.id, None, "user", words)
        store.add_message(question)
        store.add_message(new_message(chat.id, question.id, "assistant", f"about {words}"))
        if title == "tree":
            store.branches.edit(question.id, "new words")
    store.close()
    app = drive(talker)
    app.until(lambda: app.titles == ["tree", "bread", "weather"])
    return app


def search(app: Driver, words: str) -> list[str]:
    """Type words to find; the snippets that come."""
    sidebar = app.window.sidebar
    sidebar.search.setText(words)
    app.until(sidebar.hits.isVisible)
    hits = [sidebar.hits.hits.hit(sidebar.hits.hits.index(row)) for row in range(20)]
    return [hit.snippet for hit in hits[: sidebar.hits.hits.rowCount()] if hit is not None]


@pytest.mark.slow
def test_the_list_comes_once_another_program_lets_go_of_it(
    drive: Drive, talker: Path, tmp_path: Path
) -> None:
    (tmp_path / "data").mkdir(exist_ok=True)
    path = tmp_path / "data" / "chats.sqlite3"
    store = Store(path)
    store.create_chat(new_chat("held"))
    store.close()
    other = sqlite3.connect(path, isolation_level=None)
    other.execute("BEGIN EXCLUSIVE")
    app = drive(talker)
    app.until(lambda: "in use" in app.notice)
    assert app.titles == []
    other.close()
    app.until(lambda: app.titles == ["held"])
    app.until(lambda: app.notice.startswith("The chats are there again"))


def test_a_chat_is_renamed(stored: Driver) -> None:
    app = stored
    app.choose("bread")
    app.until(lambda: app.window.header.title == "bread")
    app.window.chat_renamed.emit(app.app.shown.chat_id, "Loaf")
    app.until(lambda: "Loaf" in app.titles)
    assert app.window.header.title == "Loaf"


def test_chats_are_pinned_and_archived(stored: Driver) -> None:
    app = stored
    chats = app.window.sidebar.list
    app.choose("weather")
    app.until(lambda: app.selected == "weather")
    chats.pin()
    app.until(lambda: app.titles == ["weather", "tree", "bread"])
    chats.archive()
    app.until(lambda: app.titles == ["tree", "bread"])
    app.window.actions_of_menus.show_archived.setChecked(True)
    assert app.titles == ["tree", "bread", "weather"]


def test_deleted_chats_come_back(stored: Driver) -> None:
    app = stored
    app.choose("bread")
    app.until(lambda: app.words[:1] == ["flour and water"])
    app.window.sidebar.list.selectAll()
    app.press_delete()
    app.until(lambda: app.titles == [] and app.words == [])
    bar = app.window.page.undo_bar
    app.until(lambda: "3" in bar.sentence)
    bar.action.click()
    app.until(lambda: app.titles == ["tree", "bread", "weather"])
    app.until(lambda: app.selected == "bread" and app.words[:1] == ["flour and water"])


def test_a_chat_is_deleted_while_it_is_being_written(drive: Drive, talker: Path) -> None:
    app = drive(talker)
    app.ask("hello")
    app.until(lambda: len(app.reply) > 20)
    app.until(lambda: app.selected == "hello")
    app.window.sidebar.list.delete()
    app.until(lambda: app.titles == [] and app.words == [] and not app.busy)
    app.window.page.undo_bar.action.click()
    app.until(lambda: app.titles == ["hello"])
    app.choose("hello")
    app.until(lambda: len(app.words) == 2)


def test_messages_are_found_and_jumped_to(stored: Driver) -> None:
    app = stored
    assert search(app, "天气") == ["今天的天气很好", "about 今天的天气很好"][::-1]
    sidebar = app.window.sidebar
    sidebar.search.clear()
    snippets = search(app, "old")
    assert "old" in snippets
    index = sidebar.hits.hits.index(snippets.index("old"))
    spot = sidebar.hits.visualRect(index).center()
    app.click(sidebar.hits.viewport(), spot)
    # The hit is on a branch that was not shown.
    app.until(lambda: app.words == ["old", "about old"])
    assert app.window.header.title == "tree"
    app.press(Qt.Key.Key_Escape)
