"""Rows of the chats' file to values and back, for whoever holds a connection."""

import dataclasses
import json
import sqlite3
import struct
import sys
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, cast

from app.chats.loose import as_number, as_text
from app.chats.model import Attachment, Chat, Figures, Message
from app.chats.settings import ChatSettings, settings_from_json, settings_json
from app.chats.tree import Node, Tree

CHAT = "chat.id, title, chat.created_at, updated_at, leaf_id, pinned, archived, titled_by"
_MESSAGE = (
    "message.id, chat_id, parent_id, role, text, state, created_at, model, token_ids, figures, "
    "settings, position, shown"
)
_LARGEST = (1 << 32) - 1  # of a token id


def storable(text: str) -> str:
    """Return text that UTF-8 can hold: surrogate pairs joined, lone ones replaced by U+FFFD."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    return text


def packed(token_ids: Sequence[int]) -> bytes:
    """Return token ids as they are stored, four bytes each."""
    return struct.pack(f"<{len(token_ids)}I", *token_ids)


def unpacked(blob: bytes) -> tuple[int, ...]:
    """Return the token ids that were stored."""
    whole = len(blob) // 4
    return struct.unpack(f"<{whole}I", blob[: 4 * whole])


def are_token_ids(data: object) -> bool:
    """Tell whether parsed JSON is a list of token ids."""
    return isinstance(data, list) and all(
        isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= _LARGEST
        for value in cast("list[object]", data)
    )


def figures_json(figures: Figures | None) -> str | None:
    """Return figures as they are stored."""
    return None if figures is None else json.dumps(dataclasses.asdict(figures))


def figures_of(data: object) -> Figures | None:
    """Return the figures in parsed JSON, without those that are not known or not numbers."""
    if not isinstance(data, dict):
        return None
    values = cast("dict[str, Any]", data)
    kept: dict[str, Any] = {}
    for entry in dataclasses.fields(Figures):
        value = values.get(entry.name)
        if entry.name == "finish_reason":
            value = as_text(value)
        elif entry.name == "thought_open":
            value = value is True
        elif (number := as_number(value)) is None or not abs(number) < sys.maxsize:
            value = None
        if value is not None:
            kept[entry.name] = value
    return Figures(**kept)


def chat_of(row: Sequence[Any]) -> Chat:
    """Return the chat in a row of the columns CHAT."""
    chat_id, title, created_at, updated_at, leaf_id, pinned, archived, titled_by = row[:8]
    return Chat(
        chat_id, title, created_at, updated_at, leaf_id, bool(pinned), bool(archived), titled_by
    )


def insert_chat(connection: sqlite3.Connection, chat: Chat, settings: ChatSettings) -> None:
    """Add a chat, which has no leaf as yet."""
    connection.execute(
        "INSERT INTO chat (id, title, created_at, updated_at, pinned, archived, titled_by, "
        "settings) VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
        (
            chat.id,
            storable(chat.title),
            chat.created_at,
            chat.updated_at,
            chat.pinned,
            chat.archived,
            chat.titled_by,
            storable(settings_json(settings)),
        ),
    )


def set_leaf(connection: sqlite3.Connection, chat_id: str, leaf_id: str | None) -> None:
    """Show a chat up to another message."""
    connection.execute("UPDATE chat SET leaf_id = ? WHERE id = ?", (leaf_id, chat_id))


def place_last(connection: sqlite3.Connection, message: Message) -> Message:
    """Return the message as the last and most recently shown of its versions."""
    last = connection.execute(
        "SELECT max(position), max(shown) FROM message WHERE chat_id = ? AND parent_id IS ?",
        (message.chat_id, message.parent_id),
    ).fetchone()
    if last[0] is None:
        return dataclasses.replace(message, position=0, shown=0)
    return dataclasses.replace(message, position=last[0] + 1, shown=last[1] + 1)


def insert_message(connection: sqlite3.Connection, message: Message, least_number: int = 0) -> int:
    """Add a message with its attachments, as it is; return its number, which is new."""
    number = max(least_number, int(min(max(0.0, message.created_at), 1e11) * 1000))
    while connection.execute("SELECT 1 FROM message WHERE number = ?", (number,)).fetchone():
        number += 1
    settings = message.settings
    connection.execute(
        "INSERT INTO message (number, id, chat_id, parent_id, position, shown, role, state, "
        "created_at, model, figures, settings, text, token_ids) "
        "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (
            number,
            message.id,
            message.chat_id,
            message.parent_id,
            message.position,
            message.shown,
            message.role,
            message.state,
            message.created_at,
            None if message.model is None else storable(message.model),
            figures_json(message.figures),
            None if settings is None else storable(settings_json(settings)),
            storable(message.text),
            packed(message.token_ids),
        ),
    )
    connection.executemany(
        "INSERT INTO attachment (id, message_id, name, media_type, size_bytes, text) "
        "VALUES (?, ?, ?, ?, ?, ?)",
        [
            (
                attachment.id,
                message.id,
                storable(attachment.name),
                storable(attachment.media_type),
                attachment.size_bytes,
                storable(attachment.text),
            )
            for attachment in message.attachments
        ],
    )
    return number


def tree_of(connection: sqlite3.Connection, chat_id: str) -> Tree:
    """Return the tree of a chat; empty for an unknown one."""
    rows = connection.execute(
        "SELECT id, parent_id, position, shown, number, deletion IS NOT NULL, splice IS NOT NULL "
        "FROM message WHERE chat_id = ?",
        (chat_id,),
    )
    return Tree(
        Node(key, above, position, shown, number, bool(deleted), bool(spliced))
        for key, above, position, shown, number, deleted, spliced in rows
    )


def chat_id_of(connection: sqlite3.Connection, message_id: str) -> str | None:
    """Return the chat of a message, None for an unknown one."""
    row = connection.execute("SELECT chat_id FROM message WHERE id = ?", (message_id,)).fetchone()
    return None if row is None else row[0]


def leaf_of(connection: sqlite3.Connection, chat_id: str) -> str | None:
    """Return the message that a chat is shown up to."""
    row = connection.execute("SELECT leaf_id FROM chat WHERE id = ?", (chat_id,)).fetchone()
    return None if row is None else row[0]


def messages_of(connection: sqlite3.Connection, ids: Sequence[str]) -> tuple[Message, ...]:
    """Return messages with their attachments, in the order of their ids."""
    listed = json.dumps(ids)
    attachments: dict[str, list[Attachment]] = {}
    for row in connection.execute(
        "SELECT message_id, id, name, media_type, size_bytes, text FROM attachment "
        "WHERE message_id IN (SELECT value FROM json_each(?)) ORDER BY number",
        (listed,),
    ):
        attachments.setdefault(row[0], []).append(Attachment(*row[1:]))
    rows = connection.execute(
        f"SELECT {_MESSAGE} FROM json_each(?) AS wanted JOIN message ON message.id = wanted.value "
        "ORDER BY wanted.key",
        (listed,),
    )
    return tuple(_messages(rows, attachments))


def all_messages(connection: sqlite3.Connection, tree: Tree) -> tuple[Message, ...]:
    """Return all that is seen of a tree, parents first, as if spliced messages had never been."""
    places: dict[str, tuple[str | None, int, int]] = {}
    waiting: list[str | None] = [None]
    for above in waiting:
        below = tree.children(above)
        latest = {child: rank for rank, child in enumerate(reversed(tree.latest(above)))}
        for position, child in enumerate(below):
            places[child] = (above, position, latest[child])
        waiting.extend(below)
    return tuple(
        dataclasses.replace(message, parent_id=place[0], position=place[1], shown=place[2])
        for message, place in zip(
            messages_of(connection, tuple(places)), places.values(), strict=True
        )
    )


def _messages(rows: Iterable[Any], attachments: dict[str, list[Attachment]]) -> Iterator[Message]:
    for *plain, token_ids, figures, settings, position, shown in rows:
        yield Message(
            *plain,
            token_ids=unpacked(token_ids),
            figures=None if figures is None else figures_of(json.loads(figures)),
            settings=None if settings is None else settings_from_json(settings),
            attachments=tuple(attachments.get(plain[0], ())),
            position=position,
            shown=shown,
        )
