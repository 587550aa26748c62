"""The chat controller: what the user does becomes stored messages and requests to the engine.

It lives on the main thread, knows neither widgets nor MLX, and never waits: the store and the
engine have threads of their own and answer through signals.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from app.chats.model import (
    Chat,
    Message,
    OpenChat,
    Version,
    new_chat,
    new_message,
    new_reply,
    title_from,
)
from app.chats.settings import ChatSettings, ContextSettings
from app.later import Later
from app.replies import Began, Replies, Running
from app.views import conversation, message_view
from app.worker import LoadedModel, ReplyEnd, ReplyPiece, ReplyRequest, Worker
from ui.state import MessageView

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from app.chats.store import Store
    from app.chats.thread import StoreThread
    from app.deletions import Deletions

_NEW = ChatSettings(context=ContextSettings(policy="window"))
"""A chat begins with a context that rotates, so that it never ends by itself."""


class ChatController(QObject):
    """Holds the shown chat and the replies that are being written, in this chat or another."""

    chat_shown = Signal(list, str)
    messages_changed = Signal(list, bool)
    """The shown chat has other messages now, and whether its end is to be seen."""
    message_wanted = Signal(str)
    current_changed = Signal(str)
    list_outdated = Signal()
    title_changed = Signal(str)
    message_added = Signal(MessageView)
    text_appended = Signal(str, str)
    message_updated = Signal(MessageView)
    busy_changed = Signal(bool)
    policy_changed = Signal(str)
    memory_changed = Signal(str)
    """The first message that the model still sees; empty where it sees all, or that is unknown."""
    draft_restored = Signal(str)
    failed = Signal(str)

    def __init__(
        self, worker: Worker, store: StoreThread, deletions: Deletions, parent: QObject
    ) -> None:
        super().__init__(parent)
        self._worker = worker
        self._store = store
        self._deletions = deletions
        self._later = Later(self._on_store_error, self)
        self._replies = Replies(store, self._later, self)
        self._chat: Chat | None = None
        self._settings = _NEW
        self._messages: list[Message] = []
        self._versions: dict[str, Version] = {}
        self._memory: dict[str, str] = {}
        self._wishes = 0
        self._said = ""
        self._model_name = ""

    def start(self) -> None:
        """Read the list of chats."""
        self._later.deliver(self._store.opened)
        self.list_outdated.emit()

    def on_submitted(self, text: str) -> None:
        """Store the question, and ask the engine for a reply to it."""
        if not text.strip() or self._is_busy():
            return
        self._wishes += 1
        self._said = ""
        chat = self._chat
        is_new = chat is None
        if chat is None:
            chat = self._chat = new_chat(title_from(text))
        settings = self._settings
        parent = self._messages[-1].id if self._messages else None
        question = new_message(chat.id, parent, "user", text)
        reply = new_reply(chat.id, question.id, self._model_name, settings)

        def work(store: Store) -> None:
            if is_new:
                store.create_chat(chat, settings)
            store.add_message(question)
            store.add_message(reply)

        self._later.deliver(self._store.submit(work))
        self._tell_current()
        self._messages += [question, reply]
        request, spoken_ids = _request(reply, self._messages, settings)
        self._replies.begin(Running(reply, question, makes_chat=is_new, spoken_ids=spoken_ids))
        self.title_changed.emit(chat.title)
        self.message_added.emit(self._view(question))
        self.message_added.emit(self._view(reply))
        self.busy_changed.emit(True)
        self._worker.reply(request)

    def on_edited(self, message_id: str, text: str) -> None:
        """Add a version of a question, and ask again."""
        model, settings = self._model_name, self._settings

        def work(store: Store) -> Message:
            question = store.branches.edit(message_id, text)
            reply = new_reply(question.chat_id, question.id, model, settings)
            store.add_message(reply)
            return reply

        if text.strip():
            self._stop_all()
            self._write("edited", work)

    def on_message_action(self, action: str, message_id: str) -> None:
        """Do what the user chose for a message of the shown chat: a `ui.state.MessageAction`."""
        message = next((each for each in self._messages if each.id == message_id), None)
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
        actions[action]()

    def on_stop_requested(self) -> None:
        """Stop the reply of the shown chat."""
        self._stop_all()

    def on_new_chat_requested(self) -> None:
        """Show an empty chat; it is stored with its first question."""
        self._wishes += 1
        self._show(None)

    def on_chat_selected(self, chat_id: str) -> None:
        """Show a stored chat, unless something else is wished before it has been read."""
        if self._chat is not None and self._chat.id == chat_id:
            self._wishes += 1
            return
        self._open(lambda store: store.open_chat(chat_id))

    def on_hit_chosen(self, chat_id: str, message_id: str) -> None:
        """Show the branch that a message is on, and the message; the chat for an empty id."""

        def work(store: Store) -> OpenChat | None:
            if message_id:
                store.branches.show(message_id)
            return store.open_chat(chat_id)

        self._open(work, lambda: self.message_wanted.emit(message_id))

    def on_chats_delete_requested(self, chat_ids: Sequence[str]) -> None:
        """Delete chats, with what is being written in them and their sessions."""
        for chat_id in chat_ids:
            self._stop_all(chat_id)
            self._worker.forget(chat_id)
        self._deletions.delete_chats(chat_ids)

    def on_trash_changed(self, chat_ids: Sequence[str]) -> None:
        """Read the shown chat again where something of it was deleted or brought back."""
        self.list_outdated.emit()
        if self._chat is not None and (chat_id := self._chat.id) in chat_ids:
            self._open(lambda store: store.open_chat(chat_id))

    def on_policy_chosen(self, policy: str) -> None:
        """Choose for the shown chat what happens when its context is full.

        Args:
            policy: "window" forgets the oldest messages, "all" ends the reply.
        """
        kept = "window" if policy == "window" else "all"
        settings = replace(self._settings, context=replace(self._settings.context, policy=kept))
        self._settings = settings
        if self._chat is not None:
            chat_id = self._chat.id
            self._later.deliver(
                self._store.submit(lambda store: store.set_settings(chat_id, settings))
            )
        self.policy_changed.emit(kept)

    def on_renamed(self, chat_id: str, title: str) -> None:
        """Show the new title of the shown chat."""
        if self._chat is not None and self._chat.id == chat_id:
            self._chat = replace(self._chat, title=title)
            self.title_changed.emit(title)

    def on_model_loaded(self, model: LoadedModel) -> None:
        """Remember whose replies come next."""
        self._model_name = model.name

    def on_produced(self, piece: ReplyPiece) -> None:
        """Collect a piece of a reply, and show it where its chat is shown."""
        running = self._replies.add(piece)
        if running is not None and piece.text and self._shows(running):
            self.text_appended.emit(piece.reply_id, piece.text)

    def on_ended(self, end: ReplyEnd) -> None:
        """Save a finished reply; a refused question goes back to the composer."""
        running = self._replies.end(end)
        if running is None:
            return
        shown = self._shows(running)
        nothing_came = not running.produced and end.finish_reason in ("failed", "cancelled")
        if running.before is not None and nothing_came:
            self._replies.save(running.before)
            self._update(running.before)
        elif nothing_came and end.finish_reason == "failed" and running.began != "asked":
            self._take_version_back(running)
        elif nothing_came and end.finish_reason == "failed" and shown:
            self._take_back(running)
        else:
            self._update(self._replies.finish(running, end, self._model_name))
            self.list_outdated.emit()
        if end.finish_reason != "failed":
            self._remember(running, end.unseen_messages)
        if shown:
            self.busy_changed.emit(self._is_busy())
        if end.error:
            self.failed.emit(end.error)

    def _remember(self, running: Running, unseen: int) -> None:
        """Note where the model's memory of a chat begins now."""
        ids = (*running.spoken_ids, running.reply.id)
        chat_id = running.reply.chat_id
        self._memory[chat_id] = ids[min(unseen, len(ids) - 1)] if unseen else ""
        if self._shows(running):
            self.memory_changed.emit(self._memory[chat_id])

    def _regenerate(self, reply_id: str) -> None:
        model, settings = self._model_name, self._settings
        self._stop_all()
        self._write(
            "regenerated", lambda store: store.branches.regenerate(reply_id, model, settings)
        )

    def _continue(self, old: Message) -> None:
        if not self._is_busy():
            self._write("continued", lambda store: store.branches.continue_reply(old.id), old)

    def _fork(self, message_id: str) -> None:
        def work(store: Store) -> OpenChat | None:
            return store.open_chat(store.branches.fork(message_id).id)

        self._open(work, self.list_outdated.emit)

    def _delete(self, message: Message, *, below: bool) -> None:
        running = {each.reply.id for each in self._replies.of_chat(message.chat_id)}
        if below or message.id in running:
            self._stop_all()
        if below:
            self._deletions.delete_branch(message.chat_id, message.id)
        else:
            self._deletions.delete_message(message.chat_id, message.id)

    def _step(self, message_id: str, by: int) -> None:
        version = self._versions.get(message_id)
        if version is None or not 0 <= version.index + by < len(version.ids):
            return
        wanted = version.ids[version.index + by]
        chat_id = self._chat.id if self._chat is not None else ""

        def work(store: Store) -> OpenChat | None:
            store.branches.show(wanted)
            return store.open_chat(chat_id)

        self._open(work)

    def _write(
        self, began: Began, work: Callable[[Store], Message], old: Message | None = None
    ) -> None:
        """Have a reply added to the tree, show its branch, and ask the engine for it."""
        self._wishes += 1
        self._said = ""
        wish = self._wishes

        def add(store: Store) -> tuple[Message, OpenChat | None]:
            reply = work(store)
            return reply, store.open_chat(reply.chat_id)

        def begin(result: tuple[Message, OpenChat | None]) -> None:
            reply, opened = result
            if opened is None:
                return
            question = opened.messages[-2] if len(opened.messages) > 1 else None
            messages = [self._replies.newest(each) for each in opened.messages[:-1]]
            request, spoken_ids = _request(reply, messages, opened.settings)
            running = Running(reply, question, began, spoken_ids=spoken_ids)
            if old is not None:
                same = old.model == self._model_name
                running.before = replace(reply, state=old.state, figures=old.figures)
                running.pieces.append(reply.text)
                running.keeps_ids = same and bool(reply.token_ids)
                running.token_ids += reply.token_ids if same else ()
                spoken = [*request.messages, {"role": "assistant", "content": reply.text}]
                written = reply.token_ids if same else ()
                request = replace(request, messages=spoken, continues=True, written=written)
            self._replies.begin(running)
            if wish == self._wishes:
                self._adopt(opened, at_end=True)
            self._worker.reply(request)
            self.list_outdated.emit()

        self._later.deliver(self._store.submit(add), begin)

    def _open(
        self,
        work: Callable[[Store], OpenChat | None],
        then: Callable[[], None] | None = None,
    ) -> None:
        """Show what is read, unless something else is wished before that is done."""
        self._wishes += 1
        wish = self._wishes

        def show(opened: OpenChat | None) -> None:
            if wish == self._wishes:
                self._adopt(opened, at_end=False)
                if then is not None:
                    then()

        self._later.deliver(self._store.submit(work), show)

    def _adopt(self, opened: OpenChat | None, *, at_end: bool) -> None:
        if opened is None or self._chat is None or opened.chat.id != self._chat.id:
            self._show(opened)
            return
        self._take(opened)
        self.messages_changed.emit([self._view(each) for each in self._messages], at_end)
        self._tell_settings()
        self.busy_changed.emit(self._is_busy())

    def _show(self, opened: OpenChat | None) -> None:
        """Show another chat, or an empty one."""
        self._chat = None
        self._messages = []
        self._versions = {}
        self._settings = _NEW
        if opened is not None:
            self._take(opened)
        title = "" if opened is None else opened.chat.title
        self.chat_shown.emit([self._view(each) for each in self._messages], title)
        self._tell_settings()
        self.busy_changed.emit(self._is_busy())
        self._worker.measure("" if opened is None else opened.chat.id)
        self._tell_current()

    def _tell_settings(self) -> None:
        self.policy_changed.emit(self._settings.context.policy)
        self.memory_changed.emit("" if self._chat is None else self._memory.get(self._chat.id, ""))

    def _take(self, opened: OpenChat) -> None:
        self._chat = opened.chat
        self._settings = opened.settings
        self._messages = [self._replies.newest(message) for message in opened.messages]
        self._versions = opened.versions

    def _take_back(self, running: Running) -> None:
        """Undo a turn that was refused before its first word, and keep the user's words."""
        chat_id, question, reply = running.reply.chat_id, running.question, running.reply
        assert question is not None
        removes_chat = running.makes_chat

        def work(store: Store) -> None:
            if removes_chat:
                store.delete_chat(chat_id)
            else:
                store.delete_message(question.id)

        self._later.deliver(self._store.submit(work))
        kept = [m for m in self._messages if m.id not in (question.id, reply.id)]
        if removes_chat:
            self._worker.forget(chat_id)
            self._show(None)
        else:
            self._messages = kept
            self.messages_changed.emit([self._view(each) for each in kept], True)
        self.list_outdated.emit()
        self.draft_restored.emit(question.text)

    def _take_version_back(self, running: Running) -> None:
        """Undo a version that was refused before its first word; the one before is shown again."""
        chat_id, question, reply = running.reply.chat_id, running.question, running.reply
        edited = question if running.began == "edited" else None
        removed = reply if edited is None else edited

        def work(store: Store) -> OpenChat | None:
            store.trash.delete_branch(removed.id)
            return store.open_chat(chat_id)

        if self._shows(running):
            self._open(work)
            if edited is not None:
                self.draft_restored.emit(edited.text)
        else:
            self._later.deliver(self._store.submit(work))

    def _update(self, reply: Message) -> None:
        """Show a reply as it is now, where it is shown."""
        for number, message in enumerate(self._messages):
            if message.id == reply.id:
                self._messages[number] = reply
                self.message_updated.emit(self._view(reply))

    def _view(self, message: Message) -> MessageView:
        return message_view(message, self._versions.get(message.id))

    def _shows(self, running: Running) -> bool:
        return self._chat is not None and self._chat.id == running.reply.chat_id

    def _is_busy(self) -> bool:
        return self._chat is not None and bool(self._replies.of_chat(self._chat.id))

    def _stop_all(self, chat_id: str = "") -> None:
        """Stop what is being written in a chat, the shown one where none is named."""
        shown = "" if self._chat is None else self._chat.id
        for running in self._replies.of_chat(chat_id or shown):
            self._worker.stop_reply(running.reply.id)

    def _tell_current(self) -> None:
        self.current_changed.emit("" if self._chat is None else self._chat.id)
        self.list_outdated.emit()

    def _on_store_error(self, error: Exception) -> None:
        """Say what is wrong with the store, once a turn: every save fails in the same way."""
        sentence = str(error)
        if sentence != self._said:
            self._said = sentence
            self.failed.emit(sentence)


def _request(
    reply: Message, messages: Sequence[Message], settings: ChatSettings
) -> tuple[ReplyRequest, tuple[str, ...]]:
    """Ask for a reply to messages, with the chat's system prompt before them.

    Returns:
        The request, and for each of its messages the id of the stored one that it begins with.
    """
    spoken, ids = conversation(messages)
    if settings.system_prompt:
        spoken.insert(0, {"role": "system", "content": settings.system_prompt})
        ids.insert(0, "")
    rotates = settings.context.policy == "window"
    return ReplyRequest(reply.id, reply.chat_id, spoken, rotates=rotates), tuple(ids)
