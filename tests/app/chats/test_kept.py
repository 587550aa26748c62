"""Drafts stay until they are sent, and go with their chat; values are what they were set to."""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING

from app.chats.kept import StoredDraft
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
        store.kept.save_draft(chat.id, "Half", [NOTES])
        store.kept.save_draft(chat.id, "Half a \ud800question")
        store.kept.save_draft("", "For a new chat", [])
    with contextlib.closing(Store(path)) as store:
        assert store.kept.draft(chat.id) == StoredDraft("Half a \ufffdquestion", (NOTES,))
        assert store.kept.draft("") == StoredDraft("For a new chat")
        store.kept.save_draft(chat.id, "", [])
        assert store.kept.draft(chat.id) == StoredDraft()


def test_a_draft_goes_with_its_chat_and_not_before(path: Path) -> None:
    chat = new_chat()
    with contextlib.closing(Store(path)) as store:
        store.create_chat(chat)
        store.kept.save_draft(chat.id, "Words", [])
        numbers = store.trash.delete_chats([chat.id])
        store.trash.undo(*numbers)
        assert store.kept.draft(chat.id).text == "Words"
        store.trash.delete_chats([chat.id])
        store.trash.empty()
        store.kept.save_draft(chat.id, "Too late", [])
        assert store.kept.draft(chat.id) == StoredDraft()


def test_values(path: Path) -> None:
    with contextlib.closing(Store(path)) as store:
        assert store.kept.value("shown_chat") == ""
        store.kept.set_value("shown_chat", "a")
        store.kept.set_value("shown_chat", "b")
        assert store.kept.value("shown_chat") == "b"


def test_what_version_3_knew_is_kept(path: Path) -> None:
    import sqlite3

    from app.chats.schema import add_functions

    with contextlib.closing(sqlite3.connect(path)) as connection:
        add_functions(connection)
        connection.executescript(PUBLISHED[3])
    with contextlib.closing(Store(path)) as store:
        draft = store.kept.draft("c")
        assert (draft.text, draft.attachments[0].text) == ("Half a question", "N")
        assert store.kept.value("shown_chat") == "c"
