"""Tab goes as one reads, and where the system wants it to stop at texts and lists only, does so."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QGridLayout, QLineEdit, QPushButton, QWidget

from ui.tab_order import step, tab_stops

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pytestqt.qtbot import QtBot

    from ui.window import MainWindow

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support")


@pytest.fixture
def grid(qtbot: QtBot) -> Iterator[QWidget]:
    top = QWidget()
    layout = QGridLayout(top)
    for name, line, column in (("d", 1, 1), ("b", 0, 1), ("c", 1, 0)):
        button = QPushButton(name)
        button.setFixedHeight(20 + 9 * column)  # not quite in a line
        layout.addWidget(button, line, column)
    field = QLineEdit()
    field.setObjectName("a")
    layout.addWidget(field, 0, 0)
    qtbot.addWidget(top)
    with qtbot.waitExposed(top):
        top.show()
    yield top
    top.hide()  # kept until here


def names(top: QWidget) -> str:
    return "".join(
        stop.text() if isinstance(stop, QPushButton) else stop.objectName()
        for stop in tab_stops(top)
    )


def test_rows_go_from_left_to_right(grid: QWidget) -> None:
    assert names(grid) == "abcd"
    for button in grid.findChildren(QPushButton):
        button.setEnabled(button.text() != "b")
        button.setHidden(button.text() == "c")
    assert names(grid) == "ad"
    assert not step(QWidget(), None, forwards=True)


def test_the_system_may_want_texts_only(grid: QWidget) -> None:
    hints = QGuiApplication.styleHints()
    before = hints.tabFocusBehavior()
    hints.setTabFocusBehavior(Qt.TabFocusBehavior.TabFocusTextControls)
    assert names(grid) == "a"
    hints.setTabFocusBehavior(before)
    assert names(grid) == "abcd"


def test_the_palette_keeps_the_keyboard(window: MainWindow, qtbot: QtBot) -> None:
    window.actions_of_menus.palette.trigger()
    field = window.palette_of_actions.field
    assert field.hasFocus()
    qtbot.keyClick(field, Qt.Key.Key_Tab)
    assert field.hasFocus()
    window.palette_of_actions.close_palette()
    draft = window.page.composer.draft
    draft.setFocus()
    qtbot.keyClick(draft, Qt.Key.Key_Tab)
    assert not draft.hasFocus()
    focused = window.focusWidget()
    assert focused is not None
    qtbot.keyClick(focused, Qt.Key.Key_Backtab)
    assert draft.hasFocus()


def test_what_is_hidden_gives_the_keyboard_to_what_is_beside_it(window: MainWindow) -> None:
    window.go("models")
    window.show_offer("Cutaway 9.0.0 is there.", "Show Page")
    window.notice.action.setFocus()
    window.notice.action.hide()
    assert window.notice._close.hasFocus()
    window.sidebar.search.setFocus()
    window.sidebar.search.setEnabled(False)
    focused = window.focusWidget()
    assert focused is not None
    assert window.sidebar.isAncestorOf(focused)
