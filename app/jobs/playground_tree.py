"""Continuations of one prompt: several of them, and one under each of two settings."""

from __future__ import annotations

import secrets
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal

import numpy as np

from app.jobs.playground import (
    PlayRequest,
    ids_of,
    play_tokens,
    sampling_of,
    schema_of,
)
from engine.conditions import Watch
from ui.playground.state import PlayText, Side

if TYPE_CHECKING:
    from collections.abc import Sequence

    from app.jobs.playground import Desk
    from app.jobs.workbench import Workbench
    from engine.draft import Draft
    from ui.playground.state import PlaySettings, PlayToken

_SEEDS = 1000  # short ones, so that a branch can be drawn again by hand
Way = Literal["draw", "likeliest"]


@dataclass(frozen=True)
class Continuation:
    """What was written after a prompt.

    Attributes:
        tokens: It.
        seed: Of its draws; None where none were made.
        ended: Whether its last token ends the text.
    """

    tokens: tuple[PlayToken, ...]
    seed: int | None
    ended: bool


@dataclass(frozen=True)
class Grown:
    """Some continuations of a prompt, as far as they are written."""

    prompt: PlayText
    continuations: tuple[Continuation, ...]


def grow(
    bench: Workbench, desk: Desk, request: PlayRequest, count: int, length: int, way: Way
) -> Grown:
    """Write several continuations of a text.

    Partial results are `Grown`s, one after each continuation.

    Args:
        bench: The model.
        desk: What was read before; the prompt is read once for all of them.
        request: The prompt and how tokens are drawn.
        count: How many.
        length: The most tokens of each.
        way: "draw" gives each its own seed; "likeliest" begins each with another one of the
            tokens that the sampler leaves, the likeliest first, and draws the rest.

    Raises:
        engine.EngineError: The prompt is empty or does not fit, or a setting cannot be used.
    """
    bench.report(0.0)
    model = bench.model
    ids = ids_of(model, request)
    draft = desk.draft(model)
    watch = Watch(bench.cancelled)
    draft.follow(ids, watch)
    prompt = PlayText(play_tokens(model, ids, draft.told), model.name)
    settings = request.settings
    seed = secrets.randbelow(_SEEDS) if settings.seed is None else settings.seed
    firsts = _firsts(draft, request, count) if way == "likeliest" else [None] * count
    if settings.temperature == 0 and way == "draw":
        firsts = firsts[:1]  # every other one would be the same
    found: list[Continuation] = []
    for number, first in enumerate(firsts):
        own = seed + number if way == "draw" else seed
        begun = ids if first is None else [*ids, first]
        drawn = replace(settings, seed=own)
        asked = replace(request, settings=drawn)
        ended = _write(draft, begun, asked, length + len(ids), watch, ended=first in draft.end_ids)
        tokens = play_tokens(model, draft.tokens, draft.told)[len(ids) :]
        found.append(Continuation(tokens, None if settings.temperature == 0 else own, ended))
        bench.report((number + 1) / len(firsts), Grown(prompt, tuple(found)))
    return Grown(prompt, tuple(found))


def compare(
    bench: Workbench,
    desk: Desk,
    request: PlayRequest,
    sides: Sequence[tuple[str, PlaySettings]],
    length: int,
) -> tuple[Side, ...]:
    """Write one continuation of a text under each of some settings.

    Args:
        bench: The model.
        desk: What was read before.
        request: The prompt; its own settings are not looked at.
        sides: The settings, each with its title.
        length: The most tokens of each.

    Raises:
        engine.EngineError: As for `grow`.
    """
    bench.report(0.0)
    model = bench.model
    ids = ids_of(model, request)
    draft = desk.draft(model)
    watch = Watch(bench.cancelled)
    found: list[Side] = []
    for number, (title, settings) in enumerate(sides):
        asked = replace(request, settings=settings)
        ended = _write(draft, ids, asked, length + len(ids), watch)
        tokens = play_tokens(model, draft.tokens, draft.told)[len(ids) :]
        found.append(Side(title, settings, tokens, ended))
        bench.report((number + 1) / len(sides), tuple(found))
    return tuple(found)


def _firsts(draft: Draft, request: PlayRequest, count: int) -> list[int | None]:
    last = len(draft.tokens) - 1
    schema = schema_of(request.schema)
    stages = draft.stages(last, sampling_of(request.settings), schema, request.schema_start)
    logprobs = stages[-1].logprobs
    best = np.argsort(-logprobs, kind="stable")[:count]
    return [int(token) for token in best if not np.isneginf(logprobs[token])]


def _write(
    draft: Draft,
    ids: Sequence[int],
    request: PlayRequest,
    length: int,
    watch: Watch,
    *,
    ended: bool = False,
) -> bool:
    """Go on from some tokens until there are `length`; True where the text ended before."""
    draft.follow(ids, watch)
    if ended:
        return True
    schema = schema_of(request.schema)
    writer = draft.writer(sampling_of(request.settings), schema, request.schema_start)
    while len(draft.tokens) < length and draft.room:
        watch.check()
        if writer.write() in draft.end_ids or writer.finished:
            return True
    return False
