"""Where the user writes: grows with the text, sends on Return, stops on Esc."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QFontMetrics,
    QGuiApplication,
    QKeyEvent,
    QPainter,
    QPen,
    QTextCursor,
    QTextOption,
)
from PySide6.QtWidgets import QFrame, QLabel, QPlainTextEdit, QSizePolicy, QWidget
from typing_extensions import override

from ui import theme as look
from ui.controls import RoundButton
from ui.figures import count
from ui.icons import Icon

if TYPE_CHECKING:
    from PySide6.QtCore import QMimeData
    from PySide6.QtGui import (
        QFocusEvent,
        QInputMethodEvent,
        QPaintEvent,
        QResizeEvent,
    )

    from ui.theme import Theme

_SIDE = 16
_PAD = 13
_BUTTON = 32
_STATUS = 26
_BELOW = 4
_LONG = 20_000
_RETURNS = (Qt.Key.Key_Return, Qt.Key.Key_Enter)


class Draft(QPlainTextEdit):
    """The text field; tells Return and Esc apart from what an input method does with them."""

    send = Signal()
    stop = Signal()
    focus_changed = Signal()

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self._composing = False
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

    @override
    def insertFromMimeData(self, source: QMimeData) -> None:
        self.make_ready_for(len(source.text()))
        super().insertFromMimeData(source)

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
        if self._composing:
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


class Composer(QWidget):
    """The draft in its frame, the send and stop button, and a line of figures below."""

    submitted = Signal(str)
    stop_requested = Signal()
    escaped = Signal()
    """Esc while there is nothing to stop."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self._busy = False
        self._draft = Draft(theme, self)
        self._button = RoundButton(theme, Icon.ARROW_UP, _BUTTON, self, main=True)
        self._status = QLabel("", self)
        self._status.setTextFormat(Qt.TextFormat.PlainText)
        self._status.setFont(theme.font(look.CAPTION))
        self.setFocusProxy(self._draft)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self._dress()
        self._update_button()
        self._connect_signals()

    def _connect_signals(self) -> None:
        self._draft.send.connect(self.send)
        self._draft.stop.connect(self._on_stop)
        self._draft.textChanged.connect(self._on_text_changed)
        self._draft.focus_changed.connect(self.update)
        self._draft.document().documentLayout().documentSizeChanged.connect(self.updateGeometry)
        self._button.clicked.connect(self._on_button)
        self._theme.changed.connect(self._dress)

    @property
    def draft(self) -> Draft:
        """The text field."""
        return self._draft

    @property
    def button(self) -> RoundButton:
        """The button that sends, or stops while a reply is being written."""
        return self._button

    @property
    def busy(self) -> bool:
        """Whether a reply of the shown chat is being written."""
        return self._busy

    @property
    def status(self) -> str:
        """The line of figures below the frame."""
        return self._status.text()

    def send(self) -> None:
        """Hand the draft over, unless it is blank, not finished, or a reply is being written."""
        text = self._draft.toPlainText()
        if self._busy or self._draft.composing or not text.strip():
            return
        cursor = self._draft.textCursor()
        cursor.select(QTextCursor.SelectionType.Document)
        cursor.removeSelectedText()
        self._draft.make_ready_for(0)
        self.submitted.emit(text)

    def restore(self, text: str) -> None:
        """Put a text back, before whatever has been written since."""
        self._draft.make_ready_for(len(text))
        cursor = self._draft.textCursor()
        cursor.movePosition(QTextCursor.MoveOperation.Start)
        cursor.insertText(text if self._draft.document().isEmpty() else f"{text}\n")
        self._draft.setTextCursor(cursor)

    def set_busy(self, *, busy: bool) -> None:
        """Turn the button into stop while a reply is being written; the draft stays open."""
        self._busy = busy
        self._update_button()

    def set_context(self, tokens: int, limit: int, fresh: int = 0, reused: int = 0) -> None:
        """Say how full the context is.

        Args:
            tokens: In the context now.
            limit: That the context holds; 0 where no model is loaded.
            fresh: Of the last prompt, prefilled.
            reused: Of the last prompt, taken from the cache.
        """
        text = ""
        if limit:
            text = self.tr("{used} of {limit} tokens").format(
                used=count(tokens), limit=count(limit)
            )
        if limit and (fresh or reused):
            text += "    " + self.tr("{fresh} new, {reused} reused").format(
                fresh=count(fresh), reused=count(reused)
            )
        if text != self._status.text():
            self._status.setText(text)

    @override
    def sizeHint(self) -> QSize:
        line = QFontMetrics(self._draft.font()).lineSpacing()
        highest = max(self.window().height() // 3, 4 * line)
        lines = max(round(self._draft.document().size().height()), 1)
        height = min(lines * line + 2, highest)
        return QSize(self._theme.measure, max(height, 26) + 2 * _PAD + _STATUS + _BELOW)

    @override
    def minimumSizeHint(self) -> QSize:
        return QSize(240, self.sizeHint().height())

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        self._arrange()

    def _arrange(self) -> None:
        frame = self._frame()
        line = QFontMetrics(self._draft.font()).lineSpacing()
        lift = max((26 - line) // 2, 0) if frame.height() < 2 * line + 2 * _PAD else 0
        self._draft.setGeometry(
            round(frame.x()) + _SIDE,
            _PAD + lift,
            round(frame.width()) - 2 * _SIDE - _BUTTON - 4,
            round(frame.height()) - 2 * _PAD - lift,
        )
        self._button.move(round(frame.right()) - _BUTTON - 10, round(frame.bottom()) - _BUTTON - 10)
        self._status.setGeometry(
            round(frame.x()) + 2, round(frame.bottom()) + 2, round(frame.width()) - 4, _STATUS - 2
        )
        self.updateGeometry()

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        colors = self._theme.colors
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        focused = self._draft.hasFocus()
        edge = QColor(colors.faint if focused else colors.hairline)
        edge.setAlphaF(0.6 if focused else 1.0)
        painter.setPen(QPen(edge, 1))
        painter.setBrush(QColor(colors.page))
        frame = self._frame().adjusted(0.5, 0.5, -0.5, -0.5)
        painter.drawRoundedRect(frame, look.BUBBLE_RADIUS, look.BUBBLE_RADIUS)

    def _frame(self) -> QRectF:
        width = min(self.width() - 32, self._theme.measure + 2 * _SIDE)
        left = (self.width() - width) // 2
        return QRectF(left, 0, width, self.height() - _STATUS - _BELOW)

    def _update_button(self) -> None:
        name = self.tr("Stop") if self._busy else self.tr("Send")
        self._button.set_icon(Icon.STOP if self._busy else Icon.ARROW_UP)
        self._button.setAccessibleName(name)
        self._button.setToolTip(name)
        self._button.setEnabled(self._busy or not self._draft.document().isEmpty())

    def _on_text_changed(self) -> None:
        self._update_button()
        self.updateGeometry()

    def _on_button(self) -> None:
        if self._busy:
            self.stop_requested.emit()
            return
        QGuiApplication.inputMethod().commit()
        self.send()

    def _on_stop(self) -> None:
        if self._busy:
            self.stop_requested.emit()
        else:
            self.escaped.emit()

    def _dress(self) -> None:
        self._draft.setFont(self._theme.reading_font())
        # Under a style sheet the viewport, which writes the hint, does not take it over.
        self._draft.viewport().setFont(self._theme.reading_font())
        palette = self._status.palette()
        palette.setColor(palette.ColorRole.WindowText, QColor(self._theme.colors.faint))
        self._status.setPalette(palette)
        self._arrange()
        self.update()


def _key(event: QEvent) -> int:
    """The key of a key event."""
    return event.key() if isinstance(event, QKeyEvent) else 0
