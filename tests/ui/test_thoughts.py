"""What a model thinks is told from what it answers, in every family's way, in any pieces."""

from __future__ import annotations

import random

import pytest

from ui.chat.thoughts import MARKERS, Piece, ThoughtSplitter, answer_in, words


def split(text: str, sizes: list[int] | None = None, *, opened: bool = False) -> tuple[str, str]:
    """The thought and the answer of a text that comes in pieces."""
    splitter = ThoughtSplitter(opened=opened)
    pieces: list[Piece] = []
    position = 0
    for size in sizes or [len(text)]:
        pieces += splitter.feed(text[position : position + size])
        position += size
    pieces += splitter.feed(text[position:]) + splitter.finish()
    thought = answer = ""
    for piece in pieces:
        if piece.kind == "was_thought":
            thought, answer = answer, ""
        elif piece.kind == "thought":
            thought += piece.text
        else:
            answer += piece.text
    return thought.strip(), answer.strip()


@pytest.mark.parametrize(("opener", "closer"), MARKERS)
def test_every_family_in_any_pieces(opener: str, closer: str) -> None:
    text = f"\n{opener}\nI think < 1.\n{closer}\n\nSo be it: 1 < 2 [x]."
    for seed in range(6):
        chance = random.Random(seed)
        sizes = [chance.randint(1, 5) for _ in range(len(text))]
        assert split(text, sizes) == ("I think < 1.", "So be it: 1 < 2 [x].")
    assert split(text[len(opener) + 1 :], [3] * 40, opened=True)[0] == "I think < 1."


def test_words_between_channels_are_not_shown() -> None:
    text = (
        "<|channel|>analysis<|message|>Hm.<|end|><|start|>assistant<|channel|>final<|message|>Yes."
    )
    assert split(text) == ("Hm.", "Yes.")
    bare = "<|channel|>analysis<|message|>Hm.assistant<|channel|>final<|message|>Yes."
    assert split(bare) == ("Hm.", "Yes.")
    assert split("<think>I am an assistant</think>Yes.") == ("I am an assistant", "Yes.")


@pytest.mark.parametrize(
    "text",
    [
        "The marker <think> opens a thought, </think> closes it.",
        "```\n<think>\n```",
        "<thinker> is a word",
        "a < b",
        "[THIS] is no thought",
    ],
)
def test_an_answer_may_speak_of_markers(text: str) -> None:
    assert split(text, [1] * len(text)) == ("", text)


def test_a_close_that_nothing_opened_makes_a_thought_of_what_was_before() -> None:
    assert split("Let me see.\n</think>\n\nFour.", [2] * 20) == ("Let me see.", "Four.")


def test_thought_without_an_end_is_no_answer() -> None:
    assert split("<think>on and on </thin") == ("on and on </thin", "")


def test_two_thoughts_in_a_row() -> None:
    text = "<think>One.</think>\n<think>Two.</think>\nDone."
    assert split(text, [1] * len(text)) == ("One.Two.", "Done.")


def test_words_are_counted_in_any_script() -> None:
    assert words("two words") == 2
    assert words("把这段话") == 4
    assert words("") == 0


def test_the_answer_alone_is_what_no_thought_holds() -> None:
    assert answer_in("<think>so</think>\n\nYes.\n", opened=False) == "Yes."
    assert answer_in("so</think>Yes.", opened=True) == "Yes."
    # What a marker at its end makes a thought was no answer.
    assert answer_in("sky and sky\n</think>\nThe sky.", opened=False) == "The sky."
