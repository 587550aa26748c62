"""Small chats for tests: planted in a store, and read back as words."""

import dataclasses
import itertools
from collections.abc import Sequence
from pathlib import Path

from app.chats.export import Format, export_chats
from app.chats.model import Attachment, Chat, Message, new_chat, new_message
from app.chats.store import Store

_NUMBERS = itertools.count(1)


class Talk:
    """A chat in a store; messages are named by their texts."""

    def __init__(self, store: Store, chat: Chat) -> None:
        self.store = store
        self.chat = chat
        self.ids: dict[str, str] = {}

    def say(self, text: str, below: str | None = None, *attachments: Attachment) -> Message:
        """Add a message; those that begin with q are questions."""
        parent = None if below is None else self.ids[below]
        role = "user" if text.startswith("q") else "assistant"
        message = dataclasses.replace(
            new_message(self.chat.id, parent, role, text),
            attachments=attachments,
            created_at=1000.0 + next(_NUMBERS),
        )
        self.store.add_message(message)
        self.ids[text] = message.id
        return message

    @property
    def shown(self) -> str:
        """The texts of the branch that is shown."""
        return " ".join(message.text for message in self.store.branch(self.chat.id))

    @property
    def versions(self) -> dict[str, str]:
        """Where messages stand among their versions, by their texts."""
        opened = self.store.open_chat(self.chat.id)
        assert opened is not None
        texts = {message.id: message.text for message in opened.messages}
        return {texts[key]: str(version) for key, version in opened.versions.items()}


def planted(store: Store, title: str = "Talk") -> Talk:
    """Plant a chat of two turns."""
    chat = new_chat(title)
    store.create_chat(chat)
    talk = Talk(store, chat)
    talk.say("q1")
    talk.say("r1", "q1")
    talk.say("q2", "r1")
    talk.say("r2", "q2")
    return talk


def exported_to(
    path: Path, store: Store, form: Format = "json", chat_ids: Sequence[str] | None = None
) -> int:
    """Export chats, by default all of them, as the list has them."""
    if chat_ids is None:
        listed = (*store.chats(), *store.chats(archived=True))
        chat_ids = [summary.chat.id for summary in listed]
    return export_chats(path, form, chat_ids, store.archive)
