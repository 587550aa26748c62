"""What is written is called after its title, as far as every system takes it."""

from __future__ import annotations

import pytest

from ui.files import file_name


@pytest.mark.parametrize(
    ("title", "name"),
    [
        ("Why? a/b: <c>", "Why a b c"),
        ("..", "Chat"),
        ("日本語", "日本語"),
        ("a" * 79 + " b", "a" * 79),
    ],
)
def test_file_names(title: str, name: str) -> None:
    assert file_name(title, "Chat") == name
