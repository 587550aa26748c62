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
                "{file} is one of {parts} parts, but its name does not end in "
                "-00001-of-{parts:05}.gguf or the like; give all parts their names back.",
                file=path.name,
                parts=parts,
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
        raise ModelFileError(
            "{file} is named as part {number} of {count}; rename it.",
            file=path.name,
            number=number,
            count=count,
        )
    start = path.name[: found.start()]
    paths: list[Path] = []
    for part in range(1, count + 1):
        paths.append(path.with_name(f"{start}-{part:05}-of-{count:05}.gguf"))
        if not paths[-1].is_file():
            raise ModelFileError(
                "{file} is missing, part {part} of {count}; fetch it too.",
                file=paths[-1].name,
                part=part,
                count=count,
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
                "{file} does not belong to {other}: another part has its tensor {name} too; "
                "fetch all parts again.",
                file=path.name,
                other=paths[0].name,
                name=twice[:64],
            )
        tensors.update(header.tensors)
    assert first is not None
    claimed = _number(first.metadata, "split.tensors.count")
    if claimed != len(tensors):
        raise ModelFileError(
            "{file} and its other parts hold {tensors} tensors, not the {claimed} that it says; "
            "fetch all parts again.",
            file=paths[0].name,
            tensors=len(tensors),
            claimed=claimed,
        )
    return GGUFFile(paths[0], first.metadata, tensors)


def _headers(paths: list[Path]) -> Iterator[tuple[Path, Header]]:
    for path in paths:
        try:
            yield path, read_header(path)
        except ModelNotFoundError:
            raise ModelFileError("{file} is missing; fetch it too.", file=path.name) from None


def _check_part(
    path: Path, index: int, count: int, own: Mapping[str, Value], first: Mapping[str, Value]
) -> None:
    """Refuse a file that does not say of itself what its name says, or is of another model."""
    said = _number(own, "split.no"), _number(own, "split.count")
    if None in said:
        raise ModelFileError(
            "{file} is named as part {number} of {count}, but is not one by its content; fetch it "
            "again, or rename it if it is whole.",
            file=path.name,
            number=index + 1,
            count=count,
        )
    if said != (index, count):
        raise ModelFileError(
            "{file} says that it is part {number} of {count}; give it its own name back, or fetch "
            "it again.",
            file=path.name,
            number=(said[0] or 0) + 1,
            count=said[1],
        )
    for key in ("split.tensors.count", "general.architecture"):
        if own.get(key, first.get(key)) != first.get(key):
            raise ModelFileError(
                "{file} is a part of another model: its {key} is {value}, not {other}; fetch it "
                "again.",
                file=path.name,
                key=key,
                value=str(own[key])[:64],
                other=str(first.get(key))[:64],
            )


def _number(metadata: Mapping[str, Value], key: str) -> int | None:
    value = metadata.get(key)
    return value if isinstance(value, int) and not isinstance(value, bool) else None
