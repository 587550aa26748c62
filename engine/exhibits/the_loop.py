"""Exhibit 1: the loop. Token ids go in, logits come out, one token is drawn and appended."""

from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from typing import cast

import mlx.core as mx
import numpy as np
from numpy.typing import NDArray

from engine.errors import PromptError
from engine.exhibits.common import (
    Cancelled,
    Claim,
    Exhibit,
    How,
    Inputs,
    Note,
    Progress,
    Watch,
    how,
    never,
    number,
    silent,
    text,
    whole,
)
from engine.exhibits.looking import changed_bits, tokens_of
from engine.exhibits.scoring import best, pieces
from engine.heads import floats
from engine.limits import Limiter
from engine.model import Model
from engine.sampling import Sampler, Sampling, Stage
from engine.session import Session

_UNRELATED = "Rain fell on the empty square all night."
_ROUNDING = 2.0**-24  # of one sum in single precision
_LOOP, _GREEDY, _SESSION = 0.45, 0.7, 0.9  # shares of the whole that are done after these parts


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
class Greedy:
    """The most likely token at every step, by two ways.

    Attributes:
        by_hand: Tokens of the loop above at temperature 0, without a cache.
        pieces: Their texts.
        session: Tokens of a session, as replies are written: with a cache. None while not done.
        uneven: At how many steps the session's sequence did not become longer by just one token,
            or changed before it.
    """

    by_hand: tuple[int, ...]
    pieces: tuple[str, ...]
    session: tuple[int, ...] | None
    uneven: int

    @property
    def differing(self) -> int:
        """At how many places the two differ."""
        assert self.session is not None
        longest = max(len(self.by_hand), len(self.session))
        same = sum(a == b for a, b in zip(self.by_hand, self.session, strict=False))
        return longest - same


@dataclass(frozen=True)
class SameIds:
    """The same token ids by two ways, and other ones.

    Attributes:
        ids: How many token ids there are.
        retyped: Whether the text so far, typed in, becomes the very ids that the loop arrived at.
        differing: How many logits then differ, to the last bit, from those of the loop.
        logits: Of how many.
        other_differing: How many differ where one id was changed.
    """

    ids: int
    retyped: bool
    differing: int
    logits: int
    other_differing: int


@dataclass(frozen=True)
class TheLoopResult:
    """What was measured.

    Attributes:
        inputs: What was set.
        prompt_ids: The prompt's token ids.
        prompt_pieces: Their texts.
        vocabulary: How many tokens there are to choose from.
        steps: One for each time round so far.
        text: Prompt and all that was appended.
        ended: Whether the model ended the text before all steps were done.
        greedy: None while it is not done.
        same_ids: None while it is not done.
        notes: Where care is needed.
        how: How the figures are computed.
    """

    inputs: TheLoopInputs
    prompt_ids: tuple[int, ...]
    prompt_pieces: tuple[str, ...]
    vocabulary: int
    steps: tuple[LoopStep, ...]
    text: str
    ended: bool
    greedy: Greedy | None
    same_ids: SameIds | None
    notes: tuple[Note, ...]
    how: tuple[How, ...]


def measure(
    model: Model,
    inputs: TheLoopInputs,
    progress: Progress = silent,
    cancelled: Cancelled = never,
) -> TheLoopResult:
    """Go round the loop by hand, then hold it against a session and against the same ids again.

    Raises:
        PromptError: The prompt is empty, too long, or leaves no room in the model's context.
        CancelledError: It was stopped.
    """
    watch = Watch(progress, cancelled)
    ids = tokens_of(model, inputs.prompt)
    context = model.config.max_position_embeddings
    if len(ids) + inputs.steps > context:
        raise PromptError(
            f"The prompt's {len(ids):,} tokens and {inputs.steps} steps are more than this "
            f"model's context of {context:,} tokens holds."
        )
    result = TheLoopResult(
        inputs=inputs,
        prompt_ids=tuple(ids),
        prompt_pieces=pieces(model, ids),
        vocabulary=model.tokenizer.vocab_size,
        steps=(),
        text=model.tokenizer.decode(ids),
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
            ended=done.chosen.token in model.end_ids,
        )
        part.tell(len(result.steps) / inputs.steps, result)
    by_hand = _greedy(model, ids, inputs, watch.part(_LOOP, _GREEDY))
    greedy = Greedy(tuple(by_hand), pieces(model, by_hand), None, 0)
    session, uneven = _session(model, ids, inputs.steps, watch.part(_GREEDY, _SESSION))
    result = replace(result, greedy=replace(greedy, session=tuple(session), uneven=uneven))
    watch.tell(_SESSION, result)
    sequence = [*result.steps[-1].ids, result.steps[-1].chosen.token]
    result = replace(result, same_ids=_same_ids(model, sequence, watch.part(_SESSION, 1.0)))
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
        logits = _next_logits(model, sequence)
        stages = model.limiter.stages(logits, sampling, sequence)
        token = cast("int", sampler(logits).item())
        yield _seen(model, sequence, floats(logits), stages, token, inputs.shown)
        sequence.append(token)
        if token in model.end_ids:
            return


def claims(result: TheLoopResult) -> tuple[Claim, ...]:
    """What should be seen, as far as it is measured."""
    return tuple(_claims(result))


def _claims(result: TheLoopResult) -> Iterator[Claim]:
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
    if result.greedy is not None and result.greedy.session is not None:
        yield Claim(
            "by_hand",
            "Taking the most likely token by hand, from token ids alone and without a cache, gives "
            "the very text that the app writes at temperature 0.",
            result.greedy.differing, "=", 0, "tokens that differ",
        )  # fmt: skip
        yield Claim(
            "one_token",
            "Each step appends exactly one token and leaves all earlier ones as they are.",
            result.greedy.uneven, "=", 0, "steps at which it was otherwise",
        )  # fmt: skip
    if result.same_ids is not None:
        yield Claim(
            "only_ids",
            "Nothing but the token ids goes in: the same ids, given at once after another text "
            "was run, give the same distribution to the last bit.",
            result.same_ids.differing, "=", 0, "logits that differ",
        )  # fmt: skip
        yield Claim(
            "other_ids",
            "Another id in one place gives another distribution.",
            result.same_ids.other_differing, ">", 0, "logits that differ",
        )  # fmt: skip


def _next_logits(model: Model, ids: Sequence[int]) -> mx.array:
    """What the model says after the last id, (V,); rows beyond the vocabulary only pad it."""
    return model.logits(ids)[-1, : model.tokenizer.vocab_size]


def _seen(
    model: Model,
    ids: Sequence[int],
    logits: NDArray[np.float32],
    stages: Sequence[Stage],
    token: int,
    shown: int,
) -> LoopStep:
    probabilities, drawn_with = (
        np.exp(stage.logprobs.astype(np.float64)) for stage in (stages[0], stages[-1])
    )
    order: list[int] = np.argsort(-logits, kind="stable").tolist()
    held = probabilities[probabilities > 0]

    def candidate(token: int, piece: str) -> Candidate:
        return Candidate(
            token,
            piece,
            float(logits[token]),
            float(probabilities[token]),
            float(drawn_with[token]),
        )

    listed = [*order[:shown], token]
    *top, chosen = map(candidate, listed, pieces(model, listed))
    return LoopStep(
        ids=tuple(ids),
        text=model.tokenizer.decode(ids),
        top=tuple(top),
        total=float(probabilities.sum()),
        entropy=float(-(held * np.log(held)).sum()) + 0.0,
        chosen=chosen,
        rank=int(np.count_nonzero(logits > logits[token])),
    )


def _greedy(model: Model, ids: Sequence[int], inputs: TheLoopInputs, watch: Watch) -> list[int]:
    sequence = list(ids)
    for step in range(inputs.steps):
        sequence.append(best(model, _next_logits(model, sequence)))
        watch.tell((step + 1) / inputs.steps)
        if sequence[-1] in model.end_ids:
            break
    return sequence[len(ids) :]


def _session(model: Model, ids: Sequence[int], steps: int, watch: Watch) -> tuple[list[int], int]:
    """What a session appends to the ids, and at how many steps it was not just one token."""
    session: Session = model.session()
    before, uneven = list(ids), 0
    with closing(session.generate(ids, Sampling(temperature=0.0), steps)) as chunks:
        for chunk in chunks:
            if chunk.token is not None:
                after = session.tokens
                uneven += after != [*before, chunk.token]
                before = after
            watch.tell((len(before) - len(ids)) / steps)
    return session.tokens[len(ids) :], uneven


def _same_ids(model: Model, ids: Sequence[int], watch: Watch) -> SameIds:
    once = floats(_next_logits(model, ids))
    watch.check()
    model.logits(model.raw_tokens(_UNRELATED))
    typed = model.raw_tokens(model.tokenizer.decode(ids))
    retyped = typed == list(ids)
    again = floats(_next_logits(model, typed if retyped else list(ids)))
    watch.check()
    other = [*ids[:-1], (ids[-1] + 1) % model.tokenizer.vocab_size]
    changed = floats(_next_logits(model, other))
    return SameIds(
        ids=len(ids),
        retyped=retyped,
        differing=changed_bits(once, again),
        logits=once.size,
        other_differing=changed_bits(once, changed),
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
    how("steps.entropy", _seen, "-Σ p log p over all tokens"),
    how(
        "steps.chosen",
        Sampler.__call__,
        "argmax(logits / temperature + Gumbel noise); argmax(logits) at temperature 0",
    ),
    how("greedy.session", Session.generate, "argmax(logits), with a KV cache"),
    how("same_ids", _same_ids, "how many of the 32-bit patterns of the logits differ"),
)

EXHIBIT = Exhibit(1, "the_loop", "The loop", TheLoopInputs, measure, claims)
