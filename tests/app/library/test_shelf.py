"""The list is made in the background, and work on the library comes back to the main thread."""

from __future__ import annotations

import threading
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from app.library.errors import LibraryError
from app.library.imports import add_model
from app.library.library import Library
from app.library.shelf import Listing, Shelf
from tests.app.library.shelves import folder, new_library

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pytestqt.qtbot import QtBot


@pytest.fixture
def shelf(own_folders: Path, qtbot: QtBot) -> Iterator[Shelf]:
    del qtbot
    shelf = Shelf(new_library(own_folders))
    yield shelf
    shelf.close()


def is_complete(listing: Listing) -> bool:
    return listing.complete


def test_models_are_listed_and_listed_anew(shelf: Shelf, qtbot: QtBot, tmp_path: Path) -> None:
    listings: list[Listing] = []
    shelf.listed.connect(listings.append)
    with qtbot.waitSignal(shelf.listed, check_params_cb=is_complete):
        shelf.refresh()
    assert [facts.source for facts in listings[-1].models] == ["starter"]
    model = folder(tmp_path / "model")
    came: list[str] = []

    def on_added(name: str) -> None:
        assert threading.current_thread() is threading.main_thread()
        came.append(name)
        shelf.refresh()

    def work(library: Library) -> str:
        assert threading.current_thread() is not threading.main_thread()
        return add_model(library, model).path.name

    with qtbot.waitSignal(shelf.listed, check_params_cb=is_complete):
        shelf.run(work, on_added)
    assert came == ["model"]
    assert [facts.name for facts in listings[-1].models][1:] == ["model"]


def test_what_fails_is_told(shelf: Shelf, qtbot: QtBot) -> None:
    def work(library: Library) -> None:
        add_model(library, Path("/nowhere"))

    with qtbot.waitSignal(shelf.failed) as told:
        shelf.run(work)
    assert told.args is not None
    assert "/nowhere" in told.args[0]
    with pytest.raises(LibraryError):
        work(new_library(Path("/")))


def test_only_the_last_search_counts(shelf: Shelf, qtbot: QtBot) -> None:
    listings: list[Listing] = []
    shelf.listed.connect(listings.append)
    for _ in range(5):
        shelf.refresh()
    qtbot.waitUntil(lambda: any(map(is_complete, listings)))
    shelf.close()
    assert 1 <= sum(map(is_complete, listings)) <= 2
