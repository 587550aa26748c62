"""The parts a decoder is made of, holding their weights: linear, embedding, RMSNorm.

Plain classes rather than `mlx.nn` modules: a decode step is a few hundred small calls, and a
module's attribute look-ups would cost more Python time than the calls themselves.
"""

from dataclasses import dataclass
from typing import Protocol

import mlx.core as mx

from engine.config import Quantization


class Linear(Protocol):
    """A linear map, however its matrix is held."""

    def __call__(self, x: mx.array) -> mx.array:
        """Map x (…, in) to (…, out)."""
        ...


class Embedding(Protocol):
    """A table of vectors, one per token of the vocabulary."""

    def __call__(self, ids: mx.array) -> mx.array:
        """Look up token ids (B, L): vectors (B, L, hidden)."""
        ...

    def as_linear(self, x: mx.array) -> mx.array:
        """Project x (…, hidden) back to the vocabulary: logits (…, V)."""
        ...

    @property
    def dtype(self) -> mx.Dtype:
        """What the vectors are made of, and so the whole decoder computes in."""
        ...

    @property
    def nbytes(self) -> int:
        """What the table takes in memory."""
        ...


@dataclass(frozen=True, slots=True)
class DenseLinear:
    """x @ weight.T + bias, with weight (out, in)."""

    weight: mx.array
    bias: mx.array | None = None

    def __call__(self, x: mx.array) -> mx.array:
        """Map x (…, in) to (…, out)."""
        if self.bias is None:
            return x @ self.weight.T
        return mx.addmm(self.bias, x, self.weight.T)


@dataclass(frozen=True, slots=True)
class Packed:
    """A matrix quantised in groups: packed values with scales, and maybe biases, per group.

    Attributes:
        weight: The values, (rows, columns × bits / 32), uint32.
        scales: Of the groups, (rows, columns / group size).
        biases: As `scales`; None in modes without biases.
        how: The setting.
        unscaled_dtype: What the matrix stands for where scales are bytes and do not say it.
    """

    weight: mx.array
    scales: mx.array
    biases: mx.array | None
    how: Quantization
    unscaled_dtype: mx.Dtype = mx.bfloat16

    @property
    def dtype(self) -> mx.Dtype:
        """What the unpacked matrix is made of."""
        return self.unscaled_dtype if self.biases is None else self.scales.dtype

    @property
    def nbytes(self) -> int:
        """What the parts take in memory."""
        parts = (self.weight, self.scales, self.biases)
        return sum(part.nbytes for part in parts if part is not None)

    def dequantize(self, rows: mx.array | None = None) -> mx.array:
        """The matrix, or the chosen rows of it, in `dtype`."""
        parts = (self.weight, self.scales, self.biases)
        if rows is not None:
            parts = tuple(None if part is None else part[rows] for part in parts)
        weight, scales, biases = parts
        assert weight is not None
        assert scales is not None
        return mx.dequantize(
            weight,
            scales,
            biases,
            group_size=self.how.group_size,
            bits=self.how.bits,
            mode=self.how.mode,
            dtype=self.dtype,
        )

    def matmul(self, x: mx.array) -> mx.array:
        """Multiply x (…, in) by matrix.T without unpacking the matrix."""
        return mx.quantized_matmul(
            x,
            self.weight,
            self.scales,
            self.biases,
            transpose=True,
            group_size=self.how.group_size,
            bits=self.how.bits,
            mode=self.how.mode,
        )


@dataclass(frozen=True, slots=True)
class QuantizedLinear:
    """x @ matrix.T + bias with the matrix kept quantised."""

    matrix: Packed
    bias: mx.array | None = None

    def __call__(self, x: mx.array) -> mx.array:
        """Map x (…, in) to (…, out)."""
        y = self.matrix.matmul(x)
        return y if self.bias is None else y + self.bias


@dataclass(frozen=True, slots=True)
class DenseEmbedding:
    """Rows of weight (V, hidden)."""

    weight: mx.array

    def __call__(self, ids: mx.array) -> mx.array:
        """Look up token ids (B, L): vectors (B, L, hidden)."""
        return self.weight[ids]

    def as_linear(self, x: mx.array) -> mx.array:
        """Project x (…, hidden) to logits (…, V)."""
        return x @ self.weight.T

    @property
    def dtype(self) -> mx.Dtype:
        """The dtype of the vectors."""
        return self.weight.dtype

    @property
    def nbytes(self) -> int:
        """What the weight takes in memory."""
        return self.weight.nbytes


@dataclass(frozen=True, slots=True)
class QuantizedEmbedding:
    """Rows of a quantised matrix (V, hidden), unpacked when looked up."""

    matrix: Packed

    def __call__(self, ids: mx.array) -> mx.array:
        """Look up token ids (B, L): vectors (B, L, hidden)."""
        return self.matrix.dequantize(ids)

    def as_linear(self, x: mx.array) -> mx.array:
        """Project x (…, hidden) to logits (…, V)."""
        return self.matrix.matmul(x)

    @property
    def dtype(self) -> mx.Dtype:
        """The dtype of the vectors."""
        return self.matrix.dtype

    @property
    def nbytes(self) -> int:
        """What the packed matrix takes in memory."""
        return self.matrix.nbytes


@dataclass(frozen=True, slots=True)
class RMSNorm:
    """x / rms(x) × weight (Zhang & Sennrich 2019, arXiv:1910.07467)."""

    weight: mx.array
    eps: float

    def __call__(self, x: mx.array) -> mx.array:
        """Normalise x (…, hidden) over its last axis."""
        return mx.fast.rms_norm(x, self.weight, self.eps)
