"""Scoring a text: how likely the model finds each token of it, given those before.

The tokens are given, not drawn (teacher forcing), so that what was written at any time, by anyone,
can be looked at like a reply that is being written.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import mlx.core as mx
import numpy as np

from engine.asked import check_top
from engine.cache import CachePolicy
from engine.chunk import TokenLogprob
from engine.conditions import UNWATCHED, Watch
from engine.errors import PromptError, SettingError
from engine.generate import piece_of
from engine.likely import Distributions, projected
from engine.model import Model
from engine.need import SessionNeed
from engine.protocols import SequenceCache
from engine.sampling import Sampling
from engine.token_ids import token_ids

_USUAL = CachePolicy()


@dataclass(frozen=True)
class ScoredToken:
    """One token of a text; natural logarithms, before penalties and filters.

    Attributes:
        position: Where it stands.
        token: Its id.
        text: Shown alone.
        logprob: How likely the model finds it, given all before.
        rank: 1 where it is the most likely one, 2 where one is likelier …
        entropy: How undecided the model was, -Σ p log p in nats.
        top: The most likely tokens at this place, the likeliest first.
        drawn: For each of `top`, its probability after every step of a sampler, 0 where one
            removed it; empty where no sampler was given.
    """

    position: int
    token: int
    text: str
    logprob: float
    rank: int
    entropy: float
    top: tuple[TokenLogprob, ...]
    drawn: tuple[float, ...] = ()


@dataclass(frozen=True)
class Score:
    """A scored text.

    Attributes:
        tokens: Those that were scored, in order.
        mean_nll: The mean of -logprob, in nats per token.
    """

    tokens: tuple[ScoredToken, ...]
    mean_nll: float


def score(
    model: Model,
    ids: Sequence[int],
    start: int = 1,
    top: int = 5,
    *,
    sampling: Sampling | None = None,
    policy: CachePolicy = _USUAL,
    watch: Watch = UNWATCHED,
) -> Score:
    """Score the tokens of a sequence from `start` on.

    The sequence goes through a cache chunk by chunk, as a prompt does, and what leaves a chunk is
    projected to the vocabulary a few positions at a time, so memory does not grow with the square
    of the length.

    Args:
        model: Any, on the thread that loaded it.
        ids: L token ids.
        start: The first position to score, at least 1: nothing is known about the first token.
        top: How many alternatives to tell for each.
        sampling: Also tell what is left of each alternative after these settings' steps, in a reply
            that begins at `start`.
        policy: Of the cache, as in a session.
        watch: Told and asked after each chunk and between some positions of one.

    Raises:
        PromptError: The ids are none, not of this vocabulary, or more than the context holds.
        SettingError: `start` or `top` is out of bounds, or the model cannot have such a cache.
        MemoryLimitError: There is no memory for the cache.
        CancelledError: The caller stopped it.
    """
    whole = _checked(model, ids, start, policy)
    check_top(model.config, top)
    need = SessionNeed(model.config, policy, model.network.dtype.size)
    most = model.common.chunk_size.tokens
    most = model.common.guard.check_session(need, len(whole), min(most, len(whole)))
    cache: SequenceCache = model.network.new_cache(policy)
    cache.expect(len(whole))
    scorer = _Scorer(model, whole, start, top, sampling, watch)
    found: list[ScoredToken] = []
    done, last = 0, len(whole) - 1
    watch.check()
    while done < last:
        size = cache.chunk(min(most, last - done))
        hidden = model.network.hidden(mx.array([whole[done : done + size]]), cache)
        skipped = max(start - 1 - done, 0)
        wanted = hidden[0, skipped:]
        mx.eval(wanted, cache.arrays())
        if wanted.shape[0]:
            found += scorer.scored(done + skipped + 1, wanted)
        done += size
        watch.step(done, last)
    return Score(tuple(found), -sum(token.logprob for token in found) / len(found))


@dataclass(frozen=True)
class _Scorer:
    """What is to be told of each position."""

    model: Model
    ids: list[int]
    start: int
    top: int
    sampling: Sampling | None
    watch: Watch

    def scored(self, first: int, x: mx.array) -> list[ScoredToken]:
        """Score the tokens from position `first` on, from what the blocks say before each."""
        model = self.model
        found: list[ScoredToken] = []
        for start, logits in projected(x, model.network.project, model.config.vocab_size):
            at = first + start
            tokens = self.ids[at : at + logits.shape[0]]
            said = Distributions(logits)
            best = said.likely(self.top)
            rows = zip(
                tokens, said.told(tokens), best.ids.tolist(), best.logprobs.tolist(), strict=True
            )
            for row, (token, told, others, values) in enumerate(rows):
                alternatives = tuple(
                    TokenLogprob(other, piece_of(model.tokenizer, other), value)
                    for other, value in zip(others, values, strict=True)
                )
                text = piece_of(model.tokenizer, token)
                drawn = self._drawn(logits[row], at + row, others)
                found.append(
                    ScoredToken(
                        at + row,
                        token,
                        text,
                        told.logprob,
                        told.rank,
                        told.entropy,
                        alternatives,
                        drawn,
                    )
                )
                self.watch.check()
        return found

    def _drawn(self, logits: mx.array, position: int, others: list[int]) -> tuple[float, ...]:
        """What the sampler leaves of some tokens, as probabilities."""
        if self.sampling is None:
            return ()
        prompt, reply = self.ids[: self.start], self.ids[self.start : position]
        left = self.model.limiter.stages(logits, self.sampling, prompt, reply)[-1].logprobs
        # Rows of the embedding beyond the vocabulary are no tokens and are never drawn.
        return tuple(float(np.exp(left[other])) if other < left.size else 0.0 for other in others)


def _checked(model: Model, ids: Sequence[int], start: int, policy: CachePolicy) -> list[int]:
    whole = token_ids(ids, model.config.vocab_size)
    if len(whole) < 2:
        raise PromptError("There must be at least 2 tokens to score; give a longer text.")
    if not 1 <= start < len(whole):
        raise SettingError(
            "Scoring starts at a token from 1 to {last:,}, not {start}.",
            last=len(whole) - 1,
            start=start,
        )
    limit = model.config.max_position_embeddings
    if len(whole) > limit and policy.window is None:
        raise PromptError(
            "The text has {count:,} tokens and this model's context holds {limit:,}.",
            count=len(whole),
            limit=limit,
        )
    return whole
