"""What exhibits are made of, and that all of them are made so."""

import importlib
import math
from dataclasses import dataclass, fields, is_dataclass
from typing import Any

import pytest

from engine.errors import CancelledError, SettingError
from engine.exhibits import EXHIBITS
from engine.exhibits.common import (
    Claim,
    Exhibit,
    Inputs,
    Relation,
    Watch,
    choice,
    how,
    never,
    number,
    plain,
    settings,
    silent,
    text,
    whole,
)

EACH = pytest.mark.parametrize("exhibit", EXHIBITS.values(), ids=lambda each: each.name)


@dataclass(frozen=True)
class Example(Inputs):
    count: int = whole(3, 1, 9, "how many")
    share: float = number(0.5, 0.0, 1.0, "how much")
    words: str = text("a b", "what", most=5)
    bits: int = choice(16, (8, 16), "how wide")
    more: tuple[int, ...] = ()


def test_settings_are_listed_in_order_with_bounds() -> None:
    listed = settings(Example)
    assert [setting.name for setting in listed] == ["count", "share", "words", "bits"]
    assert (listed[0].kind, listed[0].default, listed[0].least, listed[0].most) == (
        "whole",
        3,
        1,
        9,
    )
    assert listed[3].choices == (8, 16)
    assert listed[1].meaning == "how much"


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"count": 0}, "count is a whole number from 1 to 9, not 0"),
        ({"count": 2.0}, "count is a whole number from 1 to 9, not 2.0"),
        ({"count": True}, "count is a whole number"),
        ({"share": 1.1}, "share is a number from 0.0 to 1.0, not 1.1"),
        ({"share": math.nan}, "share is a number"),
        ({"share": "x"}, "share is a number"),
        ({"words": ""}, "words is a text of 1 to 5 characters"),
        ({"words": "abcdef"}, "words is a text of 1 to 5 characters"),
        ({"bits": 4}, "bits is one of 8, 16, not 4"),
    ],
)
def test_what_is_outside_its_bounds_is_refused(given: dict[str, Any], said: str) -> None:
    with pytest.raises(SettingError, match=said):
        Example(**given)


@pytest.mark.parametrize(
    ("relation", "below", "equal", "above"),
    [
        ("=", False, True, False),
        ("≠", True, False, True),
        ("<", True, False, False),
        ("≤", True, True, False),
        (">", False, False, True),
        ("≥", False, True, True),
    ],
)
def test_a_claim_is_seen_where_the_relation_holds(
    relation: Relation, below: bool, equal: bool, above: bool
) -> None:
    found = [Claim("n", "s", measured, relation, 2, "u").seen for measured in (1, 2, 3)]
    assert found == [below, equal, above]


def test_nothing_that_is_not_a_number_was_seen() -> None:
    assert not Claim("n", "s", math.nan, "≤", 1, "u").seen


def test_parts_of_the_progress_and_stopping() -> None:
    told: list[float] = []
    watch = Watch(lambda share, _: told.append(share), never)
    watch.part(0.5, 1.0).tell(0.5)
    watch.tell(1.5)
    assert told == [0.75, 1.0]
    with pytest.raises(CancelledError, match="stopped"):
        Watch(silent, lambda: True).part(0.0, 1.0).tell(0.1)


def test_plain_values() -> None:
    assert plain(Example(share=0.25, more=(1, 2))) == {
        "count": 3,
        "share": 0.25,
        "words": "a b",
        "bits": 16,
        "more": [1, 2],
    }
    assert plain(Claim("n", "s", math.inf, "<", math.nan, "u"))["measured"] is None


def test_how_names_a_function_that_exists() -> None:
    assert how("x", plain, "y").function == "engine.exhibits.common.plain"


@EACH
def test_each_exhibit_has_the_same_shape(exhibit: Exhibit[Any, Any]) -> None:
    assert EXHIBITS[exhibit.number] is exhibit
    assert exhibit.run.__module__ == f"engine.exhibits.{exhibit.name}"
    inputs = exhibit.inputs()
    assert is_dataclass(inputs)
    result = exhibit.run.__annotations__["return"]
    names = [each.name for each in fields(result)]
    assert names[0] == "inputs"
    assert names[-2:] == ["notes", "how"]
    assert all(setting.meaning for setting in settings(exhibit.inputs))


@EACH
def test_each_figure_names_a_function_of_the_engine(exhibit: Exhibit[Any, Any]) -> None:
    module = importlib.import_module(f"engine.exhibits.{exhibit.name}")
    for each in module._HOW:
        assert _function(each.function) is not None
        assert each.formula


def _function(name: str) -> object:
    parts = name.split(".")
    for end in range(len(parts) - 1, 0, -1):
        try:
            found: object = importlib.import_module(".".join(parts[:end]))
        except ModuleNotFoundError:
            continue
        for part in parts[end:]:
            found = getattr(found, part)
        return found
    return None
