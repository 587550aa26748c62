"""Sentences that can be said in another language: English text that knows what it was made from."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Self

_NONE: Mapping[str, object] = MappingProxyType({})


class Sentence(str):
    """An English sentence, or a part of one, with its template and what stands in its places.

    The template is a literal wherever one is made, so that translations of all of them can be
    collected. A value that is a `Sentence` itself is a part to translate too.

    Attributes:
        template: As `str.format` takes it; a text as it is where there are no values.
        values: By the names of their places.
    """

    template: str
    values: Mapping[str, object] = _NONE

    def __new__(cls, template: str, /, **values: object) -> Self:
        """Fill a template; without values nothing in it is a place."""
        made = super().__new__(cls, template.format(**values) if values else template)
        made.template = template
        if values:
            made.values = values
        return made

    @classmethod
    def of(cls, text: str, values: Mapping[str, object]) -> Sentence:
        """What an error was given as a sentence, which it may be already."""
        return text if isinstance(text, Sentence) else cls(text, **values)


def first_names(names: Sequence[str]) -> str:
    """The first three names, and how many more there are."""
    if len(names) <= 3:
        return ", ".join(names)
    return Sentence("{names} and {count} more", names=", ".join(names[:3]), count=len(names) - 3)
