"""Which model the window shows: loading, ready, failed, none."""

from pathlib import Path

from PySide6.QtCore import QObject, Signal

from app.requests import LoadedModel
from app.worker import Worker
from ui.state import ModelView
from ui.window import STARTER


class ModelController(QObject):
    """Asks the worker for models and tells the window how that goes."""

    changed = Signal(ModelView)
    failed = Signal(str)

    def __init__(self, worker: Worker, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._worker = worker

    def open(self, source: str) -> None:
        """Load `source` in place of the model that is there."""
        self._worker.load(source)

    def unload(self) -> None:
        """Free the model."""
        self._worker.unload()

    def on_loading(self, name: str, share: float) -> None:
        """Show how much is loaded."""
        self.changed.emit(ModelView(name=self._short(name), state="loading", progress=share))

    def on_loaded(self, model: LoadedModel) -> None:
        """Show the model as ready."""
        self.changed.emit(ModelView(name=model.name, detail=model.detail, state="ready"))

    def on_load_failed(self, name: str, sentence: str) -> None:
        """Show why nothing is loaded."""
        self.changed.emit(ModelView(name=self._short(name), state="failed", message=sentence))
        self.failed.emit(sentence)

    def on_unloaded(self) -> None:
        """Show that no model is there."""
        self.changed.emit(ModelView())

    def _short(self, source: str) -> str:
        """The last part of a path or hub id, for a name until the model has told its own."""
        if source == STARTER:
            return self.tr("Starter model")
        return Path(source).name or source
