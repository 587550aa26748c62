"""Opens the application, or an empty window, and prints when it could be used, and at what cost.

Usable is: painted once, and the text field has taken a typed character (`app`); painted once
(`empty`).
"""

import json
import sys
import time
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from PySide6.QtWidgets import QApplication, QWidget


def main(which: str) -> int:
    """Run one of the two, and print one JSON object."""
    from PySide6.QtWidgets import QApplication

    application = QApplication([which])
    application.setQuitOnLastWindowClosed(False)
    usable_at, thread_s, modules = (_app if which == "app" else _empty)(application)
    result = {"usable_at": usable_at, "thread_s": thread_s, "modules": modules}
    sys.stdout.write(json.dumps(result) + "\n")
    return 0


def _empty(application: "QApplication") -> tuple[float, float, list[str]]:
    from PySide6.QtWidgets import QMainWindow

    window = QMainWindow()
    window.resize(1360, 860)
    window.show()
    modules = _painted(application, window)
    return *_now(), modules


def _app(application: "QApplication") -> tuple[float, float, list[str]]:
    from pathlib import Path

    from PySide6.QtCore import QEvent, Qt
    from PySide6.QtGui import QKeyEvent

    from app import collector

    collector.hold()  # as the program does
    from app.cutaway import Cutaway

    cutaway = Cutaway(application, Path.home() / "cutaway")
    cutaway.closed.connect(application.quit)
    cutaway.first_paint.painted.connect(collector.let_go)
    cutaway.start()
    draft = cutaway.window.page.composer.draft
    modules = _painted(application, draft.viewport())
    for kind in (QEvent.Type.KeyPress, QEvent.Type.KeyRelease):
        key = QKeyEvent(kind, Qt.Key.Key_A, Qt.KeyboardModifier.NoModifier, "a")
        application.sendEvent(draft, key)
    assert draft.toPlainText() == "a"
    usable_at = _now()
    cutaway.close()
    application.exec()
    return *usable_at, modules


def _now() -> tuple[float, float]:
    """The clock, and what this thread has computed since the process began, both in seconds."""
    return time.monotonic(), time.thread_time()


def _painted(application: "QApplication", widget: "QWidget") -> list[str]:
    """Run the event loop until `widget` has been painted; returns what was imported by then."""
    from PySide6.QtCore import QEvent, QObject
    from typing_extensions import override

    class Painted(QObject):
        modules: list[str] | None = None

        @override
        def eventFilter(self, watched: QObject, event: QEvent) -> bool:
            if watched is widget and event.type() == QEvent.Type.Paint and self.modules is None:
                self.modules = sorted(sys.modules)
            return False

    painted = Painted()
    widget.installEventFilter(painted)
    while painted.modules is None:
        application.processEvents()
    application.processEvents()  # the event that was seen first is delivered now
    widget.removeEventFilter(painted)
    return painted.modules


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
