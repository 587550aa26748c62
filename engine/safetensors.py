"""Reads the headers of a folder's safetensors files, one or many, and nothing of their data.

The format: 8 bytes header length, a JSON object name → {dtype, shape, data_offsets}, then the data.
Everything is checked against the file's size, as nobody vouches for these files.
"""

import json
import math
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any, cast

from engine.config import read_json
from engine.errors import ModelFileError, ModelNotFoundError, UnsupportedError, unreadable
from engine.gguf_file import truncated
from engine.sentence import Sentence

INDEX_NAME = "model.safetensors.index.json"
_SINGLE_NAME = "model.safetensors"
_HEADER_LIMIT_BYTES = 100_000_000
_ITEM_BYTES = {
    "BOOL": 1,
    "U8": 1,
    "I8": 1,
    "F8_E4M3": 1,
    "F8_E5M2": 1,
    "F8_E8M0": 1,
    "I16": 2,
    "U16": 2,
    "F16": 2,
    "BF16": 2,
    "I32": 4,
    "U32": 4,
    "F32": 4,
    "I64": 8,
    "U64": 8,
    "F64": 8,
}
_HALVES = ("F16", "BF16")
_PLAIN_NAME = re.compile(r"[^/\\\0]+\.safetensors")
_SHARD = re.compile(r".*-(\d{5})-of-(\d{5})\.safetensors")


@dataclass(frozen=True)
class Stored:
    """Where a tensor lies.

    Attributes:
        name: As in the file.
        path: The file.
        dtype: As written in the header: F32, F16, BF16, U32 …
        shape: Rows first.
        offset: First byte, from the start of the file.
        n_bytes: Length in bytes.
    """

    name: str
    path: Path
    dtype: str
    shape: tuple[int, ...]
    offset: int
    n_bytes: int


def weight_files(folder: Path) -> list[Path]:
    """The safetensors files that hold a model's weights, each of them there.

    The index decides, then `model.safetensors`, then whatever .safetensors files there are.

    Raises:
        ModelNotFoundError: There is none.
        ModelFileError: A shard is missing, or the index is damaged or names other places.
    """
    index = folder / INDEX_NAME
    if index.is_file():
        names = sorted(set(_weight_map(index).values()))
    elif (folder / _SINGLE_NAME).is_file():
        names = [_SINGLE_NAME]
    else:
        names = _all_shards(sorted(path.name for path in folder.glob("*.safetensors")))
    if not names:
        others = [*folder.glob("*.bin"), *folder.glob("*.pt*"), *folder.glob("*.pkl")]
        if others:
            raise ModelNotFoundError(
                "{folder} has no .safetensors files, only pickled weights, which can run code and "
                "are never read; fetch a safetensors copy of this model.",
                folder=folder,
            )
        raise ModelNotFoundError(
            "{folder} has no .safetensors files; fetch a safetensors copy of this model.",
            folder=folder,
        )
    for name in names:
        if not (folder / name).is_file():
            raise ModelFileError(
                "{folder} is incomplete: {name} is missing; fetch it again.",
                folder=folder,
                name=name,
            )
    return [folder / name for name in names]


def read_headers(paths: Iterable[Path]) -> dict[str, Stored]:
    """Name → where it lies, of all tensors in several files.

    Raises:
        ModelFileError: A file is truncated or damaged, or a name occurs twice.
    """
    tensors: dict[str, Stored] = {}
    for path in paths:
        for name, stored in read_header(path).items():
            if name in tensors:
                raise ModelFileError(
                    "{name} is in both {file} and {other}; fetch the model again.",
                    name=name,
                    file=tensors[name].path.name,
                    other=path.name,
                )
            tensors[name] = stored
    return tensors


def read_header(path: Path) -> dict[str, Stored]:
    """Name → where it lies, of the tensors in one file.

    Raises:
        ModelFileError: The file is truncated, damaged, or not safetensors.
        UnsupportedError: A tensor's dtype is not known.
    """
    return read_with_metadata(path)[1]


def read_with_metadata(path: Path) -> tuple[dict[str, str], dict[str, Stored]]:
    """What a file says about itself, and its tensors; errors as for `read_header`."""
    try:
        size = path.stat().st_size
        with path.open("rb") as file:
            prefix = file.read(8)
            length = int.from_bytes(prefix, "little")
            if len(prefix) < 8 or 8 + length > size:
                raise truncated(path)
            if length > _HEADER_LIMIT_BYTES:
                raise _damaged(path, Sentence("has a header of {length} bytes", length=length))
            text = file.read(length)
    except OSError as error:
        raise unreadable(path, error) from error
    header = _json_object(path, text)
    metadata = header.pop("__metadata__", None)
    start = 8 + length
    tensors = {name: _stored(path, name, entry, start) for name, entry in header.items()}
    _check_places(path, tensors, size)
    return _texts(metadata), tensors


def _texts(metadata: object) -> dict[str, str]:
    """The entries that are text, as all are meant to be."""
    entries = cast("dict[str, object]", metadata) if isinstance(metadata, dict) else {}
    return {key: value for key, value in entries.items() if isinstance(value, str)}


def held_bytes(tensors: Mapping[str, Stored], *, widen: bool) -> int:
    """What tensors take in memory, with those of half precision widened to float32 if asked."""
    return sum(
        stored.n_bytes * (2 if widen and stored.dtype in _HALVES else 1)
        for stored in tensors.values()
    )


def _weight_map(index: Path) -> Mapping[str, str]:
    entries = read_json(index).get("weight_map")
    if not isinstance(entries, dict) or not entries:
        raise ModelFileError("{index} names no files; fetch the model again.", index=index)
    for name in cast("dict[str, object]", entries).values():
        if not isinstance(name, str) or not _PLAIN_NAME.fullmatch(name):
            raise ModelFileError(
                "{index} points to {name!r}, which is not a .safetensors file beside it.",
                index=index,
                name=str(name)[:64],
            )
    return cast("dict[str, str]", entries)


def _all_shards(names: list[str]) -> list[str]:
    """The names, with those missing from a row of numbered shards added."""
    numbered = [match for name in names if (match := _SHARD.fullmatch(name))]
    if not numbered:
        return names
    last = numbered[0]
    stem, count = last.group(0)[: -len("-00001-of-00001.safetensors")], int(last.group(2))
    return [f"{stem}-{i:05}-of-{count:05}.safetensors" for i in range(1, count + 1)]


def _damaged(path: Path, what: Sentence) -> ModelFileError:
    return ModelFileError(
        "{file} is damaged: it {damage}; fetch it again.", file=path.name, damage=what
    )


def _json_object(path: Path, text: bytes) -> dict[str, Any]:
    try:
        header: object = json.loads(text, object_pairs_hook=_unique)
    except (ValueError, RecursionError):
        raise _damaged(path, Sentence("does not start with a safetensors header")) from None
    if not isinstance(header, dict):
        raise _damaged(path, Sentence("does not start with a safetensors header"))
    return cast("dict[str, Any]", header)


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    entries = dict(pairs)
    if len(entries) < len(pairs):
        raise ValueError("a name occurs twice")
    return entries


def _stored(path: Path, name: str, entry: object, start: int) -> Stored:
    fields = cast("dict[str, object]", entry) if isinstance(entry, dict) else {}
    dtype, shape = fields.get("dtype"), _whole_numbers(fields.get("shape"))
    offsets = _whole_numbers(fields.get("data_offsets"))
    if shape is None or offsets is None or len(offsets) != 2:
        raise _damaged(path, Sentence("has no shape or place for {name}", name=name[:64]))
    if not isinstance(dtype, str) or dtype not in _ITEM_BYTES:
        raise UnsupportedError(
            "{name} in {file} has the dtype {dtype}, which is not supported.",
            name=name[:64],
            file=path.name,
            dtype=str(dtype)[:32],
        )
    begin, end = offsets
    if len(shape) > 8 or end - begin != math.prod(shape) * _ITEM_BYTES[dtype]:
        raise _damaged(
            path, Sentence("gives {name} a shape and a place that disagree", name=name[:64])
        )
    return Stored(name, path, dtype, tuple(shape), start + begin, end - begin)


def _whole_numbers(value: object) -> list[int] | None:
    """`value` if it is a list of whole numbers from 0 up."""
    entries = cast("list[object]", value) if isinstance(value, list) else [None]
    is_whole = all(type(each) is int and each >= 0 for each in entries)
    return cast("list[int]", entries) if is_whole else None


def _check_places(path: Path, tensors: Mapping[str, Stored], size: int) -> None:
    in_order = sorted(tensors.values(), key=lambda stored: (stored.offset, stored.n_bytes))
    for before, after in pairwise(in_order):
        if before.offset + before.n_bytes > after.offset:
            raise _damaged(
                path,
                Sentence(
                    "stores {name} and {other} in one place",
                    name=before.name[:64],
                    other=after.name[:64],
                ),
            )
    if any(stored.offset + stored.n_bytes > size for stored in in_order):
        raise truncated(path)
