"""What stays for good is set aside from garbage collection, once."""

from __future__ import annotations

import gc
from typing import TYPE_CHECKING

import pytest

from app.collector import Collector

if TYPE_CHECKING:
    from collections.abc import Iterator


@pytest.fixture(autouse=True)
def thawed() -> Iterator[None]:
    gc.unfreeze()
    yield
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
