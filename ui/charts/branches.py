"""A tree of continuations, children below their parent."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPainterPath, QPen
from typing_extensions import override

from ui.charts.ink import PALE, draw_text, widest
from ui.charts.picture import Picture, Pointing, Spot

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ui.charts import values
    from ui.charts.ink import Ink

_ROW = 28.0
_INDENT = 20.0
_DOT = 4.0
_PAD = 10.0
_DEPTH_SHARE = 0.4


class BranchesPicture(Picture):
    """Draws `Branches`."""

    def __init__(self, chart: values.Branches, ink: Ink, width: float) -> None:
        super().__init__(chart, ink, width)
        self._chart = chart
        self._nodes = in_order(chart)
        self._rows = {node.key: row for row, (node, _depth) in enumerate(self._nodes)}
        deepest = max((depth for _node, depth in self._nodes), default=0)
        self._indent = min(_INDENT, self.width * _DEPTH_SHARE / max(deepest, 1))
        figures = widest(ink.strong, [node.figure for node in chart.branches])
        self._figure_width = min(figures, self.width * 0.3)

    @property
    @override
    def body_height(self) -> float:
        return _ROW * len(self._nodes)

    @override
    def make_spots(self) -> Sequence[Spot]:
        return [
            Spot(self._rect(row), f"{node.text}\n{node.figure}".strip(), node.key)
            for row, (node, _depth) in enumerate(self._nodes)
        ]

    @override
    def paint_body(self, painter: QPainter, clip: QRectF, pointing: Pointing) -> None:
        rows = self.rows_in(clip, _ROW, len(self._nodes))
        for row in rows:
            self._paint_ground(painter, row, pointing)
        self._paint_links(painter, clip)
        for row in rows:
            self._paint_node(painter, row)

    def _rect(self, row: int) -> QRectF:
        return QRectF(0, row * _ROW, self.width, _ROW)

    def _dot(self, row: int) -> QPointF:
        depth = self._nodes[row][1]
        return QPointF(_PAD + depth * self._indent, row * _ROW + _ROW / 2)

    def _paint_ground(self, painter: QPainter, row: int, pointing: Pointing) -> None:
        key = self._nodes[row][0].key
        rect = self._rect(row).adjusted(0, 1, 0, -1)
        if key == self._chart.selected:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(QColor(self.ink.colors.fill))
            painter.drawRoundedRect(rect, 7, 7)
        self.paint_row_ground(painter, rect, key, pointing)

    def _paint_links(self, painter: QPainter, clip: QRectF) -> None:
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.setPen(QPen(self.ink.outline, 1.25))
        for row, (node, depth) in enumerate(self._nodes):
            parent = self._rows.get(node.parent)
            # Clip tests keep thousands of lines that are out of sight from being drawn.
            if not depth or parent is None or row * _ROW + _ROW < clip.top():
                continue
            if parent * _ROW > clip.bottom():
                break
            start, end = self._dot(parent), self._dot(row)
            path = QPainterPath(start + QPointF(0, _DOT))
            path.lineTo(start.x(), end.y() - 6)
            path.quadTo(start.x(), end.y(), min(start.x() + 6, end.x()), end.y())
            path.lineTo(end.x() - _DOT, end.y())
            painter.drawPath(path)

    def _paint_node(self, painter: QPainter, row: int) -> None:
        node, colors = self._nodes[row][0], self.ink.colors
        dot = self._dot(row)
        color = self.ink.fill(node.tone)
        painter.setPen(Qt.PenStyle.NoPen)
        if node.faded:
            color.setAlphaF(PALE)
        if node.tone == "evicted":
            painter.setPen(QPen(self.ink.outline, 1.25))
        painter.setBrush(color)
        painter.drawEllipse(dot, _DOT, _DOT)
        left = dot.x() + _DOT + 8
        right = self.width - _PAD - self._figure_width
        # Pale words are dim rather than faint, for they may stand on the ground of a chosen row.
        ink = colors.dim if node.faded else colors.text
        painter.setFont(self.ink.small)
        draw_text(painter, QRectF(left, row * _ROW, right - left - 8, _ROW), node.text, ink)
        painter.setFont(self.ink.strong)
        room = QRectF(right, row * _ROW, self._figure_width, _ROW)
        draw_text(painter, room, node.figure, colors.dim, Qt.AlignmentFlag.AlignRight)


def in_order(chart: values.Branches) -> list[tuple[values.Branch, int]]:
    """The nodes as they stand below each other, with their depth; each exactly once.

    What hangs below nothing known, or only below itself, begins a tree of its own.
    """
    known = {node.key for node in chart.branches}
    children: dict[str, list[values.Branch]] = defaultdict(list)
    for node in chart.branches:
        orphan = node.parent not in known or node.parent == node.key
        children["" if orphan else node.parent].append(node)
    ordered: list[tuple[values.Branch, int]] = []
    seen: set[int] = set()
    for root in [*children[""], *chart.branches]:  # the second part reaches those in a circle
        stack = [(root, 0)]
        while stack:
            node, depth = stack.pop()
            if id(node) in seen:
                continue
            seen.add(id(node))
            ordered.append((node, depth))
            if node.key:
                stack += [(child, depth + 1) for child in reversed(children[node.key])]
    return ordered
