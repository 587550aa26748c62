"""What the commands of the model library have in common."""

import sys
from collections.abc import Callable

from app.library.library import Library
from app.library.places import places


def library() -> Library:
    """The library of whoever runs this process."""
    return Library(places())


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
