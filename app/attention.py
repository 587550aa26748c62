"""What the playground's views of attention and layers are answered, with what the engine says."""

from __future__ import annotations

from collections import OrderedDict
from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication, QObject, Signal

from app.errands import LatestErrand
from app.replies import request_up_to
from ui.figures import count
from ui.playground.attention_values import (
    AttentionAsked,
    BlockAsked,
    CacheView,
    LayerAttention,
    LensAsked,
    Need,
    NeighboursAsked,
    ShapeAsked,
    ShareAsked,
    WalkAsked,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from app.chats.model import Message
    from app.errands import Errands
    from app.jobs.attention_message import MessageTokens
    from app.jobs.workbench import Workbench
    from app.shown import ShownChat
    from ui.playground.attention_values import Asked

KEPT_BYTES = 192 << 20
"""What the layers that were looked at lately may take, so that going back to one is at once."""


class KeptLayers:
    """The attention of a few layers, the latest ones; the oldest go when there are too many."""

    def __init__(self, most_bytes: int = KEPT_BYTES) -> None:
        self._most_bytes = most_bytes
        self._kept: OrderedDict[tuple[object, ...], LayerAttention] = OrderedDict()

    @property
    def held_bytes(self) -> int:
        """What they take together."""
        return sum(each.held_bytes for each in self._kept.values())

    def find(self, asked: AttentionAsked) -> LayerAttention | None:
        """What was computed for the same text, layer and cache, where it holds what is asked."""
        key = (asked.ids, asked.layer, asked.cache)
        found = self._kept.get(key)
        if found is None or not found.answers(asked):
            return None
        self._kept.move_to_end(key)
        return found

    def keep(self, found: LayerAttention) -> None:
        """Remember one, and forget the oldest beyond the budget."""
        key = (found.ids, found.layer, found.cache)
        self._kept[key] = found
        self._kept.move_to_end(key)
        while self.held_bytes > self._most_bytes:
            self._kept.popitem(last=False)

    def clear(self) -> None:
        """Forget all: they were another model's."""
        self._kept.clear()


class Attention(QObject):
    """Answers what the views of attention and layers ask; the newest question of a kind wins.

    `found` carries the question with its answer, so that nobody takes one for another's.
    """

    found = Signal(object, object)
    """A question, and its answer: frozen values of `ui.playground.attention_values`."""
    needs = Signal(object, object)
    """A question, and what its answer is going to take (`Need`)."""
    progressed = Signal(object, float)
    refused = Signal(object, str)
    """A question, and why there is no answer; "" where it was cancelled."""
    message_opened = Signal(object)
    """The tokens of a message (`MessageTokens`), to be shown in the playground."""
    cache_changed = Signal(CacheView)
    reply_chosen = Signal(str)
    """A reply whose tokens are to be shown in the inspector."""
    failed = Signal(str)

    def __init__(self, errands: Errands, shown: ShownChat, parent: QObject) -> None:
        super().__init__(parent)
        self._errands = errands
        self._shown = shown
        self._running: dict[type, LatestErrand] = {}
        self._message_errand = LatestErrand(errands)
        self._kept = KeptLayers()
        self.cache = CacheView()
        """What keys and values go through in all views."""

    def on_wanted(self, asked: Asked) -> None:
        """Answer a question; one of the same kind that is under way is dropped."""
        errand = self._running.setdefault(type(asked), LatestErrand(self._errands))
        known = self._kept.find(asked) if isinstance(asked, AttentionAsked) else None
        if known is not None:
            errand.drop()
            self.found.emit(asked, known)
            return

        def then(answer: object) -> None:
            if isinstance(answer, Need):
                self.needs.emit(asked, answer)
                return
            if isinstance(answer, LayerAttention):
                self._kept.keep(answer)
            self.found.emit(asked, answer)

        def progress(share: float, partial: object) -> None:
            if isinstance(partial, Need):
                self.needs.emit(asked, partial)
            self.progressed.emit(asked, share)

        errand.run(
            job_for(asked),
            then,
            lambda sentence: self.refused.emit(asked, sentence),
            progress=progress,
            cancelled=lambda: self.refused.emit(asked, ""),
        )

    def on_cancelled(self, kinds: tuple[type, ...]) -> None:
        """Stop what is under way of some kinds of questions."""
        for kind in kinds:
            if kind in self._running:
                self._running[kind].stop()

    def set_cache(self, cache: CacheView) -> None:
        """Let keys and values go through another cache, in all views."""
        self.cache = cache
        self.cache_changed.emit(cache)

    def on_model_changed(self) -> None:
        """Forget what another model said."""
        self._kept.clear()
        for errand in self._running.values():
            errand.drop()

    def on_message_action(self, action: str, message_id: str) -> None:
        """Look into a message of the shown chat: at its tokens, or at attention and layers."""
        if action == "tokens":
            self.reply_chosen.emit(message_id)
        if action != "attention":
            return
        message = next((each for each in self._shown.messages if each.id == message_id), None)
        if message is not None:
            self._open(message)

    def _open(self, message: Message) -> None:
        request = request_up_to(message, self._shown.messages, self._shown.settings)

        def job(bench: Workbench) -> MessageTokens:
            from app.jobs.attention_message import message_tokens

            return message_tokens(bench, request)

        self._message_errand.run(job, self.message_opened.emit, self.failed.emit)


def part_sentence(tokens: MessageTokens) -> str:
    """Which of a message's tokens are shown; "" where these are all."""
    translate = QCoreApplication.translate
    shown = len(tokens.text.tokens)
    if shown == tokens.count:
        return ""
    if not tokens.first:
        template = translate(
            "Attention", "The last {last} of {count} tokens are shown, read on their own."
        )
    else:
        template = translate(
            "Attention",
            "The {first} pinned and the last {last} of {count} tokens are shown, read on their "
            "own.",
        )
    return template.format(
        first=count(tokens.first), last=count(shown - tokens.first), count=count(tokens.count)
    )


def job_for(asked: Asked) -> Callable[[Workbench], object]:
    """What the engine's thread does to answer a question; it alone imports the engine."""

    def job(bench: Workbench) -> object:
        from app.jobs import attention, attention_layers

        jobs: dict[type, Callable[..., object]] = {
            ShapeAsked: attention.shape_of,
            AttentionAsked: attention.attention_of,
            WalkAsked: attention.walk_of,
            LensAsked: attention_layers.lens_of,
            ShareAsked: attention_layers.share_of,
            BlockAsked: attention_layers.block_of,
            NeighboursAsked: attention_layers.neighbours_of,
        }
        return jobs[type(asked)](bench, asked)

    return job
