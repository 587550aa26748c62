"""Weights of a GGUF file under their checkpoint names: repacked for MLX, or as floats."""

import math
from collections.abc import Callable, Iterator
from typing import Any, Literal

import mlx.core as mx
import numpy as np
from numpy.typing import NDArray

from engine.arrays import Order, Rows, blank, floats
from engine.config import ModelConfig, Quantization
from engine.errors import ModelFileError
from engine.fingerprint import Tensor
from engine.ggml import AFFINE, GROUP, AffineLayout, decoder
from engine.gguf import gguf_name, row_order
from engine.gguf_file import GGUFFile, TensorInfo
from engine.layers import Packed

_HARMLESS = frozenset({"rope_freqs.weight"})

Decode = Callable[[NDArray[np.uint8]], NDArray[np.float32]]


class GGUFTensors:
    """The tensors of one GGUF file, asked for by their checkpoint names."""

    def __init__(
        self, file: GGUFFile, config: ModelConfig, precision: Literal["stored", "float32"]
    ) -> None:
        self._file = file
        self._config = config
        self._keeps_packed = precision == "stored"
        self._dtype = _dense_dtype(file) if precision == "stored" else mx.float32
        self._left = set(file.tensors) - _HARMLESS
        self._decoders: dict[str, Decode] = {}

    def matrix(self, module: str, rows: int, columns: int) -> mx.array | Packed:
        """The matrix of a module, packed if its type allows and the precision asks for it."""
        name = f"{module}.weight"
        info = self._find(name, (rows, columns))
        order = row_order(name, self._config)
        layout = AFFINE.get(info.type.name)
        if self._keeps_packed and layout is not None:
            packed = _repacked(self._rows(info, rows), columns, layout, order)
            if packed is not None:
                return packed
        return self._floats(info, rows, columns, order)

    def vector(self, name: str, size: int) -> mx.array:
        """The vector `name`, (size,), in the dtype of the unpacked weights."""
        info = self._find(name, (size,))
        order = row_order(name, self._config)
        if order is None:
            return self._floats(info, 1, size, None).reshape(size)
        return self._floats(info, size, 1, order).reshape(size)

    def left_over(self) -> list[str]:
        """Names, as in the file, that nothing asked for."""
        return sorted(self._left)

    def all(self) -> Iterator[Tensor]:
        """Every tensor that is not known to be needless."""
        for info in self._used():
            if info.n_bytes:
                described = f"{info.name} {info.type.name} {info.shape}"
                yield Tensor(described, Rows(info.path, info.offset, 1, info.n_bytes))

    def loaded_bytes(self) -> int:
        """What all of it takes in memory, by the header."""
        return sum(self._loaded_bits(info) * math.prod(info.shape) for info in self._used()) // 8

    def _used(self) -> Iterator[TensorInfo]:
        return (info for name, info in self._file.tensors.items() if name not in _HARMLESS)

    def _loaded_bits(self, info: TensorInfo) -> int:
        layout = AFFINE.get(info.type.name)
        if self._keeps_packed and layout is not None and len(info.shape) > 1:
            return layout.bits + 32 // GROUP  # a float16 scale and a float16 bias per group
        return self._dtype.size * 8

    def _find(self, name: str, shape: tuple[int, ...]) -> TensorInfo:
        in_file = gguf_name(name)
        info = self._file.tensors.get(in_file)
        if info is None:
            raise ModelFileError(
                "{file} has no tensor {name}; fetch it again.",
                file=self._file.path.name,
                name=in_file,
            )
        if info.shape != shape:
            raise ModelFileError(
                "{name} in {file} has the shape {shape}; its metadata asks for {asked}.",
                name=in_file,
                file=self._file.path.name,
                shape=info.shape,
                asked=shape,
            )
        self._left.discard(in_file)
        return info

    def _rows(self, info: TensorInfo, rows: int) -> Rows:
        return Rows(info.path, info.offset, rows, info.n_bytes // rows)

    def _floats(self, info: TensorInfo, rows: int, columns: int, order: Order | None) -> mx.array:
        kind = info.type.name
        if kind not in self._decoders:
            self._decoders[kind] = decoder(kind)
        return floats(self._rows(info, rows), columns, self._decoders[kind], self._dtype, order)


def _dense_dtype(file: GGUFFile) -> mx.Dtype:
    """One dtype for all that is not packed, since mixing two makes MLX compute in float32."""
    matrices = {info.type.name for info in file.tensors.values() if len(info.shape) > 1}
    return mx.bfloat16 if "BF16" in matrices and not matrices & AFFINE.keys() else mx.float16


def _repacked(rows: Rows, columns: int, layout: AffineLayout, order: Order | None) -> Packed | None:
    """The matrix as MLX packs it; None where float16 cannot hold a group's bias."""
    groups = columns // GROUP
    weight, integers = blank((rows.count, columns * layout.bits // 32), mx.uint32)
    scales, scale_view = blank((rows.count, groups), mx.float16)
    biases, bias_view = blank((rows.count, groups), mx.float16)
    for where, raw in rows.chunks():
        to: Any = where if order is None else order[where]
        integers[to], scale_view[to], bias_view[to] = layout.pack(raw)
    if not np.isfinite(bias_view).all():
        return None
    return Packed(weight, scales, biases, Quantization(group_size=GROUP, bits=layout.bits))
