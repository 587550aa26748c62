"""A row of cards, each with one big figure; it wraps where there is little room."""

from __future__ import annotations

import math
from functools import cached_property
from typing import TYPE_CHECKING

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter, QPen
from typing_extensions import override

from ui import theme as look
from ui.charts.ink import Paragraph, draw_text, one_line, text_width
from ui.charts.picture import Picture, Pointing, Spot

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ui.charts import values
    from ui.charts.ink import Ink

_PAD = 18.0
_GAP = 16.0
_NARROWEST = 184.0
_FIGURE = 40.0
_LONGEST = 600


class CardsPicture(Picture):
    """Draws `Cards`."""

    def __init__(self, chart: values.Cards, ink: Ink, width: float) -> None:
        super().__init__(chart, ink, width)
        self._cards = chart.cards
        count = max(len(chart.cards), 1)
        fitting = max(min(count, int((self.width + _GAP) // (_NARROWEST + _GAP))), 1)
        # As even as can be: four cards in room for three stand two by two.
        self._columns = math.ceil(count / math.ceil(count / fitting))
        self._card_width = (self.width - _GAP * (self._columns - 1)) / self._columns
        inner = self._card_width - 2 * _PAD
        self._labels = [
            Paragraph(one_line(card.label), ink.head, inner, 1.4) for card in chart.cards
        ]
        self._captions = [
            Paragraph(card.caption[:_LONGEST], ink.caption, inner) for card in chart.cards
        ]

    @property
    @override
    def body_height(self) -> float:
        return self._rects[-1].bottom() if self._rects else 0.0

    @override
    def make_spots(self) -> Sequence[Spot]:
        return [
            Spot(rect, "\n".join(filter(None, (card.label, _figure(card), card.caption))), card.key)
            for rect, card in zip(self._rects, self._cards, strict=True)
        ]

    @override
    def paint_body(self, painter: QPainter, clip: QRectF, pointing: Pointing) -> None:
        for number, (rect, card) in enumerate(zip(self._rects, self._cards, strict=True)):
            if not rect.intersects(clip):
                continue
            painter.setPen(QPen(QColor(self.ink.colors.hairline), 1))
            lit = bool(card.key) and card.key == pointing.hovered
            painter.setBrush(QColor(self.ink.colors.fill) if lit else Qt.BrushStyle.NoBrush)
            frame = rect.adjusted(0.5, 0.5, -0.5, -0.5)
            painter.drawRoundedRect(frame, look.BLOCK_RADIUS, look.BLOCK_RADIUS)
            if card.key and card.key == pointing.current:
                self.paint_ring(painter, rect.adjusted(1, 1, -1, -1), look.BLOCK_RADIUS)
            self._paint_words(painter, rect, number, lit=lit)

    @cached_property
    def _rects(self) -> list[QRectF]:
        rects: list[QRectF] = []
        top = 0.0
        for start in range(0, len(self._cards), self._columns):
            row = range(start, min(start + self._columns, len(self._cards)))
            height = max(
                self._labels[n].height + 4 + _FIGURE + self._captions[n].height for n in row
            )
            height += 2 * _PAD - 4
            rects += [
                QRectF((n - start) * (self._card_width + _GAP), top, self._card_width, height)
                for n in row
            ]
            top += height + _GAP
        return rects

    def _paint_words(self, painter: QPainter, rect: QRectF, number: int, *, lit: bool) -> None:
        card, colors = self._cards[number], self.ink.colors
        x, y = rect.x() + _PAD, rect.y() + _PAD - 3
        quiet = colors.dim if lit else colors.faint
        self._labels[number].draw(painter, x, y, quiet)
        y += self._labels[number].height + 4
        room = rect.width() - 2 * _PAD
        unit = text_width(self.ink.small, card.unit) + 6 if card.unit else 0.0
        painter.setFont(_fitting(self.ink.number, card.value, room - unit))
        figure = QRectF(x, y, max(room - unit, 1), _FIGURE)
        width = draw_text(painter, figure, card.value, self.ink.words(card.tone))
        if card.unit:
            metrics = QFontMetricsF(self.ink.number)
            base = y + _FIGURE / 2 + (metrics.ascent() - metrics.descent()) / 2
            painter.setFont(self.ink.small)
            painter.setPen(QColor(colors.dim))
            painter.drawText(QPointF(x + width + 6, base), one_line(card.unit))
        self._captions[number].draw(painter, x, y + _FIGURE, colors.dim)


def _fitting(font: QFont, text: str, room: float) -> QFont:
    """The font, smaller where a long figure would be cut off."""
    if text_width(font, text) <= room:
        return font
    smaller = QFont(font)
    smaller.setPixelSize(round((look.NUMBER + look.TEXT) / 2))
    if text_width(smaller, text) > room:
        smaller.setPixelSize(look.TEXT)
    return smaller


def _figure(card: values.Card) -> str:
    return f"{card.value} {card.unit}".strip()
