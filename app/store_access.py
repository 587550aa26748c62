"""The store as the chats in the window use it: answers on the main thread, one exit for errors."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

from PySide6.QtCore import QObject, Signal

from app.chats.thread import StoreThread
from app.later import Later

if TYPE_CHECKING:
    from collections.abc import Callable

    from app.chats.model import Message
    from app.chats.recover import Recovery
    from app.chats.store import Store

T = TypeVar("T")


class StoreAccess(QObject):
    """Has the store do things in order, and says what is wrong with it once a turn.

    Private chats live in a store of their own, in memory, which ends with them.
    """

    failed = Signal(str)
    recovered = Signal(str)
    """The file of chats was damaged; the sentence says what could be recovered."""
    reopened = Signal(str)
    """The chats could not be opened at first, and now they are there; the sentence says so."""

    def __init__(self, store: StoreThread, parent: QObject) -> None:
        super().__init__(parent)
        self._store = store
        self._memory: StoreThread | None = None
        self._private: set[str] = set()
        self._later = Later(self._on_error, self)
        self._said = ""

    def start(self) -> None:
        """Say it where the store could not be opened, or had to be recovered, or is damaged."""
        self._later.deliver(self._store.opened, self._on_opened)
        self._later.deliver(self._store.reopened, self._on_reopened)
        self._later.deliver(self._store.joined)
        self._later.deliver(self._store.checked)

    def close(self) -> None:
        """End what lives in memory."""
        self._private.clear()
        memory, self._memory = self._memory, None
        if memory is not None:
            memory.close()

    def begin_turn(self) -> None:
        """Say again what is wrong, even if it is what was said last."""
        self._said = ""

    def keep_private(self, chat_id: str) -> None:
        """Have everything of a chat, which is to be made now, stay in memory."""
        if self._memory is None:
            self._memory = StoreThread(None)
        self._private.add(chat_id)

    def let_go(self, chat_id: str) -> None:
        """Have a chat that was private live with the others from now on."""
        self._private.discard(chat_id)

    def is_private(self, chat_id: str) -> bool:
        """Whether a chat stays in memory."""
        return chat_id in self._private

    def of(self, chat_id: str) -> StoreThread:
        """The store that a chat lives in."""
        memory = self._memory
        return memory if memory is not None and chat_id in self._private else self._store

    def run(
        self,
        work: Callable[[Store], T],
        then: Callable[[T], None] | None = None,
        chat_id: str = "",
        failed: Callable[[], None] | None = None,
    ) -> None:
        """Do `work` on the store's thread, and `then` with its result here unless it failed.

        Args:
            work: What to do.
            then: What comes after.
            chat_id: The chat that it is about, where it is about one.
            failed: What comes where it failed.
        """
        self._later.deliver(self.of(chat_id).submit(work), then, failed)

    def save_reply(self, reply: Message, then: Callable[[bool], None]) -> None:
        """Save what has come of a reply, and do `then` once that is done."""
        saved = self.of(reply.chat_id).save_reply(
            reply.id, reply.text, reply.state, reply.token_ids, reply.figures, reply.model
        )
        self._later.deliver(saved, then)

    def say(self, sentence: str) -> None:
        """Say what is wrong; what was said last is not said again before the next turn.

        Every save fails in the same way.
        """
        if sentence != self._said:
            self._said = sentence
            self.failed.emit(sentence)

    def _on_opened(self, recovery: Recovery | None) -> None:
        if recovery is not None:
            self.recovered.emit(recovery.sentence)

    def _on_reopened(self, whole: bool) -> None:  # noqa: FBT001 - the store's result
        self._said = ""
        self.reopened.emit(
            self.tr("The chats are there again, with what was said meanwhile.")
            if whole
            else self.tr("The chats are there again; what is said in a new chat is saved.")
        )

    def _on_error(self, error: Exception) -> None:
        self.say(str(error))
