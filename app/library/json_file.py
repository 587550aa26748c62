"""A small JSON file that several processes change: whole at any time, and never lost to damage."""

from __future__ import annotations

import fcntl
import json
import os
import tempfile
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from PySide6.QtCore import QCoreApplication

from app.library.errors import LibraryError

if TYPE_CHECKING:
    from collections.abc import Callable, Generator

_LIMIT_BYTES = 16 << 20
_VERSION = "version"

translate = QCoreApplication.translate


class JsonFile:
    """One JSON object on disk with a version.

    A file that is damaged is set aside under another name and an empty one takes its place; one of
    a newer version is left as it is and never written.

    Attributes:
        notice: A sentence about what was set aside or cannot be used; empty where all is well.
    """

    def __init__(self, path: Path, version: int = 1) -> None:
        self.path = path
        self._version = version
        self.notice = ""

    def read(self) -> dict[str, Any]:
        """The object, without its version; empty where there is none that can be read."""
        try:
            return self._parsed()
        except FileNotFoundError:
            return {}
        except OSError as error:
            self.notice = translate("Library", "{0} cannot be read: {1}.").format(
                self.path, error.strerror or error
            )
        except _NewerError:
            self.notice = self._newer()
        except ValueError:
            self._set_aside()
        return {}

    def change(self, alter: Callable[[dict[str, Any]], None]) -> None:
        """Read the object, alter it, and put it in the old one's place in one step.

        Raises:
            LibraryError: It cannot be written, or is of a newer version.
        """
        try:
            with self._locked():
                values = self.read()
                if self.notice == self._newer():
                    raise LibraryError(self.notice)
                alter(values)
                self._write({_VERSION: self._version, **values})
        except OSError as error:
            raise LibraryError(
                translate("Library", "{0} cannot be saved: {1}.").format(
                    self.path, error.strerror or error
                )
            ) from error

    def _parsed(self) -> dict[str, Any]:
        if self.path.stat().st_size > _LIMIT_BYTES:
            raise ValueError("too large")
        try:
            value: object = json.loads(self.path.read_text(encoding="utf-8"))
        except RecursionError:
            raise ValueError("too deep") from None
        if not isinstance(value, dict):
            raise ValueError("no object")  # noqa: TRY004 - as any other damage
        values = cast("dict[str, Any]", value)
        version = values.pop(_VERSION, None)
        if type(version) is not int or version < 1:
            raise ValueError("no version")
        if version > self._version:
            raise _NewerError
        return values

    def _newer(self) -> str:
        return translate(
            "Library", "{0} was saved by a newer Cutaway and is left as it is; update Cutaway."
        ).format(self.path)

    def _set_aside(self) -> None:
        number = 1
        while (aside := self.path.with_name(f"{self.path.name}.damaged-{number}")).exists():
            number += 1
        with suppress(OSError):
            self.path.replace(aside)
        self.notice = translate(
            "Library", "{0} was damaged; it is kept as {1}, and Cutaway begins a new one."
        ).format(self.path, aside.name)

    @contextmanager
    def _locked(self) -> Generator[None]:
        """Hold off other processes; the lock is a file of its own, as ours is replaced."""
        self.path.parent.mkdir(parents=True, exist_ok=True)
        with self.path.with_name(f".{self.path.name}.lock").open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            yield

    def _write(self, values: dict[str, Any]) -> None:
        text = json.dumps(values, ensure_ascii=False, indent=1)
        handle, name = tempfile.mkstemp(dir=self.path.parent, prefix=f".{self.path.name}.")
        part = Path(name)
        try:
            with os.fdopen(handle, "w", encoding="utf-8") as file:
                file.write(text)
                file.flush()
                os.fsync(file.fileno())
            part.replace(self.path)
        except BaseException:
            part.unlink(missing_ok=True)
            raise


class _NewerError(Exception):
    """The file is of a newer version."""
