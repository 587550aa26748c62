"""A walk over every window, dialog and state: names, roles, and a way there by keyboard."""

from __future__ import annotations

import datetime
from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAccessible
from PySide6.QtWidgets import QAbstractButton, QApplication, QDialog, QLabel, QScrollArea, QWidget

from tests.ui.test_preferences import GROUPS
from ui.about import AboutPanel, AboutView
from ui.chat.question import UserMessage
from ui.help_window import Folders, HelpWindow, chapters
from ui.log_window import LogWindow
from ui.shortcuts import ShortcutList
from ui.state import (
    ChatRow,
    HitRow,
    ImportPreview,
    ImportRow,
    MessageView,
    ModelView,
    Telemetry,
)
from ui.transfer import ImportDialog

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from PySide6.QtGui import QAccessibleInterface
    from pytestqt.qtbot import QtBot

    from ui.theme import Theme
    from ui.window import MainWindow

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support")

TODAY = datetime.date(2026, 3, 5)
REPLY = "<think>Hm.</think>Hi, [there](https://example.org)\n\n```py\nx\n```\n\n|a|b|\n|-|-|\n|1|2|"
ROLE = QAccessible.Role
MUST_HAVE_A_NAME = {
    ROLE.Button,
    ROLE.ButtonMenu,
    ROLE.CheckBox,
    ROLE.RadioButton,
    ROLE.ComboBox,
    ROLE.EditableText,
    ROLE.SpinBox,
    ROLE.Slider,
    ROLE.List,
    ROLE.Table,
    ROLE.Tree,
    ROLE.Link,
    ROLE.PageTab,
}


def nodes(top: QWidget) -> Iterator[QAccessibleInterface]:
    """What is seen in a window, as a screen reader meets it."""
    for widget in top.findChildren(QWidget):
        if widget.isVisibleTo(top) and widget.window() is top:
            yield QAccessible.queryAccessibleInterface(widget)


def described(node: QAccessibleInterface) -> str:
    widget = node.object()
    return f"{node.role().name}: {type(widget).__name__} in {type(widget.parent()).__name__}"


def nameless(top: QWidget) -> list[str]:
    """Controls that say nothing of themselves."""
    return [
        described(node)
        for node in nodes(top)
        if node.role() in MUST_HAVE_A_NAME and not node.text(QAccessible.Text.Name).strip()
    ]


def focusable(top: QWidget) -> list[QWidget]:
    """What takes the keyboard, of what is seen."""
    return [
        widget
        for widget in top.findChildren(QWidget)
        if widget.focusPolicy() != Qt.FocusPolicy.NoFocus
        and widget.focusProxy() is None
        and widget.isVisibleTo(top)
        and widget.isEnabled()
        and widget.window() is top
    ]


def roleless(top: QWidget) -> list[str]:
    """Focusable widgets of which a screen reader would not know what they are."""
    found = [
        QAccessible.queryAccessibleInterface(widget)
        for widget in focusable(top)
        # Words that the pointer can select are no stop of the keyboard, and may be empty.
        if not isinstance(widget, QLabel) or widget.focusPolicy() & Qt.FocusPolicy.TabFocus
    ]
    return [
        described(node)
        for node in found
        if not node.text(QAccessible.Text.Name).strip()
        or (
            node.role() in {ROLE.NoRole, ROLE.Client} and not isinstance(node.object(), QScrollArea)
        )
    ]


def unreached(top: QWidget) -> list[str]:
    """Controls that the Tab key never comes to; a group of choices is one stop."""
    wanted = {
        widget
        for widget in focusable(top)
        if widget.focusPolicy() & Qt.FocusPolicy.TabFocus
        and not (isinstance(widget, QAbstractButton) and widget.group() and not widget.isChecked())
    }
    reached: set[QWidget] = set()
    for _ in range(3 * len(wanted) + 20):
        reached.add(top.focusWidget())
        top.focusNextChild()
    return [f"{type(widget).__name__} {widget.accessibleName()}" for widget in wanted - reached]


def filled(window: MainWindow) -> None:
    window.set_chats(
        [ChatRow("a", "First", "Hi", TODAY, pinned=True), ChatRow("b", "Second", "", TODAY)], "a"
    )
    window.set_model(ModelView("SmolLM2 135M", "float32 · 8k", "ready"))
    window.set_telemetry(Telemetry(phase="idle", context_limit=8192, context_tokens=90, layers=30))
    window.show_chat(
        [
            MessageView("q", "user", "x" * 9000, version=1, versions=2),
            MessageView("r", "assistant", REPLY, caption="M · 4 tokens/s", can_continue=True),
        ],
        "First",
    )
    window.show_error("A sentence.")
    window.offer_undo("message", 1)


def welcomed(window: MainWindow) -> None:
    window.set_model(ModelView("broken", "", "failed", None, "The file is cut off."))
    window.show_chat([], "")


def searching(window: MainWindow) -> None:
    filled(window)
    window.actions_of_menus.find.trigger()
    window.sidebar.search.setText("hi")
    window.set_search_hits("hi", [HitRow("a", "q", "First", "hi there", ((0, 2),))])


def choosing(window: MainWindow) -> None:
    filled(window)
    window.actions_of_menus.palette.trigger()


def editing(window: MainWindow) -> None:
    filled(window)
    question = window.page.transcript.items[0]
    assert isinstance(question, UserMessage)
    question.start_editing()


def writing(window: MainWindow) -> None:
    filled(window)
    window.set_busy(True)
    window.add_message(MessageView("s", "assistant", "<think>Now", "streaming"))
    window.add_message(MessageView("t", "assistant", "", "streaming", queued="reply"))


STATES = (filled, welcomed, searching, choosing, editing, writing)


@pytest.mark.parametrize("prepare", STATES, ids=lambda state: state.__name__)
def test_the_window_says_what_everything_is(
    window: MainWindow, qtbot: QtBot, prepare: Callable[[MainWindow], None]
) -> None:
    prepare(window)
    qtbot.wait(30)
    assert len(focusable(window)) > 8
    assert nameless(window) == []
    assert roleless(window) == []


@pytest.mark.parametrize("prepare", [filled, welcomed, editing], ids=lambda each: each.__name__)
def test_tab_comes_everywhere(
    window: MainWindow, qtbot: QtBot, prepare: Callable[[MainWindow], None]
) -> None:
    prepare(window)
    qtbot.wait(30)
    assert unreached(window) == []


def test_tab_goes_from_left_to_right(window: MainWindow, qtbot: QtBot) -> None:
    filled(window)
    qtbot.wait(30)
    panes = [window._left, window._splitter.widget(1), window.inspector]
    window.sidebar.search.setFocus()
    order: list[int] = []
    for _ in range(80):
        focused = window.focusWidget()
        assert focused is not None
        pane = next(n for n, each in enumerate(panes) if each and each.isAncestorOf(focused))
        if not order or order[-1] != pane:
            order.append(pane)
        window.focusNextChild()
        if window.focusWidget() is window.sidebar.search:
            break
    assert order == [0, 1, 2]


def test_every_place_says_what_everything_is(window: MainWindow, qtbot: QtBot) -> None:
    for name in window.places.names:
        window.go(name)
        qtbot.wait(20)
        assert (name, nameless(window)) == (name, [])
        assert (name, roleless(window)) == (name, [])


def preferences(window: MainWindow, _: Theme) -> QDialog:
    window.show_preferences(GROUPS, {})
    assert window.preferences is not None
    return window.preferences


def shortcuts(window: MainWindow, theme: Theme) -> QDialog:
    return ShortcutList(theme, window.menuBar(), window)


def about(window: MainWindow, theme: Theme) -> QDialog:
    panel = AboutPanel(theme, window)
    panel.set_view(AboutView("1.0", "abc", "macOS", "M1", "GPU", "3.11", (("mlx", "0.1"),), "all"))
    return panel


def log(window: MainWindow, theme: Theme) -> QDialog:
    return LogWindow(theme, window)


def helping(window: MainWindow, theme: Theme) -> QDialog:
    folders = Folders("~/data", "~/data/models", "~/log")
    return HelpWindow(theme, chapters(window.actions_of_menus, folders), window)


def importing(window: MainWindow, _: Theme) -> QDialog:
    row = ImportRow("a", "First", 2, TODAY)
    return ImportDialog(ImportPreview("Other", (row,), (("b", "It is empty."),)), window)


DIALOGS = (preferences, shortcuts, about, log, helping, importing)


@pytest.mark.parametrize("opened", DIALOGS, ids=lambda each: each.__name__)
def test_every_dialog_says_what_everything_is(
    window: MainWindow,
    theme: Theme,
    qtbot: QtBot,
    qapp: QApplication,
    opened: Callable[[MainWindow, Theme], QDialog],
) -> None:
    dialog = opened(window, theme)
    dialog.show()
    qtbot.waitUntil(dialog.isVisible)
    assert dialog.windowTitle()
    assert nameless(dialog) == []
    assert roleless(dialog) == []
    assert unreached(dialog) == []
    qtbot.keyClick(dialog, Qt.Key.Key_Escape)
    assert not dialog.isVisible()
    qapp.processEvents()
