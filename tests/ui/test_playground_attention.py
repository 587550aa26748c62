"""The views of attention and layers: what they ask, what they show, and what they say instead."""

from __future__ import annotations

import math
from array import array
from typing import TYPE_CHECKING, TypeVar

import pytest
from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QAccessible
from PySide6.QtWidgets import QScrollArea

from ui.charts.values import Bars, HeatMap, Lines, Steps, Table, TokenGrid
from ui.charts.view import ChartView
from ui.playground.attention import AttentionView
from ui.playground.attention_charts import tone_of
from ui.playground.attention_values import (
    AttentionAsked,
    BlockAsked,
    BlockStep,
    BlockView,
    CacheView,
    Guess,
    KeyView,
    LayerAttention,
    LensAsked,
    LensView,
    ModelShape,
    NearView,
    Need,
    NeighboursAsked,
    NeighboursView,
    ShapeAsked,
    ShareAsked,
    ShareView,
    WalkAsked,
    WalkView,
)
from ui.playground.attention_wait import SHOWN_AFTER_MS
from ui.playground.lens import LayersView
from ui.playground.state import PlayText, PlayToken, Shade

if TYPE_CHECKING:
    from collections.abc import Callable

    from pytestqt.qtbot import QtBot

    from ui.playground.attention_look import LookView
    from ui.playground.attention_values import Asked
    from ui.theme import Theme

C = TypeVar("C")
WORDS = ("The", " trophy", " didn't", " fit", " because", " it")
SHAPE = ModelShape(layers=4, heads=3)
WINDOW = CacheView(2, 1)


def text(words: tuple[str, ...] = WORDS) -> PlayText:
    return PlayText(tuple(PlayToken(10 + n, word) for n, word in enumerate(words)), "tiny")


def weights(count: int, head: int) -> bytes:
    """Rows that sum to 1: half for the first token, the rest even; another head likes itself."""
    values = array("f")
    for row in range(count):
        for column in range(count):
            even = 0.5 / (row + 1) if column <= row else 0.0
            favourite = 0 if head == 0 else row
            values.append(even + (0.5 if column == favourite else 0.0))
    return values.tobytes()


def attention(asked: AttentionAsked) -> LayerAttention:
    count = len(asked.ids)
    every = tuple(weights(count, head) for head in range(SHAPE.heads))
    return LayerAttention(
        ids=asked.ids,
        layer=asked.layer,
        cache=asked.cache,
        heads=tuple(range(SHAPE.heads)),
        weights=every,
        mean=every[0],
        thumbs=every,
        side=count,
        highs=(0.25, 0.5, 0.5),
        mean_high=0.25,
        seen=asked.cache,
        needed_bytes=3 << 20,
    )


def walk(asked: WalkAsked) -> WalkView:
    vector = tuple(float(n) for n in range(8))
    keys = tuple(
        KeyView(n, vector[:6], 3.5, 8.0 * n, 2.0 * n, 1 / (asked.position + 1), vector[:6], 2.5)
        for n in range(asked.position + 1)
    )
    return WalkView(
        asked.layer, asked.head, 0, asked.position, vector, vector, 0.25, keys, vector, 1.5, 4.5
    )


def lens(asked: LensAsked) -> LensView:
    rows, places = SHAPE.layers + 1, len(asked.positions)
    guesses = tuple(
        tuple((Guess(row, f" t{row}", 0.5), Guess(99, "x", 0.1)) for _ in range(places))
        for row in range(rows)
    )
    table = tuple((1.0 + row,) * places for row in range(rows))
    return LensView(
        asked.ids, asked.positions, guesses, table, table, table[1:], table[1:], 1 << 20
    )


def shape(_asked: ShapeAsked) -> ModelShape:
    return SHAPE


def share(asked: ShareAsked) -> ShareView:
    return ShareView(asked.position, 7, " big", 9.5, 0.5, (1.0,) * 4, (1.25,) * 4, 9.5)


def block(asked: BlockAsked) -> BlockView:
    steps = tuple(
        BlockStep(name, "f", 24, 2.0, 0.4, 1.0, (0.5, -0.25))
        for name in ("input", "o_proj", "output")
    )
    return BlockView(asked.layer, asked.position, steps)


def neighbours(asked: NeighboursAsked) -> NeighboursView:
    near = tuple(NearView(20 + n, f" n{n}", 0.9 - n / 10, 2.0) for n in range(3))
    return NeighboursView(asked.token, " it", 2.5, (0.1, -0.2), 24, near, tied=True, bits=4)


def answer(asked: Asked) -> object:
    answers: dict[type, Callable[..., object]] = {
        ShapeAsked: shape,
        AttentionAsked: attention,
        WalkAsked: walk,
        LensAsked: lens,
        ShareAsked: share,
        BlockAsked: block,
        NeighboursAsked: neighbours,
    }
    return answers[type(asked)](asked)


class Page:
    """A view in a scroll area, with what it asks kept, and answered at once where wanted."""

    def __init__(self, view: LookView, qtbot: QtBot, *, answers: bool = True) -> None:
        self.view, self.answers = view, answers
        self.asked: list[Asked] = []
        self.shades: list[Shade | None] = []
        self.chosen: list[int] = []
        view.wanted.connect(self._on_wanted)
        view.shaded.connect(self.shades.append)
        view.token_chosen.connect(self._on_chosen)
        self.area = QScrollArea()
        qtbot.addWidget(self.area)
        self.area.setWidget(view)
        self.area.setWidgetResizable(True)
        self.area.resize(900, 700)
        with qtbot.waitExposed(self.area):
            self.area.show()

    def _on_wanted(self, asked: Asked) -> None:
        self.asked.append(asked)
        if self.answers:
            self.view.show_found(asked, answer(asked))

    def _on_chosen(self, place: int) -> None:
        self.chosen.append(place)
        self.view.show_text(self.view.text, place)


def chart(view: ChartView, kind: type[C]) -> C:
    assert isinstance(view.chart, kind)
    return view.chart


@pytest.fixture
def look(theme: Theme, qtbot: QtBot) -> tuple[Page, AttentionView]:
    view = AttentionView(theme)
    page = Page(view, qtbot)
    view.show_text(text(), 5)
    return page, view


@pytest.fixture
def layers(theme: Theme, qtbot: QtBot) -> tuple[Page, LayersView]:
    view = LayersView(theme)
    page = Page(view, qtbot)
    view.show_text(text(), 4)
    return page, view


def test_the_map_shows_the_chosen_row_and_shades_the_text(
    look: tuple[Page, AttentionView],
) -> None:
    page, view = look
    assert page.asked == [ShapeAsked(), AttentionAsked(text().ids, 2, None)]
    shown = chart(view.map, HeatMap)
    assert (shown.rows, shown.causal, shown.marked_row) == (6, True, 5)
    assert shown.values == weights(6, 0)
    assert shown.row_labels[1] == "trophy"
    assert view.caption.text() == ("layer 2, mean of all heads · row “it” looks at “The” 58.3 %")
    assert "3.00 MiB" in view.words.text()
    bars = chart(view.bars, Bars)
    assert bars.bars[0].key == "0"
    assert math.isclose(sum(bar.value for bar in bars.bars), 1, abs_tol=1e-6)
    shade = page.shades[-1]
    assert shade is not None
    assert shade.strengths[0] == 1.0
    assert math.isclose(shade.strengths[3], 0.5 / 6 / 0.25, rel_tol=1e-6)
    assert shade.note == "layer 2, mean of all heads"


def test_another_head_is_there_at_once_another_layer_is_asked(
    look: tuple[Page, AttentionView],
) -> None:
    page, view = look
    view.head.set_number(1)
    assert len(page.asked) == 2
    assert chart(view.map, HeatMap).values == weights(6, 1)
    view.layer.set_number(3)
    assert page.asked[-1] == AttentionAsked(text().ids, 3, 1)
    assert "layer 3, head 1 · row “it” looks at “it”" in view.caption.text()


def test_a_cell_tells_of_both_tokens_and_chooses_its_row(
    look: tuple[Page, AttentionView], qtbot: QtBot
) -> None:
    page, view = look
    view.map.hovered.emit("4:1")
    assert "row “because” looks at “trophy” 10.0 %" in view.caption.text()
    view.map.hovered.emit("1:4")
    assert "“because” comes after “trophy”, which cannot see it" in view.caption.text()
    view.map.hovered.emit("")
    assert "row “it” looks at" in view.caption.text()
    view.map.setFocus(Qt.FocusReason.TabFocusReason)
    assert view.map.current_key == "5:0"
    qtbot.keyClick(view.map, Qt.Key.Key_Up)
    qtbot.keyClick(view.map, Qt.Key.Key_Return)
    assert page.chosen == [4]
    assert chart(view.map, HeatMap).marked_row == 4
    assert len(page.asked) == 2
    view.bars.activated.emit("2")
    assert page.chosen == [4, 2]


def test_the_cache_shows_what_is_pinned_held_and_evicted(
    look: tuple[Page, AttentionView],
) -> None:
    page, view = look
    told: list[CacheView] = []
    view.cache.changed.connect(told.append)
    assert not chart(view.map, HeatMap).column_tones
    view.cache.kind._group.button(1).click()
    assert told == [CacheView(16, 4)]
    view.set_cache(WINDOW)
    assert page.asked[-1] == AttentionAsked(text().ids, 2, None, cache=WINDOW)
    tones = chart(view.map, HeatMap).column_tones
    assert tones == ("pinned", "evicted", "evicted", "evicted", "held", "held")
    assert "window of 2" in view.words.text()
    assert tone_of(WINDOW, 2, 5) == "empty"
    assert tone_of(CacheView(), 2, 0) == "held"
    assert view.cache.cache == WINDOW
    view.cache.kind._group.button(0).click()
    assert told[-1] == CacheView()


def test_all_heads_stand_side_by_side(look: tuple[Page, AttentionView], qtbot: QtBot) -> None:
    page, view = look
    view.mode._group.button(1).click()
    thumbs = view.heads.thumbs
    assert list(thumbs) == [0, 1, 2]
    assert "“it” looks at “it”" in thumbs[1].accessibleDescription()
    thumbs[0].setFocus(Qt.FocusReason.TabFocusReason)
    thumbs[0].click()
    assert view.chosen_head == 0
    qtbot.keyClick(thumbs[0], Qt.Key.Key_Right)
    assert view.chosen_head == 1
    page.area.grab()
    assert len([each for each in view.charts() if isinstance(each, HeatMap)]) == 3
    assert all(thumb.geometry().right() < view.width() for thumb in thumbs.values())


def test_an_answer_about_the_text_as_it_was_is_let_go(look: tuple[Page, AttentionView]) -> None:
    page, view = look
    view.show_text(text(tuple(f" w{n}" for n in range(20))), 17)
    page.answers = False
    view.mode._group.button(2).click()
    asked = page.asked[-1]
    page.area.hide()  # nothing is asked while it is out of sight
    view.show_text(text((" a", " b")), None)
    view.show_found(asked, answer(asked))
    assert not view.walk.is_there


def test_a_walk_is_read_step_by_step(look: tuple[Page, AttentionView]) -> None:
    page, view = look
    words = tuple(f" w{n}" for n in range(20))
    view.show_text(text(words), 17)
    view.mode._group.button(2).click()
    assert page.asked[-1] == WalkAsked(text(words).ids, 2, 0, 17)
    assert len(view.walk.steps) == 6
    assert len(chart(view.walk.steps[0], Table).columns) == 8
    page.area.resize(420, 700)
    page.area.grab()
    assert len(chart(view.walk.steps[0], Table).columns) < 6, "as many numbers as there is room for"
    scores = chart(view.walk.steps[2], Bars)
    assert len(scores.bars) == 12
    assert "8 × 0.25 = 2" in [bar.tip for bar in scores.bars]
    values = chart(view.walk.steps[4], Table)
    assert values.rows[-2].cells[0] == "all 6 others"
    assert values.rows[-1].numbers[2] == 1.0
    view.walk.more.click()
    assert len(chart(view.walk.steps[2], Bars).bars) == 18
    exported = view.charts()
    assert [each.title[:2] for each in exported] == ["1.", "2.", "3.", "4.", "5.", "6."]
    shade = page.shades[-1]
    assert shade is not None
    assert shade.note == "layer 2, head 0"
    view.walk.steps[3].activated.emit("4")
    assert page.chosen == [4]
    assert page.asked[-1] == WalkAsked(text(words).ids, 2, 0, 4)


def test_only_the_end_of_a_long_text_is_looked_at_or_its_beginning(
    look: tuple[Page, AttentionView],
) -> None:
    page, view = look
    words = tuple(f" w{n}" for n in range(1100))
    view.show_text(text(words), 1099)
    asked = page.asked[-1]
    assert isinstance(asked, AttentionAsked)
    assert asked.ids == text(words).ids[76:]
    assert "Tokens 77 to 1,100 of 1,100" in view.caption.text()
    shade = page.shades[-1]
    assert shade is not None
    assert len(shade.strengths) == 1100
    assert not any(shade.strengths[:76])
    view.show_text(text(words), 3)
    asked = page.asked[-1]
    assert isinstance(asked, AttentionAsked)
    assert asked.ids == text(words).ids[:1024]
    view.map.activated.emit("7:2")
    assert page.chosen == [7]


def test_much_memory_is_asked_for(theme: Theme, qtbot: QtBot) -> None:
    view = AttentionView(theme)
    page = Page(view, qtbot, answers=False)
    view.show_text(text(), 5)
    view.show_found(ShapeAsked(), SHAPE)
    asked = page.asked[-1]
    view.show_need(asked, Need(3 << 30, ask=True))
    assert "3.00 GiB" in view.waiting.text
    assert view.waiting.agree.isVisible()
    view.waiting.agree.click()
    assert page.asked[-1] == AttentionAsked(text().ids, 2, None, confirmed=True)
    view.show_found(page.asked[-1], attention(AttentionAsked(text().ids, 2, None)))
    assert view.map.isVisible()
    assert view.waiting.text == ""


def test_what_takes_longer_shows_progress_and_is_cancelled(theme: Theme, qtbot: QtBot) -> None:
    view = AttentionView(theme)
    page = Page(view, qtbot, answers=False)
    view.show_text(text(), 5)
    view.show_found(ShapeAsked(), SHAPE)
    asked = page.asked[-1]
    assert view.waiting.text == ""
    view.show_need(asked, Need(3 << 20))
    qtbot.waitUntil(view.waiting.stop.isVisible, timeout=20 * SHOWN_AFTER_MS)
    view.show_progress(asked, 0.5)
    assert view.waiting.progress.fraction == 0.5
    assert "3.00 MiB" in view.waiting.text
    with qtbot.waitSignal(view.cancelled):
        view.waiting.stop.click()
    view.show_refused(asked, "")
    assert view.waiting.text.startswith("Cancelled")
    view.mark_stale()
    assert len(page.asked) == 3
    page.area.grab()


def test_an_answer_to_an_earlier_question_is_let_go(theme: Theme, qtbot: QtBot) -> None:
    view = AttentionView(theme)
    page = Page(view, qtbot, answers=False)
    view.show_text(text(), 5)
    view.show_found(ShapeAsked(), SHAPE)
    first = page.asked[-1]
    view.layer.set_number(1)
    assert isinstance(first, AttentionAsked)
    view.show_found(first, attention(first))
    view.show_refused(first, "no")
    view.show_progress(first, 0.5)
    view.show_need(first, Need(1, ask=True))
    assert not view.map.isVisible()
    assert view.waiting.text == ""


def test_it_says_what_is_missing(theme: Theme, qtbot: QtBot) -> None:
    view = AttentionView(theme)
    page = Page(view, qtbot, answers=False)
    assert page.asked == [ShapeAsked()]
    view.show_refused(ShapeAsked(), "No model is loaded; choose one first.")
    assert view.waiting.text == "No model is loaded; choose one first."
    view.forget_model()
    view.show_found(ShapeAsked(), SHAPE)
    assert view.waiting.text.startswith("What the model makes of the text")
    view.show_text(text(), 0)
    view.forget_model()
    view.show_found(ShapeAsked(), ModelShape(refusal="It runs through mlx-lm."))
    assert view.waiting.text == "It runs through mlx-lm."
    assert view.charts() == ()
    assert page.shades[-1] is None


def test_nothing_is_asked_out_of_sight(theme: Theme, qtbot: QtBot) -> None:
    view = AttentionView(theme)
    page = Page(view, qtbot)
    view.show_text(text(), 5)
    count = len(page.asked)
    page.area.hide()
    assert page.shades[-1] is None
    view.show_text(text(("a", "b")), 1)
    assert len(page.asked) == count
    page.area.show()
    assert page.asked[-1] == AttentionAsked((10, 11), 2, None)


def test_the_lens_shows_the_tokens_round_the_chosen_one(layers: tuple[Page, LayersView]) -> None:
    page, view = layers
    assert page.asked == [ShapeAsked(), LensAsked(text().ids, tuple(range(6)))]
    grid = chart(view.grid, TokenGrid)
    assert grid.columns == ("The", "trophy", "didn't", "fit", "because", "it")
    assert [row.label for row in grid.rows] == ["embedding", *(f"layer {n}" for n in range(4))]
    assert grid.marked_column == 4
    assert {cell.tone for cell in grid.rows[-1].cells} == {"new"}
    assert {cell.tone for cell in grid.rows[0].cells} == {"held"}
    assert "after “it”: “t4” from layer 3 on" in grid.summary
    assert "x  10.0 %" in grid.rows[0].cells[0].tip
    view.grid.activated.emit("1:2")
    assert (page.chosen, view.chosen_layer) == ([2], 1)
    assert chart(view.grid, TokenGrid).selected == "1:2"
    assert len(page.asked) == 2, "what is there is not asked again"


def test_a_long_text_is_looked_at_piece_by_piece(layers: tuple[Page, LayersView]) -> None:
    page, view = layers
    words = tuple(f" w{n}" for n in range(60))
    view.show_text(text(words), 30)
    asked = page.asked[-1]
    assert isinstance(asked, LensAsked)
    assert 30 in asked.positions
    assert len(asked.positions) < 20
    assert view.earlier.isVisible()
    view.earlier.click()
    before = page.asked[-1]
    assert isinstance(before, LensAsked)
    assert before.positions[-1] == min(asked.positions) - 1
    for _ in range(9):
        view.later.click()
    after = page.asked[-1]
    assert isinstance(after, LensAsked)
    assert after.positions[-1] == 59
    assert not view.later.isEnabled()


def test_the_stream_the_logit_and_a_block(layers: tuple[Page, LayersView]) -> None:
    page, view = layers
    view.mode._group.button(1).click()
    assert page.asked[-1] == ShareAsked(text().ids, 4)
    growth = chart(view.growth, Lines)
    assert growth.series[0].ys == (1.0, 2.0, 3.0, 4.0, 5.0)
    assert "“because”" in growth.title
    assert chart(view.share, Lines).series[1].ys == (1.25,) * 4
    assert len(view.charts()) == 3
    view.mode._group.button(2).click()
    assert page.asked[-1] == BlockAsked(text().ids, 2, 4)
    assert [step.adds for step in chart(view.block, Steps).steps] == [False, True, False]
    view.layer.set_number(3)
    assert page.asked[-1] == BlockAsked(text().ids, 3, 4)
    assert chart(view.block, Steps).title == "“because” through layer 3"


def test_neighbours_lead_to_their_own(layers: tuple[Page, LayersView]) -> None:
    page, view = layers
    view.mode._group.button(3).click()
    assert page.asked[-1] == NeighboursAsked(14)
    assert [bar.value for bar in chart(view.near.bars, Bars).bars] == [0.9, 0.8, 0.7]
    assert "same table" in view.near.words.text()
    assert "4 bits" in view.near.words.text()
    assert not view.near.back.isVisible()
    view.near.bars.activated.emit("21")
    assert page.asked[-1] == NeighboursAsked(21)
    view.near.back.click()
    assert page.asked[-1] == NeighboursAsked(14)
    assert len(view.charts()) == 1
    view.set_cache(WINDOW)
    view.mode._group.button(0).click()
    assert page.asked[-1] == LensAsked(text().ids, tuple(range(6)), WINDOW)
    assert view.caption.text() == "A token sees 1 pinned and the last 2 tokens."


@pytest.mark.parametrize("width", [360, 520, 1100])
@pytest.mark.parametrize("mode", ["light", "dark"])
def test_everything_fits_and_has_a_name(theme: Theme, qtbot: QtBot, width: int, mode: str) -> None:
    theme.set_mode("dark" if mode == "dark" else "light")
    for view, modes in ((AttentionView(theme), 3), (LayersView(theme), 4)):
        page = Page(view, qtbot)
        page.area.resize(QSize(width, 700))
        view.show_text(text(), 5)
        view.set_cache(WINDOW)
        for number in range(modes):
            view.mode._group.button(number).click()
            page.area.grab()
            assert page.area.horizontalScrollBar().maximum() == 0
            for each in view.findChildren(ChartView):
                if each.isVisible():
                    interface = QAccessible.queryAccessibleInterface(each)
                    assert interface.text(QAccessible.Text.Name)
                    assert interface.text(QAccessible.Text.Description)
    theme.set_mode("light")
