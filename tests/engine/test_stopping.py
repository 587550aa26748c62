"""Stop strings in streams that are cut anywhere."""

import itertools

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import engine
from engine.stopping import StopText


def stream(pieces: list[str], stop: list[str]) -> tuple[str, bool]:
    stopper, shown = StopText(stop), ""
    for piece in pieces:
        text, stopped = stopper.add(piece)
        shown += text
        if stopped:
            return shown, True
    return shown + stopper.finish(), False


def whole(text: str, stop: list[str]) -> tuple[str, bool]:
    found = [at for entry in stop if (at := text.find(entry)) >= 0]
    return (text[: min(found)], True) if found else (text, False)


def test_a_stop_string_is_found_at_every_split() -> None:
    text = "one\n\nUser: two"
    for size in range(1, 4):
        for cuts in itertools.combinations(range(1, len(text)), size):
            edges = [0, *cuts, len(text)]
            pieces = [text[a:b] for a, b in itertools.pairwise(edges)]
            assert stream(pieces, ["\nUser:", "never"]) == ("one\n", True)


def test_text_that_only_begins_like_a_stop_string_is_shown_in_the_end() -> None:
    assert stream(["ab", "\nUs"], ["\nUser:"]) == ("ab\nUs", False)


@settings(max_examples=200, derandomize=True, deadline=None)
@given(
    st.lists(st.text("abc", max_size=3), max_size=12),
    st.lists(st.text("abc", min_size=1, max_size=4), max_size=3),
)
def test_streaming_equals_cutting_the_whole_text(pieces: list[str], stop: list[str]) -> None:
    shown, stopped = stream(pieces, stop)
    # A longer stop string that began earlier may still be incomplete when a shorter one is found.
    expected, expected_stop = whole("".join(pieces), stop)
    assert stopped == expected_stop
    assert shown.startswith(expected)
    if not stopped:
        assert shown == expected


@pytest.mark.parametrize("stop", [[""], "text"])
def test_empty_stop_strings_and_a_bare_string_are_refused(stop: list[str]) -> None:
    with pytest.raises(engine.SettingError, match="Stop texts"):
        StopText(stop)
