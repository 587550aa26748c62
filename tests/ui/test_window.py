"""The window as a whole: model, errors, panes, closing, keyboard and names for all controls."""

from __future__ import annotations

import datetime
import os
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QFileDialog, QMenu

from ui.chat.question import UserMessage
from ui.state import ChatRow, ImportDone, MessageView, ModelView
from ui.window import STARTER, MainWindow

if TYPE_CHECKING:
    from pathlib import Path

    from pytestqt.qtbot import QtBot

    from ui.theme import Theme

TODAY = datetime.date(2026, 3, 5)
CHATS = [
    ChatRow("a", "First", "", TODAY),
    ChatRow("b", "Second", "", TODAY),
    ChatRow("c", "Put away", "", TODAY, archived=True),
]
READY = ModelView("SmolLM2 135M", "float32 · 8k", "ready")


def test_welcome_invites_and_a_question_goes_out(window: MainWindow, qtbot: QtBot) -> None:
    window.set_model(READY)
    welcome = window.page.welcome
    assert welcome.isVisible()
    assert "SmolLM2 135M" in welcome.line
    with qtbot.waitSignal(window.submitted) as sent:
        welcome.questions[0].setFocus(Qt.FocusReason.TabFocusReason)
        qtbot.keyClick(welcome.questions[0], Qt.Key.Key_Space)
    assert sent.args == [welcome.questions[0].text()]
    window.add_message(MessageView("u", "user", "hello"))
    assert not welcome.isVisible()
    assert window.page.transcript.isVisible()
    window.show_chat([], "New chat")
    assert welcome.isVisible()
    assert window.header.title == "New chat"
    assert window.windowTitle() == "New chat — Cutaway"


def test_loading_says_so_and_lets_the_user_write(window: MainWindow, qtbot: QtBot) -> None:
    window.set_model(ModelView("SmolLM2 135M", "", "loading", 0.42))
    assert "42 %" in window.page.welcome.line
    assert "42 %" in window.header.model_chip.text()
    assert window.page.composer.draft.isEnabled()
    with qtbot.waitSignal(window.submitted):
        qtbot.keyClicks(window.page.composer.draft, "early")
        qtbot.keyClick(window.page.composer.draft, Qt.Key.Key_Return)
    window.set_model(ModelView("SmolLM2 135M", "", "loading"))
    window.grab()


def test_failed_model_says_why_and_offers_another(window: MainWindow, qtbot: QtBot) -> None:
    window.set_model(ModelView("broken", "", "failed", None, "The file is cut off."))
    welcome = window.page.welcome
    assert welcome.line == "The file is cut off."
    assert not welcome.questions[0].isVisible()
    with qtbot.waitSignal(window.model_open_requested) as asked:
        qtbot.mouseClick(welcome._starter, Qt.MouseButton.LeftButton)
    assert asked.args == [STARTER]
    assert not window.actions_of_menus.unload.isEnabled()
    window.set_model(READY)
    with qtbot.waitSignal(window.model_unload_requested):
        window.actions_of_menus.unload.trigger()


@pytest.mark.qt_log_ignore("propagateSizeHints")
def test_chosen_folder_and_file_are_told(window: MainWindow, qtbot: QtBot) -> None:
    chosen: list[str] = []
    window.model_open_requested.connect(chosen.append)
    for open_dialog in (window.files.choose_folder, window.files.choose_file):
        open_dialog()
        dialog = window.findChild(QFileDialog)
        assert dialog is not None
        dialog.fileSelected.emit("/models/one")
        dialog.close()
        qtbot.waitUntil(lambda: window.findChild(QFileDialog) is None)
    assert chosen == ["/models/one", "/models/one"]


def test_error_is_a_quiet_bar_that_goes_away(window: MainWindow, qtbot: QtBot) -> None:
    notice = window.page.notice
    assert notice.sentence == ""
    window.show_error("The prompt is too long. <b>Shorten it.</b>")
    assert notice.sentence == "The prompt is too long. <b>Shorten it.</b>"
    assert window.focusWidget() is window.page.composer.draft
    qtbot.mouseClick(notice._close, Qt.MouseButton.LeftButton)
    assert notice.sentence == ""
    window.show_error("Again.")
    qtbot.keyClicks(window.page.composer.draft, "next")
    qtbot.keyClick(window.page.composer.draft, Qt.Key.Key_Return)
    assert notice.sentence == ""
    window.show_error("Once more.")
    qtbot.keyClick(window.page.composer.draft, Qt.Key.Key_Escape)
    assert notice.sentence == ""
    window.show_error("The last.")
    qtbot.keyClick(notice._close, Qt.Key.Key_Escape)
    assert notice.sentence == ""


def test_sides_can_be_hidden_by_key_and_button(window: MainWindow, qtbot: QtBot) -> None:
    control = Qt.KeyboardModifier.ControlModifier
    qtbot.keyClick(window, Qt.Key.Key_Backslash, control)
    assert not window.sidebar.isVisible()
    qtbot.mouseClick(window.header.sidebar_button, Qt.MouseButton.LeftButton)
    assert window.sidebar.isVisible()
    qtbot.keyClick(window, Qt.Key.Key_Backslash, control | Qt.KeyboardModifier.AltModifier)
    assert not window.inspector.isVisible()
    qtbot.mouseClick(window.header.inspector_button, Qt.MouseButton.LeftButton)
    assert window.inspector.isVisible()


def test_the_inspector_gives_way_in_a_narrow_window(
    window: MainWindow, theme: Theme, qtbot: QtBot
) -> None:
    toggle = window.actions_of_menus.toggle_inspector
    window.resize(900, 700)
    qtbot.waitUntil(window.inspector.isHidden)
    assert window.sidebar.isVisible()
    assert not toggle.isChecked()
    window.go("exhibits")
    window.go("chat")
    assert window.inspector.isHidden()
    other = MainWindow(theme)
    qtbot.addWidget(other)
    assert other.restore_layout(window.layout_state())
    other.resize(1300, 700)
    assert not other.inspector.isHidden()
    window.resize(1200, 700)
    qtbot.waitUntil(window.inspector.isVisible)


def test_an_inspector_that_is_shown_in_a_narrow_window_stays(
    window: MainWindow, qtbot: QtBot
) -> None:
    toggle = window.actions_of_menus.toggle_inspector
    window.resize(800, 700)
    qtbot.waitUntil(window.inspector.isHidden)
    toggle.trigger()
    window.resize(820, 700)
    assert window.inspector.isVisible()
    toggle.trigger()
    window.resize(1200, 700)
    qtbot.wait(5)
    assert window.inspector.isHidden()


def test_layout_is_kept_and_rubbish_refused(window: MainWindow, theme: Theme, qtbot: QtBot) -> None:
    window.actions_of_menus.toggle_inspector.trigger()
    window.resize(800, 700)
    saved = window.layout_state()
    other = MainWindow(theme)
    qtbot.addWidget(other)
    assert other.restore_layout(saved)
    assert other.size() == window.size()
    assert other.inspector.isHidden()
    for rubbish in (b"", b"rubbish" * 9, saved[:20]):
        assert not other.restore_layout(rubbish)


def test_what_was_open_is_opened_again(window: MainWindow, theme: Theme, qtbot: QtBot) -> None:
    window.set_chats(CHATS, "b")
    saved = window.layout_state()
    other = MainWindow(theme)
    qtbot.addWidget(other)
    with qtbot.waitSignal(other.chat_selected) as asked:
        assert other.restore_layout(saved)
    assert asked.args == ["b"]
    window.set_chats(CHATS, "")
    with qtbot.assertNotEmitted(other.chat_selected):
        assert other.restore_layout(window.layout_state())


def test_keys_go_from_chat_to_chat(window: MainWindow, qtbot: QtBot) -> None:
    asked: list[str] = []
    window.chat_selected.connect(asked.append)
    window.actions_of_menus.next_chat.trigger()
    assert asked == []
    window.set_chats(CHATS, "a")
    control, shift = Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.ShiftModifier
    alt = Qt.KeyboardModifier.AltModifier
    draft = window.page.composer.draft
    qtbot.keyClick(draft, Qt.Key.Key_Tab, control)
    qtbot.keyClick(draft, Qt.Key.Key_Tab, control)  # before the list has been told
    qtbot.keyClick(draft, Qt.Key.Key_Backtab, control | shift)
    qtbot.keyClick(draft, Qt.Key.Key_Up, control | alt)
    qtbot.keyClick(draft, Qt.Key.Key_Down, control | alt)
    assert asked == ["b", "a", "b", "a", "b"]
    window.actions_of_menus.show_archived.trigger()
    window.actions_of_menus.next_chat.trigger()
    assert asked[-1] == "c"
    window.set_chats(CHATS, "")
    window.actions_of_menus.previous_chat.trigger()
    assert asked[-1] == "c"


def test_up_in_an_empty_composer_edits_the_last_question(window: MainWindow, qtbot: QtBot) -> None:
    draft = window.page.composer.draft
    qtbot.keyClick(draft, Qt.Key.Key_Up)
    window.show_chat([MessageView("u", "user", "why?"), MessageView("r", "assistant", "So.")], "")
    qtbot.keyClicks(draft, "x")
    qtbot.keyClick(draft, Qt.Key.Key_Up)
    question = window.page.transcript.items[0]
    assert isinstance(question, UserMessage)
    assert question.editor is None
    qtbot.keyClick(draft, Qt.Key.Key_Backspace)
    window.set_busy(True)
    qtbot.keyClick(draft, Qt.Key.Key_Up)
    assert question.editor is None
    window.set_busy(False)
    qtbot.keyClick(draft, Qt.Key.Key_Up)
    assert question.editor is not None
    focused = window.focusWidget()
    assert focused is not None
    with qtbot.waitSignal(window.message_edited) as edited:
        qtbot.keyClicks(focused, " now")
        qtbot.keyClick(focused, Qt.Key.Key_Return)
    assert edited.args == ["u", "why? now"]


def test_closing_hides_at_once_and_waits_for_the_owner(window: MainWindow) -> None:
    requests: list[bool] = []
    window.close_requested.connect(lambda: requests.append(window.isVisible()))
    assert not window.close()
    assert requests == [False]
    assert window.close()
    assert len(requests) == 1
    window.show()
    window.actions_of_menus.quit.trigger()
    assert len(requests) == 2


def test_the_event_loop_goes_on_until_the_owner_ends_it() -> None:
    script = """
import sys
from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication
from ui.theme import Theme
from ui.window import MainWindow
app = QApplication([])
window = MainWindow(Theme(app))
window.show()
def ending():
    QTimer.singleShot(150, lambda: app.exit(7))
window.close_requested.connect(ending)
QTimer.singleShot(20, window.close)
sys.exit(app.exec())
"""
    environment = os.environ | {"QT_QPA_PLATFORM": "offscreen"}
    done = subprocess.run([sys.executable, "-c", script], check=False, env=environment)
    assert done.returncode == 7


@pytest.mark.parametrize("size", [(800, 560), (1360, 860), (1920, 1200)])
def test_window_fits_its_sizes(window: MainWindow, qtbot: QtBot, size: tuple[int, int]) -> None:
    window.show_chat(
        [MessageView("u", "user", "word " * 200), MessageView("r", "assistant", "# Hi\n\nthere")],
        "A long title " * 20,
    )
    window.set_model(ModelView("A model with a very long name " * 4, "4-bit · 128k", "ready"))
    window.resize(*size)
    qtbot.wait(20)
    assert (window.width(), window.height()) == size
    assert window.page.composer.geometry().bottom() <= window.page.height()
    assert window.page.transcript.horizontalScrollBar().maximum() == 0


def menus(window: MainWindow) -> list[QMenu]:
    found = [action.menu() for action in window.menuBar().actions()]
    return [menu for menu in found if isinstance(menu, QMenu)]


def test_menu_roles_and_shortcuts(window: MainWindow) -> None:
    actions = window.actions_of_menus
    assert actions.about.menuRole() == QAction.MenuRole.AboutRole
    assert actions.quit.menuRole() == QAction.MenuRole.QuitRole
    shortcuts: list[str] = []
    for menu in menus(window):
        for action in menu.actions():
            assert action.isSeparator() or action.text()
            shortcuts += [key.toString() for key in action.shortcuts()]
    assert len(shortcuts) == len(set(shortcuts))
    assert {"Ctrl+N", "Ctrl+\\", "Esc", "Ctrl+M", "Ctrl+,", "Ctrl+K", "Ctrl+F"} <= set(shortcuts)


def test_the_window_is_zoomed_and_minimised_from_its_menu(window: MainWindow, qtbot: QtBot) -> None:
    actions = window.actions_of_menus
    actions.zoom.trigger()
    qtbot.waitUntil(window.isMaximized)
    actions.zoom.trigger()
    qtbot.waitUntil(lambda: not window.isMaximized())
    assert not actions.full_screen.shortcut().isEmpty()
    actions.full_screen.trigger()
    qtbot.waitUntil(window.isFullScreen)
    actions.full_screen.trigger()
    qtbot.waitUntil(lambda: not window.isFullScreen())
    actions.minimize.trigger()
    qtbot.waitUntil(window.isMinimized)


def test_edit_menu_acts_on_the_text_in_focus(window: MainWindow, qtbot: QtBot) -> None:
    draft = window.page.composer.draft
    qtbot.keyClicks(draft, "abc")
    edit = menus(window)[1]
    by_name = {action.text(): action for action in edit.actions()}
    by_name["Select All"].trigger()
    by_name["Cut"].trigger()
    assert draft.toPlainText() == ""
    by_name["Undo"].trigger()
    assert draft.toPlainText() == "abc"
    window.sidebar._new.setFocus()
    edit.aboutToShow.emit()
    assert not by_name["Paste"].isEnabled()
    edit.aboutToHide.emit()
    assert by_name["Paste"].isEnabled()
    by_name["Paste"].trigger()


def test_what_is_offered_is_one_click_away(window: MainWindow, qtbot: QtBot) -> None:
    window.show_offer("Cutaway 9.0.0 is there.", "Show Page")
    assert window.page.notice.sentence == "Cutaway 9.0.0 is there."
    with qtbot.waitSignal(window.offer_accepted):
        qtbot.mouseClick(window.page.notice.action, Qt.MouseButton.LeftButton)
    assert not window.page.notice.sentence


def test_a_failed_model_is_told_of_until_one_is_there(window: MainWindow) -> None:
    window.set_model(ModelView("broken", state="failed", message="It is truncated."))
    window.show_error("It is truncated.")
    window.set_model(ModelView("broken", state="loading"))
    assert window.page.notice.sentence
    window.set_model(READY)
    assert not window.page.notice.sentence
    window.show_error("The disk is full.")
    window.set_model(READY)
    assert window.page.notice.sentence == "The disk is full."


def test_one_chat_and_several_are_told_of_in_whole_words(window: MainWindow) -> None:
    window.tell_export(1, "a.md")
    assert window.page.undo_bar.sentence == "The chat was written to a.md."
    window.tell_export(3, "a.json")
    assert window.page.undo_bar.sentence == "3 chats were written to a.json."
    window.tell_import(ImportDone(1, 4))
    assert window.page.undo_bar.sentence == "One chat came in."
    window.tell_import(ImportDone(2, 4))
    assert window.page.undo_bar.sentence == "2 chats came in."


@pytest.mark.qt_log_ignore("This plugin does not support")  # dialogs without a display
def test_files_with_chats_are_chosen_from_the_menu(
    window: MainWindow, qtbot: QtBot, tmp_path: Path
) -> None:
    path = tmp_path / "chats.json"
    path.write_text("[]", encoding="utf-8")
    window.actions_of_menus.import_chats.trigger()
    dialog = window.findChildren(QFileDialog)[-1]
    with qtbot.waitSignal(window.import_requested) as signal:
        dialog.selectFile(str(path))
        dialog.accept()
    assert signal.args == [[str(path)]]


def test_the_chat_keeps_its_inspector_where_another_place_was_left(
    window: MainWindow, theme: Theme, qtbot: QtBot
) -> None:
    assert window.inspector.isVisible()
    window.go("models")
    assert not window.inspector.isVisible()
    other = MainWindow(theme)
    qtbot.addWidget(other)
    assert other.restore_layout(window.layout_state())
    assert other.places.current == "models"
    other.go("chat")
    assert not other.inspector.isHidden()
