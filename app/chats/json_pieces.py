"""Parsing long JSON a piece at a time.

The parser of the standard library lets no other thread run before it has come to the end of a
text; a file of a hundred megabytes would stop the window for seconds.
"""

import codecs
import json
import re

_DEPTH = 2  # whatever lies below is one piece: in files with chats, at most a chat
_CHUNK_BYTES = 1 << 20
_DECODER = json.JSONDecoder()
_SPACES = re.compile(r"[ \t\n\r]+")


def parsed(content: bytes) -> object:
    """Return what `json.loads` would.

    Raises:
        ValueError: It is no JSON.
        RecursionError: It is nested too deeply.
    """
    text = _decoded(content)
    value, at = _value(text, _next(text, 0), _DEPTH)
    if _next(text, at) != len(text):
        raise json.JSONDecodeError("Extra data", text, at)
    return value


def _decoded(content: bytes) -> str:
    decoder = codecs.getincrementaldecoder(json.detect_encoding(content))("surrogatepass")
    starts = range(0, len(content), _CHUNK_BYTES)
    pieces = [decoder.decode(content[start : start + _CHUNK_BYTES]) for start in starts]
    return "".join((*pieces, decoder.decode(b"", final=True)))


def _next(text: str, at: int) -> int:
    """Return where the next character stands that is no space."""
    spaces = _SPACES.match(text, at)
    return at if spaces is None else spaces.end()


def _value(text: str, at: int, depth: int) -> tuple[object, int]:
    """Return the value that begins at a place, and where it ends."""
    first = text[at : at + 1]
    if depth and first == "[":
        return _array(text, at, depth)
    if depth and first == "{":
        return _object(text, at, depth)
    return _DECODER.raw_decode(text, at)


def _array(text: str, at: int, depth: int) -> tuple[list[object], int]:
    items: list[object] = []
    at = _next(text, at + 1)
    if text[at : at + 1] == "]":
        return items, at + 1
    while True:
        item, at = _value(text, at, depth - 1)
        items.append(item)
        at = _next(text, at)
        if text[at : at + 1] == "]":
            return items, at + 1
        at = _after(text, at, ",")


def _object(text: str, at: int, depth: int) -> tuple[dict[str, object], int]:
    entries: dict[str, object] = {}
    at = _next(text, at + 1)
    if text[at : at + 1] == "}":
        return entries, at + 1
    while True:
        key, end = _DECODER.raw_decode(text, at)
        if not isinstance(key, str):
            raise json.JSONDecodeError("Expecting a name", text, at)
        at = _after(text, _next(text, end), ":")
        entries[key], at = _value(text, at, depth - 1)
        at = _next(text, at)
        if text[at : at + 1] == "}":
            return entries, at + 1
        at = _after(text, at, ",")


def _after(text: str, at: int, sign: str) -> int:
    """Return where something begins after a sign that has to stand at a place."""
    if text[at : at + 1] != sign:
        raise json.JSONDecodeError(f"Expecting {sign!r}", text, at)
    return _next(text, at + 1)
