"""The replies that are being written: what has come of each, and when it is saved."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Literal

from PySide6.QtCore import QObject, QTimer

from app.chats.model import Figures, Message, State

if TYPE_CHECKING:
    from app.chats.thread import StoreThread
    from app.later import Later
    from app.worker import ReplyEnd, ReplyPiece

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

    @property
    def now(self) -> Message:
        """The reply as far as it has come."""
        return replace(self.reply, text="".join(self.pieces), token_ids=tuple(self.token_ids))


class Replies(QObject):
    """Collects what the engine writes and saves it at least twice a second."""

    def __init__(self, store: StoreThread, later: Later, parent: QObject) -> None:
        super().__init__(parent)
        self._store = store
        self._later = later
        self._running: dict[str, Running] = {}
        self._unsaved: dict[str, Message] = {}
        self._timer = QTimer(self)
        self._timer.setInterval(SAVE_EVERY_MS)
        self._timer.timeout.connect(self.on_save_timeout)

    def begin(self, running: Running) -> None:
        """Wait for what the engine writes of a reply."""
        self._running[running.reply.id] = running
        self._timer.start()

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

    def finish(self, running: Running, end: ReplyEnd, model: str) -> Message:
        """Save a reply that is over, and return it as it is now."""
        earlier = None if running.before is None else running.before.figures
        finished = replace(
            running.now,
            state=_STATES[end.finish_reason],
            model=model or running.reply.model,
            figures=Figures(
                prompt_tokens=end.prompt_tokens,
                reused_tokens=end.reused_tokens,
                tokens=end.tokens + (earlier.tokens if earlier is not None else 0),
                ttft_s=end.ttft_s,
                prefill_tps=end.prefill_tps,
                decode_tps=end.decode_tps,
                finish_reason=end.finish_reason,
            ),
        )
        self.save(finished)
        return finished

    def save(self, reply: Message) -> None:
        """Save a reply; until that is done, a chat that is read may hold it as it was."""
        if reply.state != "streaming":
            self._unsaved[reply.id] = reply

        def on_saved(_: bool) -> None:  # noqa: FBT001 - the store's result
            if self._unsaved.get(reply.id) is reply:
                del self._unsaved[reply.id]

        saved = self._store.save_reply(
            reply.id, reply.text, reply.state, reply.token_ids, reply.figures, reply.model
        )
        self._later.deliver(saved, on_saved)

    def on_save_timeout(self) -> None:
        """Save what the running replies have grown to."""
        for running in self._running.values():
            if running.unsaved:
                running.unsaved = False
                self.save(running.now)
