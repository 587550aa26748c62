"""`cutaway plan`: the memory of the classroom's example, as a table and as JSON."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from tests.engine.checkpoints import TinyLlama, write_gguf

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    Cutaway = Callable[..., Any]

GIB = 1 << 30


@pytest.fixture
def classroom(tmp_path: Path) -> Path:
    """A config with 32 layers, 8 KV heads of 128 values: 128 KiB per token at 16 bits."""
    config = TinyLlama(
        hidden_size=4096,
        num_hidden_layers=32,
        num_attention_heads=32,
        num_key_value_heads=8,
        head_dim=128,
        intermediate_size=14336,
        vocab_size=128256,
        max_position_embeddings=8192,
        tied=False,
        extra={"torch_dtype": "bfloat16"},
    ).config()
    path = tmp_path / "config.json"
    path.write_text(json.dumps(config), encoding="utf-8")
    return path


def test_the_classroom_example(cutaway: Cutaway, classroom: Path) -> None:
    report = cutaway("plan", classroom, "--context", 8192, "--users", 10, "--json").json
    assert report["bytes_per_token"] == 131072
    assert report["bytes_per_user"] == GIB
    assert report["total_bytes"] == 10 * GIB
    assert (report["context"], report["users"], report["bits"]) == (8192, 10, 16)
    assert report["weights_bytes"] == 2 * 8_030_261_248
    assert report["needed_bytes"] == report["weights_bytes"] + 10 * GIB


@pytest.mark.parametrize(("bits", "share"), [(16, 1.0), (8, 0.53125), (4, 0.28125)])
def test_fewer_bits_take_less(cutaway: Cutaway, classroom: Path, bits: int, share: float) -> None:
    report = cutaway("plan", classroom, "--kv-bits", bits, "--json").json
    assert report["bytes_per_token"] == 131072 * share


def test_the_table_says_what_fits(cutaway: Cutaway, classroom: Path) -> None:
    outcome = cutaway("plan", classroom, "--users", 10, "--memory", 32 * GIB)
    assert (outcome.status, outcome.err) == (0, "")
    lines = outcome.out.splitlines()
    assert lines[0].split()[:3] == ["Weights", "15.0", "GiB"]
    assert "128.0 KiB   2 × 32 layers × 8 KV heads × 128 × 16 bits" in lines[1]
    assert "1.0 GiB   8,192 tokens" in lines[2]
    assert "10.0 GiB   10 at once" in lines[3]
    assert "25.0 GiB" in lines[4]
    assert "32.0 GiB   fits" in lines[5]
    assert "17 users of 8,192 tokens" in lines[6]
    small = cutaway("plan", classroom, "--users", 10, "--memory", 16 * GIB).out
    assert "does not fit" in small


def test_a_model_on_disk_is_planned_without_loading_it(
    cutaway: Cutaway, talker: Path, tmp_path: Path
) -> None:
    write_gguf(tmp_path / "tiny.gguf", TinyLlama())
    folder = cutaway("plan", talker, "--json").json
    assert folder["bytes_per_token"] == 2 * 2 * 2 * 16 * 2
    assert folder["context"] == 8192
    file = cutaway("plan", tmp_path / "tiny.gguf", "--json").json
    assert file["bytes_per_token"] == folder["bytes_per_token"]
    assert file["context"] == 512
    starter = cutaway("plan", "starter", "--json").json
    assert starter["bytes_per_token"] == 2 * 30 * 3 * 64 * 2
    assert starter["here"]["weights_bytes"] > 0
    assert (starter["here"]["tokens"], starter["here"]["bits"]) == (8192, None)
    eight = cutaway("plan", "starter", "--kv-bits", 8, "--memory", 700_000_000, "--json").json
    assert eight["here"]["bits"] == 8
    assert eight["here"]["limit_bytes"] == 700_000_000
    lines = cutaway("plan", "starter", "--memory", 600_000_000).out.splitlines()
    assert "too big; 768 tokens would fit" in lines[-1]


@pytest.mark.parametrize(
    ("words", "named"),
    [
        (("--users", 0), "users"),
        (("--context", 0), "context"),
        (("--context", -5), "context"),
        (("--memory", 0), "memory"),
        (("--kv-bits", 5), "--kv-bits"),
        (("--users", "ten"), "ten"),
    ],
)
def test_impossible_numbers_are_refused(
    cutaway: Cutaway, classroom: Path, words: tuple[object, ...], named: str
) -> None:
    outcome = cutaway("plan", classroom, *words)
    assert outcome.status == 2
    assert named in outcome.sentence


@pytest.mark.parametrize("content", ["", "[]", "{", '{"model_type": "llama"}', "[" * 200_000])
def test_a_config_that_is_none_is_refused(cutaway: Cutaway, tmp_path: Path, content: str) -> None:
    path = tmp_path / "config.json"
    path.write_text(content, encoding="utf-8")
    outcome = cutaway("plan", path)
    assert outcome.status == 2
    assert "config" in outcome.sentence


def test_a_config_that_is_not_there_is_named(cutaway: Cutaway, tmp_path: Path) -> None:
    folder = tmp_path / "folder.json"
    folder.mkdir()
    for path in (tmp_path / "none.json", folder):
        outcome = cutaway("plan", path)
        assert outcome.status == 2
        assert path.name in outcome.sentence
