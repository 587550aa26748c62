"""Whether there is a display for the window: Qt, which finds none, ends the process."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

_INSTEAD = "`cutaway chat` works in the terminal."


def display_problem(platform: str = sys.platform, environ: Mapping[str, str] = os.environ) -> str:
    """Why no window can be opened, in a sentence; "" where nothing is known against it.

    A platform of Qt's that was asked for by name counts as a display.

    Args:
        platform: As `sys.platform` names it.
        environ: The environment.
    """
    if platform != "linux" or environ.get("QT_QPA_PLATFORM") or environ.get("WAYLAND_DISPLAY"):
        return ""
    display = environ.get("DISPLAY", "")
    if not display:
        return f"There is no display here; {_INSTEAD}"
    return "" if _answers(display) else f"The display {display} does not answer; {_INSTEAD}"


def _answers(display: str) -> bool:
    """Whether an X server lets this process in, by the library that Qt itself asks."""
    import ctypes  # late: a Mac needs none of this

    try:
        xcb = ctypes.CDLL("libxcb.so.1")
    except OSError:  # Qt says what it lacks
        return True
    xcb.xcb_connect.restype = ctypes.c_void_p
    xcb.xcb_connect.argtypes = ctypes.c_char_p, ctypes.c_void_p
    xcb.xcb_connection_has_error.argtypes = (ctypes.c_void_p,)
    xcb.xcb_disconnect.argtypes = (ctypes.c_void_p,)
    connection = xcb.xcb_connect(os.fsencode(display), None)
    failed = xcb.xcb_connection_has_error(connection)
    xcb.xcb_disconnect(connection)
    return not failed
