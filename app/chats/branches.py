"""Versions of messages: edit a question, ask again, switch, fork a chat, continue a reply."""

import dataclasses
import re
import sqlite3
import time
from collections.abc import Sequence

from PySide6.QtCore import QCoreApplication

from app.chats.database import Database
from app.chats.errors import StoreError
from app.chats.model import Attachment, Chat, Message, Version, new_id, new_reply
from app.chats.rows import (
    CHAT,
    chat_id_of,
    chat_of,
    insert_chat,
    insert_message,
    messages_of,
    place_last,
    set_leaf,
    tree_of,
)
from app.chats.settings import ChatSettings, settings_from_json
from app.chats.tree import Tree

_NUMBERED = re.compile(r" \(\d{1,6}\)$")


class Branches:
    """Operations on the trees of messages. Nothing that was written is ever changed by one.

    Every method raises StoreError for a message that is not there (any more).
    """

    def __init__(self, data: Database) -> None:
        self._data = data

    def version(self, message_id: str) -> Version:
        """Return a message's place among its versions."""
        with self._data.reading() as connection:
            tree, _ = _found(connection, message_id)
        return tree.version(message_id)

    def show(self, message_id: str) -> str:
        """Show the branch that a message is on, down to the leaf that was looked at last.

        This is how to move between versions and how to jump to a hit of the search.

        Returns:
            The new leaf's id. What is shown is remembered.
        """
        with self._data.writing() as connection:
            tree, chat_id = _found(connection, message_id)
            leaf_id = tree.leaf_below(message_id)
            connection.executemany(
                "UPDATE message SET shown = ? WHERE id = ?",
                [(shown, raised) for raised, shown in tree.to_raise(message_id).items()],
            )
            set_leaf(connection, chat_id, leaf_id)
        return leaf_id or message_id

    def edit(
        self, message_id: str, text: str, attachments: Sequence[Attachment] | None = None
    ) -> Message:
        """Add a version of a message with other words and make it the leaf.

        The attachments of the old version come along, unless others are given.
        """
        with self._data.writing() as connection:
            old = _message(connection, message_id)
            kept = old.attachments if attachments is None else attachments
            return _add_version(
                connection,
                dataclasses.replace(
                    old,
                    id=new_id(),
                    text=text,
                    state="complete",
                    created_at=time.time(),
                    model=None,
                    token_ids=(),
                    figures=None,
                    settings=None,
                    attachments=_copies(kept),
                ),
            )

    def regenerate(
        self,
        reply_id: str,
        model: str,
        settings: ChatSettings | None = None,
        *,
        text: str = "",
        token_ids: tuple[int, ...] = (),
    ) -> Message:
        """Add a reply beside another, about to be streamed, and make it the leaf.

        Args:
            reply_id: The other one.
            model: Writes the reply.
            settings: It is written with.
            text: It begins with; nothing where left out.
            token_ids: The exact tokens of that beginning.
        """
        with self._data.writing() as connection:
            old = _message(connection, reply_id)
            reply = new_reply(old.chat_id, old.parent_id, model, settings)
            begun = dataclasses.replace(reply, text=text, token_ids=token_ids)
            return _add_version(connection, begun)

    def continue_reply(self, reply_id: str) -> Message:
        """Let a reply that was cut off go on; it becomes the leaf and streams again.

        Returns:
            The reply with its text and token ids so far. It is a version of its own where
            something already follows the old one, which then stays as it was.
        """
        with self._data.writing() as connection:
            tree, chat_id = _found(connection, reply_id)
            old = dataclasses.replace(_message(connection, reply_id), state="streaming")
            if tree.children(reply_id):
                copy = dataclasses.replace(old, id=new_id(), created_at=time.time(), figures=None)
                return _add_version(connection, copy)
            connection.execute("UPDATE message SET state = 'streaming' WHERE id = ?", (reply_id,))
            set_leaf(connection, chat_id, reply_id)
            return old

    def fork(self, message_id: str, title: str | None = None) -> Chat:
        """Make a new chat with a copy of all from the first message to this one."""
        with self._data.writing() as connection:
            tree, chat_id = _found(connection, message_id)
            row = connection.execute(
                f"SELECT {CHAT}, settings FROM chat WHERE id = ?", (chat_id,)
            ).fetchone()
            old, now = chat_of(row), time.time()
            chat = dataclasses.replace(
                old,
                id=new_id(),
                title=_another_title(connection, old.title) if title is None else title,
                created_at=now,
                updated_at=now,
                pinned=False,
                archived=False,
            )
            insert_chat(connection, chat, settings_from_json(row[8]))
            leaf_id: str | None = None
            for message in messages_of(connection, tree.path(message_id)):
                copy = dataclasses.replace(
                    message,
                    id=new_id(),
                    chat_id=chat.id,
                    parent_id=leaf_id,
                    state="stopped" if message.state == "streaming" else message.state,
                    attachments=_copies(message.attachments),
                    position=0,
                    shown=0,
                )
                insert_message(connection, copy)
                leaf_id = copy.id
            set_leaf(connection, chat.id, leaf_id)
        return dataclasses.replace(chat, leaf_id=leaf_id)


def _another_title(connection: sqlite3.Connection, title: str) -> str:
    """Return the title with the lowest number from 2 on that no chat has yet."""
    base = _NUMBERED.sub("", title)
    number = 2
    while connection.execute(
        "SELECT 1 FROM chat WHERE title = ?", (f"{base} ({number})",)
    ).fetchone():
        number += 1
    return f"{base} ({number})"


def _found(connection: sqlite3.Connection, message_id: str) -> tuple[Tree, str]:
    chat_id = chat_id_of(connection, message_id)
    if chat_id is not None and message_id in (tree := tree_of(connection, chat_id)):
        return tree, chat_id
    translate = QCoreApplication.translate
    raise StoreError(translate("Chats", "This message no longer exists: open the chat again."))


def _message(connection: sqlite3.Connection, message_id: str) -> Message:
    _found(connection, message_id)
    (message,) = messages_of(connection, (message_id,))
    return message


def _add_version(connection: sqlite3.Connection, message: Message) -> Message:
    placed = place_last(connection, message)
    insert_message(connection, placed)
    connection.execute(
        "UPDATE chat SET leaf_id = ?, updated_at = max(updated_at, ?) WHERE id = ?",
        (placed.id, placed.created_at, placed.chat_id),
    )
    # The way down to the new version may have been another one.
    for raised, shown in tree_of(connection, placed.chat_id).to_raise(placed.id).items():
        connection.execute("UPDATE message SET shown = ? WHERE id = ?", (shown, raised))
    return placed


def _copies(attachments: Sequence[Attachment]) -> tuple[Attachment, ...]:
    return tuple(dataclasses.replace(attachment, id=new_id()) for attachment in attachments)
