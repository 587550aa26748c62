"""Tokens in their own text: those of a text with whole characters, and any one on its own."""

import re
from collections.abc import Sequence

from engine.generate import piece_of
from engine.tokenizer import Tokenizer

_PART = "�"
_BYTES = re.compile("[\udc80-\udcff]+")
_MOST_PARTS = 8
"""Tokens that may share a character, or several characters whose bytes do not part."""


def pieces_of(tokenizer: Tokenizer, ids: Sequence[int]) -> list[str]:
    """Each token's text.

    Where several make one character, the first of them has it and the others have no text; � is
    only where bytes never become a character.
    """
    texts = [piece_of(tokenizer, token) for token in ids]
    start = 0
    while start < len(ids):
        end = start + 1
        if _PART in texts[start] and ids[start] < tokenizer.vocab_size:
            end, characters = _whole(tokenizer, ids, start)
            texts[start:end] = [characters, *[""] * (end - start - 1)]
        start = end
    return texts


def spelled_out(tokenizer: Tokenizer, token: int) -> str:
    """One token's text on its own; bytes that are no whole character by their numbers, ⟨F0·9F⟩."""
    text = piece_of(tokenizer, token)
    if _PART not in text:
        return text
    spelled = tokenizer.token_bytes(token).decode(errors="surrogateescape")
    return _BYTES.sub(lambda run: f"⟨{_numbers(run.group())}⟩", spelled)


def _numbers(escaped: str) -> str:
    # Without a space, which would be taken for one of the token's.
    return escaped.encode(errors="surrogateescape").hex(" ").upper().replace(" ", "·")


def _whole(tokenizer: Tokenizer, ids: Sequence[int], start: int) -> tuple[int, str]:
    """Where the characters end that begin with a token, and they; � where they never do."""
    spelled = b""
    for end in range(start, min(start + _MOST_PARTS, len(ids))):
        if ids[end] >= tokenizer.vocab_size:
            break
        spelled += tokenizer.token_bytes(ids[end])
        try:
            return end + 1, spelled.decode()
        except UnicodeDecodeError:
            continue
    return start + 1, piece_of(tokenizer, ids[start])
