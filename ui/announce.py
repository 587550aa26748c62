"""What screen readers are told without being asked, after what they are reading now."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from PySide6.QtGui import QAccessible, QAccessibleAnnouncementEvent

if TYPE_CHECKING:
    from PySide6.QtCore import QObject

_END = re.compile(r"(?<![.!?…\d])[.!?…]++[\"'”’)\]*_]*+(?=\s)|[。！？]++[”’）」』]*+|\n")
"""A number before a point may be that of a list, and is no end."""
_MARKS = re.compile(r"^\s*(?:#{1,6} |[>*+-] |\d+[.)] )|\*\*|__|`", re.MULTILINE)
_FENCE = re.compile(r"\s*(?:```|~~~)")
_LONGEST = 400


def announce(source: QObject, words: str) -> None:
    """Have a screen reader say words when it has said what it says now."""
    if QAccessible.isActive():
        event = QAccessibleAnnouncementEvent(source, words)
        event.setPoliteness(QAccessible.AnnouncementPoliteness.Polite)
        QAccessible.updateAccessibility(event)


class Sentences:
    """Cuts a text that comes in pieces into sentences; what is code is left to be looked at."""

    def __init__(self) -> None:
        self._open = ""
        self._in_code = False

    def feed(self, text: str) -> list[str]:
        """Take more; returns the sentences that are complete now, without marks of Markdown."""
        self._open += text
        found: list[str] = []
        start = 0
        for end in _END.finditer(self._open):
            found += self._spoken(self._open[start : end.end()])
            start = end.end()
        self._open = self._open[start:]
        if len(self._open) > _LONGEST:  # no end in sight
            found += self.finish()
        return found

    def finish(self) -> list[str]:
        """Take what is left as the last sentence."""
        rest, self._open = self._open, ""
        return self._spoken(rest)

    def _spoken(self, piece: str) -> list[str]:
        if _FENCE.match(piece):
            self._in_code = not self._in_code
            return []
        words = " ".join(_MARKS.sub("", piece).split())
        return [words] if words and not self._in_code else []
