"""The field in which the playground's text is typed, in the letters in which it is shown."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, Qt, QTimer, Signal
from PySide6.QtGui import QColor, QKeyEvent, QKeySequence, QTextCharFormat, QTextCursor, QTextOption
from PySide6.QtWidgets import QFrame, QPlainTextEdit, QSizePolicy, QTextEdit
from typing_extensions import override

from ui import theme as look
from ui.drops import leaves_files

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtCore import QMimeData
    from PySide6.QtGui import QDragEnterEvent, QFocusEvent, QResizeEvent

    from ui.playground.state import PlayToken
    from ui.theme import Theme

LETTERS = 1.4
"""How much larger than reading text it is, as in a large `TokenStrip`."""
_PAUSE_MS = 150
_MOST_LINES = 6
_MOST_MARKED = 600
_TOP, _ROOM = 3, 12
"""So that the letters stand where they do when they are shown as tokens."""
STEPS = {Qt.Key.Key_Return, Qt.Key.Key_Enter}
"""The keys that write a token; with Ctrl, or Cmd on a Mac, they write more."""


class PlayEditor(QPlainTextEdit):
    """Typed text is told of after a short pause; Return does a step, Shift-Return breaks the line.

    The cuts between tokens are seen while one types, once they are known.
    """

    edited = Signal(str)
    stepped = Signal()
    run_wanted = Signal()
    left = Signal()
    """The focus has gone elsewhere, or Esc was pressed."""
    undo_wanted = Signal()
    redo_wanted = Signal()
    """Cmd-Z where nothing that was typed is left to take back."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self._tokens: tuple[PlayToken, ...] = ()
        self.setFont(theme.font(look.TEXT * LETTERS))
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setTabChangesFocus(True)
        self.setWordWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAsNeeded)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.viewport().setAutoFillBackground(False)
        self.document().setDocumentMargin(2)
        self.setViewportMargins(0, _TOP, 0, 0)
        self.setPlaceholderText(self.tr("Write the beginning of a text…"))
        self.setAccessibleName(self.tr("Text"))
        self._pause = QTimer(self, singleShot=True, interval=_PAUSE_MS)
        self._pause.timeout.connect(self._tell)
        self.textChanged.connect(self._on_changed)
        theme.changed.connect(self._mark)
        self._fit()
        self.document().clearUndoRedoStacks()  # its own layout counts as an edit

    def set_text(self, text: str) -> None:
        """Show another text, with the cursor at its end; nothing is told of it."""
        if text != self.toPlainText():
            self.setPlainText(text)
            self.moveCursor(QTextCursor.MoveOperation.End)
        self._pause.stop()

    def set_tokens(self, tokens: Sequence[PlayToken]) -> None:
        """Mark the cuts between the tokens of the text."""
        self._tokens = tuple(tokens) if len(tokens) <= _MOST_MARKED else ()
        self._mark()

    @property
    def is_typing(self) -> bool:
        """Whether something was typed of which nothing has been told yet."""
        return self._pause.isActive()

    def flush(self) -> None:
        """Tell at once of what was typed."""
        if self._pause.isActive():
            self._pause.stop()
            self._tell()

    @override
    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent):
            mine = event.key() == Qt.Key.Key_Escape or is_run(event)
            if mine or self._goes_back(event) or self._goes_on(event):
                event.accept()
                return True
        return super().event(event)

    @override
    def keyPressEvent(self, event: QKeyEvent) -> None:
        shift = bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
        if is_run(event):
            self.flush()
            self.run_wanted.emit()
        elif event.key() in STEPS and not shift:
            self.flush()
            self.stepped.emit()
        elif event.key() in STEPS:
            self.insertPlainText("\n")
        elif event.key() == Qt.Key.Key_Escape:
            self.flush()
            self.left.emit()
        elif self._goes_back(event):
            self.undo_wanted.emit()
        elif self._goes_on(event):
            self.redo_wanted.emit()
        else:
            super().keyPressEvent(event)

    @override
    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        passing = {Qt.FocusReason.PopupFocusReason, Qt.FocusReason.ActiveWindowFocusReason}
        self.flush()
        if event.reason() not in passing:
            self.left.emit()

    @override
    def dragEnterEvent(self, e: QDragEnterEvent) -> None:
        if not leaves_files(e):
            super().dragEnterEvent(e)

    @override
    def insertFromMimeData(self, source: QMimeData) -> None:
        self.insertPlainText(source.text())

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def _goes_back(self, event: QKeyEvent) -> bool:
        """Whether Undo is meant for what was there before this field was typed in."""
        undo = event.matches(QKeySequence.StandardKey.Undo)
        return undo and not self.document().isUndoAvailable()

    def _goes_on(self, event: QKeyEvent) -> bool:
        redo = event.matches(QKeySequence.StandardKey.Redo)
        return redo and not self.document().isRedoAvailable()

    def _on_changed(self) -> None:
        self._tokens = ()
        self._mark()
        self._fit()
        self._pause.start()

    def _tell(self) -> None:
        self.edited.emit(self.toPlainText())

    def _fit(self) -> None:
        """Be as high as the text, up to some lines."""
        lines = max(round(self.document().size().height()), 1)
        height = min(lines, _MOST_LINES) * self.fontMetrics().lineSpacing() + _ROOM
        if height != self.height():
            self.setFixedHeight(height)

    def _mark(self) -> None:
        """Every other token gets a ground; control tokens get another colour."""
        text, tokens = self.toPlainText(), self._tokens
        joined = "".join(token.text for token in tokens)
        if joined != text and tokens and joined == tokens[0].text + text:
            tokens = tokens[1:]  # a begin-of-text token that nobody typed
            joined = text
        marks: list[QTextEdit.ExtraSelection] = []
        if joined == text:
            at = 0
            for number, token in enumerate(tokens):
                end = at + len(token.text.encode("utf-16-le")) // 2
                if number % 2 or token.control:
                    marks.append(self._selection(at, end, control=token.control))
                at = end
        self.setExtraSelections(marks)

    def _selection(self, start: int, end: int, *, control: bool) -> QTextEdit.ExtraSelection:
        mark = QTextEdit.ExtraSelection()
        cursor = QTextCursor(self.document())
        cursor.setPosition(start)
        cursor.setPosition(end, QTextCursor.MoveMode.KeepAnchor)
        style = QTextCharFormat()
        style.setBackground(QColor(self._theme.colors.fill))
        if control:
            style.setForeground(QColor(self._theme.colors.accent))
        mark.cursor = cursor  # pyright: ignore[reportAttributeAccessIssue]  missing from the stubs
        mark.format = style  # pyright: ignore[reportAttributeAccessIssue]  as above
        return mark


def is_run(event: QKeyEvent) -> bool:
    """Whether keys mean to write on."""
    return event.key() in STEPS and bool(event.modifiers() & Qt.KeyboardModifier.ControlModifier)
