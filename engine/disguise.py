"""Stand-ins for control tokens' names in what a person typed, while a template is rendered.

The first character of each name is replaced by a character that occurs nowhere else, and put back
when the rendered text has been cut at the control tokens that are left, which are the template's.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain
from typing import Any, cast

from engine.tokenizer import Tokenizer

_STAND_INS = (range(0xFDD0, 0xFDF0), range(0xE000, 0xF900), range(0xF0000, 0xFFFFE))


class Disguise:
    """The stand-ins of one prompt."""

    def __init__(self, tokenizer: Tokenizer, texts: Sequence[str]) -> None:
        """Find stand-ins that none of the texts has, neither as such nor as JSON escapes."""
        self.tokenizer = tokenizer
        used = set("".join(texts))
        escapes = {
            int(code, 16) for text in texts for code in re.findall(r"\\u([\da-fA-F]{4})", text)
        }
        free = (code for code in chain(*_STAND_INS) if code not in escapes)
        self._free = (chr(code) for code in free if chr(code) not in used)
        self._stand_ins: dict[str, str] = {}

    def unused(self) -> str:
        """A character that no text has and that stands for nothing."""
        return next(self._free)

    def message(self, message: Mapping[str, Any]) -> dict[str, Any]:
        """A message with all its texts disguised; a usual role has nothing to disguise."""
        thoughts = message.get("role") == "assistant"
        return {key: self.everywhere(value, keep_shown=thoughts) for key, value in message.items()}

    def everywhere(self, value: Any, *, keep_shown: bool = False) -> Any:
        """Any plain data with all its texts disguised.

        Args:
            value: Text, lists, mappings and whatever is left as it is.
            keep_shown: Leave the markers of thoughts and tool calls, for templates to look for.
        """
        if isinstance(value, str):
            return self._disguised(value, keep_shown=keep_shown)
        if isinstance(value, Mapping):
            entries = cast("Mapping[Any, Any]", value).items()
            return {key: self.everywhere(entry, keep_shown=keep_shown) for key, entry in entries}
        if isinstance(value, list | tuple):
            entries = cast("list[Any]", value)
            return [self.everywhere(entry, keep_shown=keep_shown) for entry in entries]
        return value

    def restored(self, text: str) -> str:
        """Text with its stand-ins, plain or as JSON escapes, replaced by what they stand for."""
        for character, stand_in in self._stand_ins.items():
            text = text.replace(stand_in, character)
            text = text.replace(f"\\u{ord(stand_in):04x}", character)
        return text

    def _disguised(self, text: str, *, keep_shown: bool) -> str:
        starts = self.tokenizer.control_starts(text, keep_shown=keep_shown)
        if not starts:
            return text
        characters = list(text)
        for at in starts:
            characters[at] = self._stand_in(text[at])
        return "".join(characters)

    def _stand_in(self, character: str) -> str:
        if character not in self._stand_ins:
            self._stand_ins[character] = self.unused()
        return self._stand_ins[character]


def texts_in(value: Any) -> Iterator[str]:
    """Every text in plain data, keys included."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for key, entry in cast("Mapping[Any, Any]", value).items():
            yield from texts_in(key)
            yield from texts_in(entry)
    elif isinstance(value, list | tuple):
        for entry in cast("list[Any]", value):
            yield from texts_in(entry)
