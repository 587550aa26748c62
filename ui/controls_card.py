"""A card: a hairline frame round a few widgets that belong together."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QRectF
from PySide6.QtGui import QColor, QPainter, QPen
from PySide6.QtWidgets import QVBoxLayout, QWidget
from typing_extensions import override

from ui import theme as look

if TYPE_CHECKING:
    from PySide6.QtGui import QPaintEvent

    from ui.theme import Theme

_PAD = 18


class CardFrame(QWidget):
    """Add widgets to `column`; the frame keeps them off its edge."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self.column = QVBoxLayout(self)
        self.column.setContentsMargins(_PAD, _PAD - 3, _PAD, _PAD - 3)
        self.column.setSpacing(look.GRID)
        theme.changed.connect(self.update)

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(QColor(self._theme.colors.hairline), 1))
        frame = QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5)
        painter.drawRoundedRect(frame, look.BLOCK_RADIUS, look.BLOCK_RADIUS)
