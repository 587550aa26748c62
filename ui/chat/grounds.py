"""What is painted under a reply's text: quotation bars, rules, code in lists, dots and boxes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QPoint, QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFontMetrics, QPainter, QPen

from ui.chat.markdown import BULLET, CODE, GROUNDS, QUOTE, RULE, TASK

if TYPE_CHECKING:
    from PySide6.QtGui import QTextBlock
    from PySide6.QtWidgets import QTextEdit

    from ui.theme import Theme

_AROUND = 22
_CODE_PAD = 6
_TICK = ((0.24, 0.52), (0.43, 0.72), (0.77, 0.3))


class Grounds:
    """Paints the grounds of a text's blocks, by the properties that their writer gave them."""

    def __init__(self, text: QTextEdit, theme: Theme) -> None:
        self._text = text
        self._theme = theme

    def paint(self, painter: QPainter, area: QRectF) -> None:
        """Paint what lies under the text of an area, before the text itself."""
        layout = self._text.document().documentLayout()
        block = self._text.cursorForPosition(QPoint(0, round(area.top()) - _AROUND)).block()
        colors = self._theme.colors
        while block.isValid():
            rect = layout.blockBoundingRect(block)
            if rect.top() > area.bottom() + _AROUND:
                break
            style = block.blockFormat()
            if any(style.hasProperty(name) for name in GROUNDS):
                self._paint_block(painter, block, rect, QColor(colors.hairline))
            block = block.next()

    def _paint_block(
        self, painter: QPainter, block: QTextBlock, rect: QRectF, line: QColor
    ) -> None:
        style = block.blockFormat()
        if style.hasProperty(RULE):
            middle = rect.center().y()
            painter.fillRect(QRectF(0, middle, self._text.width(), 1), line)
        if style.hasProperty(CODE):
            left = rect.left() + self._text.document().indentWidth() * style.indent()
            above = 0 if block.previous().blockFormat().hasProperty(CODE) else _CODE_PAD
            below = 1 if block.next().blockFormat().hasProperty(CODE) else _CODE_PAD
            height = rect.height() + above + below
            ground = QRectF(left, rect.top() - above, self._text.width() - left, height)
            painter.fillRect(ground, QColor(self._theme.colors.fill))
        if style.hasProperty(QUOTE):
            self._paint_quote(painter, block, rect, line)
        if style.hasProperty(BULLET):
            self._paint_bullet(painter, block, rect.top())
        if style.hasProperty(TASK):
            self._paint_task(painter, block, rect.top(), done=style.intProperty(TASK) > 1)

    def _paint_quote(
        self, painter: QPainter, block: QTextBlock, rect: QRectF, line: QColor
    ) -> None:
        """A bar for every level, from the paragraph above on where that is in it too."""
        above = block.previous()
        end = self._text.document().documentLayout().blockBoundingRect(above).bottom()
        for level in range(block.blockFormat().intProperty(QUOTE)):
            goes_on = level < above.blockFormat().intProperty(QUOTE)
            top = end if goes_on else rect.top() + 2
            painter.fillRect(QRectF(16 * level + 1, top, 2, rect.bottom() + 6 - top), line)

    def _paint_task(self, painter: QPainter, block: QTextBlock, top: float, *, done: bool) -> None:
        """The box before a list item, with a tick where it is done."""
        first = block.layout().lineAt(0)
        if not first.isValid():
            return
        side = self._theme.scaled(12)
        middle = top + first.y() + first.ascent() - QFontMetrics(self._text.font()).xHeight() / 2
        left = first.x() + block.layout().position().x() - side - self._theme.scaled(6)
        box = QRectF(left, middle - side / 2, side, side)
        colors = self._theme.colors
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(QColor(colors.accent if done else colors.faint), 1.2))
        painter.setBrush(QColor(colors.accent) if done else Qt.BrushStyle.NoBrush)
        painter.drawRoundedRect(box, 3, 3)
        if done:
            painter.setPen(QPen(QColor(colors.on_accent), 1.6))
            painter.drawPolyline(
                [box.topLeft() + QPointF(x * side, y * side) for x, y in _TICK],
            )

    def _paint_bullet(self, painter: QPainter, block: QTextBlock, top: float) -> None:
        """A dot before a list item, hollow at the deeper levels."""
        first = block.layout().lineAt(0)
        if not first.isValid():
            return
        color = QColor(self._theme.colors.dim)
        middle = top + first.y() + first.ascent() - QFontMetrics(self._text.font()).xHeight() / 2
        painter.setPen(QPen(color, 1.2))
        painter.setBrush(color)
        if block.blockFormat().intProperty(BULLET) > 1:
            painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        radius = 2 * self._theme.zoom
        left = first.x() + block.layout().position().x() - self._theme.scaled(12)
        painter.drawEllipse(QPointF(left, middle), radius, radius)
