"""A chat is set in the window of its settings, keeps that, and its replies go by it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtWidgets import QInputDialog

from app.chats.settings import ChatSettings
from tests.app.talkers import write_talker
from ui.chat.message_menu import message_menu
from ui.chat.settings_values import ShelfChange
from ui.entries import LinesEntry, NumberEntry

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.app.driving import Driver
    from ui.chat.chat_settings import SettingsWindow


def opened(app: Driver) -> SettingsWindow:
    app.window.actions_of_menus.chat_settings.trigger()
    app.until(lambda: app.window.page.settings_window is not None)
    window = app.window.page.settings_window
    assert window is not None
    return window


def number(window: SettingsWindow, name: str, text: str) -> None:
    form = next(form for form in window.forms if name in form.values)
    entry = form.row(name).entry
    assert isinstance(entry, NumberEntry)
    entry.line.setText(text)
    entry.take_in()


def prompt(window: SettingsWindow, text: str) -> None:
    entry = window.forms[0].row("system_prompt").entry
    assert isinstance(entry, LinesEntry)
    entry.text.setPlainText(text)
    entry.take_in()


def chosen(app: Driver, menu_text: str, shelf: str) -> None:
    window = app.window.page.settings_window
    assert window is not None
    actions = getattr(window, shelf).menu.actions()
    next(action for action in actions if action.text() == menu_text).trigger()


def named(app: Driver, name: str) -> None:
    dialog = app.window.findChild(QInputDialog)
    assert dialog is not None
    dialog.setTextValue(name)
    dialog.accept()


@pytest.mark.qt_log_ignore("propagateSizeHints|raise")
def test_what_is_chosen_is_used_and_kept(drive: Callable[..., Driver], terse: Path) -> None:
    app = drive(terse)
    app.until_ready()
    window = opened(app)
    number(window, "temperature", "0")
    number(window, "max_tokens", "5")
    assert app.window.page.composer.line.settings_button.text() == "temperature 0 · more"
    window.close()
    app.ask("Hm?")
    app.until(lambda: bool(app.reply) and not app.busy)
    app.close()
    ((_, reply),) = app.saved()
    assert len(reply.token_ids) == 5
    assert reply.settings is not None
    assert reply.settings.sampling.temperature == 0
    again = drive(terse)
    again.choose("Hm?")
    again.until(lambda: len(again.items) == 2)
    assert again.app.shown.settings == reply.settings


@pytest.mark.slow
@pytest.mark.qt_log_ignore("propagateSizeHints|raise")
def test_presets_are_kept_used_and_changed_without_changing_chats(
    drive: Callable[..., Driver], terse: Path
) -> None:
    app = drive(terse)
    app.until_ready()
    window = opened(app)
    number(window, "temperature", "0")
    chosen(app, "Save as Preset…", "presets")
    named(app, "  Cold  ")
    app.until(lambda: window.presets.text() == "Preset: Cold")
    app.ask("One")
    app.until(lambda: bool(app.reply) and not app.busy)
    number(window, "temperature", "1.5")
    assert window.presets.text() == "No preset"
    control = app.app.chat_settings
    control.on_preset(ShelfChange("save", control._presets[0].id, "Cold"))
    app.until(lambda: window.presets.text() == "Preset: Cold")
    app.new_chat()
    app.until(lambda: app.items == ())
    assert app.app.shown.settings == ChatSettings()
    chosen(app, "Cold", "presets")
    assert app.app.shown.settings.sampling.temperature == 1.5
    app.close()
    ((_, reply),) = app.saved()
    assert reply.settings is not None
    assert reply.settings.sampling.temperature == 0


@pytest.mark.slow
@pytest.mark.qt_log_ignore("propagateSizeHints|raise")
def test_new_chats_begin_with_the_preset_of_choice(
    drive: Callable[..., Driver], terse: Path
) -> None:
    app = drive(terse)
    window = opened(app)
    prompt(window, "Be brief.")
    chosen(app, "Save as Preset…", "presets")
    named(app, "Brief")
    app.until(lambda: window.presets.text() == "Preset: Brief")
    chosen(app, "Begin New Chats with “Brief”", "presets")
    app.new_chat()
    app.until(lambda: app.app.shown.settings.system_prompt == "Be brief.")
    app.close()
    again = drive(terse)
    again.app.preferences.start()
    again.until(lambda: again.app.shown.settings.system_prompt == "Be brief.")


@pytest.mark.qt_log_ignore("propagateSizeHints|raise")
def test_system_prompts_have_a_shelf(drive: Callable[..., Driver], terse: Path) -> None:
    app = drive(terse)
    window = opened(app)
    prompt(window, "Talk like a pirate.")
    chosen(app, "Save This Prompt…", "prompts")
    named(app, "Pirate")
    app.until(lambda: window.prompts.text() == "Saved prompt: Pirate")
    chosen(app, "Rename “Pirate”…", "prompts")
    named(app, "Corsair")
    app.until(lambda: window.prompts.text() == "Saved prompt: Corsair")
    prompt(window, "")
    chosen(app, "Corsair", "prompts")
    assert app.app.shown.settings.system_prompt == "Talk like a pirate."
    chosen(app, "Delete “Corsair”", "prompts")
    app.until(lambda: window.prompts.text() == "Saved prompts")
    assert app.app.shown.settings.system_prompt == "Talk like a pirate."


@pytest.mark.qt_log_ignore("propagateSizeHints|raise")
def test_a_reply_is_written_again_with_other_settings(
    drive: Callable[..., Driver], terse: Path
) -> None:
    app = drive(terse)
    app.until_ready()
    app.ask("Hm?")
    app.until(lambda: bool(app.reply) and not app.busy)
    before = app.items[-1].message_id
    menu = message_menu(app.items[-1], app.items[-1].rect().center())
    actions = {action.text(): action for action in menu.actions()}
    actions["Retry with Other Settings…"].trigger()
    app.until(lambda: app.window.page.settings_window is not None)
    window = app.window.page.settings_window
    assert window is not None
    number(window, "max_tokens", "3")
    window.again.click()
    app.until(lambda: app.items[-1].message_id != before and not app.busy)
    assert app.app.shown.settings == ChatSettings()
    app.close()
    ((_, reply),) = app.saved()
    assert len(reply.token_ids) == 3
    assert reply.settings is not None
    assert reply.settings.reply.max_tokens == 3


@pytest.mark.slow
def test_a_chat_with_a_model_of_its_own_loads_it(
    drive: Callable[..., Driver], terse: Path, tmp_path: Path
) -> None:
    other = write_talker(tmp_path / "other", context=96)
    app = drive(terse)
    app.until_ready()
    app.ask("Hm?")
    app.until(lambda: bool(app.reply) and not app.busy)
    first = app.items[-1].message_id
    control = app.app.chat_settings
    control.on_message_action("regenerate_with", first)
    control.on_value("model", str(other))
    control.on_again()
    app.until(lambda: app.items[-1].message_id != first and not app.busy)
    assert app.app.shown.settings.model is None
    app.close()
    ((_, reply),) = app.saved()
    assert reply.model == "other"
    assert app.errors == []
