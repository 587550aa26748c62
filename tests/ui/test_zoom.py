"""The chat's text grows and shrinks by keyboard, and stays so."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QFontMetrics

from ui.chat.editor import QuestionEditor
from ui.state import MessageView
from ui.theme import TEXT, ZOOMS
from ui.window import MainWindow

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pytestqt.qtbot import QtBot

    from ui.theme import Theme

CONTROL = Qt.KeyboardModifier.ControlModifier


@pytest.fixture(autouse=True)
def usual_size(theme: Theme) -> Iterator[None]:
    yield
    theme.set_zoom(1.0)


def sizes(window: MainWindow) -> set[int]:
    texts = [text for item in window.page.transcript.items for text in item.texts()]
    return {text.document().defaultFont().pixelSize() for text in texts}


def test_the_hint_of_the_composer_grows_along(window: MainWindow, theme: Theme) -> None:
    draft = window.page.composer.draft
    for zoom in (1.5, 1.0):
        theme.set_zoom(zoom)
        assert draft.viewport().font().pixelSize() == draft.font().pixelSize() == round(TEXT * zoom)


def test_text_grows_and_shrinks_by_keyboard(window: MainWindow, qtbot: QtBot) -> None:
    window.show_chat(
        [MessageView("u", "user", "hi"), MessageView("r", "assistant", "# a\n\nb")], ""
    )
    draft = window.page.composer.draft
    high = [item.height() for item in window.page.transcript.items]
    assert sizes(window) == {TEXT}
    qtbot.keyClick(window, Qt.Key.Key_Plus, CONTROL)
    qtbot.keyClick(window, Qt.Key.Key_Plus, CONTROL)
    assert sizes(window) == {round(TEXT * 1.25)}
    assert draft.font().pixelSize() == round(TEXT * 1.25)
    items = window.page.transcript.items
    assert all(item.height() > was for item, was in zip(items, high, strict=True))
    qtbot.keyClick(window, Qt.Key.Key_0, CONTROL)
    assert sizes(window) == {TEXT}
    assert [item.height() for item in items] == high
    for _ in range(20):
        qtbot.keyClick(window, Qt.Key.Key_Minus, CONTROL)
    assert sizes(window) == {round(TEXT * ZOOMS[0])}


def test_what_is_out_of_sight_follows_little_by_little(
    window: MainWindow, theme: Theme, qtbot: QtBot
) -> None:
    views = [MessageView(str(n), "assistant", f"Message {n}. " * 60) for n in range(14)]
    window.show_chat(views, "")
    transcript = window.page.transcript
    theme.set_zoom(1.5)
    assert sizes(window) == {TEXT, round(TEXT * 1.5)}
    qtbot.waitUntil(lambda: sizes(window) == {round(TEXT * 1.5)})
    assert transcript.verticalScrollBar().value() == transcript.verticalScrollBar().maximum()
    theme.set_zoom(1.0)
    window.show_chat(views[:2], "")
    qtbot.wait(20)
    assert sizes(window) == {TEXT}


@pytest.mark.parametrize("zoom", [ZOOMS[0], 1.0, ZOOMS[-1]])
@pytest.mark.parametrize("number", [9, 98, 99, 2023])
def test_numbers_of_lists_are_never_cut(
    window: MainWindow, theme: Theme, zoom: float, number: int
) -> None:
    source = f"{number}. one\n1. two\n\n   more\n   1. in it"
    window.show_chat([MessageView("r", "assistant", source)], "")
    theme.set_zoom(zoom)
    (text,) = window.page.transcript.items[0].texts()
    first = text.document().begin()
    left = first.layout().position().x() + first.layout().lineAt(0).x()
    advance = QFontMetrics(theme.reading_font()).horizontalAdvance
    assert left >= advance(f"{number + 1}. ")
    inner = text.document().find("in it").block()
    assert inner.layout().position().x() + inner.layout().lineAt(0).x() >= left + advance("1. ")


@pytest.mark.parametrize("words", ["a draft", "中文草稿", "Ệ̈ 草 ภู้"])
def test_nothing_of_a_draft_is_scrolled_away_while_there_is_room(
    window: MainWindow, theme: Theme, words: str, qtbot: QtBot
) -> None:
    draft = window.page.composer.draft
    window.show_chat([MessageView("q", "user", "?")], "")
    question = window.page.transcript.items[0]
    question.resume_edit("?")
    for zoom in ZOOMS:
        theme.set_zoom(zoom)
        for lines in (1, 2, 4):
            window.page.composer.set_text("\n".join([words] * lines))
            qtbot.wait(1)
            assert draft.verticalScrollBar().maximum() == 0
        question.resume_edit("\n".join([words] * 3))
        (editor,) = question.findChildren(QuestionEditor)[-1:]
        window.page.transcript._lay_out(0)
        assert editor.draft.verticalScrollBar().maximum() == 0
