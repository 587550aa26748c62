"""Folders stand where each system wants them."""

from __future__ import annotations

from pathlib import Path

from app.paths import Folders, folders, folders_of

HOME = Path("/home/ada")


def test_a_mac_has_its_folders_in_the_library() -> None:
    library = HOME / "Library"
    assert folders_of("darwin", HOME, {"XDG_DATA_HOME": "/elsewhere"}) == Folders(
        library / "Application Support/Cutaway",
        library / "Application Support/Cutaway",
        library / "Logs/Cutaway",
        library / "Caches/Cutaway",
    )


def test_elsewhere_they_follow_the_xdg_specification() -> None:
    assert folders_of("linux", HOME, {}) == Folders(
        HOME / ".local/share/Cutaway",
        HOME / ".config/Cutaway",
        HOME / ".local/state/Cutaway/log",
        HOME / ".cache/Cutaway",
    )
    named = {"XDG_DATA_HOME": "/d", "XDG_STATE_HOME": "/s", "XDG_CACHE_HOME": "not/absolute"}
    assert folders_of("linux", HOME, named) == Folders(
        Path("/d/Cutaway"),
        HOME / ".config/Cutaway",
        Path("/s/Cutaway/log"),
        HOME / ".cache/Cutaway",
    )


def test_those_of_this_process_are_below_its_home(own_folders: Path) -> None:
    for folder in (folders().data, folders().config, folders().logs, folders().caches):
        assert folder.is_relative_to(own_folders)
