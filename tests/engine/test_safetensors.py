"""The safetensors header reader: which files it takes, and that nothing else escapes it."""

import json
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.errors import EngineError, ModelFileError, ModelNotFoundError, UnsupportedError
from engine.safetensors import INDEX_NAME, read_header, read_headers, weight_files
from tests.engine.checkpoints import TinyLlama, write_folder


def write(path: Path, header: Any, data: int = 0, length: int | None = None) -> Path:
    text = header if isinstance(header, bytes) else json.dumps(header).encode()
    size = len(text) if length is None else length
    path.write_bytes(size.to_bytes(8, "little") + text + bytes(data))
    return path


def entry(shape: Any = (2, 2), place: Any = (0, 16), dtype: Any = "F32") -> dict[str, Any]:
    return {"dtype": dtype, "shape": shape, "data_offsets": place}


def test_a_header_is_read(tmp_path: Path):
    header = {
        "__metadata__": {"format": "pt"},
        "b": entry(place=(8, 24)),
        "a": entry((2, 1, 2), (0, 8), "F16"),
    }
    path = write(tmp_path / "w.safetensors", header, data=24)

    tensors = read_header(path)

    start = path.stat().st_size - 24
    assert tensors["a"].shape == (2, 1, 2)
    assert (tensors["b"].offset, tensors["b"].n_bytes, tensors["b"].dtype) == (start + 8, 16, "F32")


@pytest.mark.parametrize(
    ("header", "message"),
    [
        (b"[]", "safetensors header"),
        (b"{", "safetensors header"),
        (b"\xff\xfe", "safetensors header"),
        (b"[" * 100_000, "safetensors header"),
        (b'{"a": 1, "a": 2}', "safetensors header"),
        ({"w": 3}, "no shape or place for w"),
        ({"w": entry(place=(0,))}, "no shape or place"),
        ({"w": entry(place=(0, -16))}, "no shape or place"),
        ({"w": entry(shape=(2, 2.0))}, "no shape or place"),
        ({"w": entry(shape=(True, 4))}, "no shape or place"),
        ({"w": entry(shape="22")}, "no shape or place"),
        ({"w": entry(shape=(2, 3))}, "disagree"),
        ({"w": entry(shape=(1 << 40, 1 << 40))}, "disagree"),
        ({"w": entry(place=(16, 0))}, "disagree"),
        ({"w": entry(place=(16, 32))}, "truncated"),
        ({"v": entry(), "w": entry()}, "in one place"),
        ({"w": entry(shape=(1 << 60,), place=(0, 1 << 62))}, "truncated"),
    ],
)
def test_what_cannot_be_is_refused_in_a_sentence(tmp_path: Path, header: Any, message: str):
    with pytest.raises(ModelFileError, match=message) as caught:
        read_header(write(tmp_path / "w.safetensors", header, data=16))
    assert str(caught.value).endswith(".")


@pytest.mark.parametrize("dtype", ["F4", "", None, 3, ["F32"]])
def test_an_unknown_dtype_is_named(tmp_path: Path, dtype: Any):
    with pytest.raises(UnsupportedError, match="has the dtype"):
        read_header(write(tmp_path / "w.safetensors", {"w": entry(dtype=dtype)}, data=16))


@pytest.mark.parametrize("length", [3, 1 << 20, (1 << 64) - 1])
def test_a_header_cut_short_is_refused(tmp_path: Path, length: int):
    with pytest.raises(ModelFileError):
        read_header(write(tmp_path / "w.safetensors", {}, length=length))


def test_what_cannot_be_opened_is_named(tmp_path: Path):
    with pytest.raises(ModelFileError, match="cannot be read"):
        read_header(tmp_path / "none.safetensors")


@pytest.mark.parametrize("size", [0, 5])
def test_a_file_without_a_header_is_truncated(tmp_path: Path, size: int):
    path = tmp_path / "w.safetensors"
    path.write_bytes(bytes(size))

    with pytest.raises(ModelFileError, match=r"w\.safetensors is truncated; fetch it again\."):
        read_header(path)


def test_a_header_longer_than_any_is_refused_before_it_is_read(tmp_path: Path):
    path = write(tmp_path / "w.safetensors", b"{}", length=200_000_000)
    with path.open("r+b") as file:
        file.truncate(200_000_100)  # a sparse file: it takes no room on disk

    with pytest.raises(ModelFileError, match="a header of 200000000 bytes"):
        read_header(path)


def test_the_index_names_the_shards(tmp_path: Path):
    folder = write_folder(tmp_path / "m", TinyLlama(), shards=3)
    (folder / "other.safetensors").write_bytes(b"")

    files = weight_files(folder)

    assert [path.name for path in files] == [
        f"model-0000{i}-of-00003.safetensors" for i in (1, 2, 3)
    ]
    assert read_headers(files).keys() == TinyLlama().tensors().keys()


def test_a_missing_shard_is_named_with_and_without_an_index(tmp_path: Path):
    folder = write_folder(tmp_path / "m", TinyLlama(), shards=3)
    (folder / "model-00002-of-00003.safetensors").unlink()

    with pytest.raises(ModelFileError, match="model-00002-of-00003"):
        weight_files(folder)
    (folder / INDEX_NAME).unlink()
    with pytest.raises(ModelFileError, match="model-00002-of-00003"):
        weight_files(folder)


def test_one_file_of_another_name_is_taken(tmp_path: Path):
    folder = write_folder(tmp_path / "m", TinyLlama())
    (folder / "model.safetensors").rename(folder / "weights.safetensors")

    assert weight_files(folder) == [folder / "weights.safetensors"]


def test_a_name_in_two_files_is_refused(tmp_path: Path):
    paths = [write(tmp_path / f"{name}.safetensors", {"w": entry()}, 16) for name in "ab"]

    with pytest.raises(ModelFileError, match=r"w is in both a\.safetensors and b\.safetensors"):
        read_headers(paths)


@pytest.mark.parametrize(
    "name", ["../a.safetensors", "/a.safetensors", "x\\a.safetensors", "a.bin", "", 3, None]
)
def test_an_index_that_points_elsewhere_is_refused(tmp_path: Path, name: Any):
    (tmp_path / INDEX_NAME).write_text(json.dumps({"weight_map": {"w": name}}), encoding="utf-8")

    with pytest.raises(ModelFileError, match="points to"):
        weight_files(tmp_path)


@pytest.mark.parametrize("content", [{}, {"weight_map": {}}, {"weight_map": [1]}])
def test_an_index_without_names_is_refused(tmp_path: Path, content: Any):
    (tmp_path / INDEX_NAME).write_text(json.dumps(content), encoding="utf-8")

    with pytest.raises(ModelFileError, match="names no files"):
        weight_files(tmp_path)


def test_pickled_weights_are_refused(tmp_path: Path):
    (tmp_path / "pytorch_model.bin").write_bytes(b"\x80")

    with pytest.raises(ModelNotFoundError, match="pickled weights, which can run code"):
        weight_files(tmp_path)


values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=4), inner, max_size=4)
    ),
    max_leaves=12,
)
entries = st.fixed_dictionaries(
    {},
    optional={
        "dtype": st.sampled_from(["F32", "BF16", "U32"]) | values,
        "shape": st.lists(st.integers(0, 4), max_size=3) | values,
        "data_offsets": st.lists(st.integers(0, 40), min_size=2, max_size=2) | values,
    },
)


@settings(max_examples=300, derandomize=True, database=None)
@given(st.dictionaries(st.text(max_size=4), entries | values, max_size=4) | st.binary(max_size=60))
def test_no_header_raises_anything_else(tmp_path_factory: pytest.TempPathFactory, header: Any):
    path = write(tmp_path_factory.getbasetemp() / "fuzz.safetensors", header, data=40)
    with suppress(EngineError):
        for stored in read_header(path).values():
            assert stored.offset + stored.n_bytes <= path.stat().st_size
