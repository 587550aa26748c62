"""A model's GGUF file, or the parts it was split into, as one table of metadata and tensors.

Parts are what llama-gguf-split writes: `name-00001-of-00003.gguf` holds the metadata, every part
its share of the tensors and, under `split.*`, which part of how many it is.
"""

import math
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from engine.errors import ModelFileError, ModelNotFoundError
from engine.gguf_header import Header, TensorInfo, Value, read_header, truncated

__all__ = ["GGUFFile", "TensorInfo", "Value", "part_paths", "truncated", "whole", "without_part"]

_PART = re.compile(r"-(\d{5})-of-(\d{5})\.gguf$", re.ASCII)


@dataclass(frozen=True)
class GGUFFile:
    """The header of a GGUF file; of one in parts, what the headers of all parts say together.

    Attributes:
        path: The file, of several parts the first.
        metadata: Key → number, flag, text or list of these.
        tensors: Name → where it lies, in the files' order.
    """

    path: Path
    metadata: Mapping[str, Value]
    tensors: Mapping[str, TensorInfo]

    @staticmethod
    def open(path: Path) -> "GGUFFile":
        """Read and check the header of the file at `path`, and of all parts if it is one.

        Raises:
            ModelNotFoundError: There is no such file.
            ModelFileError: It is truncated, damaged, or not a GGUF file; or a part is, is missing,
                or does not belong to the others.
            UnsupportedError: Its version, byte order or a tensor's type is not read here.
        """
        paths = part_paths(path)
        if len(paths) > 1:
            return _joined(paths)
        header = read_header(path)
        parts = _number(header.metadata, "split.count") or 1
        if parts > 1:
            raise ModelFileError(
                f"{path.name} is one of {parts} parts, but its name does not end in "
                f"-00001-of-{parts:05}.gguf or the like; give all parts their names back."
            )
        return GGUFFile(path, header.metadata, header.tensors)

    def text(self, key: str) -> str | None:
        """The text under `key`, None where there is none."""
        value = self.metadata.get(key)
        return value if isinstance(value, str) else None

    def values_by_type(self) -> Counter[str]:
        """How many weights each type of tensor holds, such as `Q4_1`."""
        sizes: Counter[str] = Counter()
        for tensor in self.tensors.values():
            sizes[tensor.type.name] += math.prod(tensor.shape)
        return sizes


def part_paths(path: Path) -> list[Path]:
    """All files of the model that the file at `path` is, or by its name is a part of, in order.

    Raises:
        ModelFileError: A part is missing, or the name counts in an impossible way.
    """
    found = _PART.search(path.name)
    if found is None:
        return [path]
    number, count = int(found[1]), int(found[2])
    if not 1 <= number <= count:
        raise ModelFileError(f"{path.name} is named as part {number} of {count}; rename it.")
    start = path.name[: found.start()]
    paths: list[Path] = []
    for part in range(1, count + 1):
        paths.append(path.with_name(f"{start}-{part:05}-of-{count:05}.gguf"))
        if not paths[-1].is_file():
            raise ModelFileError(
                f"{paths[-1].name} is missing, part {part} of {count}; fetch it too."
            )
    return paths


def without_part(name: str) -> str:
    """The name of a .gguf file without that ending and without which part it is."""
    return _PART.sub("", name).removesuffix(".gguf")


def whole(file: GGUFFile, key: str) -> int | None:
    """The whole number under `key`; None where there is none."""
    return _number(file.metadata, key)


def _joined(paths: list[Path]) -> GGUFFile:
    """The parts at `paths` as one file; the first part's metadata are the model's."""
    first: Header | None = None
    tensors: dict[str, TensorInfo] = {}
    for index, (path, header) in enumerate(_headers(paths)):
        first = first or header
        _check_part(path, index, len(paths), header.metadata, first.metadata)
        twice = next((name for name in header.tensors if name in tensors), None)
        if twice is not None:
            raise ModelFileError(
                f"{path.name} does not belong to {paths[0].name}: another part has its tensor "
                f"{twice[:64]} too; fetch all parts again."
            )
        tensors.update(header.tensors)
    assert first is not None
    claimed = _number(first.metadata, "split.tensors.count")
    if claimed != len(tensors):
        raise ModelFileError(
            f"{paths[0].name} and its other parts hold {len(tensors)} tensors, not the "
            f"{claimed} that it says; fetch all parts again."
        )
    return GGUFFile(paths[0], first.metadata, tensors)


def _headers(paths: list[Path]) -> Iterator[tuple[Path, Header]]:
    for path in paths:
        try:
            yield path, read_header(path)
        except ModelNotFoundError:
            raise ModelFileError(f"{path.name} is missing; fetch it too.") from None


def _check_part(
    path: Path, index: int, count: int, own: Mapping[str, Value], first: Mapping[str, Value]
) -> None:
    """Refuse a file that does not say of itself what its name says, or is of another model."""
    said = _number(own, "split.no"), _number(own, "split.count")
    if None in said:
        raise ModelFileError(
            f"{path.name} is named as part {index + 1} of {count}, but is not one by its content; "
            "fetch it again, or rename it if it is whole."
        )
    if said != (index, count):
        raise ModelFileError(
            f"{path.name} says that it is part {(said[0] or 0) + 1} of {said[1]}; "
            "give it its own name back, or fetch it again."
        )
    for key in ("split.tensors.count", "general.architecture"):
        if own.get(key, first.get(key)) != first.get(key):
            raise ModelFileError(
                f"{path.name} is a part of another model: its {key} is {str(own[key])[:64]}, not "
                f"{str(first.get(key))[:64]}; fetch it again."
            )


def _number(metadata: Mapping[str, Value], key: str) -> int | None:
    value = metadata.get(key)
    return value if isinstance(value, int) and not isinstance(value, bool) else None
