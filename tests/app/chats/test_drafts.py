"""Drafts stay until they are sent, and go with their chat."""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING

from app.chats.drafts import StoredDraft
from app.chats.model import new_attachment, new_chat
from app.chats.store import Store
from tests.app.chats.published import PUBLISHED

if TYPE_CHECKING:
    from pathlib import Path

NOTES = new_attachment("notes.txt", "text/plain", "Nötes", 6)


def test_a_draft_stays_over_a_restart(path: Path) -> None:
    chat = new_chat()
    with contextlib.closing(Store(path)) as store:
        store.create_chat(chat)
        store.drafts.save(chat.id, "Half", [NOTES])
        store.drafts.save(chat.id, "Half a \ud800question")
        store.drafts.save("", "For a new chat", [])
    with contextlib.closing(Store(path)) as store:
        assert store.drafts.read(chat.id) == StoredDraft("Half a \ufffdquestion", (NOTES,))
        assert store.drafts.read("") == StoredDraft("For a new chat")
        store.drafts.save(chat.id, "", [])
        assert store.drafts.read(chat.id) == StoredDraft()


def test_a_draft_goes_with_its_chat_and_not_before(path: Path) -> None:
    chat = new_chat()
    with contextlib.closing(Store(path)) as store:
        store.create_chat(chat)
        store.drafts.save(chat.id, "Words", [])
        numbers = store.trash.delete_chats([chat.id])
        store.trash.undo(*numbers)
        assert store.drafts.read(chat.id).text == "Words"
        store.trash.delete_chats([chat.id])
        store.trash.empty()
        store.drafts.save(chat.id, "Too late", [])
        assert store.drafts.read(chat.id) == StoredDraft()


def test_what_version_3_knew_is_kept(path: Path) -> None:
    import sqlite3

    from app.chats.schema import add_functions

    with contextlib.closing(sqlite3.connect(path)) as connection:
        add_functions(connection)
        connection.executescript(PUBLISHED[3])
    with contextlib.closing(Store(path)) as store:
        draft = store.drafts.read("c")
        assert (draft.text, draft.attachments[0].text) == ("Half a question", "N")
