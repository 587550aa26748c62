"""The log window: the latest lines of what the program noted, and a report to send along."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import (
    QDialog,
    QHBoxLayout,
    QLabel,
    QPlainTextEdit,
    QVBoxLayout,
)

from ui import theme as look
from ui.controls_buttons import ActionButton

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtWidgets import QWidget

    from ui.theme import Theme

MOST_LINES = 2000
"""How many lines are shown; older ones leave."""

_SIZE = (760, 480)


class LogWindow(QDialog):
    """A bounded view that follows its end unless someone scrolled up."""

    report_wanted = Signal()
    """Someone wants the report on the clipboard; `tell_copied` says that it is there."""
    folder_wanted = Signal()
    """Someone wants to see the files."""

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme = theme
        self.setWindowTitle(self.tr("Log"))
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.resize(*_SIZE)
        self._text = QPlainTextEdit()
        self._text.setAccessibleName(self.tr("Log"))
        self._text.setReadOnly(True)
        self._text.setMaximumBlockCount(MOST_LINES)
        self._text.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        self._text.setUndoRedoEnabled(False)
        self._text.setFont(theme.code_font(look.CAPTION))
        self._text.document().setDocumentMargin(12)
        self._text.setPlaceholderText(self.tr("Nothing was noted yet."))
        self._note = QLabel(self.tr("Nothing that was said in a chat is written here."))
        self._note.setFont(theme.font(look.CAPTION))
        self._note.setWordWrap(True)
        self.copy = ActionButton(theme, self.tr("Copy Report"), main=True)
        self.copy.setToolTip(
            self.tr("Copy versions, system, device and the end of the log; no chats")
        )
        self.folder = ActionButton(theme, self.tr("Show Files"))
        self.copy.clicked.connect(self.report_wanted)
        self.folder.clicked.connect(self.folder_wanted)
        self._lay_out()
        QShortcut(QKeySequence(QKeySequence.StandardKey.Close), self, self.close)
        theme.changed.connect(self._dress)
        self._dress()

    @property
    def lines(self) -> list[str]:
        """What is shown."""
        text = self._text.toPlainText()
        return text.split("\n") if text else []

    def add_lines(self, lines: Sequence[str]) -> None:
        """Add lines at the end; the oldest leave."""
        if not lines:
            return
        bar, sideways = self._text.verticalScrollBar(), self._text.horizontalScrollBar().value()
        followed = bar.value() >= bar.maximum()
        # One call for all, so that many lines are laid out once.
        self._text.appendPlainText("\n".join(lines[-MOST_LINES:]))
        cursor = self._text.textCursor()
        if cursor.atEnd() and not cursor.hasSelection():  # it would bring the end of a line along
            cursor.movePosition(cursor.MoveOperation.StartOfBlock)
            self._text.setTextCursor(cursor)
        self._text.horizontalScrollBar().setValue(sideways)
        if followed:
            bar.setValue(bar.maximum())

    def tell_copied(self) -> None:
        """Say that the report is on the clipboard."""
        self._note.setText(self.tr("The report is on the clipboard. It holds nothing of any chat."))

    def _lay_out(self) -> None:
        foot = QHBoxLayout()
        foot.setContentsMargins(16, 10, 16, 10)
        foot.setSpacing(8)
        foot.addWidget(self._note, 1)
        foot.addWidget(self.folder)
        foot.addWidget(self.copy)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self._text, 1)
        column.addLayout(foot)

    def _dress(self) -> None:
        colors = self._theme.colors
        self.setStyleSheet(
            f"QPlainTextEdit {{ background: {colors.panel}; color: {colors.text}; border: 0;"
            f" border-bottom: 1px solid {colors.hairline}; }}"
            f"QLabel {{ color: {colors.dim}; }}"
        )
