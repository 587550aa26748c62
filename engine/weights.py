"""The weights of a model on disk as linears, embeddings and vectors, from either kind of file.

Names are those of Hugging Face checkpoints throughout; shapes are checked against the file's header
before a byte of data is read, and every array that leaves here is evaluated.
"""

from collections.abc import Iterator
from typing import Literal, Protocol

import mlx.core as mx

from engine.config import ModelConfig
from engine.errors import ModelFileError
from engine.fingerprint import Tensor
from engine.folder_weights import FolderTensors
from engine.gguf_file import GGUFFile
from engine.gguf_weights import GGUFTensors
from engine.layers import (
    DenseEmbedding,
    DenseLinear,
    Embedding,
    Linear,
    Packed,
    QuantizedEmbedding,
    QuantizedLinear,
)
from engine.sentence import first_names
from engine.source import Source

Precision = Literal["stored", "float32"]


def usual_precision() -> Precision:
    """What is fastest on this device: float32 on a CPU, as stored on Metal."""
    return "stored" if mx.metal.is_available() else "float32"


class Tensors(Protocol):
    """What a kind of file offers; names of tensors include `.weight` or `.bias`."""

    def matrix(self, module: str, rows: int, columns: int) -> mx.array | Packed:
        """The matrix of a module, (rows, columns), as its numbers or quantised."""
        ...

    def vector(self, name: str, size: int) -> mx.array:
        """The vector `name`, (size,)."""
        ...

    def left_over(self) -> list[str]:
        """Tensors that were not asked for and are not known to be needless."""
        ...


class StoredTensors(Tensors, Protocol):
    """The tensors of files, and what their headers say about all of them."""

    def all(self) -> Iterator[Tensor]:
        """Every tensor that is not known to be needless."""
        ...

    def loaded_bytes(self) -> int:
        """What all of them take in memory."""
        ...


class Weights:
    """Hands out a model's weights by the names of their modules, such as `model.norm`.

    Raises, in every method: ModelFileError, naming the tensor, where one is missing, has another
    shape than asked for, or the file is truncated; UnsupportedError where its type is not read.

    Attributes:
        handed_bytes: What all that was handed out takes in memory.
    """

    def __init__(self, tensors: Tensors, where: str) -> None:
        self._tensors = tensors
        self._where = where
        self.handed_bytes = 0

    def linear(
        self, name: str, out_features: int, in_features: int, *, bias: bool = False
    ) -> Linear:
        """The linear `name` with weight (out_features, in_features)."""
        matrix = self._matrix(name, out_features, in_features)
        offset = self._vector(f"{name}.bias", out_features) if bias else None
        if isinstance(matrix, Packed):
            return QuantizedLinear(matrix, offset)
        return DenseLinear(matrix, offset)

    def embedding(self, name: str, rows: int, columns: int) -> Embedding:
        """The table `name` of `rows` vectors of `columns` numbers."""
        matrix = self._matrix(name, rows, columns)
        return QuantizedEmbedding(matrix) if isinstance(matrix, Packed) else DenseEmbedding(matrix)

    def vector(self, name: str, size: int) -> mx.array:
        """The `.weight` of the norm `name`, (size,)."""
        return self._vector(f"{name}.weight", size)

    def _matrix(self, module: str, rows: int, columns: int) -> mx.array | Packed:
        matrix = self._tensors.matrix(module, rows, columns)
        self.handed_bytes += matrix.nbytes
        return matrix

    def _vector(self, name: str, size: int) -> mx.array:
        vector = self._tensors.vector(name, size)
        self.handed_bytes += vector.nbytes
        return vector

    def finish(self) -> None:
        """Call when everything was asked for.

        Raises:
            ModelFileError: Tensors are left over, so the model is not what its config says.
        """
        names = self._tensors.left_over()
        if names:
            raise ModelFileError(
                "{where} holds weights that its configuration has no place for: {names}.",
                where=self._where,
                names=first_names(names),
            )


def open_weights(
    source: Source, config: ModelConfig, precision: Precision, gguf: GGUFFile | None = None
) -> Weights:
    """A model's weights; arguments and errors as for `open_tensors`."""
    return Weights(open_tensors(source, config, precision, gguf), source.path.name)


def open_tensors(
    source: Source, config: ModelConfig, precision: Precision, gguf: GGUFFile | None = None
) -> StoredTensors:
    """Read the headers of a model's files.

    Args:
        source: Where the model is.
        config: Its shape.
        precision: `float32` unpacks and casts everything to float32, what a CPU computes fastest.
            `stored` keeps what the file holds: dense weights in their dtype, quantised ones packed.
            Of a GGUF file, MLX can hold Q4_0, Q4_1, Q5_0, Q5_1 and Q8_0 as they are; other types
            become float16 (bfloat16 where the file is BF16).
        gguf: The source's header where it has been read before; saves reading it again.

    Raises:
        ModelNotFoundError: There are no weights.
        ModelFileError: A file is missing, truncated or damaged.
        UnsupportedError: A file is of a kind that is not read here.
    """
    if source.kind == "gguf":
        return GGUFTensors(gguf or GGUFFile.open(source.path), config, precision)
    return FolderTensors(source.path, config, precision)
