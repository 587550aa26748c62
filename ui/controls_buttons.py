"""Buttons with a ground: the one main action of a page, and the plain ones beside it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFont, QFontMetrics, QPainter, QPen
from PySide6.QtWidgets import QSizePolicy
from typing_extensions import override

from ui import theme as look
from ui.controls import Pressable

if TYPE_CHECKING:
    from PySide6.QtGui import QPaintEvent

    from ui.theme import Theme

_PAD = 13
_HEIGHT = 30
_SHORTCUT_GAP = 7


class ActionButton(Pressable):
    """A word on a ground: the accent for the main action, a hairline frame for the others."""

    def __init__(
        self, theme: Theme, text: str, *, main: bool = False, shortcut_words: str = ""
    ) -> None:
        """Make the button.

        Args:
            theme: Colours and fonts.
            text: What it does, a verb first.
            main: Whether it is the main action; a page has one.
            shortcut_words: The keys that do the same, shown after the word: "⌘⏎".
        """
        super().__init__(theme)
        self._main = main
        self._shortcut_words = shortcut_words
        weight = QFont.Weight.Medium if main else QFont.Weight.Normal
        self.setFont(theme.font(look.TEXT - 1, weight))
        self.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
        self.set_label(text)

    def set_label(self, text: str) -> None:
        """Show another word."""
        self.setText(text)
        self.setAccessibleName(text)
        self.updateGeometry()
        self.update()

    @override
    def sizeHint(self) -> QSize:
        metrics = QFontMetrics(self.font())
        keys = metrics.horizontalAdvance(self._shortcut_words)
        gap = _SHORTCUT_GAP if keys else 0
        return QSize(metrics.horizontalAdvance(self.text()) + gap + keys + 2 * _PAD, _HEIGHT)

    @override
    def minimumSizeHint(self) -> QSize:
        return QSize(min(self.sizeHint().width(), 56), _HEIGHT)

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        ink, quiet = self._paint_ground(painter)
        rect = self.rect().adjusted(_PAD, 0, -_PAD, 0)
        metrics = QFontMetrics(self.font())
        keys = metrics.horizontalAdvance(self._shortcut_words)
        room = rect.width() - (keys + _SHORTCUT_GAP if keys else 0)
        words = metrics.elidedText(self.text(), Qt.TextElideMode.ElideRight, room + 1)
        total = metrics.horizontalAdvance(words) + (keys + _SHORTCUT_GAP if keys else 0)
        left = rect.x() + max((rect.width() - total) // 2, 0)
        middle = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft
        painter.setPen(QColor(ink))
        painter.drawText(QRectF(left, 0, room + 2, self.height()), middle, words)
        if keys:
            painter.setPen(QColor(quiet))
            end = QRectF(left + total - keys, 0, keys + 2, self.height())
            painter.drawText(end, middle, self._shortcut_words)
        self._paint_focus(painter)

    def _paint_ground(self, painter: QPainter) -> tuple[str, str]:
        """Draw the ground; returns the colours of the word and of its keys."""
        colors = self._theme.colors
        frame = QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5)
        radius = look.BUTTON_RADIUS
        if self._main and self.isEnabled():
            fill = QColor(colors.accent)
            if self.isDown():
                fill = fill.darker(110)
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(fill)
            painter.drawRoundedRect(self.rect(), radius, radius)
            return colors.on_accent, colors.on_accent
        painter.setPen(QPen(QColor(colors.hairline), 1))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        if self.isEnabled() and (self.hovered or self.isDown() or self.isChecked()):
            painter.setBrush(QColor(colors.fill))
        painter.drawRoundedRect(frame, radius, radius)
        if not self.isEnabled():
            return colors.faint, colors.faint
        return colors.text, colors.dim

    def _paint_focus(self, painter: QPainter) -> None:
        """The ring: in the accent's own colour it would not be seen on the main button."""
        if not (self._main and self.isEnabled()):
            self.paint_ring(painter, look.BUTTON_RADIUS)
        elif self._ring:
            painter.setPen(QPen(QColor(self._theme.colors.text), 2))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            rect = QRectF(self.rect()).adjusted(1, 1, -1, -1)
            painter.drawRoundedRect(rect, look.BUTTON_RADIUS, look.BUTTON_RADIUS)
