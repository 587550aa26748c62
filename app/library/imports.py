"""Adds models that lie elsewhere: where they are, or as a copy in our own folder."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication

from app.library.errors import LibraryError
from app.library.staging import check_space, free_path, staging
from app.library.walk import Candidate, candidates
from app.spoken import spoken
from engine.describe import describe, model_files
from engine.errors import EngineError
from engine.source import resolve

if TYPE_CHECKING:
    from collections.abc import Callable

    from app.library.library import Library

_CHUNK_BYTES = 8 << 20
_COPIED = (".safetensors", ".json", ".jinja", ".model", ".txt", ".md", ".gguf", ".tiktoken")

translate = QCoreApplication.translate


@dataclass(frozen=True)
class Imported:
    """What came of an import.

    Attributes:
        path: What was added to the list, or the copy.
        models: How many models that is.
        copied_bytes: 0 where nothing was copied.
    """

    path: Path
    models: int
    copied_bytes: int = 0


def add_model(library: Library, path: Path) -> Imported:
    """Add a folder or .gguf file where it is.

    Args:
        library: To which.
        path: A model, or a folder that holds models.

    Raises:
        LibraryError: No model is there, none of them is whole, or it is in the library already.
    """
    path = _absolute(path)
    found = _checked(path)
    if path in library.added.paths() or _is_within(path, library):
        raise LibraryError(
            translate("Library", "{0} is in the library already.").format(path), given=True
        )
    library.added.add(path)
    return Imported(path, len(found))


def copy_model(
    library: Library,
    path: Path,
    *,
    report: Callable[[float], None] | None = None,
    cancelled: Callable[[], bool] | None = None,
) -> Imported | None:
    """Copy one model into our own folder; it appears there when it is whole.

    Args:
        library: To which.
        path: A model's folder, or a .gguf file (of several parts any one).
        report: Called with the copied share, 0 to 1.
        cancelled: Asked now and then; what was copied is then removed.

    Returns:
        None where it was cancelled.

    Raises:
        LibraryError: No model is there, it is not whole, or the disk has no room.
    """
    path = _absolute(path)
    found = _checked(path)
    if len(found) != 1:
        raise LibraryError(
            translate("Library", "{0} holds {1} models; copy them one by one.").format(
                path, len(found)
            ),
            given=True,
        )
    source = resolve(found[0].path)
    files = [file for file in model_files(source) if file.suffix.lower() in _COPIED]
    size = sum(file.stat().st_size for file in files)
    check_space(library.places.models, size)
    name = source.path.name.removesuffix(".gguf")
    target = free_path(library.places.models, name)
    copier = _Copier(size, report or (lambda _: None), cancelled or (lambda: False))
    try:
        with staging(target) as folder:
            for file in files:
                copier.copy(file, folder / file.name)
    except _CancelledError:
        return None
    return Imported(target, 1, size)


@dataclass
class _Copier:
    size_bytes: int
    report: Callable[[float], None]
    cancelled: Callable[[], bool]
    done_bytes: int = 0

    def copy(self, source: Path, target: Path) -> None:
        with source.open("rb") as old, target.open("xb") as new:
            while chunk := old.read(_CHUNK_BYTES):
                if self.cancelled():
                    raise _CancelledError
                new.write(chunk)
                self.done_bytes += len(chunk)
                self.report(self.done_bytes / max(self.size_bytes, 1))
            new.flush()
            os.fsync(new.fileno())


class _CancelledError(Exception):
    """The copy was given up."""


def _absolute(path: Path) -> Path:
    try:
        there = Path(os.path.abspath(path.expanduser()))  # noqa: PTH100 - keeps links
        exists = there.exists()
    except (OSError, RuntimeError, ValueError):
        exists, there = False, path
    if not exists:
        raise LibraryError(
            translate("Library", "There is nothing at {0}; give a folder or a .gguf file.").format(
                there
            ),
            given=True,
        )
    return there


def _checked(path: Path) -> list[Candidate]:
    """The models that are there and can be run; what is wrong with them where none can."""
    found = list(candidates(path)) if path.is_dir() else [Candidate(path, "gguf", 0)]
    reasons: list[str] = []
    usable: list[Candidate] = []
    for candidate in found:
        try:
            problem = spoken(describe(resolve(candidate.path)).problem)
        except EngineError as error:
            problem = spoken(error)
        if problem:
            reasons.append(problem)
        else:
            usable.append(candidate)
    if usable:
        return usable
    nothing = translate("Library", "There is no model in {0}.").format(path)
    raise LibraryError(reasons[0] if reasons else nothing, given=True)


def _is_within(path: Path, library: Library) -> bool:
    """Whether one of the places that are looked through anyway holds `path`."""
    machine = library.places
    tops = (machine.models, machine.hub, *machine.lm_studio)
    return any(top.resolve() in (path.resolve(), *path.resolve().parents) for top in tops)
