"""The loop held against a session, and against the same token ids given at once."""

from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass

import mlx.core as mx

from engine.exhibits.common import Claim, Watch
from engine.exhibits.comparing import differing
from engine.exhibits.looking import changed_bits
from engine.exhibits.scoring import best, pieces
from engine.heads import floats
from engine.model import Model
from engine.sampling import Sampling

_UNRELATED = "Rain fell on the empty square all night."


@dataclass(frozen=True)
class Greedy:
    """The most likely token at every step, by two ways.

    Attributes:
        by_hand: Tokens of the loop above at temperature 0, without a cache.
        pieces: Their texts.
        session: Tokens of a session, as replies are written: with a cache.
        uneven: At how many steps the session's sequence did not become longer by just one token,
            or changed before it.
    """

    by_hand: tuple[int, ...]
    pieces: tuple[str, ...]
    session: tuple[int, ...]
    uneven: int

    @property
    def differing(self) -> int:
        """At how many places the two differ."""
        return differing(self.by_hand, self.session)


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


def next_logits(model: Model, ids: Sequence[int]) -> mx.array:
    """What the model says after the last id, (V,); rows beyond the vocabulary only pad it."""
    return model.logits(ids)[-1, : model.tokenizer.vocab_size]


def both_ways(model: Model, ids: Sequence[int], steps: int, watch: Watch) -> Greedy:
    """Append the most likely token at each step, by hand and in a session.

    Args:
        model: The model.
        ids: The prompt.
        steps: How many tokens are appended, fewer where the text ends.
        watch: Follows and stops.
    """
    by_hand = _greedy(model, ids, steps, watch.part(0.0, 0.6))
    session, uneven = _session(model, ids, steps, watch.part(0.6, 1.0))
    return Greedy(tuple(by_hand), pieces(model, by_hand), tuple(session), uneven)


def run_again(model: Model, ids: Sequence[int], watch: Watch) -> SameIds:
    """Run ids, another text, the same ids again, typed where that gives them, and others.

    Args:
        model: The model.
        ids: What the loop arrived at.
        watch: Can stop between the runs.
    """
    once = floats(next_logits(model, ids))
    watch.check()
    model.logits(model.raw_tokens(_UNRELATED))
    typed = model.raw_tokens(model.tokenizer.decode(ids))
    retyped = typed == list(ids)
    again = floats(next_logits(model, typed if retyped else list(ids)))
    watch.check()
    other = [*ids[:-1], (ids[-1] + 1) % model.tokenizer.vocab_size]
    changed = floats(next_logits(model, other))
    return SameIds(
        ids=len(ids),
        retyped=retyped,
        differing=changed_bits(once, again),
        logits=once.size,
        other_differing=changed_bits(once, changed),
    )


def greedy_claims(greedy: Greedy) -> Iterator[Claim]:
    """What should be seen of both ways."""
    yield Claim(
        "by_hand",
        "Taking the most likely token by hand, from token ids alone and without a cache, gives "
        "the very text that the app writes at temperature 0.",
        greedy.differing, "=", 0, "tokens that differ",
    )  # fmt: skip
    yield Claim(
        "one_token",
        "Each step appends exactly one token and leaves all earlier ones as they are.",
        greedy.uneven, "=", 0, "steps at which it was otherwise",
    )  # fmt: skip


def same_ids_claims(same: SameIds) -> Iterator[Claim]:
    """What should be seen of the same ids and of others."""
    yield Claim(
        "only_ids",
        "Nothing but the token ids goes in: the same ids, given at once after another text was "
        "run, give the same distribution to the last bit.",
        same.differing, "=", 0, "logits that differ",
    )  # fmt: skip
    yield Claim(
        "other_ids",
        "Another id in one place gives another distribution.",
        same.other_differing, ">", 0, "logits that differ",
    )  # fmt: skip


def _greedy(model: Model, ids: Sequence[int], steps: int, watch: Watch) -> list[int]:
    sequence = list(ids)
    for step in range(steps):
        sequence.append(best(model, next_logits(model, sequence)))
        watch.tell((step + 1) / steps)
        if sequence[-1] in model.end_ids:
            break
    return sequence[len(ids) :]


def _session(model: Model, ids: Sequence[int], steps: int, watch: Watch) -> tuple[list[int], int]:
    """What a session appends to the ids, and at how many steps it was not just one token."""
    session = model.session()
    before, uneven = list(ids), 0
    with closing(session.generate(ids, Sampling(temperature=0.0), steps)) as chunks:
        for chunk in chunks:
            if chunk.token is not None:
                after = session.tokens
                uneven += after != [*before, chunk.token]
                before = after
            watch.tell((len(before) - len(ids)) / steps)
    return session.tokens[len(ids) :], uneven
