"""The list of chats: its rows, and what is done to chats as a whole."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from app.later import Later
from ui.state import ChatRow, HitRow

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from app.chats.model import ChatSummary
    from app.chats.search import Hit
    from app.chats.store import Store
    from app.chats.thread import StoreThread


class ChatList(QObject):
    """Reads the chats, pinned first and archived last; renames, pins, archives and finds them."""

    chats_changed = Signal(list, str)
    hits_found = Signal(str, list)
    title_changed = Signal(str, str)
    """A chat's id and its new title."""
    failed = Signal(str)
    unread = Signal(str)
    """Why the list cannot be read; nobody has asked for anything, so that once is enough."""

    def __init__(self, store: StoreThread, parent: QObject) -> None:
        super().__init__(parent)
        self._store = store
        self._reading = Later(lambda error: self.unread.emit(str(error)), self)
        self._later = Later(lambda error: self.failed.emit(str(error)), self)
        self._rows: list[ChatRow] = []
        self._current_id = ""
        self._query = ""

    def refresh(self) -> None:
        """Read the list."""
        self._reading.deliver(self._store.submit(_rows), self._on_rows)

    def set_current(self, chat_id: str) -> None:
        """Mark another chat at once: a click on a row that is still marked chooses nothing."""
        self._current_id = chat_id
        self.chats_changed.emit(self._rows, chat_id)

    def rename(self, chat_id: str, title: str) -> None:
        """Give a chat a title of the user's own; an empty one changes nothing."""
        words = " ".join(title.split())
        if words:
            self._change(lambda store: store.set_title(chat_id, words))
            self.title_changed.emit(chat_id, words)

    def set_pinned(self, chat_ids: Sequence[str], pinned: bool) -> None:  # noqa: FBT001 - a slot
        """Pin chats to the top, or let them go."""
        self._change(lambda store: store.set_pinned(chat_ids, pinned))

    def set_archived(self, chat_ids: Sequence[str], archived: bool) -> None:  # noqa: FBT001 - a slot
        """Move chats into the archive, or back."""
        self._change(lambda store: store.set_archived(chat_ids, archived))

    def find(self, text: str) -> None:
        """Search titles and messages; only the latest search is answered."""
        self._query = text

        def on_hits(hits: list[HitRow]) -> None:
            if text == self._query:
                self.hits_found.emit(text, hits)

        def work(store: Store) -> list[HitRow]:
            return [_hit(hit) for hit in store.search.find(text)]

        self._later.deliver(self._store.submit(work), on_hits)

    def _change(self, work: Callable[[Store], object]) -> None:
        self._later.deliver(self._store.submit(work))
        self.refresh()

    def _on_rows(self, rows: list[ChatRow]) -> None:
        self._rows = rows
        self.chats_changed.emit(rows, self._current_id)


def _rows(store: Store) -> list[ChatRow]:
    """Make the rows where the chats are read: ten thousand of them take a while."""
    shown = sorted(store.chats(), key=lambda summary: not summary.chat.pinned)
    return [_row(summary) for summary in (*shown, *store.chats(archived=True))]


def _row(summary: ChatSummary) -> ChatRow:
    chat = summary.chat
    return ChatRow(
        id=chat.id,
        title=chat.title,
        preview=summary.preview,
        day=datetime.fromtimestamp(chat.updated_at).astimezone().date(),
        pinned=chat.pinned,
        archived=chat.archived,
    )


def _hit(hit: Hit) -> HitRow:
    return HitRow(
        chat_id=hit.chat_id,
        message_id=hit.message_id or "",
        title=hit.title,
        snippet=hit.snippet,
        marks=hit.marks,
    )
