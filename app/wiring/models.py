"""The model that is loaded, and the figures of what it does."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from app.cutaway import Cutaway


def connect_models(app: Cutaway) -> None:
    """Join the model's menu and the inspector to the engine's thread."""
    window, models, worker = app.window, app.models, app.worker
    window.model_open_requested.connect(models.open)
    window.model_unload_requested.connect(models.unload)
    models.changed.connect(window.set_model)
    models.failed.connect(window.show_model_error)
    models.noted.connect(window.show_error)
    worker.loading.connect(models.on_loading)
    worker.loaded.connect(models.on_loaded)
    worker.load_failed.connect(models.on_load_failed)
    worker.load_refused.connect(models.on_load_refused)
    worker.unloaded.connect(models.on_unloaded)
    worker.loaded.connect(app.recent_models.on_loaded)
    app.recent_models.changed.connect(window.set_model_choices)
    worker.measured.connect(window.set_telemetry)
