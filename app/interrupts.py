"""Ctrl-C in the terminal and a polite kill, told of on the main thread.

Python runs its signal handlers only between its own instructions, of which an idle window has
none; so the arrival of a signal also goes through a socket that Qt's loop watches.
"""

import signal
import socket
from types import FrameType

from PySide6.QtCore import QObject, QSocketNotifier, Signal

_NUMBERS = (signal.SIGINT, signal.SIGTERM)


class Interrupts(QObject):
    """Emits `asked` at the first such signal; the second one ends the process as usual."""

    asked = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._reader, self._writer = socket.socketpair()
        self._reader.setblocking(False)
        self._writer.setblocking(False)
        self._before = {number: signal.signal(number, self._on_signal) for number in _NUMBERS}
        self._wakeup_before = signal.set_wakeup_fd(self._writer.fileno())
        self._notifier = QSocketNotifier(self._reader.fileno(), QSocketNotifier.Type.Read, self)
        self._notifier.activated.connect(self._on_activated)

    def close(self) -> None:
        """Handle the signals as before."""
        self._notifier.setEnabled(False)
        signal.set_wakeup_fd(self._wakeup_before)
        for number, handler in self._before.items():
            signal.signal(number, handler)
        self._reader.close()
        self._writer.close()

    def _on_signal(self, number: int, _frame: FrameType | None) -> None:
        signal.signal(number, signal.SIG_DFL)

    def _on_activated(self) -> None:
        self._reader.recv(64)
        self.asked.emit()
