"""The tensors of a conversion: where they come from, how they change, and the files they go to."""

import json
import os
from dataclasses import dataclass, field
from pathlib import Path

import mlx.core as mx

from engine.conditions import Watch
from engine.config import ModelConfig, Quantization
from engine.ggml import AFFINE, GROUP
from engine.gguf import gguf_name
from engine.gguf_file import GGUFFile
from engine.layers import Packed
from engine.safetensors import INDEX_NAME, read_headers, weight_files
from engine.source import Source
from engine.weights import StoredTensors, open_tensors

DENSE = 16
"""Bits of what is not quantised."""
SHARD_BYTES = 1 << 30
_GROUPS = (64, 32)


class Sizes:
    """Counts what a decoder asks for, and hands out nothing."""

    def __init__(self, origin: "Origin", bits: int) -> None:
        self._origin, self._bits = origin, bits
        self.values = self.size_bytes = self.largest = 0

    def matrix(self, module: str, rows: int, columns: int) -> mx.array:
        """Count a matrix."""
        values, group = rows * columns, self._origin.group(module, columns)
        self.values += values
        self.largest = max(self.largest, values)
        how = Quantization(group or 64, self._bits)
        self.size_bytes += (
            2 * values
            if self._bits == DENSE or group is None
            else int(values * how.bits_per_value / 8)
        )
        return mx.zeros((1, 1), mx.bfloat16)

    def vector(self, name: str, size: int) -> mx.array:
        """Count a vector."""
        del name
        self.values += size
        self.size_bytes += 2 * size
        return mx.zeros((1,), mx.bfloat16)

    def left_over(self) -> list[str]:
        """Nothing is looked for."""
        return []


class Origin:
    """The source's tensors: as they are where that will do, else widened to float32."""

    def __init__(
        self, source: Source, config: ModelConfig, file: GGUFFile | None, bits: int
    ) -> None:
        self._config, self._file, self._bits = config, file, bits
        self._stored: StoredTensors = open_tensors(source, config, "stored", file)
        self.wide: StoredTensors = open_tensors(source, config, "float32", file)
        self._names = read_headers(weight_files(source.path)) if file is None else {}

    def matrix(self, module: str, rows: int, columns: int) -> mx.array | Packed:
        """A matrix, packed only where it has the wanted bits already."""
        tensors = self.wide if self._kept(module) is None else self._stored
        return tensors.matrix(module, rows, columns)

    def group(self, module: str, columns: int) -> int | None:
        """How many values of a matrix are going to share a scale; None where it is not quantised.

        Args:
            module: Which matrix.
            columns: Values in one of its rows.
        """
        return self._kept(module) or next((n for n in _GROUPS if columns % n == 0), None)

    def left_over(self) -> list[str]:
        """What neither was asked for."""
        return sorted(set(self._stored.left_over()) & set(self.wide.left_over()))

    def _kept(self, module: str) -> int | None:
        """The groups of a matrix that has the wanted bits already; None for all others."""
        if self._file is not None:
            info = self._file.tensors.get(gguf_name(f"{module}.weight"))
            layout = AFFINE.get(info.type.name) if info is not None else None
            return GROUP if layout is not None and layout.bits == self._bits else None
        how = self._config.quantization_of(module)
        is_kept = f"{module}.scales" in self._names and how is not None and how.bits == self._bits
        return how.group_size if is_kept and how is not None else None


@dataclass
class Writer:
    """Gathers tensors into shards of about a GiB and writes them."""

    folder: Path
    _shard: dict[str, mx.array] = field(default_factory=dict[str, mx.array])
    _shard_bytes: int = 0
    _total_bytes: int = 0
    _written: list[list[str]] = field(default_factory=list[list[str]])

    def add(self, name: str, array: mx.array) -> None:
        """Take a tensor, evaluated here."""
        mx.eval(array)
        self._shard[name] = array
        self._shard_bytes += array.nbytes
        self._total_bytes += array.nbytes
        if self._shard_bytes >= SHARD_BYTES:
            self._flush()

    def finish(self) -> None:
        """Write the rest, give the shards their names, and write the index."""
        if self._shard:
            self._flush()
        count = len(self._written)
        weight_map: dict[str, str] = {}
        for index, names in enumerate(self._written):
            file = f"model-{index + 1:05}-of-{count:05}.safetensors"
            if count == 1:
                file = "model.safetensors"
            self._part(index).rename(self.folder / file)
            weight_map |= dict.fromkeys(names, file)
        entries = {"metadata": {"total_size": self._total_bytes}, "weight_map": weight_map}
        text = json.dumps(entries, indent=2, sort_keys=True)
        (self.folder / INDEX_NAME).write_text(text, encoding="utf-8")

    def _flush(self) -> None:
        part = self._part(len(self._written))
        mx.save_safetensors(str(part), self._shard, {"format": "mlx"})
        _sync(part)
        self._written.append(list(self._shard))
        self._shard, self._shard_bytes = {}, 0
        mx.clear_cache()

    def _part(self, index: int) -> Path:
        return self.folder / f"part-{index}.safetensors"


class Converting:
    """Writes every tensor that a decoder asks for, and hands out a placeholder."""

    def __init__(
        self, origin: Origin, writer: Writer, bits: int, dtype: mx.Dtype, watch: Watch
    ) -> None:
        self._origin, self._writer, self._watch = origin, writer, watch
        self._bits, self._dtype = bits, dtype
        self.quantized: dict[str, Quantization] = {}

    def matrix(self, module: str, rows: int, columns: int) -> mx.array | Packed:
        """Convert and write a matrix."""
        self._watch.check()
        matrix = self._origin.matrix(module, rows, columns)
        group = self._origin.group(module, columns)
        if not isinstance(matrix, Packed) and self._bits != DENSE and group is not None:
            matrix = self._quantised(matrix, Quantization(group, self._bits))
        if isinstance(matrix, Packed):
            self.quantized[module] = matrix.how
            parts = {"weight": matrix.weight, "scales": matrix.scales, "biases": matrix.biases}
            for name, part in parts.items():
                if part is not None:
                    self._writer.add(f"{module}.{name}", part)
        else:
            self._writer.add(f"{module}.weight", matrix.astype(self._dtype))
        return mx.zeros((1, 1), self._dtype)

    def vector(self, name: str, size: int) -> mx.array:
        """Write a vector."""
        self._writer.add(name, self._origin.wide.vector(name, size).astype(self._dtype))
        return mx.zeros((1,), self._dtype)

    def left_over(self) -> list[str]:
        """What the source has and the decoder did not ask for."""
        return self._origin.left_over()

    def _quantised(self, matrix: mx.array, how: Quantization) -> Packed:
        weight, scales, biases = mx.quantize(matrix, group_size=how.group_size, bits=how.bits)
        return Packed(weight, scales.astype(self._dtype), biases.astype(self._dtype), how)


def _sync(path: Path) -> None:
    with path.open("rb") as file:
        os.fsync(file.fileno())
