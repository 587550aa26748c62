"""The replies that are being written: what was asked, what has come of each, when it is saved."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Literal

from PySide6.QtCore import QObject, QTimer, Signal

from app.chats.model import Figures, Message, State
from app.requests import ReplyRequest
from app.thoughts import ThoughtMeter
from app.views import conversation

if TYPE_CHECKING:
    from collections.abc import Sequence

    from app.chats.settings import ChatSettings
    from app.requests import LoadedModel, ReplyBegin, ReplyEnd, ReplyPiece
    from app.store_access import StoreAccess
    from app.worker import Worker
    from ui.state import Queued

SAVE_EVERY_MS = 400

Began = Literal["asked", "edited", "regenerated", "continued"]

_STATES: dict[str, State] = {
    "stop": "complete",
    "length": "complete",
    "cancelled": "stopped",
    "failed": "failed",
}


@dataclass
class Running:
    """A reply that is being written.

    Attributes:
        reply: As it was when it began.
        question: What it answers; None where that was deleted.
        began: How it came about.
        before: A reply that goes on, as it was before.
        pieces: Its text; what it began with comes first.
        token_ids: All of its tokens; none where they are not known from its beginning on.
        produced: Whether anything has come yet.
        makes_chat: Whether its chat begins with it.
        queued: What it waits for before the engine turns to it.
        thought: Follows what the model thinks; None until the engine has turned to it.
        spoken_ids: The messages that the request begins its own with; empty for a system prompt.
    """

    reply: Message
    question: Message | None
    began: Began = "asked"
    before: Message | None = None
    pieces: list[str] = field(default_factory=list[str])
    token_ids: list[int] = field(default_factory=list[int])
    keeps_ids: bool = True
    produced: bool = False
    makes_chat: bool = False
    spoken_ids: tuple[str, ...] = ()
    unsaved: bool = False
    queued: Queued = ""
    thought: ThoughtMeter | None = None
    thought_moved: bool = False

    @property
    def now(self) -> Message:
        """The reply as far as it has come."""
        return replace(
            self.reply,
            text="".join(self.pieces),
            token_ids=tuple(self.token_ids),
            figures=self.with_thought(self.reply.figures),
        )

    def with_thought(self, figures: Figures | None) -> Figures | None:
        """Figures with those of the thought, where there is one."""
        thought = self.thought
        if thought is None or not (thought.opened or thought.tokens or thought.took_s):
            return figures
        return replace(
            figures or Figures(),
            thought_open=thought.opened,
            thought_s=thought.took_s,
            thought_tokens=thought.tokens,
        )


class Replies(QObject):
    """Asks the engine, collects what it writes and saves it at least twice a second.

    Attributes:
        model: The name of the model that writes the next reply; empty before one was loaded.
        logprobs: How many alternatives the tokens of the next reply are to come with.
    """

    model_wanted = Signal(str)
    """The source of a model that is to be loaded before the reply which is asked for now."""
    asked = Signal()
    """The engine is asked for a reply, new or again."""

    def __init__(self, worker: Worker, store: StoreAccess, parent: QObject) -> None:
        super().__init__(parent)
        self.model = ""
        self.logprobs = 0
        self._model_is_there = False
        self._source = ""
        self._worker = worker
        self._store = store
        self._running: dict[str, Running] = {}
        self._unsaved: dict[str, Message] = {}
        self._cached: dict[str, tuple[str, ...]] = {}
        self._timer = QTimer(self)
        self._timer.setInterval(SAVE_EVERY_MS)
        self._timer.timeout.connect(self.on_save_timeout)

    def on_model_loaded(self, model: LoadedModel) -> None:
        """Remember whose replies come next."""
        self.model = model.name
        self._source = model.source
        self._model_is_there = True

    def on_model_loading(self, source: str) -> None:
        """Remember what comes, so that it is not asked for again."""
        self._source = source

    def on_model_left(self) -> None:
        """Replies wait: another model is being loaded, or there is none."""
        self._model_is_there = False
        self._source = ""

    def queued(self, reply_id: str) -> Queued:
        """What a reply waits for; empty for one that is being written, or is over."""
        running = self._running.get(reply_id)
        return "" if running is None else running.queued

    def on_began(self, begin: ReplyBegin) -> Running | None:
        """Follow the thoughts of a reply that the engine has turned to; return it."""
        running = self._running.get(begin.reply_id)
        if running is not None:
            running.queued = ""
            running.thought = ThoughtMeter(
                opened=begin.thought_open,
                begun="".join(running.pieces),
                earlier=None if running.before is None else running.before.figures,
            )
            running.unsaved = running.unsaved or begin.thought_open
        return running

    def begin(self, running: Running) -> None:
        """Wait for what the engine writes of a reply."""
        others = self._model_is_there and bool(self._running)
        running.queued = "reply" if others else "model"
        self._running[running.reply.id] = running
        self._timer.start()

    def ask(self, request: ReplyRequest) -> None:
        """Ask the engine for a reply that has begun, of the model that it is to come from."""
        self.asked.emit()
        running = self._running.get(request.reply_id)
        if running is not None:
            self._cached[request.chat_id] = (*running.spoken_ids, request.reply_id)
        settings = None if running is None else running.reply.settings
        wanted = None if settings is None else settings.model
        if wanted and wanted != self._source:
            self._source = wanted
            self.model_wanted.emit(wanted)
        private = self._store.is_private(request.chat_id)
        asked = replace(request, private=private, source=wanted or "", logprobs=self.logprobs)
        self._worker.reply(asked)

    @property
    def is_busy(self) -> bool:
        """Whether a reply is being written, or waits, in any chat."""
        return bool(self._running)

    def cached_ids(self, chat_id: str) -> tuple[str, ...]:
        """The branch whose cache a chat has, as spoken messages; empty where none was asked on."""
        return self._cached.get(chat_id, ())

    def stop(self, chat_id: str) -> None:
        """Stop what is being written in a chat."""
        for running in self.of_chat(chat_id):
            self._worker.stop_reply(running.reply.id)

    def of_chat(self, chat_id: str) -> tuple[Running, ...]:
        """Return what is being written in a chat."""
        return tuple(each for each in self._running.values() if each.reply.chat_id == chat_id)

    def newest(self, message: Message) -> Message:
        """Return the message with what has been written since it was saved."""
        running = self._running.get(message.id)
        return self._unsaved.get(message.id, message) if running is None else running.now

    def add(self, piece: ReplyPiece) -> Running | None:
        """Collect a piece; return its reply, None for one that nobody waits for."""
        running = self._running.get(piece.reply_id)
        if running is None:
            return None
        thought = running.thought
        running.thought_moved = thought is not None and thought.add(
            piece.text, is_token=piece.token is not None
        )
        running.pieces.append(piece.text)
        if piece.token is not None and running.keeps_ids:
            running.token_ids.append(piece.token)
        running.produced = running.unsaved = True
        return running

    def end(self, end: ReplyEnd) -> Running | None:
        """Stop waiting for a reply; return it, None for one that nobody waited for."""
        running = self._running.pop(end.reply_id, None)
        if not self._running:
            self._timer.stop()
        return running

    def finish(self, running: Running, end: ReplyEnd) -> Message:
        """Save a reply that is over, and return it as it is now."""
        earlier = None if running.before is None else running.before.figures
        finished = replace(
            running.now,
            state=_STATES[end.finish_reason],
            model=self.model or running.reply.model,
            figures=running.with_thought(
                Figures(
                    prompt_tokens=end.prompt_tokens,
                    reused_tokens=end.reused_tokens,
                    tokens=end.tokens + (earlier.tokens if earlier is not None else 0),
                    ttft_s=end.ttft_s,
                    prefill_tps=end.prefill_tps,
                    decode_tps=end.decode_tps,
                    finish_reason=end.finish_reason,
                )
            ),
        )
        self.save(finished)
        return finished

    def save(self, reply: Message) -> None:
        """Save a reply; until that is done, a chat that is read may hold it as it was, or not."""
        if reply.state != "streaming":
            self._unsaved[reply.id] = reply

        def on_saved(saved: bool) -> None:  # noqa: FBT001 - the store's result
            if saved and self._unsaved.get(reply.id) is reply:
                del self._unsaved[reply.id]

        self._store.save_reply(reply, on_saved)

    def on_save_timeout(self) -> None:
        """Save what the running replies have grown to."""
        for running in self._running.values():
            if running.unsaved:
                running.unsaved = False
                self.save(running.now)


def reply_request(
    reply: Message, messages: Sequence[Message], settings: ChatSettings
) -> tuple[ReplyRequest, tuple[str, ...]]:
    """Return the request for a reply to messages, with the chat's system prompt before them.

    Returns:
        The request, and for each of its messages the id of the stored one that it begins with.
    """
    spoken, ids = spoken_messages(messages, settings)
    request = ReplyRequest(
        reply.id,
        reply.chat_id,
        spoken,
        sampling=settings.sampling,
        limits=settings.reply,
        context=settings.context,
    )
    return request, ids


def going_on(request: ReplyRequest, text: str, token_ids: tuple[int, ...]) -> ReplyRequest:
    """Return the request for the rest of a reply.

    Args:
        request: For the reply.
        text: What it says already.
        token_ids: Exactly that; none where they are not known.
    """
    spoken = [*request.messages, {"role": "assistant", "content": text}]
    return replace(request, messages=spoken, continues=True, written=token_ids)


def spoken_messages(
    messages: Sequence[Message], settings: ChatSettings
) -> tuple[list[dict[str, str]], tuple[str, ...]]:
    """Return messages as the model hears them, with the chat's system prompt before them.

    Returns:
        The messages, and for each the id of the stored one that it begins with.
    """
    spoken, ids = conversation(messages)
    if settings.system_prompt:
        spoken.insert(0, {"role": "system", "content": settings.system_prompt})
        ids.insert(0, "")
    return spoken, tuple(ids)


def request_up_to(
    message: Message, messages: Sequence[Message], settings: ChatSettings
) -> ReplyRequest:
    """Return the request whose prompt is a branch up to one of its messages, that one included.

    A reply stands in it as what was written, under the settings that it was written with; a
    question as what is to be answered.

    Args:
        message: The last one.
        messages: The branch that it is on.
        settings: The chat's, for messages that have none of their own.
    """
    place = next(n for n, each in enumerate(messages) if each.id == message.id)
    settings = message.settings or settings
    if message.role != "assistant":
        return reply_request(message, messages[: place + 1], settings)[0]
    request, _ = reply_request(message, messages[:place], settings)
    return going_on(request, message.text, message.token_ids)
