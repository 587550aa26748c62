"""What is parsed in pieces is what the standard library makes of the whole."""

from __future__ import annotations

import json
import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.chats.json_pieces import parsed

_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=20,
)


@settings(max_examples=40)
@given(_JSON, st.sampled_from([None, 1]), st.booleans(), st.sampled_from(["utf-8", "utf-16"]))
def test_it_is_what_the_whole_is(
    data: object, indent: int | None, escaped: bool, code: str
) -> None:
    text = json.dumps(data, indent=indent, ensure_ascii=escaped)
    assert parsed(text.encode(code, "surrogatepass")) == data


@pytest.mark.parametrize(
    "text",
    ["", " ", "[", "[1", "[1,", "[1,]", "[1 2]", "{", '{"a"', '{"a":', '{"a":1', '{"a":1,}',
     "{1:2}", '{"a" 1}', '{"a":1 "b":2}', "[] []", "nul", '["\\ud8"]', "[1}", '{"a":[1}'],
)  # fmt: skip
def test_what_is_no_json_is_refused(text: str) -> None:
    with pytest.raises(json.JSONDecodeError):
        json.loads(text)
    with pytest.raises(json.JSONDecodeError):
        parsed(text.encode())


def test_damaged_json_is_refused_where_the_whole_is() -> None:
    dice = random.Random(3)
    sound = json.dumps([{"a": [1, {"b": "ä\ud83d"}], "c": None}, {"d": {}, "e": []}, []]).encode()
    for _ in range(3000):
        place = dice.randrange(len(sound))
        content = (
            sound[:place]
            + dice.choice([b"", b",", b"]", b"}", b'"', b"{", b" ", b"1", b"\\", b"\xff"])
            + sound[place + dice.randrange(2) :]
        )
        try:
            whole = json.loads(content)
        except ValueError:
            with pytest.raises((json.JSONDecodeError, UnicodeDecodeError)):
                parsed(content)
        else:
            assert parsed(content) == whole


def test_what_is_nested_too_deeply_is_refused() -> None:
    with pytest.raises(RecursionError):
        parsed(b"[" * 100_000)


def test_a_character_may_lie_on_the_edge_of_a_chunk() -> None:
    text = json.dumps(["a" * 1_048_573 + "日本"], ensure_ascii=False)
    assert parsed(text.encode()) == json.loads(text)
