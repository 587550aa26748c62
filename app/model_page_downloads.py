"""The downloads as their section shows them: those in the queue, and those that are done."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from app.library.download_progress import overall
from app.model_page_download_views import download_view, overall_words

if TYPE_CHECKING:
    from app.library.download_progress import Progress


class ModelDownloads(QObject):
    """Lists downloads until they are dismissed."""

    changed = Signal(list, str)
    """The `DownloadView`s, and all of them in a line."""
    busy_changed = Signal(str)
    """All that are under way in a few words; empty for none."""
    fetching_changed = Signal(frozenset)
    """The keys of what is being fetched."""
    finished = Signal(str)
    """What loads a model that has just arrived."""

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._rows: dict[str, Progress] = {}

    def on_changed(self, progress: Progress) -> None:
        """Show how far a download is."""
        self._rows[progress.key] = progress
        self.tell()
        if progress.state == "done":
            self.finished.emit(progress.source)

    def on_removed(self, key: str) -> None:
        """Show a download no more: it was cancelled, or is done and dismissed."""
        self._rows.pop(key, None)
        self.tell()

    def on_deleted(self, source: str) -> None:
        """A model that had arrived was deleted."""
        for key in [key for key, row in self._rows.items() if row.source == source]:
            self.on_removed(key)

    def tell(self) -> None:
        """Show all."""
        rows = self._rows.values()
        words = overall_words(overall(rows))
        self.changed.emit([download_view(row) for row in rows], words)
        self.busy_changed.emit(words)
        self.fetching_changed.emit(frozenset(row.key for row in rows if row.state != "done"))
