"""What takes time begins when the window has been painted, and not much later where it is not."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QObject
from PySide6.QtWidgets import QWidget
from typing_extensions import override

from app.first_paint import FirstPaint

if TYPE_CHECKING:
    import pytest
    from pytestqt.qtbot import QtBot


class Seen(QWidget):
    """A window that keeps what happens to it."""

    def __init__(self) -> None:
        super().__init__()
        self.told: list[str] = []

    @override
    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Paint:
            self.told.append("paint")
        return super().event(event)


def test_it_is_told_once_after_the_first_paint(qtbot: QtBot) -> None:
    window = Seen()
    qtbot.addWidget(window)
    first = FirstPaint(window, window)
    first.painted.connect(lambda: window.told.append("told"))
    first.wait()
    window.show()
    qtbot.waitUntil(lambda: "told" in window.told)
    assert window.told[0] == "paint"
    window.update()
    qtbot.waitUntil(lambda: window.told[-1] == "paint")
    first._on_over()
    assert window.told.count("told") == 1


def test_a_window_that_is_not_painted_is_not_waited_for_long(
    qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("app.first_paint._LONGEST_MS", 10)
    window, parent = QWidget(), QObject()
    qtbot.addWidget(window)
    first = FirstPaint(window, parent)
    with qtbot.waitSignal(first.painted):
        first.wait()
