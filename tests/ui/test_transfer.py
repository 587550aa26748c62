"""The dialogs of import and export: what is ticked, and how far it is."""

from __future__ import annotations

import datetime
from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QListView, QPushButton, QWidget

from ui.files import Files
from ui.state import ImportPreview, ImportRow
from ui.transfer import ImportDialog, TransferProgress

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support")

DAY = datetime.date(2026, 2, 3)
TICKED, PARTLY, NOT = (
    Qt.CheckState.Checked,
    Qt.CheckState.PartiallyChecked,
    Qt.CheckState.Unchecked,
)


def _row(name: str, *, here: bool = False) -> ImportRow:
    return ImportRow(name, f"Chat {name}", 2, DAY, here)


@pytest.fixture
def window(qtbot: QtBot) -> QWidget:
    window = QWidget()
    qtbot.addWidget(window)
    return window


@pytest.fixture
def dialog(window: QWidget) -> ImportDialog:
    rows = (_row("a"), _row("b", here=True), _row("c"))
    dialog = ImportDialog(ImportPreview("Other", rows, ()), window)
    dialog.show()
    return dialog


def test_all_that_is_not_here_is_ticked_and_can_be_at_once(
    dialog: ImportDialog, qtbot: QtBot
) -> None:
    assert (dialog.ticked, dialog.all.checkState()) == (["a", "c"], TICKED)
    qtbot.keyClick(dialog.all, Qt.Key.Key_Space)
    assert (dialog.ticked, dialog.all.checkState()) == ([], NOT)
    assert not dialog._take.isEnabled()
    qtbot.keyClick(dialog.all, Qt.Key.Key_Space)
    assert (dialog.ticked, dialog.all.checkState()) == (["a", "c"], TICKED)


def test_one_is_ticked_with_the_keyboard(dialog: ImportDialog, qtbot: QtBot) -> None:
    view = dialog.findChild(QListView)
    assert view is not None
    view.setCurrentIndex(view.model().index(2, 0))
    qtbot.keyClick(view, Qt.Key.Key_Space)
    assert (dialog.ticked, dialog.all.checkState()) == (["a"], PARTLY)
    qtbot.keyClick(dialog.all, Qt.Key.Key_Space)
    assert (dialog.ticked, dialog.all.checkState()) == (["a", "c"], TICKED)
    with qtbot.waitSignal(dialog.chosen) as chosen:
        dialog._take.click()
    assert chosen.args == [["a", "c"]]


def test_progress_can_be_ended_and_ends(window: QWidget, qtbot: QtBot) -> None:
    files = Files(window)
    files.show_progress("read", 0, 0)
    files.show_progress("import", 1200, 6000)
    progress = window.findChild(TransferProgress)
    assert progress is not None
    assert "1,200 of 6,000" in progress.labelText()
    qtbot.waitUntil(progress.isVisible)
    cancel = progress.findChild(QPushButton)
    assert cancel is not None
    with qtbot.waitSignal(files.stop_requested):
        cancel.click()
    files.show_progress("import", 1300, 6000)
    assert not progress.isVisible()
    with qtbot.waitSignal(progress.destroyed):
        files.end_progress()
    files.end_progress()


@pytest.mark.parametrize(
    ("left_out", "lacking", "said"),
    [
        ((), (), ""),
        ((("a.json", "It is empty."),), (), "Cannot come in:\na.json: It is empty."),
        (
            (),
            (("thoughts", 1200), ("pictures", 1)),
            "without these: thoughts (1,200), pictures (1)",
        ),
    ],
)
def test_what_stays_behind_is_said(
    window: QWidget,
    left_out: tuple[tuple[str, str], ...],
    lacking: tuple[tuple[str, int], ...],
    said: str,
) -> None:
    dialog = ImportDialog(ImportPreview("Other", (_row("a"),), left_out, lacking), window)
    (label,) = dialog.findChildren(QLabel)
    assert label.text().endswith(said)
    assert label.isHidden() == (not said)
