"""`cutaway verify`: the report in words and as JSON, and the status it ends with."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

import engine
from app.__main__ import main
from app.cli import verify
from engine.exactness import Change
from tests.engine.checkpoints import TinyLlama, write_folder


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return write_folder(tmp_path / "tiny", TinyLlama(head_dim=32))


def test_the_report_in_words(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["verify", str(folder), "--text", "Once upon a time"]) == 0
    said = capsys.readouterr()
    assert said.err == ""
    lines = said.out.splitlines()
    assert lines[0] == "tiny, 16 tokens"
    assert lines[1].startswith("✓ What the cache stores never changed: ")
    assert lines[2].startswith("✓ Replayed")
    assert lines[3].startswith("✓ Computed at once")
    assert lines[4].startswith("· mlx-lm on the same weights: logits differ by at most ")
    assert lines[5].startswith("· Work: 16 instead of 136 tokens through the network, ")
    assert lines[-1] == "Exact."


def test_the_report_as_json(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["verify", str(folder), "--text", "Once upon a time", "--kv-bits", "8", "--json"]
    assert main(words) == 0
    report = json.loads(capsys.readouterr().out)
    assert report["exact"] is True
    assert report["tokens"] == 16
    assert report["policy"] == {"window": None, "pinned": 0, "bits": 8}
    assert report["one_shot"]["positions"] == 16
    assert report["within_rounding"] is None


def test_a_text_that_is_too_short(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["verify", str(folder), "--text", ""]) == 2
    assert (
        capsys.readouterr().err
        == "There must be at least 2 tokens to verify; give a longer text.\n"
    )


def test_what_is_not_exact_is_said(folder: Path) -> None:
    report = engine.verify(engine.load(folder), [1, 2, 3], compare=False)
    broken = replace(
        report,
        stored_exact=False,
        first_change=Change(layer=1, position=2, after=9, part="key"),
        replay_differs_at=4,
    )
    lines = list(verify._lines(broken))
    assert lines[1] == "✗ The key of token 3 in layer 2 changed when token 10 was run."
    assert "differs from token 5 on" in lines[2]
    assert lines[-1] == "Not exact."
