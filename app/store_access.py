"""The store as the chats in the window use it: answers on the main thread, one exit for errors."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

from PySide6.QtCore import QObject, Signal

from app.later import Later

if TYPE_CHECKING:
    from collections.abc import Callable

    from app.chats.model import Message
    from app.chats.store import Store
    from app.chats.thread import StoreThread

T = TypeVar("T")


class StoreAccess(QObject):
    """Has the store do things in order, and says what is wrong with it once a turn."""

    failed = Signal(str)

    def __init__(self, store: StoreThread, parent: QObject) -> None:
        super().__init__(parent)
        self._store = store
        self._later = Later(self._on_error, self)
        self._said = ""

    def start(self) -> None:
        """Say it where the store could not be opened."""
        self._later.deliver(self._store.opened)

    def begin_turn(self) -> None:
        """Say again what is wrong, even if it is what was said last."""
        self._said = ""

    def run(self, work: Callable[[Store], T], then: Callable[[T], None] | None = None) -> None:
        """Do `work` on the store's thread, and `then` with its result here unless it failed."""
        self._later.deliver(self._store.submit(work), then)

    def save_reply(self, reply: Message, then: Callable[[bool], None]) -> None:
        """Save what has come of a reply, and do `then` once that is done."""
        saved = self._store.save_reply(
            reply.id, reply.text, reply.state, reply.token_ids, reply.figures, reply.model
        )
        self._later.deliver(saved, then)

    def _on_error(self, error: Exception) -> None:
        """Every save fails in the same way: the same sentence is not said twice in a row."""
        sentence = str(error)
        if sentence != self._said:
            self._said = sentence
            self.failed.emit(sentence)
