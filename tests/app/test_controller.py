"""Chats in the window: what is asked, answered, stopped, refused, saved and shown again."""

from __future__ import annotations

import sqlite3
from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import Qt

from app.chats.model import new_chat, new_message, new_reply
from app.chats.store import Store
from app.controller import ChatController
from tests.app.driving import PATIENCE_MS, Driver
from tests.app.talkers import write_talker

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from pytestqt.qtbot import QtBot

    Drive = Callable[..., Driver]

TOO_LONG = "word " * 60


def test_a_turn_is_shown_listed_and_saved(drive: Drive, terse: Path) -> None:
    app = drive(terse)
    app.ask("hello")
    app.until(lambda: bool(app.caption))
    assert app.words[0] == "hello"
    assert len(app.words) == 2
    assert app.words[1] == app.reply != ""
    assert app.caption.startswith("terse")
    assert "tokens/s" in app.caption
    assert "to first token" in app.caption
    assert not app.busy
    app.until(lambda: app.titles == ["hello"])
    assert app.selected == "hello"
    assert app.window.header.title == "hello"
    reply = app.reply
    app.close()
    ((question, answer),) = app.saved()
    assert (question.role, question.text) == ("user", "hello")
    assert (answer.role, answer.text, answer.state) == ("assistant", reply, "complete")
    assert answer.model == "terse"
    assert "".join(map(chr, answer.token_ids)) == reply
    assert answer.figures is not None
    assert answer.figures.finish_reason == "length"
    assert answer.figures.prompt_tokens == 24
    assert answer.figures.decode_tps is not None
    assert app.errors == []


def test_blank_and_impatient_questions_are_not_sent(drive: Drive, talker: Path) -> None:
    app = drive(talker)
    app.app.chats.on_submitted(" \n ")
    app.press(Qt.Key.Key_Return)
    assert app.words == []
    app.app.chats.on_stop_requested()
    app.ask("hello")
    app.until(lambda: len(app.reply) > 20)
    app.ask("more")
    app.app.chats.on_submitted("more")
    assert app.words[0] == "hello"
    assert len(app.words) == 2
    assert app.draft == "more"


def test_a_stopped_reply_is_kept(drive: Drive, talker: Path) -> None:
    app = drive(talker)
    app.ask("hello")
    app.until(lambda: len(app.reply) > 20)
    assert app.busy
    app.press(Qt.Key.Key_Escape)
    app.until(lambda: not app.busy)
    reply = app.reply
    assert app.caption.startswith("Stopped")
    app.close()
    ((_, answer),) = app.saved()
    assert (answer.text, answer.state) == (reply, "stopped")


def test_a_reply_is_stopped_while_the_model_still_loads(
    drive: Drive, starter_path: Path, talker: Path
) -> None:
    app = drive(starter_path)
    app.ask("first")
    app.press(Qt.Key.Key_Escape)
    assert not app.busy
    assert app.caption.startswith("Stopped")
    app.app.models.open(str(talker))
    app.ask("second")
    app.until(lambda: len(app.reply) > 3)
    app.close()
    (messages,) = app.saved()
    assert [message.text for message in messages][:3] == ["first", "", "second"]
    assert [message.state for message in messages[1::2]] == ["stopped", "stopped"]


STRICT = (
    "{% for message in messages %}"
    "{% if (message.role == 'user') != (loop.index0 % 2 == 0) %}"
    "{{ raise_exception('Roles must alternate') }}{% endif %}"
    "{{ message.role + ':' + message.content + '\n' }}{% endfor %}"
)


def test_a_chat_goes_on_after_an_empty_stopped_reply_in_a_strict_template(
    drive: Drive, tmp_path: Path
) -> None:
    app = drive(write_talker(tmp_path / "strict", context=200, template=STRICT))
    app.ask("first")
    app.press(Qt.Key.Key_Escape)
    app.until(lambda: not app.busy)
    app.ask("second")
    app.until(lambda: not app.busy)
    assert app.errors == []
    assert app.notice == ""
    assert app.reply != ""


def test_a_refused_first_question_comes_back(drive: Drive, terse: Path) -> None:
    app = drive(terse)
    app.until_ready()
    app.paste(TOO_LONG)
    app.press(Qt.Key.Key_Return)
    app.until(lambda: bool(app.errors))
    assert app.draft == TOO_LONG
    assert "96" in app.notice
    assert app.words == []
    assert app.window.page.welcome.isVisible()
    assert app.window.header.title == ""
    assert not app.busy
    app.until(lambda: app.titles == [])
    app.window.page.composer.draft.clear()
    app.ask("hello")
    app.until(lambda: bool(app.caption))
    assert app.notice == ""
    app.close()
    assert len(app.saved()) == 1
    assert len(app.errors) == 1


def test_a_refused_later_question_comes_back_before_what_was_typed_since(
    drive: Drive, tmp_path: Path
) -> None:
    app = drive(write_talker(tmp_path / "short", context=400))
    app.until_ready()
    app.ask("hello")
    app.until(lambda: len(app.reply) > 5)
    app.press(Qt.Key.Key_Escape)
    app.until(lambda: not app.busy)
    before = app.words
    app.paste(TOO_LONG * 2)
    app.press(Qt.Key.Key_Return)
    app.type("meanwhile")
    app.until(lambda: bool(app.errors))
    assert app.draft == f"{TOO_LONG * 2}\nmeanwhile"
    assert app.words == before
    app.until(lambda: app.titles == ["hello"])
    app.close()
    assert len(app.errors) == 1
    (messages,) = app.saved()
    assert [message.text for message in messages] == before


def test_a_refused_question_of_a_chat_that_is_not_shown_stays_in_it(
    drive: Drive, terse: Path, starter_path: Path
) -> None:
    app = drive(starter_path)
    app.paste(TOO_LONG)
    app.press(Qt.Key.Key_Return)
    app.new_chat()
    app.type("another thought")
    app.app.models.open(str(terse))
    app.until(lambda: app.window.header.model_chip.text().startswith("terse"))
    app.app.models.unload()
    app.press(Qt.Key.Key_Return)
    app.app.shown.on_new_chat_requested()
    app.until(lambda: bool(app.errors))
    assert app.notice == "No model is loaded; choose one first."
    assert app.draft == ""
    app.until(lambda: "another thought" in app.titles)
    app.choose("another thought")
    app.until(lambda: app.words[:1] == ["another thought"])
    assert app.caption.startswith("Could not be finished")


def test_without_a_model_the_question_comes_back(drive: Drive) -> None:
    app = drive("/nowhere/model.gguf")
    app.until(lambda: bool(app.notice))
    assert "/nowhere/model.gguf" in app.notice
    assert app.window.header.model_chip.text().startswith("model.gguf")
    app.ask("hello?")
    app.until(lambda: app.draft == "hello?")
    assert app.notice == "No model is loaded; choose one first."
    assert len(app.errors) == 2


def test_a_chat_goes_on_growing_while_another_is_shown(drive: Drive, talker: Path) -> None:
    app = drive(talker)
    app.ask("the first chat")
    app.until(lambda: len(app.reply) > 20)
    app.new_chat()
    assert app.words == []
    assert not app.busy
    assert app.window.header.title == ""
    app.ask("the second chat")
    app.until(lambda: app.titles == ["the second chat", "the first chat"])
    assert app.busy
    assert app.reply == ""
    app.choose("the first chat")
    app.until(lambda: app.words[:1] == ["the first chat"])
    assert app.selected == "the first chat"
    assert app.busy
    length = len(app.reply)
    assert length > 20
    app.until(lambda: len(app.reply) > length + 20)
    app.press(Qt.Key.Key_Escape)
    app.until(lambda: not app.busy)
    first = app.reply
    app.choose("the second chat")
    app.until(lambda: app.words[:1] == ["the second chat"] and len(app.reply) > 5)
    app.choose("the second chat")
    app.choose("the first chat")
    app.until(lambda: app.words == ["the first chat", first])
    app.close()
    second, saved = app.saved()
    assert [message.text for message in saved] == ["the first chat", first]
    assert "".join(map(chr, saved[1].token_ids)) == first
    assert second[1].state == "stopped"
    assert "".join(map(chr, second[1].token_ids)) == second[1].text != ""


def test_the_chat_that_was_just_left_can_be_chosen_at_once(drive: Drive, terse: Path) -> None:
    app = drive(terse)
    app.ask("hello")
    app.until(lambda: bool(app.caption))
    app.until(lambda: app.selected == "hello")
    app.new_chat()
    assert app.selected == ""
    app.choose("hello")
    app.until(lambda: app.words[:1] == ["hello"])


def test_the_latest_wish_wins_over_a_chat_that_is_still_being_read(
    drive: Drive, terse: Path
) -> None:
    app = drive(terse)
    for question in ("one", "two"):
        app.new_chat()
        app.ask(question)
        app.until(lambda: bool(app.caption))
    app.until(lambda: app.titles == ["two", "one"])
    shown: list[str] = []

    def on_shown(_messages: list[object], title: str) -> None:
        shown.append(title)

    app.app.shown.chat_shown.connect(on_shown)
    ids = [message.chat_id for message in app.app.shown.messages]
    app.choose("one")
    app.app.shown.on_chat_selected(ids[0])
    app.app._store_thread.submit(Store.chats).result()
    app.choose("one")
    app.new_chat()
    app.app._store_thread.submit(Store.chats).result()
    app.until(lambda: app.selected == "")
    assert shown == [""]
    assert app.words == []


def test_a_reply_that_ends_while_its_chat_is_read_is_shown_whole(
    drive: Drive, talker: Path
) -> None:
    app = drive(talker)
    app.ask("the first chat")
    app.until(lambda: len(app.reply) > 20)
    chat = app.app.shown.messages[-1]
    app.new_chat()
    app.app.shown.on_chat_selected(chat.chat_id)
    app.app._store_thread.submit(Store.chats).result()
    app.app.worker.stop_reply(chat.id)
    app.app.worker.close()
    app.app.worker.join()
    app.until(lambda: bool(app.words))
    app.until(lambda: not app.busy)
    assert app.caption.startswith("Stopped")


def test_an_unknown_chat_is_shown_as_empty(drive: Drive, terse: Path) -> None:
    app = drive(terse)
    app.ask("hello")
    app.until(lambda: bool(app.caption))
    app.app.shown.on_chat_selected("no such chat")
    app.until(lambda: app.words == [])


def test_chats_are_there_again(drive: Drive, terse: Path) -> None:
    app = drive(terse)
    app.ask("hello **you**")
    app.until(lambda: bool(app.caption))
    words, caption = app.words, app.caption
    app.close()
    again = drive(terse)
    again.until(lambda: again.titles == ["hello **you**"])
    assert again.words == []
    assert again.selected == ""
    again.choose("hello **you**")
    again.until(lambda: again.words == words)
    assert again.caption == caption
    assert again.window.header.title == "hello **you**"
    again.ask("and?")
    again.until(lambda: not again.busy)
    again.close()
    (messages,) = again.saved()
    assert [message.text for message in messages][:2] == words
    assert len(messages) in {2, 4}


def test_a_reply_that_was_cut_off_is_shown_as_interrupted(
    drive: Drive, terse: Path, tmp_path: Path
) -> None:
    chat = new_chat("cut off")
    question = new_message(chat.id, None, "user", "hello")
    reply = new_reply(chat.id, question.id, "terse")
    store = Store(tmp_path / "data" / "chats.sqlite3")
    store.create_chat(chat)
    store.add_message(question)
    store.add_message(reply)
    store.save_reply(reply.id, "so far", "streaming")
    store.close()
    app = drive(terse)
    app.choose("cut off")
    app.until(lambda: app.words == ["hello", "so far"])
    assert app.caption.startswith("Interrupted")
    assert not app.busy


@pytest.mark.parametrize("damage", ["garbage", "foreign", "locked", "folder"])
def test_the_chat_goes_on_where_the_store_fails(
    drive: Drive, terse: Path, tmp_path: Path, damage: str
) -> None:
    folder = tmp_path / "data"
    folder.mkdir()
    path = folder / "chats.sqlite3"
    connection = None
    if damage == "garbage":
        path.write_bytes(b"not a database at all" * 100)
    elif damage == "folder":
        path.mkdir()
    else:
        connection = sqlite3.connect(path, isolation_level=None)
        connection.execute("CREATE TABLE theirs (x)")
        if damage == "locked":
            connection.execute("BEGIN EXCLUSIVE")
    content = path.read_bytes() if path.is_file() else b""
    app = drive(terse)
    app.until(lambda: bool(app.errors))
    assert str(path) in app.notice
    for question in ("first", "second"):
        app.ask(question)
        app.until(lambda: app.busy)
        app.until(lambda: not app.busy)
    assert app.words[0] == "first"
    assert app.words[1] != ""
    assert app.errors.count(app.errors[0]) == len(app.errors) - ("context" in app.errors[-1])
    assert len(app.errors) <= 4
    app.close()
    if path.is_file():
        assert path.read_bytes() == content
    if connection is not None:
        connection.close()


def test_a_store_that_fails_says_so_once_a_turn(drive: Drive, talker: Path, tmp_path: Path) -> None:
    (tmp_path / "data").write_text("a file where the folder belongs", encoding="utf-8")
    app = drive(talker)
    app.until(lambda: len(app.errors) == 1)
    app.ask("hello")
    app.until(lambda: len(app.errors) == 2)
    app.window.page.notice.dismiss()
    length = len(app.reply)
    app._qtbot.wait(3 * 400)
    app.until(lambda: len(app.reply) > length + 20)
    assert app.notice == ""
    assert len(app.errors) == 2


def test_another_model_answers_the_next_question(drive: Drive, talker: Path, terse: Path) -> None:
    app = drive(talker)
    app.ask("hello")
    app.until(lambda: len(app.reply) > 10)
    app.app.models.open(str(terse))
    app.until(lambda: not app.busy)
    assert app.caption.startswith("Stopped   talker")
    app.until(lambda: app.window.header.model_chip.text().startswith("terse"))
    app.new_chat()
    app.ask("hi")
    app.until(lambda: bool(app.caption))
    assert app.caption.startswith("terse")
    app.window.actions_of_menus.unload.trigger()
    app.until(lambda: app.window.header.model_chip.text() == "No model")


def test_what_a_reply_no_longer_wanted_says_is_dropped(drive: Drive, terse: Path) -> None:
    from app.requests import ReplyEnd, ReplyPiece

    app = drive(terse)
    chats: ChatController = app.app.chats
    chats.on_produced(ReplyPiece("unknown", "text", 1))
    chats.on_ended(ReplyEnd("unknown", "stop"))
    assert app.words == []


def test_a_reply_that_fails_half_way_keeps_its_words(drive: Drive, talker: Path) -> None:
    from app.requests import ReplyEnd

    app = drive(talker)
    app.ask("hello")
    app.until(lambda: len(app.reply) > 10)
    reply_id = app.app.shown.messages[-1].id
    app.app.chats.on_ended(ReplyEnd(reply_id, "failed", error="The device failed."))
    assert app.caption.startswith("Could not be finished")
    assert app.notice == "The device failed."
    assert len(app.reply) > 10
    assert not app.busy
    app.close()
    ((_, answer),) = app.saved()
    assert answer.state == "failed"
    assert len(answer.text) > 10


def test_growing_replies_are_saved_while_they_grow(
    drive: Drive, talker: Path, qtbot: QtBot
) -> None:
    app = drive(talker)
    app.ask("hello")
    app.until(lambda: len(app.reply) > 10)
    shown = len(app.reply)

    def saved() -> str:
        def work(store: Store) -> str:
            (summary,) = store.chats()
            return store.branch(summary.chat.id)[-1].text

        return app.app._store_thread.submit(work).result()

    qtbot.waitUntil(lambda: len(saved()) >= shown, timeout=PATIENCE_MS)
    assert app.busy
