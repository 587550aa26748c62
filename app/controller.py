"""The chat controller: a question becomes stored messages and a request to the engine.

It lives on the main thread, knows neither widgets nor MLX, and never waits: the store and the
engine have threads of their own and answer through signals.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from app.chats.model import new_chat, new_message, new_reply, title_from
from app.replies import Running, reply_request
from app.unwritten import Unwritten

if TYPE_CHECKING:
    from collections.abc import Sequence

    from app.chats.store import Store
    from app.deletions import Deletions
    from app.drafting import Drafting
    from app.replies import Replies
    from app.requests import ReplyBegin, ReplyEnd, ReplyPiece
    from app.shown import ShownChat
    from app.store_access import StoreAccess
    from app.worker import Worker


class ChatController(QObject):
    """Takes a turn from its question to the end of its reply, in the shown chat or another."""

    list_outdated = Signal()
    settled = Signal(str)
    """A reply has ended, however; the id of its chat."""
    text_appended = Signal(str, str)
    draft_restored = Signal(str)
    version_refused = Signal(Running)
    """A version of a message, not a new question, was refused before its first word."""
    failed = Signal(str)

    def __init__(
        self,
        worker: Worker,
        store: StoreAccess,
        replies: Replies,
        shown: ShownChat,
        deletions: Deletions,
        drafting: Drafting,
        parent: QObject,
    ) -> None:
        super().__init__(parent)
        self._drafting = drafting
        self._worker = worker
        self._store = store
        self._replies = replies
        self._shown = shown
        self._deletions = deletions
        self._unwritten = Unwritten(store, replies, self)
        self._unwritten.written.connect(self.list_outdated)

    def start(self) -> None:
        """Read the list of chats."""
        self._store.start()
        self.list_outdated.emit()

    def close(self) -> None:
        """Try a last time to write what could not be written."""
        self._unwritten.try_again()

    def on_submitted(self, text: str) -> None:
        """Store the question, and ask the engine for a reply to it."""
        shown = self._shown
        if shown.is_busy or not (text.strip() or self._drafting.attachments):
            return
        shown.wish()
        self._store.begin_turn()
        is_new = shown.chat is None
        files = self._drafting.take()
        chat = shown.chat or new_chat(title_from(text if text.strip() else files[0].name))
        settings = shown.settings
        parent = shown.messages[-1].id if shown.messages else None
        question = replace(new_message(chat.id, parent, "user", text), attachments=files)
        reply = new_reply(chat.id, question.id, self._replies.model, settings)

        self._unwritten.write(chat, settings, (question, reply), is_new=is_new)
        self._drafting.save()
        messages = [*shown.messages, question, reply]
        request, spoken_ids = reply_request(reply, messages, settings)
        self._replies.begin(Running(reply, question, makes_chat=is_new, spoken_ids=spoken_ids))
        shown.add_turn(chat, question, reply)
        self._replies.ask(request)
        shown.catch_up()

    def on_stop_requested(self) -> None:
        """Stop the reply of the shown chat."""
        self._replies.stop(self._shown.chat_id)

    def on_chats_delete_requested(self, chat_ids: Sequence[str]) -> None:
        """Delete chats, with what is being written in them and their sessions."""
        for chat_id in chat_ids:
            self._replies.stop(chat_id)
            self._worker.forget(chat_id)
            self._unwritten.forget(chat_id)
        self._shown.leave(chat_ids)
        self._deletions.delete_chats(chat_ids)

    def on_began(self, begin: ReplyBegin) -> None:
        """Show that the engine has turned to a reply, and whether it begins in a thought."""
        running = self._replies.on_began(begin)
        if running is not None:
            self._shown.update(running.now)

    def on_produced(self, piece: ReplyPiece) -> None:
        """Collect a piece of a reply, and show it where its chat is shown."""
        running = self._replies.add(piece)
        if running is not None and piece.text and self._shown.shows(running):
            self.text_appended.emit(piece.reply_id, piece.text)
        if running is not None and running.thought_moved:
            self._shown.update(running.now)

    def on_ended(self, end: ReplyEnd) -> None:
        """Save a finished reply; a refused question goes back to the composer."""
        running = self._replies.end(end)
        if running is None:
            return
        shown = self._shown.shows(running)
        nothing_came = not running.produced and end.finish_reason in ("failed", "cancelled")
        if running.before is not None and nothing_came:
            self._replies.save(running.before)
            self._shown.update(running.before)
        elif nothing_came and end.finish_reason == "failed" and running.began != "asked":
            self.version_refused.emit(running)
        elif nothing_came and end.finish_reason == "failed" and shown:
            self._take_back(running)
        else:
            self._shown.update(self._replies.finish(running, end))
            self.list_outdated.emit()
        if end.finish_reason != "failed":
            ids = (*running.spoken_ids, running.reply.id)
            self._shown.remember(running.reply.chat_id, ids, end.unseen_messages)
        if shown:
            self._shown.tell_busy()
        if end.error:
            self.failed.emit(end.error)
        self.settled.emit(running.reply.chat_id)

    def _take_back(self, running: Running) -> None:
        """Undo a turn that was refused before its first word, and keep the user's words."""
        chat_id, question, reply = running.reply.chat_id, running.question, running.reply
        assert question is not None
        removes_chat = running.makes_chat
        self._unwritten.forget(chat_id, None if removes_chat else (question.id, reply.id))

        def work(store: Store) -> None:
            if removes_chat:
                store.delete_chat(chat_id)
            else:
                store.delete_message(question.id)

        self._store.run(work, chat_id=chat_id)
        self._shown.wish()  # what is still being read of the chat has the turn
        if removes_chat:
            self._worker.forget(chat_id)
            self._shown.show(None)
        else:
            self._shown.remove((question.id, reply.id))
            self._shown.catch_up()
        self.list_outdated.emit()
        self.draft_restored.emit(question.text)
        self._drafting.give_back(question.attachments)
