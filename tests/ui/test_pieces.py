"""Tokens of which nothing would be seen are seen."""

from __future__ import annotations

from ui.charts.ink import token
from ui.pieces import inked, visible


def test_what_has_no_ink_is_told() -> None:
    assert visible(" big\n") == "␣big↵"
    assert visible("\xa0") == "⟨00A0⟩"
    assert visible("\r\n\t") == "⟨000D⟩↵⇥"
    assert visible("\u200b\u202e") == "⟨200B⟩⟨202E⟩"
    assert visible("") == "∅"
    assert visible("😀你好é") == "😀你好é"
    assert inked("two words\n") == "two words↵"


def test_lists_of_tokens_write_them_so_too() -> None:
    assert token("  two words\n") == "␣␣two words↵"
    assert token("\xa0") == "⟨00A0⟩"
    assert token(visible(" a b")) == "␣a␣b"
