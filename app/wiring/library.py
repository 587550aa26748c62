"""The page of models: its sections, and the library, the hub and the downloads behind them."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

    from app.cutaway import Cutaway
    from app.model_parts import ModelParts
    from ui.models.page import ModelsPage


def connect_library(app: Cutaway) -> None:
    """Join the page of models once it is there, and open the library a while after a start."""
    worker, start = app.worker, app.model_start
    worker.loaded.connect(app.chat_settings.on_model_loaded)
    worker.loaded.connect(start.on_model)
    worker.load_failed.connect(start.on_model)
    start.ready.connect(partial(_make, app))
    app.window.place_built.connect(partial(_on_built, app))


def _make(app: Cutaway) -> ModelParts:
    """The parts, made where they are not there yet."""
    return app.model_parts


def connect_parts(app: Cutaway, parts: ModelParts) -> None:
    """Join what knows of models, when it is made; the page follows when it is built."""
    worker, page = app.worker, parts.page
    app.preferences.changed.connect(parts.on_preferences)
    app.ending.connect(parts.close)
    parts.library.listed.connect(page.on_listed)
    parts.library.listed.connect(app.recent_models.on_listed)
    parts.library.failed.connect(parts.files.on_failed)
    worker.loading.connect(page.on_loading)
    worker.loaded.connect(page.on_loaded)
    worker.load_failed.connect(page.on_load_failed)
    worker.load_refused.connect(page.on_load_refused)
    worker.unloaded.connect(page.on_unloaded)
    page.settings_changed.connect(app.chat_settings.on_load_settings)
    page.surveyed.connect(parts.find.on_surveyed)
    parts.files.deleted.connect(page.on_deleted)
    parts.files.deleted.connect(parts.fetching.on_deleted)
    parts.downloads.changed.connect(parts.fetching.on_changed)
    parts.downloads.removed.connect(parts.fetching.on_removed)
    parts.downloads.discarded.connect(parts.library.refresh)
    parts.fetching.fetching_changed.connect(page.on_fetching)
    parts.fetching.fetching_changed.connect(parts.find.on_fetching)
    parts.fetching.finished.connect(parts.library.refresh)
    parts.hub.found.connect(parts.find.on_found)
    parts.hub.card_read.connect(parts.find.on_card)
    parts.hub.planned.connect(parts.find.on_planned)
    parts.hub.failed.connect(parts.find.on_failed)
    parts.hub.token_changed.connect(parts.find.on_token_changed)
    parts.hub.offline_changed.connect(parts.downloads.on_offline)
    app.recent_models.changed.connect(parts.compare.on_choices)
    parts.on_preferences(app.preferences.now)
    parts.compare.on_choices(app.recent_models.choices)
    if app.models.loaded is not None:
        page.on_loaded(app.models.loaded)


def _on_built(app: Cutaway, name: str, page: QWidget) -> None:
    from ui.models.page import ModelsPage

    if name == "models" and isinstance(page, ModelsPage):
        _connect_page(app, page)
        _connect_here(app, page)
        _connect_find(app.model_parts, page)
        _connect_downloads(app, page)
        _connect_compare(app, page)


def _connect_page(app: Cutaway, page: ModelsPage) -> None:
    parts = app.model_parts
    page.entered.connect(parts.page.on_entered)
    page.entered.connect(parts.find.on_entered)
    page.entered.connect(parts.fetching.tell)
    page.preferences_requested.connect(app.window.preferences_requested)
    parts.page.told.connect(page.show_sentence)
    parts.files.told.connect(page.show_sentence)
    parts.downloads.failed.connect(page.show_sentence)
    app.models.failed.connect(page.show_sentence)
    parts.hub.offline_changed.connect(page.set_offline)
    page.set_offline(parts.hub.offline)


def _connect_here(app: Cutaway, page: ModelsPage) -> None:
    parts, here = app.model_parts, page.here
    answers, files, work = parts.page, parts.files, parts.work
    here.load_requested.connect(app.models.open)
    here.unload_requested.connect(app.models.on_unload_requested)
    here.reveal_requested.connect(files.on_reveal)
    here.removal_requested.connect(files.on_removal)
    here.removal_confirmed.connect(files.on_removal_confirmed)
    here.forget_requested.connect(files.on_forgotten)
    here.setting_changed.connect(answers.on_setting)
    here.added.connect(files.on_added)
    here.copied.connect(files.on_copied)
    here.benchmark_requested.connect(work.on_benchmark)
    here.conversion_requested.connect(work.on_conversion)
    here.conversion_confirmed.connect(work.on_conversion_confirmed)
    here.cancelled.connect(work.on_cancelled)
    here.copy_cancelled.connect(files.on_copy_cancelled)
    answers.models_changed.connect(here.set_models)
    files.removal_asked.connect(here.ask_removal)
    files.work_changed.connect(here.set_work)
    work.planned.connect(here.show_conversion)


def _connect_find(parts: ModelParts, page: ModelsPage) -> None:
    section, answers = page.finder, parts.find
    section.search_requested.connect(answers.on_search)
    section.hub_requested.connect(answers.on_hub_asked)
    section.chosen.connect(answers.on_chosen)
    section.variant_chosen.connect(answers.on_variant)
    section.download_requested.connect(answers.on_download)
    section.token_given.connect(answers.on_token)
    section.token_forgotten.connect(answers.on_token_forgotten)
    answers.found.connect(section.set_found)
    answers.searching.connect(section.tell)
    answers.detailed.connect(section.show_detail)
    answers.token_told.connect(section.tell_token)
    answers.token_wanted.connect(section.ask_token)
    answers.failed.connect(page.show_sentence)


def _connect_downloads(app: Cutaway, page: ModelsPage) -> None:
    parts, section = app.model_parts, page.downloads
    section.paused.connect(parts.downloads.pause)
    section.resumed.connect(parts.downloads.resume)
    section.cancelled.connect(parts.downloads.cancel)
    section.dismissed.connect(parts.fetching.on_removed)
    for told in (section.load_requested, page.finder.load_requested):
        told.connect(app.models.open)
        told.connect(partial(_show_loading, page))
    parts.fetching.changed.connect(section.set_downloads)
    parts.fetching.busy_changed.connect(page.set_busy)


def _connect_compare(app: Cutaway, page: ModelsPage) -> None:
    section, answers = page.compare, app.model_parts.compare
    section.requested.connect(answers.on_requested)
    section.cancelled.connect(answers.on_cancelled)
    answers.changed.connect(section.show_comparison)
    app.recent_models.changed.connect(section.set_choices)
    section.set_choices(app.recent_models.choices)
    answers.tell()


def _show_loading(page: ModelsPage, source: str) -> None:
    """Where one sees how a model is loaded."""
    page.show_section("here")
    page.here.show_model(source)
