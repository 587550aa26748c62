"""Where a prompt parts from what a session holds, and why reuse stops there."""

from collections.abc import Sequence

from engine.chunk import Reuse
from engine.generate import piece_of
from engine.sentence import Sentence
from engine.tokenizer import Tokenizer

_SHOWN = 12
"""How many tokens before and after a difference are shown."""


def reuse_of(
    tokenizer: Tokenizer,
    held: Sequence[int],
    ids: Sequence[int],
    common: int,
    kept: int,
    shortfall: str,
) -> Reuse:
    """What is said of a prompt that a session answers.

    Args:
        tokenizer: Spells tokens.
        held: The tokens of the session whose keys and values are there.
        ids: The prompt.
        common: How many leading tokens are the same.
        kept: How many of them are reused.
        shortfall: Why they may be fewer than could be.
    """
    is_short = kept < min(common, len(ids) - 1)  # the last one is computed in any case
    reason = shortfall if is_short else _reason(tokenizer, held, ids, common)
    parting = _parting(tokenizer, held, ids, common) if common < min(len(held), len(ids)) else ()
    return Reuse(kept, len(ids) - kept, kept, reason, *parting)


def _parting(
    tokenizer: Tokenizer, held: Sequence[int], ids: Sequence[int], common: int
) -> tuple[str, str, str]:
    """The text before the first difference, and how both sides go on."""
    spans = (
        held[max(common - _SHOWN, 0) : common],
        *(part[common:][:_SHOWN] for part in (held, ids)),
    )
    before, was, now = ("".join(piece_of(tokenizer, each) for each in span) for span in spans)
    return before, was, now


def _reason(tokenizer: Tokenizer, held: Sequence[int], ids: Sequence[int], common: int) -> Sentence:
    if not held:
        return Sentence("The session was empty.")
    if common == len(ids):
        return Sentence("The whole prompt was held; its last token is computed again.")
    if common == len(held):
        return Sentence("Everything that was held is reused; the rest is new.")
    was, now = (piece_of(tokenizer, part[common]) for part in (held, ids))
    return Sentence(
        "Token {number:,} differs: {was!r} was held, the prompt has {now!r}.",
        number=common + 1,
        was=was,
        now=now,
    )
