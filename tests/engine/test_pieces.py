"""The tokens of a text one by one: whole characters, and nothing but the text."""

from pathlib import Path

import pytest

from engine.gguf_file import GGUFFile
from engine.pieces import pieces_of, spelled_out
from engine.tokenizer import Tokenizer

TEXTS = ["plain words, and\nlines", "你好，世界", "😀👩‍🚀 and 🏴", "ไทย हिन्दी", "é ñ ẞ"]


@pytest.fixture(scope="module")
def starter(starter_path: Path) -> Tokenizer:
    return Tokenizer.from_gguf(GGUFFile.open(starter_path).metadata)


@pytest.mark.parametrize("text", TEXTS)
def test_the_pieces_are_the_text_in_whole_characters(starter: Tokenizer, text: str) -> None:
    ids = starter.encode(text)
    pieces = pieces_of(starter, ids)
    assert len(pieces) == len(ids)
    assert "".join(pieces) == text
    by_bytes = {starter.token_bytes(token): token for token in range(starter.vocab_size)}
    single = [by_bytes[bytes([byte])] for byte in text.encode() if bytes([byte]) in by_bytes]
    if len(single) == len(text.encode()):
        assert "".join(pieces_of(starter, single)) == text


def test_the_first_token_of_a_character_has_it(starter: Tokenizer) -> None:
    ids = starter.encode("😀!")
    assert pieces_of(starter, ids) == ["😀", *[""] * (len(ids) - 2), "!"]


def test_what_never_becomes_a_character_is_seen_as_such(starter: Tokenizer) -> None:
    ids = starter.encode("😀")
    assert pieces_of(starter, ids[:-1]) == ["�"] * (len(ids) - 1)
    assert pieces_of(starter, [ids[0], *starter.encode(" end")]) == ["�", " end"]
    assert pieces_of(starter, [ids[0], starter.vocab_size]) == ["�", ""]
    assert pieces_of(starter, []) == []


def test_bytes_that_are_no_character_are_told_apart(starter: Tokenizer) -> None:
    ids = starter.encode("天")
    assert [spelled_out(starter, token) for token in ids] == ["⟨E5·A4⟩", "⟨A9⟩"]
    told = [spelled_out(starter, token) for token in range(starter.vocab_size)]
    parts = [text for text in told if text.startswith("⟨")]
    assert len(set(parts)) == len(parts) > 100
    real = [token for token, text in enumerate(told) if "�" in text]
    assert all("�".encode() in starter.token_bytes(token) for token in real)
    plain = [*starter.encode(" words\n"), starter.vocab_size]
    assert "".join(spelled_out(starter, token) for token in plain) == " words\n"
