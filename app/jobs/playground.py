"""What the playground asks of the engine: the text read, what comes next, and text written."""

from __future__ import annotations

import json
import math
import time
import weakref
from dataclasses import asdict, dataclass, replace
from typing import TYPE_CHECKING, Literal

import numpy as np
from PySide6.QtCore import QCoreApplication

import engine
from app.chats.settings import SamplingSettings
from app.jobs import asking
from app.spoken import spoken
from engine.conditions import Watch
from engine.draft import Draft
from engine.generate import piece_of
from engine.pieces import pieces_of, spelled_out
from ui.playground.state import (
    Candidate,
    Distribution,
    PlaySettings,
    PlayText,
    PlayToken,
    StageView,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from app.jobs.workbench import Workbench
    from engine.draft import Told

RunEnd = Literal["stop", "length", "context", "cancelled"]

translate = QCoreApplication.translate

USUAL = PlaySettings()
_LIKELY = 8
_BEYOND = 2
"""How many of the sampler's likeliest tokens are shown besides the model's likeliest."""
_SHOW_EVERY_S = 0.2
_SHOW_WITHIN_S = 2.0
_WRITING_SHARE = 8
"""How many times as long it writes as it tells of what is written, within the two bounds above."""
_BIT = math.log(2)


class Desk:
    """The draft of one document: it stays between jobs and goes with its model.

    Made and handed around anywhere, used on the engine's thread alone.
    """

    def __init__(self) -> None:
        self._draft: Draft | None = None
        self._model: weakref.ref[engine.Model] | None = None

    def draft(self, model: engine.Model) -> Draft:
        """The draft for a model: that of the last job, or an empty one."""
        if self._draft is None or self._model is None or self._model() is not model:
            self._draft = Draft(model)
            # A draft keeps the weights alive, and must not do so while the next model is loaded.
            self._model = weakref.ref(model, self._on_gone)
        return self._draft

    @property
    def is_empty(self) -> bool:
        """Whether no draft is held."""
        return self._draft is None

    def _on_gone(self, gone: weakref.ref[engine.Model]) -> None:
        if gone is self._model:
            self._draft = self._model = None


@dataclass(frozen=True)
class PlayRequest:
    """The text, and what is asked about it.

    Attributes:
        text: It, with control tokens by their names.
        ids: Its exact tokens; where they are empty or another model's, the text is encoded.
        model: The name of the model whose tokens they are.
        cursor: The place of the token after which the next one is looked at; None for the last.
        settings: How tokens are chosen.
        schema: A JSON schema as text; "" for none.
        schema_start: The place of the first token that keeps to it.
    """

    text: str
    ids: tuple[int, ...] = ()
    model: str = ""
    cursor: int | None = None
    settings: PlaySettings = USUAL
    schema: str = ""
    schema_start: int = 0


@dataclass(frozen=True)
class Look:
    """A text that was read.

    Attributes:
        text: Its tokens.
        plain: It as text, with control tokens by their names.
        next: What can come at the cursor; None for an empty text.
        problem: Why there is no `next`, where the settings or the schema are at fault.
        encoded_anew: Whether the ids that were given were not this model's.
        ended: Why a run ended; None where nothing was written.
    """

    text: PlayText
    plain: str
    next: Distribution | None
    problem: str = ""
    encoded_anew: bool = False
    ended: RunEnd | None = None


def look(bench: Workbench, desk: Desk, request: PlayRequest) -> Look:
    """Read a text, and tell what comes at its cursor; what was read before is not read again.

    Raises:
        engine.EngineError: There is no model, or the text does not fit.
    """
    bench.report(0.0)
    model = bench.model
    ids = ids_of(model, request)
    draft = desk.draft(model)
    if ids:
        draft.follow(ids, Watch(bench.cancelled, bench.report))
    found = _look(model, draft, ids, request)
    return replace(found, encoded_anew=bool(request.ids) and tuple(ids) != request.ids)


def weigh(bench: Workbench, desk: Desk, request: PlayRequest) -> Distribution | None:
    """Tell what comes at the cursor of a text that was read; None where it is empty.

    Raises:
        engine.EngineError: As for `look`, or a setting or the schema cannot be used.
    """
    bench.report(0.0)
    model = bench.model
    ids = ids_of(model, request)
    if not ids:
        return None
    draft = desk.draft(model)
    draft.follow(ids, Watch(bench.cancelled, bench.report))
    return distribution(model, draft, request)


def write(bench: Workbench, desk: Desk, request: PlayRequest, most: int) -> Look:
    """Write tokens at the end of the text, as the settings draw them.

    Stopped, it keeps what is written. Partial results are `Look`s.

    Raises:
        engine.EngineError: As for `look`, or a setting or the schema cannot be used.
    """
    bench.report(0.0)
    model = bench.model
    ids = ids_of(model, request)
    draft = desk.draft(model)
    draft.follow(ids, Watch(bench.cancelled))
    writer = draft.writer(
        sampling_of(request.settings), schema_of(request.schema), request.schema_start
    )
    at_end = replace(request, cursor=None)
    ended: RunEnd = "length"
    due = time.perf_counter() + _SHOW_EVERY_S
    for number in range(most):
        if bench.cancelled():
            ended = "cancelled"
            break
        if number and not draft.room:
            ended = "context"
            break
        token = writer.write()
        if token in draft.end_ids or writer.finished:
            ended = "stop"
            break
        now = time.perf_counter()
        if now >= due:
            bench.report(number / most, _look(model, draft, draft.tokens, at_end))
            took = time.perf_counter() - now
            due = now + min(max(_SHOW_EVERY_S, _WRITING_SHARE * took), _SHOW_WITHIN_S)
    return replace(_look(model, draft, draft.tokens, at_end), ended=ended)


def ids_of(model: engine.Model, request: PlayRequest) -> list[int]:
    """The tokens of a request's text in a model: the exact ones where they are its own."""
    size = model.config.vocab_size
    if request.ids and request.model == model.name and max(request.ids) < size:
        return list(request.ids)
    return encode(model, request.text)


def encode(model: engine.Model, text: str) -> list[int]:
    """A text's tokens, control tokens by their names, after the model's begin-of-text token."""
    tokenizer = model.tokenizer
    ids = tokenizer.encode(text, special=True)
    bos = tokenizer.bos_token_id
    return [bos, *ids] if ids and tokenizer.add_bos and bos is not None and ids[0] != bos else ids


def plain_text(model: engine.Model, ids: Sequence[int]) -> str:
    """Tokens as the text that `encode` makes them of again, where they are what it would make."""
    tokenizer = model.tokenizer
    if tokenizer.add_bos and ids and ids[0] == tokenizer.bos_token_id:
        ids = ids[1:]
    return tokenizer.decode(ids, special=True)


def play_tokens(
    model: engine.Model, ids: Sequence[int], told: Sequence[Told | None]
) -> tuple[PlayToken, ...]:
    """Tokens as they are shown, with what the model said of them.

    Where several make one character, the first of them has it and the others have no text.
    """
    control = model.tokenizer.control_ids
    found: list[PlayToken] = []
    for token, text, each in zip(ids, pieces_of(model.tokenizer, ids), told, strict=True):
        if each is None:
            found.append(PlayToken(token, text, token in control))
        else:
            chance = math.exp(each.logprob)
            bits = max(each.entropy, 0.0) / _BIT
            found.append(PlayToken(token, text, token in control, chance, bits, each.rank))
    return tuple(found)


def distribution(model: engine.Model, draft: Draft, request: PlayRequest) -> Distribution:
    """What can come at the cursor, before and after each step of the sampler.

    Raises:
        engine.SettingError: A setting or the schema cannot be used here.
    """
    last = len(draft.tokens) - 1
    position = last if request.cursor is None else min(request.cursor, last)
    stages = draft.stages(
        position, sampling_of(request.settings), schema_of(request.schema), request.schema_start
    )
    before, after = np.exp(stages[0].logprobs), np.exp(stages[-1].logprobs)
    shown = _shown(before, after)
    removed_by = {
        int(token): stage.name
        for stage in stages
        for token in stage.removed[np.isin(stage.removed, shown)]
    }
    control = model.tokenizer.control_ids
    candidates = tuple(
        Candidate(
            token,
            piece_of(model.tokenizer, token),
            token in control,
            float(before[token]),
            float(after[token]),
            removed_by.get(token, ""),
            spelled_out(model.tokenizer, token),
        )
        for token in shown
    )
    views = tuple(
        StageView(
            stage.name,
            len(stage.removed),
            int(np.count_nonzero(~np.isneginf(stage.logprobs))),
            _bits(stage.logprobs),
        )
        for stage in stages
    )
    follows = draft.tokens[position + 1] if position < last else None
    return Distribution(position, candidates, views, before.size, follows)


def sampling_of(settings: PlaySettings) -> engine.Sampling:
    """The engine's sampling for the playground's settings.

    Raises:
        engine.SettingError: A value has no meaning.
    """
    return asking.sampling_of(SamplingSettings(**asdict(settings)))


def schema_of(text: str) -> engine.Schema | None:
    """A JSON schema; None for no text.

    Raises:
        engine.SettingError: The text is no JSON object.
    """
    if not text.strip():
        return None
    try:
        schema = json.loads(text)
    except ValueError as error:
        sentence = translate("Playground", "The schema is not JSON: {reason}.")
        raise engine.SettingError(sentence.format(reason=error)) from None
    except RecursionError:
        sentence = translate("Playground", "The schema is nested too deeply.")
        raise engine.SettingError(sentence) from None
    if not isinstance(schema, dict):
        sentence = translate("Playground", "The schema is no JSON object; begin with {0}.")
        raise engine.SettingError(sentence.format("{"))
    return schema  # pyright: ignore[reportUnknownVariableType]  whatever JSON holds


def _look(model: engine.Model, draft: Draft, ids: Sequence[int], request: PlayRequest) -> Look:
    told = draft.told if ids else ()
    text = PlayText(play_tokens(model, ids, told), model.name)
    plain = plain_text(model, ids)
    if not ids:
        return Look(text, plain, None)
    try:
        return Look(text, plain, distribution(model, draft, request))
    except engine.SettingError as error:  # the text is there all the same
        return Look(text, plain, None, spoken(error))


def _shown(before: NDArray[np.float32], after: NDArray[np.float32]) -> list[int]:
    """The tokens worth a bar, the model's likeliest first."""
    chosen = dict.fromkeys([*_largest(before, _LIKELY), *_largest(after, _BEYOND)])
    return sorted(chosen, key=lambda token: (-float(before[token]), token))


def _largest(values: NDArray[np.float32], count: int) -> list[int]:
    count = min(count, values.size)
    best = np.argpartition(-values, count - 1)[:count]
    return [int(token) for token in best if values[token] > 0]


def _bits(logprobs: NDArray[np.float32]) -> float:
    present = logprobs[~np.isneginf(logprobs)].astype(np.float64)
    return max(float(-(np.exp(present) * present).sum()) / _BIT, 0.0)
