"""What is wrong is said in one sentence, with the one thing that can be done about it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from ui.state import MessageView, ModelView

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

    from ui.places import PlaceName
    from ui.window import MainWindow

READY = ModelView("M", "", "ready")


def act(window: MainWindow) -> str:
    """Press the button in the bar; return its word."""
    button = window.page.notice.action
    assert button.isVisible()
    word = button.text()
    button.click()
    assert window.page.notice.sentence == ""
    return word


def test_a_failed_reply_is_written_again(window: MainWindow, qtbot: QtBot) -> None:
    window.set_model(READY)
    failed = MessageView("r", "assistant", "So", "failed")
    window.show_chat([MessageView("q", "user", "Why?"), failed], "")
    window.show_reply_error("The memory is full.")
    with qtbot.waitSignal(window.message_action) as asked:
        assert act(window) == "Try Again"
    assert asked.args == ["regenerate", "r"]


def test_a_question_that_was_given_back_is_sent_again(window: MainWindow, qtbot: QtBot) -> None:
    window.set_model(READY)
    window.restore_draft("Why?")
    window.show_reply_error("The template refuses this.")
    with qtbot.waitSignal(window.submitted) as sent:
        act(window)
    assert sent.args is not None
    assert sent.args[0] == "Why?"


@pytest.mark.qt_log_ignore("This plugin does not support")  # of menus
def test_without_a_model_one_is_chosen(window: MainWindow) -> None:
    menu = window.header.model_chip._menu
    for tell in (window.show_reply_error, window.show_model_error):
        tell("No model is loaded.")
        assert act(window) == "Choose a Model…"
        assert menu.isVisible()
        menu.hide()
        tell("No model is loaded.")
        window.set_model(READY)
        assert window.page.notice.sentence == ""
        window.set_model(ModelView())


def test_preferences_are_looked_at(window: MainWindow, qtbot: QtBot) -> None:
    window.show_preferences_error("They were damaged.")
    with qtbot.waitSignal(window.preferences_requested):
        assert act(window) == "Preferences…"


def test_an_offer_is_taken(window: MainWindow, qtbot: QtBot) -> None:
    window.show_offer("There is a newer version.", "Show")
    with qtbot.waitSignal(window.offer_accepted):
        assert act(window) == "Show"
    window.show_error("Just a sentence.")
    assert not window.page.notice.action.isVisible()


@pytest.mark.parametrize("place", ["playground", "exhibits", "models"])
def test_what_the_window_says_is_seen_in_every_place(window: MainWindow, place: PlaceName) -> None:
    window.go(place)
    window.show_error("The disk is full.")
    window.offer_undo("chat", 1)
    assert window.notice.isVisible()
    assert window.page.undo_bar.isVisible()
