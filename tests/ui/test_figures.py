"""Figures are written the same way everywhere."""

from __future__ import annotations

import pytest

from ui import figures
from ui.counts import Counts


@pytest.mark.parametrize(
    ("amount", "text"),
    [
        (0, "0 B"),
        (1023, "1,023 B"),
        (1024, "1.00 KiB"),
        (2 * 30 * 3 * 64 * 1204 * 4, "52.9 MiB"),
        (538 * 2**20, "538 MiB"),
        (16 * 2**30, "16.0 GiB"),
        (3 * 2**50, "3,072 TiB"),
    ],
)
def test_bytes_have_three_digits_and_a_binary_unit(amount: int, text: str) -> None:
    assert figures.size(amount) == text


def test_counts_are_grouped() -> None:
    assert figures.count(8192) == "8,192"
    assert figures.whole(8191.6) == "8,192"


def test_a_negative_number_has_a_true_minus() -> None:
    assert [figures.signed(number, 2) for number in (-0.456, 0.456)] == ["−0.46", "0.46"]


def test_speed_keeps_one_decimal_until_a_hundred() -> None:
    assert [figures.speed(value) for value in (None, 41.84, 8.0, 312.4)] == [
        "–",
        "41.8",
        "8.0",
        "312",
    ]


def test_seconds_and_percent() -> None:
    assert figures.seconds(0.138) == "0.14 s"
    assert figures.seconds(None) == "–"
    assert figures.percent(1.7) == "100 %"
    assert figures.percent(0.424) == "42 %"
    assert figures.plain(4.0) == "4"
    assert figures.plain(0.5625) == "0.5625"


def test_counted_things_are_grouped_too() -> None:
    assert Counts().tokens(1204) == "1,204 tokens"
    assert Counts().tokens(12) == "12 tokens"
