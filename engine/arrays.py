"""From bytes in a file to evaluated MLX arrays, a few rows at a time.

Arrays are written where MLX keeps them, so loading needs the result's memory and one chunk more.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

import mlx.core as mx
import numpy as np
from numpy.typing import NDArray

from engine.errors import UnsupportedError, unreadable
from engine.gguf_file import truncated

Order = np.ndarray[Any, np.dtype[np.intp]]

_CHUNK_BYTES = 1 << 20


@dataclass(frozen=True)
class Rows:
    """Rows of bytes in a file: `count` rows of `row_bytes` bytes each, from byte `offset` on."""

    path: Path
    offset: int
    count: int
    row_bytes: int

    def chunks(self) -> Iterator[tuple[slice, NDArray[np.uint8]]]:
        """Pairs of which rows, and their bytes (rows, row_bytes), about 1 MiB at a time.

        Raises:
            ModelFileError: The file is shorter than its header says, or cannot be read.
        """
        step = max(1, _CHUNK_BYTES // self.row_bytes)
        try:
            with self.path.open("rb", buffering=0) as file:
                file.seek(self.offset)
                for first in range(0, self.count, step):
                    rows = slice(first, min(self.count, first + step))
                    yield rows, self._read(file, rows.stop - first)
        except OSError as error:
            raise unreadable(self.path, error) from error

    def _read(self, file: Any, count: int) -> NDArray[np.uint8]:
        chunk = np.empty((count, self.row_bytes), np.uint8)
        rest = memoryview(cast("Any", chunk)).cast("B")
        while rest:
            got = file.readinto(rest)
            if not got:
                raise truncated(self.path)
            rest = rest[got:]
        return chunk


def blank(shape: tuple[int, ...], dtype: mx.Dtype) -> tuple[mx.array, NDArray[Any]]:
    """An MLX array of zeros, and NumPy's writable view of the same memory.

    Args:
        shape: Already checked against the file: MLX does not survive an impossible allocation.
        dtype: Not bfloat16, which NumPy lacks.
    """
    array = mx.zeros(shape, dtype)
    mx.eval(array)
    view = cast("NDArray[Any]", np.asarray(array, copy=False))
    assert view.flags.writeable
    assert view.flags.c_contiguous
    return array, view


def floats(
    rows: Rows,
    columns: int,
    decode: Callable[[NDArray[np.uint8]], NDArray[np.float32]],
    dtype: mx.Dtype,
    order: Order | None = None,
) -> mx.array:
    """Decode rows of bytes into an evaluated array (rows, columns).

    Args:
        rows: Where the bytes are.
        columns: Values in a row, in agreement with `rows.row_bytes`.
        decode: From bytes (n, row_bytes) to values (n, columns).
        dtype: Of the result: float32, float16 or bfloat16.
        order: Row r of the file becomes row order[r].

    Raises:
        ModelFileError: The file ends too early.
        UnsupportedError: A finite value is beyond what float16 can hold.
    """
    is_brain = dtype == mx.bfloat16
    array, view = blank((rows.count, columns), mx.uint16 if is_brain else dtype)
    for where, raw in rows.chunks():
        with np.errstate(all="ignore"):
            values = decode(raw)
        try:
            with np.errstate(over="raise"):
                view[where if order is None else order[where]] = (
                    _rounded_to_brain(values) if is_brain else values
                )
        except FloatingPointError:
            raise UnsupportedError(
                "{file} has weights too large for float16; load it as float32.", file=rows.path.name
            ) from None
    return evaluated(array.view(mx.bfloat16)) if is_brain else array


def copied(rows: Rows, columns: int, dtype: mx.Dtype) -> mx.array:
    """Rows of bytes that already are values of `dtype`, as an evaluated array (rows, columns)."""
    as_stored = mx.uint16 if dtype == mx.bfloat16 else dtype
    array, view = blank((rows.count, columns), as_stored)
    for where, raw in rows.chunks():
        view[where] = raw.view(view.dtype)
    return evaluated(array.view(dtype)) if dtype == mx.bfloat16 else array


def evaluated(array: mx.array) -> mx.array:
    """The array, computed: nothing lazy leaves the loader."""
    mx.eval(array)
    return array


def _rounded_to_brain(values: NDArray[np.float32]) -> NDArray[np.uint16]:
    """The nearest bfloat16 of float32 values, ties to even, as bits."""
    bits = np.ascontiguousarray(values).view(np.uint32)
    rounded = (bits + 0x7FFF + ((bits >> 16) & 1)) >> 16
    return np.where(np.isnan(values), 0x7FC0, rounded).astype(np.uint16)
