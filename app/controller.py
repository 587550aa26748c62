"""The chat controller: what the user does becomes stored messages and requests to the engine.

It lives on the main thread, knows neither widgets nor MLX, and never waits: the store and the
engine have threads of their own and answer through signals.
"""

from dataclasses import dataclass, field, replace
from datetime import datetime

from PySide6.QtCore import QObject, QTimer, Signal

from app.chats.model import (
    Chat,
    ChatSummary,
    Figures,
    Message,
    State,
    new_chat,
    new_message,
    new_reply,
    title_from,
)
from app.chats.store import Store
from app.chats.thread import StoreThread
from app.later import Later
from app.text import seconds_text, speed_text
from app.worker import LoadedModel, ReplyEnd, ReplyPiece, ReplyRequest, Worker
from ui.state import ChatRow, MessageView

SAVE_EVERY_MS = 400

_STATES: dict[str, State] = {
    "stop": "complete",
    "length": "complete",
    "cancelled": "stopped",
    "failed": "failed",
}


@dataclass
class _Running:
    """A reply that is being written, and the question it answers."""

    reply: Message
    question: Message
    pieces: list[str] = field(default_factory=list[str])
    token_ids: list[int] = field(default_factory=list[int])
    unsaved: bool = False

    @property
    def text(self) -> str:
        return "".join(self.pieces)


class ChatController(QObject):
    """Holds the shown chat and the replies that are being written, in this chat or another."""

    chats_changed = Signal(list, str)
    chat_shown = Signal(list, str)
    title_changed = Signal(str)
    message_added = Signal(MessageView)
    text_appended = Signal(str, str)
    message_updated = Signal(MessageView)
    busy_changed = Signal(bool)
    draft_restored = Signal(str)
    failed = Signal(str)

    def __init__(self, worker: Worker, store: StoreThread, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._worker = worker
        self._store = store
        self._later = Later(self._on_store_error, self)
        self._chat: Chat | None = None
        self._messages: list[Message] = []
        self._rows: list[ChatRow] = []
        self._running: dict[str, _Running] = {}
        self._unsaved: dict[str, Message] = {}
        self._wishes = 0
        self._said = ""
        self._model_name = ""
        self._save_timer = QTimer(self)
        self._save_timer.setInterval(SAVE_EVERY_MS)
        self._save_timer.timeout.connect(self.on_save_timeout)

    def start(self) -> None:
        """Read the list of chats."""
        self._later.deliver(self._store.opened)
        self._refresh_chats()

    def on_submitted(self, text: str) -> None:
        """Store the question, and ask the engine for a reply to it."""
        if not text.strip() or self._current_running() is not None:
            return
        self._wishes += 1
        self._said = ""
        chat = self._chat
        is_new = chat is None
        if chat is None:
            chat = self._chat = new_chat(title_from(text))
        parent = self._messages[-1].id if self._messages else None
        question = new_message(chat.id, parent, "user", text)
        reply = new_reply(chat.id, question.id, self._model_name)

        def work(store: Store) -> None:
            if is_new:
                store.create_chat(chat)
            store.add_message(question)
            store.add_message(reply)

        self._later.deliver(self._store.submit(work))
        self._refresh_chats()
        self._messages += [question, reply]
        self._running[reply.id] = _Running(reply, question)
        self.title_changed.emit(chat.title)
        self.message_added.emit(_view(question))
        self.message_added.emit(_view(reply))
        self.busy_changed.emit(True)
        self._save_timer.start()
        self._worker.reply(ReplyRequest(reply.id, chat.id, _conversation(self._messages)))

    def on_stop_requested(self) -> None:
        """Stop the reply of the shown chat."""
        if (running := self._current_running()) is not None:
            self._worker.stop_reply(running.reply.id)

    def on_new_chat_requested(self) -> None:
        """Show an empty chat; it is stored with its first question."""
        self._wishes += 1
        self._show(None, [])

    def on_chat_selected(self, chat_id: str) -> None:
        """Show a stored chat, unless something else is wished before it has been read."""
        self._wishes += 1
        wish = self._wishes
        if self._chat is not None and self._chat.id == chat_id:
            return

        def work(store: Store) -> tuple[Chat | None, tuple[Message, ...]]:
            found = [summary.chat for summary in store.chats() if summary.chat.id == chat_id]
            return (found[0] if found else None), store.branch(chat_id)

        def show(result: tuple[Chat | None, tuple[Message, ...]]) -> None:
            if wish == self._wishes:
                self._show(result[0], list(result[1]))

        self._later.deliver(self._store.submit(work), show)

    def on_model_loaded(self, model: LoadedModel) -> None:
        """Remember whose replies come next."""
        self._model_name = model.name

    def on_produced(self, piece: ReplyPiece) -> None:
        """Collect a piece of a reply, and show it where its chat is shown."""
        running = self._running.get(piece.reply_id)
        if running is None:
            return
        running.pieces.append(piece.text)
        if piece.token is not None:
            running.token_ids.append(piece.token)
        running.unsaved = True
        if piece.text and self._shows(running):
            self.text_appended.emit(piece.reply_id, piece.text)

    def on_ended(self, end: ReplyEnd) -> None:
        """Save a finished reply; a refused question goes back to the composer."""
        running = self._running.pop(end.reply_id, None)
        if running is None:
            return
        if not self._running:
            self._save_timer.stop()
        if end.finish_reason == "failed" and not running.pieces and self._shows(running):
            self._take_back(running, end.error)
            return
        figures = Figures(
            prompt_tokens=end.prompt_tokens,
            reused_tokens=end.reused_tokens,
            tokens=end.tokens,
            ttft_s=end.ttft_s,
            prefill_tps=end.prefill_tps,
            decode_tps=end.decode_tps,
            finish_reason=end.finish_reason,
        )
        finished = replace(
            running.reply,
            text=running.text,
            state=_STATES[end.finish_reason],
            model=self._model_name or running.reply.model,
            token_ids=tuple(running.token_ids),
            figures=figures,
        )
        # Until it is saved, a chat that is being read may still hold it as it was.
        self._unsaved[finished.id] = finished
        self._save(finished)
        self._refresh_chats()
        if self._shows(running):
            self._messages = [
                finished if message.id == finished.id else message for message in self._messages
            ]
            self.message_updated.emit(_view(finished))
            self.busy_changed.emit(False)
        if end.error:
            self.failed.emit(end.error)

    def on_save_timeout(self) -> None:
        """Save what the running replies have grown to."""
        for running in self._running.values():
            if running.unsaved:
                running.unsaved = False
                self._save(
                    replace(running.reply, text=running.text, token_ids=tuple(running.token_ids))
                )

    def _save(self, reply: Message) -> None:
        def on_saved(_: bool) -> None:  # noqa: FBT001 - the store's result
            if reply.state != "streaming":
                self._unsaved.pop(reply.id, None)

        saved = self._store.save_reply(
            reply.id, reply.text, reply.state, reply.token_ids, reply.figures, reply.model
        )
        self._later.deliver(saved, on_saved)

    def _take_back(self, running: _Running, error: str) -> None:
        """Undo a turn that was refused before its first word, and keep the user's words."""
        chat_id, question, reply = running.reply.chat_id, running.question, running.reply
        removes_chat = question.parent_id is None

        def work(store: Store) -> None:
            if removes_chat:
                store.delete_chat(chat_id)
            else:
                store.delete_message(question.id)

        self._later.deliver(self._store.submit(work))
        if removes_chat:
            self._worker.forget(chat_id)
        kept = [m for m in self._messages if m.id not in (question.id, reply.id)]
        self._show(None if removes_chat else self._chat, kept)
        self.draft_restored.emit(question.text)
        self.failed.emit(error)

    def _show(self, chat: Chat | None, messages: list[Message]) -> None:
        self._chat = chat
        self._messages = [self._newest(message) for message in messages]
        self.chat_shown.emit(
            [_view(message) for message in self._messages], chat.title if chat else ""
        )
        self.busy_changed.emit(self._current_running() is not None)
        self._worker.measure("" if chat is None else chat.id)
        # Marked at once: a click on the row that is still marked would choose nothing.
        self._show_rows()
        self._refresh_chats()

    def _newest(self, message: Message) -> Message:
        """The message, with what has been written since it was saved."""
        running = self._running.get(message.id)
        if running is not None:
            return replace(running.reply, text=running.text)
        return self._unsaved.get(message.id, message)

    def _shows(self, running: _Running) -> bool:
        return self._chat is not None and self._chat.id == running.reply.chat_id

    def _current_running(self) -> _Running | None:
        return next((entry for entry in self._running.values() if self._shows(entry)), None)

    def _refresh_chats(self) -> None:
        self._later.deliver(self._store.submit(Store.chats), self._on_chats)

    def _on_chats(self, summaries: tuple[ChatSummary, ...]) -> None:
        self._rows = [
            ChatRow(
                id=summary.chat.id,
                title=summary.chat.title,
                preview=summary.preview,
                day=datetime.fromtimestamp(summary.chat.updated_at).astimezone().date(),
            )
            for summary in summaries
        ]
        self._show_rows()

    def _show_rows(self) -> None:
        self.chats_changed.emit(self._rows, "" if self._chat is None else self._chat.id)

    def _on_store_error(self, error: Exception) -> None:
        """Say what is wrong with the store, once a turn: every save fails in the same way."""
        sentence = str(error)
        if sentence != self._said:
            self._said = sentence
            self.failed.emit(sentence)


def _conversation(messages: list[Message]) -> list[dict[str, str]]:
    """Messages as a chat template takes them, without empty replies.

    Questions that follow each other, because a reply was stopped before its first word, become
    one: many templates refuse them otherwise.
    """
    conversation: list[dict[str, str]] = []
    for message in messages:
        if not message.text and message.role == "assistant":
            continue
        if conversation and conversation[-1]["role"] == message.role:
            conversation[-1]["content"] += f"\n\n{message.text}"
        else:
            conversation.append({"role": message.role, "content": message.text})
    return conversation


def _view(message: Message) -> MessageView:
    return MessageView(
        id=message.id,
        role="assistant" if message.role == "assistant" else "user",
        text=message.text,
        state=message.state,
        caption=_caption(message),
    )


def _caption(message: Message) -> str:
    figures = message.figures
    if message.role != "assistant" or figures is None:
        return ""
    parts = [message.model or ""]
    if figures.decode_tps is not None:
        parts.append(speed_text(figures.decode_tps))
    if figures.ttft_s is not None:
        parts.append(f"{seconds_text(figures.ttft_s)} to first token")
    return " · ".join(part for part in parts if part)
