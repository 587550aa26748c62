"""A segmented control: a few words in a row, of which one is chosen."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QFontMetrics, QPainter, QPen
from PySide6.QtWidgets import QButtonGroup, QHBoxLayout, QSizePolicy, QWidget
from typing_extensions import override

from ui import theme as look
from ui.controls import Pressable

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtGui import QPaintEvent

    from ui.theme import Theme

_PAD = 15
_MARGIN = 2


class _Segment(Pressable):
    """One of the words; the chosen one stands on a sheet of the page's colour."""

    def __init__(self, theme: Theme, text: str, height: int) -> None:
        super().__init__(theme)
        self.setText(text)
        self.setAccessibleName(text)
        self.setCheckable(True)
        self.setFont(theme.font(look.TEXT - 1))
        self._height = height
        self.setSizePolicy(QSizePolicy.Policy.Minimum, QSizePolicy.Policy.Fixed)

    @override
    def sizeHint(self) -> QSize:
        width = QFontMetrics(self.font()).horizontalAdvance(self.text())
        return QSize(width + 2 * _PAD, self._height)

    @override
    def minimumSizeHint(self) -> QSize:
        width = QFontMetrics(self.font()).horizontalAdvance(self.text())
        return QSize(width + _PAD, self._height)

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        colors = self._theme.colors
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if self.isChecked():
            painter.setPen(QPen(QColor(colors.hairline), 1))
            painter.setBrush(QColor(colors.page))
            frame = QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5)
            painter.drawRoundedRect(frame, look.ROW_RADIUS - 1, look.ROW_RADIUS - 1)
        painter.setPen(QColor(colors.text if self.isChecked() or self.hovered else colors.dim))
        painter.drawText(self.rect(), Qt.AlignmentFlag.AlignCenter, self.text())
        self.paint_ring(painter, look.ROW_RADIUS - 1)


class Segments(QWidget):
    """The control. `chosen` tells the number of the word that the user chose.

    One stop of the Tab key; the arrow keys go from word to word, as in any group of choices.
    """

    chosen = Signal(int)

    def __init__(self, theme: Theme, texts: Sequence[str], name: str, height: int = 27) -> None:
        super().__init__()
        self._theme = theme
        self._group = QButtonGroup(self)
        self.setAccessibleName(name)
        self.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
        row = QHBoxLayout(self)
        row.setContentsMargins(_MARGIN, _MARGIN, _MARGIN, _MARGIN)
        row.setSpacing(0)
        for number, text in enumerate(texts):
            segment = _Segment(theme, text, height)
            self._group.addButton(segment, number)
            row.addWidget(segment)
        self.set_current(0)
        self._group.idClicked.connect(self.chosen)
        theme.changed.connect(self.update)

    @property
    def current(self) -> int:
        """The number of the chosen word."""
        return self._group.checkedId()

    def set_current(self, number: int) -> None:
        """Choose a word, without telling of it."""
        self._group.button(number).setChecked(True)

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(self._theme.colors.fill))
        painter.drawRoundedRect(self.rect(), look.BUTTON_RADIUS, look.BUTTON_RADIUS)
