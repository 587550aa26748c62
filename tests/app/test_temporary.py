"""A temporary chat leaves nothing on disk: no words, no draft, no session."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.app.driving import Driver

SECRET = "quokka"


def begin(app: Driver) -> None:
    app.until_ready()
    app.window.actions_of_menus.temporary_chat.trigger()
    app.until(app.window.page.temporary_bar.isVisible)


def traces(folder: Path) -> list[str]:
    """The files that hold the word."""
    files = [path for path in folder.rglob("*") if path.is_file()]
    return [path.name for path in files if SECRET.encode() in path.read_bytes()]


def test_nothing_of_it_is_left(drive: Callable[..., Driver], talker: Path, tmp_path: Path) -> None:
    app = drive(talker)
    begin(app)
    (tmp_path / "notes.txt").write_text(f"A {SECRET} lives here.")
    app.window.page.files_given.emit([str(tmp_path / "notes.txt")])
    app.until(lambda: bool(app.app.drafting.attachments))
    app.ask(f"Where is the {SECRET}?")
    app.until(lambda: len(app.reply) > 100)
    app.window.stop_requested.emit()
    app.until(lambda: not app.busy)
    app.type(f"And the {SECRET}s?")
    app.app.drafting.save()
    assert app.titles == []
    app.close()
    assert traces(app.folder) == []
    assert list((app.folder / "sessions").rglob("*.safetensors")) == []
    assert app.saved() == []


def test_it_is_gone_to_again_and_ended(drive: Callable[..., Driver], terse: Path) -> None:
    app = drive(terse)
    begin(app)
    app.ask("Hm?")
    app.until(lambda: bool(app.reply) and not app.busy)
    app.new_chat()
    app.until(lambda: app.items == ())
    assert app.window.page.temporary_bar.isHidden()
    app.window.actions_of_menus.temporary_chat.trigger()
    app.until(lambda: len(app.items) == 2)
    app.window.page.temporary_bar.end.click()
    app.until(lambda: app.items == ())
    app.window.actions_of_menus.temporary_chat.trigger()
    app.until(app.window.page.temporary_bar.isVisible)
    assert app.items == ()


@pytest.mark.slow
def test_it_can_be_kept(drive: Callable[..., Driver], terse: Path) -> None:
    app = drive(terse)
    begin(app)
    app.ask("Hm?")
    app.until(lambda: bool(app.reply) and not app.busy)
    app.window.page.temporary_bar.keep.click()
    app.until(lambda: app.titles == ["Hm?"])
    assert app.window.header.title == "Hm?"
    assert app.window.page.temporary_bar.isHidden()
    assert len(app.items) == 2
    app.close()
    ((question, reply),) = app.saved()
    assert question.text == "Hm?"
    assert reply.text


@pytest.mark.slow
def test_a_fork_of_it_is_temporary_too(drive: Callable[..., Driver], terse: Path) -> None:
    app = drive(terse)
    begin(app)
    app.ask("Hm?")
    app.until(lambda: bool(app.reply) and not app.busy)
    first = app.app.shown.chat_id
    app.window.message_action.emit("fork", app.items[1].message_id)
    app.until(lambda: app.app.shown.chat_id != first)
    assert app.window.page.temporary_bar.isVisible()
    fork = app.app.shown.chat_id
    app.new_chat()
    for wanted in (fork, first, fork):  # neither is in the list
        app.window.actions_of_menus.temporary_chat.trigger()
        app.until(lambda wanted=wanted: app.app.shown.chat_id == wanted)
    app.window.page.temporary_bar.end.click()
    app.until(lambda: app.items == ())
    app.window.actions_of_menus.temporary_chat.trigger()
    app.until(lambda: app.app.shown.chat_id == first)
    app.close()
    assert app.saved() == []


@pytest.mark.slow
def test_it_stays_where_it_is_when_it_cannot_be_kept(
    drive: Callable[..., Driver], terse: Path
) -> None:
    app = drive(terse)
    begin(app)
    app.ask("Hm?")
    app.until(lambda: bool(app.reply) and not app.busy)

    def run(statement: str) -> None:
        app.app._store_thread.submit(
            lambda store: store._database.execute(statement).fetchall()
        ).result()

    run("CREATE TEMP TRIGGER full BEFORE INSERT ON chat BEGIN SELECT RAISE(ABORT, 'full'); END")
    app.window.page.temporary_bar.keep.click()
    app.until(lambda: "full" in app.notice)
    assert app.app.store.is_private(app.app.shown.chat_id)
    run("DROP TRIGGER full")
    app.window.page.temporary_bar.keep.click()
    app.until(lambda: app.titles == ["Hm?"])
