"""Titles by the model: while nothing happens, a new chat is named after its first turn.

The chat's own cache is left alone, and whatever the user asks comes first.
"""

from __future__ import annotations

from collections import deque
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer, Signal

from app.errands import LatestErrand

if TYPE_CHECKING:
    from app.chats.model import OpenChat
    from app.chats.store import Store
    from app.errands import Errands
    from app.jobs.workbench import Workbench
    from app.preferences import Preferences
    from app.replies import Replies
    from app.store_access import StoreAccess

IDLE_MS = 3000
_FIRST_TURN = 2
_MOST_WAITING = 20


class Titles(QObject):
    """Names chats one after the other, each once."""

    named = Signal(str, str)
    """A chat's id and its new title."""

    def __init__(
        self, errands: Errands, store: StoreAccess, replies: Replies, parent: QObject
    ) -> None:
        super().__init__(parent)
        self._errand = LatestErrand(errands)
        self._store = store
        self._replies = replies
        self._wanted = True
        self._waiting: deque[str] = deque(maxlen=_MOST_WAITING)
        self._tried: set[str] = set()
        self._timer = QTimer(self, singleShot=True, interval=IDLE_MS)
        self._timer.timeout.connect(self._on_idle)

    def on_preferences(self, preferences: Preferences) -> None:
        """Name chats, or leave them named after their question."""
        self._wanted = preferences.titles

    def on_settled(self, chat_id: str) -> None:
        """A reply has ended: its chat may be named once nothing happens."""
        if self._wanted and chat_id not in self._tried and not self._store.is_private(chat_id):
            self._tried.add(chat_id)
            self._waiting.append(chat_id)
        if self._waiting:
            self._timer.start()

    def on_busy(self) -> None:
        """Somebody asks or writes: a chat that is being named is named later."""
        self._errand.stop()
        if self._waiting:
            self._timer.start()

    def _on_idle(self) -> None:
        if self._errand.is_running or self._replies.is_busy or not self._waiting:
            return
        chat_id = self._waiting.popleft()
        self._store.run(lambda store: _unnamed(store, chat_id), self._begin, chat_id)

    def _begin(self, opened: OpenChat | None) -> None:
        """Have a chat named that has one turn and its question's title."""
        if opened is None:
            self._go_on()
            return
        if self._replies.is_busy or self._errand.is_running:
            self._waiting.append(opened.chat.id)  # its turn comes when that has ended
            return
        chat_id, asked = opened.chat.id, opened.messages[0].text

        def job(bench: Workbench) -> str:
            from app.jobs.title import title_job  # on the engine's thread, which has it imported

            return title_job(bench, asked)

        self._errand.run(
            job,
            partial(self._on_named, chat_id),
            lambda _sentence: self._go_on(),  # the question's title is good enough
            cancelled=partial(self._on_cancelled, chat_id),
        )

    def _on_named(self, chat_id: str, title: str) -> None:
        def work(store: Store) -> bool:
            return store.set_title(chat_id, title, "model")

        def tell(given: bool) -> None:  # noqa: FBT001 - the store's result
            if given:
                self.named.emit(chat_id, title)

        if title:
            self._store.run(work, tell, chat_id)
        self._go_on()

    def _on_cancelled(self, chat_id: str) -> None:
        self._waiting.append(chat_id)
        self._go_on()

    def _go_on(self) -> None:
        if self._waiting:
            self._timer.start()


def _unnamed(store: Store, chat_id: str) -> OpenChat | None:
    opened = store.open_chat(chat_id)
    if opened is None or opened.chat.titled_by != "question":
        return None
    first = opened.messages[:_FIRST_TURN]
    whole = len(opened.messages) == _FIRST_TURN and first[1].state in ("complete", "stopped")
    return opened if whole and first[0].text.strip() and first[1].text.strip() else None
