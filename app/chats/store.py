"""The store of chats: every read and write of the SQLite file, as plain values in and out.

A store belongs to the thread that made it; app/chats/thread.py gives it one.
"""

import dataclasses
import sqlite3
from collections.abc import Callable, Sequence
from pathlib import Path

from app.chats.branches import Branches
from app.chats.database import Database
from app.chats.drafts import Drafts
from app.chats.imports import Imports
from app.chats.library import Library
from app.chats.model import (
    Archive,
    Chat,
    ChatSummary,
    Figures,
    Message,
    OpenChat,
    State,
    TitledBy,
)
from app.chats.rows import (
    CHAT,
    all_messages,
    chat_id_of,
    chat_of,
    figures_json,
    insert_chat,
    insert_message,
    leaf_of,
    messages_of,
    packed,
    place_last,
    set_leaf,
    storable,
    tree_of,
)
from app.chats.search import Search
from app.chats.settings import ChatSettings, settings_from_json, settings_json
from app.chats.trash import Trash
from app.chats.tree import Tree


class Store:
    """Chats and their messages in one SQLite file, which no other process has open meanwhile.

    Every method raises StoreError, a sentence for the user, when the file cannot be used, and
    has either done all of its work or none. What a method has saved survives a kill.

    Attributes:
        branches: Versions of messages: edit, regenerate, switch, fork, continue.
        trash: Deleting with undo.
        search: Finding words in titles and messages.
        library: Presets and system prompts.
        drafts: What is written and not sent yet.
        imports: Bringing in chats that other programs or copies of this one wrote.
    """

    def __init__(self, path: Path | None, *, busy_s: float = 2.0, to_read: bool = False) -> None:
        """Open the file; without a path the chats live in memory and end with the store.

        Args:
            path: The file.
            busy_s: How long to wait, in seconds, for another program that has the file open.
            to_read: Whether the file may be read and not be written.
        """
        self._data = Database(path, busy_s=busy_s, to_read=to_read)
        self._database = self._data.connection
        self.branches = Branches(self._data)
        self.trash = Trash(self._data)
        self.search = Search(self._data)
        self.library = Library(self._data)
        self.drafts = Drafts(self._data)
        self.imports = Imports(self._data)

    def close(self) -> None:
        """Fold the write-ahead log into the file and let go of it."""
        self._data.close()

    def check(self, give_way: Callable[[], bool]) -> bool:
        """Look through the whole file for damage, as Database.check does."""
        return self._data.check(give_way)

    def note_damage(self) -> None:
        """Have the whole file checked, and recovered, when it is opened the next time."""
        self._data.note_damage()

    def create_chat(self, chat: Chat, settings: ChatSettings | None = None) -> None:
        """Save a new chat, empty as yet."""
        with self._data.writing() as connection:
            insert_chat(connection, chat, settings or ChatSettings())

    def add_message(self, message: Message) -> None:
        """Save a new message as the last version under its parent and the leaf of its chat.

        Where its parent has been deleted meanwhile, it follows what is left above that one.
        """
        with self._data.writing() as connection:
            insert_message(connection, place_last(connection, _below_seen(connection, message)))
            _end_in(connection, message)

    def complete(self, chat: Chat, settings: ChatSettings, messages: Sequence[Message]) -> None:
        """Save a chat and messages of it as far as they are not there; the last is its leaf."""
        with self._data.writing() as connection:
            known = "SELECT 1 FROM chat WHERE id = ?"
            if connection.execute(known, (chat.id,)).fetchone() is None:
                insert_chat(connection, chat, settings)
            for message in messages:
                if chat_id_of(connection, message.id) is None:
                    placed = place_last(connection, _below_seen(connection, message))
                    insert_message(connection, placed)
                    _end_in(connection, message)

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
        with self._data.writing() as connection:
            cursor = connection.execute(
                "UPDATE message SET text = ?, state = ?, token_ids = ?, figures = ?, "
                "model = coalesce(?, model) WHERE id = ?",
                (
                    storable(text),
                    state,
                    packed(token_ids),
                    figures_json(figures),
                    None if model is None else storable(model),
                    message_id,
                ),
            )
        return cursor.rowcount == 1

    def chats(self, *, archived: bool = False) -> tuple[ChatSummary, ...]:
        """Return the chats in the list or those in the archive, the one last written to first."""
        with self._data.reading() as connection:
            rows = connection.execute(
                f"SELECT {CHAT}, preview FROM chat WHERE deletion IS NULL AND archived = ? "
                "ORDER BY updated_at DESC, number DESC",
                (archived,),
            ).fetchall()
        return tuple(ChatSummary(chat_of(row), row[8]) for row in rows)

    def open_chat(self, chat_id: str) -> OpenChat | None:
        """Return a chat as it is shown, None for one that is unknown or in the trash."""
        with self._data.reading() as connection:
            found = _found(connection, chat_id)
            if found is None:
                return None
            chat, settings, tree = found
            messages = messages_of(connection, tree.path(chat.leaf_id))
        versions = {message.id: tree.version(message.id) for message in messages}
        several = {key: version for key, version in versions.items() if len(version.ids) > 1}
        return OpenChat(chat, settings, messages, several)

    def branch(self, chat_id: str) -> tuple[Message, ...]:
        """Return the messages from the root to the chat's leaf; none for an unknown chat."""
        with self._data.reading() as connection:
            tree = tree_of(connection, chat_id)
            return messages_of(connection, tree.path(_leaf(tree, leaf_of(connection, chat_id))))

    def archive(self, chat_id: str) -> Archive | None:
        """Return a chat whole, with all versions that are not in the trash."""
        with self._data.reading() as connection:
            found = _found(connection, chat_id)
            if found is None:
                return None
            chat, settings, tree = found
            return Archive(chat, settings, all_messages(connection, tree))

    def set_title(self, chat_id: str, title: str, by: TitledBy = "user") -> bool:
        """Give a chat another title; its place in the list stays.

        Returns:
            Whether it was given: a title of the user's own is changed by the user alone.
        """
        with self._data.writing() as connection:
            cursor = connection.execute(
                "UPDATE chat SET title = ?1, titled_by = ?2 "
                "WHERE id = ?3 AND (?2 = 'user' OR titled_by <> 'user')",
                (storable(title), by, chat_id),
            )
        return cursor.rowcount == 1

    def set_settings(self, chat_id: str, settings: ChatSettings) -> None:
        """Change what a chat is set to, for the replies to come."""
        with self._data.writing() as connection:
            connection.execute(
                "UPDATE chat SET settings = ? WHERE id = ?",
                (storable(settings_json(settings)), chat_id),
            )

    def set_pinned(self, chat_ids: Sequence[str], pinned: bool) -> None:  # noqa: FBT001 - the value
        """Pin chats to the top of the list, or let them go."""
        self._set_all("pinned", chat_ids, pinned)

    def set_archived(self, chat_ids: Sequence[str], archived: bool) -> None:  # noqa: FBT001 - the value
        """Move chats into the archive, or back into the list."""
        self._set_all("archived", chat_ids, archived)

    def delete_message(self, message_id: str) -> None:
        """Delete a message and all that follows it for good; its parent becomes the leaf."""
        with self._data.writing() as connection:
            chat_id = chat_id_of(connection, message_id)
            if chat_id is None:
                return
            tree = tree_of(connection, chat_id)
            gone = tree.subtree(message_id)
            if leaf_of(connection, chat_id) in gone:
                set_leaf(connection, chat_id, tree.parent(message_id))
            connection.executemany("DELETE FROM message WHERE id = ?", [(one,) for one in gone])

    def delete_chat(self, chat_id: str) -> None:
        """Delete a chat with all its messages for good."""
        with self._data.writing() as connection:
            connection.execute("DELETE FROM chat WHERE id = ?", (chat_id,))

    def _set_all(self, column: str, chat_ids: Sequence[str], value: bool) -> None:  # noqa: FBT001 - the value
        with self._data.writing() as connection:
            connection.executemany(
                f"UPDATE chat SET {column} = ? WHERE id = ?", [(value, one) for one in chat_ids]
            )


def _found(connection: sqlite3.Connection, chat_id: str) -> tuple[Chat, ChatSettings, Tree] | None:
    """Return a chat with its settings and its tree; it is shown up to a message that is seen."""
    row = connection.execute(
        f"SELECT {CHAT}, settings FROM chat WHERE id = ? AND deletion IS NULL", (chat_id,)
    ).fetchone()
    if row is None:
        return None
    tree = tree_of(connection, chat_id)
    chat = chat_of(row)
    shown = dataclasses.replace(chat, leaf_id=_leaf(tree, chat.leaf_id))
    return shown, settings_from_json(row[8]), tree


def _leaf(tree: Tree, leaf_id: str | None) -> str | None:
    """Return the message that a chat is shown up to, another one where that cannot be seen."""
    if leaf_id is None or leaf_id in tree:
        return leaf_id
    return tree.leaf_below(tree.nearest(leaf_id))


def _end_in(connection: sqlite3.Connection, message: Message) -> None:
    connection.execute(
        "UPDATE chat SET leaf_id = ?, updated_at = max(updated_at, ?) WHERE id = ?",
        (message.id, message.created_at, message.chat_id),
    )


def _below_seen(connection: sqlite3.Connection, message: Message) -> Message:
    deleted = "SELECT 1 FROM message WHERE id = ? AND deletion IS NOT NULL"
    if connection.execute(deleted, (message.parent_id,)).fetchone() is None:
        return message
    tree = tree_of(connection, message.chat_id)
    return dataclasses.replace(message, parent_id=tree.nearest(message.parent_id))
