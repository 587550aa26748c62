"""The About panel tells what runs here, and can be copied."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QLabel

from ui.about import AboutPanel, AboutView

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

    from ui.theme import Theme
    from ui.window import MainWindow

pytestmark = pytest.mark.qt_log_ignore("propagateSizeHints")

VIEW = AboutView(
    version="0.1.0",
    commit="0123abc",
    system="macOS 15.1",
    machine="arm64, 8 cores",
    device="Apple M2",
    python="3.11.9",
    libraries=(("PySide6-Essentials", "6.11.3"), ("mlx", "0.32.4")),
    text="Cutaway 0.1.0 (0123abc)\n",
)


def words(panel: AboutPanel) -> list[str]:
    return [label.text() for label in panel.findChildren(QLabel) if label.text()]


def test_it_shows_versions_and_the_machine(theme: Theme, window: MainWindow, qtbot: QtBot) -> None:
    panel = AboutPanel(theme, window)
    qtbot.addWidget(panel)
    panel.set_view(AboutView("0.1.0"))
    panel.show()
    assert "Version 0.1.0" in words(panel)
    assert not panel.copy.isEnabled()
    panel.set_view(VIEW)
    qtbot.waitUntil(lambda: "Apple M2" in words(panel))
    shown = words(panel)
    for word in ("Version 0.1.0 (0123abc)", "macOS 15.1", "arm64, 8 cores", "mlx", "0.32.4"):
        assert shown.count(word) == 1, word


def test_it_is_copied_whole(theme: Theme, window: MainWindow, qtbot: QtBot) -> None:
    panel = AboutPanel(theme, window)
    qtbot.addWidget(panel)
    panel.set_view(VIEW)
    panel.show()
    qtbot.mouseClick(panel.copy, Qt.MouseButton.LeftButton)
    assert QGuiApplication.clipboard().text() == VIEW.text


def test_escape_closes_it_and_the_theme_dresses_it(
    theme: Theme, window: MainWindow, qtbot: QtBot
) -> None:
    panel = AboutPanel(theme, window)
    panel.set_view(VIEW)
    panel.show()
    theme.set_mode("dark")
    version = next(
        label for label in panel.findChildren(QLabel) if label.text().startswith("Version")
    )
    color = version.palette().color(version.foregroundRole()).name()
    assert color == theme.colors.dim
    with qtbot.waitSignal(panel.destroyed):
        qtbot.keyClick(panel, Qt.Key.Key_Escape)
    assert window.isVisible()
