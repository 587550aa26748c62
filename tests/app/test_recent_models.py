"""The palette offers the starter model and what was opened last."""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.recent_models import RecentModels
from app.requests import LoadedModel
from ui.state import ModelChoice

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from pytestqt.qtbot import QtBot

    from tests.app.driving import Driver

STARTER = ModelChoice("starter", "Starter model")


def model(source: Path | str) -> LoadedModel:
    return LoadedModel(str(source), str(source)[-1:].upper(), "4-bit", 100)


def open_all(path: Path, sources: list[Path | str], qtbot: QtBot) -> list[ModelChoice]:
    recent = RecentModels(path)
    told: list[list[ModelChoice]] = []
    recent.changed.connect(told.append)
    recent.start()
    for source in sources:
        recent.on_loaded(model(source))
    expected = 1 + sum(source != "starter" for source in sources)
    qtbot.waitUntil(lambda: len(told) == expected)
    recent.close()
    return told[-1]


def test_the_latest_come_first_and_stay(tmp_path: Path, qtbot: QtBot) -> None:
    kept = tmp_path / "recent.json"
    a, b = tmp_path / "a", tmp_path / "b"
    a.mkdir()
    b.mkdir()
    told = open_all(kept, [a, "starter", b, a, "owner/c"], qtbot)
    assert told == [
        STARTER,
        ModelChoice("owner/c", "C"),
        ModelChoice(str(a), "A"),
        ModelChoice(str(b), "B"),
    ]
    a.rmdir()
    assert open_all(kept, [], qtbot) == [STARTER, told[1], told[3]]


def test_only_so_many_are_remembered(tmp_path: Path, qtbot: QtBot) -> None:
    many: list[Path | str] = [f"owner/{number}" for number in range(20)]
    told = open_all(tmp_path / "recent.json", many, qtbot)
    assert [choice.source for choice in told[1:]] == [f"owner/{n}" for n in range(19, 7, -1)]


def test_odd_entries_are_left_out(tmp_path: Path, qtbot: QtBot) -> None:
    kept = tmp_path / "recent.json"
    kept.write_text('{"version": 1, "models": [1, {"source": 2}, {"source": "o/x", "name": "X"}]}')
    assert open_all(kept, [], qtbot) == [STARTER, ModelChoice("o/x", "X")]


def test_a_file_that_cannot_be_written_is_in_nobodys_way(tmp_path: Path, qtbot: QtBot) -> None:
    (tmp_path / "folder").write_text("in the way")
    recent = RecentModels(tmp_path / "folder" / "recent.json")
    recent.on_loaded(model("owner/x"))
    with qtbot.waitSignal(recent.changed) as told:
        recent.start()
    assert told.args == [[STARTER]]
    recent.close()


def test_the_palette_opens_what_was_opened(drive: Callable[..., Driver], talker: Path) -> None:
    app = drive(talker)
    app.until_ready()
    app.until(lambda: bool(app.window._going._models))
    app.window.actions_of_menus.palette.trigger()
    palette = app.window.palette_of_actions
    palette.field.setText("talker")
    assert "talker" in palette.titles
