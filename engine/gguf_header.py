"""Reads the header of a GGUF file: metadata and the table of tensors, nothing else.

Written for files that nobody vouches for: every count, length, shape and offset is checked against
the size of the file before anything is allocated or looped over, and the work is bounded. The
format is specified in https://github.com/ggml-org/ggml/blob/master/docs/gguf.md.
"""

import math
import struct
from collections.abc import Mapping
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np

from engine.errors import ModelFileError, ModelNotFoundError, UnsupportedError, unreadable
from engine.ggml import TENSOR_TYPES, TensorType
from engine.sentence import Sentence

Value = str | int | float | bool | list[Any]

_FIRST_WINDOW_BYTES = 4 << 20
_HEADER_LIMIT_BYTES = 256 << 20
_MOST_ENTRIES = 1 << 16
_MOST_TENSORS = 1 << 17
_MOST_STRINGS = 1 << 22
_MOST_NESTED_ARRAYS = 4
_SCALARS = {
    0: "<B",
    1: "<b",
    2: "<H",
    3: "<h",
    4: "<I",
    5: "<i",
    6: "<f",
    7: "<?",
    10: "<Q",
    11: "<q",
    12: "<d",
}
_STRING, _ARRAY = 8, 9
_U64 = struct.Struct("<Q")


@dataclass(frozen=True)
class TensorInfo:
    """Where a tensor lies in its file.

    Attributes:
        name: As written in the file, such as `blk.0.attn_q.weight`.
        shape: Rows first, as NumPy and MLX count (GGUF counts the other way).
        type: How its values are held.
        path: The file.
        offset: First byte, from the start of the file.
        n_bytes: Length in bytes.
    """

    name: str
    shape: tuple[int, ...]
    type: TensorType
    path: Path
    offset: int
    n_bytes: int


@dataclass(frozen=True)
class Header:
    """What stands before the data of one file.

    Attributes:
        metadata: Key → number, flag, text or list of these.
        tensors: Name → where it lies, in the file's order.
    """

    metadata: Mapping[str, Value]
    tensors: Mapping[str, TensorInfo]


def read_header(path: Path) -> Header:
    """Read and check the header of the file at `path`.

    Raises:
        ModelNotFoundError: There is no such file.
        ModelFileError: It is truncated, damaged, or not a GGUF file.
        UnsupportedError: Its version, byte order or a tensor's type is not read here.
    """
    try:
        with path.open("rb") as file:
            size = path.stat().st_size
            limit = min(size, _HEADER_LIMIT_BYTES)
            window = min(limit, _FIRST_WINDOW_BYTES)
            while True:
                file.seek(0)
                data = file.read(window)
                try:
                    return _parse(path, data, size)
                except _EndOfWindowError:
                    if window >= limit:
                        raise truncated(path) from None
                window = min(limit, window * 4)
    except FileNotFoundError:
        raise ModelNotFoundError("There is no file {path}.", path=path) from None
    except OSError as error:
        raise unreadable(path, error) from error


class _EndOfWindowError(Exception):
    """The header goes on after the bytes that were read."""


class _PastEndOfFileError(Exception):
    """Something reaches beyond the file's last byte."""


class _DamagedError(Exception):
    """What is damaged, to be said with the file's name."""

    def __init__(self, what: Sentence) -> None:
        super().__init__(what)
        self.what = what


def truncated(path: Path) -> ModelFileError:
    """The error for a file that ends too early."""
    return ModelFileError("{file} is truncated; fetch it again.", file=path.name)


def _parse(path: Path, data: bytes, size: int) -> Header:
    if not data.startswith(b"GGUF"):
        raise ModelFileError("{file} is not a GGUF file.", file=path.name)
    cursor = _Cursor(path, data, size)
    cursor.take(4)
    try:
        _check_version(path, cursor.scalar("<I"))
        n_tensors, n_entries = cursor.scalar("<Q"), cursor.scalar("<Q")
        metadata = _metadata(cursor, n_entries)
        shapes = _tensor_table(cursor, n_tensors)
        tensors = _placed(shapes, _alignment(metadata), cursor.position, size)
    except _DamagedError as damage:
        raise ModelFileError(
            "{file} is damaged: it {damage}; fetch it again.", file=path.name, damage=damage.what
        ) from None
    except _PastEndOfFileError:
        raise truncated(path) from None
    return Header(metadata, tensors)


class _Cursor:
    """Reads values one after the other from the first bytes of a file of `size` bytes."""

    def __init__(self, path: Path, data: bytes, size: int) -> None:
        self._path = path
        self.position = 0
        self._data = data
        self._size = size
        self._strings_left = _MOST_STRINGS

    def take(self, n_bytes: int) -> int:
        """Move over `n_bytes` bytes that must exist; the position before."""
        start, end = self.position, self.position + n_bytes
        if end > self._size:
            raise _PastEndOfFileError
        if end > len(self._data):
            raise _EndOfWindowError
        self.position = end
        return start

    def scalar(self, layout: str) -> Any:
        return struct.unpack_from(layout, self._data, self.take(struct.calcsize(layout)))[0]

    def string(self) -> str:
        length = self.scalar("<Q")
        start = self.take(length)
        return _text(self._data[start : start + length])

    def value(self, kind: int, depth: int = 0) -> Value:
        if kind == _STRING:
            return self.string()
        if kind == _ARRAY:
            return self._array(depth)
        if kind not in _SCALARS:
            raise _DamagedError(Sentence("holds a value of unknown type {kind}", kind=kind))
        return self.scalar(_SCALARS[kind])

    def tensor(self) -> TensorInfo:
        """One row of the tensor table; `offset` still counts from the start of the data."""
        name = self.string()
        n_dims = self.scalar("<I")
        if not 1 <= n_dims <= 4:
            raise _DamagedError(
                Sentence("gives {name} {n_dims} dimensions", name=name, n_dims=n_dims)
            )
        shape = tuple(self.scalar("<Q") for _ in range(n_dims))
        kind = self.scalar("<I")
        if kind not in TENSOR_TYPES:
            raise UnsupportedError(
                "{name} has the GGUF type number {kind}, which is not known.", name=name, kind=kind
            )
        tensor_type = TENSOR_TYPES[kind]
        if 0 in shape or shape[0] % tensor_type.block:
            raise _DamagedError(
                Sentence(
                    "gives {name} the shape {shape}, impossible for {tensor_type}",
                    name=name,
                    shape=shape,
                    tensor_type=tensor_type.name,
                )
            )
        n_bytes = math.prod(shape) // tensor_type.block * tensor_type.block_bytes
        offset = self.scalar("<Q")
        return TensorInfo(name, shape[::-1], tensor_type, self._path, offset, n_bytes)

    def _array(self, depth: int) -> list[Any]:
        kind, count = self.scalar("<I"), self.scalar("<Q")
        if kind in _SCALARS:
            layout = np.dtype(_SCALARS[kind].replace("?", "u1"))
            start = self.take(count * layout.itemsize)
            array = np.frombuffer(self._data, layout, count, start)
            return (array != 0 if kind == 7 else array).tolist()
        if count * 8 > self._size - self.position:
            raise _PastEndOfFileError
        self._strings_left -= count
        if self._strings_left < 0:
            raise _DamagedError(
                Sentence("holds more than {most_strings} strings", most_strings=_MOST_STRINGS)
            )
        if kind == _STRING:
            return self._strings(count)
        if kind == _ARRAY and depth < _MOST_NESTED_ARRAYS:
            return [self._array(depth + 1) for _ in range(count)]
        raise _DamagedError(
            Sentence("holds an array of type {kind}, nested {depth} deep", kind=kind, depth=depth)
        )

    def _strings(self, count: int) -> list[str]:
        """As `string` repeated, without a call for each of a vocabulary's 100,000 strings."""
        data, position, end = self._data, self.position, len(self._data)
        last = end - 8
        length_at = _U64.unpack_from
        parts: list[bytes] = []
        for _ in range(count):
            if position > last:
                break
            start = position + 8
            position = start + length_at(data, position)[0]
            parts.append(data[start:position])
        self.take(position - self.position)
        if len(parts) < count:
            raise _EndOfWindowError
        try:
            return [part.decode() for part in parts]
        except UnicodeDecodeError:
            raise _DamagedError(Sentence("holds text that is not UTF-8")) from None


def _text(data: bytes) -> str:
    try:
        return data.decode()
    except UnicodeDecodeError:
        raise _DamagedError(Sentence("holds text that is not UTF-8")) from None


def _metadata(cursor: _Cursor, count: int) -> dict[str, Value]:
    if count > _MOST_ENTRIES:
        raise _DamagedError(Sentence("claims {count} entries", count=count))
    metadata: dict[str, Value] = {}
    for _ in range(count):
        key = cursor.string()
        if key in metadata:
            raise _DamagedError(Sentence("has two entries {key!r}", key=key[:64]))
        metadata[key] = cursor.value(cursor.scalar("<I"))
    return metadata


def _alignment(metadata: Mapping[str, Value]) -> int:
    alignment = metadata.get("general.alignment", 32)
    if not isinstance(alignment, int) or alignment < 1 or alignment.bit_count() != 1:
        raise _DamagedError(
            Sentence("asks for an alignment of {alignment}", alignment=str(alignment)[:32])
        )
    return alignment


def _check_version(path: Path, version: int) -> None:
    if version in (2, 3):
        return
    is_swapped = int.from_bytes(version.to_bytes(4, "little"), "big") in (2, 3)
    if is_swapped:
        raise UnsupportedError(
            "Big-endian GGUF files are not supported; fetch another copy of {file}.",
            file=path.name,
        )
    raise UnsupportedError(
        "Version {version} of GGUF is not supported; fetch another copy of {file}.",
        version=version,
        file=path.name,
    )


def _tensor_table(cursor: _Cursor, count: int) -> list[TensorInfo]:
    if count > _MOST_TENSORS:
        raise _DamagedError(Sentence("claims {count} tensors", count=count))
    tensors = [cursor.tensor() for _ in range(count)]
    if len({tensor.name for tensor in tensors}) < len(tensors):
        raise _DamagedError(Sentence("has two tensors of the same name"))
    return tensors


def _placed(
    tensors: list[TensorInfo], alignment: int, header_bytes: int, size: int
) -> dict[str, TensorInfo]:
    """The tensors with offsets from the start of the file, inside it and apart from each other."""
    start = -(-header_bytes // alignment) * alignment
    placed = [replace(each, offset=start + each.offset) for each in tensors]
    in_order = sorted(placed, key=lambda tensor: tensor.offset)
    for before, after in pairwise(in_order):
        if before.offset + before.n_bytes > after.offset:
            raise _DamagedError(
                Sentence(
                    "stores {before} and {after} in the same place",
                    before=before.name,
                    after=after.name,
                )
            )
    for tensor in in_order:
        if tensor.offset % alignment:
            raise _DamagedError(
                Sentence(
                    "stores {tensor} off its alignment of {alignment} bytes",
                    tensor=tensor.name,
                    alignment=alignment,
                )
            )
        if tensor.offset + tensor.n_bytes > size:
            raise _PastEndOfFileError
    return {tensor.name: tensor for tensor in placed}
