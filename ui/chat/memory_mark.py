"""Where the model's memory of a chat begins: a dashed line, and a veil over what is forgotten."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QColor, QPainter, QPen
from PySide6.QtWidgets import QWidget
from typing_extensions import override

from ui import theme as look

if TYPE_CHECKING:
    from PySide6.QtGui import QPaintEvent

    from ui.theme import Theme

MARK_HEIGHT = 44


class MemoryMark(QWidget):
    """A dashed line with a sentence in its middle."""

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme = theme
        self._text = self.tr("The model's memory begins here · the system prompt is pinned")
        self._short = self.tr("The model's memory begins here")
        self.setFont(theme.font(look.CAPTION))
        self.setAccessibleName(self._text)
        self.setToolTip(self.tr("The messages above no longer fit into the model's context."))
        theme.changed.connect(self.update)
        self.hide()

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        metrics = painter.fontMetrics()
        fits = metrics.horizontalAdvance(self._text) + 96 < self.width()
        text = self._text if fits else self._short
        half = metrics.horizontalAdvance(text) // 2 + 12
        middle, y = self.width() // 2, self.height() // 2 - 9
        painter.setPen(QPen(QColor(self._theme.colors.faint), 1, Qt.PenStyle.DashLine))
        painter.drawLine(0, y, middle - half, y)
        painter.drawLine(middle + half, y, self.width(), y)
        painter.setPen(QColor(self._theme.colors.dim))
        painter.drawText(self.rect().adjusted(0, 0, 0, -18), Qt.AlignmentFlag.AlignCenter, text)


class Veil(QWidget):
    """Dims its parent, and lets the pointer through.

    Ink that is stronger than `Colors.faded` becomes as weak as that; grounds and weaker inks stay
    as they are, so that nothing falls below the contrast that it has to have.
    """

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme = theme
        self._covered = parent
        self._above: list[QWidget] = []
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        parent.installEventFilter(self)
        self.hide()

    def leave_out(self, part: QWidget) -> None:
        """Lie under a part of the parent, which is too dim already to be dimmed."""
        self._above.append(part)

    def cover(self) -> None:
        """Lie over all that the parent shows."""
        self.setGeometry(self._covered.rect())
        self.raise_()
        for part in self._above:
            part.raise_()

    @override
    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() in (QEvent.Type.Resize, QEvent.Type.ChildAdded) and not self.isHidden():
            self.cover()
        return False

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        modes = QPainter.CompositionMode
        painter = QPainter(self)
        painter.setCompositionMode(
            modes.CompositionMode_Darken if self._theme.dark else modes.CompositionMode_Lighten
        )
        painter.fillRect(self.rect(), QColor(self._theme.colors.faded))
