"""Waits until the window can be seen and used: what takes the interpreter's time begins then."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QObject, QTimer, Signal
from typing_extensions import override

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

_LONGEST_MS = 1000
"""A window that is opened minimised is not painted."""


class FirstPaint(QObject):
    """Emits `painted` once, when the window has been painted or a moment has gone by."""

    painted = Signal()

    def __init__(self, window: QWidget, parent: QObject) -> None:
        super().__init__(parent)
        self._window = window
        self._waits = True

    def wait(self) -> None:
        """Begin to wait, as the window is shown."""
        self._window.installEventFilter(self)
        QTimer.singleShot(_LONGEST_MS, self, self._on_over)

    @override
    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Paint:
            self._window.removeEventFilter(self)
            # The parts of the window are painted with it, after this event.
            QTimer.singleShot(0, self, self._on_over)
        return False

    def _on_over(self) -> None:
        if self._waits:
            self._waits = False
            self.painted.emit()
