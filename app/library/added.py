"""The folders and .gguf files that the user added to the library, where they are."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from app.chats.loose import as_list
from app.library.json_file import JsonFile

if TYPE_CHECKING:
    from app.library.places import Places

_KEY = "paths"


class Added:
    """A list of absolute paths that survives restarts."""

    def __init__(self, places: Places) -> None:
        self._file = JsonFile(places.added)

    @property
    def notice(self) -> str:
        """A sentence where the list was damaged; empty otherwise."""
        return self._file.notice

    def paths(self) -> tuple[Path, ...]:
        """What was added, in that order; some of it may be gone."""
        return tuple(Path(text) for text in _texts(self._file.read()))

    def add(self, path: Path) -> None:
        """Add a path.

        Raises:
            LibraryError: The list cannot be saved.
        """

        def alter(values: dict[str, Any]) -> None:
            values[_KEY] = list(dict.fromkeys([*_texts(values), str(path)]))

        self._file.change(alter)

    def forget(self, path: Path) -> None:
        """Take a path off the list; nothing happens to its files.

        Raises:
            LibraryError: The list cannot be saved.
        """

        def alter(values: dict[str, Any]) -> None:
            values[_KEY] = [text for text in _texts(values) if text != str(path)]

        self._file.change(alter)


def _texts(values: dict[str, Any]) -> list[str]:
    entries = as_list(values.get(_KEY))
    return [text for text in entries if isinstance(text, str) and text.startswith("/")]
