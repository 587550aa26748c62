"""Which model the window shows: loading, ready, failed, none."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from app.library.settings import Notes
from ui.state import ModelView
from ui.window import STARTER

if TYPE_CHECKING:
    from collections.abc import Callable

    from app.library.places import Places
    from app.library.settings import LoadSettings
    from app.requests import LoadedModel
    from app.worker import Worker


def settings_of(places: Callable[[], Places]) -> Callable[[str], LoadSettings]:
    """What looks up how a source is to be loaded; for the engine's thread, as it reads files."""

    def look_up(source: str) -> LoadSettings:
        # Late: the engine is imported with it.
        from app.library.library import key_of

        return Notes(places()).of(key_of(source)).settings

    return look_up


class ModelController(QObject):
    """Asks the worker for models and tells the window how that goes."""

    changed = Signal(ModelView)
    failed = Signal(str)
    noted = Signal(str)
    """What is to be known of a model that was loaded, once in a run."""

    def __init__(self, worker: Worker, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._worker = worker
        self._now = ModelView()
        self._noted: set[str] = set()
        self._loaded: LoadedModel | None = None
        self.changed.connect(self._on_changed)

    @property
    def now(self) -> ModelView:
        """What the window shows, for those that begin later."""
        return self._now

    @property
    def loaded(self) -> LoadedModel | None:
        """The model that is there; None where there is none, or it is on its way."""
        return self._loaded if self._now.state == "ready" else None

    def open(self, source: str) -> None:
        """Load `source` in place of the model that is there."""
        self._worker.load(source)

    def unload(self) -> None:
        """Free the model."""
        self._worker.unload()

    def on_unload_requested(self, _: str) -> None:
        """Free the model, whichever name it was asked for by."""
        self.unload()

    def on_loading(self, name: str, share: float) -> None:
        """Show how much is loaded."""
        self.changed.emit(ModelView(name=self._short(name), state="loading", progress=share))

    def on_loaded(self, model: LoadedModel) -> None:
        """Show the model as ready."""
        self._loaded = model
        note = " ".join(model.notes)
        view = ModelView(name=model.name, detail=model.detail, state="ready", message=note)
        self.changed.emit(view)
        if note and model.source not in self._noted:
            self._noted.add(model.source)
            self.noted.emit(note)

    def on_load_failed(self, name: str, sentence: str) -> None:
        """Show why nothing is loaded."""
        self.changed.emit(ModelView(name=self._short(name), state="failed", message=sentence))
        self.failed.emit(sentence)

    def on_load_refused(self, _: str, sentence: str) -> None:
        """Say why nothing has changed: the model from before is there."""
        words = self.tr("{sentence} {model} is still loaded.")
        self.failed.emit(words.format(sentence=sentence, model=self._now.name))

    def on_unloaded(self) -> None:
        """Show that no model is there."""
        self.changed.emit(ModelView())

    def _on_changed(self, view: ModelView) -> None:
        self._now = view

    def _short(self, source: str) -> str:
        """The last part of a path or hub id, for a name until the model has told its own."""
        if source == STARTER:
            return self.tr("Starter model")
        return Path(source).name or source
