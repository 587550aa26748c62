"""Stop strings: text is held back while it could still become one."""

from collections.abc import Sequence

from engine.errors import SettingError


class StopText:
    """Finds the first of several stop strings in a stream of text pieces of any size."""

    def __init__(self, stop: Sequence[str]) -> None:
        if isinstance(stop, str) or any(not text for text in stop):
            raise SettingError("Stop texts must be given as a list of texts that are not empty.")
        self._stop = tuple(stop)
        self._held = ""

    def add(self, text: str) -> tuple[str, bool]:
        """Take the next piece.

        Returns:
            What can be shown now, and whether a stop string was found; the text before it is
            shown, the stop string and what follows are not.
        """
        self._held += text
        found = [at for stop in self._stop if (at := self._held.find(stop)) >= 0]
        if found:
            shown, self._held = self._held[: min(found)], ""
            return shown, True
        keep = max((_overlap(self._held, stop) for stop in self._stop), default=0)
        cut = len(self._held) - keep
        shown, self._held = self._held[:cut], self._held[cut:]
        return shown, False

    def finish(self) -> str:
        """What was held back and did not become a stop string."""
        shown, self._held = self._held, ""
        return shown


def _overlap(text: str, stop: str) -> int:
    """Length of the longest end of `text` that `stop` begins with, short of all of `stop`."""
    for size in range(min(len(text), len(stop) - 1), 0, -1):
        if stop.startswith(text[-size:]):
            return size
    return 0
