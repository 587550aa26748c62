"""What cannot be saved while a disk is full is saved once it is not."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from app import unwritten

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.app.driving import Driver

FULL = "CREATE TEMP TRIGGER full BEFORE INSERT ON {table} BEGIN SELECT RAISE(ABORT, 'full'); END"


def execute(app: Driver, statement: str) -> None:
    app.app._store_thread.submit(
        lambda store: store._database.execute(statement).fetchall()
    ).result()


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(unwritten, "AGAIN_MS", 50)


def test_a_chat_that_could_not_be_saved_is_saved_whole(
    drive: Callable[..., Driver], terse: Path
) -> None:
    app = drive(terse)
    app.until_ready()
    execute(app, FULL.format(table="chat"))
    app.ask("One")
    app.until(lambda: bool(app.reply) and not app.busy)
    assert "full" in app.notice
    assert app.titles == []
    app.new_chat()  # it is shown no more, and still kept
    app.until(lambda: app.items == ())
    execute(app, "DROP TRIGGER full")
    app.until(lambda: app.titles == ["One"])
    app.choose("One")
    app.until(lambda: len(app.words) == 2)
    app.close()
    ((question, reply),) = app.saved()
    assert (question.text, reply.state) == ("One", "complete")
    assert reply.text
    assert reply.token_ids
    assert reply.figures is not None


@pytest.mark.slow
def test_a_later_turn_that_could_not_be_saved_is_saved_too(
    drive: Callable[..., Driver], talker: Path
) -> None:
    app = drive(talker)
    app.until_ready()
    for number in range(3):
        app.ask(str(number))
        app.until(lambda: len(app.reply) > 5)
        app.window.stop_requested.emit()
        app.until(lambda: not app.busy)
        if not number:
            execute(app, FULL.format(table="message"))
    shown = app.words
    app.app.chats._unwritten._timer.stop()
    execute(app, "DROP TRIGGER full")
    app.close()  # a last try
    (messages,) = app.saved()
    assert [message.text for message in messages] == shown
    assert {message.state for message in messages} == {"complete", "stopped"}
