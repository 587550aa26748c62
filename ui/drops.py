"""Files that are dragged over a field for text: they are for what the field stands in."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from PySide6.QtCore import QMimeData
    from PySide6.QtGui import QDragEnterEvent


def local_files(source: QMimeData) -> list[str]:
    """The paths of the files on this machine that are pasted or dropped; no folders of them."""
    return [url.toLocalFile() for url in source.urls() if url.isLocalFile()]


def leaves_files(event: QDragEnterEvent) -> bool:
    """Refuse files, so that Qt offers them to the page and the window; whether there were any.

    A field would write their addresses into its text.
    """
    if not local_files(event.mimeData()):
        return False
    event.ignore()
    return True
