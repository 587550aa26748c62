"""Paragraphs between the parts of a view."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtGui import QColor
from PySide6.QtWidgets import QLabel, QSizePolicy

from ui import theme as look

if TYPE_CHECKING:
    from ui.theme import Theme


def paragraph(theme: Theme, text: str = "") -> QLabel:
    """A paragraph of plain text that wraps, as dim as captions are."""
    label = QLabel(text)
    label.setFont(theme.font(look.CAPTION + 0.5))
    label.setTextFormat(Qt.TextFormat.PlainText)
    label.setWordWrap(True)
    label.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)

    def dress() -> None:
        palette = label.palette()
        palette.setColor(palette.ColorRole.WindowText, QColor(theme.colors.dim))
        label.setPalette(palette)

    dress()
    theme.changed.connect(dress)
    return label
