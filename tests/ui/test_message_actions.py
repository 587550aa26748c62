"""The row of a message: seen on hover and focus, one stop for Tab, editing in place."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import QPoint, Qt

from ui.chat.message_menu import message_menu
from ui.chat.question import UserMessage
from ui.chat.reply import ReplyMessage
from ui.controls import ElidedLabel
from ui.state import MessageView

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

    from ui.chat.actions import MessageActions
    from ui.window import MainWindow

LONG = "\n\n".join(f"Paragraph {number} of a reply." for number in range(30))


def views(second: str = "r1", version: int = 1, versions: int = 1) -> list[MessageView]:
    return [
        MessageView("q1", "user", "hello"),
        MessageView(second, "assistant", LONG, caption="model", version=version, versions=versions),
        MessageView("q2" + second, "user", "more"),
        MessageView("r2" + second, "assistant", LONG, "stopped", can_continue=True),
    ]


def row(window: MainWindow, number: int) -> MessageActions:
    return window.page.transcript.items[number].actions_row


def offered(actions: MessageActions) -> list[str]:
    return [name for name, button in actions._buttons.items() if not button.isHidden()]


def test_a_message_offers_what_can_be_done_with_it(window: MainWindow) -> None:
    window.show_chat(views(version=2, versions=3), "title")
    assert offered(row(window, 0)) == ["copy", "edit", "look", "delete"]
    versions = ["previous", "place", "next"]
    assert offered(row(window, 1)) == ["copy", "regenerate", "fork", "look", "delete", *versions]
    assert offered(row(window, 3)) == ["copy", "regenerate", "fork", "look", "delete", "continue"]
    window.add_message(MessageView("r9", "assistant", "so", "streaming"))
    assert offered(row(window, 4)) == []
    for button in row(window, 1)._buttons.values():
        assert button.accessibleName()


def test_figures_reach_to_the_actions_that_are_seen(window: MainWindow) -> None:
    caption = "SmolLM2 135M Instruct · 14.3 tokens/s"
    window.resize(800, 560)
    window.show_chat([MessageView("r", "assistant", "hi", caption=caption)], "title")
    window.grab()
    labels = window.page.transcript.items[0].findChildren(ElidedLabel)
    label = next(label for label in labels if label.whole)
    assert label.text() == label.whole
    row(window, 0).set_revealed(revealed=True)
    assert label.text() != label.whole
    assert label.geometry().right() < row(window, 0).geometry().right()
    row(window, 0).set_revealed(revealed=False)
    assert label.text() == label.whole


def test_the_row_shows_on_hover_and_on_focus_and_nothing_moves(
    window: MainWindow, qtbot: QtBot
) -> None:
    window.show_chat(views(), "title")
    actions = row(window, 1)
    before = [item.geometry() for item in window.page.transcript.items]
    assert not actions.shows("copy")
    assert row(window, 3).shows("continue")
    actions.set_revealed(revealed=True)
    assert actions.shows("copy")
    actions.set_revealed(revealed=False)
    actions.button("copy").setFocus(Qt.FocusReason.TabFocusReason)
    assert actions.shows("delete")
    qtbot.keyClick(actions.button("copy"), Qt.Key.Key_Right)
    assert actions.button("regenerate").hasFocus()
    with qtbot.waitSignal(window.message_action) as signal:
        qtbot.keyClick(actions.button("regenerate"), Qt.Key.Key_Return)
    assert signal.args == ["regenerate", "r1"]
    qtbot.keyClick(actions.button("regenerate"), Qt.Key.Key_Left)
    assert actions.button("copy").hasFocus()
    assert [item.geometry() for item in window.page.transcript.items] == before
    window.grab()


def test_other_versions_come_without_moving_what_stays(window: MainWindow, qtbot: QtBot) -> None:
    window.show_chat(views(), "title")
    transcript = window.page.transcript
    # A busy machine may need more than one frame to lay everything out.
    qtbot.waitUntil(lambda: not transcript.column.frames.waiting)
    transcript.verticalScrollBar().setValue(10)
    first = transcript.items[0]
    stood = transcript.items[1].y() - transcript.verticalScrollBar().value()
    window.change_messages(views("other", version=2, versions=2), at_end=False)
    assert [item.message_id for item in transcript.items] == ["q1", "other", "q2other", "r2other"]
    assert transcript.items[0] is first
    qtbot.waitUntil(lambda: not transcript.column.frames.waiting)
    assert transcript.items[1].y() - transcript.verticalScrollBar().value() == stood
    window.change_messages(views(), at_end=True)
    qtbot.waitUntil(lambda: not transcript.column.frames.waiting)
    assert transcript.verticalScrollBar().value() == transcript.verticalScrollBar().maximum()
    window.change_messages([], at_end=False)
    assert window.page.welcome.isVisible()


def test_a_question_is_edited_in_its_place(window: MainWindow, qtbot: QtBot) -> None:
    window.show_chat(views(), "title")
    question = window.page.transcript.items[2]
    assert isinstance(question, UserMessage)
    row(window, 2).button("edit").click()
    assert question.editor is not None
    assert question.editor.draft.hasFocus()
    window.grab()
    qtbot.keyClick(question.editor.draft, Qt.Key.Key_Escape)
    assert question.editor is None
    question.start_editing()
    assert question.editor is not None
    height = question.height()
    qtbot.keyClicks(question.editor.draft, " and")
    qtbot.keyClick(question.editor.draft, Qt.Key.Key_Return, Qt.KeyboardModifier.ShiftModifier)
    qtbot.keyClicks(question.editor.draft, "more")
    assert question.height() > height
    with qtbot.waitSignal(window.message_edited) as signal:
        qtbot.keyClick(question.editor.draft, Qt.Key.Key_Return)
    assert signal.args == ["q2r1", "more and\nmore"]
    assert window.page.composer.draft.hasFocus()
    question.start_editing()
    assert question.editor is not None
    question.editor.draft.setPlainText("  ")
    qtbot.keyClick(question.editor.draft, Qt.Key.Key_Return)
    assert question.editor is not None


@pytest.mark.qt_log_ignore("This plugin does not support")  # menus without a display
def test_deleting_asks_how_much_only_where_something_follows(
    window: MainWindow, qtbot: QtBot
) -> None:
    window.show_chat(views(), "title")
    with qtbot.waitSignal(window.message_action) as signal:
        row(window, 3).button("delete").click()
    assert signal.args == ["delete", "r2r1"]
    row(window, 1).button("delete").click()
    menu = row(window, 1)._menu
    assert menu is not None
    with qtbot.waitSignal(window.message_action) as signal:
        menu.actions()[1].trigger()
    assert signal.args == ["delete_below", "r1"]
    menu.close()


def test_undo_is_offered_in_a_quiet_bar(window: MainWindow, qtbot: QtBot) -> None:
    bar = window.page.undo_bar
    window.offer_undo("chat", 3)
    assert bar.action.isVisible()
    assert "3" in bar.sentence
    with qtbot.waitSignal(window.undo_requested):
        bar.action.click()
    assert bar.sentence == ""
    window.offer_undo("message", 1)
    bar.dismiss()
    assert not bar.isVisible()


def test_a_message_is_brought_into_sight(window: MainWindow, qtbot: QtBot) -> None:
    many = [MessageView(str(number), "user", f"say {number}") for number in range(60)]
    window.show_chat(many, "title")
    transcript = window.page.transcript
    with qtbot.waitSignal(transcript.revealed):
        transcript.show_message("3")
    item = next(item for item in transcript.items if item.message_id == "3")
    assert not item.visibleRegion().isEmpty()
    assert not transcript.following


def test_where_the_memory_begins_is_marked(window: MainWindow) -> None:
    many = [MessageView(str(number), "user", f"say {number}") for number in range(40)]
    window.show_chat(many, "title")
    transcript = window.page.transcript
    mark = transcript.column.mark
    window.set_memory_begin("38")
    item = next(item for item in transcript.items if item.message_id == "38")
    before = transcript.items[transcript.items.index(item) - 1]
    assert mark.isVisible()
    assert before.geometry().bottom() < mark.y() < mark.geometry().bottom() < item.y()
    assert before.veil.isVisible()
    assert not item.veil.isVisible()
    assert before.veil.geometry() == before.rect()
    # What is faint already is not dimmed further: it would not be readable.
    children = before.children()
    assert children.index(before.actions_row) > children.index(before.veil)
    transcript.verticalScrollBar().setValue(0)
    assert transcript.items[0].veil.isVisible() or transcript.items[0].message_id != "0"
    window.set_memory_begin("unknown")
    assert not mark.isVisible()
    assert not before.veil.isVisible()
    window.set_memory_begin("39")
    window.show_chat([], "")
    assert not mark.isVisible()


def test_the_policy_of_the_chat_is_ticked(window: MainWindow, qtbot: QtBot) -> None:
    actions = window.actions_of_menus
    window.set_policy("all")
    assert actions.end_reply.isChecked()
    with qtbot.waitSignal(window.policy_chosen) as signal:
        actions.forget_oldest.trigger()
    assert signal.args == ["window"]
    assert not actions.end_reply.isChecked()


@pytest.mark.qt_log_ignore("This plugin does not support")  # menus without a display
def test_a_reply_is_looked_into_from_its_row_and_from_its_menu(
    window: MainWindow, qtbot: QtBot
) -> None:
    window.show_chat(views(), "title")
    question, reply = window.page.transcript.items[:2]
    assert [action for action, _name in question.actions_row.looks] == ["attention"]
    assert [action for action, _name in reply.actions_row.looks] == ["tokens", "attention"]
    reply.actions_row.button("look").click()  # pyright: ignore[reportArgumentType]
    menu = reply.actions_row._menu
    assert menu is not None
    with qtbot.waitSignal(window.message_action) as signal:
        menu.actions()[0].trigger()
    menu.close()
    assert signal.args == ["tokens", "r1"]
    menu = message_menu(reply, QPoint(0, 0))
    with qtbot.waitSignal(window.message_action) as signal:
        menu.actions()[-1].trigger()
    assert signal.args == ["attention", "r1"]
    assert menu.actions()[-1].text() == "Attention and Layers"
    menu.close()


def test_a_narrow_row_leaves_looking_inside_to_the_menu(window: MainWindow) -> None:
    window.show_chat(views(), "title")
    actions = row(window, 3)
    wide = actions.sizeHint().width()
    actions.resize(wide - 20, actions.height())
    assert "look" not in offered(actions)
    assert actions.button("copy").x() >= 0
    assert actions.sizeHint().width() == wide
    actions.resize(wide, actions.height())
    assert "look" in offered(actions)


def test_figures_give_way_one_by_one_to_the_actions(window: MainWindow, qtbot: QtBot) -> None:
    figures = "A model · 8.7 tokens/s · 0.27 s to first token · 336 tokens · 40 of 47 reused"
    window.show_chat([MessageView("r", "assistant", "Hi", caption=figures)], "")
    (reply,) = window.page.transcript.items
    assert isinstance(reply, ReplyMessage)
    whole = figures.replace(" · ", "   ")
    assert reply._caption.text() == whole
    reply.actions_row.set_revealed(revealed=True)
    qtbot.wait(1)
    shown = reply._caption.text()
    assert shown != whole
    assert whole.startswith(f"{shown}   ")
    assert reply._caption.toolTip() == reply._caption.accessibleName() == whole
