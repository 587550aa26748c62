"""Which models are offered: the starter, what was opened last, then what else is here."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from app.library.facts import ModelFacts
from app.library.shelf import Listing
from app.recent_models import RecentModels
from app.requests import LoadedModel

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

    from ui.state import ModelChoice


def facts(source: str, *, ready: bool = True) -> ModelFacts:
    return ModelFacts(
        source, source.upper(), "hub", Path("/x"), Path("/x"), "folder", 1, ready=ready
    )


def test_what_is_here_comes_after_what_was_opened(tmp_path: Path, qtbot: QtBot) -> None:
    recent = RecentModels(tmp_path / "recent.json")
    told: list[list[ModelChoice]] = []
    recent.changed.connect(told.append)
    for source in ("o/gone", "o/broken", "o/b"):
        recent.on_loaded(LoadedModel(source, source.upper(), "", 1))
    qtbot.waitUntil(lambda: len(told) == 3)
    listing = (facts("o/a"), facts("o/b"), facts("o/broken", ready=False), facts("starter"))
    recent.on_listed(Listing(listing, complete=False))
    assert len(told) == 3  # not all of it is known
    recent.on_listed(Listing(listing, complete=True))
    assert [choice.source for choice in told[-1]] == ["starter", "o/b", "o/a"]
    assert recent.choices == told[-1]
    recent.close()


def test_a_model_that_was_opened_by_its_path_is_offered_once(tmp_path: Path, qtbot: QtBot) -> None:
    recent = RecentModels(tmp_path / "recent.json")
    told: list[list[ModelChoice]] = []
    recent.changed.connect(told.append)
    for source in ("o/b", str(tmp_path)):
        recent.on_loaded(LoadedModel(source, "A", "", 1))
    qtbot.waitUntil(lambda: len(told) == 2)
    listing = (replace(facts("o/a"), path=tmp_path), facts("o/b"))
    recent.on_listed(Listing(listing, complete=True))
    assert [choice.source for choice in told[-1]] == ["starter", "o/a", "o/b"]
    recent.close()
