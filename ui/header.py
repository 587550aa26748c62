"""The bar above the page: places, title of the chat, the model and its menu, side toggles."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QPoint, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QFont, QFontMetrics, QPainter, QPen
from PySide6.QtWidgets import QHBoxLayout, QMenu, QSizePolicy
from typing_extensions import override

from ui import theme as look
from ui.controls import ElidedLabel, Pressable, QuietButton, Surface
from ui.figures import percent
from ui.icons import Icon, paint_icon
from ui.segments import Segments
from ui.state import ModelView

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtGui import QPaintEvent, QResizeEvent

    from ui.theme import Theme

_PAD = 12
_DOT = 7
_GAP = 9
_NAME_LIMIT = 220
_SHORTEST_TITLE = 96
"""In fewer pixels a title is a few letters and three dots: nothing is better."""
_NARROWEST = 320
_SIDE = 12
_CHIP_ROOM = 200
"""What the model's name gets before the places are drawn together."""


class ModelChip(Pressable):
    """The model in a few words; a press opens what can be done with it."""

    def __init__(self, theme: Theme, menu: QMenu) -> None:
        super().__init__(theme)
        self._model = ModelView()
        self._menu = menu
        self._name_font = theme.font(look.TEXT - 1, QFont.Weight.Medium)
        self._detail_font = theme.font(look.TEXT - 1)
        self.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
        self.clicked.connect(self._open_menu)
        self.set_model(self._model)

    def set_model(self, model: ModelView) -> None:
        """Show another model, or another state of it."""
        self._model = model
        self.setText(f"{self._name()} {self._detail()}".strip())
        self.setAccessibleName(self.tr("Model: {text}").format(text=self.text()))
        self.setToolTip(model.message)
        self.updateGeometry()
        self.update()

    @override
    def sizeHint(self) -> QSize:
        name = QFontMetrics(self._name_font).horizontalAdvance(self._name())
        detail = QFontMetrics(self._detail_font).horizontalAdvance(self._detail())
        width = _PAD + _DOT + _GAP + min(name, _NAME_LIMIT) + _GAP + 12 + _PAD
        return QSize(width + 4 + (detail + _GAP if detail else 0), 32)

    @override
    def minimumSizeHint(self) -> QSize:
        return QSize(96, 32)

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        colors = self._theme.colors
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(QColor(colors.hairline), 1))
        if self.hovered or self.isDown():
            painter.setBrush(QColor(colors.fill))
        frame = QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5)
        painter.drawRoundedRect(frame, look.BUTTON_RADIUS, look.BUTTON_RADIUS)
        self._paint_dot(painter)
        left = _PAD + _DOT + _GAP
        right = self.width() - _PAD - 12 - _GAP
        self._paint_words(painter, left, right)
        chevron = QRectF(self.width() - _PAD - 10, (self.height() - 10) / 2, 10, 10)
        paint_icon(painter, Icon.CHEVRON, chevron, colors.dim)
        self.paint_ring(painter, look.BUTTON_RADIUS)

    def _paint_dot(self, painter: QPainter) -> None:
        """Filled where the model is there; a ring that closes while it comes."""
        colors = self._theme.colors
        dot = QRectF(_PAD, (self.height() - _DOT) / 2, _DOT, _DOT)
        state = self._model.state
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        if state in {"ready", "failed"}:
            painter.setBrush(QColor(colors.good if state == "ready" else colors.accent))
            painter.drawEllipse(dot)
            return
        painter.setPen(QPen(QColor(colors.faint), 1.5))
        painter.drawEllipse(dot)
        if state == "loading":
            painter.setPen(QPen(QColor(colors.accent), 2))
            share = 0.25 if self._model.progress is None else self._model.progress
            painter.drawArc(dot, 90 * 16, -round(share * 360 * 16))

    def _paint_words(self, painter: QPainter, left: int, right: int) -> None:
        colors = self._theme.colors
        middle = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft
        for text, font, color in (
            (self._name(), self._name_font, colors.text),
            (self._detail(), self._detail_font, colors.dim),
        ):
            room = right - left
            if not text or room <= 0:
                continue
            painter.setFont(font)
            painter.setPen(QColor(color))
            shown = QFontMetrics(font).elidedText(text, Qt.TextElideMode.ElideRight, room)
            painter.drawText(QRectF(left, 0, room, self.height()), middle, shown)
            left += QFontMetrics(font).horizontalAdvance(shown) + _GAP

    def _name(self) -> str:
        return self._model.name or self.tr("No model")

    def _detail(self) -> str:
        model = self._model
        if model.state == "loading":
            return "" if model.progress is None else percent(model.progress)
        return self.tr("not loaded") if model.state == "failed" else model.detail

    def _open_menu(self) -> None:
        corner = self.mapToGlobal(QPoint(self.width(), self.height() + 4))
        self._menu.popup(corner - QPoint(self._menu.sizeHint().width(), 0))


class PlaceButton(QuietButton):
    """The place that is shown, in one word; a press opens the others."""

    chosen = Signal(int)

    def __init__(self, theme: Theme, places: Sequence[str]) -> None:
        super().__init__(theme, size=look.TEXT - 1, strong=True)
        self._places = tuple(places)
        self._menu = QMenu(self)
        for number, title in enumerate(places):
            self._menu.addAction(title).triggered.connect(partial(self.chosen.emit, number))
        self.clicked.connect(self._open_menu)

    def set_current(self, number: int) -> None:
        """Show the word of another place."""
        self.set_label(self._places[number])
        self.setAccessibleName(self.tr("Place: {name}").format(name=self._places[number]))

    @override
    def sizeHint(self) -> QSize:
        return super().sizeHint() + QSize(14, 0)

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        chevron = QRectF(self.width() - 18, (self.height() - 10) / 2, 10, 10)
        paint_icon(QPainter(self), Icon.CHEVRON, chevron, self._theme.colors.dim)

    def _open_menu(self) -> None:
        self._menu.popup(self.mapToGlobal(QPoint(0, self.height() + 4)))


class Header(Surface):
    """The bar itself: the places, the title of the chat, the model.

    Where the places leave no room for the model's name, one button with a menu stands for them.
    """

    place_chosen = Signal(int)

    def __init__(self, theme: Theme, model_menu: QMenu, places: Sequence[str]) -> None:
        super().__init__(theme, "page", underline=True)
        self.sidebar_button = QuietButton(theme, icon=Icon.SIDEBAR)
        self.inspector_button = QuietButton(theme, icon=Icon.INSPECTOR)
        self.model_chip = ModelChip(theme, model_menu)
        self.places = Segments(theme, places, self.tr("Places"))
        self.place_button = PlaceButton(theme, places)
        self._several = len(places) > 1
        self._chat_title = ""
        self._title = ElidedLabel(theme.font(look.TEXT, QFont.Weight.Medium))
        self._title.setContentsMargins(look.GRID, 0, look.GRID, 0)
        self._title.set_shortest(_SHORTEST_TITLE)
        self.sidebar_button.setAccessibleName(self.tr("Show or hide the chats"))
        self.inspector_button.setAccessibleName(self.tr("Show or hide the inspector"))
        for button in (self.sidebar_button, self.inspector_button):
            button.setToolTip(button.accessibleName())
        self.setFixedHeight(look.HEADER_HEIGHT)
        row = QHBoxLayout(self)
        row.setContentsMargins(_SIDE, 0, _SIDE, 1)
        row.setSpacing(look.GRID)
        row.setSizeConstraint(QHBoxLayout.SizeConstraint.SetNoConstraint)
        for part in (self.sidebar_button, self.places, self.place_button):
            row.addWidget(part)
        row.addWidget(self._title, 1)
        row.addWidget(self.model_chip)
        row.addWidget(self.inspector_button)
        self.place_button.set_current(0)
        self.places.chosen.connect(self.place_chosen)
        self.place_button.chosen.connect(self.place_chosen)
        self._arrange()

    @property
    def title(self) -> str:
        """The title of the chat, in full."""
        return self._chat_title

    def set_title(self, text: str) -> None:
        """Take the title of the chat, shown beside the chat only."""
        self._chat_title = text
        self._title.set_whole(text if self.places.current == 0 else "")

    def set_place(self, number: int) -> None:
        """Mark the place that is shown; the title is that of a chat, and hidden elsewhere."""
        self.places.set_current(number)
        self.place_button.set_current(number)
        self._title.set_whole(self._chat_title if number == 0 else "")

    @override
    def minimumSizeHint(self) -> QSize:
        """Without the places, which give way."""
        return QSize(_NARROWEST, look.HEADER_HEIGHT)

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._arrange()

    def _arrange(self) -> None:
        """Show the places side by side where they fit beside the model."""
        buttons = self.sidebar_button.sizeHint().width() + self.inspector_button.sizeHint().width()
        rest = self.width() - 2 * _SIDE - 4 * look.GRID - buttons
        fits = self.places.sizeHint().width() + _CHIP_ROOM <= rest
        self.places.setVisible(self._several and fits)
        self.place_button.setVisible(self._several and not fits)
