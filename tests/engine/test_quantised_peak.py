"""A quantised cache takes less memory than a plain one at its worst moment too, in the prefill."""

from pathlib import Path

import pytest

import engine
from tests.bench.fit import peak
from tests.engine.checkpoints import TinyLlama, write_folder


@pytest.mark.parametrize("window", [None, 512])
def test_a_quantised_prefill_peaks_below_a_plain_one(tmp_path: Path, window: int | None) -> None:
    shape = TinyLlama(
        num_hidden_layers=4,
        num_key_value_heads=4,
        head_dim=64,
        vocab_size=2048,
        max_position_embeddings=1024,
    )
    model = engine.load(write_folder(tmp_path / "many-keys", shape))
    pinned = 4 if window else 0
    peaks = [
        peak(model, 512, engine.CachePolicy(window, pinned, bits), 64)[1] for bits in (None, 8, 4)
    ]
    assert peaks == sorted(peaks, reverse=True)
