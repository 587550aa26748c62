"""The playground's widgets: the text and its keys, bars, views, light and dark, wide and narrow."""

from __future__ import annotations

import math
from itertools import pairwise
from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QAccessible, QKeySequence
from PySide6.QtWidgets import QApplication, QMainWindow

from ui.charts.export import rendered
from ui.charts.ink import Ink
from ui.charts.values import Bars, Branches, Cards, Table, TokenStrip
from ui.playground.actions import DocumentDialogs, PlaygroundActions
from ui.playground.branches import PROMPT, BranchesView, tree_chart
from ui.playground.next import next_bars
from ui.playground.page import PlaygroundPage
from ui.playground.schema import EXAMPLE, SchemaView, mask_cards
from ui.playground.sides import probability, side_strip, words_of
from ui.playground.state import (
    Candidate,
    Distribution,
    PlaySettings,
    PlayText,
    PlayToken,
    Shade,
    Side,
    StageView,
    Tokenized,
    TokenRow,
    Tree,
    TreeNode,
)
from ui.playground.state import SchemaView as Schema
from ui.playground.text import MOST_SHOWN, Part, text_strip
from ui.playground.tokenizer import TokenizerView, token_table
from ui.playground.wishes import CompareWish, GrowWish, TokensWish
from ui.state import ModelChoice

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

    from ui.theme import Theme

pytestmark = pytest.mark.qt_log_ignore("propagateSizeHints")

WORDS = ("<|im_start|>", "The", " trophy", " didn", "'t", " fit", "\n")


def play_text(words: tuple[str, ...] = WORDS) -> PlayText:
    first, *rest = words
    tokens = [PlayToken(7, first, first.startswith("<|"))]
    tokens += [PlayToken(n + 10, word, False, 0.4, 2.0, 2) for n, word in enumerate(rest)]
    return PlayText(tuple(tokens), "tiny")


def plain(text: PlayText) -> str:
    return "".join(token.text for token in text.tokens)


FOUND = Distribution(
    6,
    (
        Candidate(1, " big", False, 0.4, 0.5),
        Candidate(2, " large", False, 0.3, 0.5),
        Candidate(3, " small", False, 0.2, 0.0, "top_p"),
        Candidate(4, "<|im_end|>", True, 0.1, 0.0, "allowed"),
    ),
    (
        StageView("model", 0, 100, 2.1),
        StageView("allowed", 40, 60, 2.0),
        StageView("top_p", 58, 2, 1.0),
    ),
    100,
)


@pytest.fixture
def page(theme: Theme, qtbot: QtBot) -> PlaygroundPage:
    page = PlaygroundPage(theme)
    qtbot.addWidget(page)
    page.resize(1100, 800)
    with qtbot.waitExposed(page):
        page.show()
    page.activateWindow()
    page.panels.choose("branches")
    return page


def show(page: PlaygroundPage, text: PlayText) -> None:
    page.show_text(text, plain(text))


def test_the_strip_is_coloured_by_surprise_or_by_a_shade() -> None:
    text = play_text()
    part = Part.around(None, len(text.tokens))
    strip = text_strip(text, plain(text), 2, None, part)
    assert [token.strength for token in strip.tokens] == [0.0, *[0.6] * 6]
    assert (strip.selected, strip.caret, strip.large) == (2, True, True)
    assert strip.tokens[0].control
    assert "40.0 %" in strip.tokens[1].tip
    shaded = text_strip(text, plain(text), None, Shade((0.1, 2.0), "weight"), part)
    assert [token.strength for token in shaded.tokens] == [0.1, 1.0, *[0.0] * 5]
    assert shaded.strength_name == "weight"
    unknown = text_strip(PlayText(), "a text", None, None, Part(0, 0))
    assert [token.text for token in unknown.tokens] == ["a text"]


def test_of_a_long_text_a_part_is_drawn(page: PlaygroundPage) -> None:
    text = play_text(tuple(f" w{n}" for n in range(3 * MOST_SHOWN)))
    show(page, text)
    strip = page.text.strip.chart
    assert isinstance(strip, TokenStrip)
    assert len(strip.tokens) == MOST_SHOWN + 1
    assert strip.caret
    page.text.strip.activated.emit("before")
    strip = page.text.strip.chart
    assert isinstance(strip, TokenStrip)
    assert len(strip.tokens) == MOST_SHOWN + 2
    assert not strip.caret
    page.show_selected(3)
    strip = page.text.strip.chart
    assert isinstance(strip, TokenStrip)
    assert strip.selected == 3
    page.text.strip.activated.emit("after")
    page.show_selected(-1)
    strip = page.text.strip.chart
    assert isinstance(strip, TokenStrip)
    assert strip.caret


def test_typing_is_told_after_a_pause_and_return_steps(page: PlaygroundPage, qtbot: QtBot) -> None:
    said: list[object] = []
    page.text.edited.connect(said.append)
    page.text.step_wanted.connect(lambda: said.append("step"))
    page.text.run_wanted.connect(lambda: said.append("run"))
    page.text.undo_wanted.connect(lambda: said.append("undo"))
    editor = page.text.editor
    assert page.text.is_editing
    editor.setFocus()
    qtbot.keyClick(editor, Qt.Key.Key_Return)
    assert said == []  # there is nothing to go on with
    qtbot.keyClick(editor, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert said == ["undo"]
    qtbot.keyClicks(editor, "ab")
    qtbot.waitUntil(lambda: said == ["undo", "ab"])
    qtbot.keyClicks(editor, "c")
    qtbot.keyClick(editor, Qt.Key.Key_Return, Qt.KeyboardModifier.ShiftModifier)
    qtbot.keyClick(editor, Qt.Key.Key_Return)
    assert said == ["undo", "ab", "abc\n", "step"]
    assert not page.text.is_editing
    show(page, play_text(("abc", "\n")))
    strip = page.text.strip
    qtbot.keyClick(strip, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    qtbot.keyClick(strip, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert said[-2:] == ["run", "undo"]
    qtbot.keyClick(strip, Qt.Key.Key_D)
    assert editor.toPlainText() == "abc\nd"
    qtbot.keyClick(editor, Qt.Key.Key_Escape)
    assert said[-1] == "abc\nd"
    assert not page.text.is_editing
    assert page.text.strip.hasFocus()
    page.show_text(PlayText(), "")  # as when a new one is begun
    assert editor.hasFocus()
    show(page, play_text(("abc", "\n")))  # as when that is taken back
    assert page.text.strip.hasFocus()


def test_what_was_typed_is_shown_and_edited_before_it_is_read(
    page: PlaygroundPage, qtbot: QtBot
) -> None:
    show(page, play_text(("Old", " text")))
    text = page.text
    text.edit.click()
    text.editor.selectAll()
    qtbot.keyClicks(text.editor, "Another")
    text.on_edit()  # once more, from the menu
    assert text.editor.toPlainText() == "Another"
    qtbot.keyClick(text.editor, Qt.Key.Key_Escape)
    assert not text.is_editing
    assert isinstance(text.strip.chart, TokenStrip)
    assert [token.text for token in text.strip.chart.tokens] == ["Another"]
    assert not text.figures.whole
    text.edit.click()
    assert text.editor.toPlainText() == "Another"


def test_a_double_click_edits_and_cuts_are_marked(page: PlaygroundPage, qtbot: QtBot) -> None:
    text = play_text()
    show(page, text)
    page.text.editor.left.emit()
    assert not page.text.is_editing
    qtbot.mouseDClick(page.text.strip, Qt.MouseButton.LeftButton, pos=QPoint(30, 15))
    assert page.text.is_editing
    page.show_text(text, plain(text))
    assert len(page.text.editor.extraSelections()) == 4
    without_bos = PlayText((PlayToken(1, "<s>", control=True), *text.tokens), "tiny")
    page.show_text(without_bos, plain(text))
    assert len(page.text.editor.extraSelections()) == 4


def test_what_is_being_done_is_seen_and_stopped(page: PlaygroundPage, qtbot: QtBot) -> None:
    show(page, play_text())
    page.text.editor.left.emit()
    page.show_next(FOUND)
    assert page.text.figures.whole == "7 tokens · entropy 2.1 bits"
    stops: list[bool] = []
    page.text.stop_wanted.connect(lambda: stops.append(True))
    page.text.show_phase("writing")
    assert page.text.stop.isVisible()
    assert not page.text.run.isVisible()
    assert not page.text.step.isEnabled()
    qtbot.keyClick(page.text.strip, Qt.Key.Key_Escape)
    page.text.stop.click()
    assert len(stops) == 2
    page.text.show_phase("waiting")
    assert "Waiting" in page.text.caption.whole
    page.text.show_phase("reading")
    page.text.show_progress(0.4)
    assert page.text.caption.whole == "Reading the text: 40 %. Esc stops."
    page.text.show_phase("")
    assert page.text.run.isVisible()
    page.show_next_problem("No model is loaded; choose one first.")
    assert "No model" in page.next.sentence.text()
    assert not page.next.bars.isVisible()
    assert page.next.charts() == ()


def test_bars_before_and_after() -> None:
    bars = next_bars(FOUND, PlaySettings(top_p=0.85))
    assert [bar.faded for bar in bars.bars] == [False, False, True, True]
    assert [bar.value for bar in bars.bars] == [0.5, 0.5, 0.2, 0.1]
    assert [bar.before for bar in bars.bars] == [0.4, 0.3, 0.2, 0.1]
    assert bars.note == "faded: removed by the schema, top-p 0.85 · 2 left"
    assert "removed by top-p 0.85" in bars.bars[2].tip


def test_sliders_tell_of_each_change_once(page: PlaygroundPage) -> None:
    said: list[PlaySettings] = []
    sampling = page.next.sampling
    sampling.changed.connect(said.append)
    page.show_settings(PlaySettings(temperature=1.5, top_k=40, seed=3))
    assert said == []
    assert sampling.sliders["top_k"].text == "40"
    sampling.sliders["temperature"].set_number(0.5)
    sampling.seed.set_number(-1)
    assert said[-1] == PlaySettings(temperature=0.5, top_k=40, seed=None)
    sampling.reset.click()
    assert said[-1] == PlaySettings()
    assert not sampling.reset.isEnabled()
    own = PlaySettings(temperature=2.5, top_k=7, seed=123_456)  # as a file may have it
    page.show_settings(own)
    assert sampling.settings == own
    assert [sampling.sliders[name].text for name in ("temperature", "top_k")] == ["2.50", "7"]
    assert sampling.seed.text == "123456"


def test_one_column_where_there_is_no_room_for_two(page: PlaygroundPage, qtbot: QtBot) -> None:
    panels = page.panels
    assert panels.beside.isVisible()
    page.resize(540, 500)
    qtbot.waitUntil(panels.narrow.isVisible)
    assert panels.stack.isVisible()
    panels.narrow.chosen.emit(0)
    assert page.next.isVisible()
    assert not panels.stack.isVisible()
    assert panels.current is None
    panels.narrow.chosen.emit(len(panels._plans))
    assert panels.current is panels.view("schema")
    page.resize(1100, 800)
    qtbot.waitUntil(panels.beside.isVisible)
    assert page.next.isVisible()


def test_a_view_shades_the_text_while_it_is_in_sight(page: PlaygroundPage) -> None:
    show(page, play_text())
    view = page.panels.current
    assert view is not None
    view.shaded.emit(Shade((1.0,), "weight", "layer 3"))
    assert page.text.caption.whole == "Colour: weight · layer 3"
    page.panels.choose("tokenizer")
    assert "expected" in page.text.caption.whole
    page.panels.choose("branches")
    assert "weight" in page.text.caption.whole
    chosen: list[int] = []
    page.token_chosen.connect(chosen.append)
    view.token_chosen.emit(3)
    assert chosen == [3]


def tree() -> Tree:
    first = TreeNode("1", "", play_text((" a", " b")).tokens, "", pruned=True)
    second = TreeNode("2", "1", play_text((" c",)).tokens, "seed 4", ended=True)
    return Tree(play_text(), (first, second), "2")


def test_the_tree_is_walked_and_pruned(page: PlaygroundPage) -> None:
    show(page, play_text())
    view = page.panels.current
    assert isinstance(view, BranchesView)
    said: list[object] = []
    for signal in (view.wanted, view.selected_node, view.walked, view.pruned, view.removed):
        signal.connect(said.append)
    view.grow.click()
    view.way._group.button(1).click()
    view.grow.click()
    assert said == [GrowWish(4, 8, "draw"), GrowWish(4, 8, "likeliest")]
    view.show_growing(0.5)
    assert view.stop.isVisible()
    view.show_growing(-1)
    view.show_tree(tree())
    chart = view.chart.chart
    assert isinstance(chart, Branches)
    assert [node.faded for node in chart.branches] == [False, True, False]
    assert chart.branches[2].text.endswith("(ends here)")
    said.clear()
    view.chart.activated.emit(PROMPT)
    view.chart.activated.emit("1")
    view.walk.click()
    view.prune.click()
    view.remove.click()
    assert said == ["", "1", "2", "2", "2"]
    assert len(view.charts()) == 2
    show(page, play_text(("other",)))
    assert "another text" in view.hint.text()


def test_small_probabilities_are_numbers() -> None:
    assert probability(0.0) == "100.0 %"
    assert probability(-20.0) == "2.1e-9"
    assert probability(math.log(9.97e-8)) == "1.0e-7"
    assert tree_chart(Tree()).branches == ()


def test_two_settings(page: PlaygroundPage) -> None:
    show(page, play_text())
    view = page.panels.current
    assert isinstance(view, BranchesView)
    greedy, drawn = PlaySettings(temperature=0.0), PlaySettings(temperature=1.2, top_k=5, seed=3)
    view.comparison.set_settings(greedy, drawn)
    said: list[object] = []
    view.wanted.connect(said.append)
    view.comparison.compare.click()
    wish = said[0]
    assert isinstance(wish, CompareWish)
    assert [title for title, _ in wish.sides] == [
        "greedy",
        "temperature 1.2, top-k 5, top-p 0.95, seed 3",
    ]
    left = Side("greedy", greedy, play_text(("a", "b", "c")).tokens)
    right = Side("drawn", drawn, play_text(("a", "b")).tokens)
    assert side_strip(left, right).selected == 2
    assert side_strip(left, left).selected is None
    view.comparison.show_sides((left, right))
    assert len(view.comparison.charts()) == 2
    kept: list[PlaySettings] = []
    view.comparison.kept.connect(kept.append)
    view.comparison.keep.click()
    view.comparison.greedy.click()
    assert kept == [drawn, PlaySettings(temperature=0.0, top_p=1.0)]
    assert "repetition penalty 1.2" in words_of(PlaySettings(repetition_penalty=1.2))


def test_the_schema_and_its_mask(page: PlaygroundPage) -> None:
    show(page, play_text())
    page.panels.choose("schema")
    view = page.panels.current
    assert isinstance(view, SchemaView)
    said: list[Schema] = []
    runs: list[bool] = []
    view.changed.connect(said.append)
    view.run_wanted.connect(lambda: runs.append(True))
    assert not view.switch.isEnabled()
    view.example.click()
    assert said == [Schema(EXAMPLE, True, 7)]
    view.show_next(FOUND)
    cards = view.cards.chart
    assert isinstance(cards, Cards)
    assert [card.value for card in cards.cards] == ["60", "1"]
    assert cards == mask_cards(FOUND)
    bars = view.bars.chart
    assert isinstance(bars, Bars)
    assert [bar.faded for bar in bars.bars] == [False, False, False, True]
    assert len(view.charts()) == 2
    view.run.click()
    assert runs == [True]
    view.show_problem("This schema cannot be used: it is odd.")
    assert "odd" in view.words.text()
    view.switch.click()
    assert not said[-1].on
    view.run.click()
    assert said[-1] == Schema(EXAMPLE, True, 7)
    view.entry.text.setPlainText("")
    view.entry.take_in()
    assert said[-1] == Schema("", False, 7)


def test_tokenizers_side_by_side(page: PlaygroundPage) -> None:
    page.panels.choose("tokenizer")
    view = page.panels.current
    assert isinstance(view, TokenizerView)
    said: list[object] = []
    view.wanted.connect(said.append)
    view.set_plain("né")
    view.set_models([ModelChoice("starter", "Starter model")])
    view.menu.actions()[0].trigger()
    assert said == [TokensWish("né"), TokensWish("né", "starter")]
    rows = (TokenRow(3, "n", b"n", False), TokenRow(9, "é", "é".encode(), True))
    cut = Tokenized("tiny", rows, 2, 3, 300)
    view.own.show_cut(cut)
    view.other.show_cut(cut)
    assert [row.cells for row in token_table(cut).rows] == [
        ("1", "3", "n", "6e"),
        ("2", "9", "é", "c3 a9"),
    ]
    assert len(view.charts()) == 6
    long = Tokenized("tiny", rows * 500, 1000, 1500, 300)
    view.own.show_cut(long)
    shown, whole = view.own.table.chart, view.charts()[2]
    assert isinstance(shown, Table)
    assert isinstance(whole, Table)
    assert (len(shown.rows), len(whole.rows)) == (300, 1000)
    assert shown.note == "the first 300 of 1,000; Export writes all"
    view.forget.click()
    assert said[-1] == TokensWish("né")
    assert len(view.charts()) == 3
    view.own.show_sentence("No model is loaded; choose one first.")
    assert view.charts() == ()


def test_everything_can_be_exported(page: PlaygroundPage, theme: Theme) -> None:
    show(page, play_text())
    page.show_next(FOUND)
    ink = Ink.of(theme)
    assert len(page.next.charts()) == 2
    for form in ("svg", "csv", "json"):
        assert rendered(page.next.charts(), form, ink)


@pytest.mark.parametrize("mode", ["light", "dark"])
@pytest.mark.parametrize("size", [(1100, 800), (552, 480)])
def test_it_is_drawn_in_both_appearances(
    page: PlaygroundPage, theme: Theme, mode: str, size: tuple[int, int]
) -> None:
    theme.set_mode(mode)  # pyright: ignore[reportArgumentType]  one of the two
    page.resize(*size)
    show(page, play_text())
    page.show_next(FOUND)
    QApplication.processEvents()
    assert not page.grab().isNull()
    row = page.text.step.geometry(), page.text.undo.geometry(), page.text.edit.geometry()
    assert all(one.right() < other.left() for one, other in pairwise(row))
    assert page.text.edit.geometry().right() <= page.text.width()


def test_parts_have_names(page: PlaygroundPage) -> None:
    show(page, play_text())
    page.show_next(FOUND)
    page.text.editor.left.emit()
    named = [page.text.strip, page.next.bars, page.text.step, page.name, page.text.editor]
    for part in (*named, *page.next.sampling.sliders.values(), page.next.sampling.seed):
        found = QAccessible.queryAccessibleInterface(part)
        assert found.text(QAccessible.Text.Name)


def test_the_menu_and_the_dialogs(theme: Theme, qtbot: QtBot) -> None:
    assert theme
    window = QMainWindow()
    qtbot.addWidget(window)
    actions = PlaygroundActions(window)
    assert [action.text() for action in window.menuBar().actions()] == ["&Playground"]
    assert not actions.run.isEnabled()
    assert actions.new.isEnabled()
    actions.set_here(here=True)
    assert actions.run.shortcut() == QKeySequence("Ctrl+Return")
    dialogs = DocumentDialogs(window)
    saved: list[str] = []
    dialogs.save_chosen.connect(saved.append)
    dialogs.ask_save("The trophy / didn't")
    dialogs.ask_open()
    names = [child.windowTitle() for child in window.children() if child.isWidgetType()]  # pyright: ignore[reportAttributeAccessIssue, reportUnknownVariableType, reportUnknownMemberType]  a widget
    assert {"Save playground", "Open playground"} <= set(names)  # pyright: ignore[reportUnknownArgumentType]


def test_caption_and_figures_fit_side_by_side_in_a_narrow_window(
    page: PlaygroundPage, qtbot: QtBot
) -> None:
    page.resize(560, 500)
    show(page, play_text())
    text = page.text
    lines = (text.caption, text.figures)
    qtbot.waitUntil(lambda: text.figures.y() == text.caption.y())
    qtbot.waitUntil(lambda: all(line.text() == line.whole for line in lines))
