"""What settings and schema mean for one model: sets of tokens, and constraints of a reply."""

import math
from collections.abc import Sequence, Set
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import mlx.core as mx

from engine.banned import BannedTexts
from engine.constraint import Constraint, Constraints, Schema
from engine.errors import SettingError
from engine.sampling import Stage, stages
from engine.sampling_settings import Sampling
from engine.token_sets import TokenSets, token_sets
from engine.tokenizer import Tokenizer

if TYPE_CHECKING:
    from engine.grammar import GrammarTokens


@dataclass(frozen=True)
class Limits:
    """What one reply needs.

    Attributes:
        sets: What sampling needs to know of the tokenizer.
        constraints: What limits the tokens by the text so far, if anything does.
    """

    sets: TokenSets
    constraints: Constraints | None


class Limiter:
    """Works out the limits of replies for one tokenizer, and keeps what is slow to make."""

    def __init__(self, tokenizer: Tokenizer, end_ids: Set[int]) -> None:
        """Prepare nothing yet.

        Args:
            tokenizer: The model's.
            end_ids: Every token that ends a reply.
        """
        self._tokenizer = tokenizer
        self.end_ids = frozenset(end_ids)

    def limits(self, sampling: Sampling, schema: Schema | None = None) -> Limits:
        """The limits of a reply that begins now.

        Raises:
            SettingError: A token id is beyond the vocabulary, every token is banned, a breaker can
                never act, or the schema cannot be used.
        """
        never = self._never(sampling)
        parts: list[Constraint] = []
        if sampling.banned:
            parts.append(BannedTexts(sampling.banned, self._tokenizer.table))
        if schema is not None:
            from engine.grammar import SchemaConstraint  # Late: start-up does not need it.

            parts.append(SchemaConstraint(schema, self._grammar_tokens))
        sets = token_sets(sampling, lambda: self._tokenizer.table, self.end_ids)
        return Limits(sets, Constraints(parts, never) if parts else None)

    def stages(
        self,
        logits: mx.array,
        sampling: Sampling,
        prompt: Sequence[int],
        reply: Sequence[int] = (),
        schema: Schema | None = None,
    ) -> tuple[Stage, ...]:
        """The distribution of a reply's next token before and after each step that is on.

        Args:
            logits: (V,) or longer, of the position after prompt and reply.
            sampling: How tokens are chosen.
            prompt: The prompt's tokens.
            reply: The reply's tokens so far.
            schema: A JSON schema for the reply.

        Returns:
            First the model's own distribution, last the one that is drawn from.

        Raises:
            SettingError: As for `limits`, or the reply so far is one that the limits exclude.
        """
        limits = self.limits(sampling, schema)
        allowed = None
        if (constraints := limits.constraints) is not None:
            for token in reply:
                if not constraints.allowed()[token]:
                    raise SettingError("The reply so far does not keep to the schema or the bans.")
                constraints.advance(token)
            allowed = constraints.mask()
        logits = logits[: self._tokenizer.vocab_size]
        return stages(logits, sampling, [*prompt, *reply], limits.sets, allowed)

    @cached_property
    def _grammar_tokens(self) -> "GrammarTokens":
        from engine.grammar import GrammarTokens  # Late: start-up does not need it.

        return GrammarTokens(self._tokenizer, self.end_ids)

    def _never(self, sampling: Sampling) -> list[int]:
        size = self._tokenizer.vocab_size
        if beyond := [token for token in sampling.logit_bias if token >= size]:
            raise SettingError(
                "The logit bias names token {token}, but this model's tokens are 0 to {last}.",
                token=beyond[0],
                last=size - 1,
            )
        never = [token for token, bias in sampling.logit_bias.items() if bias == -math.inf]
        if len(never) == size:
            raise SettingError("The logit bias bans every token; leave some.")
        return never
