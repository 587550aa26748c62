"""The GGUF header reader: what it reads, what it refuses, and that nothing else escapes it."""

import struct
import time
from contextlib import suppress
from pathlib import Path

import gguf
import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from engine.errors import EngineError, ModelFileError, ModelNotFoundError, UnsupportedError
from engine.gguf_file import GGUFFile, truncated
from engine.source import starter_path
from tests.engine.checkpoints import TinyLlama, write_gguf

TINY = TinyLlama(num_hidden_layers=1, hidden_size=32, intermediate_size=32)
HUGE = (1 << 64) - 1


def text(value: str | bytes) -> bytes:
    data = value.encode() if isinstance(value, str) else value
    return struct.pack("<Q", len(data)) + data


def entry(key: str, kind: int, data: bytes) -> bytes:
    return text(key) + struct.pack("<I", kind) + data


def tensor(name: str, shape: tuple[int, ...], kind: int = 0, offset: int = 0) -> bytes:
    dims = struct.pack(f"<I{len(shape)}Q", len(shape), *shape)
    return text(name) + dims + struct.pack("<IQ", kind, offset)


def header(
    entries: tuple[bytes, ...] = (),
    tensors: tuple[bytes, ...] = (),
    data: int = 0,
    counts: tuple[int, int] | None = None,
    version: bytes = b"\x03\0\0\0",
) -> bytes:
    """A whole file with `data` bytes after the aligned header."""
    n_tensors, n_entries = counts or (len(tensors), len(entries))
    head = b"GGUF" + version + struct.pack("<QQ", n_tensors, n_entries)
    head += b"".join(entries) + b"".join(tensors)
    return head + bytes(-len(head) % 32) + bytes(data)


def read(folder: Path, content: bytes) -> GGUFFile:
    path = folder / "model.gguf"
    path.write_bytes(content)
    return GGUFFile.open(path)


def test_the_starter_is_read_as_the_gguf_package_reads_it():
    file = GGUFFile.open(starter_path())

    reader = gguf.GGUFReader(starter_path())
    own = {key: field for key, field in reader.fields.items() if not key.startswith("GGUF.")}
    assert file.metadata == {key: field.contents() for key, field in own.items()}
    assert {
        name: (info.shape, info.type.name, info.offset, info.n_bytes)
        for name, info in file.tensors.items()
    } == {
        t.name: (tuple(t.shape.tolist())[::-1], t.tensor_type.name, t.data_offset, t.n_bytes)
        for t in reader.tensors
    }


def test_reading_the_starters_header_takes_no_time_to_notice():
    start = time.perf_counter()
    GGUFFile.open(starter_path())
    assert time.perf_counter() - start < 0.5


def test_every_kind_of_value_is_read(tmp_path: Path):
    scalars = {
        "u8": (0, "<B", 200),
        "i8": (1, "<b", -100),
        "u16": (2, "<H", 60_000),
        "i16": (3, "<h", -30_000),
        "u32": (4, "<I", 4_000_000_000),
        "i32": (5, "<i", -2_000_000_000),
        "f32": (6, "<f", 0.5),
        "flag": (7, "<?", True),
        "u64": (10, "<Q", HUGE),
        "i64": (11, "<q", -(1 << 63)),
        "f64": (12, "<d", 0.1),
    }
    entries = [entry(key, kind, struct.pack(f, value)) for key, (kind, f, value) in scalars.items()]
    entries.append(entry("text", 8, text("é 日")))
    entries.append(entry("texts", 9, struct.pack("<IQ", 8, 2) + text("") + text("b")))
    entries.append(entry("flags", 9, struct.pack("<IQ", 7, 3) + b"\0\1\2"))
    inner = struct.pack("<IQ", 3, 2) + struct.pack("<hh", 1, -1)
    entries.append(entry("nested", 9, struct.pack("<IQ", 9, 2) + inner + inner))

    metadata = read(tmp_path, header(tuple(entries))).metadata

    assert {key: metadata[key] for key in scalars} == {k: v for k, (_, _, v) in scalars.items()}
    assert metadata["text"] == "é 日"
    assert metadata["texts"] == ["", "b"]
    assert metadata["flags"] == [False, True, True]
    assert metadata["nested"] == [[1, -1], [1, -1]]


def test_a_header_longer_than_the_first_window_is_read(tmp_path: Path):
    words = [f"word {index} " + "x" * 40 for index in range(120_000)]
    array = struct.pack("<IQ", 8, len(words)) + b"".join(map(text, words))

    file = read(tmp_path, header((entry("words", 9, array), entry("last", 0, b"\7"))))

    assert file.metadata == {"words": words, "last": 7}


def test_version_2_is_read(tmp_path: Path):
    assert read(tmp_path, header(version=b"\2\0\0\0")).metadata == {}


def test_a_missing_file_is_named(tmp_path: Path):
    with pytest.raises(ModelNotFoundError, match=r"none\.gguf"):
        GGUFFile.open(tmp_path / "none.gguf")


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "not a GGUF file"),
        (b"PK\3\4 something else", "not a GGUF file"),
        (b"GGUF\3\0", "truncated"),
        (header(version=b"\1\0\0\0"), "Version 1 of GGUF"),
        (header(version=b"\0\0\0\3"), "Big-endian"),
        (header(counts=(0, HUGE)), "claims 18446744073709551615 entries"),
        (header(counts=(HUGE, 0)), "claims 18446744073709551615 tensors"),
        (header(counts=(0, 5)), "truncated"),
        (header(counts=(5, 0)), "truncated"),
        (header((struct.pack("<Q", HUGE),)), "truncated"),
        (header((entry("a", 8, struct.pack("<Q", 1 << 40)),)), "truncated"),
        (header((entry("a", 9, struct.pack("<IQ", 4, 1 << 60)),)), "truncated"),
        (header((entry("a", 9, struct.pack("<IQ", 8, 1 << 60)),)), "truncated"),
        (header((entry("a", 9, struct.pack("<IQ", 8, 1) + struct.pack("<Q", HUGE)),)), "truncated"),
        (header((entry("a", 9, struct.pack("<IQ", 9, 1) * 9),), data=64), "nested 4 deep"),
        (header((entry("a", 13, b""),)), "unknown type 13"),
        (header((entry("a", 8, text(b"\xff")),)), "not UTF-8"),
        (header((entry("a", 9, struct.pack("<IQ", 8, 1) + text(b"\xff")),)), "not UTF-8"),
        (header((entry("a", 0, b"\1"), entry("a", 0, b"\1"))), "two entries"),
        (header((entry("general.alignment", 4, struct.pack("<I", 3)),)), "alignment of 3"),
        (header((entry("general.alignment", 8, text("x")),)), "alignment of x"),
        (header(tensors=(tensor("w", (8,)),)), "truncated"),
        (header(tensors=(tensor("w", (1 << 40, 1 << 40)),), data=32), "truncated"),
        (header(tensors=(tensor("w", (8,), offset=HUGE),), data=32), "off its alignment"),
        (header(tensors=(tensor("w", (8,), offset=8),), data=64), "off its alignment"),
        (header(tensors=(tensor("w", (0, 8)),), data=32), "impossible"),
        (header(tensors=(tensor("w", (33,), kind=2),), data=64), "impossible for Q4_0"),
        (header(tensors=(tensor("w", (1,) * 5),), data=32), "5 dimensions"),
        (header(tensors=(tensor("w", ()),), data=32), "0 dimensions"),
        (header(tensors=(tensor("w", (8,)), tensor("w", (8,), offset=32)), data=64), "same name"),
        (header(tensors=(tensor("v", (8,)), tensor("w", (8,))), data=64), "same place"),
        (header(tensors=(tensor("w", (8,), kind=99),), data=32), "type number 99"),
    ],
)
def test_what_cannot_be_is_refused_in_a_sentence(tmp_path: Path, content: bytes, message: str):
    with pytest.raises((ModelFileError, UnsupportedError), match=message) as caught:
        read(tmp_path, content)
    assert str(caught.value).endswith(".")


def test_more_strings_than_any_vocabulary_has_are_refused(tmp_path: Path):
    count = (1 << 22) + 1
    array = struct.pack("<IQ", 8, count) + bytes(8 * count)

    with pytest.raises(ModelFileError, match="more than 4194304 strings"):
        read(tmp_path, header((entry("a", 9, array),)))


def test_a_directory_is_not_read(tmp_path: Path):
    with pytest.raises(ModelFileError, match="cannot be read"):
        GGUFFile.open(tmp_path)


@pytest.fixture(scope="module")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_gguf(tmp_path_factory.mktemp("tiny") / "tiny.gguf", TINY, "Q8_0")


def test_every_truncation_is_refused(tiny: Path, tmp_path: Path):
    whole = tiny.read_bytes()
    last = max(t.offset + t.n_bytes for t in GGUFFile.open(tiny).tensors.values())
    lengths = np.linspace(4, last - 1, 150).astype(int)

    for length in lengths:
        with pytest.raises(ModelFileError) as caught:
            read(tmp_path, whole[:length])
        assert str(caught.value) == str(truncated(tmp_path / "model.gguf"))


numbers = st.sampled_from([0, 1, 2, 0x7F, 0xFF, 1 << 31, (1 << 32) - 1, 1 << 40, 1 << 63, HUGE])
patches = st.tuples(
    st.floats(0, 1, exclude_max=True),
    st.one_of(st.binary(min_size=1, max_size=8), numbers.map(lambda n: struct.pack("<Q", n))),
)


@settings(max_examples=300, derandomize=True, database=None)
@given(st.lists(patches, min_size=1, max_size=4))
@example([(0.0, b"GGUF"), (0.001, b"\xff" * 8)])
def test_no_damaged_header_raises_anything_else(
    tiny: Path, tmp_path_factory: pytest.TempPathFactory, damage: list[tuple[float, bytes]]
):
    content = bytearray(tiny.read_bytes())
    end = min(info.offset for info in GGUFFile.open(tiny).tensors.values())
    for place, patch in damage:
        at = int(place * end)
        content[at : at + len(patch)] = patch
    start = time.perf_counter()

    with suppress(EngineError):
        read(tmp_path_factory.getbasetemp(), bytes(content))
    assert time.perf_counter() - start < 2.0


@settings(max_examples=200, derandomize=True, database=None)
@given(st.binary(max_size=400))
def test_no_random_bytes_raise_anything_else(
    tmp_path_factory: pytest.TempPathFactory, content: bytes
):
    with suppress(EngineError):
        read(tmp_path_factory.getbasetemp(), b"GGUF\3\0\0\0" + content)
