"""All heads of a layer side by side: small pictures, of which one can be chosen."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QImage, QPainter, QPen
from PySide6.QtWidgets import QButtonGroup
from typing_extensions import override

from ui import theme as look
from ui.charts.ink import Ink, blend, draw_text
from ui.charts.values import HeatMap
from ui.controls import Pressable
from ui.playground.attention_charts import looks_at
from ui.playground.attention_wrap import Wrap

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtGui import QPaintEvent

    from ui.playground.attention_values import LayerAttention
    from ui.playground.state import PlayToken
    from ui.theme import Theme

_SIDE = 124
_PAD = 6
_NAME = 20
_GAP = 8


class HeadThumb(Pressable):
    """One head: its name and a small picture."""

    def __init__(self, theme: Theme, name: str, chart: HeatMap) -> None:
        super().__init__(theme)
        self._chart = chart
        self._image: QImage | None = None
        self.setText(name)
        self.setAccessibleName(name)
        self.setCheckable(True)
        self.setFixedSize(_SIDE + 2 * _PAD, _SIDE + 2 * _PAD + _NAME)
        theme.changed.connect(self._forget_image)

    def set_row(self, sentence: str) -> None:
        """Say what the chosen token looks at in this head."""
        self.setToolTip(sentence)
        self.setAccessibleDescription(sentence)

    @override
    def sizeHint(self) -> QSize:
        return self.size()

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        colors = self._theme.colors
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if self.hovered or self.isChecked():
            painter.setPen(QPen(QColor(colors.accent if self.isChecked() else colors.hairline), 1))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            frame = QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5)
            painter.drawRoundedRect(frame, look.ROW_RADIUS, look.ROW_RADIUS)
        ink = Ink.of(self._theme)
        painter.setFont(ink.tiny)
        room = QRectF(_PAD + 2, _PAD - 2, _SIDE, _NAME - 2)
        draw_text(painter, room, self.text(), colors.text if self.isChecked() else colors.dim)
        if self._image is None or self._image.devicePixelRatio() != self.devicePixelRatioF():
            self._image = small_map(self._chart, ink, _SIDE, self.devicePixelRatioF())
        painter.drawImage(QPointF(_PAD, _PAD + _NAME), self._image)
        self.paint_ring(painter, look.ROW_RADIUS)

    def _forget_image(self) -> None:
        self._image = None


class HeadGrid(Wrap):
    """The heads of a layer. One stop of Tab; the arrow keys go from head to head."""

    chosen = Signal(int)

    def __init__(self, theme: Theme) -> None:
        super().__init__((), _GAP)
        self._theme = theme
        self._group = QButtonGroup(self)
        self._found: LayerAttention | None = None
        self._thumbs: dict[int, HeadThumb] = {}
        self._group.idClicked.connect(self.chosen)

    @property
    def thumbs(self) -> dict[int, HeadThumb]:
        """The small pictures by the number of their head."""
        return self._thumbs

    def show_heads(
        self,
        found: LayerAttention,
        head: int | None,
        tokens: Sequence[PlayToken],
        row: int,
    ) -> None:
        """Show the heads of a layer, mark one, and tell what a token looks at in each."""
        if found is not self._found:
            self._found = found
            for thumb in self._thumbs.values():
                self._group.removeButton(thumb)
            self._thumbs = {
                each: HeadThumb(self._theme, self._name(each), _small(found, number))
                for number, each in enumerate(found.heads)
            }
            self.set_parts(list(self._thumbs.values()))
            for each, thumb in self._thumbs.items():
                self._group.addButton(thumb, each)
        for each, thumb in self._thumbs.items():
            thumb.set_row(looks_at(tokens, found.row(each, row), row))
            if each == head:
                thumb.setChecked(True)

    @staticmethod
    def _name(head: int) -> str:
        return QCoreApplication.translate("Attention", "Head {head}").format(head=head)


def small_map(chart: HeatMap, ink: Ink, side: int, ratio: float) -> QImage:
    """A map as a square image without any words, `side` logical pixels wide."""
    from ui.charts.heat_image import image_of, painted, resized
    from ui.charts.heatmap import matrix, value_range

    cells = matrix(chart)
    low, high = value_range(chart, cells)
    colors = ink.colors
    table = [blend(colors.fill, colors.cache_pinned, n / 255) for n in range(256)]
    pixels = round(side * ratio)
    image = image_of(painted(resized(cells, pixels, pixels), low, high, table))
    image.setDevicePixelRatio(ratio)
    return image


def _small(found: LayerAttention, number: int) -> HeatMap:
    high = found.highs[number]
    return HeatMap(found.thumbs[number], found.side, found.side, causal=True, high=high)
