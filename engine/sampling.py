"""How the next token is chosen: the settings, the order of the steps, and the draw.

Order: allowed tokens (banned texts, a schema), logit bias, repetition penalty, frequency and
presence penalties, DRY; then top-k, top-p and min-p on the probabilities this gives, XTC,
temperature, and the draw. The filters come before the temperature so that a high one never lets in
a token that they would have removed. A step that is off is not in the graph.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Literal, cast

import mlx.core as mx
import numpy as np
from numpy.typing import NDArray

from engine.filters import (
    add_bias,
    exclude_top_choices,
    keep_allowed,
    keep_min_p,
    keep_top_k,
    keep_top_p,
    log_probabilities,
    penalise,
    penalise_counts,
    penalise_repeats,
    scale,
)
from engine.sampling_settings import Sampling
from engine.token_sets import TokenSets

__all__ = ["Sampler", "Sampling", "Stage", "StageName", "stages"]

StageName = Literal[
    "model",
    "allowed",
    "logit_bias",
    "repetition_penalty",
    "frequency_presence",
    "dry",
    "top_k",
    "top_p",
    "min_p",
    "xtc",
    "temperature",
]


@dataclass(frozen=True)
class _Step:
    """One step: from logits (V,) and the recent tokens (n,) to new logits.

    Attributes:
        name: What it is called.
        apply: Does it.
        chance: How often it is done at all, 0 to 1.
    """

    name: StageName
    apply: Callable[[mx.array, mx.array], mx.array]
    chance: float = 1.0


@dataclass(frozen=True, eq=False)
class Stage:
    """The distribution after one step, evaluated.

    Attributes:
        name: The step; `model` for what the model says.
        logprobs: (V,) float32, natural logarithms; -inf for a removed token.
        removed: Ids of the tokens that this step removed, ascending.
        chance: How often the step is done at all; below 1 only for XTC, which is shown as done.
    """

    name: StageName
    logprobs: NDArray[np.float32]
    removed: NDArray[np.int64]
    chance: float = 1.0


class Sampler:
    """Draws tokens one after the other, with one random key and a memory of recent tokens."""

    def __init__(
        self, sampling: Sampling, seed: int, prompt: Sequence[int], sets: TokenSets | None = None
    ) -> None:
        """Begin.

        Args:
            sampling: How tokens are chosen.
            seed: Of the draws.
            prompt: The tokens before the first that is drawn.
            sets: What the tokenizer adds; nothing where left out.
        """
        self._temperature = sampling.temperature
        self._key = mx.random.key(seed)
        self._adjust = _adjustments(sampling, sets or TokenSets())
        self._cut = _cuts(sampling, sets or TokenSets())
        self._memory = _memory(sampling)
        self._recent = _newest(prompt, self._memory)

    def __call__(self, logits: mx.array, allowed: mx.array | None = None) -> mx.array:
        """Choose the next token.

        Args:
            logits: (V,) of the last position.
            allowed: (V,) bool, the tokens that may come at all.

        Returns:
            The token id, an array of shape (1,); lazy.
        """
        logits = logits.astype(mx.float32)
        if allowed is not None:
            logits = keep_allowed(logits, allowed)
        for step in self._adjust:
            logits = step.apply(logits, self._recent)
        chosen = self._draw(logits)
        if self._memory:
            self._recent = mx.concatenate([self._recent, chosen])[-self._memory :]
        return chosen

    def _draw(self, logits: mx.array) -> mx.array:
        if self._temperature == 0:
            return mx.argmax(logits, keepdims=True)
        for step in self._cut:
            changed = step.apply(logits, self._recent)
            if step.chance < 1:
                struck = mx.random.uniform(key=self._next_key()) < step.chance
                changed = mx.where(struck, changed, logits)
            logits = changed
        return mx.random.categorical(logits, key=self._next_key(), shape=(1,))

    def _next_key(self) -> mx.array:
        self._key, key = mx.random.split(self._key)
        return key


def stages(
    logits: mx.array,
    sampling: Sampling,
    history: Sequence[int],
    sets: TokenSets | None = None,
    allowed: mx.array | None = None,
) -> tuple[Stage, ...]:
    """The distribution of one position before and after each step that is on.

    The same functions in the same order as in a reply.

    Args:
        logits: (V,) of the position, as the model gives them.
        sampling: How tokens are chosen.
        history: All tokens before the position.
        sets: What the tokenizer adds; nothing where left out.
        allowed: (V,) bool, the tokens that may come at all.

    Returns:
        First the model's own distribution, last the one that is drawn from.
    """
    sets = sets or TokenSets()
    recent = _newest(history, _memory(sampling))
    steps = [*_adjustments(sampling, sets), *_cuts(sampling, sets)]
    if allowed is not None:
        steps.insert(0, _Step("allowed", lambda logits, _: keep_allowed(logits, allowed)))
    logits = logits.astype(mx.float32)
    found = [Stage("model", _logprobs(logits), np.array([], np.int64))]
    for step in steps:
        logits = step.apply(logits, recent)
        logprobs = _logprobs(logits)
        removed = np.flatnonzero(np.isneginf(logprobs) & ~np.isneginf(found[-1].logprobs))
        found.append(Stage(step.name, logprobs, removed, step.chance))
    return tuple(found)


def _logprobs(logits: mx.array) -> NDArray[np.float32]:
    return cast("NDArray[np.float32]", np.array(log_probabilities(logits)))


def _newest(tokens: Sequence[int], count: int) -> mx.array:
    return mx.array(list(tokens[-count:]) if count else list[int](), dtype=mx.int32)


def _memory(sampling: Sampling) -> int:
    """How many recent tokens the steps look at."""
    counted = sampling.repetition_context if _penalises(sampling) else 0
    return max(counted, sampling.dry_range if sampling.dry_multiplier > 0 else 0)


def _penalises(sampling: Sampling) -> bool:
    counts = sampling.frequency_penalty != 0 or sampling.presence_penalty != 0
    return counts or sampling.repetition_penalty != 1


def _adjustments(sampling: Sampling, sets: TokenSets) -> list[_Step]:
    """The steps that make single tokens more or less likely."""
    steps: list[_Step] = []
    context = sampling.repetition_context
    if sampling.logit_bias:
        tokens = mx.array(list(sampling.logit_bias), dtype=mx.int32)
        bias = mx.array(list(sampling.logit_bias.values()), dtype=mx.float32)
        steps.append(_Step("logit_bias", lambda logits, _: add_bias(logits, tokens, bias)))
    if sampling.repetition_penalty != 1 and context > 0:
        steps.append(_Step("repetition_penalty", partial(_penalise, sampling)))
    if (sampling.frequency_penalty != 0 or sampling.presence_penalty != 0) and context > 0:
        steps.append(_Step("frequency_presence", partial(_penalise_counts, sampling)))
    if sampling.dry_multiplier > 0:
        steps.append(_Step("dry", partial(_penalise_repeats, sampling, sets.breakers)))
    return steps


def _cuts(sampling: Sampling, sets: TokenSets) -> list[_Step]:
    """The steps that remove tokens, and the temperature."""
    steps: list[_Step] = []
    if sampling.temperature == 0:
        return [_Step("temperature", lambda logits, _: scale(logits, 0))]
    if sampling.top_k > 0:
        steps.append(_Step("top_k", lambda logits, _: keep_top_k(logits, sampling.top_k)))
    if sampling.top_p < 1:
        steps.append(
            _Step(
                "top_p",
                lambda logits, _: keep_top_p(logits, sampling.top_p, sampling.top_k),
            )
        )
    if sampling.min_p > 0:
        steps.append(_Step("min_p", lambda logits, _: keep_min_p(logits, sampling.min_p)))
    if sampling.xtc_probability > 0:
        steps.append(
            _Step(
                "xtc",
                lambda logits, _: exclude_top_choices(logits, sampling.xtc_threshold, sets.spared),
                sampling.xtc_probability,
            )
        )
    if sampling.temperature != 1:
        steps.append(_Step("temperature", lambda logits, _: scale(logits, sampling.temperature)))
    return steps


def _penalise(sampling: Sampling, logits: mx.array, recent: mx.array) -> mx.array:
    recent = recent[-sampling.repetition_context :]
    return penalise(logits, recent, sampling.repetition_penalty)


def _penalise_counts(sampling: Sampling, logits: mx.array, recent: mx.array) -> mx.array:
    return penalise_counts(
        logits,
        recent[-sampling.repetition_context :],
        frequency=sampling.frequency_penalty,
        presence=sampling.presence_penalty,
    )


def _penalise_repeats(
    sampling: Sampling, breakers: mx.array | None, logits: mx.array, recent: mx.array
) -> mx.array:
    return penalise_repeats(
        logits,
        recent[-sampling.dry_range :],
        mx.zeros(logits.shape, dtype=mx.bool_) if breakers is None else breakers,
        multiplier=sampling.dry_multiplier,
        base=sampling.dry_base,
        allowed_length=sampling.dry_allowed_length,
    )
