"""Exhibit 10: the rotating window: what is pinned, held and evicted, and what is forgotten."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import cycle, islice
from typing import cast

from engine.cache import Cache, CachePolicy
from engine.errors import PromptError
from engine.exhibits.common import (
    Claim,
    Exhibit,
    How,
    Inputs,
    Note,
    Watch,
    how,
    text,
    whole,
)
from engine.exhibits.passages import FILLER, long_ids
from engine.exhibits.reading import CHUNK, SINKS, WAYS, Quality, Way, quality_claims, read_in_turn
from engine.exhibits.ring import RingProof, RingStep, proven, ring_claims, ring_step, turned
from engine.exhibits.scoring import best, fill, pieces, score, surprise
from engine.model import Model
from engine.visibility import sights

_OPENING = "Notes from the third of June.\n\n"
_RING, _FORGOTTEN = 0.2, 0.5  # shares of the whole that are done after these parts


@dataclass(frozen=True)
class RotatingInputs(Inputs):
    """What can be set."""

    ring_window: int = whole(12, 1, 256, "recent tokens that the shown ring sees")
    ring_pinned: int = whole(SINKS, 0, 64, "tokens at the beginning that the shown ring pins")
    ring_steps: int = whole(40, 2, 512, "tokens that go through the shown ring, one by one")
    fact: str = text("The secret word is marigold.", "a fact that is stated early")
    filler: str = text(FILLER, "the text that comes between")
    question: str = text("Do you remember? The secret word is", "what asks for the fact")
    answer: str = text(" marigold", "the right answer, with the space before it")
    window: int = whole(96, 16, 4096, "recent tokens that the model sees in the two trials")
    tokens: int = whole(448, 64, 16_384, "tokens of the long text")
    long_text: str = text("", "the long text; a built-in one where empty", least=0, most=200_000)


@dataclass(frozen=True)
class Recall:
    """The question asked in one way.

    Attributes:
        way: `everything` is held; only the `window`, with 4 attention sinks; or the fact is part
            of the `pinned` beginning.
        pinned: How many tokens are pinned.
        fact_seen: Whether the question's last token sees the fact's tokens.
        tokens_between: From the fact's last token to the question's last one.
        logprob: Of the answer, the sum over its tokens, in nats.
        says: The most likely next token's text.
        correct: Whether that is the answer's first token.
    """

    way: Way
    pinned: int
    fact_seen: bool
    tokens_between: int
    logprob: float
    says: str
    correct: bool


@dataclass(frozen=True)
class RotatingResult:
    """What was measured.

    Attributes:
        inputs: What was set.
        ring: One for each step so far.
        ring_proof: What unseen slots do to the next token; None until the ring has turned.
        recalls: The question asked in up to three ways.
        qualities: The long text read in three ways, in turn.
        tokens: Of the long text.
        notes: Where care is needed.
        how: How the figures are computed.
    """

    inputs: RotatingInputs
    ring: tuple[RingStep, ...]
    ring_proof: RingProof | None
    recalls: tuple[Recall, ...]
    qualities: tuple[Quality, ...]
    tokens: int
    notes: tuple[Note, ...]
    how: tuple[How, ...]


def measure(
    model: Model,
    inputs: RotatingInputs,
    watch: Watch,
) -> RotatingResult:
    """Turn the ring, ask for a fact that left the window, read a long text.

    Raises:
        UnsupportedError: The model runs through mlx-lm, which has no such cache here.
        PromptError: A text is too short or does not fit the model's context.
        CancelledError: It was stopped.
    """
    decoder = model.decoder
    ids = long_ids(model, inputs.tokens, inputs.long_text)
    asked = _Asked.of(model, inputs)
    _check(model, inputs, ids, asked)
    policy = CachePolicy(inputs.ring_window, inputs.ring_pinned)
    ring_ids = list(islice(cycle(ids), inputs.ring_steps + 1))
    result = RotatingResult(inputs, (), None, (), (), len(ids), _NOTES, _HOW)
    ring = decoder.new_cache(policy)
    for each in turned(model, ring, policy, ring_ids[:-1]):
        result = replace(result, ring=(*result.ring, each))
        watch.tell(_RING * len(result.ring) / inputs.ring_steps, result)
    proof = proven(model, ring, policy, result.ring[-1], ring_ids[-1])
    result = replace(result, ring_proof=proof)
    watch.tell(_RING, result)
    for index, way in enumerate(WAYS):
        start, end = (_RING + (_FORGOTTEN - _RING) * each / 3 for each in (index, index + 1))
        recall = recalled(model, asked, way, watch.part(start, end))
        result = replace(result, recalls=(*result.recalls, recall))
        watch.tell(end, result)
    for qualities in read_in_turn(model, ids, inputs.window):
        result = replace(result, qualities=qualities)
        share = sum(len(each.nll) for each in qualities) / (3 * (len(ids) - 1))
        watch.tell(_FORGOTTEN + (1 - _FORGOTTEN) * share, result)
    return result


def claims(result: RotatingResult) -> tuple[Claim, ...]:
    """What should be seen, as far as it is measured."""
    inputs = result.inputs
    policy = CachePolicy(inputs.ring_window, inputs.ring_pinned)
    return (
        *ring_claims(policy, result.ring, result.ring_proof),
        *_recall_claims(result),
        *quality_claims(result.qualities),
    )


def _recall_claims(result: RotatingResult) -> Iterator[Claim]:
    by_way = {recall.way: recall for recall in result.recalls}
    if len(by_way) < 3:
        return
    window, pinned = by_way["window"], by_way["pinned"]
    yield Claim(
        "out_of_sight",
        "When the question is asked, the fact has left the window.",
        int(window.fact_seen), "=", 0, "facts seen",
    )  # fmt: skip
    yield Claim(
        "forgotten",
        "What left the window is forgotten: the answer is far less likely than with everything "
        "held.",
        window.logprob, "≤", by_way["everything"].logprob - 1, "nats",
    )  # fmt: skip
    yield Claim(
        "pinned_remembers",
        "What stands in the pinned beginning is kept: there the answer is far more likely.",
        pinned.logprob, "≥", window.logprob + 1, "nats",
    )  # fmt: skip


@dataclass(frozen=True)
class _Asked:
    """Fact, filler and question as one sequence of tokens, and the answer."""

    ids: list[int]
    fact_start: int
    fact_end: int
    answer: list[int]
    window: int

    @classmethod
    def of(cls, model: Model, inputs: RotatingInputs) -> "_Asked":
        encode = model.tokenizer.encode
        # The attention sinks must not be the fact itself, or it would be pinned without a pin.
        opening = model.raw_tokens(_OPENING)
        fact = encode(inputs.fact.strip() + "\n\n")
        between = encode(inputs.filler.strip() + "\n\n")
        return cls(
            ids=[*opening, *fact, *between, *encode(inputs.question)],
            fact_start=len(opening),
            fact_end=len(opening) + len(fact),
            answer=encode(inputs.answer),
            window=inputs.window,
        )


def recalled(model: Model, asked: _Asked, way: Way, watch: Watch) -> Recall:
    """Ask in one way: log p(answer) = Σ log p(token | all before that are seen).

    Args:
        model: The model.
        asked: The texts.
        way: What is held.
        watch: Told of the progress.
    """
    pinned = {"everything": 0, "window": SINKS, "pinned": asked.fact_end}[way]
    policy = CachePolicy(None if way == "everything" else asked.window, pinned)
    cache = model.decoder.new_cache(policy)
    logits = fill(model, cache, asked.ids, CHUNK, watch)
    said = best(model, logits)
    ends = [asked.fact_start, asked.fact_end]
    fact = sights(model.config, policy, len(asked.ids), ends)[-1]
    nll = [cast("float", surprise(logits[None], asked.answer[:1]).item())]
    if len(asked.answer) > 1:
        for scored in score(model, cache, asked.answer, CHUNK):
            nll += scored.nll
    return Recall(
        way=way,
        pinned=pinned,
        fact_seen=fact.seen_tokens > 0,
        tokens_between=len(asked.ids) - asked.fact_end,
        logprob=-sum(nll),
        says=pieces(model, [said])[0],
        correct=said == asked.answer[0],
    )


def _check(model: Model, inputs: RotatingInputs, ids: Sequence[int], asked: _Asked) -> None:
    if len(ids) < inputs.window + 2 * SINKS:
        raise PromptError(
            "The long text has {count:,} tokens; it must be longer than the window of {window:,}.",
            count=len(ids),
            window=inputs.window,
        )
    if not asked.answer:
        raise PromptError("The answer must have at least one token.")
    longest = max(len(ids), len(asked.ids) + len(asked.answer))
    if longest > model.config.max_position_embeddings:
        raise PromptError(
            "The model's context holds {context:,} tokens, and {longest:,} are "
            "to be held at once to compare with.",
            context=model.config.max_position_embeddings,
            longest=longest,
        )


_NOTES = (
    Note(
        "layers",
        "An evicted key is not seen any more, but what it told later tokens while they saw it "
        "lives on in their keys and values, layer upon layer. So a model can keep a trace of what "
        "left its window; it cannot look the words up again.",
    ),
    Note(
        "unseen",
        "The ring is a chunk longer than the window, so that a prompt can be run in chunks. A key "
        "that is out of the window can therefore still lie in its slot; the mask hides it, and a "
        "later token overwrites it.",
    ),
    Note(
        "sinks",
        "The first tokens matter whatever they say: models put attention there that they have no "
        "other use for (Xiao et al. 2023, arXiv:2309.17453). Four of them are enough to keep a "
        "long text readable; they do not help to remember what it said.",
    ),
    Note(
        "moved",
        "Beyond the trained context the pinned keys are moved up behind the window, so that no "
        "query stands further from them than it did in training. In texts as short as these that "
        "is not needed.",
    ),
    Note(
        "one_fact",
        "One fact and one question are an example, not a measure of memory; try others.",
    ),
)

_HOW = (
    how("ring.slots", Cache.positions, "position of the token in each slot"),
    how("ring.states", ring_step, "seen: p < pinned or q - p < window, for p ≤ q"),
    how("ring_proof", proven, "max |logits - logits with other values in some slots|"),
    how("recalls.logprob", recalled, "Σ log softmax(logits)[token] over the answer's tokens"),
    how("recalls.fact_seen", sights, "the same rule, for the fact's tokens"),
    how("qualities.nll", surprise, "logsumexp(logits) - logits[next token]"),
)

EXHIBIT = Exhibit(10, "rotating", "The rotating window", RotatingInputs, measure, claims)
