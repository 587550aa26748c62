"""Temporary chats: they live in memory, sessions and drafts included, and end with the app."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from app.chats.model import new_chat, title_from

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
        self._chat_ids: list[str] = []

    def on_current_changed(self, chat_id: str) -> None:
        """Remember which temporary chat was shown last: none of them is in the list."""
        if self._store.is_private(chat_id):
            self._forget(chat_id)
            self._chat_ids.append(chat_id)

    def on_requested(self) -> None:
        """Show the temporary chat, of several the one before; a new one where there is none."""
        others = [one for one in self._chat_ids if one != self._shown.chat_id]
        if others:
            self._shown.on_chat_selected(others[-1])
        if self._chat_ids:
            return
        chat = new_chat(self.tr("Temporary chat"))
        settings = self._shown.usual
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
        self._forget(chat_id)
        self._replies.stop(chat_id)
        self._worker.forget(chat_id)
        self._shown.wish()
        self._shown.show(None)
        self.ended.emit(chat_id)
        self._store.run(lambda store: store.delete_chat(chat_id), chat_id=chat_id)

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
            kept = _named(archive)
            self._store.let_go(chat_id)  # what is said from now on comes after it
            self._store.run(
                lambda store: store.imports.keep(kept),
                lambda _: self._on_kept(kept),
                failed=lambda: self._store.keep_private(chat_id),
            )

        self._store.run(read, take, chat_id)

    def _on_kept(self, kept: Archive) -> None:
        self._forget(kept.chat.id)
        self._shown.on_renamed(kept.chat.id, kept.chat.title)
        self._shown.tell_privacy()
        self.list_outdated.emit()

    def _forget(self, chat_id: str) -> None:
        if chat_id in self._chat_ids:
            self._chat_ids.remove(chat_id)


def _named(archive: Archive) -> Archive:
    """Return a chat with a title made from its first question, as others have, where it has one."""
    asked = next((one for one in archive.messages if one.role == "user"), None)
    if asked is None or archive.chat.titled_by != "question":
        return archive
    name = asked.text if asked.text.strip() else asked.attachments[0].name
    return replace(archive, chat=replace(archive.chat, title=title_from(name)))
