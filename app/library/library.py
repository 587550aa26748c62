"""The library of models: what is on disk, with what is remembered of it.

Plain Python without Qt's threads: the command line uses it as it is, the window through a shelf.
"""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication

from app.library.added import Added
from app.library.errors import LibraryError
from app.library.found import Finder
from app.library.settings import Notes
from engine.source import resolve

if TYPE_CHECKING:
    from collections.abc import Iterator

    from app.library.facts import ModelFacts
    from app.library.places import Places

translate = QCoreApplication.translate


class Library:
    """Models on this machine; every method may take seconds.

    Attributes:
        places: Where models lie.
        added: What the user added.
        notes: Settings, last use and benchmarks.
    """

    def __init__(self, places: Places) -> None:
        self.places = places
        self.added = Added(places)
        self.notes = Notes(places)
        self._finder = Finder(places)

    @property
    def notices(self) -> tuple[str, ...]:
        """Sentences about files of the library's own that were damaged."""
        return tuple(notice for notice in (self.added.notice, self.notes.notice) if notice)

    def move(self, places: Places) -> None:
        """Look for models in other places, and keep new ones there; the notes stay."""
        self.places = places
        self._finder.places = places

    def models(self) -> Iterator[ModelFacts]:
        """Every model, the starter first, as they are found."""
        notes = self.notes.all()
        for facts in self._finder.models(self.added.paths()):
            known = notes.get(facts.key)
            yield facts if known is None else replace(facts, last_used=known.last_used)

    def find(self, word: str) -> ModelFacts:
        """The model that a user means by `starter`, a hub id, a path or its name.

        Raises:
            LibraryError: There is none, or several have that name.
        """
        models = list(self.models())
        wanted = _path_of(word)
        for facts in models:
            if word == facts.source or wanted in (facts.path, facts.root):
                return facts
        named = [facts for facts in models if facts.name.casefold() == word.strip().casefold()]
        if len(named) == 1:
            return named[0]
        if named:
            raise LibraryError(
                translate(
                    "Library", "Several models are called {0}; give the path of one of them."
                ).format(word[:200]),
                given=True,
            )
        raise LibraryError(
            translate(
                "Library", "There is no model {0} in the library; `cutaway models` lists them."
            ).format(repr(word[:200])),
            given=True,
        )


def key_of(word: str) -> str:
    """What the notes of the model that `word` loads are kept under, as `ModelFacts.key` has it.

    Raises:
        EngineError: There is no such model.
    """
    source = resolve(word)
    is_path = word != "starter" and _path_of(word) is not None and Path(word).expanduser().exists()
    return str(source.path.absolute()) if is_path else word


def _path_of(word: str) -> Path | None:
    """The absolute path that a word is, links kept; None where it cannot be one."""
    try:
        return Path(os.path.abspath(Path(word).expanduser()))  # noqa: PTH100 - keeps links
    except (OSError, RuntimeError, ValueError):
        return None
