"""The store of chats: every read and write of the SQLite file, as plain values in and out.

A store belongs to the thread that made it; app/chats/thread.py gives it one.
"""

import dataclasses
import json
import struct
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from app.chats.database import open_database, sentences, transaction
from app.chats.model import PREVIEW_LENGTH, Chat, ChatSummary, Figures, Message, State, preview_of

_MESSAGE = (
    "message.id, message.chat_id, message.parent_id, role, text, state, created_at, model, "
    "token_ids, figures"
)


class Store:
    """Chats and their messages in one SQLite file, which no other process has open meanwhile.

    Every method raises StoreError, a sentence for the user, when the file cannot be used, and
    has either done all of its work or none. What a method has saved survives a kill.
    """

    def __init__(self, path: Path, *, busy_s: float = 2.0) -> None:
        self._path = path
        self._database = open_database(path, busy_s=busy_s)

    def close(self) -> None:
        """Fold the write-ahead log into the file and let go of it."""
        self._database.close()

    def create_chat(self, chat: Chat) -> None:
        """Save a new chat, empty as yet."""
        with sentences(self._path), transaction(self._database):
            self._database.execute(
                "INSERT INTO chat (id, title, created_at, updated_at) VALUES (?, ?, ?, ?)",
                (chat.id, _storable(chat.title), chat.created_at, chat.updated_at),
            )

    def add_message(self, message: Message) -> None:
        """Save a new message under its parent; it becomes the leaf of its chat."""
        with sentences(self._path), transaction(self._database):
            self._database.execute(
                "INSERT INTO message VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                (
                    message.id,
                    message.chat_id,
                    message.parent_id,
                    message.role,
                    _storable(message.text),
                    message.state,
                    message.created_at,
                    None if message.model is None else _storable(message.model),
                    _packed(message.token_ids),
                    _figures_json(message.figures),
                ),
            )
            self._database.execute(
                "UPDATE chat SET leaf_id = ?, updated_at = max(updated_at, ?) WHERE id = ?",
                (message.id, message.created_at, message.chat_id),
            )

    def save_reply(
        self,
        message_id: str,
        text: str,
        state: State,
        token_ids: Sequence[int] = (),
        figures: Figures | None = None,
        model: str | None = None,
    ) -> bool:
        """Save what a reply has grown to; return whether the reply still exists.

        A reply keeps its model where `model` is None.
        """
        with sentences(self._path), transaction(self._database):
            cursor = self._database.execute(
                "UPDATE message SET text = ?, state = ?, token_ids = ?, figures = ?, "
                "model = coalesce(?, model) WHERE id = ?",
                (
                    _storable(text),
                    state,
                    _packed(token_ids),
                    _figures_json(figures),
                    None if model is None else _storable(model),
                    message_id,
                ),
            )
        return cursor.rowcount == 1

    def chats(self) -> tuple[ChatSummary, ...]:
        """Return all chats, the one that was written to last first."""
        with sentences(self._path):
            rows = self._database.execute(
                # Four times the preview: runs of spaces and line breaks collapse.
                "SELECT chat.id, title, chat.created_at, updated_at, leaf_id, substr(text, 1, ?) "
                "FROM chat LEFT JOIN message ON message.id = leaf_id "
                "ORDER BY updated_at DESC, chat.rowid DESC",
                (4 * PREVIEW_LENGTH,),
            ).fetchall()
        return tuple(ChatSummary(Chat(*row[:5]), preview_of(row[5] or "")) for row in rows)

    def branch(self, chat_id: str) -> tuple[Message, ...]:
        """Return the messages from the root to the chat's leaf; none for an unknown chat."""
        with sentences(self._path):
            rows = self._database.execute(
                "WITH RECURSIVE path (id, parent_id, height) AS ("
                "  SELECT message.id, parent_id, 0 FROM message"
                "  JOIN chat ON message.id = leaf_id WHERE chat.id = ?"
                "  UNION ALL"
                "  SELECT message.id, message.parent_id, height + 1 FROM message"
                "  JOIN path ON message.id = path.parent_id"
                f") SELECT {_MESSAGE} FROM path JOIN message USING (id) ORDER BY height DESC",
                (chat_id,),
            ).fetchall()
        return tuple(_message(row) for row in rows)

    def set_title(self, chat_id: str, title: str) -> None:
        """Give a chat another title; its place in the list stays."""
        with sentences(self._path), transaction(self._database):
            self._database.execute(
                "UPDATE chat SET title = ? WHERE id = ?", (_storable(title), chat_id)
            )

    def delete_message(self, message_id: str) -> None:
        """Delete a message and all that follows it; its parent becomes the leaf of its chat."""
        gone = (
            "WITH RECURSIVE gone (chat_id, id) AS ("
            "  SELECT chat_id, id FROM message WHERE id = ?1 UNION ALL"
            "  SELECT message.chat_id, message.id FROM message"
            "  JOIN gone ON message.chat_id = gone.chat_id AND parent_id = gone.id) "
        )
        with sentences(self._path), transaction(self._database):
            self._database.execute(
                f"{gone}UPDATE chat SET leaf_id = (SELECT parent_id FROM message WHERE id = ?1) "
                "WHERE leaf_id IN (SELECT id FROM gone)",
                (message_id,),
            )
            self._database.execute(
                f"{gone}DELETE FROM message WHERE id IN (SELECT id FROM gone)", (message_id,)
            )

    def delete_chat(self, chat_id: str) -> None:
        """Delete a chat with all its messages."""
        with sentences(self._path), transaction(self._database):
            self._database.execute("DELETE FROM chat WHERE id = ?", (chat_id,))


def _storable(text: str) -> str:
    """Return text that UTF-8 can hold: surrogate pairs joined, lone ones replaced by U+FFFD."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    return text


def _packed(token_ids: Sequence[int]) -> bytes:
    return struct.pack(f"<{len(token_ids)}I", *token_ids)


def _unpacked(blob: bytes) -> tuple[int, ...]:
    return struct.unpack(f"<{len(blob) // 4}I", blob)


def _figures_json(figures: Figures | None) -> str | None:
    return None if figures is None else json.dumps(dataclasses.asdict(figures))


def _figures(text: str | None) -> Figures | None:
    if text is None:
        return None
    known = {field.name for field in dataclasses.fields(Figures)}
    return Figures(**{name: value for name, value in json.loads(text).items() if name in known})


def _message(row: tuple[Any, ...]) -> Message:
    *plain, token_ids, figures = row
    return Message(*plain, token_ids=_unpacked(token_ids), figures=_figures(figures))
