"""Beginnings of texts for an empty playground: a press fills it."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from ui import theme as look
from ui.controls_buttons import ActionButton
from ui.inspector.meters import Heading
from ui.playground.attention_wrap import Wrap

if TYPE_CHECKING:
    from ui.theme import Theme


class Beginnings(QWidget):
    """Sentences that stop where it gets interesting; `chosen` tells which one was pressed."""

    chosen = Signal(str)

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.buttons = tuple(
            ActionButton(theme, text)
            for text in (
                self.tr("The trophy didn't fit in the suitcase because it was too"),
                self.tr("The cat sat because it was"),
                self.tr("The capital of Portugal is"),
                self.tr("1, 1, 2, 3, 5, 8, 13,"),
            )
        )
        for button in self.buttons:
            button.clicked.connect(partial(self.chosen.emit, button.text()))
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 16, 0, 0)
        column.setSpacing(look.GRID)
        column.addWidget(Heading(theme, self.tr("Or begin with")))
        column.addWidget(Wrap(self.buttons, 10))
