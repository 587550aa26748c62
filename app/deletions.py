"""What was deleted last, and its undo."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer, Signal

from app.later import Later

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from app.chats.store import Store
    from app.chats.thread import StoreThread
    from ui.state import Deleted

KEPT_DAYS = 30
_START_MS = 5_000
_AT_ONCE = 5


class Deletions(QObject):
    """Moves messages, branches and chats into the trash, and the latest of them back."""

    deleted = Signal(str, int)
    """What was deleted (`ui.state.Deleted`), and how many."""
    changed = Signal(list)
    """The ids of chats that have other messages now, are gone, or are back."""
    failed = Signal(str)

    def __init__(self, stores: Callable[[str], StoreThread], parent: QObject) -> None:
        """Nothing is deleted yet.

        Args:
            stores: The store that a chat lives in, by the chat's id.
            parent: Owns this object.
        """
        super().__init__(parent)
        self._stores = stores
        self._later = Later(lambda error: self.failed.emit(str(error)), self)
        self._quietly = Later(lambda _: None, self)  # nobody asked for it: it is done another day
        self._numbers: tuple[int, ...] = ()
        self._chat_ids: list[str] = []

    def start(self) -> None:
        """Empty the trash of what has been in it for long, once the launch is over."""
        QTimer.singleShot(_START_MS, self, self._empty)

    def _empty(self) -> None:
        before_s = time.time() - KEPT_DAYS * 86_400
        self._later.deliver(self._stores("").submit(lambda store: store.trash.empty(before_s)))

        self.sweep()

    def sweep(self) -> None:
        """Remove what imports that were ended or killed have left, a little at a time."""
        swept = self._stores("").submit(lambda store: store.imports.sweep())
        self._quietly.deliver(swept, lambda more: self.sweep() if more else None)

    def delete_message(self, chat_id: str, message_id: str) -> None:
        """Delete one message; what follows it stays."""

        def work(store: Store) -> tuple[int, ...]:
            number = store.trash.delete_message(message_id)
            return () if number is None else (number,)

        self._delete("message", [chat_id], work)

    def delete_branch(self, chat_id: str, message_id: str) -> None:
        """Delete a message and all that follows it."""

        def work(store: Store) -> tuple[int, ...]:
            number = store.trash.delete_branch(message_id)
            return () if number is None else (number,)

        self._delete("branch", [chat_id], work)

    def delete_chats(self, chat_ids: Sequence[str]) -> None:
        """Delete chats."""
        ids = list(chat_ids)
        self._delete("chat", ids, lambda store: store.trash.delete_chats(ids))

    def undo(self) -> None:
        """Bring back what was deleted last."""
        numbers, self._numbers = self._numbers, ()
        chat_ids = self._chat_ids

        def work(store: Store) -> None:
            store.trash.undo(*numbers)

        if chat_ids:
            undone = self._stores(chat_ids[0]).submit(work)
            self._later.deliver(undone, lambda _: self.changed.emit(chat_ids))

    def forget(self) -> None:
        """Undo nothing of what was deleted so far: the numbers belong to another file."""
        self._numbers, self._chat_ids = (), []

    def _delete(
        self, kind: Deleted, chat_ids: list[str], work: Callable[[Store], tuple[int, ...]]
    ) -> None:
        def on_deleted(numbers: tuple[int, ...]) -> None:
            if not numbers:
                return
            self._numbers, self._chat_ids = numbers, chat_ids
            self.changed.emit(chat_ids)
            self.deleted.emit(kind, len(numbers))

        if chat_ids:
            self._later.deliver(self._stores(chat_ids[0]).submit(work), on_deleted)
