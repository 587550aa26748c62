"""Temporary chats: they live in memory, sessions and drafts included, and end with the app."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from app.chats.model import new_chat

if TYPE_CHECKING:
    from app.chats.model import Archive, OpenChat
    from app.chats.store import Store
    from app.replies import Replies
    from app.shown import ShownChat
    from app.store_access import StoreAccess
    from app.worker import Worker


class Temporary(QObject):
    """Begins the temporary chat, keeps the one that is shown, or ends it."""

    list_outdated = Signal()
    ended = Signal(str)
    """The id of the chat that is gone."""

    def __init__(
        self,
        worker: Worker,
        store: StoreAccess,
        replies: Replies,
        shown: ShownChat,
        parent: QObject,
    ) -> None:
        super().__init__(parent)
        self._worker = worker
        self._store = store
        self._replies = replies
        self._shown = shown
        self._chat_id = ""

    def on_requested(self) -> None:
        """Show the temporary chat; a new one where there is none."""
        if self._store.is_private(self._chat_id):
            self._shown.on_chat_selected(self._chat_id)
            return
        chat = new_chat(self.tr("Temporary chat"))
        settings = self._shown.usual
        self._chat_id = chat.id
        self._store.keep_private(chat.id)

        def work(store: Store) -> OpenChat | None:
            store.create_chat(chat, settings)
            return store.open_chat(chat.id)

        self._shown.open(chat.id, work)

    def on_end_requested(self) -> None:
        """End the chat that is shown; nothing is left of it."""
        chat_id = self._shown.chat_id
        if not self._store.is_private(chat_id):
            return
        self._replies.stop(chat_id)
        self._worker.forget(chat_id)
        self._shown.wish()
        self._shown.show(None)
        self.ended.emit(chat_id)
        self._store.run(lambda store: store.delete_chat(chat_id), chat_id=chat_id)
        self._chat_id = "" if chat_id == self._chat_id else self._chat_id

    def on_keep_requested(self) -> None:
        """Move the chat that is shown to the others, on disk."""
        chat_id = self._shown.chat_id
        if not self._store.is_private(chat_id) or self._replies.of_chat(chat_id):
            return  # first it is written to its end, or stopped

        def read(store: Store) -> Archive | None:
            return store.archive(chat_id)

        def take(archive: Archive | None) -> None:
            if archive is None:
                return
            self._store.let_go(chat_id)
            self._store.run(lambda store: store.imports.keep(archive), self._on_kept)

        self._store.run(read, take, chat_id)

    def _on_kept(self, _: None) -> None:
        self._shown.tell_privacy()
        self.list_outdated.emit()
