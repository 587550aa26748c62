"""What is done with the files of models from their page: added, copied, shown, deleted."""

from __future__ import annotations

import sys
from pathlib import Path
from threading import Event
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QProcess, QUrl, Signal
from PySide6.QtGui import QDesktopServices

from app.macos import reveal_command
from ui import figures
from ui.models.values import RemovalView, WorkView

if TYPE_CHECKING:
    from app.library.deletion import Removal
    from app.library.imports import Imported
    from app.library.library import Library
    from app.model_library import ModelLibrary
    from app.model_page import ModelPage


class ModelFiles(QObject):
    """Answers the section with the models that are here."""

    removal_asked = Signal(RemovalView)
    work_changed = Signal(object)
    """A `WorkView` for what has no card yet, or None."""
    deleted = Signal(str)
    told = Signal(str)
    """A sentence on what happened, or why not."""

    def __init__(self, page: ModelPage, library: ModelLibrary, parent: QObject) -> None:
        super().__init__(parent)
        self._page = page
        self._library = library
        self._removals: dict[str, Removal] = {}
        self._copies: list[Event] = []

    def on_reveal(self, source: str) -> None:
        """Show where a model lies."""
        one = self._page.find(source)
        if one is None:
            return
        path = one.facts.path
        command = reveal_command(sys.platform, path)
        if command:
            QProcess.startDetached(command[0], command[1:])
        elif not QDesktopServices.openUrl(
            QUrl.fromLocalFile(path if path.is_dir() else path.parent)
        ):
            self.told.emit(self.tr("No program here shows folders; it is {0}.").format(path))

    def on_added(self, path: str) -> None:
        """Add a folder or a file where it is."""

        def work(library: Library) -> Imported:
            from app.library.imports import add_model

            return add_model(library, Path(path))

        def then(done: Imported) -> None:
            self.told.emit(self.tr("%n models were added.", "", done.models))
            self._library.refresh()

        self._library.run(work, then)

    def on_copied(self, path: str) -> None:
        """Copy a model into the application's own folder."""
        stop, name = Event(), Path(path).name
        self._copies.append(stop)
        sentence = self.tr("Copying {name}").format(name=name)
        shares = _Shares(self)

        def on_moved(share: float) -> None:
            self.work_changed.emit(WorkView(sentence, share))

        shares.moved.connect(on_moved)
        self.work_changed.emit(WorkView(sentence, 0.0))

        def work(library: Library) -> Imported | None:
            from app.library.imports import copy_model

            return copy_model(
                library,
                Path(path),
                report=shares.moved.emit,
                cancelled=stop.is_set,
            )

        def then(done: Imported | None) -> None:
            self.work_changed.emit(None)
            if done is not None:
                self.told.emit(self.tr("{name} was copied.").format(name=name))
            self._library.refresh()

        self._library.run_long(work, then)

    def on_copy_cancelled(self) -> None:
        """Stop copying; what was copied goes."""
        for stop in self._copies:
            stop.set()
        self._copies.clear()

    def on_failed(self, sentence: str) -> None:
        """Say why something was not done."""
        self.work_changed.emit(None)
        self.told.emit(sentence)

    def on_removal(self, source: str) -> None:
        """Look at what deleting a model would do, and ask."""
        one = self._page.find(source)
        if one is None or self._page.undeletable(one.facts):
            return

        def work(library: Library) -> Removal:
            from app.library.deletion import plan_removal

            return plan_removal(library, one.facts)

        def then(removal: Removal) -> None:
            self._removals[source] = removal
            is_listed, deletes = one.facts.origin == "added", bool(removal.paths)
            if deletes:
                sentence = self.tr("{name} goes to the trash; emptying it frees {size}.")
            else:
                sentence = self.tr("Its files are gone.")
            said = sentence.format(name=one.facts.name, size=figures.size(removal.freed_bytes))
            question = removal.question if deletes else ""
            self.removal_asked.emit(
                RemovalView(source, said, question, deletes or not is_listed, is_listed)
            )

        self._library.run(work, then)

    def on_removal_confirmed(self, source: str) -> None:
        """Delete a model as it was planned, unless it is in use by now."""
        removal = self._removals.pop(source, None)
        if removal is None or self._page.undeletable(removal.facts):
            return

        def work(library: Library) -> int:
            from app.library.deletion import remove

            return remove(library, removal)

        def then(freed: int) -> None:
            sentence = self.tr("{name} is in the trash; emptying it frees {size}.")
            self.told.emit(sentence.format(name=removal.facts.name, size=figures.size(freed)))
            self.deleted.emit(source)
            self._library.refresh()

        self._library.run(work, then)

    def on_forgotten(self, source: str) -> None:
        """Take what was added off the list; nothing happens to its files."""
        one = self._page.find(source)
        if one is None or self._page.undeletable(one.facts):
            return
        root = one.facts.root

        def then(_: None) -> None:
            self.told.emit(
                self.tr("{place} is off the list; nothing was deleted.").format(place=root)
            )
            self._library.refresh()

        self._library.run(lambda library: library.added.forget(root), then)


class _Shares(QObject):
    """Brings how far a thread is to the main thread."""

    moved = Signal(float)
