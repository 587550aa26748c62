"""Every mode of MLX's quantisation is read, for all of a model or by layer, or refused by name."""

import json
from pathlib import Path
from typing import Any, cast

import mlx.core as mx
import numpy as np
import pytest

import engine
from engine.describe import describe
from engine.errors import EngineError, ModelFileError, UnsupportedError
from engine.layers import Packed, QuantizedEmbedding, QuantizedLinear
from engine.quantization import MODES, Quantization, parse_quantization
from tests.engine import reference
from tests.engine.checkpoints import Floats, Setting, TinyLlama, write_quantized_folder
from tests.engine.reference import Doubles

MODEL = TinyLlama(tied=False, attention_bias=True)
SETTINGS: list[Setting] = [(32, 4, "mxfp4"), (32, 8, "mxfp8"), (16, 4, "nvfp4")]
UP_PROJ = "model.layers.1.mlp.up_proj"
IDS = [1, 100, 7, 7, 255, 42, 3]


def small_floats(codes: Any, exponent_bits: int, mantissa_bits: int) -> Floats:
    """The numbers that sign, exponent and mantissa in `codes` stand for."""
    codes = np.asarray(codes).astype(np.int64)
    mantissa = codes & ((1 << mantissa_bits) - 1)
    exponent = (codes >> mantissa_bits) & ((1 << exponent_bits) - 1)
    sign = 1.0 - 2.0 * ((codes >> (exponent_bits + mantissa_bits)) & 1)
    bias = (1 << (exponent_bits - 1)) - 1
    fraction = mantissa / (1 << mantissa_bits) + (exponent > 0)
    return (sign * fraction * 2.0 ** (np.maximum(exponent, 1) - bias)).astype(np.float32)


def unpacked(weight: mx.array, scales: mx.array, setting: Setting) -> Floats:
    """A matrix as the formats' specifications have it, without MLX's own unpacking."""
    group_size, bits, mode = cast("tuple[int, int, str]", setting)
    rows = weight.shape[0]
    codes = np.asarray(weight).view(np.uint8).reshape(rows, -1)
    if bits == 4:
        codes = np.stack([codes & 15, codes >> 4], axis=-1).reshape(rows, -1)
    values = small_floats(codes, 2, 1) if bits == 4 else small_floats(codes, 4, 3)
    exponents = np.asarray(scales).astype(np.int64)
    factors = small_floats(exponents, 4, 3) if mode == "nvfp4" else 2.0 ** (exponents - 127)
    return (values.reshape(rows, -1, group_size) * factors[..., None]).reshape(rows, -1)


def as_numpy(array: mx.array) -> Floats:
    return cast("Floats", np.asarray(array.astype(mx.float32)))


def written(folder: Path) -> dict[str, mx.array]:
    return cast("dict[str, mx.array]", mx.load(str(folder / "model.safetensors")))


def reference_logits(folder: Path, settings: dict[str, Setting]) -> Doubles:
    """The NumPy forward over the folder's matrices, unpacked by `unpacked`."""
    arrays = written(folder)

    def weights(name: str) -> Doubles:
        module = name.rpartition(".")[0]
        if f"{module}.scales" in arrays and name.endswith(".weight"):
            setting = settings.get(module, settings[""])
            values = unpacked(arrays[name], arrays[f"{module}.scales"], setting)
        else:
            values = as_numpy(arrays[name])
        return values.astype(np.float64)

    return reference.logits(MODEL.config(), weights, IDS)


@pytest.mark.parametrize("setting", SETTINGS)
def test_a_mode_computes_what_its_numbers_stand_for(tmp_path: Path, setting: Setting):
    folder = write_quantized_folder(tmp_path, MODEL, setting, dtype="float32")
    expected = reference_logits(folder, {"": setting})

    for precision in ("float32", "stored"):
        model = engine.load(folder, precision=precision)
        logits = as_numpy(model.logits(IDS))
        assert np.abs(logits - expected).max() < 1e-4, precision


@pytest.mark.parametrize("dtype", ["float16", "bfloat16", "float32"])
@pytest.mark.parametrize("setting", SETTINGS)
def test_what_is_kept_packed_unpacks_to_the_models_dtype(
    tmp_path: Path, setting: Setting, dtype: str
):
    folder = write_quantized_folder(tmp_path, MODEL, setting, dtype=dtype)
    arrays = written(folder)

    model = engine.load(folder, precision="stored")
    decoder = model.decoder

    embedding, linear = decoder.embed_tokens, decoder.layers[1].mlp.up_proj
    assert isinstance(embedding, QuantizedEmbedding)
    assert isinstance(linear, QuantizedLinear)
    assert embedding.dtype == embedding(mx.array([[1, 2]])).dtype == getattr(mx, dtype)
    expected = mx.dequantize(
        arrays[f"{UP_PROJ}.weight"],
        arrays[f"{UP_PROJ}.scales"],
        mode=linear.matrix.how.mode,
        dtype=getattr(mx, dtype),
    )
    assert mx.array_equal(linear.matrix.dequantize(), expected)
    how = linear.matrix.how
    assert (how.group_size, how.bits, how.mode) == setting
    assert model.storage == describe(model.source).storage == how.mode


def test_each_layer_can_have_a_mode_of_its_own(tmp_path: Path):
    layers: dict[str, Setting | None] = {
        "model.embed_tokens": (32, 8, "mxfp8"),
        UP_PROJ: (16, 4, "nvfp4"),
        "lm_head": None,
    }
    folder = write_quantized_folder(tmp_path, MODEL, SETTINGS[0], layers, dtype="float32")
    own = {name: setting for name, setting in layers.items() if setting is not None}
    expected = reference_logits(folder, {"": SETTINGS[0], **own})

    logits = as_numpy(engine.load(folder, precision="stored").logits(IDS))

    assert np.abs(logits - expected).max() < 1e-4


def test_affine_layers_beside_another_mode(tmp_path: Path):
    layers: dict[str, Setting | None] = {UP_PROJ: (64, 6)}
    folder = write_quantized_folder(tmp_path, MODEL, SETTINGS[0], layers, dtype="float32")

    packed, widened = (engine.load(folder, precision=p) for p in ("stored", "float32"))

    difference = as_numpy(packed.logits(IDS) - widened.logits(IDS))
    assert np.abs(difference).max() < 1e-4
    matrix = cast("QuantizedLinear", packed.decoder.layers[1].mlp.up_proj).matrix
    assert isinstance(matrix, Packed)
    assert matrix.biases is not None


def test_one_bit(tmp_path: Path):
    folder = write_quantized_folder(tmp_path, MODEL, (32, 1), dtype="float32")

    packed, widened = (engine.load(folder, precision=p) for p in ("stored", "float32"))

    difference = as_numpy(packed.logits(IDS) - widened.logits(IDS))
    assert np.abs(difference).max() < 1e-4


def test_settings_that_a_mode_leaves_no_choice_of_may_be_left_out():
    entry = {"mode": "nvfp4", "lm_head": {"mode": "mxfp8"}}

    assert parse_quantization({"quantization": entry}) == (
        Quantization(16, 4, "nvfp4"),
        {"lm_head": Quantization(32, 8, "mxfp8")},
    )


@pytest.mark.parametrize("mode", ["fp6", 4, ["affine"]])
def test_an_unknown_mode_is_refused_by_name(mode: Any):
    setting = {"mode": mode, "bits": 4, "group_size": 32}

    for entry in (setting, {"mode": "mxfp4", "lm_head": setting}):
        with pytest.raises(UnsupportedError, match=r"quantisation mode .*mxfp4, mxfp8, nvfp4"):
            parse_quantization({"quantization": entry})


@pytest.mark.parametrize(
    ("entry", "message"),
    [
        ({"mode": "mxfp4", "group_size": 64}, "groups of 64; MLX's mxfp4 mode"),
        ({"mode": "mxfp4", "bits": 8}, "to 8 bits"),
        ({"mode": "mxfp8"}, r"has the shape"),
        ({"mode": "affine", "bits": 4, "group_size": 32}, r"biases"),
    ],
)
def test_a_setting_that_does_not_fit_is_named(tmp_path: Path, entry: dict[str, Any], message: str):
    folder = write_quantized_folder(tmp_path, MODEL, SETTINGS[0])
    config = {**MODEL.config(), "quantization": entry}
    (folder / "config.json").write_text(json.dumps(config), encoding="utf-8")

    with pytest.raises(EngineError, match=message):
        engine.load(folder, precision="stored")


def test_what_a_mode_does_not_have_is_left_over(tmp_path: Path):
    folder = write_quantized_folder(tmp_path, MODEL, SETTINGS[2])
    arrays = written(folder) | {f"{UP_PROJ}.global_scale": mx.ones((1,))}
    mx.save_safetensors(str(folder / "model.safetensors"), arrays)

    with pytest.raises(ModelFileError, match=r"up_proj\.global_scale"):
        engine.load(folder, precision="stored")


def test_scales_that_are_no_bytes_are_refused(tmp_path: Path):
    folder = write_quantized_folder(tmp_path, MODEL, SETTINGS[0])
    arrays = written(folder)
    name = f"{UP_PROJ}.scales"
    mx.save_safetensors(
        str(folder / "model.safetensors"), arrays | {name: arrays[name].astype(mx.float16)}
    )

    with pytest.raises(UnsupportedError, match="F16 scales and no biases"):
        engine.load(folder, precision="stored")


@pytest.mark.parametrize("mode", MODES)
def test_the_modes_are_those_of_the_installed_mlx(mode: str):
    described = MODES[mode]
    values = mx.random.normal((4, 128))
    for group_size in described.group_sizes:
        for bits in described.bits:
            parts = mx.quantize(values, group_size=group_size, bits=bits, mode=mode)
            assert (len(parts) == 3) is described.has_biases
            how = Quantization(group_size, bits, mode)
            # Scales and biases of real models are float16 or bfloat16.
            item_bytes = 2 if described.has_biases else 1
            size = parts[0].nbytes + sum(part.size * item_bytes for part in parts[1:])
            assert size * 8 == how.bits_per_value * values.size
