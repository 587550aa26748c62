"""The models to start with: enough of them, true sizes, the smallest that fits first."""

from __future__ import annotations

import re
from itertools import pairwise

import pytest

from app.library.curated import START, fits, in_order
from engine.families import SUPPORTED_ARCHITECTURES
from engine.zoo_names import module_of

GB = 10**9


def test_there_is_one_for_every_machine() -> None:
    assert len(START) == 12
    assert len({model.repo for model in START}) == 12
    assert START[0].parameters < 0.2e9
    assert START[-1].parameters > 70e9
    for smaller, larger in pairwise(START):
        assert smaller.parameters < larger.parameters < 4.5 * smaller.parameters


@pytest.mark.parametrize("model", START, ids=lambda model: model.title)
def test_each_is_described_truly(model: object) -> None:
    assert model in START
    start = START[START.index(model)]  # type: ignore[arg-type] # pyright: ignore
    assert re.fullmatch(r"mlx-community/[\w.-]+", start.repo)
    bits = 8 * start.approximate_bytes / start.parameters
    assert bits == pytest.approx(4.5 if start.quantisation == "4-bit" else 16, rel=0.02)
    known = start.family in SUPPORTED_ARCHITECTURES
    assert known or module_of({"model_type": start.family})


@pytest.mark.parametrize("memory", [0, 8 * GB, 16 * GB, 64 * GB])
def test_the_smallest_that_fits_is_first(memory: int) -> None:
    order = in_order(memory)
    assert set(order) == set(START)
    fitting = [fits(model, memory) for model in order]
    assert fitting == sorted(fitting, reverse=True)
    assert order[0] == START[0]
    assert fits(START[7], 8 * GB)
    assert not fits(START[11], 32 * GB)
