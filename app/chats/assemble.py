"""From loose chats, as other files have them, to whole ones that the store can take.

Whatever a file claims, the result is a tree: one place for each message, parents that exist, no
circles, times and ids that are sound.
"""

import dataclasses
import math
import time
import uuid
from collections import Counter, defaultdict
from dataclasses import dataclass, field

from app.chats.model import (
    Archive,
    Attachment,
    Chat,
    Figures,
    Message,
    Role,
    State,
    TitledBy,
    new_id,
    shortened,
    title_from,
    untitled,
)
from app.chats.settings import ChatSettings
from app.chats.tree import Node, Tree

LATEST_S = 253_402_300_799.0  # the end of the year 9999
TITLE_LIMIT = 200
_ID_LIMIT = 64
_NAMES = uuid.UUID("6f0f7c8e-4f0b-5c3a-9d53-0d1f6a1c9a5b")


@dataclass
class RawMessage:
    """A message as a file has it; `key` and `parent` mean something in its chat only."""

    key: str
    parent: str | None
    role: Role
    text: str
    created_at: float | None = None
    model: str | None = None
    state: State = "complete"
    token_ids: tuple[int, ...] = ()
    figures: Figures | None = None
    settings: ChatSettings | None = None
    attachments: tuple[Attachment, ...] = ()
    shown: int | None = None


@dataclass
class RawChat:
    """A chat as a file has it; `left_out` counts what was not taken over, by what it was."""

    key: str
    title: str = ""
    created_at: float | None = None
    updated_at: float | None = None
    leaf: str | None = None
    pinned: bool = False
    archived: bool = False
    titled_by: TitledBy = "user"
    settings: ChatSettings = field(default_factory=ChatSettings)
    messages: list[RawMessage] = field(default_factory=list[RawMessage])
    left_out: Counter[str] = field(default_factory=Counter[str])


def assemble(raw: RawChat, source: str | None = None) -> Archive:
    """Return a loose chat as a whole one; what has no place in its tree begins one.

    Args:
        raw: The chat; what cannot be kept is counted in its `left_out`.
        source: The program it comes from. Its ids are then made from this and the keys, the
            same each time; None keeps the keys as ids where they can be.
    """
    name = uuid.uuid5(_NAMES, storable_key(f"{source}/{raw.key}"))
    chat_id = raw.key if source is None and _is_id(raw.key) else name.hex
    first: dict[str, RawMessage] = {}
    for message in raw.messages:
        if message.key in first:
            raw.left_out["repeated message"] += 1
        else:
            first[message.key] = message
    ids = {
        key: key if source is None and _is_id(key) else uuid.uuid5(name, storable_key(key)).hex
        for key in first
    }
    at = _time(raw.created_at) or min(
        (known for known in (_time(message.created_at) for message in first.values()) if known),
        default=time.time(),
    )
    messages = tuple(
        _placed(first[key], chat_id, ids, parent, position, at)
        for key, parent, position in _places(raw, first)
    )
    tree = Tree(
        Node(message.id, message.parent_id, message.position, message.shown, number)
        for number, message in enumerate(messages)
    )
    leaf_id = ids.get(raw.leaf or "")
    if leaf_id is None:
        leaf_id = tree.leaf_below(None)
    elif any(message.shown is None for message in first.values()):
        raised = tree.to_raise(leaf_id)
        messages = tuple(
            dataclasses.replace(message, shown=raised.get(message.id, message.shown))
            for message in messages
        )
    last = max((message.created_at for message in messages), default=at)
    chat = Chat(
        id=chat_id,
        title=_title(raw),
        created_at=at,
        updated_at=_time(raw.updated_at) or last,
        leaf_id=leaf_id,
        pinned=raw.pinned,
        archived=raw.archived,
        titled_by=raw.titled_by,
    )
    return Archive(chat, raw.settings, messages)


def with_new_ids(archive: Archive) -> Archive:
    """Return a chat as a copy that can stand beside the first one."""
    chat_id = new_id()
    ids: dict[str | None, str | None] = {None: None}
    for message in archive.messages:
        ids[message.id] = new_id()
    return Archive(
        dataclasses.replace(archive.chat, id=chat_id, leaf_id=ids[archive.chat.leaf_id]),
        archive.settings,
        tuple(
            dataclasses.replace(
                message,
                id=ids[message.id] or "",
                chat_id=chat_id,
                parent_id=ids[message.parent_id],
                attachments=tuple(
                    dataclasses.replace(attachment, id=new_id())
                    for attachment in message.attachments
                ),
            )
            for message in archive.messages
        ),
    )


def storable_key(key: str) -> str:
    """Return a key without lone surrogates, which no hash takes."""
    return key.encode("utf-8", "replace").decode()


def _places(raw: RawChat, messages: dict[str, RawMessage]) -> list[tuple[str, str | None, int]]:
    """Give each message a parent and a position, parents first."""
    below: defaultdict[str | None, list[str]] = defaultdict(list)
    for key, message in messages.items():
        below[message.parent if message.parent in messages else None].append(key)
        if message.parent is not None and message.parent not in messages:
            raw.left_out["lost link between messages"] += 1
    places: list[tuple[str, str | None, int]] = []
    reached: set[str] = set()

    def walk(keys: list[str], parent: str | None, start: int = 0) -> None:
        waiting = [(key, parent, start + index) for index, key in enumerate(keys)]
        for key, above, position in waiting:
            if key not in reached:
                reached.add(key)
                places.append((key, above, position))
                waiting.extend((one, key, index) for index, one in enumerate(below.get(key, ())))

    walk(below[None], None)
    for key in messages:
        if key not in reached:  # part of a circle, or below one
            raw.left_out["lost link between messages"] += 1
            walk([key], None, len(below[None]) + len(reached))
    return places


def _placed(
    raw: RawMessage,
    chat_id: str,
    ids: dict[str, str],
    parent: str | None,
    position: int,
    at: float,
) -> Message:
    return Message(
        id=ids[raw.key],
        chat_id=chat_id,
        parent_id=None if parent is None else ids[parent],
        role=raw.role,
        text=raw.text,
        state="interrupted" if raw.state == "streaming" else raw.state,
        created_at=_time(raw.created_at) or at,
        model=raw.model,
        token_ids=raw.token_ids,
        figures=raw.figures,
        settings=raw.settings,
        attachments=tuple(
            one if _is_id(one.id) else dataclasses.replace(one, id=new_id())
            for one in raw.attachments
        ),
        position=position,
        shown=position if raw.shown is None else raw.shown,
    )


def _is_id(key: str) -> bool:
    return 0 < len(key) <= _ID_LIMIT and key.isascii() and key.isprintable()


def _time(value: float | None) -> float | None:
    """Return seconds since the epoch that can be, None for others."""
    if value is None or not math.isfinite(value) or not 0 < value <= LATEST_S:
        return None
    return float(value)


def _title(raw: RawChat) -> str:
    title = shortened(raw.title, TITLE_LIMIT)
    if title:
        return title
    asked = (message.text for message in raw.messages if message.role == "user")
    return next((title_from(text) for text in asked), untitled())
