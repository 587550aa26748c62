"""Token ids as callers give them: any whole numbers of the vocabulary, in any sequence."""

import operator
from collections.abc import Iterable, Sequence
from typing import SupportsIndex

from engine.errors import PromptError


def token_ids(ids: Iterable[SupportsIndex], vocab_size: int) -> list[int]:
    """Check token ids.

    Args:
        ids: A list, a NumPy array (L,) or the like.
        vocab_size: How many tokens the model knows.

    Returns:
        The same as plain integers.

    Raises:
        PromptError: There are none, or one is not a whole number or not in the vocabulary.
    """
    try:
        whole = [operator.index(token) for token in ids]
    except TypeError:
        raise PromptError("Token ids must be whole numbers, one after the other.") from None
    if not whole:
        raise PromptError("The prompt is empty; write something first.")
    for token in whole:
        if not 0 <= token < vocab_size:
            raise PromptError(
                "Token {token} is not in this model's vocabulary (0 to {last}).",
                token=token,
                last=vocab_size - 1,
            )
    return whole


def common_prefix(held: Sequence[int], ids: Sequence[int]) -> int:
    """How many leading tokens two sequences have in common."""
    for index, (was, now) in enumerate(zip(held, ids, strict=False)):
        if was != now:
            return index
    return min(len(held), len(ids))
