"""The text field of a question; an input method is never cut short, files are handed on."""

from __future__ import annotations

from math import ceil
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import QKeyEvent, QTextOption
from PySide6.QtWidgets import QFrame, QPlainTextEdit, QWidget
from typing_extensions import override

from ui.drops import leaves_files, local_files

if TYPE_CHECKING:
    from PySide6.QtCore import QMimeData
    from PySide6.QtGui import QDragEnterEvent, QFocusEvent, QInputMethodEvent, QResizeEvent

    from ui.theme import Theme

LONG_PASTE = 8_000
"""From so many characters on, a text that is pasted might rather be a file."""
_LONG = 20_000
_RETURNS = (Qt.Key.Key_Return, Qt.Key.Key_Enter)


class Draft(QPlainTextEdit):
    """The text field; tells Return and Esc apart from what an input method does with them."""

    send = Signal()
    stop = Signal()
    focus_changed = Signal()
    files_given = Signal(list)
    """Paths of files that were pasted or dropped."""
    text_given = Signal(str)
    """A very long text that was pasted, and that might rather go along as a file."""

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self._composing = False
        self._takes_files = False
        self.setFont(theme.reading_font())
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setTabChangesFocus(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.viewport().setAutoFillBackground(False)
        self.document().setDocumentMargin(0)
        self.setAccessibleName(self.tr("Message"))
        self._hint = self.tr("Ask anything. ⏎ sends, ⇧⏎ breaks the line")
        self.setPlaceholderText(self._hint)

    @property
    def composing(self) -> bool:
        """Whether an input method still holds text that is not in the draft yet."""
        return self._composing

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        fits = self.fontMetrics().horizontalAdvance(self._hint) < self.viewport().width()
        self.setPlaceholderText(self._hint if fits else self.tr("Ask anything"))

    def make_ready_for(self, length: int) -> None:
        """Wrap a very long text at any character: looking for words takes quadratic time."""
        if length > _LONG:
            self.setWordWrapMode(QTextOption.WrapMode.WrapAnywhere)
        elif self.document().isEmpty():
            self.setWordWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)

    def text_height(self, most: int) -> int:
        """How high the text is in logical pixels; of one that is higher than `most`, that.

        Lines of other scripts may be higher than the font's own.
        """
        height = 0.0
        block = self.document().firstBlock()
        while block.isValid() and height < most:
            height += self.blockBoundingRect(block).height()
            block = block.next()
        return min(ceil(height), most)

    def take_files(self) -> None:
        """Hand on files that are pasted or dropped, and tell of very long texts."""
        self._takes_files = True

    @override
    def dragEnterEvent(self, e: QDragEnterEvent) -> None:
        if not leaves_files(e):
            super().dragEnterEvent(e)

    @override
    def canInsertFromMimeData(self, source: QMimeData) -> bool:
        return super().canInsertFromMimeData(source) or (
            self._takes_files and bool(local_files(source))
        )

    @override
    def insertFromMimeData(self, source: QMimeData) -> None:
        files = local_files(source) if self._takes_files else []
        if files:
            self.files_given.emit(files)
            return
        text = source.text()
        self.make_ready_for(len(text))
        super().insertFromMimeData(source)
        if self._takes_files and len(text) > LONG_PASTE:
            self.text_given.emit(text)

    @override
    def inputMethodEvent(self, event: QInputMethodEvent) -> None:
        super().inputMethodEvent(event)
        self._composing = bool(event.preeditString())

    @override
    def event(self, event: QEvent) -> bool:
        if (
            event.type() == QEvent.Type.ShortcutOverride
            and self._composing
            and _key(event) == Qt.Key.Key_Escape
        ):
            event.accept()
            return True
        return super().event(event)

    @override
    def keyPressEvent(self, event: QKeyEvent) -> None:
        shift = bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
        if self._composing and event.key() in _RETURNS:
            event.accept()  # it ends the composition, and is neither sent nor a line
        elif self._composing:
            super().keyPressEvent(event)
        elif event.key() in _RETURNS and not shift:
            self.send.emit()
        elif event.key() in _RETURNS:
            self.textCursor().insertText("\n")
            self.ensureCursorVisible()
        elif event.key() == Qt.Key.Key_Escape:
            self.stop.emit()
        else:
            super().keyPressEvent(event)

    @override
    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self.focus_changed.emit()

    @override
    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self._composing = False
        self.focus_changed.emit()


def _key(event: QEvent) -> int:
    """The key of a key event."""
    return event.key() if isinstance(event, QKeyEvent) else 0
