"""Exhibit 1: the loop. Token ids go in, logits come out, one token is drawn and appended."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import cast

import numpy as np
from numpy.typing import NDArray

from engine.errors import PromptError
from engine.exhibits.choosing import entropy, probabilities
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
from engine.exhibits.looking import tokens_of
from engine.exhibits.same_ids import (
    Greedy,
    SameIds,
    both_ways,
    greedy_claims,
    next_logits,
    run_again,
    same_ids_claims,
)
from engine.exhibits.scoring import alone, pieces
from engine.heads import floats
from engine.limits import Limiter
from engine.model import Model
from engine.sampling import Sampler, Sampling, Stage
from engine.session import Session

_ROUNDING = 2.0**-24  # of one sum in single precision
_LOOP, _GREEDY = 0.45, 0.9  # shares of the whole that are done after these parts


@dataclass(frozen=True)
class TheLoopInputs(Inputs):
    """What can be set."""

    prompt: str = text("Once upon a time, there was a", "the text that the loop goes on with")
    steps: int = whole(12, 1, 64, "how many tokens are appended, one at each step")
    temperature: float = number(0.8, 0.0, 5.0, "divides the logits; 0 takes the most likely token")
    seed: int = whole(1, 0, 1 << 31, "of the draws")
    shown: int = whole(10, 1, 100, "how many of the most likely tokens are listed at each step")


@dataclass(frozen=True)
class Candidate:
    """A token that might come next.

    Attributes:
        token: Its id.
        piece: Its text.
        logit: What the network says.
        probability: Its softmax over all tokens.
        drawn_with: The probability that it was drawn with, after the temperature.
    """

    token: int
    piece: str
    logit: float
    probability: float
    drawn_with: float


@dataclass(frozen=True)
class LoopStep:
    """One time round: ids → logits → softmax → a token → appended.

    Attributes:
        ids: All token ids that went in; nothing else did.
        text: The same as text.
        top: The most likely tokens, the likeliest first.
        total: Sum of the probabilities of all tokens.
        entropy: -Σ p log p, in nats, before the temperature.
        chosen: The token that was drawn.
        rank: How many tokens are more likely.
    """

    ids: tuple[int, ...]
    text: str
    top: tuple[Candidate, ...]
    total: float
    entropy: float
    chosen: Candidate
    rank: int


@dataclass(frozen=True)
class TheLoopResult:
    """What was measured.

    Attributes:
        inputs: What was set.
        prompt_ids: The prompt's token ids.
        vocabulary: How many tokens there are to choose from.
        steps: One for each time round so far.
        text: Prompt and all that was appended.
        pieces: The texts of its tokens.
        ended: Whether the model ended the text before all steps were done.
        greedy: None while it is not done.
        same_ids: None while it is not done.
        notes: Where care is needed.
        how: How the figures are computed.
    """

    inputs: TheLoopInputs
    prompt_ids: tuple[int, ...]
    vocabulary: int
    steps: tuple[LoopStep, ...]
    text: str
    pieces: tuple[str, ...]
    ended: bool
    greedy: Greedy | None
    same_ids: SameIds | None
    notes: tuple[Note, ...]
    how: tuple[How, ...]

    @property
    def prompt_pieces(self) -> tuple[str, ...]:
        """The texts of the prompt's tokens."""
        return self.pieces[: len(self.prompt_ids)]


def measure(
    model: Model,
    inputs: TheLoopInputs,
    watch: Watch,
) -> TheLoopResult:
    """Go round the loop by hand, then hold it against a session and against the same ids again.

    Raises:
        PromptError: The prompt is empty, too long, or leaves no room in the model's context.
        CancelledError: It was stopped.
    """
    ids = tokens_of(model, inputs.prompt)
    context = model.config.max_position_embeddings
    if len(ids) + inputs.steps > context:
        raise PromptError(
            "The prompt's {count:,} tokens and {steps} steps are more than this model's context "
            "of {context:,} tokens holds.",
            count=len(ids),
            steps=inputs.steps,
            context=context,
        )
    result = TheLoopResult(
        inputs=inputs,
        prompt_ids=tuple(ids),
        vocabulary=model.tokenizer.vocab_size,
        steps=(),
        text=model.tokenizer.decode(ids),
        pieces=pieces(model, ids),
        ended=False,
        greedy=None,
        same_ids=None,
        notes=_notes(inputs),
        how=_HOW,
    )
    part = watch.part(0.0, _LOOP)
    for done in go_round(model, ids, inputs):
        sequence = [*done.ids, done.chosen.token]
        result = replace(
            result,
            steps=(*result.steps, done),
            text=model.tokenizer.decode(sequence),
            pieces=pieces(model, sequence),
            ended=done.chosen.token in model.end_ids,
        )
        part.tell(len(result.steps) / inputs.steps, result)
    greedy = both_ways(model, ids, inputs.steps, watch.part(_LOOP, _GREEDY))
    result = replace(result, greedy=greedy)
    watch.tell(_GREEDY, result)
    sequence = [*result.steps[-1].ids, result.steps[-1].chosen.token]
    result = replace(result, same_ids=run_again(model, sequence, watch.part(_GREEDY, 1.0)))
    watch.tell(1.0, result)
    return result


def go_round(model: Model, ids: Sequence[int], inputs: TheLoopInputs) -> Iterator[LoopStep]:
    """The loop itself, without a cache: every step runs all token ids again.

    Args:
        model: The model.
        ids: The prompt.
        inputs: How many steps, and how a token is drawn.
    """
    sequence = list(ids)
    sampling = Sampling(temperature=inputs.temperature, seed=inputs.seed)
    sampler = Sampler(sampling, inputs.seed, ids, model.limiter.limits(sampling).sets)
    for _ in range(inputs.steps):
        logits = next_logits(model, sequence)
        stages = model.limiter.stages(logits, sampling, sequence)
        token = cast("int", sampler(logits).item())
        yield _seen(model, sequence, floats(logits), stages, token, inputs.shown)
        sequence.append(token)
        if token in model.end_ids:
            return


def claims(result: TheLoopResult) -> Iterator[Claim]:
    """What should be seen, as far as it is measured."""
    if result.steps:
        yield Claim(
            "sums",
            "At every step the probabilities of all tokens sum to one.",
            max(abs(step.total - 1) for step in result.steps), "≤",
            result.vocabulary * _ROUNDING + 1e-6, "away from 1",
        )  # fmt: skip
        if result.inputs.temperature == 0:
            yield Claim(
                "most_likely",
                "At temperature 0 every step takes the most likely token.",
                sum(step.rank > 0 for step in result.steps), "=", 0, "steps",
            )  # fmt: skip
    if result.greedy is not None:
        yield from greedy_claims(result.greedy)
    if result.same_ids is not None:
        yield from same_ids_claims(result.same_ids)


def _seen(
    model: Model,
    ids: Sequence[int],
    logits: NDArray[np.float32],
    stages: Sequence[Stage],
    token: int,
    shown: int,
) -> LoopStep:
    said, drawn_with = probabilities(stages[0]), probabilities(stages[-1])
    order: list[int] = np.argsort(-logits, kind="stable").tolist()

    def candidate(token: int, piece: str) -> Candidate:
        return Candidate(
            token,
            piece,
            float(logits[token]),
            float(said[token]),
            float(drawn_with[token]),
        )

    listed = [*order[:shown], token]
    *top, chosen = map(candidate, listed, alone(model, listed))
    return LoopStep(
        ids=tuple(ids),
        text=model.tokenizer.decode(ids),
        top=tuple(top),
        total=float(said.sum()),
        entropy=entropy(said),
        chosen=chosen,
        rank=int(np.count_nonzero(logits > logits[token])),
    )


def _notes(inputs: TheLoopInputs) -> tuple[Note, ...]:
    notes = [
        Note(
            "only_predicts",
            "The network only says how likely each token is as the next one. Which token is "
            "taken, when to stop, and the loop itself are a few lines of program around it.",
        ),
        Note(
            "no_cache",
            "Here every step runs all tokens again, to show that nothing else goes in. Replies "
            "keep the keys and values of earlier tokens, which saves work and changes nothing but "
            "rounding.",
        ),
        Note(
            "near_ties",
            "With and without a cache the same sums are added up in another order. Where two "
            "tokens are almost equally likely, that rounding can tip the choice, more easily in "
            "bfloat16 than in float32, and the texts part from there on.",
        ),
        Note(
            "text_is_not_ids",
            "A text can be cut into tokens in more than one way, and the tokens that a model "
            "chooses need not be those that its text is cut into when it is typed. The model sees "
            "the ids, not the text.",
        ),
    ]
    if inputs.temperature > 0:
        notes.append(
            Note(
                "chance",
                "The only chance is in the draw. The probabilities of a step follow from the "
                "token ids; the same seed draws the same tokens.",
            )
        )
    return tuple(notes)


_HOW = (
    how("steps.top.logit", Model.logits, "logits of the last position, all token ids run at once"),
    how("steps.top.probability", Limiter.stages, "exp(logit) / Σ exp(logits)"),
    how("steps.top.drawn_with", Limiter.stages, "softmax of logits / temperature"),
    how("steps.entropy", entropy, "-Σ p log p over all tokens"),
    how(
        "steps.chosen",
        Sampler.__call__,
        "argmax(logits / temperature + Gumbel noise); argmax(logits) at temperature 0",
    ),
    how("greedy.session", Session.generate, "argmax(logits), with a KV cache"),
    how("same_ids", run_again, "how many of the 32-bit patterns of the logits differ"),
)

EXHIBIT = Exhibit(1, "the_loop", "The loop", TheLoopInputs, measure, claims)
