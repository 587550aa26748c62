"""ggml's types: the table agrees with ggml's own, and values and packing lose nothing."""

import gguf
import mlx.core as mx
import numpy as np
import pytest

from engine.errors import UnsupportedError
from engine.ggml import AFFINE, GROUP, TENSOR_TYPES, decoder

K_QUANTS = ("Q2_K", "Q3_K", "Q4_K", "Q5_K", "Q6_K")


def random_blocks(kind: str, rows: int = 5, blocks: int = 3) -> np.ndarray:
    """Random bits with scales and minima that are ordinary numbers."""
    rng = np.random.default_rng(7)
    values = rng.normal(0, 1, (rows, blocks * GROUP)).astype(np.float32)
    values[0] = 0.0
    return gguf.quants.quantize(values, gguf.GGMLQuantizationType[kind])


def test_the_table_of_types_is_that_of_the_gguf_package():
    sizes = {
        kind.value: (kind.name, *gguf.GGML_QUANT_SIZES[kind]) for kind in gguf.GGML_QUANT_SIZES
    }

    assert {key: (t.name, t.block, t.block_bytes) for key, t in TENSOR_TYPES.items()} == sizes


@pytest.mark.parametrize("kind", ["F32", "F16", "BF16", *AFFINE])
def test_values_equal_those_of_the_gguf_package(kind: str):
    raw = random_blocks(kind)

    values = decoder(kind)(raw.view(np.uint8))

    expected = gguf.quants.dequantize(raw, gguf.GGMLQuantizationType[kind])
    np.testing.assert_array_equal(values, expected)
    assert values.dtype == np.float32


@pytest.mark.parametrize("kind", K_QUANTS)
def test_k_quants_are_unpacked(kind: str):
    ggml_type = gguf.GGMLQuantizationType[kind]
    raw = np.random.default_rng(1).integers(0, 60, (3, gguf.GGML_QUANT_SIZES[ggml_type][1]))

    values = decoder(kind)(raw.astype(np.uint8))

    assert values.shape == (3, 256)
    expected = gguf.quants.dequantize(raw.astype(np.uint8), ggml_type)
    np.testing.assert_array_equal(values, expected)


@pytest.mark.parametrize("kind", AFFINE)
def test_packing_for_mlx_loses_nothing(kind: str):
    raw = random_blocks(kind)

    packed, scales, biases = (mx.array(part) for part in AFFINE[kind].pack(raw))

    values = mx.dequantize(
        packed,
        scales.astype(mx.float32),
        biases.astype(mx.float32),
        group_size=GROUP,
        bits=AFFINE[kind].bits,
    )
    expected = gguf.quants.dequantize(raw, gguf.GGMLQuantizationType[kind])
    assert mx.array_equal(values, mx.array(expected)).item()


@pytest.mark.parametrize("kind", ["I32", "F64", "Q8_1"])
def test_a_type_that_holds_no_weights_is_named(kind: str):
    with pytest.raises(UnsupportedError, match=kind):
        decoder(kind)
