"""A text that is written and rewritten token by token, with what the model says after each.

A session draws replies; a draft is looked at. It keeps what leaves the last block at every
position, so that the distribution after any token costs one projection and no forward pass, and a
changed text costs only the tokens from the first difference on.
"""

import secrets
from bisect import bisect_right
from collections.abc import Sequence
from typing import cast

import mlx.core as mx

from engine.cache import CachePolicy
from engine.conditions import UNWATCHED, Watch
from engine.constraint import Constraints, Schema
from engine.errors import EngineError, PromptError, SettingError
from engine.likely import Distributions, Told, likely, projected
from engine.limits import Limits
from engine.model import Model
from engine.need import STEP, SessionNeed
from engine.protocols import SequenceCache
from engine.sampling import Sampler, Sampling, Stage
from engine.token_ids import common_prefix, token_ids

_STRIDE = 0x9E3779B97F4A7C15  # odd, so that neighbouring seeds and places never share draws
_USUAL = CachePolicy()


class Draft:
    """One text and its cache; it keeps the network alive, but not the model."""

    def __init__(self, model: Model) -> None:
        """Begin an empty text, on the thread that loaded the model."""
        self._config = model.config
        self._network = model.network
        self._common = model.common
        self._limiter = model.limiter
        self._vocab_size = model.tokenizer.vocab_size
        self._cache: SequenceCache = self._network.new_cache(_USUAL)
        self._tokens: list[int] = []
        self._told: list[Told | None] = []
        self._parts: list[mx.array] = []
        self._starts: list[int] = []
        self._latest: tuple[int, mx.array] | None = None
        self.computed = 0
        """How many tokens have gone through the network so far, in all."""

    @property
    def tokens(self) -> tuple[int, ...]:
        """The token ids."""
        return tuple(self._tokens)

    @property
    def told(self) -> tuple[Told | None, ...]:
        """What the model said of each token; None for the first."""
        return tuple(self._told)

    def follow(self, ids: Sequence[int], watch: Watch = UNWATCHED) -> int:
        """Hold another text; what it begins with and is held already is not computed again.

        Args:
            ids: L token ids.
            watch: Told and asked after each chunk.

        Returns:
            How many tokens were computed.

        Raises:
            PromptError: The ids are none, not of this vocabulary, or more than the context holds.
            MemoryLimitError: There is no memory for the cache.
            CancelledError: The caller stopped it; what was computed is held.
            EngineError: The device failed.
        """
        whole = self._checked(ids)
        common = common_prefix(self._tokens, whole)
        if common < len(self._tokens):
            self._trim(self._cache.reusable(common))
        todo = len(whole) - len(self._tokens)
        if not todo:
            return 0
        need = SessionNeed(self._config, _USUAL, self._network.dtype.size)
        most = min(self._common.chunk_size.tokens, todo)
        allocated = self._cache.allocated_bytes
        most = self._common.guard.check_session(need, len(whole) + STEP, most, allocated)
        self._cache.expect(len(whole))
        watch.check()
        try:
            while (done := len(self._tokens)) < len(whole):
                self._extend(whole[done : done + self._cache.chunk(min(most, len(whole) - done))])
                watch.step(len(self._tokens) - len(whole) + todo, todo)
        except (RuntimeError, MemoryError) as error:
            self._trim(0)
            self._cache = self._network.new_cache(_USUAL)
            raise EngineError(
                "The device failed while reading the text ({error}); a shorter one may fit.",
                error=str(error),
            ) from error
        return todo

    def logits(self, position: int) -> mx.array:
        """What the model says after the token at a position: (V,) float32, evaluated."""
        if not 0 <= position < len(self._tokens):
            raise SettingError(
                "There is no token {position:,} in this text.", position=position + 1
            )
        return self._logits(position)[0, : self._vocab_size]

    def entropy(self, position: int) -> float:
        """How undecided the model is after the token at a position, -Σ p log p in nats."""
        return float(likely(self.logits(position)[None], 1).entropies[0])

    def stages(
        self, position: int, sampling: Sampling, schema: Schema | None = None, start: int = 0
    ) -> tuple[Stage, ...]:
        """The distribution after the token at a position, before and after each step that is on.

        Args:
            position: Of a token of the text.
            sampling: How tokens are chosen.
            schema: A JSON schema.
            start: Where the text begins that keeps to it.

        Raises:
            SettingError: As `Limiter.stages` does.
        """
        tokens = self._tokens[: position + 1]
        start = len(tokens) if schema is None else min(start, len(tokens))
        return self._limiter.stages(
            self.logits(position), sampling, tokens[:start], tokens[start:], schema
        )

    def writer(
        self, sampling: Sampling, schema: Schema | None = None, start: int = 0
    ) -> "DraftWriter":
        """What draws the next tokens.

        Args:
            sampling: How tokens are chosen. Where it has a seed, the token at each place is drawn
                with a key of seed and place, so that steps, runs and branches agree.
            schema: A JSON schema.
            start: Where the text begins that keeps to it.

        Raises:
            SettingError: As `Limiter.limits` does, or the text has left the schema already.
        """
        limits = self._limiter.limits(sampling, schema)
        if (constraints := limits.constraints) is not None:
            _replay(constraints, [] if schema is None else self._tokens[start:])
        return DraftWriter(self, sampling, limits)

    @property
    def end_ids(self) -> frozenset[int]:
        """Tokens that end a text."""
        return self._limiter.end_ids

    @property
    def room(self) -> int:
        """How many more tokens the context holds."""
        return max(self._config.max_position_embeddings - len(self._tokens), 0)

    def _checked(self, ids: Sequence[int]) -> list[int]:
        whole = token_ids(ids, self._config.vocab_size)
        limit = self._config.max_position_embeddings
        if len(whole) > limit:
            raise PromptError(
                "The text has {count:,} tokens and this model's context holds {limit:,}; shorten "
                "it.",
                count=len(whole),
                limit=limit,
            )
        return whole

    def _logits(self, position: int) -> mx.array:
        """What the network says after a position, (1, V) float32; the latest one is kept."""
        if self._latest is None or self._latest[0] != position:
            part = bisect_right(self._starts, position) - 1
            row = position - self._starts[part]
            projected = self._network.project(self._parts[part][None, row : row + 1])
            logits = projected[0].astype(mx.float32)
            mx.eval(logits)
            self._latest = position, logits
        return self._latest[1]

    def _extend(self, piece: list[int]) -> None:
        """Run some more tokens, and read what the model said of each."""
        hidden = self._network.hidden(mx.array([piece], dtype=mx.int32), self._cache)[0]
        mx.eval(hidden, self._cache.arrays())
        told: list[Told | None] = [None]
        if self._parts:
            # What the model said of the first token is what it was drawn from, as a rule.
            told = [*Distributions(self._logits(len(self._tokens) - 1)).told(piece[:1])]
        for start, logits in projected(hidden[:-1], self._network.project, self._config.vocab_size):
            told += Distributions(logits).told(piece[start + 1 : start + 1 + logits.shape[0]])
        self._starts.append(len(self._tokens))
        self._parts.append(hidden)
        self._told += told
        self._tokens += piece
        self.computed += len(piece)

    def _trim(self, length: int) -> None:
        self._cache.trim(length)
        del self._tokens[length:]
        del self._told[length:]
        kept = bisect_right(self._starts, length - 1)
        del self._starts[kept:]
        del self._parts[kept:]
        self._latest = None
        if self._parts:
            self._parts[-1] = self._parts[-1][: length - self._starts[-1]]


class DraftWriter:
    """Draws the tokens that come next in a draft, one at a time."""

    def __init__(self, draft: Draft, sampling: Sampling, limits: Limits) -> None:
        """Begin after what the draft holds now."""
        self._draft = draft
        self._sampling = sampling
        self._limits = limits
        self.finished = False
        """Whether the schema lets nothing follow."""

    def write(self) -> int:
        """Draw one token and put it at the end of the draft.

        Raises:
            EngineError: There is no room for it, or the limits leave no token.
        """
        draft, constraints = self._draft, self._limits.constraints
        tokens = draft.tokens
        if not draft.room:
            raise PromptError("The context is full; shorten the text.")
        allowed = None if constraints is None else constraints.mask()
        seed = self._sampling.seed
        seed = secrets.randbits(63) if seed is None else (seed * _STRIDE + len(tokens)) % (1 << 64)
        sampler = Sampler(self._sampling, seed, tokens, self._limits.sets)
        token = cast("int", sampler(draft.logits(len(tokens) - 1), allowed).item())
        draft.follow([*tokens, token])
        if constraints is not None and token not in draft.end_ids:
            constraints.advance(token)
            self.finished = constraints.finished
        return token


def _replay(constraints: Constraints, tokens: Sequence[int]) -> None:
    for token in tokens:
        if not constraints.allowed()[token]:
            raise SettingError("The text so far does not keep to the schema or the bans.")
        constraints.advance(token)
