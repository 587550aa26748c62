"""The mark of a temporary chat: what it means, and the two ways out of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QColor, QPainter, QPen
from PySide6.QtWidgets import QHBoxLayout, QWidget
from typing_extensions import override

from ui import theme as look
from ui.controls import ElidedLabel, QuietButton

if TYPE_CHECKING:
    from PySide6.QtGui import QPaintEvent

    from ui.theme import Theme


class TemporaryBar(QWidget):
    """A bar under the header, there as long as the chat is shown."""

    keep_requested = Signal()
    end_requested = Signal()

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self._text = ElidedLabel(theme.font(look.TEXT - 1), self)
        self._text.set_whole(
            self.tr("Temporary chat: nothing of it is written to disk, and it ends with Cutaway.")
        )
        self.keep = QuietButton(theme, self.tr("Keep It"), size=look.TEXT - 1)
        self.end = QuietButton(theme, self.tr("End It"), size=look.TEXT - 1, strong=True)
        self.keep.setToolTip(self.tr("Move this chat to the others"))
        self.end.setToolTip(self.tr("Forget this chat now"))
        self.keep.clicked.connect(self.keep_requested)
        self.end.clicked.connect(self.end_requested)
        row = QHBoxLayout(self)
        row.setContentsMargins(20, 5, 12, 6)
        row.setSpacing(4)
        row.addWidget(self._text, 1)
        row.addWidget(self.keep)
        row.addWidget(self.end)
        self.setAccessibleName(self._text.whole)
        theme.changed.connect(self._dress)
        self._dress()
        self.hide()

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setPen(QPen(QColor(self._theme.colors.faint), 1, Qt.PenStyle.DashLine))
        painter.drawLine(0, self.height() - 1, self.width(), self.height() - 1)

    def _dress(self) -> None:
        self._text.set_color(self._theme.colors.dim)
        self.update()
