"""What the inspector asks of the engine: the text in a cache, its layers, a reply's tokens."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication

import engine
from app.jobs.asking import alternatives, asked, policy_of, prompt_of, sampling_of
from engine.conditions import Watch
from engine.generate import piece_of
from engine.pieces import pieces_of
from ui.state import LayerView, TokensView, TokenView

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from app.jobs.workbench import Workbench
    from app.requests import ReplyRequest

_ALTERNATIVES = 10

translate = QCoreApplication.translate


@dataclass(frozen=True)
class HeldText:
    """What a session holds, as text.

    Attributes:
        pieces: The text of each token.
        ends: For each message, one past its last token.
    """

    pieces: tuple[str, ...]
    ends: tuple[int, ...]

    def message_at(self, position: int) -> int | None:
        """The number of the message that a token belongs to; None for one after the last."""
        return next((n for n, end in enumerate(self.ends) if position < end), None)


def held_text(bench: Workbench, chat_id: str, messages: Sequence[Mapping[str, str]]) -> HeldText:
    """The text of every token that a chat's session holds, and where each message ends."""
    session = bench.session(chat_id)
    if session is None:
        return HeldText((), ())
    model = bench.model
    try:
        ends = tuple(sight.end for sight in model.sights(messages, session))
    except (
        engine.EngineError
    ):  # a template that refuses what was said; the text is there all the same
        ends = ()
    return HeldText(tuple(pieces_of(model.tokenizer, session.tokens)), ends)


def layers_of(bench: Workbench, chat_id: str) -> tuple[LayerView, ...]:
    """What each layer of a chat's cache takes; nothing where the chat has none in memory."""
    session = bench.session(chat_id)
    if session is None:
        return ()
    return tuple(
        LayerView(layer.tokens, layer.used_bytes, layer.allocated_bytes)
        for layer in session.layers()
    )


def reply_tokens(bench: Workbench, request: ReplyRequest) -> TokensView:
    """Read a reply once more and tell how likely each of its tokens was.

    Args:
        bench: The model; it need not be the one that wrote the reply.
        request: As for going on with the reply: the messages, the reply's text the last of them.

    Raises:
        engine.EngineError: The reply does not fit, or the template refuses the messages.
    """
    model = bench.model
    before = asked(request)
    session = bench.session(request.chat_id)
    held = [] if session is None else session.tokens
    start = len(model.prompt_tokens(before, held=held))
    ids = prompt_of(model, request, held)
    if len(ids) == start:
        raise engine.PromptError(translate("Inspector", "This reply has no tokens yet."))
    score = engine.score(
        model,
        ids,
        start,
        min(_ALTERNATIVES, model.config.vocab_size),
        sampling=sampling_of(request.sampling),
        policy=policy_of(model, before, request.context),
        watch=Watch(bench.cancelled, bench.report),
    )
    texts = pieces_of(model.tokenizer, [token.token for token in score.tokens])
    told = zip(score.tokens, texts, strict=True)
    tokens = tuple(_token_view(model, token, text) for token, text in told)
    return TokensView(request.reply_id, model.name, tokens, score.mean_nll)


@dataclass(frozen=True)
class Beginning:
    """A reply's first tokens, with another one in the last place: their ids and their text."""

    token_ids: tuple[int, ...]
    text: str


def beginning(bench: Workbench, token_ids: Sequence[int]) -> Beginning:
    """The text with which a reply goes on from another token.

    Raises:
        engine.PromptError: The token ends a reply, so that nothing can come after it.
    """
    model = bench.model
    if token_ids[-1] in model.end_ids:
        sentence = translate(
            "Inspector",
            "{token} ends the reply, so nothing would come after it; choose another token.",
        )
        raise engine.PromptError(
            sentence.format(token=repr(piece_of(model.tokenizer, token_ids[-1])))
        )
    return Beginning(tuple(token_ids), model.tokenizer.decode(token_ids))


def _token_view(model: engine.Model, token: engine.ScoredToken, text: str) -> TokenView:
    return TokenView(
        token=token.token,
        text=text,
        control=token.token in model.tokenizer.control_ids,
        probability=math.exp(token.logprob),
        entropy=token.entropy / math.log(2),
        rank=token.rank,
        alternatives=alternatives(model, token.top, token.drawn),
    )
