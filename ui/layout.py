"""Saving and restoring how the window stands: size, position, panes, and what was open."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtCore import QByteArray, QDataStream, QIODevice

if TYPE_CHECKING:
    from PySide6.QtGui import QAction
    from PySide6.QtWidgets import QMainWindow, QSplitter

_VERSION = 2


@dataclass(frozen=True)
class Open:
    """What is open in a window: a place by its name, and a chat by its id, "" for a new one."""

    place: str
    chat_id: str


@dataclass(frozen=True)
class Layout:
    """What is kept of a window.

    Attributes:
        window: Whose size and position.
        panes: Its panes side by side.
        sides: What shows or hides the panes at the left and at the right.
    """

    window: QMainWindow
    panes: QSplitter
    sides: tuple[QAction, QAction]

    def state(self, opened: Open, shown: tuple[bool, bool]) -> bytes:
        """All of it, for `restore` at a later start.

        Args:
            opened: What is open.
            shown: Which panes at the sides are wanted, also where one has no room just now.
        """
        state = QByteArray()
        stream = QDataStream(state, QIODevice.OpenModeFlag.WriteOnly)
        stream.writeInt32(_VERSION)
        stream << self.window.saveGeometry() << self.panes.saveState()  # pyright: ignore[reportUnusedExpression]  Qt's way to write
        for wanted in shown:
            stream.writeBool(wanted)
        stream.writeQString(opened.place)
        stream.writeQString(opened.chat_id)
        return bytes(state.data())

    def restore(self, saved: bytes) -> Open | None:
        """Take on what `state` returned; None, and nothing changed, where it is not that.

        Returns:
            What was open then; opening it again is left to the caller.
        """
        stream = QDataStream(QByteArray(saved))
        if stream.readInt32() != _VERSION:
            return None
        geometry, panes = QByteArray(), QByteArray()
        stream >> geometry >> panes  # pyright: ignore[reportUnusedExpression]  Qt's way to read
        shown = [stream.readBool() for _ in self.sides]
        opened = Open(stream.readQString(), stream.readQString())
        if stream.status() != QDataStream.Status.Ok:
            return None
        self.window.restoreGeometry(geometry)
        self.panes.restoreState(panes)
        for side, checked in zip(self.sides, shown, strict=True):
            side.setChecked(checked)
        return opened
