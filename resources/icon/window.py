"""The icon as Qt shows it: in title bars, task bars, and in the Dock when run from sources."""

from __future__ import annotations

import sys

from PySide6.QtGui import QIcon

from resources.icon.draw import FOLDER, SIZES, png


def window_icon() -> QIcon:
    """The icon in every size; none inside an .app, whose own one macOS dresses for its Dock."""
    icon = QIcon()
    if not (sys.platform == "darwin" and getattr(sys, "frozen", False)):
        for size in SIZES:
            icon.addFile(str(png(FOLDER, size)))
    return icon
