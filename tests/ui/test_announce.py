"""Streaming text is told to screen readers by the sentence, once, and never what was there."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from ui.announce import Sentences
from ui.chat.reply import ReplyMessage
from ui.state import MessageView

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

    from ui.window import MainWindow

TEXT = """## Two things

It costs 3.5 GiB, e.g. here. **Really?** "Yes!" she said.

1. first
2. second

```py
x = 1.0
```

它很快。真的吗？是"""
SAID = [
    "Two things",
    "It costs 3.5 GiB, e.g.",
    "here.",
    "Really?",
    '"Yes!"',
    "she said.",
    "first",
    "second",
    "它很快。",
    "真的吗？",
    "是",
]


@pytest.mark.parametrize("size", [1, 3, 1000])
def test_sentences_are_cut_the_same_however_they_come(size: int) -> None:
    sentences = Sentences()
    said: list[str] = []
    for start in range(0, len(TEXT), size):
        said += sentences.feed(TEXT[start : start + size])
    assert said + sentences.finish() == SAID


def test_a_text_without_an_end_is_said_in_parts() -> None:
    said = Sentences().feed("word " * 200)
    assert said
    assert sum(map(len, said)) > 400


def test_only_what_is_written_now_is_said(window: MainWindow, qtbot: QtBot) -> None:
    window.show_chat([MessageView("q", "user", "Why?")], "")
    window.add_message(MessageView("r", "assistant", "", "streaming"))
    reply = window.page.transcript.items[-1]
    assert isinstance(reply, ReplyMessage)
    said: list[str] = []
    reply.spoken.connect(said.append)
    for piece in ("<think>Not aloud. No.</think>", "One", ". Tw", "o.", " Three"):
        window.append_text("r", piece)
        qtbot.wait(20)
    qtbot.waitUntil(lambda: said == ["One.", "Two."])
    text = "<think>Not aloud. No.</think>One. Two. Three"
    window.update_message(MessageView("r", "assistant", text, "complete"))
    qtbot.waitUntil(lambda: said == ["One.", "Two.", "Three"])
    window.show_chat([MessageView("q", "user", "Why?"), MessageView("r", "assistant", text)], "")
    old = window.page.transcript.items[-1]
    assert isinstance(old, ReplyMessage)
    old.spoken.connect(said.append)
    window.update_message(MessageView("r", "assistant", text, caption="M"))
    qtbot.wait(40)
    assert len(said) == 3
