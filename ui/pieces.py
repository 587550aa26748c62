"""How pieces of text are written where their spaces and line ends are to be seen."""

from __future__ import annotations


def visible(text: str) -> str:
    """A token's text with its spaces and line ends to be seen."""
    return text.replace(" ", "␣").replace("\n", "⏎").replace("\t", "⇥") or "∅"
