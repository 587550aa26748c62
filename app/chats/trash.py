"""Deleting with undo: what was deleted waits in the trash until it is emptied."""

import sqlite3
import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from app.chats.database import Database
from app.chats.model import preview_of
from app.chats.rows import chat_id_of, leaf_of, set_leaf, tree_of
from app.chats.tree import Tree

Kind = Literal["chat", "branch", "message"]


@dataclass(frozen=True)
class Deleted:
    """Something in the trash: `number` undoes it, `text` is a chat's title or a preview."""

    number: int
    kind: Kind
    chat_id: str
    text: str
    deleted_at: float


class Trash:
    """Deletes without losing anything yet; every deletion has a number that undoes it."""

    def __init__(self, data: Database) -> None:
        self._data = data

    def delete_chats(self, chat_ids: Sequence[str]) -> tuple[int, ...]:
        """Delete chats; return what undoes it."""
        numbers: list[int] = []
        with self._data.writing() as connection:
            for chat_id in chat_ids:
                if _is_live(connection, chat_id):
                    numbers.append(_noted(connection, "chat", chat_id, None))
                    connection.execute(
                        "UPDATE chat SET deletion = ? WHERE id = ?", (numbers[-1], chat_id)
                    )
        return tuple(numbers)

    def delete_branch(self, message_id: str) -> int | None:
        """Delete a message and all that follows it.

        Returns:
            What undoes it; None where there is nothing (any more).
        """
        with self._data.writing() as connection:
            chat_id = chat_id_of(connection, message_id)
            if chat_id is None or message_id not in (tree := tree_of(connection, chat_id)):
                return None
            number = _noted(connection, "branch", chat_id, message_id)
            gone = tree.subtree(message_id)
            connection.executemany(
                "UPDATE message SET deletion = ? WHERE id = ? AND deletion IS NULL",
                [(number, one) for one in gone],
            )
            if leaf_of(connection, chat_id) in gone:
                _move_leaf(connection, chat_id, tree, message_id)
        return number

    def delete_message(self, message_id: str) -> int | None:
        """Delete one message; what follows it then follows the one before.

        Returns:
            What undoes it; None where there is nothing (any more).
        """
        with self._data.writing() as connection:
            chat_id = chat_id_of(connection, message_id)
            if chat_id is None or message_id not in (tree := tree_of(connection, chat_id)):
                return None
            number = _noted(connection, "message", chat_id, message_id)
            connection.execute("UPDATE message SET splice = ? WHERE id = ?", (number, message_id))
            if leaf_of(connection, chat_id) == message_id:
                _move_leaf(connection, chat_id, tree, message_id)
        return number

    def undo(self, *numbers: int) -> None:
        """Bring back what was deleted, and show it as it was shown."""
        with self._data.writing() as connection:
            for number in sorted(numbers, reverse=True):
                _undo(connection, number)

    def items(self) -> tuple[Deleted, ...]:
        """Return what is in the trash, the latest first."""
        with self._data.reading() as connection:
            rows = connection.execute(
                "SELECT deletion.number, kind, deletion.chat_id, "
                "coalesce(substr(message.text, 1, 480), chat.title), deleted_at "
                "FROM deletion JOIN chat ON chat.id = deletion.chat_id "
                "LEFT JOIN message ON message.id = message_id ORDER BY deletion.number DESC"
            ).fetchall()
        return tuple(
            Deleted(number, kind, chat_id, text if kind == "chat" else preview_of(text), at)
            for number, kind, chat_id, text, at in rows
        )

    def empty(self, before_s: float | None = None, most: int = -1) -> int:
        """Delete for good what was deleted before a time; return how many deletions that was.

        Args:
            before_s: Seconds since the epoch; None empties all.
            most: How many deletions at a time: others wait for them; all where it is negative.
        """
        with self._data.writing() as connection:
            rows = connection.execute(
                "SELECT number, kind, chat_id, message_id FROM deletion "
                "WHERE ?1 IS NULL OR deleted_at < ?1 ORDER BY number LIMIT ?2",
                (before_s, most),
            ).fetchall()
            for number, kind, chat_id, message_id in rows:
                if kind == "chat":
                    connection.execute("DELETE FROM chat WHERE id = ?", (chat_id,))
                elif kind == "branch":
                    _remove_branch(connection, chat_id, message_id)
                else:
                    _remove_message(connection, message_id)
                connection.execute("DELETE FROM deletion WHERE number = ?", (number,))
        return len(rows)


def _is_live(connection: sqlite3.Connection, chat_id: str) -> bool:
    row = connection.execute("SELECT deletion FROM chat WHERE id = ?", (chat_id,)).fetchone()
    return row is not None and row[0] is None


def _noted(connection: sqlite3.Connection, kind: Kind, chat_id: str, message_id: str | None) -> int:
    number = connection.execute(
        "INSERT INTO deletion (kind, chat_id, message_id, leaf_id, deleted_at) "
        "VALUES (?, ?, ?, ?, ?)",
        (kind, chat_id, message_id, leaf_of(connection, chat_id), time.time()),
    ).lastrowid
    assert number is not None
    return number


def _move_leaf(connection: sqlite3.Connection, chat_id: str, before: Tree, message_id: str) -> None:
    """Show what is left: another version where there is one, else what came before."""
    after = tree_of(connection, chat_id)
    parent = before.parent(message_id)
    set_leaf(connection, chat_id, after.leaf_below(parent))


def _undo(connection: sqlite3.Connection, number: int) -> None:
    row = connection.execute(
        "SELECT kind, chat_id, message_id, leaf_id FROM deletion WHERE number = ?", (number,)
    ).fetchone()
    if row is None:
        return
    kind, chat_id, message_id, leaf_id = row
    if kind == "chat":
        connection.execute("UPDATE chat SET deletion = NULL WHERE id = ?", (chat_id,))
    elif kind == "message":
        connection.execute("UPDATE message SET splice = NULL WHERE id = ?", (message_id,))
    else:
        # Below a branch that is deleted too, it now belongs to that one's deletion.
        connection.execute(
            "UPDATE message SET deletion = (SELECT above.deletion FROM message AS head "
            "JOIN message AS above ON above.id = head.parent_id WHERE head.id = ?1) "
            "WHERE deletion = ?2",
            (message_id, number),
        )
    connection.execute("DELETE FROM deletion WHERE number = ?", (number,))
    if leaf_id is not None and leaf_id in tree_of(connection, chat_id):
        set_leaf(connection, chat_id, leaf_id)


def _remove_branch(connection: sqlite3.Connection, chat_id: str, message_id: str) -> None:
    gone = tree_of(connection, chat_id).subtree(message_id)
    connection.executemany("DELETE FROM message WHERE id = ?", [(one,) for one in gone])


def _remove_message(connection: sqlite3.Connection, message_id: str) -> None:
    """Remove a message's words; its empty place stays while others stand on it."""
    connection.execute("DELETE FROM attachment WHERE message_id = ?", (message_id,))
    connection.execute(
        "UPDATE message SET text = '', token_ids = x'', figures = NULL, settings = NULL, "
        "splice = 0 WHERE id = ?",
        (message_id,),
    )
    connection.execute(
        "DELETE FROM message WHERE id = ?1 AND NOT EXISTS "
        "(SELECT 1 FROM message AS below WHERE below.chat_id = message.chat_id "
        "AND below.parent_id = ?1)",
        (message_id,),
    )
