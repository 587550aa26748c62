"""What the playground shows, as frozen values: no Qt, made on the engine's thread."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class PlayToken:
    """One token of the text.

    Attributes:
        token: Its id.
        text: Shown alone; a control token's name.
        control: Whether it is a control token.
        probability: How likely the model found it, 0 to 1; None for the first token, of which
            nothing is known, and where it has not been computed yet.
        entropy: How undecided the model was before it, in bits; None likewise.
        rank: 1 where it was the most likely one; 0 where nothing is known.
    """

    token: int
    text: str
    control: bool = False
    probability: float | None = None
    entropy: float | None = None
    rank: int = 0


@dataclass(frozen=True)
class PlayText:
    """The document's text as its views see it.

    Attributes:
        tokens: In order; their ids are exact.
        model: The name of the model whose tokens they are; "" before there was one.
    """

    tokens: tuple[PlayToken, ...] = ()
    model: str = ""

    @property
    def ids(self) -> tuple[int, ...]:
        """The token ids."""
        return tuple(token.token for token in self.tokens)


@dataclass(frozen=True)
class Shade:
    """Numbers that the large text is coloured by, in place of its probabilities.

    Attributes:
        strengths: One per token, 0 to 1; a shorter one leaves the rest blank.
        name: What they are, for the caption and for export: "attention weight".
        note: A few words that go with them: "layer 14, head 6".
    """

    strengths: tuple[float, ...]
    name: str
    note: str = ""
