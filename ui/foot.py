"""The foot of the left side: whether anything may be sent out, and the way to the preferences."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtGui import QColor, QKeySequence, QPainter
from PySide6.QtWidgets import QHBoxLayout
from typing_extensions import override

from ui import theme as look
from ui.controls import QuietButton, Surface

if TYPE_CHECKING:
    from PySide6.QtGui import QPaintEvent

    from ui.theme import Theme

_HEIGHT = 44


class Foot(Surface):
    """One line: the state of the network at the left, the shortcut of the preferences at right."""

    preferences_requested = Signal(str)
    """Words to search the preferences for; none shows them all."""

    def __init__(self, theme: Theme, keys: QKeySequence) -> None:
        super().__init__(theme, "sidebar")
        self.network = QuietButton(theme, size=look.CAPTION)
        self.network.setMinimumWidth(24)  # gives way where the side is narrow
        written = keys.toString(QKeySequence.SequenceFormat.NativeText)
        self.preferences = QuietButton(theme, written, size=look.CAPTION)
        self.preferences.setAccessibleName(self.tr("Preferences"))
        self.preferences.setToolTip(self.tr("Preferences"))
        self.setFixedHeight(_HEIGHT)
        row = QHBoxLayout(self)
        row.setContentsMargins(12, 1, 12, 0)
        row.addWidget(self.network)
        row.addStretch(1)
        row.addWidget(self.preferences)
        self.network.clicked.connect(self._on_network)
        self.preferences.clicked.connect(lambda: self.preferences_requested.emit(""))
        self.set_offline(offline=False)

    def set_offline(self, *, offline: bool) -> None:
        """Say whether anything may be sent out."""
        tip = (
            self.tr("Nothing is sent anywhere.")
            if offline
            else self.tr("Chats stay here; only models are searched for and fetched.")
        )
        self.network.set_label(self.tr("Offline") if offline else self.tr("Online for models"))
        self.network.setToolTip(tip)
        self.network.setAccessibleDescription(tip)

    def _on_network(self) -> None:
        self.preferences_requested.emit(self.tr("Offline"))

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        QPainter(self).fillRect(0, 0, self.width(), 1, QColor(self._theme.colors.hairline))
