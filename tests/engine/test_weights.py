"""Weights come out as they were written, whatever the file, or the tensor at fault is named."""

import json
import subprocess
import sys
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any, cast

import gguf
import mlx.core as mx
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.errors import EngineError, ModelFileError, UnsupportedError
from engine.gguf import GGUFFile
from engine.layers import (
    DenseEmbedding,
    DenseLinear,
    Packed,
    QuantizedEmbedding,
    QuantizedLinear,
)
from engine.source import resolve, source_config, starter_path
from engine.weights import Precision, Weights, open_weights
from tests.engine.checkpoints import (
    Floats,
    Setting,
    TinyLlama,
    gguf_tensor_name,
    write_folder,
    write_gguf,
    write_quantized_folder,
)

TINY = TinyLlama()
FULL = TinyLlama(tied=False, attention_bias=True, mlp_bias=True, num_key_value_heads=1, head_dim=24)
Q_PROJ = "model.layers.1.self_attn.q_proj"


def opened(path: Path, precision: Precision = "float32") -> Weights:
    source = resolve(path)
    return open_weights(source, source_config(source), precision)


def take_all(weights: Weights, model: TinyLlama) -> dict[str, mx.array | Packed]:
    """Ask for everything the model has, and finish: checkpoint name → what came."""
    taken: dict[str, mx.array | Packed] = {}
    tensors = model.tensors()
    for name, values in tensors.items():
        module, _, kind = name.rpartition(".")
        if values.ndim == 1 and kind == "weight":
            taken[name] = weights.vector(module, values.shape[0])
        elif module == "model.embed_tokens":
            table = weights.embedding(module, *values.shape)
            assert isinstance(table, DenseEmbedding | QuantizedEmbedding)
            taken[name] = table.weight if isinstance(table, DenseEmbedding) else table.matrix
        elif kind == "weight":
            has_bias = f"{module}.bias" in tensors
            linear = weights.linear(module, *values.shape, bias=has_bias)
            assert isinstance(linear, DenseLinear | QuantizedLinear)
            taken[name] = linear.weight if isinstance(linear, DenseLinear) else linear.matrix
            if linear.bias is not None:
                taken[f"{module}.bias"] = linear.bias
    weights.finish()
    return taken


def as_numpy(array: mx.array) -> Floats:
    return cast("Floats", np.asarray(array.astype(mx.float32)))


def numbers(held: mx.array | Packed) -> Floats:
    """What is held, as float32; quantised matrices unpacked bit by bit, without MLX."""
    if not isinstance(held, Packed):
        return as_numpy(held)
    assert held.biases is not None
    rows = held.weight.shape[0]
    raw = np.asarray(held.weight).view(np.uint8).reshape(rows, -1)
    bits = np.unpackbits(raw, axis=-1, bitorder="little").reshape(rows, -1, held.how.bits)
    q = bits @ (1 << np.arange(held.how.bits))
    groups = q.reshape(rows, -1, held.how.group_size).astype(np.float32)
    scales, biases = numbers(held.scales)[..., None], numbers(held.biases)[..., None]
    return (groups * scales + biases).reshape(rows, -1)


def rounded(values: Floats, dtype: str) -> Floats:
    """What is left of float32 values after they were `dtype`."""
    kind = {"float32": mx.float32, "float16": mx.float16, "bfloat16": mx.bfloat16}[dtype]
    return as_numpy(mx.array(values).astype(kind))


def assert_same(taken: dict[str, mx.array | Packed], expected: dict[str, Floats]):
    assert taken.keys() == expected.keys()
    for name, values in expected.items():
        np.testing.assert_array_equal(numbers(taken[name]), values, err_msg=name)


@pytest.mark.parametrize("shards", [1, 3])
@pytest.mark.parametrize("dtype", ["float32", "float16", "bfloat16"])
@pytest.mark.parametrize("precision", ["stored", "float32"])
def test_a_plain_folder(tmp_path: Path, dtype: str, shards: int, precision: Precision):
    folder = write_folder(tmp_path / "m", FULL, dtype, shards)

    taken = take_all(opened(folder, precision), FULL)

    assert_same(taken, {name: rounded(t, dtype) for name, t in FULL.tensors().items()})
    kept = dtype if precision == "stored" else "float32"
    assert {str(array.dtype) for array in taken.values() if isinstance(array, mx.array)} == {
        f"mlx.core.{kept}"
    }


@pytest.mark.parametrize("dtype", ["float32", "float16", "bfloat16"])
@pytest.mark.parametrize(
    "setting", [(32, 2), (32, 3), (32, 4), (64, 4), (32, 5), (64, 6), (32, 8), (64, 8)]
)
def test_a_quantised_folder(tmp_path: Path, setting: Setting, dtype: str):
    model = TinyLlama(tied=False, attention_bias=True)
    folder = write_quantized_folder(tmp_path / "m", model, setting, dtype=dtype)

    stored = take_all(opened(folder, "stored"), model)
    unpacked = take_all(opened(folder, "float32"), model)

    held = stored[f"{Q_PROJ}.weight"]
    assert isinstance(held, Packed)
    assert (held.how.group_size, held.how.bits) == setting
    for name, values in unpacked.items():
        assert isinstance(values, mx.array)
        assert values.dtype == mx.float32
        np.testing.assert_allclose(numbers(values), numbers(stored[name]), rtol=1e-6, atol=1e-6)
    step = 2.0 ** -setting[1] * 8 * (64**-0.5)
    np.testing.assert_allclose(
        numbers(held), model.tensors()[f"{Q_PROJ}.weight"], atol=step, err_msg="as written"
    )


def test_groups_of_128_and_settings_per_layer(tmp_path: Path):
    model = TinyLlama(hidden_size=128, intermediate_size=256)
    layers: dict[str, Setting | None] = {Q_PROJ: (32, 8), "model.embed_tokens": None}
    folder = write_quantized_folder(tmp_path / "m", model, (128, 4), layers)

    taken = take_all(opened(folder, "stored"), model)

    held = taken[f"{Q_PROJ}.weight"]
    assert isinstance(held, Packed)
    assert (held.how.group_size, held.how.bits) == (32, 8)
    assert isinstance(taken["model.embed_tokens.weight"], mx.array)
    other = taken["model.layers.0.self_attn.q_proj.weight"]
    assert isinstance(other, Packed)
    assert (other.how.group_size, other.how.bits) == (128, 4)
    # o_proj reads 64 numbers, which groups of 128 do not divide.
    assert isinstance(taken["model.layers.0.self_attn.o_proj.weight"], mx.array)


@pytest.mark.parametrize("kind", ["F32", "F16", "BF16", "Q4_0", "Q4_1", "Q5_0", "Q5_1", "Q8_0"])
@pytest.mark.parametrize("precision", ["stored", "float32"])
def test_a_gguf_file_holds_the_checkpoint_again(tmp_path: Path, kind: str, precision: Precision):
    model = TinyLlama(tied=False, attention_bias=True, mlp_bias=True, num_key_value_heads=1)
    path = write_gguf(tmp_path / "tiny.gguf", model, kind)

    taken = take_all(opened(path, precision), model)

    is_packed = kind.startswith("Q") and precision == "stored"
    assert isinstance(taken[f"{Q_PROJ}.weight"], Packed) is is_packed
    dense = "float32" if precision == "float32" else "bfloat16" if kind == "BF16" else "float16"
    ggml_type = gguf.GGMLQuantizationType[kind]
    for name, values in model.tensors().items():
        if values.ndim == 1:
            expected = rounded(values, dense)
        else:
            # A row is quantised by itself, so that the order of rows makes no difference.
            raw = gguf.quants.quantize(values, ggml_type)
            expected = gguf.quants.dequantize(raw, ggml_type)
            expected = expected if is_packed else rounded(expected, dense)
        np.testing.assert_array_equal(numbers(taken[name]), expected, err_msg=name)


def test_a_file_of_mixed_types_is_float16_where_it_is_not_packed(tmp_path: Path):
    kinds = {"token_embd.weight": "BF16", "blk.0.attn_q.weight": "F16"}
    path = write_gguf(tmp_path / "tiny.gguf", TINY, "Q8_0", kinds)

    taken = take_all(opened(path, "stored"), TINY)

    dense = [held for held in taken.values() if isinstance(held, mx.array)]
    assert {array.dtype for array in dense} == {mx.float16}


@pytest.mark.parametrize("precision", ["stored", "float32"])
def test_the_starters_weights_equal_those_of_the_gguf_package(precision: Precision):
    file = GGUFFile.open(starter_path())
    weights = opened(starter_path(), precision)
    shapes = {
        "model.layers.0.self_attn.q_proj": (576, 576),
        "model.layers.29.self_attn.k_proj": (192, 576),
        "model.layers.7.self_attn.v_proj": (192, 576),
        "model.layers.7.mlp.down_proj": (576, 1536),
    }
    if precision == "float32":
        shapes["model.embed_tokens"] = (49152, 576)

    for module, shape in shapes.items():
        linear = weights.linear(module, *shape)
        assert isinstance(linear, DenseLinear if precision == "float32" else QuantizedLinear)
        held = linear.weight if isinstance(linear, DenseLinear) else linear.matrix
        info = file.tensors[gguf_tensor_name(f"{module}.weight")]
        raw = np.fromfile(file.path, np.uint8, info.n_bytes, offset=info.offset)
        ggml_type = gguf.GGMLQuantizationType[info.type.name]
        expected = gguf.quants.dequantize(raw.reshape(shape[0], -1), ggml_type)
        heads = {"q_proj": 9, "k_proj": 3}.get(module.rpartition(".")[2])
        if heads is not None:
            pairs = expected.reshape(heads, 32, 2, 576)
            expected = pairs.swapaxes(1, 2).reshape(shape)
        np.testing.assert_array_equal(numbers(held), expected, err_msg=module)
        if isinstance(held, Packed):
            # MLX computes in float16, of which numbers below 4 keep 2 ** -9 at worst.
            np.testing.assert_allclose(as_numpy(held.dequantize()), expected, rtol=0, atol=2**-9)


@pytest.mark.parametrize("precision", ["stored", "float32"])
def test_loading_the_starter_needs_little_more_than_its_weights(precision: Precision):
    code = f"""
import resource, sys
import engine, mlx.core as mx
from engine.source import resolve, source_config
from engine.weights import open_weights
unit = 1 if sys.platform == "darwin" else 1024
mx.eval(mx.zeros(1) + 1)
source = resolve("starter")
config = source_config(source)
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit
weights = open_weights(source, config, {precision!r})
kept = [weights.embedding("model.embed_tokens", config.vocab_size, config.hidden_size)]
for i in range(config.num_hidden_layers):
    for part in ("gate_proj", "up_proj"):
        kept.append(weights.linear(f"model.layers.{{i}}.mlp.{{part}}", 1536, 576))
    kept.append(weights.linear(f"model.layers.{{i}}.mlp.down_proj", 576, 1536))
peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit - before
print(peak, mx.get_active_memory())
"""
    root = Path(__file__).parents[2]
    run = subprocess.run(
        [sys.executable, "-c", code], cwd=root, capture_output=True, text=True, check=True
    )

    peak, loaded = map(int, run.stdout.split())

    assert loaded > (60 if precision == "stored" else 400) << 20
    assert peak <= 1.2 * loaded


def test_a_missing_tensor_is_named(tmp_path: Path):
    folder = opened(write_folder(tmp_path / "m", TINY))
    with pytest.raises(ModelFileError, match=r"no tensor lm_head\.weight"):
        folder.linear("lm_head", 288, 64)

    file = opened(write_gguf(tmp_path / "tiny.gguf", TINY))
    with pytest.raises(ModelFileError, match=r"no tensor output\.weight"):
        file.linear("lm_head", 288, 64)


def test_a_wrong_shape_is_named(tmp_path: Path):
    folder = opened(write_folder(tmp_path / "m", TINY))
    with pytest.raises(ModelFileError, match=r"q_proj\.weight .* \(64, 64\).* \(64, 32\)"):
        folder.linear(Q_PROJ, 64, 32)

    file = opened(write_gguf(tmp_path / "tiny.gguf", TINY))
    with pytest.raises(ModelFileError, match=r"blk\.1\.attn_q\.weight .* \(64, 64\).* \(64, 32\)"):
        file.linear(Q_PROJ, 64, 32)


@pytest.mark.parametrize("form", ["folder", "gguf"])
def test_tensors_left_over_are_named(tmp_path: Path, form: str):
    deeper = replace(TINY, num_hidden_layers=3)
    if form == "folder":
        path = write_folder(tmp_path / "m", deeper)
        (path / "config.json").write_text(json.dumps(TINY.config()), encoding="utf-8")
    else:
        path = write_gguf(tmp_path / "m.gguf", deeper, entries={"llama.block_count": 2})

    with pytest.raises(ModelFileError, match=r"\.2\..* and 6 more"):
        take_all(opened(path), TINY)


def test_needless_tensors_are_ignored(tmp_path: Path):
    folder = write_folder(tmp_path / "m", TINY)
    extra = {
        "lm_head.weight": mx.zeros((288, 64)),
        "model.layers.0.self_attn.rotary_emb.inv_freq": mx.zeros((8,)),
    }
    arrays = {name: mx.array(values) for name, values in TINY.tensors().items()}
    mx.save_safetensors(str(folder / "model.safetensors"), arrays | extra)
    take_all(opened(folder), TINY)

    ones = {"rope_freqs.weight": np.ones(8, np.float32)}
    take_all(opened(write_gguf(tmp_path / "tiny.gguf", TINY, extra_tensors=ones)), TINY)


def test_a_file_cut_short_after_its_header_was_read(tmp_path: Path):
    for path in (write_folder(tmp_path / "m", TINY), write_gguf(tmp_path / "tiny.gguf", TINY)):
        weights = opened(path)
        file = path / "model.safetensors" if path.is_dir() else path
        with file.open("r+b") as stream:
            stream.truncate(file.stat().st_size - 70_000)
        with pytest.raises(ModelFileError, match=r"is truncated; fetch it again\."):
            take_all(weights, TINY)


def test_a_file_gone_after_its_header_was_read(tmp_path: Path):
    path = write_gguf(tmp_path / "tiny.gguf", TINY)
    weights = opened(path)
    path.unlink()

    with pytest.raises(ModelFileError, match="cannot be read"):
        take_all(weights, TINY)


@pytest.mark.parametrize("dtype", [mx.int32, mx.uint8])
def test_weights_that_are_no_floats_are_named(tmp_path: Path, dtype: mx.Dtype):
    folder = write_folder(tmp_path / "m", TINY)
    mx.save_safetensors(
        str(folder / "model.safetensors"), {"model.norm.weight": mx.zeros((64,), dtype)}
    )

    with pytest.raises(UnsupportedError, match=r"model\.norm\.weight has the dtype"):
        opened(folder).vector("model.norm", 64)


def rewritten(folder: Path, quantization: Any) -> Weights:
    """The folder with another `quantization` in its config."""
    config = json.loads((folder / "config.json").read_text(encoding="utf-8"))
    config["quantization"] = quantization
    (folder / "config.json").write_text(json.dumps(config), encoding="utf-8")
    return opened(folder, "stored")


@pytest.mark.parametrize(
    ("quantization", "message"),
    [
        (None, "does not say how"),
        ({"group_size": 16, "bits": 4}, "groups of 16"),
        ({"group_size": 64, "bits": 7}, "7 bits"),
        ({"group_size": 128, "bits": 4}, "128 do not divide"),
        ({"group_size": 32, "bits": 4}, "scales"),
        ({"group_size": 64, "bits": 8}, r"q_proj\.weight .* the shape"),
    ],
)
def test_a_quantisation_that_cannot_be_is_refused(tmp_path: Path, quantization: Any, message: str):
    folder = write_quantized_folder(tmp_path / "m", TINY, (64, 4))

    with pytest.raises(EngineError, match=message):
        rewritten(folder, quantization).linear(Q_PROJ, 64, 64)


def test_packed_weights_of_another_dtype_are_refused(tmp_path: Path):
    folder = write_quantized_folder(tmp_path / "m", TINY, (64, 4))
    arrays = {
        f"{Q_PROJ}.weight": mx.zeros((64, 8), mx.float32),
        f"{Q_PROJ}.scales": mx.zeros((64, 1)),
        f"{Q_PROJ}.biases": mx.zeros((64, 1)),
    }
    mx.save_safetensors(str(folder / "model.safetensors"), arrays)

    with pytest.raises(UnsupportedError, match="quantised as F32"):
        opened(folder).linear(Q_PROJ, 64, 64)


def test_weights_beyond_float16_are_refused_rather_than_made_infinite(tmp_path: Path):
    path = write_gguf(tmp_path / "tiny.gguf", TINY, extra_tensors={"output.weight": big()})

    with pytest.raises(UnsupportedError, match="too large for float16"):
        opened(path, "stored").linear("lm_head", 288, 64)
    exact = opened(path, "float32").linear("lm_head", 288, 64)
    assert isinstance(exact, DenseLinear)
    np.testing.assert_array_equal(as_numpy(exact.weight), big())


def big() -> Floats:
    values = np.zeros((288, 64), np.float32)
    values[3, 5] = 1e6
    return values


def test_a_group_whose_bias_float16_cannot_hold_is_unpacked(tmp_path: Path):
    path = write_gguf(tmp_path / "tiny.gguf", TINY, "Q8_0")
    info = GGUFFile.open(path).tensors["blk.0.attn_v.weight"]
    with path.open("r+b") as stream:
        stream.seek(info.offset)
        stream.write(np.float16(600).tobytes() + np.full(32, 3, np.int8).tobytes())

    linear = opened(path, "stored").linear("model.layers.0.self_attn.v_proj", 32, 64)

    assert isinstance(linear, DenseLinear)
    assert linear.weight.dtype == mx.float16
    assert linear.weight[0, :32].tolist() == [1800.0] * 32


@pytest.fixture(scope="module")
def forms(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    folder = tmp_path_factory.mktemp("forms")
    return [
        write_gguf(folder / "a.gguf", TINY, "Q4_0"),
        write_gguf(folder / "b.gguf", TINY, "F16"),
        write_quantized_folder(folder / "c", TINY, (32, 4)),
        write_folder(folder / "d", TINY),
    ]


@settings(max_examples=200, derandomize=True, database=None)
@given(
    st.integers(0, 3),
    st.lists(st.tuples(st.floats(0, 1, exclude_max=True), st.binary(min_size=1, max_size=8))),
    st.sampled_from(["stored", "float32"]),
)
def test_no_damage_raises_anything_else(
    forms: list[Path],
    tmp_path_factory: pytest.TempPathFactory,
    which: int,
    damage: list[tuple[float, bytes]],
    precision: Precision,
):
    original = forms[which]
    file = original if original.is_file() else original / "model.safetensors"
    content = bytearray(file.read_bytes())
    copy = tmp_path_factory.getbasetemp() / "damaged"
    copy.mkdir(exist_ok=True)
    for place, patch in damage:
        # Cubed, so that most of the damage falls on the header.
        at = int(place**3 * len(content))
        content[at : at + len(patch)] = patch
    target = copy / file.name
    target.write_bytes(content)
    if original.is_dir():
        (copy / "config.json").write_bytes((original / "config.json").read_bytes())

    with suppress(EngineError):
        take_all(opened(copy if original.is_dir() else target, precision), TINY)
