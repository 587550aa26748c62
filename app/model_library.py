"""The library of models as the window has it: opened late, on a thread, and kept open."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from PySide6.QtCore import QObject, Signal

from app.later import Later
from app.library.shelf import Listing, Shelf

if TYPE_CHECKING:
    from collections.abc import Callable

    from app.library.library import Library
    from app.library.places import Places

T = TypeVar("T")


def models_folder(data: Path, preferred: str) -> Path:
    """The folder that copies and conversions go to; downloads go to the hub's cache.

    Args:
        data: The folder of the application's data.
        preferred: The folder for models that is preferred; empty for the application's own.
    """
    return Path(preferred).expanduser() if preferred else data / "models"


def places_in(data: Path, models: str = "") -> Places:
    """Where models lie; for any thread but the main one, as it imports the hub's library.

    Args:
        data: The folder of the application's data.
        models: The folder for models that is preferred; empty for the application's own.
    """
    from app.library.places import places

    return replace(places(), data=data, models=models_folder(data, models))


class ModelLibrary(QObject):
    """Does what is asked of the library once it is there.

    It is opened with the first thing that is asked of it: the engine is imported with it, which
    takes a moment.
    """

    listed = Signal(Listing)
    """The models, at most ten times a second while they are being looked for."""
    failed = Signal(str)

    def __init__(self, data: Path, parent: QObject) -> None:
        super().__init__(parent)
        self._data = data
        self._models = ""
        self._shelf: Shelf | None = None
        self._library: Library | None = None
        self._waiting: list[Callable[[Shelf, Library], None]] = []
        self._later = Later(self._on_error, self)
        self._opener = ThreadPoolExecutor(1, "library opening")
        self._copier = ThreadPoolExecutor(1, "library copies")
        self._opening = self._closed = False

    def refresh(self) -> None:
        """Look for models anew."""
        self._do(lambda shelf, _: shelf.refresh())

    def run(self, work: Callable[[Library], T], then: Callable[[T], None] | None = None) -> None:
        """Do `work` on the library's thread, and `then` with its result here."""
        self._do(lambda shelf, _: shelf.run(work, then))

    def run_long(
        self, work: Callable[[Library], T], then: Callable[[T], None] | None = None
    ) -> None:
        """As `run`, for what may take minutes: nothing else waits behind it."""

        def act(_: Shelf, library: Library) -> None:
            self._later.deliver(self._copier.submit(work, library), then)

        self._do(act)

    def set_models_folder(self, folder: str) -> None:
        """Keep models in another folder from now on; empty for the application's own."""
        if folder == self._models:
            return
        self._models = folder
        if self._shelf is None:
            return
        data = self._data

        def move(library: Library) -> None:
            library.move(places_in(data, folder))

        self.run(move, lambda _: self.refresh())

    def close(self) -> None:
        """Wait for work that has begun, and do no other."""
        self._closed = True
        self._waiting.clear()
        for threads in (self._opener, self._copier):
            threads.shutdown(wait=True, cancel_futures=True)
        if self._shelf is not None:
            self._shelf.close()

    def _do(self, act: Callable[[Shelf, Library], None]) -> None:
        if self._closed:
            return
        if self._shelf is not None and self._library is not None:
            act(self._shelf, self._library)
            return
        self._waiting.append(act)
        if not self._opening:
            self._opening = True
            opened = self._opener.submit(lambda: _open(self._data, self._models))
            self._later.deliver(opened, self._on_opened)

    def _on_opened(self, library: Library) -> None:
        if self._closed:
            return
        shelf = self._shelf = Shelf(library, self)
        self._library = library
        shelf.listed.connect(self.listed)
        shelf.failed.connect(self.failed)
        waiting, self._waiting = self._waiting, []
        for act in waiting:
            act(shelf, library)

    def _on_error(self, error: Exception) -> None:
        self._opening = False
        self._waiting.clear()
        self.failed.emit(str(error))


def _open(data: Path, models: str) -> Library:
    from app.library.library import Library

    return Library(places_in(data, models))
