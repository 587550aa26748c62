"""Work on messages in slices of a few milliseconds: text that comes in, and other colours."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer, Signal

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ui.chat.message import MessageItem
    from ui.chat.reply import ReplyMessage

FRAME_MS = 16

_SLICE_S = 0.006
_REST = 3


def slice_end() -> float:
    """When a slice that begins now is over, by `time.perf_counter`."""
    return time.perf_counter() + _SLICE_S


class Frames(QObject):
    """Shows the text of replies that has come, at most once per frame."""

    shown = Signal(list)
    """These replies have other text now."""

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._pending: dict[str, ReplyMessage] = {}
        self._timer = QTimer(self, singleShot=True)
        self._timer.timeout.connect(self.show_slice)

    @property
    def waiting(self) -> bool:
        """Whether something has come that is not shown yet."""
        return bool(self._pending)

    @property
    def wait_ms(self) -> int:
        """How long the next frame is waited for."""
        return self._timer.interval()

    def schedule(self, reply: ReplyMessage) -> None:
        """Show with the next frame what has come of a reply."""
        self._pending[reply.message_id] = reply
        if not self._timer.isActive():
            self._timer.start(FRAME_MS)

    def forget(self, message_id: str) -> None:
        """A reply is there no longer."""
        self._pending.pop(message_id, None)

    def show_slice(self) -> None:
        """Show what has come since the last frame, as far as a slice reaches."""
        self._timer.stop()
        start = time.perf_counter()
        shown: list[ReplyMessage] = []
        for reply in list(self._pending.values()):
            shown.append(reply)
            if not reply.advance(start + _SLICE_S):
                del self._pending[reply.message_id]
            if time.perf_counter() > start + _SLICE_S:
                break
        self.shown.emit(shown)
        if self._pending:
            cost_ms = (time.perf_counter() - start) * 1000
            self._timer.start(max(FRAME_MS, round(cost_ms * _REST)))


class Restyling(QObject):
    """Dresses messages in other colours little by little."""

    dressed = Signal()
    """Some have other colours now, and maybe other heights."""

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._stale: list[MessageItem] = []
        self._timer = QTimer(self, singleShot=True, interval=0)
        self._timer.timeout.connect(self._on_timeout)

    @property
    def waiting(self) -> bool:
        """Whether some still have the colours of before."""
        return bool(self._stale)

    def begin(self, items: Sequence[MessageItem]) -> None:
        """Dress these, the first ones first; others that still waited need not any more."""
        self._stale = list(items)
        self._timer.start()

    def forget(self, item: MessageItem) -> None:
        """A message is there no longer."""
        if item in self._stale:
            self._stale.remove(item)

    def _on_timeout(self) -> None:
        deadline = slice_end()
        while self._stale and time.perf_counter() < deadline:
            self._stale.pop(0).restyle()
        self.dressed.emit()
        if self._stale:
            self._timer.start()
