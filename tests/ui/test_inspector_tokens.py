"""The inspector's view of a reply's tokens: as it is written, read once more, and pressed."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from PySide6.QtWidgets import QScrollArea

from ui.charts.values import Bars, TokenStrip
from ui.inspector.tokens import TokensPanel, alternative_bars
from ui.state import AlternativeView, TokensView, TokenView

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pytestqt.qtbot import QtBot

    from ui.theme import Theme

OTHERS = tuple(AlternativeView(n, f" {n}", 0.5 / 2**n, None) for n in range(10))


def token(number: int, *, entropy: float | None = None) -> TokenView:
    return TokenView(number, f" {number}", False, 0.25, entropy, 2, OTHERS)


def view(count: int, *, live: bool, unseen: int = 0, entropy: float | None = None) -> TokensView:
    tokens = tuple(token(number % 10, entropy=entropy) for number in range(count))
    return TokensView("reply", "tiny", tokens, 1.5, unseen, live)


@pytest.fixture
def panel(qtbot: QtBot, theme: Theme) -> Iterator[TokensPanel]:
    panel, area = TokensPanel(theme), QScrollArea()
    area.setWidgetResizable(True)
    area.setWidget(panel)
    qtbot.addWidget(area)
    area.resize(300, 700)
    with qtbot.waitExposed(area):
        area.show()
    yield panel
    area.close()


def selected(panel: TokensPanel) -> int | None:
    chart = panel.strip.chart
    assert isinstance(chart, TokenStrip)
    return chart.selected


def explained(panel: TokensPanel) -> str:
    """The token whose alternatives are shown."""
    chart = panel.bars.chart
    assert isinstance(chart, Bars)
    return chart.selected


def test_the_latest_token_is_the_chosen_one_until_one_is_pressed(panel: TokensPanel) -> None:
    panel.show_tokens(view(3, live=True))
    assert selected(panel) == 2
    panel.show_tokens(view(5, live=True))
    assert selected(panel) == 4
    panel.strip.activated.emit("1")
    panel.show_tokens(view(8, live=True))
    assert selected(panel) == 1
    panel.show_tokens(replace(view(5, live=True), message_id="another"))
    assert selected(panel) == 4


def test_a_pressed_token_is_kept_while_the_first_ones_leave(panel: TokensPanel) -> None:
    panel.show_tokens(view(6, live=True))
    panel.strip.activated.emit("4")
    panel.show_tokens(view(6, live=True, unseen=3))
    assert selected(panel) == 1
    panel.show_tokens(view(9, live=False))
    assert selected(panel) == 4


def test_a_pointed_token_stays_shown_while_others_come(panel: TokensPanel) -> None:
    panel.show_tokens(view(3, live=True))
    panel.strip.hovered.emit("0")
    panel.show_tokens(view(6, live=True))
    assert explained(panel) == "0"
    panel.strip.hovered.emit("")
    assert explained(panel) == "5"


def test_only_a_whole_reply_is_gone_on_with(panel: TokensPanel) -> None:
    chosen: list[tuple[int, int]] = []

    def on_chosen(_: TokensView, number: int, instead: int) -> None:
        chosen.append((number, instead))

    panel.chosen.connect(on_chosen)
    panel.show_tokens(view(3, live=True))
    panel.bars.activated.emit("7")
    assert chosen == []
    assert panel.button.isHidden()
    panel.show_tokens(view(3, live=False))
    panel.bars.activated.emit("7")
    assert chosen == [(2, 7)]


def test_colours_say_entropy_only_where_it_is_known(panel: TokensPanel) -> None:
    panel.show_tokens(view(3, live=True))
    assert panel.colour.isHidden()
    panel.show_progress("reply", 0.5)
    assert not panel.area.isHidden()
    panel.show_tokens(view(3, live=False, entropy=2.0))
    assert not panel.colour.isHidden()


def test_what_was_known_stays_where_the_reading_was_stopped(panel: TokensPanel) -> None:
    panel.show_tokens(view(3, live=False))
    panel.show_progress("reply", 0.5)
    panel.show_stopped()
    assert panel.view is not None
    assert panel.progress.isHidden()
    panel.show_progress("another", 0.0)
    assert panel.view is None
    panel.show_stopped()
    assert "stopped" in panel.sentence.text()
    assert not panel.button.isHidden()


def test_without_a_reply_nothing_can_be_looked_at_again(panel: TokensPanel) -> None:
    panel.show_sentence("")
    assert panel.button.isHidden()


def test_a_long_reply_leaves_its_alternatives_in_sight(panel: TokensPanel) -> None:
    panel.show_tokens(view(400, live=True))
    panel.grab()
    assert panel.strip.height() > 2 * panel.area.height()
    assert panel.area.verticalScrollBar().value() == panel.area.verticalScrollBar().maximum()
    assert panel.bars.y() < panel.height() / 2 + 100


def test_a_token_behind_all_alternatives_is_the_last_bar() -> None:
    bars = alternative_bars(replace(token(3), token=99, text=" far", rank=None))
    assert isinstance(bars, Bars)
    assert (len(bars.bars), bars.bars[-1].label, bars.bars[-1].tone) == (11, "␣far", "new")
    assert [bar.tone for bar in bars.bars[:10]] == ["held"] * 10


def test_it_tells_whether_it_is_in_sight(panel: TokensPanel) -> None:
    told: list[bool] = []
    panel.watched.connect(told.append)
    panel.hide()
    panel.show()
    assert told == [False, True]
