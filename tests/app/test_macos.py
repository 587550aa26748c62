"""What is decided for macOS is decided the same everywhere."""

from __future__ import annotations

import sys
from pathlib import Path, PurePosixPath

import pytest
from PySide6.QtCore import QObject
from PySide6.QtWidgets import QMenu
from pytestqt.qtbot import QtBot

from app.macos import (
    Awake,
    Link,
    Spot,
    awake_command,
    install_tool,
    link_sentence,
    look_at,
    plan_link,
    program_inside,
    set_dock_menu,
    will_move,
)
from ui.state import Telemetry

PROGRAM = PurePosixPath("/Applications/Cutaway.app/Contents/MacOS/cutaway")
OLD = "/Users/ada/Downloads/Cutaway.app/Contents/MacOS/cutaway"
HERE = PurePosixPath("/usr/local/bin/cutaway")
BREW = PurePosixPath("/opt/homebrew/bin/cutaway")


def test_the_program_of_an_app_is_known_by_where_it_stands() -> None:
    assert program_inside(PROGRAM) == PROGRAM
    for other in ("/usr/bin/python3", "/work/Contents/MacOS/cutaway", "/cutaway", "cutaway"):
        assert program_inside(PurePosixPath(other)) is None


@pytest.mark.parametrize(
    ("path", "moving"),
    [
        (str(PROGRAM), False),
        ("/Volumes/Cutaway/Cutaway.app/Contents/MacOS/cutaway", True),
        ("/private/var/folders/x/d/AppTranslocation/1/d/Cutaway.app/Contents/MacOS/cutaway", True),
        ("/Users/ada/Volumes/Cutaway.app/Contents/MacOS/cutaway", False),
    ],
)
def test_an_app_that_will_move_is_not_linked(path: str, *, moving: bool) -> None:
    program = PurePosixPath(path)
    assert will_move(program) is moving
    free = Spot(HERE, "", folder=True, writable=True)
    assert plan_link(program, [free]).kind == ("moving" if moving else "make")


@pytest.mark.parametrize(
    ("spots", "link"),
    [
        ([Spot(HERE, "", True, True)], Link("make", HERE)),
        ([Spot(HERE, OLD, True, True)], Link("make", HERE)),
        ([Spot(HERE, "/opt/other", True, True)], Link("taken", HERE)),
        ([Spot(HERE, None, True, True)], Link("taken", HERE)),
        ([Spot(HERE, str(PROGRAM), True, False)], Link("there", HERE)),
        ([Spot(HERE, "", True, False)], Link("refused", HERE)),
        ([Spot(HERE, "", True, False), Spot(BREW, "", True, True)], Link("make", BREW)),
        ([Spot(HERE, "", True, True), Spot(BREW, str(PROGRAM), True, True)], Link("there", BREW)),
        ([Spot(HERE, "", False, False), Spot(BREW, "", False, False)], Link("refused", HERE)),
        ([], Link("none")),
    ],
)
def test_where_the_link_goes(spots: list[Spot], link: Link) -> None:
    assert plan_link(PROGRAM, spots) == link
    assert plan_link(None, spots) == Link("none")


def test_the_link_is_made_once_and_leads_to_the_program(tmp_path: Path) -> None:
    program = tmp_path / "Cutaway.app/Contents/MacOS/cutaway"
    program.parent.mkdir(parents=True)
    program.touch()
    bin_folder = tmp_path / "bin"
    folders = [str(tmp_path / "missing"), str(bin_folder)]
    assert install_tool(program, folders).kind == "refused"
    bin_folder.mkdir()
    assert install_tool(program, folders) == Link("make", PurePosixPath(bin_folder / "cutaway"))
    assert (bin_folder / "cutaway").resolve() == program
    assert install_tool(program, folders).kind == "there"
    moved = tmp_path / "Other.app/Contents/MacOS/cutaway"
    assert install_tool(moved, folders).kind == "make"
    assert (bin_folder / "cutaway").readlink() == moved
    (bin_folder / "cutaway").unlink()
    (bin_folder / "cutaway").write_text("another program", encoding="utf-8")
    assert install_tool(program, folders).kind == "taken"
    assert look_at(bin_folder / "cutaway").target is None
    assert install_tool(Path(sys.executable), folders).kind == "none"


def test_every_outcome_has_its_sentence() -> None:
    program = PurePosixPath("/Applications/My Apps/Cutaway.app/Contents/MacOS/cutaway")
    kinds = ("make", "there", "taken", "refused", "moving", "none")
    sentences = [link_sentence(Link(kind, HERE), program) for kind in kinds]
    assert len(set(sentences)) == len(kinds)
    assert str(HERE) in sentences[0]
    command = sentences[3].partition(": ")[2]
    assert command == (
        f"sudo mkdir -p /usr/local/bin && sudo ln -sf '{program}' /usr/local/bin/cutaway"
    )


def test_a_menu_goes_to_the_dock_where_there_is_one(qtbot: QtBot) -> None:
    menu = QMenu()
    qtbot.addWidget(menu)
    assert set_dock_menu(menu) is (sys.platform == "darwin")


def test_the_machine_is_kept_awake_by_a_process_that_ends_with_this_one() -> None:
    assert awake_command("darwin", 42) == ["/usr/bin/caffeinate", "-i", "-w", "42"]
    assert awake_command("linux", 42) == []


def test_it_is_kept_awake_from_the_first_to_the_last(qtbot: QtBot) -> None:
    parent = QObject()
    awake = Awake(["sleep", "1000"], parent)
    awake.hold(awake=True)
    awake.hold(awake=True)
    assert awake.is_held
    awake.hold(awake=False)
    qtbot.waitUntil(lambda: not awake.is_held)
    awake.on_measured(Telemetry(phase="decode"))
    assert awake.is_held
    awake.on_measured(Telemetry(phase="idle"))
    qtbot.waitUntil(lambda: not awake.is_held)
    awake.on_measured(Telemetry(phase="prefill"))
    awake.close()
    assert not awake.is_held


def test_where_nothing_can_keep_it_awake_nothing_is_tried() -> None:
    parent = QObject()
    idle, broken = Awake([], parent), Awake(["/no/such/program"], parent)
    for awake in (idle, broken):
        awake.hold(awake=True)
        awake.close()
        assert not awake.is_held
