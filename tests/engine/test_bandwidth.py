"""What a decoded token reads, and what the maker says the memory delivers."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

import engine
from engine.bandwidth import published_bandwidth, read_weight_bytes
from tests.engine.checkpoints import TinyLlama, write_folder

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.parametrize("tied", [True, False])
def test_every_matrix_is_read_once_and_of_an_untied_embedding_one_row(
    tmp_path: Path, tied: bool
) -> None:
    model = engine.load(write_folder(tmp_path / "model", TinyLlama(tied=tied)))
    read = read_weight_bytes(model)
    assert read is not None
    config = model.config
    row = config.hidden_size * 4
    unread = 0 if tied else (config.vocab_size - 1) * row
    assert read == model.weights_bytes - unread


@pytest.mark.parametrize(
    ("device", "expected"),
    [
        ("Apple M1", (68.25e9, 68.25e9)),
        ("Apple M3 Max", (300e9, 400e9)),
        ("Apple M99", None),
        ("AMD EPYC", None),
        ("", None),
    ],
)
def test_published_bandwidth(device: str, expected: tuple[float, float] | None) -> None:
    assert published_bandwidth(device) == expected
