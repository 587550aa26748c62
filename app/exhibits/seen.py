"""Which exhibits were run to their end, kept in a file of the data folder."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from app.chats.loose import as_list
from app.library.json_file import JsonFile

if TYPE_CHECKING:
    from pathlib import Path

_KEY = "seen"


class Seen:
    """The file; every call touches the disk."""

    def __init__(self, path: Path) -> None:
        self._file = JsonFile(path)

    def read(self) -> frozenset[int]:
        """The numbers of the exhibits."""
        return _numbers(self._file.read())

    def add(self, number: int) -> frozenset[int]:
        """Add one; returns them all.

        Raises:
            LibraryError: The file cannot be written.
        """

        def alter(values: dict[str, Any]) -> None:
            values[_KEY] = sorted(_numbers(values) | {number})

        self._file.change(alter)
        return self.read()


def _numbers(values: dict[str, Any]) -> frozenset[int]:
    return frozenset(each for each in as_list(values.get(_KEY)) if type(each) is int)
