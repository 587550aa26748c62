"""The window and its look, for tests with real widgets and no display."""

from __future__ import annotations

import os

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

from typing import TYPE_CHECKING

import pytest

from ui.chat.formulas import render
from ui.theme import Theme
from ui.window import MainWindow

if TYPE_CHECKING:
    from collections.abc import Iterator

    from PySide6.QtWidgets import QApplication
    from pytestqt.qtbot import QtBot


@pytest.fixture(scope="session")
def session_theme(qapp: QApplication) -> Iterator[Theme]:
    # Imports what sets formulas, so that no test ends while its thread still does.
    render("x", 14, display=False)
    yield Theme(qapp)
    # Without a display Qt deletes what was copied when the process has ended, after Python.
    qapp.clipboard().clear()


@pytest.fixture
def theme(session_theme: Theme) -> Theme:
    session_theme.set_mode("light")
    return session_theme


@pytest.fixture
def window(theme: Theme, qtbot: QtBot) -> MainWindow:
    window = MainWindow(theme)
    qtbot.addWidget(window, before_close_func=lambda shown: shown.close())
    window.resize(1200, 800)
    with qtbot.waitExposed(window):
        window.show()
    window.activateWindow()
    window.page.composer.setFocus()
    return window
