"""Saved sessions of many keys in one folder, within a disk budget; the oldest are deleted first."""

import hashlib
import os
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from engine.errors import EngineError, SessionFileError
from engine.model import Model
from engine.session import Session

_SUFFIX = ".safetensors"


class SessionFolder:
    """Files named by hashes of key and model, so that models do not overwrite each other's.

    Nothing here fails: what cannot be written or read is a session less, to be computed again.
    """

    def __init__(self, folder: Path, budget_bytes: int) -> None:
        """Use `folder`, which is made when there is something to write."""
        self._folder = folder
        self._budget_bytes = budget_bytes
        for left_over in folder.glob(".session-*.tmp"):
            _delete(left_over)

    def save(self, key: str, session: Session, model: Model) -> bool:
        """Write the session of `key`; whether it is on disk now."""
        path = self._path(key, model)
        if session.memory().used_bytes > self._budget_bytes:
            _delete(path)  # what is there is older
            return False
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
            session.save(path)
        except (OSError, SessionFileError):
            return False
        self._shrink()
        return path.is_file()

    def restore(self, key: str, model: Model) -> Session | None:
        """The session of `key`; None where there is none that can be used."""
        path = self._path(key, model)
        if not path.is_file():
            return None
        try:
            session = model.restore(path)
        except SessionFileError:
            _delete(path)
            return None
        except EngineError:  # memory may suffice another time
            return None
        with suppress(OSError):
            os.utime(path)
        return session

    def forget(self, key: str) -> None:
        """Delete what is saved of `key`, of all models."""
        for path in self._folder.glob(f"{_hashed(key)}-*{_SUFFIX}"):
            _delete(path)

    def _path(self, key: str, model: Model) -> Path:
        return self._folder / f"{_hashed(key)}-{model.common.fingerprint[:16]}{_SUFFIX}"

    def _shrink(self) -> None:
        """Delete the files that were used longest ago until the budget holds."""
        files = sorted(self._files(), reverse=True)
        total = 0
        for _, size, path in files:
            total += size
            if total > self._budget_bytes:
                _delete(path)

    def _files(self) -> Iterator[tuple[int, int, Path]]:
        """When each was used, its size, and which it is."""
        for path in self._folder.glob(f"*-*{_SUFFIX}"):
            with suppress(OSError):
                status = path.stat()
                yield status.st_mtime_ns, status.st_size, path


def _hashed(key: str) -> str:
    return hashlib.sha256(key.encode("utf-8", "surrogatepass")).hexdigest()[:32]


def _delete(path: Path) -> None:
    with suppress(OSError):
        path.unlink()
