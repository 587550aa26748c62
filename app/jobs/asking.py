"""What a chat's messages and settings mean for the model: prompt, sampling, policy, counts."""

from __future__ import annotations

import json
import math
from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication

import engine
from app.requests import Count, ReplyPiece
from app.spoken import spoken
from engine.generate import piece_of
from engine.need import STEP
from engine.pieces import spelled_out
from ui.state import AlternativeView, TokenView

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from app.chats.settings import ContextSettings, ReplySettings, SamplingSettings
    from app.requests import CountRequest, ReplyRequest

_BEGINNING = 64

translate = QCoreApplication.translate


def sampling_of(values: SamplingSettings) -> engine.Sampling:
    """The engine's sampling for what was set.

    Raises:
        engine.SettingError: A value has no meaning.
    """
    return engine.Sampling(
        temperature=values.temperature,
        top_k=values.top_k,
        top_p=values.top_p,
        min_p=values.min_p,
        repetition_penalty=values.repetition_penalty,
        repetition_context=values.repetition_context,
        frequency_penalty=values.frequency_penalty,
        presence_penalty=values.presence_penalty,
        dry_multiplier=values.dry_multiplier,
        dry_base=values.dry_base,
        dry_allowed_length=values.dry_allowed_length,
        dry_range=values.dry_range,
        xtc_probability=values.xtc_probability,
        xtc_threshold=values.xtc_threshold,
        logit_bias=dict(values.logit_bias),
        banned=values.banned,
        seed=values.seed,
    )


def schema_of(limits: ReplySettings) -> engine.Schema | None:
    """The JSON schema that a reply keeps to, None for none.

    Raises:
        engine.SettingError: The text is no JSON object.
    """
    if not limits.schema.strip():
        return None
    try:
        schema = json.loads(limits.schema)
    except (ValueError, RecursionError):
        schema = None
    if not isinstance(schema, dict):
        sentence = translate("Engine", "The JSON schema in the chat's settings is no JSON object.")
        raise engine.SettingError(sentence)
    return schema  # pyright: ignore[reportUnknownVariableType]  whatever JSON holds


def opens_thought(model: engine.Model, request: ReplyRequest) -> bool:
    """Whether the chat template opens a thought for the reply.

    Raises:
        engine.EngineError: The template refuses the messages.
    """
    return bool(model.markers.thoughts) and model.opened_thought(asked(request)) is not None


def policy_of(
    model: engine.Model, messages: Sequence[Mapping[str, str]], context: ContextSettings
) -> engine.CachePolicy:
    """How a chat's keys and values are held: with the system prompt pinned where they rotate.

    Raises:
        engine.EngineError: The template refuses the messages, or no window fits into memory.
    """
    if context.policy == "all":
        return engine.CachePolicy(bits=context.bits)
    pinned = model.pinned_tokens(_beginning(messages))
    try:
        suits = model.default_window(pinned)
    except engine.SettingError:  # the model cannot rotate, or the system prompt fills it
        return engine.CachePolicy(bits=context.bits)
    wanted = context.window_tokens
    # A window beyond what the model was trained for would only make its words worse.
    window = suits if wanted is None else min(wanted, max(suits, _largest_window(model, pinned)))
    return engine.CachePolicy(window, pinned, context.bits)


def _beginning(messages: Sequence[Mapping[str, str]]) -> Sequence[Mapping[str, str]]:
    """What decides on the system prompt's tokens: it, and how the first question begins.

    That question may hold whole documents, which would be encoded for nothing.
    """
    first = next((i for i, each in enumerate(messages) if each["role"] == "user"), None)
    if first is None:
        return messages
    question = messages[first]
    return [*messages[:first], {**question, "content": question["content"][:_BEGINNING]}]


def prompt_of(model: engine.Model, request: ReplyRequest, held: Sequence[int]) -> list[int]:
    """The tokens to go on from: those of the messages, then what is written of the reply."""
    ids = model.prompt_tokens(asked(request), held=held)
    if not request.continues:
        return ids
    text = request.messages[-1]["content"]
    exact = bool(request.written) and model.tokenizer.decode(request.written) == text
    return [
        *ids,
        *(request.written if exact else model.tokenizer.encode_parts([text], first=False)),
    ]


def asked(request: ReplyRequest) -> Sequence[Mapping[str, str]]:
    """The messages before the reply."""
    return request.messages[:-1] if request.continues else request.messages


def piece(model: engine.Model, reply_id: str, chunk: engine.Chunk) -> ReplyPiece:
    """One step of a reply as it leaves the engine's thread."""
    told = None
    if chunk.token is not None and chunk.logprob is not None:
        ids = [each.token for each in chunk.top]
        text = piece_of(model.tokenizer, chunk.token)
        told = TokenView(
            token=chunk.token,
            text=chunk.text if "�" in text else text,  # a character comes with its last token
            control=chunk.token in model.tokenizer.control_ids,
            probability=math.exp(chunk.logprob),
            entropy=None,
            rank=ids.index(chunk.token) + 1 if chunk.token in ids else None,
            alternatives=alternatives(model, chunk.top, [None] * len(chunk.top)),
        )
    return ReplyPiece(reply_id, chunk.text, chunk.token, told)


def alternatives(
    model: engine.Model, top: Sequence[engine.TokenLogprob], drawn: Sequence[float | None]
) -> tuple[AlternativeView, ...]:
    """The likeliest tokens at one place as they are shown, with what the sampler left of each."""
    return tuple(
        AlternativeView(
            each.token, spelled_out(model.tokenizer, each.token), math.exp(each.logprob), left
        )
        for each, left in zip(top, drawn, strict=True)
    )


def refuse_what_is_not_seen(
    model: engine.Model, session: engine.Session, messages: Sequence[Mapping[str, str]]
) -> None:
    """Earlier messages may leave the window, but the one to be answered must be seen whole.

    Raises:
        engine.PromptError: It would not be.
    """
    last = model.sights(messages, session)[-1]
    count = last.end - last.start
    if last.seen_tokens < count:
        sentence = translate(
            "Engine",
            "This message has {count} tokens and the window has room for {room} of them; shorten "
            "it or send it in parts.",
        )
        room = f"{last.seen_tokens:,}"
        raise engine.PromptError(sentence.format(count=f"{count:,}", room=room))


def unseen(
    model: engine.Model, session: engine.Session, messages: Sequence[Mapping[str, str]]
) -> int:
    """How many messages stand before the first one in the window; 0 where all are in it."""
    if not messages:
        return 0
    try:
        sights = model.sights(messages, session)
    except engine.EngineError:  # the reply stands, whatever a template makes of it
        return 0
    evicted = [number for number, sight in enumerate(sights) if sight.seen == "evicted"]
    return evicted[-1] + 1 if evicted else 0


def count(model: engine.Model, session: engine.Session | None, request: CountRequest) -> Count:
    """Count what a question would make of a chat's prompt.

    Args:
        model: The one that would answer.
        session: The chat's, where it is in memory; it is left as it was found.
        request: The messages and settings.

    Raises:
        engine.EngineError: The template refuses the messages.
    """
    messages = request.messages
    policy = policy_of(model, messages, request.context)
    if session is None or session.policy != policy:
        session = model.session(policy)
    before = messages[: request.answered]
    ids = model.prompt_tokens(messages, held=session.tokens)
    longest = model.config.max_position_embeddings
    limit = longest if policy.window is None else policy.pinned + policy.window
    now = then = 0
    if policy.window is not None and len(ids) > policy.window:
        now = unseen(model, session, before)
        then = unseen(model, session, messages)
    return Count(
        request.count_id,
        tokens=len(ids),
        reused=session.common_prefix(ids) if session.tokens else 0,
        limit=limit,
        rotates=policy.window is not None,
        unseen_messages=now,
        leaving_messages=max(then - now, 0),
        problem=_problem(model, session, messages, len(ids)),
    )


def _problem(
    model: engine.Model,
    session: engine.Session,
    messages: Sequence[Mapping[str, str]],
    tokens: int,
) -> str:
    longest = model.config.max_position_embeddings
    if session.policy.window is None:
        if tokens < longest:
            return ""
        sentence = translate(
            "Engine",
            "The prompt has {tokens} tokens and this model's context holds {longest}, reply "
            "included; shorten it, or let the chat forget its oldest messages.",
        )
        return sentence.format(tokens=f"{tokens:,}", longest=f"{longest:,}")
    if tokens <= session.policy.window:
        return ""
    try:
        refuse_what_is_not_seen(model, session, messages)
    except engine.PromptError as error:
        return spoken(error)
    return ""


def _largest_window(model: engine.Model, pinned: int) -> int:
    """The largest window with which pinned, window and a prefill step stay in the context."""
    limit = model.config.longest_sequence or model.config.max_position_embeddings
    return min(model.config.max_position_embeddings, limit) - pinned - STEP
