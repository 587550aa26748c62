"""A quiet bar with one sentence: what went wrong and what to do. Never in the way."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import QColor, QPainter
from PySide6.QtWidgets import QHBoxLayout, QLabel, QSizePolicy, QWidget
from typing_extensions import override

from ui import theme as look
from ui.controls import QuietButton
from ui.icons import Icon

if TYPE_CHECKING:
    from PySide6.QtGui import QKeyEvent, QPaintEvent

    from ui.theme import Theme

_LONGEST = 400


class Notice(QWidget):
    """Shows a sentence until it is dismissed or another one comes."""

    dismissed = Signal()
    acted = Signal()
    """The one thing that was offered is wanted."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self._text = QLabel("", self)
        self._text.setTextFormat(Qt.TextFormat.PlainText)
        self._text.setWordWrap(True)
        self._text.setFont(theme.font(look.TEXT - 1))
        self._text.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        self._action = QuietButton(theme, size=look.TEXT - 1, strong=True)
        self._action.clicked.connect(self._on_action)
        self._action.hide()
        self._close = QuietButton(theme, icon=Icon.CLOSE)
        self._close.setAccessibleName(self.tr("Dismiss"))
        self._close.setFixedSize(28, 28)
        self._close.clicked.connect(self.dismiss)
        row = QHBoxLayout(self)
        row.setContentsMargins(20, 6, 8, 6)
        row.addWidget(self._text, 1)
        row.addWidget(self._action, 0, Qt.AlignmentFlag.AlignTop)
        row.addWidget(self._close, 0, Qt.AlignmentFlag.AlignTop)
        self.setAccessibleName(self.tr("Notice"))
        theme.changed.connect(self.update)
        self.hide()

    @property
    def sentence(self) -> str:
        """What is shown, "" where nothing is."""
        return "" if self.isHidden() else self._text.text()

    @property
    def action(self) -> QuietButton:
        """The button of what is offered, hidden where nothing is."""
        return self._action

    def show_sentence(self, sentence: str, action: str = "") -> None:
        """Show a sentence; screen readers are told.

        Args:
            sentence: What happened.
            action: The word of a button that does something about it; none where it is empty.
        """
        self._action.set_label(action)
        self._action.setVisible(bool(action))
        self._text.setText(sentence[:_LONGEST])
        self.setAccessibleDescription(sentence[:_LONGEST])
        self.show()
        from ui.announce import announce  # late: a window begins without a notice

        announce(self, sentence[:_LONGEST])

    def dismiss(self) -> None:
        """Take the sentence away."""
        if not self.isHidden():
            self.hide()
            self.dismissed.emit()

    def _on_action(self) -> None:
        self.dismiss()
        self.acted.emit()

    @override
    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.dismiss()
        else:
            super().keyPressEvent(event)

    @override
    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange:
            self.update()

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        colors = self._theme.colors
        painter = QPainter(self)
        painter.fillRect(self.rect(), QColor(colors.fill))
        painter.fillRect(0, 0, 3, self.height(), QColor(colors.accent))
        painter.fillRect(0, self.height() - 1, self.width(), 1, QColor(colors.hairline))
