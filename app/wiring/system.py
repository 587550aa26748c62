"""The system around the window: files from outside, the menu Help, sleep, the Dock, the log."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from app.macos import is_mac, set_dock_menu
from app.model_library import models_folder
from app.updates import UpdateSettings
from ui.menus import dock_menu

if TYPE_CHECKING:
    from app.cutaway import Cutaway
    from app.preferences import Preferences


def connect_system(app: Cutaway) -> None:
    """Join the window and the worker to what the system tells and is told."""
    _connect_files(app)
    _connect_help(app)
    _connect_log(app)
    _connect_sleep(app)
    if is_mac():
        set_dock_menu(dock_menu(app.window, app.window.actions_of_menus))


def update_settings(preferences: Preferences) -> UpdateSettings:
    """What the preferences say about updates."""
    return UpdateSettings(
        preferences.update_notice, preferences.update_address, preferences.offline
    )


def _connect_files(app: Cutaway) -> None:
    arrivals = app.arrivals
    arrivals.model_wanted.connect(app.models.open)
    arrivals.chats_wanted.connect(app.transfer.preview)
    arrivals.refused.connect(app.window.show_error)
    arrivals.came.connect(app.help.come_forward)


def _connect_help(app: Cutaway) -> None:
    actions, window, helping, updates = (
        app.window.actions_of_menus,
        app.window,
        app.help,
        app.updates,
    )
    actions.help.triggered.connect(
        lambda: helping.on_help(
            app.data_folder, models_folder(app.data_folder, app.preferences.now.models_folder)
        )
    )
    actions.about.triggered.connect(helping.on_about)
    actions.log.triggered.connect(helping.on_log)
    actions.install_tool.triggered.connect(helping.on_install_tool)
    actions.check_updates.triggered.connect(
        lambda: updates.on_asked(update_settings(app.preferences.now))
    )
    updates.newer.connect(helping.on_newer)
    updates.told.connect(window.show_error)
    helping.told.connect(window.show_error)
    helping.device_wanted.connect(partial(_ask_device, app))
    helping.offered.connect(window.show_offer)
    window.offer_accepted.connect(helping.on_accepted)
    app.journal.crashed.connect(helping.on_crash)


def _ask_device(app: Cutaway) -> None:
    """What the engine runs on is known on its thread only; without an answer nothing is shown."""
    from app.jobs.device import device  # imports the engine, which is there by now

    app.errands.run(device, app.help.set_device, _ignore)


def _ignore(_: str) -> None:
    """Nobody waits for this."""


def _connect_log(app: Cutaway) -> None:
    worker, diary = app.worker, app.diary
    worker.loaded.connect(diary.on_loaded)
    worker.load_failed.connect(diary.on_load_failed)
    worker.load_refused.connect(diary.on_load_failed)
    worker.unloaded.connect(diary.on_unloaded)
    worker.ended.connect(diary.on_ended)
    worker.job_ended.connect(diary.on_job_ended)
    app.sleep.woke.connect(diary.on_woke)


def _connect_sleep(app: Cutaway) -> None:
    """What goes by the calendar is told of a new day; a busy machine is kept awake."""
    app.sleep.day_changed.connect(app.chat_list.refresh)
    app.worker.measured.connect(app.awake.on_measured)
