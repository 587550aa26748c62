"""Where the token for the hub is entered, once, and forgotten."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QVBoxLayout, QWidget

from ui import theme as look
from ui.announce import announce
from ui.controls import QuietButton
from ui.controls_buttons import ActionButton
from ui.entries import LineField
from ui.exhibits.words import Words

if TYPE_CHECKING:
    from ui.theme import Theme


class TokenEntry(QWidget):
    """A line for the token, below a few words on where one is had.

    Args:
        theme: Colours and fonts.
        about: The words.
    """

    given = Signal(str)
    forgotten = Signal()

    def __init__(self, theme: Theme, about: str) -> None:
        super().__init__()
        words = Words(theme, about, size=look.CAPTION, tone="dim")
        self.line = LineField(theme, self)
        self.line.setEchoMode(QLineEdit.EchoMode.Password)
        self.line.setPlaceholderText("hf_…")
        self.line.setAccessibleName(self.tr("Access token"))
        self.line.setFixedHeight(30)
        self.line.setTextMargins(8, 0, 8, 0)
        self.keep = ActionButton(theme, self.tr("Keep token"))
        self.forget = QuietButton(theme, self.tr("Forget token"), size=look.TEXT - 1)
        self.sentence = Words(theme, size=look.CAPTION, tone="dim")
        self.sentence.hide()
        row = QHBoxLayout()
        row.setSpacing(10)
        row.addWidget(self.line, 1)
        row.addWidget(self.keep)
        row.addWidget(self.forget)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 4, 0, 0)
        column.setSpacing(6)
        column.addWidget(words)
        column.addLayout(row)
        column.addWidget(self.sentence)
        self.keep.clicked.connect(self._on_keep)
        self.line.entered.connect(self._on_keep)
        self.forget.clicked.connect(self.forgotten)

    def tell(self, sentence: str) -> None:
        """Say what became of the token."""
        self.sentence.setText(sentence)
        self.sentence.setVisible(bool(sentence))
        if self.isVisible():
            announce(self, sentence)

    def _on_keep(self, *_: object) -> None:
        token = self.line.text().strip()
        if token:
            self.line.clear()
            self.given.emit(token)
