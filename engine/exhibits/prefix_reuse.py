"""Exhibit 11: a prompt that begins like an earlier one, and why that is no response cache."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import mlx.core as mx

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
from engine.exhibits.comparing import common_length
from engine.exhibits.passages import FILLER
from engine.exhibits.replies import (
    GREEDY,
    SameReply,
    SeededReply,
    reply_claims,
    run,
    same_reply,
    seeded_reply,
)
from engine.exhibits.scoring import pieces
from engine.llama import Decoder
from engine.model import Model
from engine.sampling import Sampling
from engine.session import Session

_WORTH_IT = 64  # tokens; what fewer take is lost in what every prompt takes
_TIMED, _COMPARED = 0.6, 0.8  # shares of the whole that are done after these parts


@dataclass(frozen=True)
class PrefixReuseInputs(Inputs):
    """What can be set."""

    first: str = text(FILLER + "\nThe gardener's favourite plant was", "the prompt that is held")
    second: str = text(FILLER + "\nThe robin on the spade was", "the prompt that comes after it")
    rounds: int = whole(2, 1, 20, "how often each way is timed; the best counts")
    reply: int = whole(12, 1, 128, "tokens of each reply")
    temperature: float = number(1.0, 0.0, 2.0, "of the replies with two seeds")
    seed: int = whole(1, 0, 1 << 31, "of the first of these; the other one has the next")


@dataclass(frozen=True)
class Shared:
    """What the second prompt shares with the first.

    Attributes:
        first_tokens: Of the first prompt.
        second_tokens: Of the second.
        common_tokens: Leading tokens that are the same, counted by comparing them.
        common_characters: Leading characters that are the same.
        reused_tokens: What the session reused; None until the second was run.
        prefilled_tokens: What it computed; None likewise.
        reason: Why reuse stopped there, in its own words; empty until then.
        last_common: Text of the last shared token.
        held_piece: Text of the first token that differs, of the prompt that was held; empty where
            that ended.
        new_piece: The same of the second prompt.
    """

    first_tokens: int
    second_tokens: int
    common_tokens: int
    common_characters: int
    reused_tokens: int | None
    prefilled_tokens: int | None
    reason: str
    last_common: str
    held_piece: str
    new_piece: str


@dataclass(frozen=True)
class Timed:
    """Time to first token of the second prompt.

    Attributes:
        with_reuse_s: In a session that holds the first prompt, of each round.
        without_s: In an empty session, in turn with that.
        with_best_s: The least of these.
        without_best_s: The least of those.
    """

    with_reuse_s: tuple[float, ...]
    without_s: tuple[float, ...]
    with_best_s: float
    without_best_s: float


@dataclass(frozen=True)
class PrefixReuseResult:
    """What was measured.

    Attributes:
        inputs: What was set.
        shared: What both prompts share.
        timed: None until the second was run both ways.
        same_reply: None until it is compared.
        seeded: The same prompt with one seed, the same seed again, and another; empty until then.
        notes: Where care is needed.
        how: How the figures are computed.
    """

    inputs: PrefixReuseInputs
    shared: Shared
    timed: Timed | None
    same_reply: SameReply | None
    seeded: tuple[SeededReply, ...]
    notes: tuple[Note, ...]
    how: tuple[How, ...]


def measure(
    model: Model,
    inputs: PrefixReuseInputs,
    watch: Watch,
) -> PrefixReuseResult:
    """Run the second prompt after the first and from nothing, then ask it again with other seeds.

    Raises:
        PromptError: A prompt is empty or does not fit the model's context.
        CancelledError: It was stopped.
    """
    first, second = model.raw_tokens(inputs.first), model.raw_tokens(inputs.second)
    if not first or not second:
        raise PromptError("Both prompts must have at least one token.")
    shared = _shared(model, inputs, first, second)
    result = PrefixReuseResult(inputs, shared, None, None, (), _notes(model), _HOW)
    watch.tell(0.0, result)
    base = model.session(CachePolicy())
    run(base, first, GREEDY, 1, watch.part(0.0, 0.1))
    warm_s: list[float] = []
    cold_s: list[float] = []
    for turn in range(inputs.rounds):
        at = 0.1 + (_TIMED - 0.1) * turn / inputs.rounds
        warm = base.copy(len(first))
        warm_s.append(first_token_s(warm, second, watch.part(at, at)))
        result = replace(result, shared=_with_reuse(shared, warm))
        watch.tell(at, result)
        cold_s.append(first_token_s(model.session(CachePolicy()), second, watch.part(at, at)))
        result = replace(
            result,
            timed=Timed(tuple(warm_s), tuple(cold_s), min(warm_s), min(cold_s)),
        )
        watch.tell(0.1 + (_TIMED - 0.1) * (turn + 1) / inputs.rounds, result)
    part = watch.part(_TIMED, _COMPARED)
    same = same_reply(model, base.copy(len(first)), second, inputs.reply, part)
    result = replace(result, same_reply=same)
    watch.tell(_COMPARED, result)
    session = base.copy(len(first))
    run(session, second, GREEDY, 1, watch.part(_COMPARED, _COMPARED))
    for index, seed in enumerate((inputs.seed, inputs.seed, inputs.seed + 1)):
        at = _COMPARED + (1 - _COMPARED) * index / 3
        sampling = Sampling(temperature=inputs.temperature, top_p=1.0, seed=seed)
        reply = seeded_reply(session, second, sampling, inputs.reply, watch.part(at, at))
        result = replace(result, seeded=(*result.seeded, reply))
        watch.tell(_COMPARED + (1 - _COMPARED) * (index + 1) / 3, result)
    return result


def claims(result: PrefixReuseResult) -> Iterator[Claim]:
    """What should be seen, as far as it is measured."""
    yield from _shared_claims(result)
    yield from reply_claims(result.same_reply, result.seeded, result.inputs.temperature)


def _shared_claims(result: PrefixReuseResult) -> Iterator[Claim]:
    shared, timed = result.shared, result.timed
    if shared.reused_tokens is None or shared.prefilled_tokens is None:
        return
    yield Claim(
        "reused",
        "Every leading token that both prompts share is reused, but for the last of a prompt, "
        "which is always computed.",
        shared.reused_tokens, "=", min(shared.common_tokens, shared.second_tokens - 1), "tokens",
    )  # fmt: skip
    yield Claim(
        "prefilled",
        "Only the rest is computed.",
        shared.prefilled_tokens, "=", shared.second_tokens - shared.reused_tokens, "tokens",
    )  # fmt: skip
    if timed is None or shared.reused_tokens < max(shared.prefilled_tokens, _WORTH_IT):
        return
    yield Claim(
        "sooner",
        "The first token comes sooner.",
        timed.with_best_s, "<", timed.without_best_s, "s",
    )  # fmt: skip


def first_token_s(session: Session, ids: Sequence[int], watch: Watch) -> float:
    """Seconds from the request to the first token."""
    run(session, ids, GREEDY, 1, watch)
    mx.synchronize()
    seconds = session.figures.ttft_s
    assert seconds is not None
    return seconds


def _shared(
    model: Model, inputs: PrefixReuseInputs, first: Sequence[int], second: Sequence[int]
) -> Shared:
    """What comparing the prompts tells, before anything is run."""
    common = common_length(first, second)
    return Shared(
        first_tokens=len(first),
        second_tokens=len(second),
        common_tokens=common,
        common_characters=common_length(inputs.first, inputs.second),
        reused_tokens=None,
        prefilled_tokens=None,
        reason="",
        last_common="".join(pieces(model, second[max(common - 1, 0) : common])),
        held_piece="".join(pieces(model, first[common : common + 1])),
        new_piece="".join(pieces(model, second[common : common + 1])),
    )


def _with_reuse(shared: Shared, session: Session) -> Shared:
    reuse = session.reuse
    return replace(
        shared,
        reused_tokens=reuse.reused_tokens,
        prefilled_tokens=reuse.prefilled_tokens,
        reason=reuse.reason,
    )


_NOTES = (
    Note(
        "tokens",
        "Reuse goes by tokens, not by letters. Where a word is cut otherwise because of what comes "
        "after it, reuse stops before the first letter that differs.",
    ),
    Note(
        "beginnings",
        "Only a shared beginning can be reused. Keys and values of a token depend on all tokens "
        "before it and on its position, so the same words in the middle of another text have "
        "others.",
    ),
    Note(
        "last_token",
        "The last token of a prompt is always run again: what it gives are the logits that the "
        "first token of the reply is chosen from, and these are not kept.",
    ),
    Note(
        "rounding",
        "With reuse the rest of the prompt is run in other chunks than without, so the last bits "
        "of the logits can differ; where two tokens are almost equally likely, so can the choice.",
    ),
    Note(
        "sure",
        "Where the model is sure of what comes, and more so at a low temperature, another seed "
        "can draw the very same reply.",
    ),
)


def _notes(model: Model) -> tuple[Note, ...]:
    if isinstance(model.network, Decoder):
        return _NOTES
    mixed = Note(
        "runs_through_mlx_lm",
        "This model runs through mlx-lm. Where its layers keep a state that every token replaces, "
        "there is no way back to an earlier one, and nothing or less is reused.",
    )
    return (*_NOTES, mixed)


_HOW = (
    how(
        "shared.reused_tokens", Session.generate, "leading tokens held that the prompt begins with"
    ),
    how("shared.common_tokens", common_length, "first i with first[i] ≠ second[i]"),
    how("timed", first_token_s, "clock from the request to the first token, in turn"),
    how("same_reply.largest", run, "max |log p with reuse - log p without|"),
)

EXHIBIT = Exhibit(11, "prefix_reuse", "Prefix reuse", PrefixReuseInputs, measure, claims)
