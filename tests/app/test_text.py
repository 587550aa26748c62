"""Figures as text."""

import io

import pytest
from typing_extensions import override

from app.text import bytes_text, for_stream, seconds_text, speed_text


@pytest.mark.parametrize(
    ("count", "text"),
    [
        (0, "0 B"),
        (1023, "1023 B"),
        (1024, "1.0 KiB"),
        (131072, "128.0 KiB"),
        (55_469_670, "52.9 MiB"),
        (1 << 30, "1.0 GiB"),
        ((1 << 30) - 1, "1.0 GiB"),
        (1 << 40, "1.0 TiB"),
        (1 << 52, "4,096.0 TiB"),
    ],
)
def test_bytes(count: int, text: str):
    assert bytes_text(count) == text


def test_speeds_and_seconds():
    assert speed_text(41.83) == "41.8 tokens/s"
    assert speed_text(12345.0) == "12,345.0 tokens/s"
    assert speed_text(None) == "–"
    assert seconds_text(0.137) == "0.14 s"
    assert seconds_text(0.0) == "0.00 s"
    assert seconds_text(None) == "–"


class Terminal(io.StringIO):
    @override
    def isatty(self) -> bool:
        return True


def test_a_terminal_gets_no_commands_from_a_model_and_a_file_gets_all() -> None:
    text = "a\x1b]0;title\x07\x9b2J\tb\nc é 日本"
    assert for_stream(text, Terminal()) == "a�]0;title��2J\tb\nc é 日本"
    assert for_stream(text, io.StringIO()) == text
