"""The QApplication of the program: what the system says to an application as a whole."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, Signal
from PySide6.QtGui import QFileOpenEvent
from PySide6.QtWidgets import QApplication
from typing_extensions import override

if TYPE_CHECKING:
    from collections.abc import Sequence


class Application(QApplication):
    """Tells of files that Finder or the Dock wants opened.

    An event filter on the application would be called for every event of every widget.
    """

    file_opened = Signal(str)

    def __init__(self, arguments: Sequence[str], name: str) -> None:
        super().__init__(list(arguments))
        self.setApplicationName(name)
        self.setApplicationDisplayName(name)
        # The last window closes before the last word is saved; whoever saves ends the application.
        self.setQuitOnLastWindowClosed(False)

    @override
    def event(self, event: QEvent) -> bool:
        if isinstance(event, QFileOpenEvent):
            if path := event.file() or event.url().toLocalFile():
                self.file_opened.emit(path)
            return True
        return super().event(event)
