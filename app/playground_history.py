"""What Undo takes back in the playground, token by token and edit by edit, and Redo brings back."""

from __future__ import annotations

import time
from collections import deque
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from ui.playground.state import PlayText

if TYPE_CHECKING:
    from collections.abc import Callable

    from app.playground_document import Document

_MOST = 5000
_MOST_UNDONE = 500
_ONE_EDIT_S = 1.0


@dataclass(frozen=True)
class _Added:
    """A token was added at the end of a text that had so many characters."""

    characters: int


class History:
    """The states before; a token costs a number, an edit a document."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._entries: deque[_Added | Document] = deque(maxlen=_MOST)
        self._undone: deque[Document] = deque(maxlen=_MOST_UNDONE)
        self._clock = clock
        self._edited_at = float("-inf")

    @property
    def is_empty(self) -> bool:
        """Whether there is nothing to take back."""
        return not self._entries

    def add_tokens(self, before: Document, after: Document) -> None:
        """Remember that tokens were added at the end of a text, each to be taken back alone."""
        self._edited_at = float("-inf")
        self._undone.clear()
        old, new = before.tokens.tokens, after.tokens.tokens
        same = before.tokens.ids == after.tokens.ids[: len(old)]
        grew = before.text and same and after.text.startswith(before.text)
        if not grew:
            self._entries.append(before)
            return
        length = len(before.text)
        for token in new[len(old) :]:
            self._entries.append(_Added(length))
            length = min(length + len(token.text), len(after.text))

    def add_edit(self, before: Document) -> None:
        """Remember a text before it was edited; edits in quick succession are one."""
        self._undone.clear()
        now = self._clock()
        if now - self._edited_at >= _ONE_EDIT_S:
            self._entries.append(before)
        self._edited_at = now

    def add(self, before: Document) -> None:
        """Remember a document before another one took its place."""
        self._edited_at = float("-inf")
        self._undone.clear()
        self._entries.append(before)

    def forget_tokens(self) -> None:
        """Forget single tokens, as when another model has made others of the text."""
        kept = [entry for entry in self._entries if not isinstance(entry, _Added)]
        self._entries.clear()
        self._entries.extend(kept)

    def undo(self, now: Document) -> Document | None:
        """The document before the latest change; None where there was none."""
        self._edited_at = float("-inf")
        if not self._entries:
            return None
        self._undone.append(now)
        entry = self._entries.pop()
        if not isinstance(entry, _Added):
            return entry
        tokens = PlayText(now.tokens.tokens[:-1], now.tokens.model)
        return replace(now, text=now.text[: entry.characters], tokens=tokens)

    def redo(self, now: Document) -> Document | None:
        """The document before the latest Undo; None where something was changed since."""
        if not self._undone:
            return None
        self._entries.append(now)
        return self._undone.pop()
