"""Replies to one prompt: with reuse and without, and drawn with several seeds."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from engine.cache import CachePolicy
from engine.exhibits.common import Claim, Watch
from engine.exhibits.comparing import common_length
from engine.model import Model
from engine.sampling import Sampling
from engine.session import Session

GREEDY = Sampling(temperature=0.0)


@dataclass(frozen=True)
class SameReply:
    """The most likely reply to the second prompt, with and without reuse.

    Attributes:
        with_reuse: Its text.
        without: Its text from an empty session.
        tokens: How many tokens there are.
        same_tokens: How many of them agree, from the first on.
        largest: The largest difference of the log-probabilities of the chosen tokens, in nats.
    """

    with_reuse: str
    without: str
    tokens: int
    same_tokens: int
    largest: float


@dataclass(frozen=True)
class SeededReply:
    """The second prompt asked again.

    Attributes:
        seed: Of the draws.
        reply: Its text.
        ids: Its tokens.
        reused_tokens: Of the prompt; its last token is always computed again.
        prompt_tokens: Of the prompt.
    """

    seed: int
    reply: str
    ids: tuple[int, ...]
    reused_tokens: int
    prompt_tokens: int


def reply_claims(
    same: SameReply | None, seeded: Sequence[SeededReply], temperature: float
) -> Iterator[Claim]:
    """What should be seen of them.

    Args:
        same: The most likely reply both ways, once it is compared.
        seeded: With one seed, the same again, and another, as far as they are drawn.
        temperature: With which they are drawn.
    """
    if same is not None:
        yield Claim(
            "same_reply",
            "Reuse changes nothing but the time: the most likely reply is the same.",
            same.same_tokens, "=", same.tokens, "tokens",
        )  # fmt: skip
    if len(seeded) < 3:
        return
    one, again, other = seeded
    yield Claim(
        "all_reused",
        "The same prompt once more reuses all of it but its last token.",
        min(one.reused_tokens, again.reused_tokens, other.reused_tokens), "=",
        one.prompt_tokens - 1, "tokens",
    )  # fmt: skip
    yield Claim(
        "same_seed",
        "With the same seed the reply is the same.",
        int(one.ids != again.ids), "=", 0, "replies that differ",
    )  # fmt: skip
    if temperature > 0:
        yield Claim(
            "other_seed",
            "With another seed it is another: what is kept are keys and values, not replies.",
            int(one.ids != other.ids), "=", 1, "replies that differ",
        )  # fmt: skip


def run(
    session: Session, ids: Sequence[int], sampling: Sampling, count: int, watch: Watch
) -> tuple[list[int], list[float], str]:
    """Reply to a prompt: the tokens, the log-probability of each, and the text."""
    tokens: list[int] = []
    logprobs: list[float] = []
    said = ""
    stream = session.generate(
        ids, sampling, count, logprobs=1, on_prefill=lambda done, total: watch.tell(done / total)
    )
    for chunk in stream:
        watch.check()
        said += chunk.text
        if chunk.token is not None:
            tokens.append(chunk.token)
            logprobs.append(chunk.logprob or 0.0)
    return tokens, logprobs, said


def same_reply(
    model: Model, warm: Session, ids: Sequence[int], count: int, watch: Watch
) -> SameReply:
    """Let the most likely reply be written with reuse and without.

    Args:
        model: The model.
        warm: A session that holds a beginning of the prompt.
        ids: The prompt.
        count: Tokens of the reply at most.
        watch: Can stop it.
    """
    one, one_logprobs, said = run(warm, ids, GREEDY, count, watch.part(0.0, 0.0))
    cold = model.session(CachePolicy())
    other, other_logprobs, said_cold = run(cold, ids, GREEDY, count, watch.part(0.0, 0.0))
    same = common_length(one, other)
    pairs = zip(one_logprobs[:same], other_logprobs[:same], strict=True)
    return SameReply(
        with_reuse=said,
        without=said_cold,
        tokens=max(len(one), len(other)),
        same_tokens=same,
        largest=max((abs(a - b) for a, b in pairs), default=0.0),
    )


def seeded_reply(
    session: Session, ids: Sequence[int], sampling: Sampling, count: int, watch: Watch
) -> SeededReply:
    """Draw a reply, with the settings that hold its seed."""
    tokens, _, said = run(session, ids, sampling, count, watch)
    seed = sampling.seed or 0
    return SeededReply(seed, said, tuple(tokens), session.reuse.reused_tokens, len(ids))
