"""When the library of models is opened: a while after the first model is there, off the way."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from importlib import import_module

from PySide6.QtCore import QObject, QTimer, Signal

from app.later import Later

_AFTER_MS = 1000


class ModelStart(QObject):
    """Imports what the library is made of on a thread, so that no frame waits for it."""

    ready = Signal()

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._begun = False
        self._closed = False
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="models import")
        self._later = Later(lambda _: None, self)  # a page that is gone to says what is missing
        self._timer = QTimer(self, singleShot=True, interval=_AFTER_MS)
        self._timer.timeout.connect(self._import)

    def on_model(self, *_: object) -> None:
        """The first model was loaded, or could not be."""
        if not self._begun:
            self._begun = True
            self._timer.start()

    def close(self) -> None:
        """Open nothing any more."""
        self._begun = self._closed = True
        self._timer.stop()
        self._thread.shutdown(wait=True, cancel_futures=True)

    def _import(self) -> None:
        imported = self._thread.submit(import_module, "app.model_parts")
        self._later.deliver(imported, self._on_imported)

    def _on_imported(self, _: object) -> None:
        if not self._closed:  # what was on its way at the end may still come
            self.ready.emit()
