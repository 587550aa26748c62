"""What only macOS has: the Dock, a program inside an .app, a spell checker, held-off sleep.

Imported everywhere; each function decides from values, and does nothing on other systems.
"""

from __future__ import annotations

import os
import shlex
import sys
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, Literal

from PySide6.QtCore import QCoreApplication, QObject, QProcess

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from PySide6.QtWidgets import QMenu

    from ui.chat.spelling import Spelling
    from ui.state import Telemetry

TOOL = "cutaway"
_WORKING = {"loading", "prefill", "decode"}
LINK_FOLDERS = ("/usr/local/bin", "/opt/homebrew/bin")
"""Where the terminal of a Mac looks for programs: for everybody, and Homebrew's."""

LinkKind = Literal["make", "there", "taken", "refused", "moving", "none"]


def is_mac() -> bool:
    """Whether this is macOS."""
    return sys.platform == "darwin"


def program_inside(executable: PurePosixPath) -> PurePosixPath | None:
    """The program of the .app that an executable belongs to; None for one outside any."""
    contents = executable.parent.parent
    inside = executable.parent.name == "MacOS" and contents.name == "Contents"
    return executable if inside and contents.parent.suffix == ".app" else None


def will_move(program: PurePosixPath) -> bool:
    """Whether an .app runs from where it will not stay: a disk image, or where macOS put it.

    An app that was downloaded and never moved runs from a random folder, "translocated".
    """
    return program.parts[1:2] == ("Volumes",) or "AppTranslocation" in program.parts


@dataclass(frozen=True)
class Spot:
    """A place where a link to the program could stand.

    Attributes:
        path: Of the link.
        target: What stands there: the path that a link leads to, "" where nothing does, None
            where it is no link.
        folder: Whether its folder is there.
        writable: Whether this user may make a link in it.
    """

    path: PurePosixPath
    target: str | None
    folder: bool
    writable: bool


@dataclass(frozen=True)
class Link:
    """What to do for the command line.

    Attributes:
        kind: "make" the link, it is "there" already, another program has its name ("taken"), this
            user may not make it ("refused"), the app is "moving", or there is "none" to link.
        path: Of the link, where one is meant.
    """

    kind: LinkKind
    path: PurePosixPath | None = None


def plan_link(program: PurePosixPath | None, spots: Sequence[Spot]) -> Link:
    """Decide where the link to the program goes.

    A link that leads into another copy of the app is replaced; anything else that has the name is
    left alone.

    Args:
        program: Inside the .app; None where this runs from sources.
        spots: Places in the order of preference.
    """
    if program is None:
        return Link("none")
    if will_move(program):
        return Link("moving")
    for spot in spots:
        if spot.target == str(program):
            return Link("there", spot.path)
    for spot in spots:
        if spot.folder and spot.writable:
            return Link("make" if _is_free(spot) else "taken", spot.path)
    return Link("refused", spots[0].path) if spots else Link("none")


def _is_free(spot: Spot) -> bool:
    return spot.target == "" or (
        spot.target is not None and program_inside(PurePosixPath(spot.target)) is not None
    )


def look_at(path: Path) -> Spot:
    """What stands at a place."""
    target: str | None = ""
    if path.is_symlink():
        target = str(path.readlink())
    elif path.exists():
        target = None
    folder = path.parent.is_dir()
    writable = folder and os.access(path.parent, os.W_OK)
    return Spot(PurePosixPath(path), target, folder, writable)


def install_tool(executable: Path, folders: Sequence[str] = LINK_FOLDERS) -> Link:
    """Link the program where the terminal finds it; touches files, so not on the main thread.

    Args:
        executable: That of this process.
        folders: Where links may go, the best first.
    """
    program = program_inside(PurePosixPath(executable))
    link = plan_link(program, [look_at(Path(folder) / TOOL) for folder in folders])
    if link.kind != "make" or link.path is None:
        return link
    place = Path(link.path)
    try:
        place.unlink(missing_ok=True)
        place.symlink_to(executable)
    except OSError:
        return Link("refused", link.path)
    return link


def link_sentence(link: Link, executable: PurePosixPath) -> str:
    """What to tell about the link, and what to do where it could not be made."""
    translate = QCoreApplication.translate
    sentences = {
        "make": translate("Macos", "The command cutaway is installed: {path}."),
        "there": translate("Macos", "The command cutaway is installed already: {path}."),
        "taken": translate("Macos", "{path} is another program; remove it first."),
        "refused": translate("Macos", "This needs an administrator. In the terminal: {command}"),
        "moving": translate("Macos", "Move Cutaway to Applications and open it there first."),
        "none": translate("Macos", "Only the app can be linked; this runs from its sources."),
    }
    path = str(link.path or "")
    command = f"sudo ln -sf {shlex.quote(str(executable))} {shlex.quote(path)}"
    if link.kind == "refused":
        folder = shlex.quote(str(PurePosixPath(path).parent))
        command = f"sudo mkdir -p {folder} && {command}"
    return sentences[link.kind].format(path=path, command=command)


def set_dock_menu(menu: QMenu) -> bool:
    """Show a menu at the Dock's icon; False where there is no Dock."""
    # Qt has the method on macOS only, so type checkers elsewhere do not know it.
    method: Callable[[], None] | None = getattr(menu, "setAsDockMenu", None)
    if method is None:
        return False
    method()
    return True


def system_spelling(platform: str, parent: QObject) -> Spelling | None:
    """The spell checker that all programs share; None where the system has none."""
    if platform != "darwin":
        return None
    from app.mac_spelling import MacSpelling

    return MacSpelling(parent)


def reveal_command(platform: str, path: Path) -> list[str]:
    """The command that shows a file in Finder, marked; none where there is no Finder."""
    return ["/usr/bin/open", "-R", str(path)] if platform == "darwin" else []


def awake_command(platform: str, pid: int) -> list[str]:
    """The command that keeps an idle machine from sleeping while it runs; none where unknown.

    `caffeinate -i` holds off idle sleep only: a closed lid or the user still put the Mac to sleep,
    and with `-w` it ends with this process whatever happens to it.
    """
    return ["/usr/bin/caffeinate", "-i", "-w", str(pid)] if platform == "darwin" else []


class Awake(QObject):
    """Keeps the machine from sleeping out of idleness while something is being written."""

    def __init__(self, command: Sequence[str], parent: QObject) -> None:
        super().__init__(parent)
        self._command = list(command)
        self._process = QProcess(self)

    @property
    def is_held(self) -> bool:
        """Whether the machine is being kept awake."""
        return self._process.state() != QProcess.ProcessState.NotRunning

    def hold(self, *, awake: bool) -> None:
        """Begin or end to keep the machine awake."""
        if not self._command or awake == self.is_held:
            return
        if awake:
            self._process.start(self._command[0], self._command[1:])
        else:
            self._process.kill()

    def on_measured(self, telemetry: Telemetry) -> None:
        """Keep it awake while the engine works, told some ten times a second."""
        self.hold(awake=telemetry.phase in _WORKING)

    def close(self) -> None:
        """Let the machine sleep; waits for the helper's end, a few milliseconds."""
        self.hold(awake=False)
        self._process.waitForFinished(1000)
