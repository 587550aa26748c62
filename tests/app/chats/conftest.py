"""What the tests of chats share: a store on a real file, and one that holds a small tree."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from app.chats.store import Store
from tests.app.chats.planting import Talk, planted


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "chats.sqlite3"


@pytest.fixture
def store(path: Path) -> Iterator[Store]:
    store = Store(path)
    yield store
    store.close()


@pytest.fixture
def talk(store: Store) -> Talk:
    """A chat of two turns, with ids and texts q1, r1, q2, r2."""
    return planted(store)
