"""What is done to a message that is already there: each of these makes or shows another branch.

Asking again, editing, continuing, moving between versions, forking, deleting.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from app.chats.model import Message, OpenChat, new_reply
from app.replies import Began, Running, going_on, reply_request

if TYPE_CHECKING:
    from collections.abc import Callable

    from app.chats.settings import ChatSettings
    from app.chats.store import Store
    from app.deletions import Deletions
    from app.replies import Replies
    from app.requests import ReplyRequest
    from app.shown import ShownChat
    from app.store_access import StoreAccess


class Versions(QObject):
    """Adds versions to the shown chat's tree of messages, and moves between them."""

    list_outdated = Signal()
    draft_restored = Signal(str)

    def __init__(
        self,
        store: StoreAccess,
        replies: Replies,
        shown: ShownChat,
        deletions: Deletions,
        parent: QObject,
    ) -> None:
        super().__init__(parent)
        self._store = store
        self._replies = replies
        self._shown = shown
        self._deletions = deletions

    def on_edited(self, message_id: str, text: str) -> None:
        """Add a version of a question, and ask again."""
        model, settings = self._replies.model, self._shown.settings

        def work(store: Store) -> Message:
            question = store.branches.edit(message_id, text)
            reply = new_reply(question.chat_id, question.id, model, settings)
            store.add_message(reply)
            return reply

        if text.strip():
            self._replies.stop(self._shown.chat_id)
            self._write("edited", work, failed=lambda: self.draft_restored.emit(text))

    def on_message_action(self, action: str, message_id: str) -> None:
        """Do what the user chose for a message of the shown chat: a `ui.state.MessageAction`."""
        message = self._shown.message(message_id)
        if message is None:
            return
        actions: dict[str, Callable[[], None]] = {
            "regenerate": lambda: self._regenerate(message_id),
            "continue": lambda: self._continue(message),
            "fork": lambda: self._fork(message_id),
            "delete": lambda: self._delete(message, below=False),
            "delete_below": lambda: self._delete(message, below=True),
            "previous": lambda: self._step(message_id, -1),
            "next": lambda: self._step(message_id, 1),
        }
        if action in actions:
            actions[action]()

    def on_branched(self, reply_id: str, text: str, token_ids: tuple[int, ...]) -> None:
        """Add a version of a reply that begins in a given way, and have it gone on with.

        Args:
            reply_id: A reply of the shown chat.
            text: The beginning.
            token_ids: Its exact tokens, of the model that is loaded.
        """
        old = self._shown.message(reply_id)
        if old is None or self._shown.is_busy:
            return
        model, settings = self._replies.model, self._shown.settings
        begun = replace(old, model=model, state="stopped", figures=None)
        self._write(
            "regenerated",
            lambda store: store.branches.regenerate(
                reply_id, model, settings, text=text, token_ids=token_ids
            ),
            begun,
        )

    def on_version_refused(self, running: Running) -> None:
        """Undo a version that was refused before its first word; the one before is shown again."""
        chat_id, question, reply = running.reply.chat_id, running.question, running.reply
        edited = question if running.began == "edited" else None
        removed = reply if edited is None else edited

        def work(store: Store) -> OpenChat | None:
            store.trash.delete_branch(removed.id)
            return store.open_chat(chat_id)

        if self._shown.shows(running):
            self._shown.open(chat_id, work)
            if edited is not None:
                self.draft_restored.emit(edited.text)
        else:
            self._store.run(work, chat_id=chat_id)

    def regenerate_with(self, reply_id: str, settings: ChatSettings) -> None:
        """Write a reply of the shown chat again with other settings; the chat keeps its own."""
        if self._shown.message(reply_id) is not None:
            self._regenerate(reply_id, settings)

    def _regenerate(self, reply_id: str, other: ChatSettings | None = None) -> None:
        model, settings = self._replies.model, other or self._shown.settings
        self._replies.stop(self._shown.chat_id)
        self._write(
            "regenerated", lambda store: store.branches.regenerate(reply_id, model, settings)
        )

    def _continue(self, old: Message) -> None:
        if not self._shown.is_busy:
            self._write("continued", lambda store: store.branches.continue_reply(old.id), old)

    def _fork(self, message_id: str) -> None:
        chat_id, wish = self._shown.chat_id, self._shown.wish()
        private = self._store.is_private(chat_id)

        def work(store: Store) -> OpenChat | None:
            return store.open_chat(store.branches.fork(message_id).id)

        def show(opened: OpenChat | None) -> None:
            if opened is not None and private:
                self._store.keep_private(opened.chat.id)
            if self._shown.is_wished(wish):
                self._shown.adopt(opened, at_end=False)
            self.list_outdated.emit()

        self._store.run(work, show, chat_id, self._shown.catch_up)

    def _delete(self, message: Message, *, below: bool) -> None:
        running = {each.reply.id for each in self._replies.of_chat(message.chat_id)}
        if below or message.id in running:
            self._replies.stop(self._shown.chat_id)
        if below:
            self._deletions.delete_branch(message.chat_id, message.id)
        else:
            self._deletions.delete_message(message.chat_id, message.id)

    def _step(self, message_id: str, by: int) -> None:
        version = self._shown.version(message_id)
        if version is None or not 0 <= version.index + by < len(version.ids):
            return
        wanted = version.ids[version.index + by]
        chat_id = self._shown.chat_id

        def work(store: Store) -> OpenChat | None:
            store.branches.show(wanted)
            return store.open_chat(chat_id)

        self._shown.open(chat_id, work)

    def _write(
        self,
        began: Began,
        work: Callable[[Store], Message],
        old: Message | None = None,
        failed: Callable[[], None] | None = None,
    ) -> None:
        """Have a reply added to the tree, show its branch, and ask the engine for it.

        Args:
            began: How the reply comes about.
            work: Adds the reply, on the store's thread.
            old: The reply that goes on, as it was before.
            failed: What comes where the store cannot add it.
        """
        wish = self._shown.wish()
        self._store.begin_turn()

        def add(store: Store) -> tuple[Message, OpenChat | None]:
            reply = work(store)
            return reply, store.open_chat(reply.chat_id)

        def begin(result: tuple[Message, OpenChat | None]) -> None:
            reply, opened = result
            if opened is None:
                return
            question = opened.messages[-2] if len(opened.messages) > 1 else None
            messages = [self._replies.newest(each) for each in opened.messages[:-1]]
            settings = reply.settings or opened.settings
            request, spoken_ids = reply_request(reply, messages, settings)
            running = Running(reply, question, began, spoken_ids=spoken_ids)
            if old is not None:
                request = self._go_on(running, old, request)
            self._replies.begin(running)
            if self._shown.is_wished(wish):
                self._shown.adopt(opened, at_end=True)
            self._replies.ask(request)
            self.list_outdated.emit()

        def fail() -> None:
            self._shown.catch_up()
            if failed is not None:
                failed()

        self._store.run(add, begin, self._shown.chat_id, fail)

    def _go_on(self, running: Running, old: Message, request: ReplyRequest) -> ReplyRequest:
        """Begin a reply with what it already says; return the request for the rest of it."""
        reply = running.reply
        same = old.model == self._replies.model
        written = reply.token_ids if same else ()
        running.before = replace(reply, state=old.state, figures=old.figures)
        running.pieces.append(reply.text)
        running.keeps_ids = bool(written)
        running.token_ids += written
        return going_on(request, reply.text, written)
