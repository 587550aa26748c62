"""Deletes models: to the trash, only what belongs to them, and the space it frees is told."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections import Counter
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication, QFile

from app.library.errors import LibraryError
from app.library.staging import unwritable
from app.library.walk import candidates
from engine.describe import model_files
from engine.errors import EngineError
from engine.source import resolve

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from app.library.facts import ModelFacts
    from app.library.library import Library

_SNAPSHOTS, _BLOBS, _LOCKS = "snapshots", "blobs", ".locks"

translate = QCoreApplication.translate


@dataclass(frozen=True)
class Removal:
    """What deleting a model is going to do.

    Attributes:
        facts: The model.
        paths: What goes to the trash, whole.
        links: In a hub cache, links to `paths` that go with them, in all revisions.
        freed_bytes: What the disk gains once the trash is emptied.
        question: What to ask first where other programs use the files too; empty where they are
            ours alone.
    """

    facts: ModelFacts
    paths: tuple[Path, ...]
    links: tuple[Path, ...]
    freed_bytes: int
    question: str


def plan_removal(library: Library, facts: ModelFacts) -> Removal:
    """Look at what belongs to a model and nothing else.

    Args:
        library: Where it was found.
        facts: The model.

    Raises:
        LibraryError: It is the starter model, or its files cannot be read.
    """
    if facts.origin == "starter":
        raise LibraryError(
            translate("Library", "The starter model belongs to Cutaway and stays."), given=True
        )
    try:
        paths, links = _in_hub(facts) if facts.origin == "hub" else (_files(library, facts), ())
        paths = [path for path in paths if _is_there(path)]
        freed = sum(freed_bytes(path) for path in paths)
    except OSError as error:
        raise LibraryError(
            translate("Library", "{0} cannot be read: {1}.").format(
                facts.path, error.strerror or error
            )
        ) from error
    return Removal(facts, tuple(paths), tuple(links), freed, _question(facts))


def remove(library: Library, removal: Removal, *, forever: bool = False) -> int:
    """Delete what was planned, and what is remembered of the model.

    Args:
        library: Which remembers it.
        removal: As planned; what is gone by now is passed over.
        forever: Delete at once rather than move to the trash.

    Returns:
        The bytes that were freed, or are when the trash is emptied.

    Raises:
        LibraryError: A part cannot be moved or deleted.
    """
    freed = 0
    with suppress(OSError):  # without the folder around it Qt makes no trash on Linux
        library.places.data.mkdir(parents=True, exist_ok=True)
    for path in removal.paths:
        if _is_there(path):
            size = freed_bytes(path)
            _delete(path, removal, forever=forever)
            freed += size
    for link in removal.links:
        link.unlink(missing_ok=True)
    facts = removal.facts
    if facts.origin == "hub":
        with suppress(OSError):
            shutil.rmtree(facts.root.parent / _LOCKS / facts.root.name)
    if facts.origin == "added" and facts.root in (facts.path, *removal.paths):
        library.added.forget(facts.root)
    library.notes.forget(facts.key)
    return freed


def _is_there(path: Path) -> bool:
    try:
        return path.exists()
    except OSError:  # as of a name that no disk takes
        return False


def freed_bytes(path: Path) -> int:
    """What deleting it frees: a file that has another name elsewhere frees nothing."""
    found: Counter[tuple[int, int]] = Counter()
    sizes: dict[tuple[int, int], tuple[int, int]] = {}
    for file in _all_files(path):
        status = file.lstat()
        key = (status.st_dev, status.st_ino)
        found[key] += 1
        sizes[key] = (status.st_size, status.st_nlink)
    return sum(size for key, (size, links) in sizes.items() if links <= found[key])


def _all_files(path: Path) -> Iterator[Path]:
    if path.is_symlink() or path.is_file():
        yield path
        return
    for folder, _, names in os.walk(path):
        yield from (Path(folder, name) for name in names)


def _files(library: Library, facts: ModelFacts) -> Iterable[Path]:
    """A model's folder; of .gguf files the folder only where we made it for them."""
    folder = facts.path.parent
    if facts.kind == "folder":
        return (facts.path,)
    alone = facts.is_ours and folder != library.places.models and len(list(candidates(folder))) == 1
    return (folder,) if alone else _own_files(facts)


def _own_files(facts: ModelFacts) -> tuple[Path, ...]:
    try:
        return model_files(resolve(facts.path))
    except EngineError:
        return (facts.path,)


def _in_hub(facts: ModelFacts) -> tuple[Iterable[Path], Iterable[Path]]:
    """The whole repository, or of one that holds several models the blobs of one, and their links.

    A blob that another file of some revision is a link to stays.
    """
    repo, snapshots = facts.root, facts.root / _SNAPSHOTS
    if snapshots not in facts.path.parents:
        return (repo,), ()
    shown = snapshots / facts.path.relative_to(snapshots).parts[0]
    if len(list(candidates(shown))) <= 1:
        return (repo,), ()
    wanted = {file.relative_to(shown) for file in _own_files(facts)}
    kept: set[Path] = set()
    gone: dict[Path, list[Path]] = {}
    for link in snapshots.glob("*/**/*"):
        if not link.is_dir():
            blob, named = link.resolve(), Path(*link.relative_to(snapshots).parts[1:])
            if named in wanted:
                gone.setdefault(blob, []).append(link)
            else:
                kept.add(blob)
    links = [link for blob, each in gone.items() for link in each if link != blob]
    return [blob for blob in gone if blob not in kept], links


def _delete(path: Path, removal: Removal, *, forever: bool) -> None:
    try:
        if forever:
            shutil.rmtree(path) if path.is_dir() else path.unlink()
        elif path.parent.name == _BLOBS:
            _trash_blob(path, removal)
        else:
            _trash(path)
    except OSError as error:
        raise unwritable(path, error) from error


def _trash_blob(blob: Path, removal: Removal) -> None:
    """A blob goes under the name of its model's file, so that it can be found again."""
    name = next((link.name for link in removal.links if link.resolve() == blob), blob.name)
    folder = Path(tempfile.mkdtemp(dir=removal.facts.root))
    named = folder / name
    blob.rename(named)
    try:
        _trash(named)
    except LibraryError:
        named.rename(blob)
        raise
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _trash(path: Path) -> None:
    if not QFile(str(path)).moveToTrash():
        raise LibraryError(
            translate(
                "Library", "{0} cannot be moved to the trash; move it there by hand, or delete it."
            ).format(path)
        )


def _question(facts: ModelFacts) -> str:
    if facts.origin == "hub":
        return translate(
            "Library", "{0} is in the Hugging Face cache, which other programs use too. Delete it?"
        ).format(facts.source)
    if facts.origin == "lm-studio":
        return translate("Library", "{0} belongs to LM Studio. Delete it there?").format(facts.name)
    if facts.origin == "added":
        return translate(
            "Library", "{0} lies outside Cutaway's own folders. Delete its files?"
        ).format(facts.path)
    return ""
