"""How pieces of text are written where their spaces and line ends are to be seen."""

from __future__ import annotations

CONTINUED = "·"
"""In the place of a token that has no text: another one has the character that both are part of."""


def visible(text: str) -> str:
    """A token's text with its spaces and line ends to be seen."""
    return text.replace(" ", "␣").replace("\n", "⏎").replace("\t", "⇥") or "∅"
