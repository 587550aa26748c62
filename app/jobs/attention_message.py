"""A message of a chat as the exact tokens of its prompt and reply, at most as many as are shown."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from app.jobs.asking import asked, policy_of, prompt_of
from app.jobs.playground import play_tokens
from engine.errors import EngineError
from ui.playground.attention_values import MOST_TOKENS, CacheView
from ui.playground.state import PlayText

if TYPE_CHECKING:
    from collections.abc import Sequence

    from app.jobs.workbench import Workbench
    from app.requests import ReplyRequest


@dataclass(frozen=True)
class MessageTokens:
    """A part of a chat, ready to be looked at.

    Attributes:
        text: The tokens that are shown, at most `MOST_TOKENS`.
        first: How many of them are the first of the whole.
        count: How many tokens the whole has.
        cache: How the chat holds keys and values.
    """

    text: PlayText
    first: int
    count: int
    cache: CacheView


def message_tokens(bench: Workbench, request: ReplyRequest) -> MessageTokens:
    """The tokens of a chat up to a message, as the model has read or written them.

    Of more than are shown the latest stay, and with a rotating cache the pinned ones, which are
    all that the last token sees where the window is shorter.

    Args:
        bench: The model; it need not be the one that wrote the reply.
        request: As for going on with the message, or for answering it.

    Raises:
        engine.EngineError: The template refuses the messages.
    """
    model = bench.model
    session = bench.session(request.chat_id)
    ids = prompt_of(model, request, () if session is None else session.tokens)
    try:
        policy = policy_of(model, asked(request), request.context)
        cache = CacheView(policy.window, policy.pinned, policy.bits)
    except EngineError:  # the text can be looked at all the same
        cache = CacheView()
    part, first = shown_part(ids, cache)
    tokens = play_tokens(model, part, (None,) * len(part))
    return MessageTokens(PlayText(tokens, model.name), first, len(ids), cache)


def shown_part(
    ids: Sequence[int], cache: CacheView, most: int = MOST_TOKENS
) -> tuple[tuple[int, ...], int]:
    """The pinned and the latest of too many tokens, the pinned ones at most half.

    Returns:
        The tokens, and how many of them are the first of the whole.
    """
    if len(ids) <= most:
        return tuple(ids), len(ids)
    first = min(cache.pinned, most // 2) if cache.window is not None else 0
    return (*ids[:first], *ids[len(ids) - (most - first) :]), first
