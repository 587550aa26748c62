"""Follows the first thought of a reply while it comes: how long it takes and how long it is."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    from app.chats.model import Figures

_TELL_EVERY_S = 0.25


class ThoughtMeter:
    """Times the thought and counts its tokens, from its first word to the token that closes it."""

    def __init__(
        self,
        *,
        opened: bool,
        begun: str = "",
        earlier: Figures | None = None,
        clock: Callable[[], float] = time.perf_counter,
    ) -> None:
        """Begin with a reply.

        Args:
            opened: Whether the prompt has opened a thought.
            begun: What the reply already says.
            earlier: The figures of what it says.
            clock: Tells the time in seconds.
        """
        from ui.chat.thoughts import ThoughtSplitter  # late: no start waits for a thought

        self.opened = opened
        self._splitter = ThoughtSplitter(opened=opened)
        closed = any(piece.kind in _ENDS for piece in self._splitter.feed(begun))
        self._over = closed
        self._seen = opened or closed or self._splitter.thinking
        self._clock = clock
        self._took_s = 0.0 if earlier is None else earlier.thought_s or 0.0
        self._tokens = 0 if earlier is None else earlier.thought_tokens or 0
        self._at_s: float | None = None
        self._told_at_s = clock()
        self._all_tokens = 0

    @property
    def took_s(self) -> float | None:
        """How long the thought took; None while it runs, and where there is none."""
        return self._took_s if self._over and self._took_s else None

    @property
    def tokens(self) -> int | None:
        """How many tokens it has so far; None where there is none, or they were not counted."""
        return self._tokens if self._seen and self._tokens else None

    def add(self, text: str, *, is_token: bool) -> bool:
        """Follow more of the reply.

        Args:
            text: What was written.
            is_token: Whether a token came with it; what was held back brings none.

        Returns:
            Whether there is something new worth telling.
        """
        if self._over:
            return False
        now_s = self._clock()
        if self._at_s is None:
            self._at_s = now_s
        was = self._splitter.thinking
        ends = {piece.kind for piece in self._splitter.feed(text)} & _ENDS
        is_thinking = self._splitter.thinking
        self._all_tokens += is_token
        if "was_thought" in ends:  # all that came was one
            self._tokens = self._all_tokens - is_token
        elif was and is_thinking:
            self._tokens += is_token
        elif is_thinking:
            self._at_s = now_s
        if ends:
            self._took_s += now_s - self._at_s
            self._over = self._seen = True
            return True
        self._seen = self._seen or is_thinking
        return is_thinking and self._is_due(now_s)

    def _is_due(self, now_s: float) -> bool:
        due = now_s - self._told_at_s >= _TELL_EVERY_S
        if due:
            self._told_at_s = now_s
        return due


_ENDS = {"closed", "was_thought"}
