"""The playground in the window: keys, menu, views, documents, and that nothing is lost."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import Qt

from tests.app.driving import Driver
from ui.playground.page import PlaygroundPage
from ui.shortcuts import menu_actions

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from PySide6.QtGui import QAction
    from PySide6.QtWidgets import QApplication
    from pytestqt.qtbot import QtBot

RETURN, CONTROL = Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier


class Player:
    """The application with its playground in front."""

    def __init__(self, app: Driver, qtbot: QtBot) -> None:
        self.app, self.qtbot = app, qtbot
        app.window.resize(1200, 800)
        app.window.go("playground")
        page = app.window.places.page("playground")
        assert isinstance(page, PlaygroundPage)
        self.page = page
        self.play = app.app.playground.play

    def quiet(self) -> None:
        play, branches = self.play, self.app.app.playground.branches
        self.app.until(
            lambda: (
                not (play._look_errand.is_running or play._weigh_errand.is_running)
                and not (branches._errand.is_running or self.page.text.editor.is_typing)
            )
        )

    def type(self, text: str) -> None:
        if not self.page.text.is_editing:
            self.page.text.edit.click()
        self.qtbot.keyClicks(self.page.text.editor, text)
        self.app.until(lambda: not self.page.text.editor.is_typing)
        self.quiet()

    def press(self, key: Qt.Key, modifier: Qt.KeyboardModifier | None = None) -> None:
        text = self.page.text
        target = text.editor if text.is_editing else text.strip
        self.qtbot.keyClick(target, key, modifier or Qt.KeyboardModifier.NoModifier)
        self.quiet()

    def action(self, title: str) -> QAction:
        found = menu_actions(self.app.window.menuBar())
        return next(each for menu, each in found if menu == "Playground" and each.text() == title)

    @property
    def text(self) -> str:
        return self.play.document.text


@pytest.fixture
def player(drive: Callable[..., Driver], terse: Path, qtbot: QtBot) -> Player:
    app = drive(terse)
    app.until_ready()
    return Player(app, qtbot)


def test_keys_write_stop_and_take_back(player: Player) -> None:
    page = player.page
    assert page.text.is_editing
    player.type("hello")
    assert page.text.figures.whole.startswith("5 tokens · entropy ")
    player.press(RETURN)
    assert not page.text.is_editing
    assert len(player.play.document.tokens.tokens) == 6
    player.press(Qt.Key.Key_Z, CONTROL)
    assert player.text == "hello"
    player.press(RETURN, CONTROL)
    assert len(player.play.document.tokens.tokens) == 96
    player.press(Qt.Key.Key_Z, CONTROL)
    assert len(player.play.document.tokens.tokens) == 95
    player.press(Qt.Key.Key_X)  # a letter opens the field again
    assert page.text.is_editing
    player.app.until(lambda: player.text.endswith("x"))


@pytest.mark.slow
def test_what_was_taken_back_comes_again(player: Player) -> None:
    player.type("abc")
    player.press(RETURN)
    player.press(RETURN)
    two = player.play.document.tokens.ids
    undo, redo = player.action("Undo Token"), player.action("Redo Token")
    for _ in range(2):
        undo.trigger()
        player.quiet()
    assert player.text == "abc"
    player.press(Qt.Key.Key_Z, CONTROL | Qt.KeyboardModifier.ShiftModifier)
    redo.trigger()
    player.quiet()
    assert player.play.document.tokens.ids == two
    redo.trigger()  # there is no more
    undo.trigger()
    player.quiet()
    assert player.play.document.tokens.ids == two[:-1]
    player.press(RETURN)  # what is written now takes its place
    written = player.text
    redo.trigger()
    player.quiet()
    assert player.text == written


def test_a_beginning_fills_an_empty_text(player: Player) -> None:
    text = player.page.text
    assert text.beginnings.isVisible()
    player.qtbot.mouseClick(text.beginnings.buttons[0], Qt.MouseButton.LeftButton)
    player.quiet()
    assert player.text.startswith("The trophy")
    assert player.play.document.tokens.ids
    assert not text.is_editing
    assert text.strip.hasFocus()
    assert not text.beginnings.isVisible()
    player.action("Undo Token").trigger()
    player.quiet()
    assert player.text == ""
    assert text.beginnings.isVisible()


def test_what_is_said_of_a_document_goes_with_it(player: Player) -> None:
    player.type("abc")
    player.action("New Playground").trigger()
    player.quiet()
    assert "was not saved" in player.page.notice.sentence
    player.action("Undo Token").trigger()
    player.quiet()
    assert player.text == "abc"
    assert player.page.notice.sentence == ""


@pytest.mark.slow
def test_the_bars_follow_the_sliders_and_a_click_takes_a_token(player: Player) -> None:
    player.type("hello")
    bars = player.page.next.bars.chart
    player.page.next.sampling.sliders["top_k"].set_number(2)
    player.app.until(lambda: player.page.next.bars.chart is not bars)
    shown = player.page.next.bars.chart
    assert sum(not bar.faded for bar in shown.bars) == 2  # pyright: ignore[reportAttributeAccessIssue, reportUnknownMemberType, reportUnknownArgumentType, reportUnknownVariableType]
    key = str(shown.bars[1].key)  # pyright: ignore[reportAttributeAccessIssue, reportUnknownMemberType, reportUnknownArgumentType]
    player.page.next.bars.activated.emit(key)
    player.quiet()
    assert player.play.document.tokens.ids[-1] == int(key)
    player.page.text.strip.activated.emit("1")
    player.quiet()
    assert player.page.next._found is not None
    assert player.page.next._found.position == 1


@pytest.mark.slow
def test_menu_entries_work_where_they_mean_something(player: Player) -> None:
    player.type("hello")
    for title in ("Step One Token", "Undo Token", "Step One Token"):
        player.action(title).trigger()
        player.quiet()
    assert len(player.play.document.tokens.tokens) == 6
    send = player.app.window.actions_of_menus.send
    assert not send.isEnabled()
    player.app.window.go("chat")
    assert send.isEnabled()
    assert not player.action("Run").isEnabled()
    player.action("New Playground").trigger()
    assert player.app.window.places.current == "playground"
    assert player.text == ""
    assert "Undo brings it back" in player.page.notice.sentence
    player.action("Undo Token").trigger()
    player.quiet()
    assert player.text.startswith("hello")


@pytest.mark.slow
def test_views_are_built_and_answered(player: Player) -> None:
    player.type("once upon")
    panels = player.page.panels
    for name in ("branches", "tokenizer", "schema"):
        panels.choose(name)
        player.quiet()
    branches = panels.view("branches")
    tokenizer = panels.view("tokenizer")
    schema = panels.view("schema")
    assert branches is not None
    assert tokenizer is not None
    assert schema is not None
    player.app.until(lambda: bool(tokenizer.charts()))
    schema.example.click()  # pyright: ignore[reportAttributeAccessIssue, reportUnknownMemberType]
    player.quiet()
    player.app.until(lambda: bool(schema.charts()))
    schema.switch.click()  # pyright: ignore[reportAttributeAccessIssue, reportUnknownMemberType]
    panels.choose("branches")
    branches.grow.click()  # pyright: ignore[reportAttributeAccessIssue, reportUnknownMemberType]
    player.quiet()
    assert branches.charts()
    branches.comparison.compare.click()  # pyright: ignore[reportAttributeAccessIssue, reportUnknownMemberType]
    player.quiet()
    assert len(branches.comparison.charts()) == 2  # pyright: ignore[reportAttributeAccessIssue, reportUnknownMemberType, reportUnknownArgumentType]
    player.page.grab()


@pytest.mark.slow
def test_saved_and_opened_again(player: Player, tmp_path: Path) -> None:
    keeping = player.app.app.playground.keeping
    player.type("hello")
    player.press(RETURN)
    assert "not saved" in player.page.name.accessibleName()
    keeping.on_save_as(str(tmp_path / "a.cutaway"))
    player.app.until(lambda: keeping.is_saved)
    assert player.page.name.text() == "a.cutaway"
    text, ids = player.text, player.play.document.tokens.ids
    player.type(" more")
    assert not keeping.is_saved
    player.action("Save Playground").trigger()
    player.app.until(lambda: keeping.is_saved)
    keeping.on_new()
    player.quiet()
    keeping.on_open(str(tmp_path / "a.cutaway"))
    player.app.until(lambda: player.text == f"{text} more")
    player.quiet()
    assert player.play.document.tokens.ids[: len(ids)] == ids
    (tmp_path / "b.cutaway").write_bytes(b"{")
    keeping.on_open(str(tmp_path / "b.cutaway"))
    player.app.until(lambda: "damaged" in player.page.notice.sentence)


@pytest.mark.slow
def test_what_was_not_saved_is_there_after_a_restart(
    player: Player, qtbot: QtBot, qapp: QApplication, terse: Path
) -> None:
    player.type("hello")
    player.app.app.playground.keeping.on_new()
    player.quiet()
    player.type("second")
    player.press(RETURN)
    text, ids = player.text, player.play.document.tokens.ids
    player.app.close()
    again = Driver(qtbot, qapp, player.app.folder)
    again.start(terse)
    again.until_ready()
    back = Player(again, qtbot)
    again.until(lambda: bool(back.text))
    back.quiet()
    assert (back.text, back.play.document.tokens.ids) == (text, ids)
    assert "not saved" in back.page.name.accessibleName()
    back.play.on_undo()
    back.quiet()
    assert back.text == "hello"  # what the second one took the place of
    again.close()


def test_kept_while_it_runs(player: Player) -> None:
    player.type("hello")
    kept = player.app.folder / "playground.json"
    player.app.until(lambda: kept.exists() and b"hello" in kept.read_bytes())
