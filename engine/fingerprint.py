"""Tells models apart by what their keys and values depend on: the shape and the weights."""

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass, replace

from engine.arrays import Rows
from engine.config import ModelConfig

_SAMPLE_BYTES = 1024


@dataclass(frozen=True)
class Tensor:
    """A tensor of a model's files.

    Attributes:
        description: Name, type and shape.
        data: Its bytes, as one row.
    """

    description: str
    data: Rows


def fingerprint(config: ModelConfig, precision: str, tensors: Iterable[Tensor]) -> str:
    """A hash of all shapes and of a few bytes from three places in every tensor.

    Training changes every matrix nearly everywhere, so that samples tell models apart; names and
    places of files, which a move changes, do not count.

    Raises:
        ModelFileError: A file has become shorter than its header says, or cannot be read.
    """
    found = hashlib.sha256(f"{precision} {config!r}".encode())
    for tensor in sorted(tensors, key=lambda each: each.description):
        found.update(tensor.description.encode())
        last = max(tensor.data.row_bytes - _SAMPLE_BYTES, 0)
        for start in (0, last // 2, last):
            size = min(_SAMPLE_BYTES, tensor.data.row_bytes)
            sample = replace(tensor.data, offset=tensor.data.offset + start, row_bytes=size)
            for _, data in sample.chunks():
                found.update(data.tobytes())
    return found.hexdigest()
