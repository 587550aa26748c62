"""The window of a chat's settings: folded groups, shelves, and what it tells."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QInputDialog

from ui.chat.chat_settings import SettingsWindow
from ui.chat.settings_values import ChatSettingsView, ShelfChange, ShelfItem
from ui.entries import LinesEntry
from ui.fields import FieldGroup, NumberField, TextField

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

    from ui.window import MainWindow

HEAT = NumberField(name="heat", title="Heat", usual=0.7, high=2, decimals=2)
RARE = NumberField(name="rare", title="Rare", usual=0, high=9)
PROMPT = TextField(name="system_prompt", title="Prompt", lines=3)
GROUPS = (
    FieldGroup("", (PROMPT,)),
    FieldGroup("Sampling", (HEAT,)),
    FieldGroup("More", (RARE,), folded=True),
)
COLD, WARM = ShelfItem("c", "Cold & clear"), ShelfItem("w", "Warm")
quiet = pytest.mark.qt_log_ignore("propagateSizeHints|raise")


def view(preset: str = "", usual: str = "", *, rare: int = 0, prompt: str = "") -> ChatSettingsView:
    return ChatSettingsView(
        title="Talk",
        values={"system_prompt": prompt, "heat": 0.7, "rare": rare},
        presets=(COLD, WARM),
        preset=preset,
        usual_preset=usual,
    )


@pytest.fixture
def settings(window: MainWindow) -> SettingsWindow:
    window.page.show_settings(GROUPS, view())
    shown = window.page.settings_window
    assert shown is not None
    return shown


def changes(settings: SettingsWindow) -> list[ShelfChange]:
    found: list[ShelfChange] = []
    settings.preset_changed.connect(found.append)
    return found


def entry(settings: SettingsWindow, text: str) -> None:
    actions = settings.presets.menu.actions()
    next(action for action in actions if action.text() == text).trigger()


@quiet
def test_what_is_rare_is_folded_until_it_is_set(settings: SettingsWindow, qtbot: QtBot) -> None:
    (fold,) = settings.folds
    form = settings.forms[2]
    assert form.isHidden()
    qtbot.keyClick(fold, Qt.Key.Key_Space)
    assert not form.isHidden()
    qtbot.keyClick(fold, Qt.Key.Key_Space)
    settings.show_view(view(rare=3))
    assert not form.isHidden()


@quiet
def test_a_shelf_offers_what_can_be_done(settings: SettingsWindow) -> None:
    found = changes(settings)
    entry(settings, "Warm")
    settings.show_view(view(preset="c", usual="c"))
    entry(settings, "Delete “Cold && clear”")
    entry(settings, "Begin New Chats with “Cold && clear”")
    assert found == [
        ShelfChange("use", "w"),
        ShelfChange("delete", "c"),
        ShelfChange("make_usual", ""),
    ]
    texts = [action.text() for action in settings.presets.menu.actions() if action.isEnabled()]
    assert "Save as Preset…" not in texts  # it is one already
    assert settings.presets.text() == "Preset: Cold & clear"


@quiet
def test_a_name_that_is_there_is_saved_over(settings: SettingsWindow) -> None:
    found = changes(settings)
    for name in ("warm", "  New   one ", " "):
        entry(settings, "Save as Preset…")
        dialog = settings.findChildren(QInputDialog)[-1]
        dialog.setTextValue(name)
        dialog.accept()
    assert found == [ShelfChange("save", "w", "warm"), ShelfChange("save", "", "New one")]


@quiet
def test_what_is_typed_last_is_told_when_the_window_closes(
    settings: SettingsWindow, window: MainWindow, qtbot: QtBot
) -> None:
    told: list[tuple[str, object]] = []

    def keep(name: str, value: object) -> None:
        told.append((name, value))

    window.page.setting_changed.connect(keep)
    lines = settings.forms[0].row("system_prompt").entry
    assert isinstance(lines, LinesEntry)
    qtbot.keyClicks(lines.text, "Be brief.")
    with qtbot.waitSignal(settings.destroyed):
        qtbot.keyClick(settings, Qt.Key.Key_Escape)
    assert told == [("system_prompt", "Be brief.")]
    assert window.page.settings_window is None


@quiet
def test_a_prompt_can_be_saved_once_there_is_one(settings: SettingsWindow) -> None:
    save = next(one for one in settings.prompts.menu.actions() if one.text().startswith("Save"))
    assert not save.isEnabled()
    settings.show_view(view(prompt="Be brief."))
    save = next(one for one in settings.prompts.menu.actions() if one.text().startswith("Save"))
    assert save.isEnabled()


def test_files_are_asked_for_with_the_button(window: MainWindow, qtbot: QtBot) -> None:
    asked: list[bool] = []
    composer = window.page.composer
    composer.attach_requested.disconnect()
    composer.attach_requested.connect(lambda: asked.append(True))
    qtbot.mouseClick(composer.attach_button, Qt.MouseButton.LeftButton)
    assert asked == [True]
    assert composer.attach_button.accessibleName() == "Attach files"
