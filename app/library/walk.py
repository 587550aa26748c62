"""Finds what looks like a model in a tree of folders that may be broken, huge or circular."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_DEEPEST = 6
_MOST_ENTRIES = 20_000
_PART = re.compile(r"-(\d{5})-of-(?=\d{5}\.gguf$)", re.ASCII)
_NOT_MODELS = re.compile(r"(^|[-_.])(mmproj|imatrix)", re.IGNORECASE)
_WEIGHTS = re.compile(
    r".*\.safetensors(\.index\.json)?|pytorch_model.*|.*\.(bin|pth?|ckpt)", re.IGNORECASE
)


@dataclass(frozen=True)
class Candidate:
    """Something that is probably a model.

    Attributes:
        path: A folder with config.json and weights, or a .gguf file, of several parts any one.
        kind: Which of the two.
        size_bytes: Of its files.
    """

    path: Path
    kind: Literal["folder", "gguf"]
    size_bytes: int


@dataclass
class _Listing:
    """What one folder holds."""

    files: dict[str, int]
    folders: list[Path]


def candidates(top: Path) -> Iterator[Candidate]:
    """What is under `top`, in the order of names; folders that cannot be read are passed over.

    A folder is looked at once, by whatever links it is reached.
    """
    seen: set[tuple[int, int]] = set()
    waiting = [(top, 0)]
    entries = 0
    while waiting and entries < _MOST_ENTRIES:
        folder, depth = waiting.pop()
        key = _identity(folder)
        if key is None or key in seen:
            continue
        seen.add(key)
        listing = _listed(folder)
        entries += len(listing.files) + len(listing.folders)
        found = list(candidates_in(folder, listing.files))
        yield from found
        is_model = any(each.kind == "folder" for each in found)
        if depth < _DEEPEST and not is_model:
            waiting += [(each, depth + 1) for each in reversed(listing.folders)]


def hub_source(hub_id: str, snapshot: Path, path: Path, found: Sequence[Candidate]) -> str:
    """What loads a model of a hub cache: the id where the snapshot has no other, else its path.

    Args:
        hub_id: Of the repository.
        snapshot: The folder of a version of it.
        path: The model.
        found: All models of the snapshot.
    """
    is_alone = len(found) == 1 and path in (snapshot, snapshot / path.name)
    return hub_id if is_alone else str(path)


def candidates_in(folder: Path, files: dict[str, int] | None = None) -> Iterator[Candidate]:
    """The models that lie in one folder itself.

    Args:
        folder: Where.
        files: Name → size of the files in it; looked up where left out.
    """
    files = _listed(folder).files if files is None else files
    if "config.json" in files and any(_WEIGHTS.fullmatch(name) for name in files):
        yield Candidate(folder, "folder", sum(files.values()))
        return
    models: dict[str, list[str]] = {}
    for name in sorted(files):
        if name.lower().endswith(".gguf") and not _NOT_MODELS.search(name):
            models.setdefault(_PART.sub("-of-", name), []).append(name)
    for names in models.values():
        yield Candidate(folder / names[0], "gguf", sum(files[name] for name in names))


def _listed(folder: Path) -> _Listing:
    listing = _Listing({}, [])
    try:
        with os.scandir(folder) as entries:
            for entry in entries:
                _add(listing, entry)
    except OSError:
        return _Listing({}, [])
    listing.folders.sort()
    return listing


def _add(listing: _Listing, entry: os.DirEntry[str]) -> None:
    if entry.name.startswith("."):
        return
    try:
        if entry.is_dir():
            listing.folders.append(Path(entry.path))
        elif entry.is_file():
            listing.files[entry.name] = entry.stat().st_size
        elif entry.is_symlink():
            listing.files[entry.name] = 0  # to nothing: what it belongs to is incomplete
    except OSError:
        return


def _identity(folder: Path) -> tuple[int, int] | None:
    try:
        found = folder.stat()
    except OSError:
        return None
    return found.st_dev, found.st_ino
