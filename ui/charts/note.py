"""A paragraph, or a formula on a soft ground."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QColor, QPainter
from typing_extensions import override

from ui import theme as look
from ui.charts.ink import Paragraph
from ui.charts.picture import Picture, Pointing

if TYPE_CHECKING:
    from ui.charts import values
    from ui.charts.ink import Ink

_PAD = 12.0
_MEASURE = 680.0
_LEADING = 1.55


class NotePicture(Picture):
    """Draws a `Note`."""

    def __init__(self, chart: values.Note, ink: Ink, width: float) -> None:
        super().__init__(chart, ink, width)
        self._chart = chart

    @property
    @override
    def body_height(self) -> float:
        pad = 2 * _PAD if self._chart.code and self._chart.text else 0.0
        return self._paragraph.height + pad

    @cached_property
    def _paragraph(self) -> Paragraph:
        if self._chart.code:
            return Paragraph(self._chart.text, self.ink.code_caption, self.width - 2 * _PAD)
        return Paragraph(self._chart.text, self.ink.text, min(self.width, _MEASURE), _LEADING)

    @override
    def paint_body(self, painter: QPainter, clip: QRectF, pointing: Pointing) -> None:
        if not self._chart.text:
            return
        if not self._chart.code:
            self._paragraph.draw(painter, 0, 0, self.ink.words(self._chart.tone))
            return
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(self.ink.colors.fill))
        ground = QRectF(0, 0, self.width, self.body_height)
        painter.drawRoundedRect(ground, look.BUTTON_RADIUS, look.BUTTON_RADIUS)
        self._paragraph.draw(painter, _PAD, _PAD, self.ink.colors.dim)
