"""The line under the composer: what the next prompt takes, and how the chat is set."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication, QSize, Qt, Signal
from PySide6.QtGui import QColor, QFontMetrics, QPainter
from PySide6.QtWidgets import QWidget
from typing_extensions import override

from ui import theme as look
from ui.controls import ElidedLabel, Pressable
from ui.counts import Counts
from ui.figures import count

if TYPE_CHECKING:
    from PySide6.QtGui import QPaintEvent, QResizeEvent

    from ui.state import BudgetView
    from ui.theme import Theme

_GAP = 16
_PARTS = "    "
"""What stands between the parts of the line."""


def budget_text(budget: BudgetView) -> str:
    """What a question that is being written takes, in a few words."""
    translate = QCoreApplication.translate
    # Where the oldest makes room, the model sees no more than fits.
    used = budget.tokens if budget.problem else min(budget.tokens, budget.limit)
    parts = [
        translate("Budget", "{used} of {limit} tokens").format(
            used=count(used), limit=count(budget.limit)
        )
    ]
    if budget.problem:
        return _PARTS.join((*parts, translate("Budget", "does not fit")))
    if budget.leaving_messages:
        parts.append(Counts().messages_forgotten(budget.leaving_messages))
    if budget.reused:
        parts.append(
            translate("Budget", "{fresh} new, {reused} reused").format(
                fresh=count(budget.tokens - budget.reused), reused=count(budget.reused)
            )
        )
    return _PARTS.join(parts)


class _Settings(Pressable):
    """How the chat is set, in a few words; a press opens its settings."""

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(theme, parent)
        self.setFont(theme.font(look.CAPTION))
        self.setCursor(Qt.CursorShape.PointingHandCursor)

    @override
    def sizeHint(self) -> QSize:
        metrics = QFontMetrics(self.font())
        return QSize(metrics.horizontalAdvance(self.text()) + 14, metrics.height() + 6)

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        colors = self._theme.colors
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if self.hovered or self.isDown():
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(QColor(colors.fill))
            painter.drawRoundedRect(self.rect(), look.ROW_RADIUS, look.ROW_RADIUS)
        painter.setPen(QColor(colors.text if self.hovered else colors.faint))
        room = self.rect().adjusted(6, 0, -6, 0)
        right = Qt.TextElideMode.ElideRight
        shown = painter.fontMetrics().elidedText(self.text(), right, room.width())
        painter.drawText(room, Qt.AlignmentFlag.AlignCenter, shown)
        self.paint_ring(painter, look.ROW_RADIUS)


class BudgetLine(QWidget):
    """Figures at the left, settings at the right."""

    settings_requested = Signal()

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme = theme
        self._figures = ElidedLabel(theme.font(look.CAPTION), self)
        self._settings = _Settings(theme, self)
        self._alarming = False
        self._settings.clicked.connect(self.settings_requested)
        theme.changed.connect(self._dress)
        self.set_settings("")
        self._dress()

    @property
    def settings_button(self) -> Pressable:
        """What opens the settings."""
        return self._settings

    @property
    def text(self) -> str:
        """The figures."""
        return self._figures.whole

    def set_figures(self, text: str, *, alarming: bool = False) -> None:
        """Show figures; in the accent where they tell that something does not fit."""
        if (text, alarming) != (self._figures.whole, self._alarming):
            self._alarming = alarming
            self._figures.set_whole(text)
            self._dress()

    def set_settings(self, text: str) -> None:
        """Show in a few words how the chat is set."""
        self._settings.setText(text)
        self._settings.setVisible(bool(text))
        self._settings.setAccessibleName(self.tr("Chat settings: {text}").format(text=text))
        self._settings.setToolTip(self.tr("Chat settings"))
        self._arrange()

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        self._arrange()

    def _arrange(self) -> None:
        hint = self._settings.sizeHint()
        wanted = 0 if self._settings.isHidden() else min(hint.width(), self.width() * 2 // 3)
        top = (self.height() - hint.height()) // 2
        self._settings.setGeometry(self.width() - wanted + 4, top, wanted, hint.height())
        self._figures.setGeometry(0, 0, max(self.width() - wanted - _GAP, 0), self.height())

    def _dress(self) -> None:
        colors = self._theme.colors
        self._figures.set_color(colors.accent if self._alarming else colors.faint)
