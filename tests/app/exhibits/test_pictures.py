"""What the pictures of single exhibits say where model or texts are not as usual."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

import engine
from app.exhibits.book import DEFINITIONS
from app.exhibits.definition import View
from engine.exhibits import EXHIBITS
from tests.app.talkers import write_talker
from ui.charts.values import Bars, HeatMap, Table, TokenStrip

if TYPE_CHECKING:
    from ui.exhibits.values import Pictures


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> engine.Model:
    return engine.load(str(write_talker(tmp_path_factory.mktemp("models") / "tiny", head_dim=64)))


def _drawn(model: engine.Model, number: int, part: str = "", **inputs: object) -> Pictures:
    exhibit = EXHIBITS[number]
    result = exhibit.measure(model, exhibit.inputs(**inputs))
    return DEFINITIONS[number].present(result, View(part))


def test_the_head_that_is_followed_is_shown_where_there_are_fewer(model: engine.Model) -> None:
    drawn = _drawn(model, 4, sentence="own", own="Look at it", head=8)
    strip = drawn.main[0]
    assert isinstance(strip, TokenStrip)
    assert strip.note == "layer 1, head 3"
    heads = drawn.aside[0]
    assert isinstance(heads, HeatMap)
    assert heads.marked_row == 3


def test_the_number_that_is_changed_is_marked_in_a_short_text(model: engine.Model) -> None:
    strip = _drawn(model, 7, "sabotage", text="Oh", position=200, reply=1).main[0]
    assert isinstance(strip, TokenStrip)
    assert [token.strength for token in strip.tokens] == [1.0, 0.0]


def test_only_what_is_cut_ends_in_dots(model: engine.Model) -> None:
    bars = _drawn(model, 2, "languages", english="Hello", other_language="你好" * 20).aside[0]
    assert isinstance(bars, Bars)
    assert [bar.label for bar in bars.bars] == ["Hello", "你好" * 7 + "…"]


def test_a_character_of_several_tokens_is_shown_whole(model: engine.Model) -> None:
    drawn = _drawn(model, 1, prompt="人", steps=1)
    strip = drawn.main[0]
    assert isinstance(strip, TokenStrip)
    assert [token.text for token in strip.tokens][:3] == ["人", "·", "·"]
    table = _drawn(model, 2, sentence="人").main[1]
    assert isinstance(table, Table)
    assert [row.cells[0] for row in table.rows] == ["人", "·", "·"]


def test_a_long_rest_of_a_prompt_is_cut(model: engine.Model) -> None:
    drawn = _drawn(model, 11, first="Oh no", second="Oh dear " + "me " * 100, reply=1, rounds=1)
    strip = drawn.main[1]
    assert isinstance(strip, TokenStrip)
    assert [token.text[-2:] for token in strip.tokens] == ["h ", " …"]
