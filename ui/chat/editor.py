"""Editing a question in its place: the bubble becomes a field, Return asks again."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QRectF, Qt, Signal
from PySide6.QtGui import QColor, QPainter, QPen, QTextCursor
from PySide6.QtWidgets import QWidget
from typing_extensions import override

from ui import theme as look
from ui.chat.draft import Draft
from ui.controls import QuietButton

if TYPE_CHECKING:
    from PySide6.QtGui import QPaintEvent

    from ui.theme import Theme

_SIDE = 16
_PAD = 12
_ROW = 28
_MOST_LINES = 12


class QuestionEditor(QWidget):
    """A field with the question's words, and two buttons."""

    saved = Signal(str)
    cancelled = Signal()
    grown = Signal()

    def __init__(self, theme: Theme, text: str, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme = theme
        self.draft = Draft(theme, self)
        self.draft.setAccessibleName(self.tr("Edit question"))
        self.draft.make_ready_for(len(text))
        self.draft.setPlainText(text)
        self.draft.moveCursor(QTextCursor.MoveOperation.End)
        self.cancel = QuietButton(theme, self.tr("Cancel"), size=look.CAPTION)
        self.save = QuietButton(theme, self.tr("Ask again"), size=look.CAPTION, strong=True)
        self.cancel.setParent(self)
        self.save.setParent(self)
        self.cancel.setToolTip(self.tr("Leave the question as it is (Esc)"))
        self.save.setToolTip(self.tr("Ask again; the old version stays (Return)"))
        self.draft.send.connect(self._on_save)
        self.draft.stop.connect(self.cancelled)
        self.draft.textChanged.connect(self.grown)
        self.draft.focus_changed.connect(self.update)
        self.save.clicked.connect(self._on_save)
        self.cancel.clicked.connect(self.cancelled)

    def place(self, width: int) -> int:
        """Lay out in a width; returns the height it takes, in pixels."""
        self.draft.setGeometry(_SIDE, _PAD, width - 2 * _SIDE, self.draft.height())
        line = max(self.draft.fontMetrics().lineSpacing(), 1)
        height = self.draft.text_height(_MOST_LINES * line) + 4
        self.draft.setGeometry(_SIDE, _PAD, width - 2 * _SIDE, height)
        y = _PAD + height + 4
        x = width - 8
        for button in (self.save, self.cancel):
            hint = button.sizeHint()
            x -= hint.width()
            button.setGeometry(x, y, hint.width(), _ROW)
        return y + _ROW + 6

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        colors = self._theme.colors
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        edge = colors.accent if self.draft.hasFocus() else colors.hairline
        painter.setPen(QPen(QColor(edge), 1))
        painter.setBrush(QColor(colors.page))
        frame = QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5)
        painter.drawRoundedRect(frame, look.BUBBLE_RADIUS, look.BUBBLE_RADIUS)

    def start(self) -> None:
        """Give the field the keyboard."""
        self.draft.setFocus(Qt.FocusReason.OtherFocusReason)

    def _on_save(self) -> None:
        text = self.draft.toPlainText().strip()
        if text:
            self.saved.emit(text)
