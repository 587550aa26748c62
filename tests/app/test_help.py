"""The menu Help in the running application, and files that come from outside."""

from __future__ import annotations

import logging
import sys
from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import QObject, Qt, QUrl, Slot
from PySide6.QtGui import QDesktopServices, QGuiApplication
from PySide6.QtWidgets import QLabel

from app.log import OWN
from app.updates import News
from app.wiring.system import update_settings
from ui.about import AboutPanel
from ui.help_window import HelpWindow
from ui.log_window import LogWindow
from ui.shortcuts import ShortcutList, menu_actions

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from pytestqt.qtbot import QtBot

    from tests.app.driving import Driver

    Drive = Callable[..., Driver]

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support")  # of sizes


class Browser(QObject):
    """Takes the addresses that would be opened in the browser."""

    def __init__(self) -> None:
        super().__init__()
        self.opened: list[str] = []

    @Slot(QUrl)
    def take(self, url: QUrl) -> None:
        """Keep an address."""
        self.opened.append(url.toString())


@pytest.fixture
def browser() -> Iterator[Browser]:
    browser = Browser()
    for scheme in ("https", "file"):
        # The stub wants bytes, PySide itself text.
        QDesktopServices.setUrlHandler(scheme, browser, "take")  # pyright: ignore[reportArgumentType]
    yield browser
    for scheme in ("https", "file"):
        QDesktopServices.unsetUrlHandler(scheme)


@pytest.fixture
def app(drive: Drive, talker: Path) -> Driver:
    app = drive(talker)
    app.until_ready()
    return app


def test_about_comes_at_once_and_its_facts_after_it(app: Driver) -> None:
    app.window.actions_of_menus.about.trigger()
    (panel,) = app.window.findChildren(AboutPanel)
    assert panel.isVisible()
    app.until(panel.copy.isEnabled)
    app.until(lambda: "Device" in [label.text() for label in panel.findChildren(QLabel)])
    shown = [label.text() for label in panel.findChildren(QLabel)]
    assert {"PySide6-Essentials", "mlx"} <= set(shown)
    app.window.actions_of_menus.about.trigger()
    assert len(app.window.findChildren(AboutPanel)) == 1


def test_the_help_names_this_machines_folders_and_leads_to_the_shortcuts(app: Driver) -> None:
    app.app.preferences.set("models_folder", "/Volumes/models")
    for _ in range(2):
        app.window.actions_of_menus.help.trigger()
    (shown,) = app.window.findChildren(HelpWindow)
    said = [line for label in shown.findChildren(QLabel) for line in label.text().splitlines()]
    assert {str(app.app.data_folder), "/Volumes/models"} <= set(said)
    shown.shortcuts.click()
    assert app.window.findChild(ShortcutList) is not None
    shown.close()
    app.until(lambda: not app.window.findChildren(HelpWindow))
    app.window.actions_of_menus.help.trigger()
    assert app.window.findChild(HelpWindow) is not None


def test_an_about_panel_that_is_closed_at_once_waits_for_nothing(app: Driver) -> None:
    app.window.actions_of_menus.about.trigger()
    app.window.findChildren(AboutPanel)[0].close()
    app.until(lambda: not app.window.findChildren(AboutPanel))
    app.app.help._thread.submit(int).result()


@pytest.mark.expects_log("This plugin does not support")
def test_the_log_grows_while_it_is_open_and_the_report_holds_no_chat(
    app: Driver, tmp_path: Path, browser: Browser
) -> None:
    app.app.journal.begin()
    try:
        app.app.journal.keep(tmp_path / "logs")
        app.window.actions_of_menus.log.trigger()
        (log,) = app.window.findChildren(LogWindow)
        app.ask("hello")
        app.until(lambda: len(app.reply) > 20)
        app.press(Qt.Key.Key_Escape)
        app.until(lambda: any("A reply ended (cancelled)" in line for line in log.lines))
        app.window.actions_of_menus.log.trigger()
        assert len(app.window.findChildren(LogWindow)) == 1
        QGuiApplication.clipboard().clear()
        log.copy.click()
        app.until(lambda: bool(QGuiApplication.clipboard().text()))
        report = QGuiApplication.clipboard().text()
        assert report.startswith("Cutaway ")
        assert "A reply ended (cancelled)" in report
        assert "hello" not in report
        assert app.reply[:10] not in report
        log.folder.click()
        app.until(lambda: browser.opened == [QUrl.fromLocalFile(str(tmp_path / "logs")).toString()])
        log.close()
        app.until(lambda: not app.window.findChildren(LogWindow))
        assert not app.app.help._timer.isActive()
    finally:
        app.app.journal.end()
    kept = (tmp_path / "logs" / "cutaway.log").read_text(encoding="utf-8")
    assert "A reply ended (cancelled)" in kept


def test_without_files_none_are_shown(app: Driver) -> None:
    app.window.actions_of_menus.log.trigger()
    (log,) = app.window.findChildren(LogWindow)
    assert not log.folder.isVisible()


def test_a_newer_version_is_offered_with_its_page(app: Driver, browser: Browser) -> None:
    app.app.updates.newer.emit(News("9.0.0"))
    assert app.notice == "Cutaway 9.0.0 is there."
    app.app.updates.newer.emit(News("9.1.0", "https://example.org/new"))
    app.window.page.notice.action.click()
    assert browser.opened == ["https://example.org/new"]
    app.app.help.on_accepted()
    assert len(browser.opened) == 1


def test_asking_for_a_newer_version_needs_an_address(app: Driver) -> None:
    assert update_settings(app.app.preferences.now).address == ""
    app.window.actions_of_menus.check_updates.trigger()
    assert app.notice == "There is no address to ask for a newer version."


def test_what_nobody_caught_is_told_and_leads_to_the_log(app: Driver) -> None:
    app.app.journal.crashed.emit()
    assert app.notice.startswith("Something went wrong")
    app.window.page.notice.action.click()
    assert app.window.findChildren(LogWindow)


def test_only_the_app_can_be_linked(app: Driver) -> None:
    app.window.actions_of_menus.install_tool.trigger()
    app.until(lambda: app.notice.startswith("Only the app can be linked"))
    listed = [action for _, action in menu_actions(app.window.menuBar())]
    assert (app.window.actions_of_menus.install_tool in listed) is (sys.platform == "darwin")


def test_a_model_from_outside_is_opened_and_the_window_comes_forward(
    app: Driver, terse: Path
) -> None:
    app.window.showMinimized()
    app.app.arrivals.open_one(str(terse))
    assert not app.window.isMinimized()
    app.until(lambda: "terse" in app.window.header.model_chip.text().lower())


def test_a_new_day_is_seen_in_the_list(app: Driver, qtbot: QtBot) -> None:
    with qtbot.waitSignal(app.app.chat_list.chats_changed):
        app.app.sleep.day_changed.emit()


def test_a_failed_load_is_noted(app: Driver, tmp_path: Path) -> None:
    logging.getLogger(OWN).addHandler(app.app.journal.lines)
    logging.getLogger(OWN).setLevel(logging.INFO)
    try:
        app.app.models.open(str(tmp_path / "none.gguf"))
        app.until(lambda: bool(app.notice))
        app.app.sleep.woke.emit(60.0)
    finally:
        logging.getLogger(OWN).removeHandler(app.app.journal.lines)
        logging.getLogger(OWN).setLevel(logging.NOTSET)
    text = "\n".join(app.app.journal.lines.since(0)[1])
    assert "could not be loaded" in text
    assert "slept for 60 s" in text
