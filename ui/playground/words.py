"""Paragraphs between the parts of a view."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QSizePolicy

from ui import theme as look
from ui.controls import color_words

if TYPE_CHECKING:
    from ui.theme import Theme


class Paragraph(QLabel):
    """Plain text that wraps, as dim as captions are; it follows the theme."""

    def __init__(self, theme: Theme, text: str = "", *, size: float = look.CAPTION + 0.5) -> None:
        super().__init__(text)
        self._theme = theme
        self.setFont(theme.font(size))
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setWordWrap(True)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self._dress()
        theme.changed.connect(self._dress)

    def _dress(self) -> None:
        color_words(self, self._theme.colors.dim)
