"""Chats to files and back, through the window's signals."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from app.chats.export import export_chats
from app.chats.import_files import read_files
from app.chats.model import new_chat, new_message
from app.chats.store import Store
from app.chats.thread import StoreThread
from ui.transfer import ImportDialog

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from pytestqt.qtbot import QtBot

    from tests.app.driving import Driver

    Drive = Callable[..., Driver]


def store_chats(folder: Path, *titles: str) -> None:
    folder.mkdir(exist_ok=True)
    store = Store(folder / "chats.sqlite3")
    for title in titles:
        chat = new_chat(title)
        store.create_chat(chat)
        store.add_message(new_message(chat.id, None, "user", f"words of {title}"))
    store.close()


def write_chats(path: Path, number: int) -> list[str]:
    """Write a file of chats with a message each; their ids."""
    ids = [f"chat{n}" for n in range(number)]
    said = [{"id": f"m{one}", "role": "user", "text": "words"} for one in ids]
    chats = [{"id": one, "title": one, "messages": [m]} for one, m in zip(ids, said, strict=True)]
    path.write_text(json.dumps({"format": "cutaway-chats", "version": 1, "chats": chats}))
    return ids


@pytest.fixture
def stored(drive: Drive, talker: Path, tmp_path: Path) -> Driver:
    store_chats(tmp_path / "data", "one", "two")
    app = drive(talker)
    app.until(lambda: app.titles == ["two", "one"])
    return app


@pytest.fixture
def store_thread(tmp_path: Path) -> Iterator[StoreThread]:
    with StoreThread(tmp_path / "chats.sqlite3") as thread:
        yield thread


def dialog_of(app: Driver) -> ImportDialog:
    app.until(lambda: app.window.findChild(ImportDialog) is not None)
    dialog = app.window.findChild(ImportDialog)
    assert dialog is not None
    return dialog


@pytest.mark.qt_log_ignore("This plugin does not support")  # dialogs without a display
def test_chats_go_out_and_come_back(stored: Driver, tmp_path: Path) -> None:
    app, bar = stored, stored.window.page.undo_bar
    app.choose("one")
    app.until(lambda: app.selected == "one")
    (chosen,) = app.window.sidebar.list.selected
    for form in ("markdown", "html", "text"):
        app.window.export_requested.emit(str(tmp_path / form), form, [chosen.id])
        app.until(lambda form=form: form in bar.sentence)
        assert "words of one" in (tmp_path / form).read_text(encoding="utf-8")
    whole = tmp_path / "all.json"
    app.window.export_requested.emit(str(whole), "json", [])
    app.until(whole.exists)
    assert len(json.loads(whole.read_text(encoding="utf-8"))["chats"]) == 2
    app.window.sidebar.list.selectAll()
    app.press_delete()
    app.until(lambda: app.titles == [])
    app.app.deletions.undo()
    app.until(lambda: len(app.titles) == 2)
    app.window.import_requested.emit([str(whole)])
    dialog = dialog_of(app)
    assert dialog.ticked == []
    assert not dialog._take.isEnabled()
    dialog.reject()


@pytest.mark.qt_log_ignore("This plugin does not support")
def test_a_file_of_others_is_looked_at_first(stored: Driver, tmp_path: Path) -> None:
    app = stored
    store_chats(tmp_path / "other", "three", "four")
    store = Store(tmp_path / "other" / "chats.sqlite3")
    ids = [summary.chat.id for summary in store.chats()]
    export_chats(tmp_path / "other.json", "json", ids, store.archive)
    store.close()
    app.window.import_requested.emit([str(tmp_path / "other.json")])
    dialog = dialog_of(app)
    assert len(dialog.ticked) == 2
    dialog.grab()
    dialog._on_accepted()
    app.until(lambda: len(app.titles) == 4)
    app.until(lambda: "2" in app.window.page.undo_bar.sentence)


def test_what_is_no_chat_is_refused_in_a_sentence(stored: Driver, tmp_path: Path) -> None:
    app = stored
    (tmp_path / "no.json").write_text("{", encoding="utf-8")
    app.window.import_requested.emit([str(tmp_path / "no.json")])
    app.until(lambda: bool(app.notice))
    app.window.page.notice.dismiss()
    app.window.export_requested.emit(str(tmp_path / "no folder" / "x.md"), "markdown", [])
    app.until(lambda: "cannot be written" in app.notice)
    app.app.transfer.take([])


@pytest.mark.qt_log_ignore("This plugin does not support")
def test_an_import_shows_how_far_it_is_and_can_be_ended(
    stored: Driver, tmp_path: Path, qtbot: QtBot
) -> None:
    app = stored
    ids = write_chats(tmp_path / "other.json", 250)
    transfer, told = app.app.transfer, list[tuple[str, int, int]]()

    def on_progress(kind: str, done: int, total: int) -> None:
        told.append((kind, done, total))
        if kind == "import" and len(told) == 2:
            app.window.files.stop_requested.emit()

    transfer.progressed.connect(on_progress)
    for ended in (True, False):
        with qtbot.waitSignal(transfer.previewed):
            transfer.preview([str(tmp_path / "other.json")])
        transfer.take(ids)
        if ended:
            app.until(lambda: app.notice == "Nothing was brought in.")
            assert len(app.titles) == 2
        else:
            app.until(lambda: len(app.titles) == 252)
        assert app.window.files._progress is None
    assert told[0] == ("read", 0, 0)
    assert told[-1] == ("import", 250, 250)


def test_chats_are_served_while_others_come_in(store_thread: StoreThread, tmp_path: Path) -> None:
    write_chats(tmp_path / "other.json", 300)
    file = read_files([tmp_path / "other.json"])
    begun = store_thread.submit(lambda store: store.imports.begin(file)).result()
    chat = new_chat("meanwhile")
    store_thread.submit(lambda store: store.create_chat(chat)).result()
    seen: list[int] = []
    while store_thread.submit(lambda _: begun.step()).result():
        seen.append(len(store_thread.submit(Store.chats).result()))
        assert store_thread.submit(lambda store: store.search.find("words")).result() == ()
    assert len(seen) > 2
    assert set(seen) == {1}  # all at once, in the end
    assert len(store_thread.submit(Store.chats).result()) == 301
