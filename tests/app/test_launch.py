"""What was wrong with the file of chats is said at launch, and what could be saved is there."""

from __future__ import annotations

import contextlib
import time
from typing import TYPE_CHECKING

from app import deletions
from app.chats.model import new_chat, new_message
from app.chats.store import Store

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    import pytest

    from tests.app.driving import Driver


def write_chats(path: Path, count: int) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    with contextlib.closing(Store(path)) as store:
        for number in range(count):
            chat = new_chat(f"Chat {number}")
            store.create_chat(chat)
            store.add_message(new_message(chat.id, None, "user", f"Words {number} " * 200))


def test_a_damaged_file_is_recovered_and_that_is_said(
    drive: Callable[..., Driver], terse: Path, tmp_path: Path
) -> None:
    path = tmp_path / "data" / "chats.sqlite3"
    write_chats(path, 12)
    content = bytearray(path.read_bytes())
    content[40_000:44_096] = b"\xff" * 4_096
    path.write_bytes(content)
    app = drive(terse)
    app.until(lambda: "could be recovered" in app.notice)
    app.until(lambda: len(app.titles) > 1)


def test_the_trash_is_emptied_of_what_is_old(
    drive: Callable[..., Driver], terse: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(deletions, "_START_MS", 0)
    path = tmp_path / "data" / "chats.sqlite3"
    write_chats(path, 3)
    with contextlib.closing(Store(path)) as store:
        ids = [summary.chat.id for summary in store.chats()]
        store.trash.delete_chats(ids[:2])
        old_s = time.time() - 31 * 86_400
        store._database.execute(
            "UPDATE deletion SET deleted_at = ? WHERE chat_id = ?", (old_s, ids[0])
        )
    app = drive(terse)
    app.until(lambda: len(app.titles) == 1)
    left = app.app._store_thread
    app.until(lambda: len(left.submit(lambda store: store.trash.items()).result()) == 1)
