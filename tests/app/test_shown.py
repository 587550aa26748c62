"""Which chat is shown, where one wish follows another before the store has answered."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import Qt

from app.requests import ReplyEnd
from tests.app.driving import saved_chats

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.app.driving import Driver


def ask_and_stop(app: Driver, text: str) -> None:
    app.ask(text)
    app.until(lambda: app.words[-2:-1] == [text] and len(app.reply) > 5)
    app.press(Qt.Key.Key_Escape)
    app.until(lambda: not app.busy)


@pytest.fixture
def asked(drive: Callable[..., Driver], talker: Path) -> Driver:
    """A chat with one question and a reply that was stopped."""
    app = drive(talker)
    app.until_ready()
    ask_and_stop(app, "hello")
    return app


def test_what_is_asked_right_after_deleting_a_chat_is_not_deleted_with_it(asked: Driver) -> None:
    app, first = asked, asked.app.shown.chat_id
    app.app.chats.on_chats_delete_requested([first])
    ask_and_stop(app, "and now")
    assert app.words[0] == "and now"
    assert app.app.shown.chat_id != first
    app.until(lambda: app.titles == ["and now"])
    app.close()
    ((question, _),) = saved_chats(app.folder)
    assert question.text == "and now"


def test_a_chat_whose_deletion_is_undone_is_shown_again(asked: Driver) -> None:
    app = asked
    app.app.chats.on_chats_delete_requested([app.app.shown.chat_id])
    assert app.words == []
    app.until(lambda: not app.window.page.undo_bar.isHidden() and app.titles == [])
    app.window.undo_requested.emit()
    app.until(lambda: app.words[:1] == ["hello"])


def test_a_message_that_is_deleted_goes_whatever_is_wished_meanwhile(asked: Driver) -> None:
    app = asked
    ask_and_stop(app, "more")
    shown, act = app.app.shown, app.window.message_action.emit
    wishes: list[Callable[[], None]] = []

    def wish_while_it_is_read_again(_: list[str]) -> None:
        if wishes:
            wishes.pop()()

    app.app.deletions.changed.connect(wish_while_it_is_read_again)
    wishes.append(lambda: shown.on_chat_selected(shown.chat_id))
    act("delete", shown.messages[3].id)
    app.until(lambda: len(app.items) == 3)
    gone = shown.messages[2].id
    wishes.append(lambda: act("fork", gone))  # it is not there any more: no chat comes of it
    act("delete", gone)
    app.until(lambda: len(app.items) == 2)
    app.until(lambda: "no longer exists" in app.notice)
    act("delete", shown.messages[1].id)
    ask_and_stop(app, "again")
    app.until(lambda: app.words[:-1] == ["hello", "again"])
    assert [each.id for each in shown.messages] == [item.view.id for item in app.items]


@pytest.mark.parametrize("is_new", [False, True])
def test_a_turn_that_is_refused_does_not_come_back(asked: Driver, *, is_new: bool) -> None:
    app, shown = asked, asked.app.shown
    if is_new:
        app.new_chat()
    before = app.words
    app.app.chats.on_submitted("more")
    shown.on_trash_changed([shown.chat_id])  # it is read as it is now
    reply_id = shown.messages[-1].id
    app.app.chats.on_ended(ReplyEnd(reply_id, "failed", error="It is too long."))
    app.app.worker.stop_reply(reply_id)
    read: list[object] = []
    app.app.store.run(lambda _: None, read.append)
    app.until(lambda: bool(read))
    assert app.words == before
    assert app.draft.strip() == "more"
    assert app.notice == "It is too long."
    app.press(Qt.Key.Key_Return)
    app.until(lambda: app.busy and len(app.reply) > 5)
    app.press(Qt.Key.Key_Escape)
    app.until(lambda: not app.busy)
    assert app.words[:-1] == [*before, "more"]
