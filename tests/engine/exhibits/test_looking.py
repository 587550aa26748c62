"""What the exhibits that look inside share, and models that they cannot look into."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import engine
from engine.exhibits import EXHIBITS
from engine.exhibits.looking import (
    changed_bits,
    grid,
    largest,
    rounding_bound,
    tokens_of,
    top_tokens,
)
from engine.zoo_config import older_style
from tests.engine.checkpoints import TinyLlama, write_folder
from tests.engine.exhibits.watched import all_seen, measured
from tests.engine.zoo_checkpoints import ZOO, build, write_zoo

# Random weights of a shape as real ones, so that a pass is as in a model of a Mac.
HALF: Mapping[int, Mapping[str, Any]] = {
    1: {"steps": 4},
    3: {},
    4: {"layer": 1},
    5: {},
    6: {},
}


def test_changed_bits_are_counted_exactly() -> None:
    one = np.array([1.0, 0.0, 3.0], np.float32)
    other = np.array([1.0, -0.0, np.nextafter(np.float32(3), np.float32(4))], np.float32)
    assert changed_bits(one, one.copy()) == 0
    assert changed_bits(one, other) == 2


def test_plain_numbers() -> None:
    assert grid(np.array([[1, 2], [3, 4]], np.float32)) == ((1.0, 2.0), (3.0, 4.0))
    assert largest(np.array([1.0, -2.5])) == 2.5
    assert largest(np.array([])) == 0


def test_top_tokens(tiny: engine.Model) -> None:
    logits = np.full(tiny.config.vocab_size, -50, np.float32)
    logits[[65, 66]] = np.log([3.0, 1.0])
    found = top_tokens(tiny, logits, 2)
    assert [(each.token, each.piece) for each in found] == [(65, "A"), (66, "B")]
    assert [each.probability for each in found] == pytest.approx([0.75, 0.25])
    assert len(top_tokens(tiny, logits, 10_000)) == tiny.config.vocab_size


def test_texts_are_neither_too_short_nor_too_long(tiny: engine.Model) -> None:
    assert len(tokens_of(tiny, "abc")) == 3
    with pytest.raises(engine.PromptError, match=r"runs 1 to 2 tokens, and the text has 3\."):
        tokens_of(tiny, "abc", most=2)
    with pytest.raises(engine.PromptError, match=r"runs 4 to 256 tokens, and the text has 3\."):
        tokens_of(tiny, "abc", least=4)


@pytest.mark.parametrize("dtype", ["float16", "bfloat16"])
def test_claims_are_seen_in_half_precision(tmp_path: Path, dtype: str) -> None:
    """The bounds know the precision: what is rounding stays below, what is not exceeds it."""
    llama = TinyLlama(head_dim=32, num_hidden_layers=6)
    model = engine.load(write_folder(tmp_path / "half", llama, dtype), precision="stored")
    assert rounding_bound(model, 1.0) < 0.2
    for number, changed in HALF.items():
        exhibit = EXHIBITS[number]
        all_seen(exhibit, exhibit.measure(model, exhibit.inputs(**changed)))


@pytest.mark.slow
def test_models_of_mlx_lm(tmp_path: Path) -> None:
    raw = ZOO["gemma2"]
    model = engine.load(write_zoo(tmp_path, raw, build(older_style(raw))))
    for number in (3, 4, 5, 6):
        exhibit = EXHIBITS[number]
        with pytest.raises(engine.UnsupportedError, match="runs through mlx-lm, and Cutaway"):
            exhibit.measure(model, exhibit.inputs())
    loop = EXHIBITS[1]
    claims = all_seen(loop, measured(loop, model, loop.inputs(prompt="One, two", steps=3)))
    assert set(claims) == {"sums", "by_hand", "one_token", "only_ids", "other_ids"}
    exhibit = EXHIBITS[2]
    found = measured(exhibit, model, exhibit.inputs())
    assert {claim.name for claim in exhibit.claims(found)} == {
        "round_trip", "bytes", "languages", "different_ids",
    }  # fmt: skip
    assert "runs_through_mlx_lm" in {note.name for note in found.notes}
