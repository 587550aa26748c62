"""Copying models into the application's folder from their page."""

from __future__ import annotations

from threading import Event
from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import QObject

from app.model_library import ModelLibrary
from app.model_page import ModelPage
from app.model_page_files import ModelFiles
from tests.app.library.shelves import file

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from pytestqt.qtbot import QtBot


@pytest.fixture
def library(tmp_path: Path, qtbot: QtBot) -> Iterator[ModelLibrary]:
    assert qtbot
    parent = QObject()
    library = ModelLibrary(tmp_path / "data", parent)
    yield library
    library.close()


@pytest.mark.slow
def test_what_is_cancelled_stays_so_when_another_copy_is_asked_for(
    library: ModelLibrary, tmp_path: Path, qtbot: QtBot
) -> None:
    gate, page = Event(), ModelPage(library, library)
    files = ModelFiles(page, library, library)
    told: list[str] = []
    files.told.connect(told.append)
    library.run_long(lambda _: gate.wait(10))
    files.on_copied(str(file(tmp_path / "first.gguf")))
    files.on_copied(str(file(tmp_path / "second.gguf")))
    files.on_copy_cancelled()
    files.on_copied(str(file(tmp_path / "third.gguf")))
    gate.set()
    qtbot.waitUntil(lambda: bool(told))
    assert told == ["third.gguf was copied."]
    assert [path.name for path in (tmp_path / "data" / "models").iterdir()] == ["third"]
