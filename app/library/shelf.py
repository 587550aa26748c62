"""The library as the window uses it: work on threads of its own, results on the main thread."""

from __future__ import annotations

import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeVar

from PySide6.QtCore import QObject, Signal

from app.later import Later
from app.spoken import spoken

if TYPE_CHECKING:
    from collections.abc import Callable

    from app.library.facts import ModelFacts
    from app.library.library import Library

T = TypeVar("T")

_EVERY_S = 0.1


@dataclass(frozen=True)
class Listing:
    """The models that were found so far.

    Attributes:
        models: In the order of the places, the starter first.
        complete: Whether the search is over.
        notices: Sentences about files of the library's own that were damaged.
    """

    models: tuple[ModelFacts, ...]
    complete: bool
    notices: tuple[str, ...] = ()


class Shelf(QObject):
    """Lists the models in the background, and does what is asked of the library.

    `listed` comes at most ten times a second while models are being found, and once at the end.
    """

    listed = Signal(Listing)
    failed = Signal(str)

    def __init__(self, library: Library, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._library = library
        self._later = Later(self._on_error, self)
        self._lists = ThreadPoolExecutor(1, "library list")
        self._works = ThreadPoolExecutor(1, "library work")
        self._asked = 0
        self._closed = False

    def refresh(self) -> None:
        """Look through all places anew; a search that still runs is given up."""
        self._asked += 1
        number = self._asked
        self._later.deliver(self._lists.submit(self._list, number))

    def run(self, work: Callable[[Library], T], then: Callable[[T], None] | None = None) -> None:
        """Do `work` on a thread, in the order of asking, and `then` with its result here.

        What fails is told by `failed`.
        """
        self._later.deliver(self._works.submit(work, self._library), then)

    def close(self) -> None:
        """Give up the search, and wait for work that has begun."""
        self._closed = True
        for threads in (self._lists, self._works):
            threads.shutdown(wait=True, cancel_futures=True)

    def _list(self, number: int) -> None:
        found: list[ModelFacts] = []
        told_at = time.monotonic()
        for facts in self._library.models():
            if self._closed or number != self._asked:
                return
            found.append(facts)
            if time.monotonic() - told_at >= _EVERY_S:
                told_at = time.monotonic()
                self.listed.emit(Listing(tuple(found), complete=False))
        self.listed.emit(Listing(tuple(found), True, self._library.notices))

    def _on_error(self, error: Exception) -> None:
        self.failed.emit(spoken(error))
