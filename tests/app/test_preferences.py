"""Preferences: declared once, kept in a file that damage does not take with it, put in force."""

from __future__ import annotations

import json
from dataclasses import fields
from typing import TYPE_CHECKING

import pytest

from app.preference_store import PreferenceStore
from app.preferences import USUAL, Preferences, groups, preferences_of
from ui.theme import DARK, ZOOMS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from PySide6.QtWidgets import QApplication
    from pytestqt.qtbot import QtBot

    from tests.app.driving import Driver


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "config" / "preferences.json"


@pytest.fixture
def kept(path: Path) -> Iterator[PreferenceStore]:
    store = PreferenceStore(path)
    yield store
    store.close()


def read(path: Path) -> PreferenceStore:
    store = PreferenceStore(path)
    store.close()
    return store


def test_every_preference_has_a_field_with_its_usual_value() -> None:
    declared = {field.name: field.usual for group in groups() for field in group.fields}
    assert declared == USUAL.values
    assert [field.name for field in fields(Preferences)] == list(USUAL.values)
    assert all(field.title for group in groups() for field in group.fields)


def test_spelling_is_a_preference_only_where_the_system_checks_it() -> None:
    shown = {field.name for group in groups(spelling=False) for field in group.fields}
    assert set(USUAL.values) - shown == {"spelling"}


def test_usual_values_fit_their_own_fields() -> None:
    assert preferences_of(USUAL.values) == USUAL


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("appearance", "purple"),
        ("appearance", None),
        ("text_size", 1.05),
        ("text_size", True),
        ("text_size", float("nan")),
        ("density", ["compact"]),
        ("offline", 1),
        ("offline", "yes"),
        ("models_folder", "not/whole"),
        ("update_address", "ftp://example.org"),
        ("update_address", "https://"),
        ("update_address", "https://[a"),
        ("models_folder", "~nobody of that name/models"),
        ("update_address", "https://x" + "x" * 2000),
        ("preset", "p" * 101),
        ("nothing of the kind", 1),
    ],
)
def test_what_does_not_fit_is_as_usual(name: str, value: object) -> None:
    assert preferences_of({name: value}) == USUAL


def test_an_address_fits_where_it_may_be_asked() -> None:
    address = "http://localhost:8000/version.json"
    assert preferences_of({"update_address": address}).update_address == address


def test_a_hub_whose_address_is_none_is_named_as_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HF_ENDPOINT", "http://[hub")
    helps = [field.help for group in groups() for field in group.fields]
    assert any("http://[hub" in text for text in helps)


def test_a_change_is_told_and_kept(path: Path, qtbot: QtBot) -> None:
    store = PreferenceStore(path)
    with qtbot.waitSignal(store.changed) as told:
        store.set("text_size", ZOOMS[-1])
    assert told.args is not None
    assert told.args == [Preferences(text_size=ZOOMS[-1])]
    qtbot.waitUntil(path.exists)
    store.set("offline", True)
    store.close()
    assert read(path).now == Preferences(text_size=ZOOMS[-1], offline=True)


def test_reset_brings_everything_back(kept: PreferenceStore, path: Path) -> None:
    kept.set("density", "compact")
    kept.reset()
    kept.close()
    assert read(path).now == USUAL


@pytest.mark.parametrize("damage", [b"{", b"[]", b"\xff\xfe", b"null", b"[" * 100_000])
def test_a_damaged_file_is_set_aside_and_told_of(path: Path, qtbot: QtBot, damage: bytes) -> None:
    path.parent.mkdir()
    path.write_bytes(damage)
    store = PreferenceStore(path)
    assert store.now == USUAL
    with qtbot.waitSignal(store.failed) as told:
        store.start()
    assert told.args is not None
    assert "damaged" in told.args[0]
    store.close()
    aside = [each for each in path.parent.iterdir() if "damaged" in each.name]
    assert [each.read_bytes() for each in aside] == [damage]


def test_what_another_version_keeps_stays(path: Path) -> None:
    path.parent.mkdir()
    path.write_text(json.dumps({"version": 1, "later": [1], "density": "compact"}), "utf-8")
    store = PreferenceStore(path)
    assert store.now == Preferences(density="compact")
    store.set("offline", True)
    store.close()
    assert json.loads(path.read_text("utf-8"))["later"] == [1]


def test_a_file_that_cannot_be_written_is_told_of(tmp_path: Path, qtbot: QtBot) -> None:
    (tmp_path / "config").write_text("a file where the folder should be", "utf-8")
    store = PreferenceStore(tmp_path / "config" / "preferences.json")
    with qtbot.waitSignal(store.failed) as told:
        store.set("offline", True)
    assert told.args is not None
    assert "cannot be saved" in told.args[0]
    assert store.now.offline
    store.close()


@pytest.mark.qt_log_ignore("This plugin does not support")  # of windows above others
def test_choices_are_in_force_at_once_and_at_the_next_start(
    drive: Callable[..., Driver], talker: Path, qtbot: QtBot, qapp: QApplication
) -> None:
    app = drive(talker)
    window, theme = app.window, app.app.theme
    window.actions_of_menus.preferences.trigger()
    qtbot.waitUntil(lambda: window.preferences is not None)
    assert window.preferences is not None
    window.preferences.changed.emit("appearance", "dark")
    window.preferences.changed.emit("density", "compact")
    window.preferences.changed.emit("motion", "reduced")
    window.preferences.changed.emit("offline", True)
    assert theme.colors is DARK
    assert theme.compact
    assert theme.reduced_motion
    assert qapp.cursorFlashTime() == 0
    assert window.foot.network.text() == "Offline"
    window.actions_of_menus.text_larger.trigger()
    assert app.app.preferences.now.text_size == theme.zoom > 1
    window.preferences.reset_all.click()
    assert app.app.preferences.now == USUAL
    assert (theme.zoom, theme.compact, theme.reduced_motion) == (1, False, False)
    assert window.foot.network.text() != "Offline"
