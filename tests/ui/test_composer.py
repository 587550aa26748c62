"""Return sends, Shift-Return breaks the line, Esc stops; an input method is never cut short."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QMimeData, QPoint, QPointF, Qt, QUrl
from PySide6.QtGui import QDragEnterEvent, QDropEvent, QInputMethodEvent
from PySide6.QtWidgets import QApplication

from ui.state import AttachmentView, BudgetView

if TYPE_CHECKING:
    from pathlib import Path

    from pytestqt.qtbot import QtBot

    from ui.window import MainWindow

KEY = Qt.Key
KEYS = Qt.KeyboardModifier


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
    assert texts == ["日本"]


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
    qtbot.keyClicks(draft, "!")
    assert draft.toPlainText() == "refused!"
    draft.clear()
    qtbot.keyClicks(draft, "later")
    window.restore_draft("refused")
    qtbot.keyClicks(draft, " on")
    assert draft.toPlainText() == "refused\nlater on"


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
    draft.insertFromMimeData(paste)
    QApplication.processEvents()
    texts = sent(window)
    window.page.composer.send()
    assert texts == ["x" * 1_000_000]


def test_status_line_says_how_full_the_context_is(window: MainWindow) -> None:
    composer = window.page.composer
    composer.set_context(1204, 8192, 38, 1166)
    assert composer.status == "1,204 of 8,192 tokens    38 new, 1,166 reused"
    composer.set_context(0, 0)
    assert composer.status == ""
    # A chat that was opened: nothing of it is held, and its next prompt has been counted.
    composer.set_context(0, 8192)
    assert composer.status == "0 of 8,192 tokens"
    composer.set_budget(BudgetView(1300, 6164))
    assert composer.status == "1,300 of 6,164 tokens"
    # A reply that went on past the window: what has left it is not seen.
    composer.set_context(6500, 8192, 40, 1300)
    assert composer.status == "6,164 of 6,164 tokens    40 new, 1,300 reused"
    # Another version is shown than the cache holds.
    composer.set_budget(BudgetView(900, 6164, cache_is_other=True))
    assert composer.status == "900 of 6,164 tokens"
    composer.set_busy(busy=True)
    assert composer.status == "6,164 of 6,164 tokens    40 new, 1,300 reused"


FILE = AttachmentView("f", "notes.txt", "3 KiB")


def test_a_file_alone_can_be_sent_once_it_is_read(window: MainWindow, qtbot: QtBot) -> None:
    texts = sent(window)
    composer = window.page.composer
    composer.set_attachments([AttachmentView("f", "notes.txt", reading=True)])
    qtbot.keyClick(composer.draft, KEY.Key_Return)
    assert texts == []
    composer.set_attachments([FILE])
    assert composer.button.isEnabled()
    qtbot.keyClick(composer.draft, KEY.Key_Return)
    assert texts == [""]


def test_a_file_is_taken_out_by_its_cross_and_by_key(window: MainWindow, qtbot: QtBot) -> None:
    removed: list[str] = []
    composer = window.page.composer
    composer.attachment_removed.connect(removed.append)
    composer.set_attachments([FILE, AttachmentView("g", "more.py")])
    one, two = composer.chips.chips
    qtbot.mouseClick(one, Qt.MouseButton.LeftButton, pos=one.rect().center())
    assert removed == []
    qtbot.mouseClick(one, Qt.MouseButton.LeftButton, pos=one._cross().center())
    qtbot.keyClick(two, KEY.Key_Delete)
    assert removed == ["f", "g"]
    two.setFocus()
    composer.set_attachments([FILE])
    assert one.hasFocus()
    composer.set_attachments([])
    assert composer.draft.hasFocus()


def test_many_files_wrap_and_the_draft_stays_readable(window: MainWindow) -> None:
    composer = window.page.composer
    before = composer.sizeHint().height()
    composer.set_attachments([AttachmentView(str(n), f"a file number {n}.txt") for n in range(12)])
    QApplication.processEvents()
    assert composer.sizeHint().height() > before + 60
    bottoms = [chip.mapTo(composer, chip.rect().bottomLeft()).y() for chip in composer.chips.chips]
    assert max(bottoms) < composer.draft.y()
    assert composer.draft.height() > 20


def test_files_are_given_by_drop_and_paste(window: MainWindow, tmp_path: Path) -> None:
    given: list[list[str]] = []
    window.page.files_given.connect(given.append)
    file = tmp_path / "notes.txt"
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(file))])
    composer = window.page.composer
    assert composer.draft.canInsertFromMimeData(data)
    composer.draft.insertFromMimeData(data)
    copy, left, none = Qt.DropAction.CopyAction, Qt.MouseButton.LeftButton, KEYS.NoModifier
    middle = window.page.rect().center()
    enter = QDragEnterEvent(middle, copy, data, left, none)
    QApplication.sendEvent(window.page, enter)
    assert enter.isAccepted()
    QApplication.sendEvent(window.page, QDropEvent(QPointF(middle), copy, data, left, none))
    assert given == [[str(file)], [str(file)]]
    assert composer.draft.toPlainText() == ""


def test_models_and_folders_are_left_to_the_window(window: MainWindow, tmp_path: Path) -> None:
    data = QMimeData()
    for name in ("model.gguf", "a folder"):
        data.setUrls([QUrl.fromLocalFile(str(tmp_path / name))])
        enter = QDragEnterEvent(
            QPoint(9, 9), Qt.DropAction.CopyAction, data, Qt.MouseButton.LeftButton, KEYS.NoModifier
        )
        enter.ignore()
        window.page.dragEnterEvent(enter)
        assert not enter.isAccepted()


def test_a_long_text_that_is_pasted_is_offered_as_a_file(window: MainWindow, qtbot: QtBot) -> None:
    given: list[str] = []
    window.page.text_given.connect(given.append)
    composer, bar = window.page.composer, window.page.offer_bar
    qtbot.keyClicks(composer.draft, "See: ")
    data = QMimeData()
    text = "many words " * 1000
    data.setText(text)
    composer.draft.insertFromMimeData(data)
    assert "11,000 characters" in bar.sentence
    bar.action.click()
    assert given == [text]
    assert composer.draft.toPlainText() == "See: "


def test_what_does_not_fit_is_said_before_it_is_sent(window: MainWindow, qtbot: QtBot) -> None:
    texts = sent(window)
    wanted: list[bool] = []
    window.page.forgetting_wanted.connect(lambda: wanted.append(True))
    composer, bar = window.page.composer, window.page.offer_bar
    qtbot.keyClicks(composer.draft, "Why?")
    composer.set_budget(BudgetView(1204, 8192, 1166, 2))
    assert composer.status == (
        "1,204 of 8,192 tokens    2 messages will be forgotten    38 new, 1,166 reused"
    )
    composer.set_budget(BudgetView(9000, 8192, 8900, 2))
    assert composer.status.startswith("8,192 of 8,192 tokens")
    composer.set_budget(BudgetView(9000, 8192, problem="Too long.", can_forget=True))
    assert composer.status == "9,000 of 8,192 tokens    does not fit"
    qtbot.keyClick(composer.draft, KEY.Key_Return)
    assert (texts, bar.sentence) == ([], "Too long.")
    bar.action.click()
    assert wanted == [True]
    qtbot.keyClicks(composer.draft, "!")  # another question, of which nothing is known yet
    qtbot.keyClick(composer.draft, KEY.Key_Return)
    assert texts == ["Why?!"]


def test_settings_are_a_press_away(window: MainWindow, qtbot: QtBot) -> None:
    wanted: list[bool] = []
    window.page.settings_requested.connect(lambda: wanted.append(True))
    composer = window.page.composer
    composer.set_settings("temperature 0.7")
    qtbot.mouseClick(composer.line.settings_button, Qt.MouseButton.LeftButton)
    assert wanted == [True]
