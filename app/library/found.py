"""Every model on this machine, found by looking: places in turn, configs and headers alone.

Nothing here raises for what is broken on disk: it becomes a model that is not ready, with a
sentence. It may take seconds where there are many, so it runs on a thread of its own.
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication

from app.library.facts import ModelFacts, Origin
from app.library.walk import Candidate, candidates, hub_source
from app.spoken import spoken
from engine.describe import Description, describe, model_files
from engine.errors import EngineError
from engine.source import Source, resolve, snapshots, starter_path, title

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from app.library.places import Places

_REPO = "models--"

translate = QCoreApplication.translate
_Signature = tuple[str, int, tuple[int, ...]]


@dataclass(frozen=True)
class _Find:
    """Where a model was found, and what to call it."""

    candidate: Candidate
    origin: Origin
    source: str
    root: Path
    name: str = ""  # that of the files where empty
    reason: str = ""  # why there is nothing to look at


@dataclass
class Finder:
    """Looks through the places, and remembers headers of files that have not changed since."""

    places: Places
    _known: dict[_Signature, Description] = field(default_factory=dict["_Signature", Description])

    def models(self, added: Iterable[Path] = ()) -> Iterator[ModelFacts]:
        """The starter model first, then what the places and what was added hold, each once.

        Args:
            added: Folders and .gguf files elsewhere.
        """
        seen: set[Path] = set()
        for found in self._finds(added):
            key = _resolved(found.candidate.path)
            if key is not None and key not in seen:
                seen.add(key)
                yield self._facts(found)

    def _finds(self, added: Iterable[Path]) -> Iterator[_Find]:
        with suppress(EngineError, OSError):
            path = starter_path()
            starter = Candidate(path, "gguf", path.stat().st_size)
            yield _Find(starter, "starter", "starter", path)
        yield from _elsewhere(self.places.models, "own")
        yield from _in_hub_cache(self.places.hub)
        for folder in self.places.lm_studio:
            yield from _elsewhere(folder, "lm-studio")
        for path in added:
            yield from _elsewhere(path, "added", path)

    def _facts(self, found: _Find) -> ModelFacts:
        candidate = found.candidate
        facts = ModelFacts(
            source=found.source,
            name=found.name or title(candidate.path.name.removesuffix(".gguf")),
            origin=found.origin,
            path=candidate.path,
            root=found.root,
            kind=candidate.kind,
            size_bytes=candidate.size_bytes,
            is_ours=found.origin == "own",
            reason=found.reason,
        )
        if found.reason:
            return facts
        try:
            source = resolve(candidate.path)
            described = self._described(source, candidate)
        except (EngineError, OSError) as error:
            return replace(facts, reason=_sentence(error))
        return replace(
            facts,
            name=found.name or source.name,
            path=source.path,
            source=str(source.path) if found.source == str(candidate.path) else found.source,
            family=described.architecture,
            parameters=described.parameters,
            quantization=described.storage,
            context=described.context,
            token_bytes=described.token_bytes,
            licence=described.licence,
            footprint=described.footprint,
            ready=not described.problem,
            reason=spoken(described.problem),
        )

    def _described(self, source: Source, candidate: Candidate) -> Description:
        times = tuple(path.stat().st_mtime_ns for path in model_files(source))
        signature = (str(source.path), candidate.size_bytes, times)
        if signature not in self._known:
            self._known[signature] = describe(source)
        return self._known[signature]


def _resolved(path: Path) -> Path | None:
    try:
        return path.resolve()
    except (OSError, RuntimeError):  # links in a circle
        return None


def _elsewhere(top: Path, origin: Origin, root: Path | None = None) -> Iterator[_Find]:
    """The models in a folder, or the one that a file is.

    Args:
        top: Where.
        origin: What kind of place that is.
        root: What was added, if that is how it came.
    """
    try:
        if top.is_file():
            yield _Find(Candidate(top, "gguf", top.stat().st_size), origin, str(top), root or top)
            return
    except OSError as error:
        if root is not None:
            yield _Find(
                Candidate(top, "folder", 0), origin, str(top), root, reason=_sentence(error)
            )
        return
    nothing = True
    for candidate in candidates(top):
        nothing = False
        yield _Find(candidate, origin, str(candidate.path), root or candidate.path)
    if nothing and root is not None:
        kind = "gguf" if top.suffix == ".gguf" else "folder"
        if top.exists():
            reason = translate("Library", "There is no model in {0}.")
        else:
            reason = translate("Library", "{0} is gone; put it back, or take it off the list.")
        nowhere = Candidate(top, kind, 0)
        yield _Find(nowhere, origin, str(top), root, reason=reason.format(top))


def _in_hub_cache(cache: Path) -> Iterator[_Find]:
    """The models of a hub cache; a repository of several .gguf models is as many models."""
    try:
        folders = sorted(cache.glob(f"{_REPO}*--*"))
    except OSError:
        return
    for folder in folders:
        hub_id = folder.name.removeprefix(_REPO).replace("--", "/", 1)
        name = hub_id.rpartition("/")[2]
        with suppress(OSError):
            yield from _in_repository(folder, hub_id, name)


def _in_repository(folder: Path, hub_id: str, name: str) -> Iterator[_Find]:
    snapshot = next(snapshots(folder), None)
    if snapshot is None:
        if (folder / "blobs").is_dir():
            nothing = Candidate(folder, "folder", _blob_bytes(folder))
            reason = translate("Library", "{0} is not whole: its download has not finished.")
            yield _Find(nothing, "hub", hub_id, folder, title(name), reason.format(hub_id))
        return
    found = list(candidates(snapshot))
    for candidate in found:
        is_folder = candidate.kind == "folder" and candidate.path == snapshot
        yield _Find(
            candidate,
            "hub",
            hub_source(hub_id, snapshot, candidate.path, found),
            folder,
            title(name) if is_folder else "",
        )


def _blob_bytes(folder: Path) -> int:
    return sum(path.stat().st_size for path in (folder / "blobs").iterdir() if path.is_file())


def _sentence(error: EngineError | OSError) -> str:
    if isinstance(error, EngineError):
        return spoken(error)
    return translate("Library", "Its files cannot be read: {0}.").format(error.strerror or error)
