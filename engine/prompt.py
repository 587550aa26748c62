"""Messages → the tokens of a prompt, in which what a person typed is only ever text.

A template's own control tokens and the same characters typed by a person look alike once the
template is rendered. So the typed ones are disguised before: the first character of each is
replaced by a stand-in that occurs nowhere else, and put back when the rendered text has been cut
at the control tokens that are left, which are the template's.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any, cast

from engine.errors import TemplateError
from engine.template import ChatTemplate, Messages
from engine.tokenizer import Tokenizer

_NO_TEMPLATE = "This model has no chat template; give it a raw prompt instead."
_STAND_INS = (range(0xFDD0, 0xFDF0), range(0xE000, 0xF900), range(0xF0000, 0xFFFFE))


def prompt_text(template: ChatTemplate | None, messages: Messages, **options: Any) -> str:
    """The rendered chat template, with text in messages as it was typed.

    Raises:
        TemplateError: The template is missing, failed, or refused the messages.
    """
    if template is None:
        raise TemplateError(_NO_TEMPLATE)
    return template.render(messages, **options)


def prompt_tokens(
    tokenizer: Tokenizer,
    template: ChatTemplate | None,
    messages: Messages,
    *,
    held: Sequence[int] = (),
    **options: Any,
) -> list[int]:
    """The token ids of the rendered chat template; text in messages stays text.

    Args:
        tokenizer: The model's.
        template: The model's.
        messages: Dictionaries with `role` and `content`.
        held: Ids that a session holds. The prompt begins with exactly these where its text does,
            even where the model cut its own words into other tokens than `encode` would.
        options: Passed to the template.

    Raises:
        TemplateError: The template is missing, failed, or refused the messages.
        PromptError: A held id is not in the vocabulary.
    """
    if template is None:
        raise TemplateError(_NO_TEMPLATE)
    texts = list(_texts([list(messages), options, template.sources]))
    disguise = _Disguise(tokenizer, texts)
    rendered = template.render(
        [disguise.message(message) for message in messages],
        **{key: disguise.everywhere(value) for key, value in options.items()},
    )
    parts = [
        disguise.restored(part) if isinstance(part, str) else part
        for part in tokenizer.split(rendered)
    ]
    return _encode(tokenizer, parts, held)


class _Disguise:
    """Stand-ins for the first characters of control tokens' names, in typed text."""

    def __init__(self, tokenizer: Tokenizer, texts: Sequence[str]) -> None:
        """Find stand-ins that none of the texts has, neither as such nor as JSON escapes."""
        self._tokenizer = tokenizer
        used = set("".join(texts))
        escapes = {
            int(code, 16) for text in texts for code in re.findall(r"\\u([\da-fA-F]{4})", text)
        }
        free = (code for code in chain(*_STAND_INS) if code not in escapes)
        self._free = (chr(code) for code in free if chr(code) not in used)
        self._stand_ins: dict[str, str] = {}

    def message(self, message: Mapping[str, Any]) -> dict[str, Any]:
        """A message with all its texts disguised but the role's."""
        thoughts = message.get("role") == "assistant"
        return {
            key: value if key == "role" else self.everywhere(value, keep_shown=thoughts)
            for key, value in message.items()
        }

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
        starts = self._tokenizer.control_starts(text, keep_shown=keep_shown)
        if not starts:
            return text
        characters = list(text)
        for at in starts:
            characters[at] = self._stand_in(text[at])
        return "".join(characters)

    def _stand_in(self, character: str) -> str:
        if character not in self._stand_ins:
            self._stand_ins[character] = next(self._free)
        return self._stand_ins[character]


@dataclass(frozen=True)
class _Place:
    """A place between two held tokens where the prompt says the same up to there.

    Attributes:
        tokens: Held tokens before it.
        part: Index of the prompt's part that goes on.
        offset: Bytes of that part before it.
    """

    tokens: int
    part: int
    offset: int


def _encode(tokenizer: Tokenizer, parts: list[str | int], held: Sequence[int]) -> list[int]:
    bos = tokenizer.bos_token_id
    lead = [bos] if bos is not None and tokenizer.add_bos and parts[:1] != [bos] else []
    plain = [*lead, *tokenizer.encode_parts(parts)]
    common = _common(plain, held)
    if common == len(held) or common < len(lead):
        return plain
    spelled = [_spelled(tokenizer, part, first=index == 0) for index, part in enumerate(parts)]
    places = _places(tokenizer, spelled, list(held[len(lead) :]))
    place = max(places, key=lambda found: found.tokens, default=None)
    if place is None or len(lead) + place.tokens <= common:
        return plain
    rest: list[str | int] = list(parts[place.part :])
    if place.offset:
        rest[0] = cast("bytes", spelled[place.part])[place.offset :].decode()
    kept = held[: len(lead) + place.tokens]
    return [*kept, *tokenizer.encode_parts(rest, first=False, inside=place.offset > 0)]


def _common(one: Sequence[int], other: Sequence[int]) -> int:
    """Number of leading tokens that two sequences share."""
    shared = zip(one, other, strict=False)
    return next((i for i, (a, b) in enumerate(shared) if a != b), min(len(one), len(other)))


def _spelled(tokenizer: Tokenizer, part: str | int, *, first: bool) -> bytes | int:
    return part if isinstance(part, int) else tokenizer.spelled(part, first=first)


def _places(tokenizer: Tokenizer, parts: list[bytes | int], held: list[int]) -> Iterator[_Place]:
    """Walk along held tokens and prompt; yields the places where they may be joined.

    They may be joined at a control token, before white space, and where the held tokens end: there
    tokens end in any case. Anywhere else the rest would be cut into unusual tokens.
    """
    part, offset = 0, 0
    for count, token in enumerate(held, start=1):
        wanted = parts[part] if part < len(parts) else None
        if token in tokenizer.control_ids:
            if wanted != token:
                return
            part, offset = part + 1, 0
        else:
            data = tokenizer.token_bytes(token)
            if not isinstance(wanted, bytes) or not data or not wanted.startswith(data, offset):
                return
            offset += len(data)
            if offset == len(wanted):
                part, offset = part + 1, 0
        if _may_join(parts, part, offset, last=count == len(held)):
            yield _Place(count, part, offset)


def _may_join(parts: list[bytes | int], part: int, offset: int, *, last: bool) -> bool:
    if offset == 0:
        return True
    following = cast("bytes", parts[part])[offset]
    inside_character = following & 0xC0 == 0x80
    return not inside_character if last else bytes([following]).isspace()


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for key, entry in cast("Mapping[Any, Any]", value).items():
            yield from _texts(key)
            yield from _texts(entry)
    elif isinstance(value, list | tuple):
        for entry in cast("list[Any]", value):
            yield from _texts(entry)
