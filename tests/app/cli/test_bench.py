"""`cutaway bench` on a tiny model: what it prints, alone and against mlx-lm."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from engine import speed
from tests.engine.checkpoints import TinyLlama, write_folder

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path


@pytest.fixture
def tiny(tmp_path: Path) -> Path:
    return write_folder(tmp_path / "tiny", TinyLlama())


def test_speeds_are_printed_per_context(cutaway: Callable[..., Any], tiny: Path) -> None:
    outcome = cutaway("bench", tiny)

    assert outcome.status == 0
    heads, row = outcome.out.splitlines()
    assert heads.split() == ["Context", "Prefill", "tokens/s", "Decode", "tokens/s"]
    assert row.split()[0] == "64"


def test_a_row_is_printed_as_soon_as_it_is_measured(
    cutaway: Callable[..., Any], tiny: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    race = speed.race

    def stopped(loops: Any, ids: Sequence[int], **more: int) -> dict[str, speed.Speed]:
        if len(ids) > 8:
            raise KeyboardInterrupt
        return race(loops, ids, **more)

    def lengths(_: object) -> list[int]:
        return [8, 16]

    monkeypatch.setattr(speed, "contexts", lengths)
    monkeypatch.setattr(speed, "race", stopped)
    outcome = cutaway("bench", tiny)

    assert (outcome.status, outcome.err) == (1, "Stopped.\n")
    assert [line.split()[0] for line in outcome.out.splitlines()] == ["Context", "8"]


def test_another_engine_is_measured_in_turn(cutaway: Callable[..., Any], tiny: Path) -> None:
    outcome = cutaway("bench", tiny, "--against", "mlx-lm", "--json")

    report = outcome.json
    assert (report["model"], report["against"]) == ("tiny", "mlx-lm")
    (row,) = report["rows"]
    ratio = row["prefill_tps"] / row["against_prefill_tps"]
    assert row["prefill_ratio"] == pytest.approx(ratio)


def test_ratios_are_printed_below_both_sides(cutaway: Callable[..., Any], tiny: Path) -> None:
    outcome = cutaway("bench", tiny, "--against", "mlx-lm")

    assert [line.split()[0] for line in outcome.out.splitlines()] == [
        "Context",
        "64",
        "mlx-lm",
        "ratio",
    ]


def test_another_engine_that_is_not_known_is_refused(
    cutaway: Callable[..., Any], tiny: Path
) -> None:
    outcome = cutaway("bench", tiny, "--against", "abacus")

    assert outcome.status == 2
    assert "mlx-lm" in outcome.sentence
