"""What is written stays with its chat, with its files, and survives a restart."""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import Qt

from app.attaching import pasted_attachment
from app.chats.drafts import StoredDraft
from app.chats.store import Store
from tests.app.driving import saved_chats
from ui.chat.question import UserMessage

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.app.driving import Driver

KEY = Qt.Key


def chips(app: Driver) -> list[str]:
    return [chip.view.name for chip in app.window.page.composer.chips.chips]


def attach(app: Driver, path: Path, text: str) -> None:
    path.write_text(text, encoding="utf-8")
    app.window.page.files_given.emit([str(path)])
    app.until(lambda: not any(c.view.reading for c in app.window.page.composer.chips.chips))


def test_a_file_goes_with_the_question(
    drive: Callable[..., Driver], terse: Path, tmp_path: Path
) -> None:
    app = drive(terse)
    app.until_ready()
    attach(app, tmp_path / "a.py", "pi = 3")
    assert chips(app) == ["a.py"]
    app.ask("Hm?")
    app.until(lambda: bool(app.reply) and not app.busy)
    assert chips(app) == []
    question = app.items[0]
    assert isinstance(question, UserMessage)
    assert [chip.view.name for chip in question.chips.chips] == ["a.py"]
    app.close()
    ((stored, _),) = app.saved()
    assert [(one.name, one.text) for one in stored.attachments] == [("a.py", "pi = 3")]


def test_a_file_that_cannot_be_read_is_said(
    drive: Callable[..., Driver], terse: Path, tmp_path: Path
) -> None:
    app = drive(terse)
    (tmp_path / "x.bin").write_bytes(bytes(500))
    app.window.page.files_given.emit([str(tmp_path / "x.bin")])
    app.until(lambda: "x.bin is not text" in app.notice)
    assert chips(app) == []


@pytest.mark.slow
def test_a_question_that_is_refused_keeps_its_files(
    drive: Callable[..., Driver], terse: Path, tmp_path: Path
) -> None:
    app = drive(terse)
    app.until_ready()
    attach(app, tmp_path / "long.txt", "0 1 2 3 4 5 6 7 8 9 " * 60)
    app.window.submitted.emit("Hm?")  # at once, before anything was counted
    app.until(lambda: "holds 96" in app.notice)
    app.until(lambda: app.draft == "Hm?")
    assert chips(app) == ["long.txt"]
    assert app.items == ()


def test_what_does_not_fit_is_told_before_it_is_sent(
    drive: Callable[..., Driver], terse: Path, tmp_path: Path
) -> None:
    app = drive(terse)
    app.until_ready()
    attach(app, tmp_path / "long.txt", "0 1 2 3 4 5 6 7 8 9 " * 60)
    app.until(lambda: app.window.page.composer.status.endswith("does not fit"))
    app.ask("Hm?")
    app.until(lambda: app.window.page.composer.status.endswith("does not fit"))
    app.press(KEY.Key_Return)
    assert "holds 96" in app.window.page.offer_bar.sentence
    assert app.items == ()
    chip = app.window.page.composer.chips.chips[0]
    app.click(chip, chip._cross().center())
    app.until(lambda: "of 96 tokens" in app.window.page.composer.status)
    app.until(lambda: not app.window.page.composer.status.endswith("does not fit"))
    app.press(KEY.Key_Return)
    app.until(lambda: bool(app.reply) and not app.busy)


def test_each_chat_has_its_draft(drive: Callable[..., Driver], terse: Path, tmp_path: Path) -> None:
    app = drive(terse)
    app.until_ready()
    app.ask("One")
    app.until(lambda: bool(app.reply) and not app.busy)
    app.type("half a thought")
    attach(app, tmp_path / "notes.txt", "Notes")
    app.new_chat()
    app.until(lambda: app.draft == "")
    assert chips(app) == []
    app.type("another")
    app.choose("One")
    app.until(lambda: app.draft == "half a thought")
    assert chips(app) == ["notes.txt"]
    app.close()
    again = drive(terse)
    again.until(lambda: again.draft == "another")
    again.choose("One")
    again.until(lambda: again.draft == "half a thought")
    assert chips(again) == ["notes.txt"]


def test_a_draft_is_saved_a_moment_after_it_was_written(
    drive: Callable[..., Driver], terse: Path
) -> None:
    app = drive(terse)
    app.type("not sent")
    app.until(lambda: not app.app.drafting._timer.isActive())
    app.app._store_thread.submit(lambda _: None).result()
    stored = app.app._store_thread.submit(lambda store: store.drafts.read("")).result()
    assert stored.text == "not sent"


def test_what_is_typed_before_a_draft_is_read_comes_after_it(
    drive: Callable[..., Driver], terse: Path, tmp_path: Path
) -> None:
    app = drive(terse)
    attach(app, tmp_path / "new.txt", "New")
    app.type("typed at once")
    file = pasted_attachment("Old", "old.txt")
    app.app.drafting._on_read("", StoredDraft("from before", (file,)))
    assert app.draft == "from before\ntyped at once"
    assert chips(app) == ["old.txt", "new.txt"]
    app.type(", and on")
    assert app.draft == "from before\ntyped at once, and on"
    assert app.app.drafting.text == app.draft
    app.close()
    with contextlib.closing(Store(app.folder / "chats.sqlite3")) as store:
        stored = store.drafts.read("")
    assert stored.text == "from before\ntyped at once, and on"
    assert [one.name for one in stored.attachments] == ["old.txt", "new.txt"]


@pytest.mark.slow
def test_a_draft_that_was_sent_does_not_come_back(
    drive: Callable[..., Driver], terse: Path
) -> None:
    app = drive(terse)
    app.until_ready()
    app.ask("Sent")
    app.until(lambda: bool(app.reply) and not app.busy)
    app.close()
    with contextlib.closing(Store(app.folder / "chats.sqlite3")) as store:
        (chat,) = store.chats()
        assert store.drafts.read("").text == store.drafts.read(chat.chat.id).text == ""
    assert len(saved_chats(app.folder)) == 1


@pytest.mark.slow
def test_the_budget_goes_with_the_model(drive: Callable[..., Driver], terse: Path) -> None:
    app = drive(terse)
    app.until_ready()
    app.type("Hm?")
    app.until(lambda: app.window.page.composer.budget is not None)
    app.app.models.unload()
    app.until(lambda: app.window.page.composer.budget is None)


@pytest.mark.slow
def test_what_the_model_sees_at_once_is_one_number_at_all_times(
    drive: Callable[..., Driver], talker: Path
) -> None:
    app = drive(talker)
    app.until_ready()
    composer = app.window.page.composer

    def limit() -> str:
        return composer.status.partition(" of ")[2].partition(" tokens")[0]

    app.until(lambda: composer.budget is not None)
    seen = limit()
    assert composer.status == f"0 of {seen} tokens"
    assert seen != "65,536"  # what it was trained for: a window is smaller
    app.type("Hm?")
    app.until(lambda: not composer.status.startswith("0 "))
    assert limit() == seen
    app.press(KEY.Key_Return)
    app.until(lambda: app.busy and len(app.reply) > 5)
    app.until(lambda: bool(limit()))
    assert limit() == seen
    app.press(KEY.Key_Escape)
    app.until(lambda: not app.busy)
    assert limit() == seen
