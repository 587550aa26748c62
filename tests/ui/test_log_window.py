"""The log window is bounded, follows its end, and hands the report over."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QPlainTextEdit

from ui.log_window import MOST_LINES, LogWindow

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

    from ui.theme import Theme
    from ui.window import MainWindow

pytestmark = pytest.mark.qt_log_ignore("propagateSizeHints")


@pytest.fixture
def log(theme: Theme, window: MainWindow, qtbot: QtBot) -> LogWindow:
    log = LogWindow(theme, window)
    qtbot.addWidget(log)
    with qtbot.waitExposed(log):
        log.show()
    return log


def view(log: LogWindow) -> QPlainTextEdit:
    return log.findChildren(QPlainTextEdit)[0]


def test_it_is_bounded(log: LogWindow) -> None:
    assert log.lines == []
    log.add_lines([])
    log.add_lines([f"line {number}" for number in range(3 * MOST_LINES)])
    log.add_lines(["the last"])
    assert len(log.lines) == MOST_LINES
    assert log.lines[-2:] == [f"line {3 * MOST_LINES - 1}", "the last"]


def test_it_follows_its_end_unless_someone_reads(log: LogWindow) -> None:
    bar = view(log).verticalScrollBar()
    log.add_lines([f"line {number}" for number in range(200)])
    assert bar.value() == bar.maximum() > 0
    bar.setValue(10)
    log.add_lines(["more"] * 10)
    assert bar.value() == 10
    bar.setValue(bar.maximum())
    log.add_lines(["more"])
    assert bar.value() == bar.maximum()


def test_long_lines_show_their_beginning(theme: Theme, window: MainWindow, qtbot: QtBot) -> None:
    log = LogWindow(theme, window)
    qtbot.addWidget(log)
    log.add_lines(["word " * 100] * 3)
    with qtbot.waitExposed(log):
        log.show()
    log.activateWindow()
    view(log).setFocus()
    log.add_lines(["word " * 100] * 40)
    qtbot.wait(5)
    assert view(log).horizontalScrollBar().maximum() > 0
    assert view(log).horizontalScrollBar().value() == 0
    assert view(log).verticalScrollBar().value() == view(log).verticalScrollBar().maximum()


def test_lines_are_text_and_nothing_else(log: LogWindow) -> None:
    log.add_lines(["<b>bold</b> &amp;", "second"])
    assert log.lines == ["<b>bold</b> &amp;", "second"]
    assert view(log).isReadOnly()


def test_the_report_and_the_files_are_asked_for(log: LogWindow, qtbot: QtBot) -> None:
    with qtbot.waitSignal(log.report_wanted):
        qtbot.mouseClick(log.copy, Qt.MouseButton.LeftButton)
    log.tell_copied()
    assert any("on the clipboard" in label.text() for label in log.findChildren(QLabel))
    with qtbot.waitSignal(log.folder_wanted):
        qtbot.mouseClick(log.folder, Qt.MouseButton.LeftButton)


def test_escape_closes_it_alone(theme: Theme, window: MainWindow, qtbot: QtBot) -> None:
    log = LogWindow(theme, window)
    log.show()
    with qtbot.waitSignal(log.destroyed):
        qtbot.keyClick(log, Qt.Key.Key_Escape)
    assert window.isVisible()
