"""Texts that never appear in a reply, also when they would span tokens.

Before each token, every one is ruled out that would complete a banned text: those that contain one,
and those that go on with what the reply's end has begun of one. This is exact (the bytes of the
reply never contain a banned text's), nothing shown is ever taken back, and there is no dead end,
because the end of the reply is always allowed. The price: a word is left at its last token rather
than at its first, so the model may write `colo` and then has to go on without `ur`. Case and
accents count; only the reply is looked at, not the prompt.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from engine.token_sets import TokenTable

_Begun = frozenset[tuple[int, int]]


class BannedTexts:
    """Keeps some texts out of one reply; a `Constraint`."""

    finished = False

    def __init__(self, texts: Sequence[str], table: TokenTable) -> None:
        """Begin a reply.

        Args:
            texts: At least one, none empty.
            table: What each token adds to the reply.
        """
        self._texts = [text.encode("utf-8", "replace") for text in texts]
        self._table = table
        self._tail = b""
        self._longest = max(map(len, self._texts)) - 1
        self._always = ~np.logical_or.reduce([table.containing(text) for text in self._texts])
        self._known: dict[_Begun, NDArray[np.bool_]] = {frozenset(): self._always}

    def allowed(self) -> NDArray[np.bool_]:
        """Which tokens (V,) complete no banned text."""
        begun = self._begun()
        if (found := self._known.get(begun)) is None:
            found = self._always.copy()
            for index, size in begun:
                found[self._table.beginning(self._texts[index][size:])] = False
            self._known[begun] = found
        return found

    def advance(self, token: int) -> None:
        """Take the token that was drawn."""
        tail = self._tail + self._table.texts[token]
        self._tail = tail[-self._longest :] if self._longest else b""

    def _begun(self) -> _Begun:
        """The beginnings of banned texts that the reply ends with, as (text, length)."""
        return frozenset(
            (index, size)
            for index, text in enumerate(self._texts)
            for size in range(1, min(len(text), len(self._tail) + 1))
            if self._tail.endswith(text[:size])
        )
