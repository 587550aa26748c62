"""Neighbours in the embedding next to plain NumPy, and where the parameters sit."""

from pathlib import Path

import mlx.core as mx
import numpy as np
import pytest

import engine
from engine.layers import DenseEmbedding, QuantizedEmbedding
from tests.engine.checkpoints import TinyLlama, write_folder, write_quantized_folder
from tests.engine.opened import tiny_model
from tests.engine.running import build, singles
from tests.engine.variants import VARIANTS


def nearest(table: np.ndarray, token: int, count: int) -> tuple[list[int], np.ndarray]:
    """The independent computation."""
    table = table.astype(np.float64)
    unit = table / np.linalg.norm(table, axis=1, keepdims=True)
    cosines = unit @ unit[token]
    cosines[token] = -9
    order = np.argsort(-cosines)[:count]
    return order.tolist(), cosines[order]


def assert_nearest(found: engine.Neighbours, table: np.ndarray) -> None:
    order, cosines = nearest(table, found.token, len(found.nearest))
    assert [each.token for each in found.nearest] == order
    assert np.abs(np.array([each.cosine for each in found.nearest]) - cosines).max() < 1e-5
    norms = [np.linalg.norm(table[each.token].astype(np.float64)) for each in found.nearest]
    assert np.allclose([each.norm for each in found.nearest], norms, rtol=1e-5)
    assert np.abs(found.vector - table[found.token]).max() < 1e-6
    assert np.isclose(found.norm, np.linalg.norm(table[found.token]), rtol=1e-5)


@pytest.mark.parametrize("tied", [True, False])
def test_tiny_models(tiny: engine.Model, tied: bool) -> None:
    variant = TinyLlama(tied=tied)
    found = engine.neighbours(tiny_model(tiny, variant), ord("a"), 20)
    assert_nearest(found, variant.tensors()["model.embed_tokens.weight"])
    assert found.text == "a"
    assert found.tied is tied
    assert found.bits is None


def test_the_starter(starter: engine.Model) -> None:
    table = starter.decoder.embed_tokens
    assert isinstance(table, DenseEmbedding)
    token = starter.tokenizer.encode(" dog")[0]
    shares: list[float] = []
    watch = engine.Watch(progress=shares.append)
    found = engine.neighbours(starter, token, 5, watch=watch)
    assert_nearest(found, singles(table.weight))
    assert found.text == " dog"
    assert " dogs" in [each.text for each in found.nearest]
    assert found.tied
    assert len(shares) > 3, "the table is read part by part"
    assert shares[-1] == 1.0


def test_quantised_tables_are_unpacked_part_by_part(tmp_path: Path) -> None:
    model = engine.load(
        write_quantized_folder(tmp_path, TinyLlama(vocab_size=4096), (64, 8)), precision="stored"
    )
    table = model.decoder.embed_tokens
    assert isinstance(table, QuantizedEmbedding)
    found = engine.neighbours(model, 300, 8)
    assert found.bits == 8
    assert_nearest(found, singles(table.matrix.dequantize().astype(mx.float32)))


def test_rows_without_a_length_are_nobodys_neighbours(tiny: engine.Model) -> None:
    model = tiny_model(tiny, TinyLlama())
    table = model.decoder.embed_tokens
    assert isinstance(table, DenseEmbedding)
    table.weight[280:] = 0.0
    assert len(engine.neighbours(model, 3, 287).nearest) == 279
    empty = engine.neighbours(model, 281, 3)
    assert empty.norm == 0
    assert {each.cosine for each in empty.nearest} == {0.0}


def test_what_is_not_there_is_refused(tiny: engine.Model) -> None:
    with pytest.raises(engine.SettingError, match="no 288"):
        engine.neighbours(tiny, 288)
    with pytest.raises(engine.SettingError, match="0 to 287"):
        engine.neighbours(tiny, 0, 288)
    with pytest.raises(engine.CancelledError):
        engine.neighbours(tiny, 0, watch=engine.Watch(cancelled=lambda: True))


@pytest.mark.parametrize("name", [*VARIANTS, "mlp biases"])
def test_parameters_are_counted_where_they_sit(name: str) -> None:
    variant = VARIANTS.get(name, TinyLlama(mlp_bias=True, attention_bias=True))
    config, _ = build(variant)
    found = engine.parameter_counts(config)

    def sizes(part: str) -> int:
        return sum(values.size for key, values in variant.tensors().items() if part in key)

    assert found.embedding == sizes("embed_tokens")
    assert found.attention == sizes("self_attn") - sizes("q_norm") - sizes("k_norm")
    assert found.feed_forward == sizes(".mlp.")
    assert found.norms == sizes("norm")
    assert found.lm_head == sizes("lm_head")
    assert found.tied is variant.tied
    assert found.total == config.parameters == sizes("")


def test_tables_in_half_precision_are_told_in_float32(tmp_path: Path) -> None:
    folder = write_folder(tmp_path, TinyLlama(), dtype="bfloat16")
    found = engine.neighbours(engine.load(folder, precision="stored"), 5, 3)
    assert found.vector.dtype == np.float32
