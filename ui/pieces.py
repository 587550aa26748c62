"""How pieces of text are written where their spaces and line ends are to be seen."""

from __future__ import annotations

CONTINUED = "·"
"""In the place of a token that has no text: another one has the character that both are part of."""


def visible(text: str) -> str:
    """A token's text with all that has no ink to be seen."""
    return inked(text).replace(" ", "␣") or "∅"


def inked(text: str) -> str:
    """The text in one line, with all that has no ink but spaces to be seen: ↵, ⇥, ⟨00A0⟩."""
    text = text.replace("\n", "↵").replace("\t", "⇥")
    if text.isprintable():
        return text
    return "".join(each if each.isprintable() else f"⟨{ord(each):04X}⟩" for each in text)
