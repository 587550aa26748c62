"""What the views of the playground want computed, as frozen values."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from ui.playground.state import PlaySettings


@dataclass(frozen=True)
class GrowWish:
    """Several continuations.

    Attributes:
        count: How many.
        length: The most tokens of each.
        way: "draw" gives each its own seed, "likeliest" its own first token.
    """

    count: int
    length: int
    way: Literal["draw", "likeliest"]


@dataclass(frozen=True)
class CompareWish:
    """One continuation under each of some settings, which have titles."""

    sides: tuple[tuple[str, PlaySettings], ...]
    length: int


@dataclass(frozen=True)
class TokensWish:
    """A text cut by the loaded model's tokenizer, and by another one's.

    Attributes:
        text: It.
        other: What model: a source as for opening one; "" for none.
    """

    text: str
    other: str = ""
