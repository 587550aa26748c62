"""The transcript: frozen blocks, one paint per frame, the end followed or left alone."""

from __future__ import annotations

import time
from dataclasses import replace
from itertools import pairwise
from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import QObject, QPoint, QPointF, Qt, QUrl, Slot
from PySide6.QtGui import QDesktopServices, QGuiApplication, QTextCursor, QWheelEvent
from PySide6.QtWidgets import QApplication

from tests.hostile_texts import TEXTS
from ui.chat.code import CodeBlock
from ui.chat.message import MessageItem
from ui.chat.prose import Prose
from ui.chat.question import UserMessage
from ui.chat.reply import ReplyMessage
from ui.chat.slices import FRAME_MS
from ui.chat.stretch import BATCH
from ui.chat.transcript import MOST_KEPT
from ui.state import MessageView

if TYPE_CHECKING:
    from collections.abc import Iterable

    from pytestqt.qtbot import QtBot

    from ui.chat.transcript import Transcript
    from ui.state import MessageState
    from ui.theme import Theme
    from ui.window import MainWindow

LONG = "\n\n".join(f"Paragraph {number}. " + "Some words follow. " * 20 for number in range(12))


class Opener(QObject):
    """Stands in for the browser."""

    def __init__(self) -> None:
        super().__init__()
        self.opened: list[str] = []

    @Slot(QUrl)
    def take(self, url: QUrl) -> None:
        self.opened.append(url.toString())


def reply_of(
    window: MainWindow, text: str, state: MessageState = "complete", *, thought_open: bool = False
) -> ReplyMessage:
    view = MessageView("r", "assistant", text, state, thought_open=thought_open)
    window.show_chat([view], "")
    item = window.page.transcript.items[-1]
    assert isinstance(item, ReplyMessage)
    while window.page.transcript.column.frames.waiting:
        window.page.transcript.column.frames.show_slice()
    return item


def shown(reply: ReplyMessage) -> str:
    return "\n".join(
        segment.toPlainText().strip("\n") if isinstance(segment, Prose) else segment.source
        for segment in reply.segments
    )


def scrolled_up(transcript: Transcript) -> None:
    middle = QPointF(transcript.viewport().rect().center())
    event = QWheelEvent(
        middle,
        transcript.viewport().mapToGlobal(middle),
        QPoint(0, 0),
        QPoint(0, 600),
        Qt.MouseButton.NoButton,
        Qt.KeyboardModifier.NoModifier,
        Qt.ScrollPhase.NoScrollPhase,
        False,
    )
    QApplication.sendEvent(transcript.viewport(), event)


def test_streamed_text_appears_with_the_next_frame(window: MainWindow, qtbot: QtBot) -> None:
    reply = reply_of(window, "", "streaming")
    for piece in ("Hello", " **wor", "ld**"):
        window.append_text("r", piece)
    assert shown(reply) == ""
    qtbot.waitUntil(lambda: shown(reply) == "Hello world")
    assert reply.source == "Hello **world**"


def test_a_slow_frame_does_not_slow_the_later_ones(window: MainWindow, qtbot: QtBot) -> None:
    reply_of(window, "", "streaming")
    transcript = window.page.transcript
    window.append_text("r", "[" * 60_000 + "\n\n")
    qtbot.waitUntil(lambda: not transcript.column.frames.waiting, timeout=20_000)
    window.append_text("r", "more")
    assert transcript.column.frames.wait_ms == FRAME_MS


def test_finished_blocks_are_never_laid_out_again(window: MainWindow, qtbot: QtBot) -> None:
    reply = reply_of(window, "", "streaming")
    window.append_text("r", "One.\n\nTwo.\n\n```py\nx = 1\n```\n\nThree.\n\nMore.\n\nFour")
    qtbot.waitUntil(lambda: "Four" in shown(reply))
    before = reply.segments
    prose = before[2]
    assert isinstance(prose, Prose)
    document = prose.document()
    revision = document.begin().revision()
    # A layout that is done again puts the line back where it belongs.
    document.begin().layout().lineAt(0).setPosition(QPointF(0, 5.25))
    for number in range(40):
        window.append_text("r", f" and {number}")
        qtbot.wait(2)
    qtbot.waitUntil(lambda: "and 39" in shown(reply))
    window.append_text("r", "\n\nFive.\n\n")
    qtbot.waitUntil(lambda: "Five." in shown(reply))
    assert document.begin().layout().lineAt(0).y() == 5.25
    assert reply.segments == before
    assert prose.document().begin().revision() == revision
    assert prose.blocks[0] == "Three."
    head = before[0]
    assert isinstance(head, Prose)
    assert head.blocks == ("One.", "Two.")


def test_streaming_ends_in_the_same_text_as_showing_the_whole(
    window: MainWindow, qtbot: QtBot
) -> None:
    source = (
        "# Head\n\nText *a*\n\n- x\n- y\n\n1. one\n2. two\n\n> q\n\n```c\nint a;\n```\nend\n\nlast"
    )
    whole = shown(reply_of(window, source))
    reply = reply_of(window, "", "streaming")
    for character in source:
        window.append_text("r", character)
        reply.advance(time.perf_counter())
    window.update_message(MessageView("r", "assistant", source, "complete", "41.8 tokens/s"))
    qtbot.waitUntil(lambda: shown(reply) == whole)
    blocks = [
        segment.document().blockCount() for segment in reply.segments if isinstance(segment, Prose)
    ]
    again = [
        segment.document().blockCount()
        for segment in reply_of(window, source).segments
        if isinstance(segment, Prose)
    ]
    assert blocks == again


def test_markdown_becomes_formats(window: MainWindow) -> None:
    reply = reply_of(
        window, "# Head\n\n**bold** *slanted* `code`\n\n3. three\n4. four\n\n---\n\n> q"
    )
    prose = reply.segments[0]
    assert isinstance(prose, Prose)
    document = prose.document()
    assert document.begin().charFormat().fontWeight() != 0
    cursor = document.find("bold")
    assert cursor.charFormat().fontWeight() > 500
    assert document.find("slanted").charFormat().fontItalic()
    assert document.find("code").charFormat().background().color().isValid()
    numbered = document.find("three").block().textList()
    assert numbered.itemText(document.find("four").block()) == "4."


def test_end_is_followed_until_the_reader_scrolls_up(window: MainWindow, qtbot: QtBot) -> None:
    transcript = window.page.transcript
    reply_of(window, LONG, "streaming")
    bar = transcript.verticalScrollBar()
    assert bar.value() == bar.maximum() > 0
    window.append_text("r", "\n\n" + LONG)
    qtbot.waitUntil(lambda: bar.maximum() > 1500)
    assert bar.value() == bar.maximum()
    scrolled_up(transcript)
    assert not transcript.following
    held = bar.value()
    window.append_text("r", "\n\n" + LONG)
    longest = bar.maximum()
    qtbot.waitUntil(lambda: bar.maximum() > longest)
    assert bar.value() == held
    assert transcript._jump.isVisible()
    qtbot.mouseClick(transcript._jump, Qt.MouseButton.LeftButton)
    assert bar.value() == bar.maximum()
    assert transcript.following
    assert not transcript._jump.isVisible()


def test_own_message_brings_the_end_back(window: MainWindow) -> None:
    transcript = window.page.transcript
    reply_of(window, LONG)
    scrolled_up(transcript)
    window.add_message(MessageView("u", "user", "and now?"))
    assert transcript.following
    assert transcript.verticalScrollBar().value() == transcript.verticalScrollBar().maximum()


def test_long_chat_is_built_from_its_end(window: MainWindow) -> None:
    views = [
        MessageView(str(number), "user" if number % 2 else "assistant", f"Message {number}. " * 30)
        for number in range(400)
    ]
    start = time.thread_time()  # other programs may hold the core
    window.show_chat(views, "Long")
    assert time.thread_time() - start < 0.5
    transcript = window.page.transcript
    assert len(transcript.items) == BATCH
    top = transcript.items[0]
    bar = transcript.verticalScrollBar()
    bar.setValue(0)
    assert len(transcript.items) == 2 * BATCH
    assert transcript.items[BATCH] is top
    assert top.y() - bar.value() == pytest.approx(24, abs=1)


def test_messages_never_overlap(window: MainWindow, qtbot: QtBot) -> None:
    views = [
        MessageView("1", "user", "short"),
        MessageView("2", "assistant", LONG + "\n\n```\n" + "wide " * 80 + "\n```"),
        MessageView("3", "user", LONG),
        MessageView("4", "assistant", "end", "stopped", "41.8 tokens/s"),
    ]
    window.show_chat(views, "")
    for width in (1200, 800, 1500):
        window.resize(width, 700)
        qtbot.wait(20)
        items = window.page.transcript.items
        for upper, lower in pairwise(items):
            assert upper.geometry().bottom() < lower.geometry().top()
        for item in items:
            if isinstance(item, ReplyMessage):
                rows = [segment.geometry() for segment in item.segments]
                assert all(a.bottom() < b.top() for a, b in pairwise(rows))
                prose = item.segments[0]
                assert isinstance(prose, Prose)
                assert prose.verticalScrollBar().maximum() == 0


def test_user_words_are_plain(window: MainWindow) -> None:
    words = "<b>not bold</b> **nor this** <img src='http://localhost/x.png'>"
    window.show_chat([MessageView("u", "user", words)], "")
    item = window.page.transcript.items[0]
    assert isinstance(item, UserMessage)
    assert item._text.toPlainText() == words


@pytest.mark.parametrize(
    ("source", "text"),
    [
        ("<script>alert(1)</script>", "<script>alert(1)</script>"),
        ("a <b>b</b> &amp; c", "a <b>b</b> & c"),
        ("![view](http://localhost:9/x.png)", "view"),
        ("![](https://localhost:9/x.png)", "https://localhost:9/x.png"),
        ("![](file:///etc/passwd)", "![](file:///etc/passwd)"),
        ("[run](javascript:alert)", "[run](javascript:alert)"),
        ("[disk](file:///etc/passwd)", "[disk](file:///etc/passwd)"),
    ],
)
def test_hostile_markup_stays_text(window: MainWindow, source: str, text: str) -> None:
    reply = reply_of(window, source)
    assert shown(reply) == text
    prose = reply.segments[0]
    assert isinstance(prose, Prose)
    assert "<img" not in prose.toHtml()
    assert "href" not in prose.toHtml()
    assert prose.loadResource(2, QUrl("http://localhost:9/x.png")) is None


def test_links_open_on_click_and_only_safe_ones(window: MainWindow) -> None:
    reply = reply_of(window, "[here](https://example.org/a)")
    prose = reply.segments[0]
    assert isinstance(prose, Prose)
    assert 'href="https://example.org/a"' in prose.toHtml()

    opener = Opener()
    for scheme in ("https", "file"):
        QDesktopServices.setUrlHandler(scheme, opener, "take")  # pyright: ignore[reportArgumentType]  takes str
    try:
        prose.anchorClicked.emit(QUrl("https://example.org/a"))
        prose.anchorClicked.emit(QUrl("file:///etc/passwd"))
    finally:
        for scheme in ("https", "file"):
            QDesktopServices.unsetUrlHandler(scheme)
    assert opener.opened == ["https://example.org/a"]


@pytest.mark.parametrize("text", TEXTS.values(), ids=TEXTS.keys())
def test_hostile_text_never_stops_the_window(window: MainWindow, qtbot: QtBot, text: str) -> None:
    reply = reply_of(window, "", "streaming")
    window.append_text("r", text)
    window.update_message(MessageView("r", "assistant", text, "complete"))
    longest = 0.0
    deadline = time.perf_counter() + 0.4
    transcript = window.page.transcript
    while transcript.column.frames.waiting and time.perf_counter() < deadline:
        start = time.thread_time()  # other programs may hold the core
        transcript.column.frames.show_slice()
        longest = max(longest, time.thread_time() - start)
    assert longest < 0.4  # finer figures are for the benchmarks
    assert reply.source == text
    qtbot.wait(1)


def test_megabyte_of_user_text_is_shown_in_pieces(window: MainWindow, qtbot: QtBot) -> None:
    start = time.thread_time()  # other programs may hold the core
    window.show_chat([MessageView("u", "user", "x" * 1_000_000)], "")
    assert time.thread_time() - start < 0.5
    item = window.page.transcript.items[0]
    assert isinstance(item, UserMessage)
    low = item.height()
    assert "996,000" in item._more.text()
    qtbot.mouseClick(item._more, Qt.MouseButton.LeftButton)
    assert item.height() > low


def test_code_keeps_its_source_and_copies_it(window: MainWindow, qtbot: QtBot) -> None:
    reply = reply_of(window, "```python\nprint(1)\n\nprint(2)\n```")
    code = reply.segments[0]
    assert isinstance(code, CodeBlock)
    qtbot.mouseClick(code._copy, Qt.MouseButton.LeftButton)
    assert QGuiApplication.clipboard().text() == "print(1)\n\nprint(2)"
    qtbot.mouseClick(reply.actions_row.button("copy"), Qt.MouseButton.LeftButton)
    assert QGuiApplication.clipboard().text() == reply.source


def test_text_can_be_selected_across_paragraphs(window: MainWindow) -> None:
    reply = reply_of(window, "One.\n\nTwo.")
    prose = reply.segments[0]
    assert isinstance(prose, Prose)
    prose.selectAll()
    assert prose.textCursor().selectedText() == "One.\u2029Two."
    prose.moveCursor(QTextCursor.MoveOperation.Start)


def test_states_are_told_in_the_caption(window: MainWindow) -> None:
    reply = reply_of(window, "a", "streaming")
    window.update_message(MessageView("r", "assistant", "a", "stopped", "M · 41.8 tokens/s"))
    assert reply._caption.whole == "Stopped   M   41.8 tokens/s"
    window.update_message(MessageView("r", "assistant", "other", "failed"))
    reply.advance(time.perf_counter())
    assert shown(reply) == "other"
    assert reply._caption.whole == "Could not be finished"


def test_colours_follow_the_theme(window: MainWindow, theme: Theme) -> None:
    reply = reply_of(window, "[here](https://example.org)\n\nhalf", "streaming")
    theme.set_mode("dark")
    prose = reply.segments[0]
    assert isinstance(prose, Prose)
    link = prose.document().find("here").charFormat().foreground().color().name()
    assert link == theme.colors.link
    assert shown(reply) == "here\nhalf"


def test_a_reply_that_is_continued_goes_on_in_its_last_line(window: MainWindow) -> None:
    reply = reply_of(window, "One.\n\nA testament to the", "interrupted")
    assert shown(reply) == "One.\nA testament to the"
    window.update_message(MessageView("r", "assistant", reply.source, "streaming"))
    window.append_text("r", " power")
    window.update_message(MessageView("r", "assistant", reply.source, "complete"))
    reply.advance(time.perf_counter() + 1)
    assert shown(reply) == "One.\nA testament to the power"


def many(number: int) -> list[MessageView]:
    return [
        MessageView(str(n), "user" if n % 2 == 0 else "assistant", f"message {n}. " * 12)
        for n in range(number)
    ]


def ids(views: Iterable[MessageView | MessageItem]) -> list[str]:
    return [each.message_id if isinstance(each, MessageItem) else each.id for each in views]


def order(transcript: Transcript) -> list[str]:
    return ids([*transcript.earlier, *transcript.items, *transcript.later])


def built(transcript: Transcript, message_id: str) -> MessageItem:
    return next(item for item in transcript.items if item.message_id == message_id)


def test_what_was_read_long_ago_is_given_up(window: MainWindow, qtbot: QtBot) -> None:
    views = many(MOST_KEPT + 4 * BATCH)
    window.show_chat(views, "")
    transcript = window.page.transcript
    bar = transcript.verticalScrollBar()
    while transcript.earlier:
        top = transcript.items[0]
        bar.setValue(0)
        assert top.y() - bar.value() < transcript.viewport().height()  # still in sight
    assert len(transcript.items) == MOST_KEPT
    assert order(transcript) == ids(views)
    transcript.jump_to_end()
    assert bar.value() == bar.maximum()
    assert order(transcript) == ids(views)
    transcript.show_message("0")
    qtbot.waitUntil(lambda: not transcript.is_drawing)
    first = transcript.items[0]
    assert (first.message_id, first.answer) == ("0", views[0].text)
    while transcript.later:
        bar.setValue(bar.maximum())
    assert len(transcript.items) == MOST_KEPT
    assert order(transcript) == ids(views)


def test_a_message_that_is_used_is_not_given_up(window: MainWindow) -> None:
    views = many(MOST_KEPT + 4 * BATCH)
    views[-1] = replace(views[-1], state="streaming")
    window.show_chat(views, "")
    transcript = window.page.transcript
    while transcript.earlier:
        transcript.verticalScrollBar().setValue(0)
    assert len(transcript.items) == len(views)


def test_only_what_stands_beside_a_far_message_is_built(window: MainWindow, qtbot: QtBot) -> None:
    views = many(1000)
    window.show_chat(views, "")
    transcript = window.page.transcript
    bar = transcript.verticalScrollBar()
    transcript.show_message("500")
    qtbot.waitUntil(lambda: not transcript.is_drawing)
    assert len(transcript.items) <= 4 * BATCH
    assert built(transcript, "500").y() - bar.value() == pytest.approx(24, abs=1)
    assert order(transcript) == ids(views)
    assert transcript.last_view == views[-1]
    assert transcript.last_answer == views[-1].text.strip("\n")
    assert not transcript.following
    assert transcript._jump.isVisible()
    # Reading on builds what follows, and nothing in sight moves.
    count, stood = len(transcript.items), built(transcript, "500").y()
    held = built(transcript, "500").y() - bar.value()
    bar.setValue(bar.maximum() - transcript.viewport().height() // 2)
    assert len(transcript.items) > count
    assert built(transcript, "500").y() == stood
    assert not transcript.following
    assert held == pytest.approx(24, abs=1)
    transcript.jump_to_end()
    assert order(transcript) == ids(views)
    assert not transcript.later
    assert bar.value() == bar.maximum()
    assert transcript.following
    qtbot.keyClick(transcript, Qt.Key.Key_Home)
    assert transcript.items[0].message_id == "0"
    assert bar.value() <= 1


def test_what_happens_at_the_end_while_the_reader_is_far_away_is_kept(
    window: MainWindow, qtbot: QtBot
) -> None:
    views = [*many(200), MessageView("r", "assistant", "<think>so</think>Begun", "streaming")]
    window.show_chat(views, "")
    transcript = window.page.transcript
    window.append_text("r", " and")
    transcript.show_message("20")
    window.append_text("r", " gone on")
    assert transcript.last_answer == "Begun and gone on"
    window.update_message(MessageView("21", "assistant", "other words"))
    window.update_message(MessageView("199", "assistant", "others there"))
    window.add_message(MessageView("u", "assistant", "one more", "streaming"))
    qtbot.waitUntil(lambda: not transcript.is_drawing)
    assert not transcript.following
    assert built(transcript, "21").answer == "other words"
    window.add_message(MessageView("v", "user", "and now?"))
    assert transcript.following
    assert order(transcript) == [*ids(views), "u", "v"]
    assert built(transcript, "r").answer in ("", "Begun and gone on")  # as far as it is shown
    qtbot.waitUntil(lambda: not transcript.is_drawing)
    assert built(transcript, "r").answer == "Begun and gone on"
    assert built(transcript, "199").answer == "others there"


def test_messages_change_around_a_reader_who_is_far_from_the_end(window: MainWindow) -> None:
    views = many(300)
    window.show_chat(views, "")
    transcript = window.page.transcript
    bar = transcript.verticalScrollBar()
    transcript.show_message("100")
    place = built(transcript, "100").y() - bar.value()
    shorter = views[:-2]
    window.change_messages(shorter, at_end=False)
    assert order(transcript) == ids(shorter)
    assert built(transcript, "100").y() - bar.value() == place
    other = [*views[:101], *(MessageView(f"x{n}", "user", f"x {n}") for n in range(90))]
    window.change_messages(other, at_end=False)
    assert order(transcript) == ids(other)
    assert built(transcript, "100").y() - bar.value() == place
    window.change_messages([*other, MessageView("last", "assistant", "", "streaming")], at_end=True)
    assert transcript.items[-1].message_id == "last"
    assert not transcript.later
    assert bar.value() == bar.maximum()


def test_a_question_that_is_being_edited_is_kept_wherever_the_reader_goes(
    window: MainWindow, qtbot: QtBot
) -> None:
    views = many(120)
    window.show_chat(views, "")
    transcript = window.page.transcript

    def edit() -> str | None:
        return built(transcript, "118").edit

    question = built(transcript, "118")
    assert isinstance(question, UserMessage)
    question.start_editing()
    assert question.editor is not None
    question.editor.draft.setPlainText("half a thou")
    transcript.show_message("4")  # far away
    qtbot.waitUntil(lambda: not transcript.is_drawing)
    assert transcript.hasFocus()
    transcript.jump_to_end()
    assert edit() == "half a thou"
    resumed = built(transcript, "118")
    assert isinstance(resumed, UserMessage)
    resumed.start_editing()
    window.show_chat([MessageView("other", "user", "another chat")], "")
    assert transcript.hasFocus()  # rather than any message
    window.show_chat(views, "")
    assert edit() == "half a thou"
    question = built(transcript, "118")
    assert isinstance(question, UserMessage)
    question.end_editing()
    window.show_chat([], "")
    window.show_chat(views, "")
    assert edit() is None


def test_far_above_where_the_memory_begins_everything_is_forgotten(window: MainWindow) -> None:
    window.show_chat(many(200), "")
    transcript = window.page.transcript
    window.set_memory_begin("190")
    transcript.show_message("20")
    assert all(item.forgotten for item in transcript.items)
    assert not transcript.column.mark.isVisible()
    transcript.jump_to_end()
    assert not transcript.items[-1].forgotten
    window.set_memory_begin("3")
    assert not any(item.forgotten for item in transcript.items)


def test_the_arrow_edits_the_last_question_from_far_away(window: MainWindow, qtbot: QtBot) -> None:
    window.show_chat(many(200), "")
    transcript = window.page.transcript
    transcript.show_message("20")
    window.page.composer.setFocus()
    qtbot.keyClick(window.page.composer.draft, Qt.Key.Key_Up)
    question = built(transcript, "198")
    assert isinstance(question, UserMessage)
    assert question.editor is not None
