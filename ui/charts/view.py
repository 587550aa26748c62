"""The widget that shows a chart: themed, pointed at, walked by keyboard, changed in place."""

from __future__ import annotations

import html
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QPointF, QRect, QSize, Qt, Signal
from PySide6.QtGui import QAccessible, QAccessibleAnnouncementEvent, QHelpEvent, QPainter
from PySide6.QtWidgets import QScrollArea, QSizePolicy, QToolTip, QWidget
from typing_extensions import override

from ui.charts import values
from ui.charts.bars import BarsPicture
from ui.charts.branches import BranchesPicture
from ui.charts.cards import CardsPicture
from ui.charts.cells import CellMapPicture, CellRowsPicture
from ui.charts.histogram import HistogramPicture
from ui.charts.ink import Ink
from ui.charts.note import NotePicture
from ui.charts.picture import Move, Pointing
from ui.charts.ring import RingPicture
from ui.charts.steps import StepsPicture
from ui.charts.strip import StripPicture
from ui.charts.summaries import kind_name, summary
from ui.charts.table import TablePicture
from ui.charts.token_grid import TokenGridPicture
from ui.controls import BY_KEYBOARD

if TYPE_CHECKING:
    from collections.abc import Callable

    from PySide6.QtGui import (
        QFocusEvent,
        QKeyEvent,
        QMouseEvent,
        QPaintEvent,
        QShowEvent,
    )

    from ui.charts.picture import Picture, Spot
    from ui.charts.values import Chart
    from ui.theme import Theme

_PICTURES: dict[type, Callable[..., Picture]] = {
    values.Cards: CardsPicture,
    values.Bars: BarsPicture,
    values.Histogram: HistogramPicture,
    values.CellRows: CellRowsPicture,
    values.CellMap: CellMapPicture,
    values.Ring: RingPicture,
    values.TokenStrip: StripPicture,
    values.TokenGrid: TokenGridPicture,
    values.Branches: BranchesPicture,
    values.Table: TablePicture,
    values.Steps: StepsPicture,
    values.Note: NotePicture,
}
_MOVES = {
    Qt.Key.Key_Left: Move.BACK,
    Qt.Key.Key_Right: Move.ON,
    Qt.Key.Key_Up: Move.UP,
    Qt.Key.Key_Down: Move.DOWN,
    Qt.Key.Key_Home: Move.FIRST,
    Qt.Key.Key_End: Move.LAST,
}
_RETURNING = {Qt.FocusReason.ActiveWindowFocusReason, Qt.FocusReason.PopupFocusReason}
_USUAL_WIDTH = 480
_HIGHEST = 16_000_000


def picture_of(chart: Chart, ink: Ink, width: float) -> Picture:
    """The picture of a chart at a width in pixels; can be used on any thread."""
    # The two that count with NumPy are imported when they are wanted: the window need not wait.
    if isinstance(chart, values.HeatMap):
        from ui.charts.heatmap import HeatMapPicture

        return HeatMapPicture(chart, ink, width)
    if isinstance(chart, values.Lines):
        from ui.charts.lines import LinesPicture

        return LinesPicture(chart, ink, width)
    return _PICTURES[type(chart)](chart, ink, width)


class ChartView(QWidget):
    """Shows one chart as wide as there is room and as high as it needs at that width.

    Its height follows its width (`heightForWidth`), so the page it stands on belongs in a scroll
    area, with a stretch below the last chart.

    Nothing is laid out while it is out of sight. Where parts have keys it takes the focus: the
    arrows move from part to part, Return or a click acts.
    """

    activated = Signal(str)
    """The key of the part that was clicked or chosen with Return."""
    hovered = Signal(str)
    """The key of the part under the pointer; "" when there is none any more."""

    def __init__(self, chart: Chart, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self._chart = chart
        self._picture: Picture | None = None
        self._pointing = Pointing()
        self._pressed = ""
        self._stale = True
        policy = QSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)
        self.setMouseTracking(True)
        self.setMinimumWidth(120)
        theme.changed.connect(self._on_theme_changed)
        self._tell()

    @property
    def chart(self) -> Chart:
        """What is shown."""
        return self._chart

    @property
    def current_key(self) -> str:
        """The key of the part that the keyboard stands on; "" for none."""
        return self._pointing.current

    def set_chart(self, chart: Chart) -> None:
        """Show another chart; the keyboard keeps its place where the part is still there."""
        if chart == self._chart:
            return
        height = self._picture.height if self._picture else None
        self._chart = chart
        self._picture = None
        self._stale = True
        self.update()
        if not self.isVisible():
            self.updateGeometry()
            return
        self._tell()
        if height != self.picture.height:
            self.updateGeometry()

    @property
    def picture(self) -> Picture:
        """The chart laid out for the present width, made when it is first needed."""
        width = self.width() if self.testAttribute(Qt.WidgetAttribute.WA_Resized) else _USUAL_WIDTH
        if self._picture is None or self._picture.width != max(width, 40):
            self._picture = picture_of(self._chart, Ink.of(self._theme), width)
        return self._picture

    @override
    def heightForWidth(self, width: int) -> int:
        picture = self.picture
        if picture.width != max(width, 40):
            picture = picture_of(self._chart, Ink.of(self._theme), width)
        return min(round(picture.height + 0.49), _HIGHEST)

    @override
    def sizeHint(self) -> QSize:
        return QSize(_USUAL_WIDTH, self.heightForWidth(_USUAL_WIDTH))

    @override
    def minimumSizeHint(self) -> QSize:
        return QSize(120, 0)

    @override
    def showEvent(self, event: QShowEvent) -> None:
        self._tell()
        super().showEvent(event)

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        self.picture.paint(painter, event.rect().toRectF(), self._pointing)

    @override
    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            self._show_tip(event)
            return True
        return super().event(event)

    @override
    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        spot = self._spot_at(event.position())
        self._point_at(event.position(), spot.key if spot else "")
        super().mouseMoveEvent(event)

    @override
    def leaveEvent(self, event: QEvent) -> None:
        self._point_at(None, "")
        super().leaveEvent(event)

    @override
    def mousePressEvent(self, event: QMouseEvent) -> None:
        spot = self._spot_at(event.position())
        self._pressed = ""
        if event.button() == Qt.MouseButton.LeftButton and spot and spot.key:
            self._pressed = spot.key
            return
        super().mousePressEvent(event)

    @override
    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        pressed, self._pressed = self._pressed, ""
        spot = self._spot_at(event.position())
        if pressed and spot and spot.key == pressed:
            self._set_current(pressed if self.hasFocus() and self._pointing.current else "")
            self.activated.emit(pressed)
            return
        super().mouseReleaseEvent(event)

    @override
    def keyPressEvent(self, event: QKeyEvent) -> None:
        key = Qt.Key(event.key())
        current = self._pointing.current
        if self.picture.clickable and key in _MOVES:
            self._go_to(self.picture.walk(current, _MOVES[key]))
        elif current and key in {Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space}:
            self.activated.emit(current)
        else:
            super().keyPressEvent(event)

    @override
    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        if event.reason() in BY_KEYBOARD:
            chosen = getattr(self._chart, "selected", "")
            key = chosen if isinstance(chosen, str) and self.picture.spot_of(chosen) else ""
            self._set_current(key or self.picture.walk("", Move.FIRST))

    @override
    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        if event.reason() not in _RETURNING:
            self._set_current("")

    def _on_theme_changed(self) -> None:
        self._picture = None
        self.update()

    def _tell(self) -> None:
        """Name and describe the chart for those who cannot see it, once for each chart."""
        if not self._stale:
            return
        self._stale = False
        self.setAccessibleName(self._chart.title or kind_name(self._chart))
        self.setAccessibleDescription(summary(self._chart))
        clickable = self.picture.clickable
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus if clickable else Qt.FocusPolicy.NoFocus)
        current = self._pointing.current
        if current and not self.picture.spot_of(current):
            self._set_current("")

    def _spot_at(self, position: QPointF) -> Spot | None:
        return self.picture.spot_at(position - QPointF(0, self.picture.head_height))

    def _point_at(self, position: QPointF | None, key: str) -> None:
        before = self._pointing
        at = None if position is None else position - QPointF(0, self.picture.head_height)
        self._pointing = Pointing(key, before.current, at)
        if key != before.hovered:
            pointer = Qt.CursorShape.PointingHandCursor if key else Qt.CursorShape.ArrowCursor
            self.setCursor(pointer)
            self.hovered.emit(key)
        if key != before.hovered or self.picture.follows_pointer:
            self.update()

    def _set_current(self, key: str) -> None:
        if key != self._pointing.current:
            self._pointing = Pointing(self._pointing.hovered, key, self._pointing.at)
            self.update()

    def _go_to(self, key: str) -> None:
        """Let the keyboard stand on a part, say it aloud, and scroll to it."""
        spot = self.picture.spot_of(key)
        if spot is None:
            return
        self._set_current(key)
        if QAccessible.isActive():
            QAccessible.updateAccessibility(QAccessibleAnnouncementEvent(self, spot.tip))
        self._scroll_to(spot)

    def _scroll_to(self, spot: Spot) -> None:
        """Bring a part into sight of the scroll area that this chart is in."""
        place = spot.rect.translated(0, self.picture.head_height).center().toPoint()
        parent = self.parentWidget()
        while parent is not None and not isinstance(parent, QScrollArea):
            parent = parent.parentWidget()
        content = parent.widget() if parent is not None else None
        if parent is not None and content is not None:
            inside = self.mapTo(content, place)
            margin = min(int(spot.rect.height()) + 24, 200)
            parent.ensureVisible(inside.x(), inside.y(), 0, margin)

    def _show_tip(self, event: QHelpEvent) -> None:
        spot = self._spot_at(QPointF(event.pos()))
        if spot is None or not spot.tip:
            QToolTip.hideText()
            event.ignore()
            return
        where = spot.rect.translated(0, self.picture.head_height).toAlignedRect()
        QToolTip.showText(event.globalPos(), as_tip(spot.tip), self, QRect(where))


def as_tip(text: str) -> str:
    """Plain text for a tooltip, which would otherwise take "<b>" in a token for mark-up."""
    lines = html.escape(text[:1000]).replace("\n", "<br>")
    return f"<div style='white-space: pre-wrap'>{lines}</div>"
