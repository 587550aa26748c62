"""Tables, tasks, footnotes, coloured code, formulas and thoughts of a reply."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication

from tests.ui.test_transcript import reply_of, shown
from ui.chat.code import CodeBlock
from ui.chat.formulas import OBJECT, SOURCE, render
from ui.chat.highlight import LONGEST as LONGEST_CODE
from ui.chat.highlight import lexer_for
from ui.chat.markdown import NOTE, TASK
from ui.chat.prose import Prose, TableBlock
from ui.chat.reply import ReplyMessage
from ui.chat.thought import ThoughtLine
from ui.state import MessageView

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

    from ui.theme import Theme
    from ui.window import MainWindow

TABLE = "| a | b |\n|:--|--:|\n| 1 | *2* |\n| 3 | 4 |"


def formulas(prose: Prose) -> list[str]:
    """The sources of the formulas of a text, in order."""
    found: list[str] = []
    cursor = prose.document().find(OBJECT)
    while not cursor.isNull():
        found.append(str(cursor.charFormat().property(SOURCE)))
        cursor = prose.document().find(OBJECT, cursor)
    return found


def prose_of(reply: ReplyMessage, number: int = 0) -> Prose:
    segment = reply.segments[number]
    assert isinstance(segment, Prose)
    return segment


def test_table_between_paragraphs(window: MainWindow) -> None:
    reply = reply_of(window, f"Before:\n{TABLE}\nAfter.")
    assert [type(part) for part in reply.segments] == [Prose, TableBlock, Prose]
    assert shown(reply).split() == ["Before:", "a", "b", "1", "2", "3", "4", "After."]
    document = prose_of(reply, 1).document()
    assert document.find("b").blockFormat().alignment() & Qt.AlignmentFlag.AlignRight
    assert document.find("2").charFormat().fontItalic()


def test_table_grows_in_place_and_ends_where_its_bars_end(window: MainWindow) -> None:
    reply = reply_of(window, "", "streaming")
    for character in f"Before:\n{TABLE}\nAfter | that, more.\n\nLast":
        window.append_text("r", character)
        reply.advance(time.perf_counter() + 1)
    kinds = [type(part) for part in reply.segments]
    assert kinds == [Prose, TableBlock, Prose]
    window.update_message(MessageView("r", "assistant", reply.source))
    reply.advance(time.perf_counter() + 1)
    assert shown(reply).split("\n")[-1] == "Last"


def test_endless_table_is_cut_without_repeating_its_heading(window: MainWindow) -> None:
    rows = "\n".join(f"| r{number} | x |" for number in range(200))
    reply = reply_of(window, f"| head | b |\n|--|--|\n{rows}")
    assert len(reply.segments) == 10
    assert shown(reply).count("head") == 1
    assert all(shown(reply).count(f"r{n}\n") == 1 for n in range(0, 200, 17))


def test_bars_alone_make_no_table(window: MainWindow) -> None:
    text = "a | b\nc | d"
    assert shown(reply_of(window, text)) == "a | b c | d"


def test_tasks_have_boxes(window: MainWindow) -> None:
    reply = reply_of(window, "- [x] done\n- [ ] open\n- [link] no task\n1. [x] numbered")
    document = prose_of(reply).document()
    assert document.find("done").blockFormat().intProperty(TASK) == 2
    assert document.find("open").blockFormat().intProperty(TASK) == 1
    assert not document.find("no task").blockFormat().hasProperty(TASK)
    assert "[x]" not in document.find("done").block().text()
    assert "[x] numbered" in shown(reply)
    window.grab()


def test_footnotes_are_raised_and_nothing_of_them_is_lost(window: MainWindow) -> None:
    reply = reply_of(window, "Free[^1] and `[^x]`.\n\n[^1]: Nothing.\n[^two]: Really nothing.")
    assert shown(reply) == "Free1 and [^x].\n1 Nothing.\ntwo Really nothing."
    mark = prose_of(reply).document().find("Free1")
    assert mark.charFormat().hasProperty(NOTE)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("It costs $5 and $10, or 5$.", []),
        ("From $5, to $10 and then $x_1$.", ["x_1"]),
        ("$20k–$30k a year; US$ and A$", []),
        (r"escaped \$x\$ and `$x$`", []),
        (r"inline $\alpha_1*\beta_2*$ here", [r"\alpha_1*\beta_2*"]),
        (r"also \(a_1 * b_2\) and \[c^2\].", ["a_1 * b_2", "c^2"]),
        ("$$\na = b\n\n- c\n$$", ["a = b\n\n- c"]),
        ("text\n\\[\n x_1 = y_1 \n\\]\nmore", ["x_1 = y_1"]),
        ("- item\n\n  $$\n  z^2\n  $$\n- next", ["z^2"]),
        ("\\begin{align}\na &= b\n\\end{align}", ["\\begin{align}\na &= b\n\\end{align}"]),
        ("$$ never closed *a*", []),
        ("$n$ and $f(x)$", ["n", "f(x)"]),
    ],
)
def test_maths_is_found_and_prices_are_not(window: MainWindow, text: str, found: list[str]) -> None:
    reply = reply_of(window, text)
    assert formulas(prose_of(reply)) == found


def test_formula_gets_its_picture_off_the_main_thread(window: MainWindow, qtbot: QtBot) -> None:
    reply = reply_of(window, "$$\n\\frac{a}{\\sqrt{b}}\n$$")
    prose = prose_of(reply)
    low = prose.height()
    window.grab()
    qtbot.waitUntil(lambda: prose.height() > low, timeout=20_000)
    assert formulas(prose) == ["\\frac{a}{\\sqrt{b}}"]
    window.grab()


def test_formula_that_cannot_be_set_shows_its_source(window: MainWindow, qtbot: QtBot) -> None:
    reply = reply_of(window, "Before $\\frac{a_1$ after.\n\nMore.", "streaming")
    prose = prose_of(reply)
    qtbot.waitUntil(lambda: not formulas(prose), timeout=20_000)
    window.append_text("r", " And more.\n\nEnd.")
    qtbot.waitUntil(lambda: "End." in shown(reply))
    assert shown(reply) == "Before \\frac{a_1 after.\nMore. And more.\nEnd."


@pytest.mark.parametrize(
    "source", ["{" * 500, "\\frac{a", "\\text{价格}", "", "\\rule{9999em}{1em}"]
)
def test_what_cannot_be_set_is_none(source: str) -> None:
    assert render(source, 16, display=True) is None


def test_code_is_coloured_by_its_language(window: MainWindow, theme: Theme, qtbot: QtBot) -> None:
    reply = reply_of(window, '```python\ndef f(x):\n    """Doc\n    more."""\n    return 1\n```')
    code = reply.segments[0]
    assert isinstance(code, CodeBlock)
    document = code.text.document()

    def colors(line: int) -> list[str]:
        spans = document.findBlockByNumber(line).layout().formats()
        return [span.format.foreground().color().name() for span in spans]

    qtbot.waitUntil(lambda: bool(colors(3)))
    assert colors(0)[:2] == [theme.colors.code_keyword, theme.colors.code_name]
    assert colors(1) == colors(2) == [theme.colors.code_string]
    theme.set_mode("dark")
    qtbot.waitUntil(lambda: colors(0)[0] == theme.colors.code_keyword)
    assert code.source.startswith("def f(x):\n")


def test_colouring_that_is_under_way_leaves_lines_alone_that_are_gone(
    window: MainWindow, qtbot: QtBot
) -> None:
    reply = reply_of(window, "```python\n" + "x = 1\n" * 900 + "```")
    code = reply.segments[0]
    assert isinstance(code, CodeBlock)
    highlighter, lexer = code._highlighter, lexer_for("python")
    assert lexer is not None
    qtbot.waitUntil(lambda: highlighter._lexer is not None)
    run = highlighter._color()
    tokens = len(list(lexer.get_tokens_unprocessed("x = 1\n"))) * 900
    for _ in range(tokens + 400):  # in the midst of the lines
        next(run)
    code.set_source("y = 2")
    assert len(list(run)) <= 1
    assert code.text.toPlainText() == "y = 2"


def test_deceiving_characters_are_shown_in_code_and_copied_as_they_are(
    window: MainWindow,
) -> None:
    reply = reply_of(window, "a\u202eb\x1bc\n\n```\nif x:\u202e # \x07\n```")
    code = reply.segments[1]
    assert isinstance(code, CodeBlock)
    assert code.text.toPlainText() == "if x:⟨202E⟩ # ␇"
    assert code.source == "if x:\u202e # \x07"
    assert prose_of(reply).toPlainText() == "ab␛c"
    assert "\u202e" in reply.answer


def test_unknown_languages_and_floods_of_code_stay_plain(window: MainWindow, qtbot: QtBot) -> None:
    reply = reply_of(
        window, "```nonsense\nx\n```\n\n```python\n" + f"x = '{'a ' * 40}'\n" * 2000 + "```"
    )
    assert len(reply.segments) == 2
    flood = reply.segments[1]
    assert isinstance(flood, CodeBlock)
    window.grab()
    longest = 0.0
    deadline = time.perf_counter() + 1
    while time.perf_counter() < deadline:
        start = time.thread_time()  # other programs may hold the core
        QGuiApplication.processEvents()
        longest = max(longest, time.thread_time() - start)
        qtbot.wait(1)
    assert longest < 0.4  # finer figures are for the benchmarks
    assert len(flood.source) > LONGEST_CODE


def test_long_lines_wrap_when_asked(window: MainWindow, qtbot: QtBot) -> None:
    reply = reply_of(window, "```\n" + "word " * 200 + "\n```")
    code = reply.segments[0]
    assert isinstance(code, CodeBlock)
    low = code.height()
    code._wrap.setFocus()
    qtbot.keyClick(code._wrap, Qt.Key.Key_Space)
    assert code.height() > low + 100
    assert not code.text.horizontalScrollBar().isVisible()
    qtbot.mouseClick(code._wrap, Qt.MouseButton.LeftButton)
    assert code.height() == low


def test_code_is_as_high_as_its_lines(window: MainWindow, theme: Theme) -> None:
    source = "\n".join(f"x = {n}  # 值 🙂" if n % 3 else f"y = {n}" for n in range(40))
    window.add_message(MessageView("r", "assistant", "", state="streaming"))
    for start in range(0, len(source), 50):
        text = ("```py\n" if not start else "") + source[start : start + 50]
        window.append_text("r", text)
        window.grab()
    window.update_message(MessageView("r", "assistant", f"```py\n{source}\n```"))
    QGuiApplication.processEvents()
    reply = window.page.transcript.items[-1]
    assert isinstance(reply, ReplyMessage)
    code = reply.segments[0]
    assert isinstance(code, CodeBlock)
    for zoom in (1.0, 1.25, 0.8, 1.0):
        theme.set_zoom(zoom)
        QGuiApplication.processEvents()
        layout, block = code.text.document().documentLayout(), code.text.document().firstBlock()
        lines = 0.0
        while block.isValid():
            lines += layout.blockBoundingRect(block).height()
            block = block.next()
        assert 0 <= code.text.height() - lines <= 9
        assert code.text.verticalScrollBar().maximum() == 0


def test_thought_folds_into_a_line_and_is_no_part_of_the_answer(
    window: MainWindow, qtbot: QtBot
) -> None:
    reply = reply_of(window, "", "streaming")
    for piece in ("<thi", "nk>\nLet me", " think.", "\n</think>\n\n", "Four."):
        window.append_text("r", piece)
        reply.advance(time.perf_counter() + 1)
        if piece == " think.":
            assert "Thinking…" in line_of(reply).button.text()
    thought = line_of(reply)
    assert thought.source.strip() == "Let me think."
    assert thought.button.text().startswith("Thought for 0.")
    assert thought.button.text().endswith("· 3 words")
    assert shown(reply).endswith("Four.")
    assert reply.answer == "Four."
    window.update_message(
        MessageView("r", "assistant", reply.source, thought_s=1.24, thought_tokens=38)
    )
    assert thought.button.text() == "Thought for 1.2 s · 38 tokens"
    reply.actions_row.button("copy").click()
    assert QGuiApplication.clipboard().text() == "Four."
    window.page.transcript._lay_out(0)
    low = reply.height()
    thought.button.setFocus()
    qtbot.keyClick(thought.button, Qt.Key.Key_Return)
    assert thought.text.toPlainText().strip() == "Let me think."
    assert reply.height() > low
    window.grab()
    qtbot.mouseClick(thought.button, Qt.MouseButton.LeftButton)
    assert reply.height() == low


def test_thought_from_the_store_tells_its_length_alone(window: MainWindow) -> None:
    reply = reply_of(window, "<think>one two</think>Yes.")
    assert line_of(reply).button.text() == "Thought · 2 words"
    assert shown(reply_of(window, "<think>\n\n</think>\n\nYes.")) == "Yes."


def test_thought_that_the_prompt_opened(window: MainWindow) -> None:
    reply = reply_of(window, "hm\n</think>\nYes.", thought_open=True)
    assert line_of(reply).source.strip() == "hm"
    assert reply.answer == "Yes."
    reply = reply_of(window, "hm hm\n</think>\nYes.")
    assert line_of(reply).source.strip() == "hm hm"
    assert reply.answer == "Yes."
    cut = reply_of(window, "still at it", "stopped", thought_open=True)
    assert cut.answer == ""
    assert line_of(cut).button.text() == "Thought · 3 words"


def line_of(reply: ReplyMessage) -> ThoughtLine:
    first = reply.segments[0]
    assert isinstance(first, ThoughtLine)
    return first


def test_wide_table_scrolls_sideways_with_whole_words(window: MainWindow, qtbot: QtBot) -> None:
    cells = " | ".join(["averyveryverylongword"] * 8)
    reply = reply_of(window, f"| {cells} |\n{'|--' * 8}|\n| {cells} |")
    table = prose_of(reply)
    window.page.transcript._lay_out(0)
    qtbot.waitUntil(lambda: table.horizontalScrollBar().maximum() > 100)
    assert table.verticalScrollBar().maximum() == 0


def test_table_in_a_quotation_and_code_in_a_list(window: MainWindow) -> None:
    reply = reply_of(
        window, "> Before\n>\n> | a |\n> |--|\n> | b |\n>\n> after\n\n- x\n\n  ```\n  y\n  ```"
    )
    assert shown(reply).split() == ["Before", "a", "b", "after", "x", "y"]
    table = prose_of(reply).document().rootFrame().childFrames()[0]
    assert table.frameFormat().leftMargin() == 16
    window.grab()
