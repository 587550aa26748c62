"""Python's garbage collector: it waits while the program starts, and leaves alone what stays.

Looking for garbage takes a tenth of a start, in which nothing is thrown away. A full pass over
all that the imports and the window hold takes longer than a frame; it would come in the middle
of a reply. No Qt here: the wait begins before Qt is imported.
"""

from __future__ import annotations

import gc


def hold() -> None:
    """Collect nothing until the window is there: what a start makes lives on."""
    gc.disable()


def let_go() -> None:
    """Collect as usual."""
    gc.enable()


class Collector:
    """Sets aside what is alive once the first model is loaded; later objects are collected."""

    def __init__(self) -> None:
        self._set_aside = False

    def on_loaded(self) -> None:
        """Set it aside, once: doing so again would keep what by then is garbage in cycles."""
        if not self._set_aside:
            self._set_aside = True
            gc.freeze()
