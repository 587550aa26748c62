"""Misspelt words are underlined a moment after they were written, and put right from the menu."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import Qt, QTimer
from PySide6.QtGui import QContextMenuEvent, QInputMethodEvent, QTextCharFormat
from PySide6.QtWidgets import QApplication, QMenu

from ui.chat import spelling
from ui.chat.spelling import Span, checkable, utf16_length
from ui.theme import DARK, LIGHT

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from pytestqt.qtbot import QtBot

    from ui.theme import Theme
    from ui.window import MainWindow

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support")  # what menus do

RIGHT = {"the": "the", "teh": "the", "cat": "cat", "sat": "sat", "at": "at & at", "its": "its"}
"""The words that are known, and what others may have been meant to be."""


class WordList:
    """Knows a few words; answers once the event loop has turned."""

    def __init__(self) -> None:
        self.known = {word for word, right in RIGHT.items() if word == right}
        self.asked: list[str] = []

    def check(self, text: str, answer: Callable[[Sequence[Span]], None]) -> None:
        self.asked.append(text)
        spans = [
            Span(utf16_length(text[: word.start()]), utf16_length(word[0]))
            for word in re.finditer(r"[a-z]+", text)
            if word[0] not in self.known
        ]
        QTimer.singleShot(0, lambda: answer(spans))

    def suggestions(self, word: str) -> Sequence[str]:
        return [RIGHT[word]] if word in RIGHT else []

    def learn(self, word: str) -> None:
        self.known.add(word)

    ignore = learn


@pytest.fixture
def words(window: MainWindow, monkeypatch: pytest.MonkeyPatch) -> WordList:
    monkeypatch.setattr(spelling, "PAUSE_MS", 0)
    words = WordList()
    window.page.composer.set_spelling(words)
    return words


def marked(window: MainWindow, *words: str) -> Callable[[], bool]:
    return lambda: window.page.composer.misspelt == words


def open_menu(window: MainWindow, position: int | None = None) -> QMenu:
    """The menu that a right click on a place in the draft opens; that of the key without one."""
    draft = window.page.composer.draft
    cursor = draft.textCursor()
    if position is not None:
        cursor.setPosition(position)
    spot = draft.cursorRect(cursor).center()
    whole = draft.viewport().mapToGlobal(spot)
    reasons = QContextMenuEvent.Reason
    reason = reasons.Keyboard if position is None else reasons.Mouse
    event = QContextMenuEvent(reason, spot, whole, Qt.KeyboardModifier.NoModifier)
    QApplication.sendEvent(draft if position is None else draft.viewport(), event)
    menu = QApplication.activePopupWidget()
    assert isinstance(menu, QMenu)
    return menu


def test_a_misspelt_word_is_underlined_once_it_is_finished(
    window: MainWindow, words: WordList, theme: Theme, qtbot: QtBot
) -> None:
    draft = window.page.composer.draft
    draft.insertPlainText("\U0001f408 ")
    qtbot.keyClicks(draft, "teh")
    qtbot.waitUntil(lambda: bool(words.asked) and words.asked[-1].endswith("teh"))
    qtbot.wait(1)
    assert marked(window)()  # it is still being written
    qtbot.keyClicks(draft, " cat")
    qtbot.waitUntil(marked(window, "teh"))
    (mark,) = draft.extraSelections()
    style = QTextCharFormat.UnderlineStyle.SpellCheckUnderline
    assert mark.format.underlineStyle() == style
    assert mark.format.underlineColor().name() == LIGHT.accent
    theme.set_mode("dark")
    (mark,) = draft.extraSelections()
    assert mark.format.underlineColor().name() == DARK.accent


def test_an_underline_goes_along_with_its_word(
    window: MainWindow, words: WordList, qtbot: QtBot
) -> None:
    draft = window.page.composer.draft
    draft.setPlainText("teh cat")
    qtbot.waitUntil(marked(window, "teh"))
    cursor = draft.textCursor()
    cursor.insertText("sat ")
    assert marked(window, "teh")()
    assert words.asked == ["teh cat"]


@pytest.mark.usefixtures("words")
def test_a_suggestion_takes_the_place_of_the_word_and_can_be_undone(
    window: MainWindow, qtbot: QtBot
) -> None:
    draft = window.page.composer.draft
    draft.setPlainText("sat teh cat at")
    qtbot.waitUntil(marked(window, "teh", "at"))
    menu = open_menu(window, 13)
    assert menu.actions()[0].text() == "at && at"
    menu.close()
    menu = open_menu(window, 5)
    texts = [action.text() for action in menu.actions()]
    assert texts[:5] == ["the", "", "Learn Spelling", "Ignore Spelling", ""]
    assert len(texts) > 8  # the usual menu follows
    menu.actions()[0].trigger()
    menu.close()
    assert draft.toPlainText() == "sat the cat at"
    qtbot.waitUntil(marked(window, "at"))
    draft.undo()
    assert draft.toPlainText() == "sat teh cat at"


def test_a_word_is_learnt_by_the_menu_key(
    window: MainWindow, words: WordList, qtbot: QtBot
) -> None:
    draft = window.page.composer.draft
    draft.setPlainText("cutaway sat")
    qtbot.waitUntil(marked(window, "cutaway"))
    menu = open_menu(window)
    first, _, learn, *_ = menu.actions()
    assert (first.text(), first.isEnabled()) == ("No Suggestions", False)
    learn.trigger()
    menu.close()
    qtbot.waitUntil(marked(window))
    assert "cutaway" in words.known


@pytest.mark.usefixtures("words")
def test_the_keyboard_leads_from_one_misspelt_word_to_the_next(
    window: MainWindow, qtbot: QtBot
) -> None:
    draft, act = window.page.composer.draft, window.actions_of_menus.next_misspelt
    act.trigger()
    assert QApplication.activePopupWidget() is None
    draft.setPlainText("teh cat sat at last")
    qtbot.waitUntil(marked(window, "teh", "at", "last"))
    chosen: list[str] = []
    for _ in range(4):
        act.trigger()
        menu = QApplication.activePopupWidget()
        assert isinstance(menu, QMenu)
        chosen.append(f"{draft.textCursor().selectedText()}: {menu.actions()[0].text()}")
        menu.close()
    assert chosen == ["teh: the", "at: at && at", "last: No Suggestions", "teh: the"]


@pytest.mark.usefixtures("words")
def test_elsewhere_the_usual_menu_opens(window: MainWindow, qtbot: QtBot) -> None:
    window.page.composer.draft.setPlainText("teh cat")
    qtbot.waitUntil(marked(window, "teh"))
    menu = open_menu(window, 6)
    assert not any("Spelling" in action.text() for action in menu.actions())
    menu.close()


def test_nothing_is_checked_while_an_input_method_composes(
    window: MainWindow, words: WordList, qtbot: QtBot
) -> None:
    draft = window.page.composer.draft
    draft.setPlainText("teh ")
    QApplication.sendEvent(draft, QInputMethodEvent("ni", []))
    qtbot.wait(20)
    assert not words.asked
    done = QInputMethodEvent("", [])
    done.setCommitString("你")
    QApplication.sendEvent(draft, done)
    qtbot.waitUntil(marked(window, "teh"))


def test_long_texts_and_switched_off_spelling_leave_no_marks(
    window: MainWindow, words: WordList, qtbot: QtBot
) -> None:
    composer = window.page.composer
    composer.set_text("teh cat")
    qtbot.waitUntil(marked(window, "teh"))
    composer.set_text("teh " * 6000)
    qtbot.waitUntil(marked(window))
    composer.set_text("teh cat")
    qtbot.waitUntil(marked(window, "teh"))
    composer.set_spelling(None)
    assert marked(window)()
    asked = len(words.asked)
    qtbot.keyClick(composer.draft, Qt.Key.Key_A)
    qtbot.wait(5)
    assert len(words.asked) == asked


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("a `teh x` b", "a         b"),
        ("see https://teh.org/x?y, ok", "see                      ok"),
        ("ask me@teh.org now", "ask            now"),
        ("in ~/teh or /usr/teh", "in       or         "),
        ("my_teh camelTeh v2 notes.txt end.", "                             end."),
        ("and/or e.g. so", "and/or      so"),
        ("one\n```\nteh\n\nteh\n```\ntwo", "one\n   \n   \n\n   \n   \ntwo"),
        ("one\n~~~\nteh", "one\n   \n   "),
        ("it is $teh$ now", "it is       now"),
        ("`\U0001f408`.", "    ."),
        ("it's fine, he said: “no”!", "it's fine, he said: “no”!"),
    ],
)
def test_what_is_not_prose_is_left_out_in_its_place(text: str, left: str) -> None:
    assert checkable(text) == left
    assert utf16_length(left) == utf16_length(text)


@pytest.mark.parametrize("part", ["`", "$", "x", "@", "```\n", "a.", "/", "\udc00", "a_ "])
def test_no_text_takes_long_or_moves(part: str) -> None:
    text = part * (20_000 // len(part))
    assert utf16_length(checkable(text)) == utf16_length(text)
