"""Small links to the exhibits that show what a part of the window is about."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QWidget

from ui import theme as look
from ui.controls import QuietButton

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ui.theme import Theme


class ExhibitLinks(QWidget):
    """One link for each exhibit, in a line."""

    chosen = Signal(int)
    """The number of an exhibit."""

    def __init__(self, theme: Theme, numbers: Sequence[int]) -> None:
        super().__init__()
        self._buttons: dict[int, QuietButton] = {}
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 2, 0, 0)
        row.setSpacing(2)
        for number in numbers:
            name = self.tr("Exhibit {number}").format(number=number)
            button = QuietButton(theme, name, size=look.HEAD)
            button.setToolTip(self.tr("See it measured in exhibit {number}").format(number=number))
            button.setAccessibleName(name)
            button.clicked.connect(self._on_clicked)
            self._buttons[number] = button
            row.addWidget(button)
        row.addStretch(1)

    def button(self, number: int) -> QuietButton:
        """The link to an exhibit."""
        return self._buttons[number]

    def _on_clicked(self) -> None:
        for number, button in self._buttons.items():
            if button is self.sender():
                self.chosen.emit(number)
