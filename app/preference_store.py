"""Keeps the preferences: in force at once, in their file a moment later."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, QTimer, Signal

from app.later import Later
from app.library.json_file import JsonFile
from app.preferences import USUAL, Preferences, preferences_of

if TYPE_CHECKING:
    from pathlib import Path

    from ui.fields import Value

_SAVE_AFTER_MS = 300


class PreferenceStore(QObject):
    """The preferences in force.

    `changed` tells of every change, `failed` with a sentence of what could not be read or kept.
    """

    changed = Signal(Preferences)
    failed = Signal(str)

    def __init__(self, path: Path, parent: QObject | None = None) -> None:
        """Read the file; it is small, and the window cannot be built before.

        Args:
            path: The file; none need be there.
            parent: Owns this object.
        """
        super().__init__(parent)
        self._file = JsonFile(path)
        self._now = preferences_of(self._file.read())
        self._notice = self._file.notice
        self._later = Later(lambda error: self.failed.emit(str(error)), self)
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="preferences")
        self._timer = QTimer(self, singleShot=True, interval=_SAVE_AFTER_MS)
        self._timer.timeout.connect(self._save)

    @property
    def now(self) -> Preferences:
        """The preferences in force."""
        return self._now

    def start(self) -> None:
        """Tell of what is in force, and of what was wrong with the file."""
        self.changed.emit(self._now)
        if self._notice:
            self.failed.emit(self._notice)

    def set(self, name: str, value: Value) -> None:
        """Put one preference in force, and keep it.

        Args:
            name: Which.
            value: One that its field takes.
        """
        self._take(self._now.changed(name, value))

    def reset(self) -> None:
        """Put everything back as it usually is."""
        self._take(USUAL)

    def close(self) -> None:
        """Keep what is not kept yet, and end; nothing is saved afterwards."""
        if self._timer.isActive():
            self._timer.stop()
            self._save()
        self._thread.shutdown()

    def _take(self, preferences: Preferences) -> None:
        if preferences != self._now:
            self._now = preferences
            self._timer.start()
            self.changed.emit(preferences)

    def _save(self) -> None:
        values = self._now.values

        def alter(kept: dict[str, Any]) -> None:
            kept.update(values)  # what a newer version has put there stays

        self._later.deliver(self._thread.submit(self._file.change, alter))
