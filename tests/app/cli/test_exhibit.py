"""`cutaway exhibit`: the list, one exhibit in words and as JSON, and what is refused."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import engine
from app.cli import exhibit
from engine.exhibits import EXHIBITS, choosing
from tests.engine.checkpoints import TinyLlama, write_folder

Run = Callable[..., Any]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return write_folder(tmp_path / "tiny", TinyLlama(head_dim=32))


def test_the_exhibits_are_listed(cutaway: Run) -> None:
    said = cutaway("exhibit")
    assert said.status == 0
    assert "12  Choosing the next token\n    prompt, temperature, top_k" in said.out
    listed = cutaway("exhibit", "--json").json
    assert [each["exhibit"] for each in listed] == sorted(EXHIBITS)
    bill = next(each for each in listed if each["name"] == "memory_bill")
    bits = next(each for each in bill["settings"] if each["name"] == "bits")
    assert bits == {
        "name": "bits",
        "kind": "choice",
        "default": 16,
        "meaning": "bits of each stored number",
        "choices": [4, 8, 16, 32],
    }


def test_an_exhibit_in_words(cutaway: Run, folder: Path) -> None:
    said = cutaway("exhibit", 12, "temperature=0", "samples=5", "--model", folder)
    assert said.status == 0
    assert said.err == ""
    lines = said.out.splitlines()
    assert lines[0] == "Exhibit 12. Choosing the next token: tiny"
    assert "✓ The same seed draws the same tokens." in lines
    assert "    0 draws that differ, as it should be: = 0" in lines
    assert "How this is computed:" in lines
    assert lines[-1] == "All seen."


def test_an_exhibit_as_json(cutaway: Run, folder: Path) -> None:
    given = ("bits=8", "measured-tokens=3", f"config={folder / 'config.json'}")
    report = cutaway("exhibit", 8, *given, "--model", folder, "--json").json
    assert (report["model"], report["exhibit"], report["name"]) == ("tiny", 8, "memory_bill")
    assert report["seen"] is True
    assert all(claim["seen"] for claim in report["claims"])
    assert report["result"]["inputs"]["bits"] == 8
    assert report["result"]["measured"][-1]["tokens"] == 3
    assert report["result"]["other"]["name"] == "tiny"
    assert report["result"]["how"][0]["function"] == "engine.kv.kv_bytes"


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ((99,), "There is no exhibit 99; there are "),
        ((12, "heat=1"), "'heat=1' sets nothing in exhibit 12; give name=value"),
        ((12, "seed"), "'seed' sets nothing in exhibit 12"),
        ((12, "temperature=warm"), "temperature is a number from 0.0 to 5.0, not 'warm'"),
        ((12, "samples=1.5"), "samples is a whole number from 1 to 10,000, not '1.5'"),
        ((8, "bits=5"), "bits is one of 4, 8, 16, 32, not '5'"),
    ],
)
def test_what_is_refused(cutaway: Run, words: tuple[object, ...], said: str) -> None:
    outcome = cutaway("exhibit", *words)
    assert outcome.status == 2
    assert said in outcome.sentence


def test_a_config_that_is_not_there_is_refused(cutaway: Run, folder: Path) -> None:
    given = ("config=nowhere/none", "measured-tokens=1", "--model", folder)
    outcome = cutaway("exhibit", 8, *given)
    assert outcome.status == 2
    assert "nowhere/none" in outcome.sentence


def test_what_was_not_seen_is_said(folder: Path) -> None:
    model = engine.load(folder)
    result = EXHIBITS[12].measure(model, choosing.ChoosingInputs(samples=5))
    assert result.draws is not None
    wrong = replace(result, draws=replace(result.draws, impossible=2, distance=0.987654))
    lines = list(exhibit._lines(EXHIBITS[12], "tiny", wrong))
    assert "✗ Only tokens that are left are ever drawn." in lines
    assert "    2 draws, but it should be: = 0" in lines
    assert any(
        line.startswith("    0.9877 total variation, but it should be: ≤ ") for line in lines
    )
    count = len(EXHIBITS[12].claims(wrong))
    assert lines[-1] == f"{count - 2} of {count} claims were seen."
