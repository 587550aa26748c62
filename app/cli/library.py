"""What the commands of the model library have in common."""

import json
import sys
from collections.abc import Callable

from app.chats.loose import as_mapping
from app.library.library import Library
from app.model_library import places_in
from app.paths import folders


def library() -> Library:
    """The library of whoever runs this process, with the folder that the window keeps it in."""
    folder = preferred("models_folder")
    return Library(places_in(folders().data, folder if isinstance(folder, str) else ""))


def preferred(name: str) -> object:
    """What was chosen in the window's preferences; None for what is as usual.

    Read as it is: what is made of the file there needs more of Qt than a command should load.
    """
    path = folders().config / "preferences.json"
    try:
        values: object = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError):
        return None
    return as_mapping(values).get(name)


def progress(what: str) -> Callable[[float], None]:
    """A function that shows a share, 0 to 1, in one line of a terminal; silent elsewhere."""
    shown = -1

    def report(share: float) -> None:
        nonlocal shown
        percent = int(share * 100)
        if percent != shown and sys.stderr.isatty():
            shown = percent
            end = "\n" if percent >= 100 else ""
            sys.stderr.write(f"\r{what} {percent:3} %{end}")
            sys.stderr.flush()

    return report
