"""The words and figures of the page of models, made of what the library and the hub know."""

from __future__ import annotations

import time
from dataclasses import asdict
from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication

from app.library.facts import USUAL_TOKENS
from ui import figures
from ui.counts import Counts
from ui.models.values import (
    CardState,
    CardView,
    FitPart,
    FitView,
    Verdict,
    WorkView,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from app.library.facts import ModelFacts
    from app.library.fitting import Fit
    from app.library.hub_card import Card
    from app.library.settings import Benchmark
    from app.library.survey import Survey, Surveyed


_DAY_S = 86_400
_LONGEST_PLACE = 500

translate = QCoreApplication.translate


def model_card(
    one: Surveyed,
    *,
    state: CardState = "",
    share: float | None = None,
    problem: str = "",
    note: str = "",
    work: WorkView | None = None,
    undeletable: str = "",
) -> CardView:
    """The card of a model.

    Args:
        one: What is known of it.
        state: What becomes of it.
        share: How much of it is loaded.
        problem: Why it was not loaded.
        note: What came of the last thing that was done with it.
        work: What is being done with it.
        undeletable: Why it cannot be deleted now.
    """
    facts, notes = one.facts, one.notes
    return CardView(
        source=facts.source,
        name=facts.name,
        facts=facts_line(facts),
        place=place_line(facts),
        used=used_words(notes.last_used, time.time()),
        state=state,
        share=share,
        problem=problem or ("" if state == "downloading" else facts.reason),
        fit=None if one.fit is None else fit_view(one.fit, rotates=_rotates(facts)),
        speeds=speed_lines(notes.benchmark),
        note=note,
        work=work,
        ready=facts.ready,
        convertible=one.convertible,
        undeletable=undeletable,
        settings=asdict(notes.settings) if facts.ready and facts.footprint is not None else None,
        longest=facts.context or USUAL_TOKENS,
    )


def facts_line(facts: ModelFacts) -> str:
    """What its files say, in one line."""
    parts = [facts.family if facts.family != "unknown" else ""]
    if facts.parameters is not None:
        parts.append(parameters_words(facts.parameters))
    parts += [facts.quantization, figures.size(facts.size_bytes)]
    if facts.context is not None:
        parts.append(context_words(facts.context))
    if facts.token_bytes is not None:
        parts.append(token_words(facts.token_bytes))
    parts.append(facts.licence or translate("Models", "no licence named"))
    return " · ".join(part for part in parts if part)


def place_line(facts: ModelFacts) -> str:
    """Where it lies, and whose place that is."""
    kinds = {
        "starter": translate("Models", "comes with Cutaway"),
        "own": translate("Models", "Cutaway's folder"),
        "hub": translate("Models", "Hugging Face cache"),
        "lm-studio": translate("Models", "LM Studio"),
        "added": translate("Models", "added by you"),
    }
    kind = kinds[facts.origin]
    path = facts.root if facts.origin == "hub" else facts.path
    return kind if facts.origin == "starter" else f"{kind} · {path}"[:_LONGEST_PLACE]


def parameters_words(count: int) -> str:
    """A number of weights: "135 million", "7.2 billion"."""
    if count >= 1_000_000_000:
        billions = figures.decimal(count / 1e9, 1 if count < 100e9 else 0)
        return translate("Models", "{0} billion parameters").format(billions)
    millions = figures.decimal(count / 1e6, 0 if count >= 10e6 else 2)
    return translate("Models", "{0} million parameters").format(millions)


def context_words(tokens: int) -> str:
    """How long a context it is trained for."""
    return translate("Models", "{0} tokens context").format(figures.count(tokens))


def token_words(byte_count: int) -> str:
    """What a token takes in the KV cache."""
    return translate("Models", "{0} KV per token").format(figures.size(byte_count))


def used_words(last_used: float | None, now: float) -> str:
    """When it was last used."""
    if last_used is None:
        return translate("Models", "never used")
    days = int((now - last_used) // _DAY_S)
    if days <= 0:
        return translate("Models", "used within a day")
    return Counts().days_ago(days)


def fit_view(fit: Fit, *, rotates: bool = True) -> FitView:
    """The bar and the sentence of a fit."""
    parts = (
        (translate("Models", "weights"), fit.weights_bytes),
        (translate("Models", "KV cache"), fit.cache_bytes),
        (translate("Models", "prefill"), fit.prefill_bytes),
    )
    sentence = _fit_sentence(fit.verdict, fit.needed_bytes, fit.limit_bytes, fit.tokens)
    if fit.verdict == "too big":
        sentence = f"{sentence} {_fitting_sentence(fit.fitting_tokens, rotates=rotates)}".strip()
    return _bar(fit.verdict, sentence, parts, fit.limit_bytes)


def remote_fit(card: Card, limit: int | None) -> FitView | None:
    """Whether a model that is not here yet fits, by its config and the sizes of its files.

    Args:
        card: What the hub tells of it.
        limit: What there is for models; None where nobody knows.

    Returns:
        None where nothing of it can be fetched.
    """
    from app.library.fitting import model_fit  # the engine is imported with it

    fit = model_fit(card.footprint, limit)
    if fit is not None and card.footprint is not None:
        return fit_view(fit, rotates=card.footprint.rotates)
    if not card.size_bytes:
        return None
    is_too_big = limit is not None and card.size_bytes > limit
    if is_too_big:
        sentence = translate("Models", "Too big: its files alone are {0}, and there are {1}.")
    else:
        sentence = translate("Models", "Its files are {0}; what it takes is known once it is here.")
    parts = ((translate("Models", "weights"), card.size_bytes),)
    words = sentence.format(figures.size(card.size_bytes), figures.size(limit or 0))
    return _bar("too big" if is_too_big else "unknown", words, parts, limit)


def speed_lines(benchmark: Benchmark | None) -> tuple[str, ...]:
    """What was measured of a model, a line for each length."""
    if benchmark is None:
        return ()
    line = translate("Models", "{context} tokens: prefill {prefill}, decode {decode} tokens/s")
    return tuple(
        line.format(
            context=figures.count(row.context),
            prefill=figures.speed(row.prefill_tps),
            decode=figures.speed(row.decode_tps),
        )
        for row in benchmark.rows
    )


def summary_line(survey: Survey | None, *, complete: bool) -> str:
    """All models in a sentence."""
    if survey is None:
        return translate("Models", "Looking for models…")
    size = figures.size(sum(one.facts.size_bytes for one in survey.models))
    count = Counts().models(len(survey.models))
    words = [count, size]
    if survey.limit_bytes is not None:
        room = figures.size(survey.limit_bytes)
        words.append(translate("Models", "{0} of memory to use").format(room))
    if not complete:
        words.append(translate("Models", "still looking…"))
    return " · ".join(words)


def _rotates(facts: ModelFacts) -> bool:
    return facts.footprint is not None and facts.footprint.rotates


def _fit_sentence(verdict: Verdict, needed: int, limit: int | None, tokens: int) -> str:
    words = {
        "comfortable": translate(
            "Models", "Comfortable: {needed} of {limit} with {tokens} tokens."
        ),
        "tight": translate("Models", "Tight: {needed} of {limit} with {tokens} tokens."),
        "too big": translate(
            "Models", "Too big: {needed} with {tokens} tokens, and there are {limit}."
        ),
        "unknown": translate("Models", "Takes {needed} with {tokens} tokens."),
    }
    return words[verdict].format(
        needed=figures.size(needed),
        limit=figures.size(limit or 0),
        tokens=figures.count(tokens),
    )


def _fitting_sentence(tokens: int | None, *, rotates: bool) -> str:
    if tokens is None or tokens <= 0:
        return translate("Models", "Its weights alone leave no room.")
    if rotates:
        sentence = translate("Models", "It would fit with a window of {0} tokens.")
    else:
        sentence = translate("Models", "It would fit up to {0} tokens.")
    return sentence.format(figures.count(tokens))


def _bar(
    verdict: Verdict, sentence: str, parts: Sequence[tuple[str, int]], limit: int | None
) -> FitView:
    """As long as the memory, or as what is needed where that is more."""
    needed = sum(size for _, size in parts)
    whole = max(needed, limit or 0, 1)
    return FitView(
        verdict=verdict,
        sentence=sentence,
        parts=tuple(FitPart(name, figures.size(size), size / whole) for name, size in parts),
        limit=None if limit is None else limit / whole,
    )
