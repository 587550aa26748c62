"""Return sends, Shift-Return breaks the line, Esc stops; an input method is never cut short."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from PySide6.QtCore import QMimeData, Qt
from PySide6.QtGui import QInputMethodEvent
from PySide6.QtWidgets import QApplication

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

    from ui.window import MainWindow

KEY = Qt.Key


def sent(window: MainWindow) -> list[str]:
    """Collects what is submitted from now on."""
    texts: list[str] = []
    window.submitted.connect(texts.append)
    return texts


def test_return_sends_and_empties_the_draft(window: MainWindow, qtbot: QtBot) -> None:
    texts = sent(window)
    draft = window.page.composer.draft
    qtbot.keyClicks(draft, "Why?")
    qtbot.keyClick(draft, KEY.Key_Return)
    assert texts == ["Why?"]
    assert draft.toPlainText() == ""


def test_shift_return_breaks_the_line(window: MainWindow, qtbot: QtBot) -> None:
    texts = sent(window)
    draft = window.page.composer.draft
    qtbot.keyClicks(draft, "one")
    qtbot.keyClick(draft, KEY.Key_Return, Qt.KeyboardModifier.ShiftModifier)
    qtbot.keyClicks(draft, "two")
    assert texts == []
    qtbot.keyClick(draft, KEY.Key_Enter)
    assert texts == ["one\ntwo"]


def test_blank_draft_is_not_sent(window: MainWindow, qtbot: QtBot) -> None:
    texts = sent(window)
    draft = window.page.composer.draft
    qtbot.keyClicks(draft, "  ")
    qtbot.keyClick(draft, KEY.Key_Return)
    assert texts == []
    assert draft.toPlainText() == "  "


def test_nothing_is_sent_while_an_input_method_composes(window: MainWindow, qtbot: QtBot) -> None:
    texts = sent(window)
    draft = window.page.composer.draft
    QApplication.sendEvent(draft, QInputMethodEvent("にほん", []))
    assert draft.composing
    qtbot.keyClick(draft, KEY.Key_Return)
    window.page.composer.send()
    assert texts == []
    done = QInputMethodEvent("", [])
    done.setCommitString("日本")
    QApplication.sendEvent(draft, done)
    qtbot.keyClick(draft, KEY.Key_Return)
    assert [text.strip() for text in texts] == ["日本"]


def test_escape_stops_only_while_busy(window: MainWindow, qtbot: QtBot) -> None:
    stops: list[bool] = []
    window.stop_requested.connect(lambda: stops.append(True))
    draft = window.page.composer.draft
    qtbot.keyClick(draft, KEY.Key_Escape)
    assert not stops
    window.set_busy(True)
    qtbot.keyClick(draft, KEY.Key_Escape)
    assert len(stops) == 1


def test_escape_belongs_to_the_input_method_while_it_composes(
    window: MainWindow, qtbot: QtBot
) -> None:
    stops: list[bool] = []
    window.stop_requested.connect(lambda: stops.append(True))
    window.set_busy(True)
    draft = window.page.composer.draft
    QApplication.sendEvent(draft, QInputMethodEvent("ni", []))
    qtbot.keyClick(draft, KEY.Key_Escape)
    assert not stops


def test_busy_turns_send_into_stop_and_keeps_the_draft_open(
    window: MainWindow, qtbot: QtBot
) -> None:
    texts = sent(window)
    stops: list[bool] = []
    window.stop_requested.connect(lambda: stops.append(True))
    composer = window.page.composer
    window.set_busy(True)
    assert composer.button.accessibleName() == "Stop"
    qtbot.keyClicks(composer.draft, "next")
    qtbot.keyClick(composer.draft, KEY.Key_Return)
    assert texts == []
    assert composer.draft.toPlainText() == "next"
    qtbot.mouseClick(composer.button, Qt.MouseButton.LeftButton)
    assert len(stops) == 1
    window.set_busy(False)
    assert composer.button.accessibleName() == "Send"
    qtbot.mouseClick(composer.button, Qt.MouseButton.LeftButton)
    assert texts == ["next"]


def test_a_refused_prompt_comes_back_before_what_was_written_since(
    window: MainWindow, qtbot: QtBot
) -> None:
    draft = window.page.composer.draft
    window.restore_draft("refused")
    assert draft.toPlainText() == "refused"
    draft.clear()
    qtbot.keyClicks(draft, "later")
    window.restore_draft("refused")
    assert draft.toPlainText() == "refused\nlater"


def test_draft_grows_to_a_third_of_the_window(window: MainWindow, qtbot: QtBot) -> None:
    composer = window.page.composer
    low = composer.height()
    composer.draft.setPlainText("one\ntwo\nthree")
    qtbot.waitUntil(lambda: composer.height() > low)
    composer.draft.setPlainText("line\n" * 200)
    qtbot.waitUntil(lambda: composer.height() > window.height() // 3 - 10)
    assert composer.height() < window.height() // 3 + 80


def test_a_megabyte_can_be_pasted(window: MainWindow) -> None:
    draft = window.page.composer.draft
    paste = QMimeData()
    paste.setText("x" * 1_000_000)
    start = time.perf_counter()
    draft.insertFromMimeData(paste)
    QApplication.processEvents()
    assert time.perf_counter() - start < 4
    texts = sent(window)
    window.page.composer.send()
    assert texts == ["x" * 1_000_000]


def test_status_line_says_how_full_the_context_is(window: MainWindow) -> None:
    composer = window.page.composer
    composer.set_context(1204, 8192, 38, 1166)
    assert composer.status == "1,204 of 8,192 tokens    38 new, 1,166 reused"
    composer.set_context(0, 0)
    assert composer.status == ""
