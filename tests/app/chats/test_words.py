"""What the index holds of a text, and what a typed query becomes."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.chats.words import TERMS, parse_query, search_text


@pytest.mark.parametrize(
    ("text", "indexed"),
    [
        ("plain words, 1.5", "plain words, 1.5"),
        ("日本語", " 日本 本語 語 "),
        ("MLXの使い方", "MLX の使 使い い方 方 "),
        ("한", " 한 "),
    ],
)
def test_unspaced_scripts_are_indexed_in_pairs(text: str, indexed: str) -> None:
    assert search_text(text) == indexed


@pytest.mark.parametrize(
    ("text", "match"),
    [
        ("cache", '"cache" *'),
        ("cache ", '"cache"'),
        ("kv cache", '"kv" AND "cache" *'),
        ("kv c", '"kv"'),
        ('"kv cache', '"kv cache"'),
        ('"kv cache" x y', '"kv cache" AND "x"'),
        ("日本語", '"日本 本語"'),
        ("語", '"語" *'),
        ("MLXの使MLX", '"MLX の使 使 MLX" *'),
        ("foo.bar(", '"foo bar"'),
        ('a" OR "b', '"a" AND "OR"'),
        ("c", None),
        ("->", None),
        ("c++", '"c"'),
    ],
)
def test_queries_become_expressions(text: str, match: str | None) -> None:
    query = parse_query(text)
    assert query is not None
    assert query.match == match


@pytest.mark.parametrize("text", ["", " \n", '"', '""', "\0"])
def test_nothing_to_look_for(text: str) -> None:
    assert parse_query(text) is None


@pytest.mark.parametrize(
    ("query", "text", "found"),
    [
        ("uber", "Ganz über", "über"),
        ("über", "Ganz Uber", "Uber"),
        ("cafe", "Un cafe\u0301 !", "cafe\u0301"),
        ("cat", "concat cats", "cat"),
        ("cat ", "cats cat.", "cat"),
        ("本", "日本語", "本"),
        ("c++", "C and C++", "C++"),
        ("kv-cache", "a KV cache", "KV cache"),
        ("ВЕТЕР", "ветер", "ветер"),
    ],
)
def test_hits_are_marked_as_the_index_finds_them(query: str, text: str, found: str) -> None:
    parsed = parse_query(query)
    assert parsed is not None
    match = parsed.marks.search(text)
    assert match is not None
    assert match[0] == found


@given(st.text(max_size=400))
def test_any_query_can_be_parsed(text: str) -> None:
    query = parse_query(text)
    if query is not None:
        assert len(query.plain) <= TERMS
        query.marks.search(text)
