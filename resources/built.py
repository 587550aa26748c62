"""What a built bundle knows of itself: version, commit, libraries, and what must be inside."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from pathlib import Path

FOLDER = Path(__file__).parent
NAME = "built.json"


@dataclass(frozen=True)
class Built:
    """Written by the build, read by the program.

    Attributes:
        version: Of Cutaway.
        commit: Of the sources; with `+` where they had uncommitted changes.
        libraries: Versions by distribution.
        modules: Modules that are imported late, so that nothing else would miss them.
        files: Data files beside this one, relative to the folder that holds `resources`.
    """

    version: str
    commit: str
    libraries: dict[str, str]
    modules: tuple[str, ...]
    files: tuple[str, ...]

    def write(self, path: Path) -> None:
        """Write this as JSON."""
        text = json.dumps(asdict(self), indent=1, sort_keys=True)
        path.write_text(text + "\n", encoding="utf-8")


def read(folder: Path = FOLDER) -> Built | None:
    """What the bundle around this file knows; None where the program was not built into one.

    Raises:
        OSError: The file cannot be read.
        ValueError: It is damaged.
    """
    if not (folder / NAME).exists():
        return None
    found = json.loads((folder / NAME).read_text(encoding="utf-8"))
    try:
        return Built(
            version=str(found["version"]),
            commit=str(found["commit"]),
            libraries={str(key): str(value) for key, value in found["libraries"].items()},
            modules=tuple(map(str, found["modules"])),
            files=tuple(map(str, found["files"])),
        )
    except (KeyError, TypeError, AttributeError) as error:
        raise ValueError(f"{NAME} is damaged: {error}") from error
