"""Which model the window is told of, from the first megabyte to unloading."""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.models import ModelController
from app.requests import LoadedModel
from ui.state import ModelView

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.app.driving import Driver, Log


def test_the_window_is_told_how_the_model_comes_and_goes(log: Log, talker: Path) -> None:
    models = ModelController(log.worker)
    told: list[ModelView] = []
    failures: list[str] = []
    models.changed.connect(told.append)
    models.failed.connect(failures.append)
    log.worker.loading.connect(models.on_loading)
    log.worker.loaded.connect(models.on_loaded)
    log.worker.load_failed.connect(models.on_load_failed)
    log.worker.unloaded.connect(models.on_unloaded)
    models.open(str(talker))
    log.wait("loaded")
    models.unload()
    log.wait("unloaded")
    models.open("/nowhere/model.gguf")
    _, sentence = log.wait("load_failed")
    assert told[0] == ModelView(name="talker", state="loading", progress=0.0)
    assert told[-4:] == [
        ModelView(name="talker", detail="float32 · 64k", state="ready"),
        ModelView(),
        ModelView(name="model.gguf", state="loading", progress=0.0),
        ModelView(name="model.gguf", state="failed", message=sentence),
    ]
    assert failures == [sentence]


def test_a_model_that_is_refused_leaves_the_other_one_in_the_window(
    drive: Callable[..., Driver], terse: Path
) -> None:
    app = drive(terse)
    app.until_ready()
    app.window.model_open_requested.emit("/nowhere/other.gguf")
    app.until(lambda: bool(app.errors))
    assert app.app.models.now.state == "ready"
    assert app.app.models.now.name == "terse"
    assert "other.gguf" in app.errors[0]
    assert app.errors[0].endswith(". terse is still loaded.")
    assert app.notice == app.errors[0], "and it stays until it is dismissed"
    app.ask("Hm?")
    app.until(lambda: bool(app.reply) and not app.busy)


def test_what_differs_from_a_models_own_words_is_said_once(log: Log) -> None:
    models = ModelController(log.worker)
    said: list[str] = []
    models.noted.connect(said.append)
    special = LoadedModel("/a", "A", "", 1, notes=("It is short.", "It is slow."))
    for model in (special, LoadedModel("/b", "B", "", 1), special):
        models.on_loaded(model)
    assert said == ["It is short. It is slow."]
    assert models.now.message == said[0]


def test_a_source_without_a_last_part_is_named_as_it_is(log: Log) -> None:
    models = ModelController(log.worker)
    told: list[ModelView] = []
    models.changed.connect(told.append)
    models.on_loading("/", 0.5)
    models.on_loading("starter", 0.5)
    models.on_loaded(LoadedModel("/", "root", "", 1))
    assert [view.name for view in told] == ["/", "Starter model", "root"]
