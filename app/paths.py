"""Where the application keeps its files, as each system wants it.

Written out rather than taken from platformdirs: on macOS that follows XDG variables before Apple's
guide, and it gives the folders of the system it runs on only.
"""

from __future__ import annotations

import os
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

NAME = "Cutaway"


@dataclass(frozen=True)
class Folders:
    """The application's own folders; none of them need exist.

    Attributes:
        data: What must be kept: chats and sessions.
        config: What the user chose.
        logs: What was noted while it ran.
        caches: What can be made or fetched again.
    """

    data: Path
    config: Path
    logs: Path
    caches: Path


def folders() -> Folders:
    """The folders of whoever runs this process."""
    return folders_of(sys.platform, Path.home(), os.environ)


def folders_of(platform: str, home: Path, environ: Mapping[str, str]) -> Folders:
    """The folders by the rules of a system.

    On macOS they are those of Apple's File System Programming Guide, elsewhere those of the XDG
    Base Directory Specification, whose relative paths are to be ignored.

    Args:
        platform: As `sys.platform` names it.
        home: The user's home folder.
        environ: The environment.
    """
    if platform == "darwin":
        library = home / "Library"
        return Folders(
            library / "Application Support" / NAME,
            library / "Application Support" / NAME,
            library / "Logs" / NAME,
            library / "Caches" / NAME,
        )

    def base(variable: str, usual: str) -> Path:
        named = Path(environ.get(variable, ""))
        return (named if named.is_absolute() else home / usual) / NAME

    return Folders(
        base("XDG_DATA_HOME", ".local/share"),
        base("XDG_CONFIG_HOME", ".config"),
        base("XDG_STATE_HOME", ".local/state") / "log",
        base("XDG_CACHE_HOME", ".cache"),
    )
