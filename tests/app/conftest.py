"""What the app's tests share: tiny models on disk, a worker, the application in its window."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.app.driving import Driver, Log, driving
from tests.app.talkers import write_talker

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from PySide6.QtWidgets import QApplication
    from pytestqt.qtbot import QtBot


@pytest.fixture(scope="session")
def talker(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A tiny model that writes letters without end."""
    return write_talker(tmp_path_factory.mktemp("models") / "talker")


@pytest.fixture(scope="session")
def terse(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A tiny model with a context of 96 tokens: replies end soon, long prompts are refused."""
    return write_talker(tmp_path_factory.mktemp("models") / "terse", context=96)


@pytest.fixture
def log(qtbot: QtBot) -> Iterator[Log]:
    """A running worker whose signals are kept in order; it is closed after the test."""
    log = Log(qtbot)
    yield log
    log.close()


@pytest.fixture
def drive(qtbot: QtBot, qapp: QApplication, tmp_path: Path) -> Iterator[Callable[..., Driver]]:
    """A function that starts the application with a model, or as the program does."""
    with driving(qtbot, qapp, tmp_path / "data") as start:
        yield start
