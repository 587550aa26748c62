"""Turns that the store could not take, as on a full disk: kept in memory, and tried again."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer, Signal

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from app.chats.model import Chat, Message
    from app.chats.settings import ChatSettings
    from app.chats.store import Store
    from app.replies import Replies
    from app.store_access import StoreAccess

AGAIN_MS = 3000


@dataclass(frozen=True)
class _Waiting:
    chat: Chat
    settings: ChatSettings
    messages: tuple[Message, ...]


class Unwritten(QObject):
    """Writes turns, and keeps those that cannot be written until they can be."""

    written = Signal()
    """What could not be written at first is in the store now."""

    def __init__(self, store: StoreAccess, replies: Replies, parent: QObject) -> None:
        super().__init__(parent)
        self._store = store
        self._replies = replies
        self._waiting: dict[str, _Waiting] = {}
        self._timer = QTimer(self, singleShot=True, interval=AGAIN_MS)
        self._timer.timeout.connect(self.try_again)

    def write(
        self, chat: Chat, settings: ChatSettings, messages: Sequence[Message], *, is_new: bool
    ) -> None:
        """Write messages of a chat.

        Args:
            chat: The chat.
            settings: What it is set to.
            messages: Each follows the one before.
            is_new: Whether the chat is not stored yet.
        """
        waiting = self._waiting.get(chat.id)
        if waiting is not None:
            whole = (*waiting.messages, *messages)
            self._waiting[chat.id] = _Waiting(chat, settings, whole)
            self._try(chat.id)
            return

        def work(store: Store) -> None:
            if is_new:
                store.create_chat(chat, settings)
            for message in messages:
                store.add_message(message)

        def keep() -> None:
            self._waiting[chat.id] = _Waiting(chat, settings, tuple(messages))
            self._timer.start()

        self._store.run(work, chat_id=chat.id, failed=keep)

    def forget(self, chat_id: str, message_ids: Collection[str] | None = None) -> None:
        """Write nothing more of a chat that is deleted, or of some of its messages."""
        waiting = self._waiting.pop(chat_id, None)
        if waiting is None or message_ids is None:
            return
        rest = tuple(each for each in waiting.messages if each.id not in message_ids)
        if rest:
            self._waiting[chat_id] = replace(waiting, messages=rest)

    def try_again(self) -> None:
        """Try to write what could not be written."""
        for chat_id in tuple(self._waiting):
            self._try(chat_id)

    def _try(self, chat_id: str) -> None:
        tried = self._waiting[chat_id]
        messages = [self._replies.newest(message) for message in tried.messages]

        def on_written(_: None) -> None:
            if self._waiting.get(chat_id) is tried:
                del self._waiting[chat_id]
            self.written.emit()

        self._store.run(
            lambda store: store.complete(tried.chat, tried.settings, messages),
            on_written,
            chat_id,
            failed=partial(self._timer.start, AGAIN_MS),
        )
