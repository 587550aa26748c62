"""Titles and previews, and the values that new chats and messages start with."""

import pytest

from app.chats.model import (
    new_chat,
    new_message,
    new_reply,
    preview_of,
    shortened,
    title_from,
    untitled,
)


@pytest.mark.parametrize(
    ("question", "title"),
    [
        ("What is a KV cache?", "What is a KV cache?"),
        ("\n\n  ## Explain *RoPE*  \nin detail", "Explain *RoPE*"),
        ("a\tb\x00c\u2028d", "a b c"),
        ("", untitled()),
        ("  \n### \n```", untitled()),
        (
            "Why does the first token take so much longer than all of the tokens after it?",
            "Why does the first token take so much longer…",
        ),
        ("word " * 9 + "and, then", "word word word word word word word word word…"),
        ("日本語" * 30, "日本語" * 15 + "日本…"),
    ],
)
def test_title_is_one_line_cut_between_words(question: str, title: str) -> None:
    assert title_from(question) == title


@pytest.mark.parametrize(
    "whole",
    ["e\u0301", "👍🏽", "👩\u200d💻", "क\u093f"],
    ids=["accent", "skin tone", "joined", "vowel sign"],
)
def test_a_cut_tears_no_written_character_apart(whole: str) -> None:
    for length in range(4, 12):
        cut = shortened(whole * 12, length)
        assert len(cut) <= length
        assert cut.endswith("…")
        assert cut[:-1] == whole * (len(cut[:-1]) // len(whole))


def test_new_values_differ_and_start_plain() -> None:
    chat = new_chat()
    assert (chat.title, chat.leaf_id) == (untitled(), None)
    assert chat.id != new_chat().id
    question = new_message(chat.id, None, "user", "Hello")
    reply = new_reply(chat.id, question.id, "starter")
    assert (question.state, question.model) == ("complete", None)
    assert (reply.state, reply.text, reply.parent_id) == ("streaming", "", question.id)
    assert (reply.role, reply.model) == ("assistant", "starter")


def test_a_preview_leaves_out_the_marks_of_markdown() -> None:
    text = "## Tips\n\n- Use **one** `name_of_it`\n\n```python\nprint(2 * 3)\n```\n> said"
    assert preview_of(text) == "Tips Use one name_of_it print(2 * 3) said"
    assert preview_of("Coats *grow* _it_, *very red*.") == "Coats grow _it_, very red."
    assert preview_of("2*3*4 and f(*a, *b), * no") == "2*3*4 and f(*a, *b), * no"


def test_a_preview_shows_the_words_of_a_table() -> None:
    table = "| Colour | Fruit |\n|--------|:-----:|\n| orange | Carrot |"
    assert preview_of(table) == "Colour Fruit orange Carrot"
    assert preview_of("a || b\n--- x | y") == "a || b --- x | y"
