"""Versions of messages in the window: ask again, edit, move between, continue, fork, delete."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import Qt

from ui.chat.question import UserMessage
from ui.chat.reply import ReplyMessage

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from app.requests import JobEnd
    from tests.app.driving import Driver
    from ui.state import MessageAction

    Drive = Callable[..., Driver]


def act(app: Driver, number: int, action: MessageAction) -> None:
    """Press a button of a message."""
    app.items[number].actions_row.button(action).click()


def place(app: Driver, number: int) -> str:
    """Which version of a message is shown, as its row says; empty where there is one alone."""
    label = app.items[number].actions_row.button("copy").parent()
    assert label is app.items[number].actions_row
    button = app.items[number].actions_row._buttons["place"]
    return "" if button.isHidden() else button.text()


def ask_and_wait(app: Driver, text: str) -> None:
    app.ask(text)
    app.until(lambda: not app.busy and bool(app.caption))


def ask_and_stop(app: Driver, text: str) -> str:
    app.ask(text)
    app.until(lambda: len(app.reply) > 20)
    app.press(Qt.Key.Key_Escape)
    app.until(lambda: not app.busy)
    return app.reply


@pytest.fixture
def asked(drive: Drive, talker: Path) -> Driver:
    """A chat with one question and a reply that was stopped."""
    app = drive(talker)
    app.until_ready()
    ask_and_stop(app, "hello")
    return app


def test_a_reply_is_written_again_and_both_stay(asked: Driver) -> None:
    app, first = asked, asked.reply
    question = app.items[0]
    act(app, 1, "regenerate")
    app.until(lambda: app.busy and len(app.reply) > 20 and app.reply != first)
    assert app.items[0] is question
    app.press(Qt.Key.Key_Escape)
    app.until(lambda: not app.busy)
    second = app.reply
    assert place(app, 1) == "2/2"
    act(app, 1, "previous")
    app.until(lambda: app.reply == first)
    assert place(app, 1) == "1/2"
    assert not app.items[1].actions_row.button("previous").isEnabled()
    act(app, 1, "next")
    app.until(lambda: app.reply == second)
    assert app.errors == []


def test_an_edited_question_is_asked_again_and_the_old_turn_stays(asked: Driver) -> None:
    app, first = asked, asked.reply
    question = app.items[0]
    assert isinstance(question, UserMessage)
    act(app, 0, "edit")
    editor = question.editor
    assert editor is not None
    assert editor.draft.hasFocus() or editor.draft.isVisible()
    assert editor.draft.toPlainText() == "hello"
    editor.draft.setPlainText("hello again")
    editor.save.click()
    app.until(lambda: app.words[:1] == ["hello again"] and len(app.reply) > 20)
    assert place(app, 0) == "2/2"
    app.press(Qt.Key.Key_Escape)
    app.until(lambda: not app.busy)
    act(app, 0, "previous")
    app.until(lambda: app.words == ["hello", first])


def test_a_stopped_reply_goes_on_from_its_exact_tokens(asked: Driver) -> None:
    app, first = asked, asked.reply
    item = app.items[1]
    act(app, 1, "continue")
    app.until(lambda: len(app.reply) > len(first) + 20)
    assert app.items[1] is item
    assert app.reply.startswith(first)
    app.press(Qt.Key.Key_Escape)
    app.until(lambda: not app.busy)
    whole = app.reply
    app.close()
    ((_, answer),) = app.saved()
    assert answer.text == whole
    assert "".join(map(chr, answer.token_ids)) == whole
    assert answer.figures is not None
    assert answer.figures.tokens == len(answer.token_ids)
    # All that was written before is still held, but for the last token at most.
    assert answer.figures.prompt_tokens == 24 + len(first)
    assert answer.figures.reused_tokens >= answer.figures.prompt_tokens - 1


def test_a_reply_that_cannot_go_on_stays_as_it_was(drive: Drive, terse: Path) -> None:
    app = drive(terse)
    ask_and_wait(app, "hello")
    reply, caption = app.reply, app.caption
    act(app, 1, "continue")
    app.until(lambda: bool(app.errors))
    assert (app.reply, app.caption) == (reply, caption)
    assert not app.busy


def test_a_refused_version_makes_way_for_the_one_before(drive: Drive, terse: Path) -> None:
    app = drive(terse)
    ask_and_wait(app, "hello")
    reply = app.reply
    question = app.items[0]
    assert isinstance(question, UserMessage)
    question.start_editing()
    assert question.editor is not None
    question.editor.draft.setPlainText("word " * 60)
    question.editor.save.click()
    app.until(lambda: bool(app.errors))
    app.until(lambda: app.words == ["hello", reply])
    assert app.draft == ("word " * 60).strip()
    assert place(app, 0) == ""


def test_a_fork_is_a_chat_of_its_own(asked: Driver) -> None:
    app, first = asked, asked.reply
    act(app, 1, "fork")
    app.until(lambda: app.titles == ["hello (2)", "hello"])
    assert app.words == ["hello", first]
    ask_and_stop(app, "more")
    assert len(app.words) == 4
    app.close()
    assert sorted(len(chat) for chat in app.saved()) == [2, 4]


def test_deleting_is_undone(asked: Driver) -> None:
    app = asked
    ask_and_stop(app, "more")
    words = app.words
    app.items[3].actions_row.chosen.emit("delete")
    app.until(lambda: app.words == words[:3])
    bar = app.window.page.undo_bar
    app.until(lambda: bool(bar.sentence))
    bar.action.click()
    app.until(lambda: app.words == words)
    assert bar.sentence == ""
    app.items[0].actions_row.chosen.emit("delete_below")
    app.until(lambda: app.words == [])
    assert app.window.page.welcome.isVisible()
    bar.action.click()
    app.until(lambda: app.words == words)


def test_a_reply_that_is_being_written_can_be_deleted(drive: Drive, talker: Path) -> None:
    app = drive(talker)
    app.ask("hello")
    app.until(lambda: len(app.reply) > 20)
    app.items[0].actions_row.chosen.emit("delete_below")
    app.until(lambda: app.words == [] and not app.busy)
    app.ask("again")
    app.until(lambda: len(app.reply) > 5)
    assert isinstance(app.items[1], ReplyMessage)


def test_the_words_of_an_edit_that_cannot_be_kept_go_to_the_composer(asked: Driver) -> None:
    app = asked
    full = (
        "CREATE TEMP TRIGGER full BEFORE INSERT ON message BEGIN SELECT RAISE(ABORT, 'full'); END"
    )
    app.app._store_thread.submit(lambda store: store._database.execute(full).fetchall()).result()
    app.app.versions.on_edited(app.items[0].message_id, "a better question")
    app.until(lambda: app.draft == "a better question")
    assert "full" in app.notice
    assert app.words[0] == "hello"


def test_the_line_under_the_composer_is_about_the_branch_that_is_shown(asked: Driver) -> None:
    app, composer = asked, asked.window.page.composer
    app.until(lambda: composer.budget is not None and composer.budget.tokens > 20)
    app.window.message_edited.emit(app.app.shown.messages[0].id, "word " * 40)
    app.until(lambda: "word" in app.words[0] and app.busy and len(app.reply) > 20)
    app.press(Qt.Key.Key_Escape)
    app.until(lambda: not app.busy)
    app.until(lambda: composer.budget is not None and composer.budget.tokens > 200)
    assert composer.budget is not None
    limit = f"{composer.budget.limit:,}"
    of_the_cache = composer.status
    assert " new, " in of_the_cache
    act(app, 0, "previous")
    app.until(lambda: composer.budget is not None and composer.budget.tokens < 200)
    of_the_branch = f"{composer.budget.tokens} of {limit} tokens"
    assert composer.status == of_the_branch
    # The end of a job sends the figures of the cache again, which is still that of the other one.
    ended: list[JobEnd] = []
    app.app.worker.job_ended.connect(ended.append)
    app.app.worker.measure(app.app.shown.chat_id)
    job = app.app.worker.run(lambda _: None)
    app.until(lambda: any(end.job_id == job for end in ended))
    assert composer.status == of_the_branch
    act(app, 0, "next")
    app.until(lambda: composer.status == of_the_cache)
    act(app, 1, "delete")
    app.until(lambda: len(app.items) == 1 and composer.status != of_the_cache)
    assert composer.status == f"{composer.budget.tokens} of {limit} tokens"
    app.window.message_action.emit("delete_below", app.app.shown.messages[0].id)
    app.until(lambda: len(app.items) == 2)  # the other version is there still
    app.window.message_action.emit("delete_below", app.app.shown.messages[0].id)
    app.until(lambda: not app.items and composer.status == f"0 of {limit} tokens")
