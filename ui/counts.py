"""Counted things in words.

They stand here together because Qt's `lupdate` finds plural forms only where a method of an object
calls its own `tr` with the number.
"""

from __future__ import annotations

from PySide6.QtCore import QObject
from typing_extensions import override

from ui import figures


class Counts(QObject):
    """Counted things in words, whose form follows the number."""

    @override
    def tr(self, sourceText: str, /, disambiguation: str | None = None, n: int = -1) -> str:
        """The words in the window's language, with the number's thousands grouped."""
        look_up = super().tr  # the texts themselves stand below, where lupdate reads them
        return look_up(sourceText, disambiguation, n).replace(str(n), figures.count(n), 1)

    def bars(self, number: int) -> str:
        """The bars of a chart."""
        return self.tr("%n bars", "", number)

    def nodes(self, number: int) -> str:
        """The nodes of a tree."""
        return self.tr("%n nodes", "", number)

    def rows(self, number: int) -> str:
        """The rows of a table."""
        return self.tr("%n rows", "", number)

    def tokens(self, number: int) -> str:
        """Tokens."""
        return self.tr("%n tokens", "", number)

    def tokens_before(self, number: int) -> str:
        """What stands before the part of a text that is shown."""
        return self.tr("… %n tokens before", "", number)

    def tokens_after(self, number: int) -> str:
        """What stands after the part of a text that is shown."""
        return self.tr("%n tokens after …", "", number)

    def keys_together(self, number: int) -> str:
        """What the weights of a head's keys add up to."""
        return self.tr("All %n keys together have {total}.", "", number)

    def other_keys(self, number: int) -> str:
        """The keys that have no row of their own."""
        return self.tr("all %n others", "", number)

    def messages_forgotten(self, number: int) -> str:
        """The messages that a question pushes out of the window."""
        return self.tr("%n messages will be forgotten", "", number)

    def chats_came_in(self, number: int) -> str:
        """The chats that were imported."""
        return self.tr("%n chats came in.", "", number)

    def chats_left_out(self, number: int) -> str:
        """The chats that were not imported."""
        return self.tr("%n could not: {reason}", "", number)

    def chats_written(self, number: int) -> str:
        """The chats that were exported."""
        return self.tr("%n chats were written to {name}.", "", number)

    def chats(self, number: int) -> str:
        """Chats."""
        return self.tr("%n chats", "", number)

    def messages(self, number: int) -> str:
        """Messages."""
        return self.tr("%n messages", "", number)

    def models(self, number: int) -> str:
        """Models."""
        return self.tr("%n models", "", number)

    def models_too_big(self, number: int) -> str:
        """Models that were found and are not shown."""
        return self.tr("%n more are too big for this machine.", "", number)

    def cores(self, number: int) -> str:
        """What a processor has."""
        return self.tr("%n cores", "", number)

    def files(self, number: int) -> str:
        """Files."""
        return self.tr("%n files", "", number)

    def downloads(self, number: int) -> str:
        """Downloads that are under way."""
        return self.tr("%n downloads", "", number)

    def days_ago(self, number: int) -> str:
        """When a model was used."""
        return self.tr("used %n days ago", "", number)

    def seconds_left(self, number: int) -> str:
        """What a download still takes."""
        return self.tr("%n s left", "", number)

    def minutes_left(self, number: int) -> str:
        """What a download still takes."""
        return self.tr("%n min left", "", number)

    def hours_left(self, number: int) -> str:
        """What a download still takes."""
        return self.tr("%n h left", "", number)
