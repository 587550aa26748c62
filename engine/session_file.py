"""A session on disk: a safetensors file with a model's fingerprint, its policy, and a checksum.

Nobody vouches for such a file: what its header says is checked against the model and against the
file's size before anything is allocated, and the checksum over all other bytes before any is used.
"""

import json
import math
import tempfile
import zlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import Any, BinaryIO, cast

import mlx.core as mx
import numpy as np
from numpy.typing import NDArray

from engine.arrays import Rows, copied
from engine.cache import CachePolicy, CacheState, LayerState, layer_groups
from engine.cache.policy import group_size
from engine.config import ModelConfig
from engine.errors import EngineError, SessionFileError, SettingError
from engine.safetensors import Stored, read_with_metadata

VERSION = 1
_FORMAT = "cutaway session"
_CHECKSUM = "checksum"
_FLOATS = {"F32": mx.float32, "F16": mx.float16, "BF16": mx.bfloat16}
_DTYPES = {**_FLOATS, "U32": mx.uint32, "I32": mx.int32, "I64": mx.int64}
_NAMES = {dtype: name for name, dtype in _DTYPES.items()}
_CHUNK_BYTES = 1 << 20


@dataclass(frozen=True)
class SavedSession:
    """What a session is made of.

    Attributes:
        fingerprint: Of its model.
        policy: How its cache holds keys and values.
        tokens: Every token id.
        state: What the cache holds.
        dtype: Of keys and values as the model computes them.
    """

    fingerprint: str
    policy: CachePolicy
    tokens: Sequence[int]
    state: CacheState
    dtype: mx.Dtype


def write_session(path: Path, saved: SavedSession) -> None:
    """Write a session; a file that was there is replaced when the new one is whole.

    Raises:
        SessionFileError: The file cannot be written.
    """
    arrays = [("tokens", mx.array(list(saved.tokens), mx.int32))]
    for index, positions in enumerate(saved.state.positions):
        arrays.append((f"positions.{index}", mx.array(positions)))
    for index, layer in enumerate(saved.state.layers):
        for kind, parts in (("keys", layer.keys), ("values", layer.values)):
            for part, array in enumerate(parts):
                arrays.append((f"layers.{index}.{kind}.{part}", array))
    metadata = {
        "format": _FORMAT,
        "version": str(VERSION),
        "fingerprint": saved.fingerprint,
        "length": str(saved.state.length),
        "dtype": _NAMES[saved.dtype],
        "policy": json.dumps(
            [saved.policy.window, saved.policy.pinned, saved.policy.bits],
        ),
    }
    temporary: Path | None = None
    try:
        with tempfile.NamedTemporaryFile(
            dir=path.parent, prefix=".session-", suffix=".tmp", delete=False
        ) as file:
            temporary = Path(file.name)
            _write(cast("BinaryIO", file), metadata, arrays)
        temporary.replace(path)
    except OSError as error:
        reason = error.strerror or error
        raise SessionFileError(
            "The session cannot be saved as {path}: {reason}.", path=path, reason=reason
        ) from error
    finally:
        if temporary is not None:
            temporary.unlink(missing_ok=True)


class SessionFile:
    """A saved session whose header was read and fits a model."""

    def __init__(self, path: Path, config: ModelConfig, fingerprint: str) -> None:
        """Read and check the header.

        Raises:
            SessionFileError: It is no whole session of this version and this model.
        """
        self._path = path
        self._config = config
        self._fingerprint = fingerprint
        metadata, self._tensors = self._header()
        self._check_kind(metadata)
        try:
            window, pinned, bits = json.loads(metadata["policy"])
            self.policy = CachePolicy(window, pinned, bits)
            self._dtype = _FLOATS[metadata["dtype"]]
            self.length = int(metadata["length"])
        except (KeyError, TypeError, ValueError, RecursionError, SettingError):
            raise self.damaged() from None
        self._check_tensors()

    def read(self) -> SavedSession:
        """The content, its layers lazily.

        Raises:
            SessionFileError: It is damaged.
        """
        if self._checksum() != self._vector(_CHECKSUM).tolist():
            raise self.damaged()
        tokens = self._vector("tokens")
        if ((tokens < 0) | (tokens >= self._config.vocab_size)).any():
            raise self.damaged()
        positions = tuple(self._vector(name) for name in self._positions)
        state = CacheState(self.length, positions, self._layers())
        return SavedSession(self._fingerprint, self.policy, tokens.tolist(), state, self._dtype)

    def damaged(self) -> SessionFileError:
        """What to raise where the content makes no sense."""
        return SessionFileError(
            "{file} is damaged; the session has to be computed again.", file=self._path.name
        )

    def _check_tensors(self) -> None:
        """Refuse other names, shapes and types than this policy's cache of this model has."""
        groups = layer_groups(self._config)
        self._positions = [f"positions.{index}" for index in range(max(groups) + 1)]
        vectors = {"tokens": "I32", _CHECKSUM: "U32"} | dict.fromkeys(self._positions, "I64")
        for name, dtype in vectors.items():
            stored = self._tensors.get(name)
            if stored is None or len(stored.shape) != 1 or stored.dtype != dtype:
                raise self.damaged()
        spans = [self._tensors[self._positions[group]].shape[0] for group in groups]
        self._parts = [
            self._parts_of(index, kind, span)
            for index, span in enumerate(spans)
            if span
            for kind in ("keys", "values")
        ]
        names = {*vectors, *chain(*self._parts)}
        whole = all(spans) if self.length else not any(spans)
        if names != self._tensors.keys() or not whole:
            raise self.damaged()
        if not 0 <= self.length <= self._tensors["tokens"].shape[0]:
            raise self.damaged()

    def _parts_of(self, layer: int, kind: str, span: int) -> list[str]:
        """The names of the arrays of a layer's keys or values, after a look at their shapes."""
        config, bits = self._config, self.policy.bits
        expected = {f"layers.{layer}.{kind}.0": (config.head_dim, tuple(_FLOATS))}
        if bits is not None:
            groups = config.head_dim // group_size(config.head_dim)
            expected = {
                f"layers.{layer}.{kind}.0": (config.head_dim * bits // 32, ("U32",)),
                f"layers.{layer}.{kind}.1": (groups, ("F16",)),
                f"layers.{layer}.{kind}.2": (groups, ("F16",)),
            }
        for name, (size, dtypes) in expected.items():
            stored = self._tensors.get(name)
            shape = (1, config.num_key_value_heads, span, size)
            if stored is None or stored.shape != shape or stored.dtype not in dtypes:
                raise self.damaged()
        return list(expected)

    def _layers(self) -> Iterator[LayerState]:
        for keys, values in zip(self._parts[::2], self._parts[1::2], strict=True):
            yield LayerState([self._array(n) for n in keys], [self._array(n) for n in values])

    def _array(self, name: str) -> mx.array:
        stored = self._tensors[name]
        rows, columns = math.prod(stored.shape[:-1]), stored.shape[-1]
        place = Rows(self._path, stored.offset, rows, stored.n_bytes // rows)
        return copied(place, columns, _DTYPES[stored.dtype]).reshape(stored.shape)

    def _vector(self, name: str) -> NDArray[np.int64]:
        stored = self._tensors[name]
        return np.array(self._array(name) if stored.n_bytes else [], np.int64)

    def _checksum(self) -> list[int]:
        """Of every byte before the checksum itself, which comes last."""
        stored, found = self._tensors[_CHECKSUM], 0
        try:
            with self._path.open("rb") as file:
                while left := stored.offset - file.tell():
                    data = file.read(min(left, _CHUNK_BYTES))
                    found = zlib.crc32(data, found)
                    if not data:
                        raise self.damaged()
                rest = len(file.read(stored.n_bytes + 1))
        except OSError:
            raise self.damaged() from None
        return [found] if rest == stored.n_bytes == 4 else []

    def _header(self) -> tuple[dict[str, str], dict[str, Stored]]:
        if not self._path.is_file():
            raise SessionFileError("There is no saved session {path}.", path=self._path)
        try:
            return read_with_metadata(self._path)
        except EngineError:
            raise self.damaged() from None

    def _check_kind(self, metadata: dict[str, str]) -> None:
        if metadata.get("format") != _FORMAT:
            raise SessionFileError("{file} is not a saved session.", file=self._path.name)
        version = metadata.get("version", "")[:16]
        if version != str(VERSION):
            raise SessionFileError(
                "{file} was saved in version {version} of the format and this program reads "
                "version {own}; the session has to be computed again.",
                file=self._path.name,
                version=version,
                own=VERSION,
            )
        if metadata.get("fingerprint") != self._fingerprint:
            raise SessionFileError(
                "{file} was saved with another model; the session has to be computed again.",
                file=self._path.name,
            )


def _write(file: BinaryIO, metadata: dict[str, str], arrays: list[tuple[str, mx.array]]) -> None:
    header: dict[str, Any] = {"__metadata__": metadata}
    end = 0
    for name, array in arrays:
        header[name] = _entry(_NAMES[array.dtype], array.shape, end, array.nbytes)
        end += array.nbytes
    header[_CHECKSUM] = _entry("U32", (1,), end, 4)
    text = json.dumps(header).encode()
    text += b" " * (-len(text) % 8)
    found = 0
    for block in (len(text).to_bytes(8, "little"), text):
        found = zlib.crc32(block, found)
        file.write(block)
    while arrays:
        _, array = arrays.pop(0)
        data = _bytes_of(array)
        found = zlib.crc32(data, found)
        file.write(data)
    file.write(found.to_bytes(4, "little"))


def _entry(dtype: str, shape: Sequence[int], start: int, n_bytes: int) -> dict[str, Any]:
    return {"dtype": dtype, "shape": list(shape), "data_offsets": [start, start + n_bytes]}


def _bytes_of(array: mx.array) -> memoryview:
    """The bytes of an array, which is computed now."""
    plain = mx.contiguous(array.view(mx.uint16) if array.dtype == mx.bfloat16 else array)
    mx.eval(plain)
    return memoryview(cast("Any", np.asarray(plain))).cast("B") if plain.size else memoryview(b"")
