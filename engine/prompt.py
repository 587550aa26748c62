"""Messages → the tokens of a prompt, in which what a person typed is only ever text.

A template's own control tokens and the same characters typed by a person look alike once the
template is rendered, so the typed ones are disguised before.
"""

import re
from bisect import bisect_left
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import Any, cast

from engine.disguise import Disguise, texts_in
from engine.errors import TemplateError
from engine.template import ChatTemplate, Messages
from engine.tokenizer import Tokenizer

_LEAST_PINNED = 4


def _no_template() -> TemplateError:
    """What to raise where a template is asked for and there is none."""
    return TemplateError("This model has no chat template; give it a raw prompt instead.")


def prompt_text(template: ChatTemplate | None, messages: Messages, **options: Any) -> str:
    """The rendered chat template, with text in messages as it was typed.

    Raises:
        TemplateError: The template is missing, failed, or refused the messages.
    """
    if template is None:
        raise _no_template()
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
    disguise = _disguise(tokenizer, template, messages, options)
    disguised = [disguise.message(message) for message in messages]
    return _encode(tokenizer, _parts(disguise, template, disguised, options), held)


def message_ends(
    tokenizer: Tokenizer,
    template: ChatTemplate | None,
    messages: Messages,
    *,
    held: Sequence[int] = (),
    **options: Any,
) -> tuple[list[int], list[int | None]]:
    """The tokens of a prompt, and where in them each message ends.

    Arguments and errors are those of `prompt_tokens`.

    Returns:
        The ids, and for each message after how many of them its text and the marker behind it
        end; None for one that the template leaves out.
    """
    disguise = _disguise(tokenizer, template, messages, options)
    marks = [disguise.unused() for _ in messages]
    disguised = [
        _marked(disguise.message(message), mark)
        for message, mark in zip(messages, marks, strict=True)
    ]
    parts = _parts(disguise, template, disguised, options)
    at, places = 0, dict[str, int]()
    any_mark = re.compile(f"[{''.join(marks)}]")
    for index, part in enumerate(parts):
        if isinstance(part, int):
            at += len(tokenizer.token_bytes(part))
            continue
        plain = any_mark.sub("", part)
        for found in any_mark.finditer(part):
            before = any_mark.sub("", part[: found.start()])
            places[found.group()] = at + len(tokenizer.spelled(before, first=index == 0))
        at += len(tokenizer.spelled(plain, first=index == 0))
        parts[index] = plain
    ids = _encode(tokenizer, parts, held)
    ends = [*accumulate(len(tokenizer.token_bytes(id_)) for id_ in ids)]
    lead = ends[-1] - at if ends else 0  # a begin-of-text token that the template does not write
    found = [
        bisect_left(ends, places[mark] + lead) + 1 if mark in places else None for mark in marks
    ]
    return ids, [None if end is None else _with_marker(tokenizer, ids, end) for end in found]


def _with_marker(tokenizer: Tokenizer, ids: Sequence[int], end: int) -> int:
    """The end of a text, moved behind a control token that follows at once."""
    return end + 1 if end < len(ids) and ids[end] in tokenizer.control_ids else end


def pinned_tokens(
    tokenizer: Tokenizer,
    template: ChatTemplate | None,
    messages: Messages,
    end_ids: Collection[int],
    **options: Any,
) -> int:
    """How many leading tokens of a prompt are the system prompt's, at least 4 where it has them.

    They are those that another first message of the user's would not change, up to the last end
    of a turn among them. Where the system prompt is part of the user's first turn, all of them.

    Args:
        tokenizer: The model's.
        template: The model's.
        messages: Dictionaries with `role` and `content`.
        end_ids: Tokens that end a turn.
        options: Passed to the template.

    Raises:
        TemplateError: The template is missing, failed, or refused the messages.
    """
    ids = prompt_tokens(tokenizer, template, messages, **options)
    first = next((i for i, each in enumerate(messages) if each.get("role") == "user"), None)
    shared = len(ids)
    if first is not None:
        begins_with_x = str(messages[first].get("content")).lstrip()[:1] in ("x", "X")
        other = {**messages[first], "content": "y" if begins_with_x else "x"}
        changed = [*messages[:first], other, *messages[first + 1 :]]
        shared = _common(ids, prompt_tokens(tokenizer, template, changed, **options))
    ends = [count for count, id_ in enumerate(ids[:shared], start=1) if id_ in end_ids]
    return min(max(ends[-1] if ends else shared, _LEAST_PINNED), len(ids))


def _disguise(
    tokenizer: Tokenizer,
    template: ChatTemplate | None,
    messages: Messages,
    options: Mapping[str, Any],
) -> Disguise:
    if template is None:
        raise _no_template()
    return Disguise(tokenizer, list(texts_in([list(messages), options, template.sources])))


def _parts(
    disguise: Disguise,
    template: ChatTemplate | None,
    disguised: Messages,
    options: Mapping[str, Any],
) -> list[str | int]:
    """The rendered prompt: plain text, as it was typed, between control tokens."""
    assert template is not None
    rendered = template.render(
        disguised, **{key: disguise.everywhere(value) for key, value in options.items()}
    )
    return [
        disguise.restored(part) if isinstance(part, str) else part
        for part in disguise.tokenizer.split(rendered)
    ]


def _marked(message: Mapping[str, Any], mark: str) -> dict[str, Any]:
    """A message whose text ends with a mark, before white space that a template may strip."""
    content = message.get("content")
    if not isinstance(content, str):
        return dict(message)
    text = content.rstrip()
    return {**message, "content": text + mark + content[len(text) :]}


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
