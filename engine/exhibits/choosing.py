"""Exhibit 12: choosing the next token: the distribution before and after, and draws from it."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from engine.cache import CachePolicy
from engine.errors import PromptError
from engine.exhibits.common import (
    Claim,
    Exhibit,
    How,
    Inputs,
    Note,
    Watch,
    how,
    number,
    text,
    whole,
)
from engine.exhibits.draws import Draws, draw, draw_claims, summed, total_variation
from engine.exhibits.scoring import alone, fill
from engine.limits import Limiter
from engine.model import Model
from engine.sampling import Sampler, Sampling, Stage

_ROUNDING = 2.0**-24  # of one sum in single precision
_CHUNK = 128


@dataclass(frozen=True)
class ChoosingInputs(Inputs):
    """What can be set."""

    prompt: str = text("The weather today is", "the text whose next token is chosen")
    temperature: float = number(0.8, 0.0, 5.0, "divides the logits; 0 takes the most likely token")
    top_k: int = whole(0, 0, 1000, "only the k most likely tokens; 0 is off")
    top_p: float = number(0.9, 0.0, 1.0, "the fewest tokens whose probabilities reach p; 1 is off")
    min_p: float = number(0.05, 0.0, 1.0, "tokens at least so likely as the first, times; 0 is off")
    seed: int = whole(1, 0, 1 << 31, "of the draws")
    samples: int = whole(100, 1, 10_000, "how many tokens are drawn")
    shown: int = whole(20, 1, 200, "how many of the most likely tokens are listed")


@dataclass(frozen=True)
class Likely:
    """One token in one stage.

    Attributes:
        token: Its id.
        piece: Its text.
        probability: In this stage.
    """

    token: int
    piece: str
    probability: float


@dataclass(frozen=True)
class StageSeen:
    """The distribution after one step.

    Attributes:
        name: The step; `model` for what the model says.
        top: The most likely tokens of the model, in its order, with their probability here.
        kept: How many tokens are possible.
        removed: How many this step removed.
        total: Sum of all probabilities.
        entropy: -Σ p log p, in nats.
    """

    name: str
    top: tuple[Likely, ...]
    kept: int
    removed: int
    total: float
    entropy: float


@dataclass(frozen=True)
class ChoosingResult:
    """What was measured.

    Attributes:
        inputs: What was set.
        stages: The model's own distribution, and that after each step that is on.
        draws: None until they are made.
        notes: Where care is needed.
        how: How the figures are computed.
    """

    inputs: ChoosingInputs
    stages: tuple[StageSeen, ...]
    draws: Draws | None
    notes: tuple[Note, ...]
    how: tuple[How, ...]


def measure(
    model: Model,
    inputs: ChoosingInputs,
    watch: Watch,
) -> ChoosingResult:
    """Show the steps from the model's distribution to the one that is drawn from, then draw.

    Raises:
        PromptError: The prompt is empty or does not fit the model's context.
        CancelledError: It was stopped.
    """
    ids = model.raw_tokens(inputs.prompt)
    if not ids:
        raise PromptError("The prompt must have at least one token.")
    sampling = _sampling(inputs, inputs.seed)
    if len(ids) > model.config.max_position_embeddings:
        raise PromptError(
            "The prompt has {count:,} tokens and this model's context holds {context:,}.",
            count=len(ids),
            context=model.config.max_position_embeddings,
        )
    cache = model.network.new_cache(CachePolicy())
    logits = fill(model, cache, ids, _CHUNK, watch.part(0.0, 0.3))
    stages = model.limiter.stages(logits, sampling, ids)
    result = ChoosingResult(inputs, _seen(model, stages, inputs.shown), None, _notes(inputs), _HOW)
    watch.tell(0.3, result)
    drawn: list[list[int]] = []
    for index, seed in enumerate((inputs.seed, inputs.seed, inputs.seed + 1)):
        part = watch.part(0.3 + 0.2 * index, 0.5 + 0.2 * index)
        drawn.append(draw(model, logits, _sampling(inputs, seed), ids, inputs.samples, part))
    result = replace(result, draws=summed(model, probabilities(stages[-1]), drawn, inputs.shown))
    watch.tell(1.0, result)
    return result


def claims(result: ChoosingResult) -> tuple[Claim, ...]:
    """What should be seen, as far as it is measured."""
    return (
        *_stage_claims(result),
        *draw_claims(result.draws, result.stages[-1].entropy, result.inputs.temperature),
    )


def _stage_claims(result: ChoosingResult) -> Iterator[Claim]:
    yield Claim(
        "sums",
        "After every step the probabilities of all tokens sum to one.",
        max(abs(stage.total - 1) for stage in result.stages), "≤",
        result.stages[0].kept * _ROUNDING + 1e-6, "away from 1",
    )  # fmt: skip
    yield Claim(
        "order",
        "No step makes a less likely token the more likely one.",
        sum(
            later.probability > earlier.probability
            for stage in result.stages
            for earlier, later in pairwise(stage.top)
        ), "=", 0, "pairs in another order",
    )  # fmt: skip
    by_name = {stage.name: stage for stage in result.stages}
    inputs = result.inputs
    if (top_k := by_name.get("top_k")) is not None:
        yield Claim(
            "top_k", "Top-k leaves at most k tokens.", top_k.kept, "≤", inputs.top_k, "tokens"
        )
    removing = [stage.kept for stage in result.stages]
    yield Claim(
        "fewer",
        "Steps remove tokens or leave them; none brings one back.",
        sum(later > earlier for earlier, later in pairwise(removing)),
        "=", 0, "steps",
    )  # fmt: skip
    before, after = _around_temperature(result.stages)
    if before is None or after is None or inputs.temperature in {0, 1}:
        return
    cooler = inputs.temperature < 1
    yield Claim(
        "temperature",
        "A temperature below 1 makes the distribution narrower, one above 1 makes it wider: the "
        "entropy falls or rises.",
        after.entropy, "≤" if cooler else "≥", before.entropy, "nats",
    )  # fmt: skip


def _sampling(inputs: ChoosingInputs, seed: int) -> Sampling:
    return Sampling(
        temperature=inputs.temperature,
        top_k=inputs.top_k,
        top_p=inputs.top_p,
        min_p=inputs.min_p,
        seed=seed,
    )


def _seen(model: Model, stages: Sequence[Stage], shown: int) -> tuple[StageSeen, ...]:
    order = np.argsort(-stages[0].logprobs, kind="stable")[:shown].tolist()
    texts = alone(model, order)
    return tuple(_stage_seen(stage, order, texts) for stage in stages)


def _stage_seen(stage: Stage, order: Sequence[int], texts: Sequence[str]) -> StageSeen:
    found = probabilities(stage)
    return StageSeen(
        name=stage.name,
        top=tuple(
            Likely(token, piece, float(found[token]))
            for token, piece in zip(order, texts, strict=True)
        ),
        kept=int(np.count_nonzero(~np.isneginf(stage.logprobs))),
        removed=int(stage.removed.size),
        total=float(found.sum()),
        entropy=entropy(found),
    )


def probabilities(stage: Stage) -> NDArray[np.float64]:
    """Of every token after a step, (V,)."""
    return np.exp(stage.logprobs.astype(np.float64))


def entropy(probabilities: NDArray[np.float64]) -> float:
    """-Σ p log p over the tokens that are left, in nats."""
    held = probabilities[probabilities > 0]
    return float(-(held * np.log(held)).sum()) + 0.0


def _around_temperature(
    stages: Sequence[StageSeen],
) -> tuple[StageSeen | None, StageSeen | None]:
    """The stages before and after the temperature, None where that is off."""
    for before, after in pairwise(stages):
        if after.name == "temperature":
            return before, after
    return None, None


def _notes(inputs: ChoosingInputs) -> tuple[Note, ...]:
    notes = [
        Note(
            "order_of_steps",
            "Here top-k, top-p and min-p come before the temperature, so that a high one never "
            "lets in a token that they would have removed. Other programs do it the other way "
            "round, and the same settings then leave other tokens.",
        ),
        Note(
            "one_position",
            "All draws are of one and the same position. In a reply each token that is drawn "
            "changes what comes after it.",
        ),
        Note(
            "single_precision",
            "The logarithm of the sum over the whole vocabulary is computed in single precision, "
            "so the probabilities sum to one but for rounding.",
        ),
        Note(
            "seed",
            "A seed repeats the draws as long as the probabilities are the same to the last bit: "
            "on the same device, with the same model and program.",
        ),
    ]
    if inputs.temperature == 0:
        notes.append(
            Note(
                "greedy",
                "At temperature 0 the most likely token is taken before any filter could matter.",
            )
        )
    return tuple(notes)


_HOW = (
    how("stages", Limiter.stages, "softmax of the logits after each step"),
    how("stages.entropy", entropy, "-Σ p log p over the tokens that are left"),
    how(
        "draws.tokens",
        Sampler.__call__,
        "argmax(logits + Gumbel noise) from one random key; argmax(logits) at temperature 0",
    ),
    how(
        "draws.distance",
        total_variation,
        "½ Σ |count / n - p| ≤ ½ Σ √(p (1 - p) / n) + √(ln 1000 / (2 n))",
    ),
)

EXHIBIT = Exhibit(12, "choosing", "Choosing the next token", ChoosingInputs, measure, claims)
