"""Python's garbage collector, kept from looking through what stays for good.

A full pass over all that the imports and the window hold takes longer than a frame; it would come
in the middle of a reply.
"""

from __future__ import annotations

import gc

from PySide6.QtCore import QObject


class Collector(QObject):
    """Sets aside what is alive once the first model is loaded; later objects are collected."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._set_aside = False

    def on_loaded(self) -> None:
        """Set it aside, once: doing so again would keep what by then is garbage in cycles."""
        if not self._set_aside:
            self._set_aside = True
            gc.freeze()
