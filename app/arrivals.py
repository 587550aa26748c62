"""Files that come from outside: dropped on the window, from Finder, or with a start."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtGui import QDropEvent
from typing_extensions import override

from app.later import Later
from app.opening import Opening, opening, split
from ui.drops import local_files

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtWidgets import QWidget

_MOST = 100
"""Of more files at once nobody means each."""


class Arrivals(QObject):
    """Watches for files, looks at them on a thread of its own, and tells what they are."""

    model_wanted = Signal(str)
    chats_wanted = Signal(list)
    refused = Signal(str)
    """A sentence about a file that cannot be opened."""
    came = Signal()
    """Something is to be opened: the window should be seen."""

    def __init__(self, window: QWidget, parent: QObject) -> None:
        super().__init__(parent)
        self._window = window
        self._later = Later(lambda error: self.refused.emit(str(error)), self)
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="arrivals")
        self._closed = False
        window.setAcceptDrops(True)
        window.installEventFilter(self)

    def open(self, paths: Sequence[str]) -> None:
        """Open files and folders, as far as they can be; without any the window comes forward."""
        if self._closed:
            return
        self.came.emit()
        if not paths:
            return
        wanted = [Path(path) for path in paths[:_MOST]]
        looked = self._thread.submit(lambda: [opening(path) for path in wanted])
        self._later.deliver(looked, self._on_looked)

    def open_one(self, path: str) -> None:
        """Open one file or folder."""
        self.open([path])

    def close(self) -> None:
        """Look at nothing any more; what is being looked at is not waited for."""
        self._closed = True
        self._thread.shutdown(wait=False, cancel_futures=True)

    @override
    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        return isinstance(event, QDropEvent) and self._on_drag(event)

    def _on_drag(self, event: QDropEvent) -> bool:
        """Take files that are dragged over the window where nothing in it wants them."""
        paths = local_files(event.mimeData())
        if not paths or not event.possibleActions() & Qt.DropAction.CopyAction:
            return False
        event.setDropAction(Qt.DropAction.CopyAction)
        event.accept()
        if event.type() == QEvent.Type.Drop:
            self.open(paths)
        return True

    def _on_looked(self, openings: list[Opening]) -> None:
        model, chats, refused = split(openings)
        if model is not None:
            self.model_wanted.emit(str(model))
        if chats:
            self.chats_wanted.emit([str(path) for path in chats])
        if refused:
            self.refused.emit(self._sentence(refused[0]))

    def _sentence(self, one: Opening) -> str:
        if one.kind == "missing":
            return self.tr("{name} is not there.").format(name=one.path.name)
        told = self.tr(
            "{name} cannot be opened: Cutaway opens .gguf files, folders of models, "
            "and exported chats (.json, .zip)."
        )
        return told.format(name=one.path.name)
