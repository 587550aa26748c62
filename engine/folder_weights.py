"""Weights of a folder of safetensors files: plain, or quantised the way MLX does."""

import math
from collections.abc import Iterator
from pathlib import Path
from typing import Literal

import mlx.core as mx
import numpy as np

from engine.arrays import Rows, blank, copied, floats
from engine.config import ModelConfig
from engine.errors import ModelFileError, UnsupportedError
from engine.fingerprint import Tensor
from engine.ggml import brain_values, float_values, half_values
from engine.layers import Packed
from engine.quantization import MODES, check_quantization
from engine.safetensors import Stored, read_headers, weight_files
from engine.sentence import Sentence

_DTYPES = {"F32": mx.float32, "F16": mx.float16, "BF16": mx.bfloat16}
_DECODERS = {
    "F32": float_values,
    "F16": half_values,
    "BF16": brain_values,
}
_CHUNK_VALUES = 1 << 20


class FolderTensors:
    """The tensors of a folder's safetensors files."""

    def __init__(
        self, folder: Path, config: ModelConfig, precision: Literal["stored", "float32"]
    ) -> None:
        self._folder = folder
        self._config = config
        self._keeps_stored = precision == "stored"
        self._tensors = read_headers(weight_files(folder))
        self._left = set(self._tensors)
        # One dtype for all, since mixing two makes MLX compute in float32.
        norm = self._tensors.get("model.norm.weight")
        self._dense_dtype = _DTYPES.get(norm.dtype if norm else "", mx.bfloat16)

    def matrix(self, module: str, rows: int, columns: int) -> mx.array | Packed:
        """The matrix of a module, quantised if it has scales and the precision keeps them."""
        if f"{module}.scales" not in self._tensors:
            return self._floats(f"{module}.weight", (rows, columns))
        packed = self._packed(module, rows, columns)
        return packed if self._keeps_stored else _unpacked(packed)

    def vector(self, name: str, size: int) -> mx.array:
        """The vector `name`, (size,)."""
        return self._floats(name, (size,))

    def left_over(self) -> list[str]:
        """Names that nothing asked for, but for buffers and a head that a tied model repeats."""
        return sorted(name for name in self._left if not self._is_needless(name))

    def all(self) -> Iterator[Tensor]:
        """Every tensor that is not known to be needless."""
        for stored in self._tensors.values():
            if not self._is_needless(stored.name) and stored.n_bytes:
                described = f"{stored.name} {stored.dtype} {stored.shape}"
                yield Tensor(described, Rows(stored.path, stored.offset, 1, stored.n_bytes))

    def loaded_bytes(self) -> int:
        """What all of it takes in memory, by the headers."""
        return sum(
            stored.n_bytes if self._keeps_stored else self._widened_bytes(stored)
            for stored in self._tensors.values()
            if not self._is_needless(stored.name)
        )

    def _widened_bytes(self, stored: Stored) -> int:
        """What a tensor takes in float32; scales and biases become part of their matrix."""
        module, _, kind = stored.name.rpartition(".")
        if f"{module}.scales" not in self._tensors or kind not in ("weight", "scales", "biases"):
            return math.prod(stored.shape) * 4
        how = self._config.quantization_of(module)
        if kind != "weight" or how is None or how.bits < 1:
            return 0
        return stored.n_bytes * 8 // how.bits * 4

    def _is_needless(self, name: str) -> bool:
        tied = self._config.tie_word_embeddings
        return name.endswith("rotary_emb.inv_freq") or (tied and name.startswith("lm_head."))

    def _packed(self, module: str, rows: int, columns: int) -> Packed:
        how = self._config.quantization_of(module)
        if how is None:
            raise ModelFileError(
                "{module} is quantised, but the config does not say how.", module=module
            )
        check_quantization(module, how, columns)
        groups = (rows, columns // how.group_size)
        scales = self._find(f"{module}.scales", groups)
        biases = self._find(f"{module}.biases", groups) if MODES[how.mode].has_biases else None
        weight = self._find(f"{module}.weight", (rows, columns * how.bits // 32))
        scale_dtype = (_DTYPES if biases else {"U8": mx.uint8}).get(scales.dtype)
        is_one_dtype = biases is None or biases.dtype == scales.dtype
        if weight.dtype != "U32" or scale_dtype is None or not is_one_dtype:
            with_biases = Sentence("{dtype} biases", dtype=biases.dtype) if biases else None
            raise UnsupportedError(
                "{module} is quantised as {dtype} with {scales} scales and {biases}, "
                "which is not supported.",
                module=module,
                dtype=weight.dtype,
                scales=scales.dtype,
                biases=with_biases or Sentence("no biases"),
            )
        return Packed(
            copied(_rows_of(weight), weight.shape[1], mx.uint32),
            copied(_rows_of(scales), groups[1], scale_dtype),
            copied(_rows_of(biases), groups[1], scale_dtype) if biases else None,
            how,
            self._dense_dtype,
        )

    def _floats(self, name: str, shape: tuple[int, ...]) -> mx.array:
        stored = self._find(name, shape)
        if stored.dtype not in _DTYPES:
            raise UnsupportedError(
                "{name} has the dtype {dtype}, which is not supported for weights.",
                name=name,
                dtype=stored.dtype,
            )
        rows = _rows_of(stored)
        if self._keeps_stored:
            return copied(rows, shape[-1], _DTYPES[stored.dtype]).reshape(shape)
        return floats(rows, shape[-1], _DECODERS[stored.dtype], mx.float32).reshape(shape)

    def _find(self, name: str, shape: tuple[int, ...]) -> Stored:
        stored = self._tensors.get(name)
        if stored is None:
            raise ModelFileError(
                "{folder} has no tensor {name}; fetch it again.",
                folder=self._folder.name,
                name=name,
            )
        if stored.shape != shape:
            raise ModelFileError(
                "{name} in {file} has the shape {shape}; the config asks for {asked}.",
                name=name,
                file=stored.path.name,
                shape=stored.shape,
                asked=shape,
            )
        self._left.discard(name)
        return stored


def _rows_of(stored: Stored) -> Rows:
    """The rows of a matrix; a vector is one row."""
    count = stored.shape[0] if len(stored.shape) > 1 else 1
    return Rows(stored.path, stored.offset, count, stored.n_bytes // count)


def _unpacked(packed: Packed) -> mx.array:
    """The matrix in float32, computed from float32 scales so that nothing is rounded twice."""
    rows, columns = packed.weight.shape[0], packed.scales.shape[1] * packed.how.group_size
    matrix, view = blank((rows, columns), mx.float32)
    step = max(1, _CHUNK_VALUES // columns)
    for first in range(0, rows, step):
        part = slice(first, first + step)
        scales, biases = packed.scales[part], packed.biases
        if biases is not None:
            scales, biases = scales.astype(mx.float32), biases[part].astype(mx.float32)
        widened = Packed(packed.weight[part], scales, biases, packed.how, mx.float32)
        values = widened.dequantize()
        view[part] = np.asarray(values, copy=False)
    return matrix
