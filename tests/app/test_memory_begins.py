"""Where the model's memory of a chat begins, and what happens when its context is full."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt

from app.chats.store import Store
from tests.app.talkers import write_talker

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.app.driving import Driver

    Drive = Callable[..., Driver]


def forgotten(app: Driver) -> list[bool]:
    """Which messages are dimmed, from the top."""
    return [not item.veil.isHidden() for item in app.items]


def ask_until_stopped(app: Driver, text: str, length: int) -> None:
    app.ask(text)
    app.until(lambda: not app.busy or len(app.reply) > length)
    if app.busy:
        app.press(Qt.Key.Key_Escape)
    app.until(lambda: not app.busy)


def test_what_left_the_window_is_marked(drive: Drive, tmp_path: Path) -> None:
    app = drive(write_talker(tmp_path / "small", context=400))
    app.until_ready()
    mark = app.window.page.transcript.column.mark
    ask_until_stopped(app, "first", 20)
    assert not mark.isVisible()
    assert forgotten(app) == [False, False]
    ask_until_stopped(app, "second", 350)
    ask_until_stopped(app, "third", 20)
    assert mark.isVisible()
    dimmed = forgotten(app)
    assert dimmed[:2] == [True, True]
    assert not dimmed[-1]
    assert dimmed == sorted(dimmed, reverse=True)
    first_seen = app.items[dimmed.index(False)]
    assert mark.geometry().bottom() < first_seen.y()
    app.new_chat()
    assert not mark.isVisible()
    app.choose("first")
    app.until(lambda: forgotten(app) == dimmed)
    assert app.errors == []
    app.close()
    again = drive(tmp_path / "small")
    again.until_ready()
    again.choose("first")
    again.until(lambda: forgotten(again) == dimmed)


def test_a_chat_can_end_where_its_context_does(drive: Drive, tmp_path: Path) -> None:
    app = drive(write_talker(tmp_path / "small", context=200))
    app.until_ready()
    menu = app.window.actions_of_menus
    assert menu.forget_oldest.isChecked()
    menu.end_reply.trigger()
    app.ask("hello")
    app.until(lambda: not app.busy)
    assert len(app.reply) <= 200
    app.new_chat()
    assert menu.forget_oldest.isChecked()
    app.choose("hello")
    app.until(menu.end_reply.isChecked)
    menu.forget_oldest.trigger()
    app.close()
    store = Store(app.folder / "chats.sqlite3")
    (summary,) = store.chats()
    opened = store.open_chat(summary.chat.id)
    store.close()
    assert opened is not None
    assert opened.settings.context.policy == "window"
