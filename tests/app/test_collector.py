"""Garbage is not looked for during a start; what stays for good is set aside, once."""

from __future__ import annotations

import gc

import pytest

from app.collector import Collector, hold, let_go


@pytest.fixture(autouse=True)
def thawed() -> None:
    gc.unfreeze()


def test_it_happens_once() -> None:
    collector = Collector()
    assert gc.get_freeze_count() == 0
    collector.on_loaded()
    frozen = gc.get_freeze_count()
    assert frozen > 0
    kept = [[number] for number in range(10_000)]
    collector.on_loaded()
    assert gc.get_freeze_count() < frozen + len(kept)


def test_garbage_is_collected_again_when_the_start_is_over() -> None:
    hold()
    assert not gc.isenabled()
    let_go()
    assert gc.isenabled()
