"""A text as tokens: each on a ground as strong as its number, wrapped like text."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import (
    QColor,
    QFont,
    QPainter,
    QPen,
    QTextCharFormat,
    QTextLayout,
    QTextLine,
    QTextOption,
)
from typing_extensions import override

from ui import theme as look
from ui.charts.ink import one_line
from ui.charts.picture import Picture, Pointing, Spot
from ui.chat.plain import harmless

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ui.charts import values
    from ui.charts.ink import Ink

_LARGE = 1.4
_LEADING = 1.75
_LONGEST = 200
_RADIUS = 4.0
_CARET = 8.0
_LEFT, _BEARING = 3.0, 2.0


class StripPicture(Picture):
    """Draws a `TokenStrip`."""

    def __init__(self, chart: values.TokenStrip, ink: Ink, width: float) -> None:
        super().__init__(chart, ink, width)
        self._chart = chart
        self._font = QFont(ink.text)
        if chart.large:
            self._font.setPixelSize(round(look.TEXT * _LARGE))
        self._step = round(self._font.pixelSize() * _LEADING)
        shown = [_shown(token) for token in chart.tokens]
        self._ends: list[int] = []
        at = 0
        for text in shown:
            at += len(text.encode("utf-16-le", "replace")) // 2
            self._ends.append(at)
        self._encoded = "".join(shown).encode("utf-16-le", "replace")
        self._layout = QTextLayout("".join(shown), self._font)
        self._lines = self._lay_out()

    @property
    @override
    def body_height(self) -> float:
        return float(self._step * len(self._lines)) if self._chart.tokens else 0.0

    @override
    def legend(self) -> tuple[values.Legend, ...]:
        return self._chart.legend

    @property
    @override
    def clickable(self) -> bool:
        return any(token.key for token in self._chart.tokens)

    @override
    def make_spots(self) -> Sequence[Spot]:
        return [
            Spot(rect, token.tip or one_line(token.text), token.key)
            for rects, token in zip(self._rects, self._chart.tokens, strict=True)
            for rect in rects
        ]

    @override
    def paint_body(self, painter: QPainter, clip: QRectF, pointing: Pointing) -> None:
        for number, (rects, token) in enumerate(zip(self._rects, self._chart.tokens, strict=True)):
            if rects and rects[-1].bottom() >= clip.top() and rects[0].top() <= clip.bottom():
                self._paint_ground(painter, number, rects, token, pointing)
        painter.setPen(QColor(self.ink.colors.text))
        self._layout.draw(painter, QPointF(0, 0), [], clip.adjusted(0, -40, 0, 40))
        if self._chart.caret:
            self._paint_caret(painter)

    @cached_property
    def _rects(self) -> list[list[QRectF]]:
        """For each token the places it takes: one, or one on each line it spreads over."""
        rects: list[list[QRectF]] = []
        place, start = 0, 0
        spans = [(line.textStart(), line.textStart() + line.textLength()) for line in self._lines]
        for end in self._ends:
            own: list[tuple[int, int, QRectF]] = []
            while place < len(spans) - 1 and spans[place][1] <= start:
                place += 1
            row = place
            while row < len(spans) and spans[row][0] < end:
                first, last = max(start, spans[row][0]), min(end, spans[row][1])
                if last > first:
                    own.append((first, last, self._piece(row, first, last)))
                row += 1
            rects.append(self._seen(own))
            start = end
        return rects

    def _seen(self, pieces: list[tuple[int, int, QRectF]]) -> list[QRectF]:
        """The pieces of a token without the space that the end of a line took."""
        encoded = self._encoded
        seen = [rect for first, last, rect in pieces if encoded[first * 2 : last * 2].strip(b" \0")]
        return seen or [rect for _first, _last, rect in pieces]

    def _lay_out(self) -> list[QTextLine]:
        option = QTextOption()
        option.setWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
        option.setFlags(QTextOption.Flag.IncludeTrailingSpaces)
        self._layout.setTextOption(option)
        self._layout.setCacheEnabled(True)
        self._layout.setFormats(self._formats())
        lines: list[QTextLine] = []
        self._layout.beginLayout()
        while (line := self._layout.createLine()).isValid():
            line.setLineWidth(max(self.width - _CARET - 4, 8.0))
            line.setPosition(
                QPointF(_LEFT, len(lines) * self._step + (self._step - line.height()) / 2)
            )
            lines.append(line)
        self._layout.endLayout()
        return lines

    def _formats(self) -> list[QTextLayout.FormatRange]:
        """Control tokens in the fixed-pitch font, faded ones pale."""
        ranges: list[QTextLayout.FormatRange] = []
        start = 0
        for token, end in zip(self._chart.tokens, self._ends, strict=True):
            if token.control or token.faded:
                style = QTextCharFormat()
                if token.control:
                    font = QFont(self.ink.code_caption)
                    style.setFont(font)
                style.setForeground(QColor(self.ink.colors.faint))
                span = QTextLayout.FormatRange()
                span.start, span.length, span.format = start, end - start, style  # pyright: ignore[reportAttributeAccessIssue]
                ranges.append(span)
            start = end
        return ranges

    def _piece(self, row: int, first: int, last: int) -> QRectF:
        line = self._lines[row]
        begin, end = sorted((_x(line, first), _x(line, last)))
        if begin <= _LEFT:  # a line's first letter does not stand on the edge of its ground
            begin -= _BEARING
        height = round(self._font.pixelSize() * 1.42)
        y = row * self._step + (self._step - height) / 2
        return QRectF(begin, y, max(end - begin, 3.0), height)

    def _paint_ground(
        self,
        painter: QPainter,
        number: int,
        rects: list[QRectF],
        token: values.StripToken,
        pointing: Pointing,
    ) -> None:
        colors = self.ink.colors
        chosen = number == self._chart.selected
        pointed = bool(token.key) and token.key in {pointing.hovered, pointing.current}
        ground = self.ink.ground(token.tone, token.strength)
        if not ground.alpha() and (self._chart.edges or pointed) and not token.control:
            ground = QColor(colors.fill)
        for rect in rects:
            inner = rect.adjusted(0.75, 0, -0.75, 0)
            painter.setBrush(ground)
            painter.setPen(Qt.PenStyle.NoPen)
            if token.control:
                painter.setPen(QPen(self.ink.outline, 1))
                inner = inner.adjusted(0.5, 2.5, -0.5, -2.5)
            if ground.alpha() or token.control:
                painter.drawRoundedRect(inner, _RADIUS, _RADIUS)
            if chosen or (token.key and token.key == pointing.current):
                self.paint_ring(painter, rect.adjusted(0, -1, 0, 1), _RADIUS + 1)
            elif pointed:
                painter.setBrush(Qt.BrushStyle.NoBrush)
                painter.setPen(QPen(self.ink.outline, 1))
                painter.drawRoundedRect(inner.adjusted(0.5, 0.5, -0.5, -0.5), _RADIUS, _RADIUS)

    def _paint_caret(self, painter: QPainter) -> None:
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(self.ink.fill("new"))
        height = round(self._font.pixelSize() * 0.9)
        x, row = _LEFT, 0
        if self._lines and self._chart.tokens:
            row = len(self._lines) - 1
            line = self._lines[row]
            x = _x(line, line.textStart() + line.textLength()) + 4
        y = row * self._step + (self._step - height) / 2
        painter.drawRoundedRect(QRectF(x, y, _CARET, height), 2, 2)


def _x(line: QTextLine, position: int) -> float:
    """Where a position of the text is on its line, in pixels."""
    found = line.cursorToX(position)
    return float(found[0] if isinstance(found, tuple) else found)  # pyright: ignore


def _shown(token: values.StripToken) -> str:
    """A token's text as it is drawn: line ends are seen and still end the line."""
    text = harmless(token.text[:_LONGEST]).replace("\r", "").replace("\t", "⇥")
    text = text.replace("\u2028", "↵").replace("\u2029", "↵")
    text = text.replace("\n", "↵\u2028") or "∅"
    # Word joiners keep "<|im_end|>" on one line.
    return "\u2060".join(text) if token.control else text
