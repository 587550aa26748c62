"""One message of the transcript: the user's bubble, or a reply made of segments.

A reply is a run of segments: prose, code, prose… Finished segments are never touched again
while the reply grows; only the block at its end is laid out anew.
"""

from __future__ import annotations

import time
from collections import deque
from typing import TYPE_CHECKING

from PySide6.QtCore import QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QGuiApplication, QPainter, QTextBlockFormat, QTextCursor
from PySide6.QtWidgets import QFrame, QTextEdit, QWidget
from typing_extensions import override

from ui import theme as look
from ui.chat.blocks import Block, BlockSplitter
from ui.chat.code import CodeBlock
from ui.chat.markdown import SELECTABLE
from ui.chat.prose import Prose
from ui.controls import ElidedLabel, QuietButton
from ui.figures import count

if TYPE_CHECKING:
    from PySide6.QtGui import QEnterEvent, QPaintEvent, QWheelEvent

    from ui.state import MessageView
    from ui.theme import Theme

_GAP = 8
_FOOT = 32
_BUBBLE_SIDE = 16
_BUBBLE_TOP = 9
_BUBBLE_SHARE = 0.82
_SHOWN_AT_FIRST = 4000
_LONGEST_RUN = 1000


class MessageItem(QWidget):
    """What the transcript asks of every message."""

    grown = Signal()
    """The message wants another height."""

    def __init__(self, message_id: str, parent: QWidget) -> None:
        super().__init__(parent)
        self.message_id = message_id

    def place(self, width: int) -> int:
        """Lay the message out in a width; returns the height it takes, in pixels."""
        raise NotImplementedError

    def restyle(self) -> None:
        """Take on the colours that are in force now."""


class UserMessage(MessageItem):
    """What the user said: plain text in a soft bubble at the right."""

    def __init__(self, theme: Theme, view: MessageView, parent: QWidget) -> None:
        super().__init__(view.id, parent)
        self._theme = theme
        self._source = view.text
        self._shown = 0
        self._text = _PlainText(self)
        self._text.setFont(theme.font())
        self._text.setAccessibleName(self.tr("You"))
        self._more = QuietButton(theme, "", size=look.CAPTION)
        self._more.setParent(self)
        self._more.clicked.connect(self._show_more)
        self._show_more()

    @override
    def place(self, width: int) -> int:
        room = round(width * _BUBBLE_SHARE) - 2 * _BUBBLE_SIDE
        document = self._text.document()
        self._text.setLineWrapColumnOrWidth(room)
        taken = min(round(document.idealWidth()) + 1, room)
        if not self._more.isHidden():
            taken = max(taken, min(room, self._more.sizeHint().width()))
        self._text.setLineWrapColumnOrWidth(taken)
        height = round(document.size().height())
        left = width - taken - _BUBBLE_SIDE
        # The space between lines stands above each, the first one too.
        self._text.setGeometry(left, _BUBBLE_TOP - 3, taken, height)
        bottom = _BUBBLE_TOP + height
        if not self._more.isHidden():
            hint = self._more.sizeHint()
            self._more.setGeometry(left - 8, bottom + 2, hint.width(), hint.height())
            bottom += hint.height() + 2
        return bottom + _BUBBLE_TOP

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(self._theme.colors.fill))
        left = self._text.x() - _BUBBLE_SIDE
        bubble = QRectF(left, 0, self.width() - left, self.height())
        painter.drawRoundedRect(bubble, look.BUBBLE_RADIUS, look.BUBBLE_RADIUS)

    def _show_more(self) -> None:
        """Show the next piece of a long text; a whole megabyte at once would stop the window."""
        piece = self._source[self._shown : self._shown + max(_SHOWN_AT_FIRST, self._shown)]
        self._shown += len(piece)
        self._text.append_plain(piece)
        rest = len(self._source) - self._shown
        self._more.setVisible(rest > 0)
        self._more.setText(self.tr("Show more · {n} characters").format(n=count(rest)))
        self.grown.emit()


class ReplyMessage(MessageItem):
    """What the model said, with a line of figures below."""

    def __init__(self, theme: Theme, view: MessageView, parent: QWidget) -> None:
        super().__init__(view.id, parent)
        self._theme = theme
        self._source = ""
        self._waiting: deque[Block] = deque()
        self._splitter = BlockSplitter()
        self._segments: list[Prose | CodeBlock] = []
        self._tail: CodeBlock | None = None
        self._streaming = True
        self._fresh = ""
        self._caption = ElidedLabel(theme.font(look.CAPTION), self)
        self._copy = _HoverButton(theme, self.tr("Copy"), self)
        self._copy.setAccessibleName(self.tr("Copy reply"))
        self._copy.clicked.connect(self._on_copy)
        self.update_view(view)

    @property
    def segments(self) -> tuple[Prose | CodeBlock, ...]:
        """The prose and code of the reply, in order."""
        return tuple(self._segments)

    @property
    def source(self) -> str:
        """The Markdown of the reply as far as it has come."""
        return self._source

    def update_view(self, view: MessageView) -> None:
        """Take on a new state, caption or text."""
        if view.text.startswith(self._source):
            self.append(view.text[len(self._source) :])
        else:
            self._start_again(view.text)
        self._streaming = view.state == "streaming"
        self._caption.set_whole(self._caption_text(view))
        self._dress()
        self._copy.setVisible(not self._streaming and bool(self._source))

    def append(self, text: str) -> None:
        """Take more text; it is shown by the next `advance`."""
        self._source += text
        self._fresh += text

    def advance(self, deadline: float) -> bool:
        """Show what has come, at least one block of it.

        Args:
            deadline: When to leave the rest for another time, by `time.perf_counter`.

        Returns:
            Whether there is more to show.
        """
        if self._fresh:
            self._waiting.extend(self._splitter.feed(self._fresh))
            self._fresh = ""
        if not self._streaming:
            self._waiting.extend(self._splitter.finish())
        while self._waiting:
            self._show_block(self._waiting.popleft())
            if time.perf_counter() > deadline and self._waiting:
                return True
        self._show_open()
        return False

    @override
    def place(self, width: int) -> int:
        y = 0
        for segment in self._segments:
            height = segment.height_for(width)
            if isinstance(segment, CodeBlock):
                y += _GAP if y else 0
                segment.setGeometry(0, y, width, height)
                if segment.height_for(width) != height:
                    height = segment.height_for(width)
                    segment.setGeometry(0, y, width, height)
                y += _GAP
            else:
                segment.setGeometry(0, y, width, height)
            y += height
        copy = QSize(0, 0) if self._copy.isHidden() else self._copy.sizeHint()
        self._caption.setGeometry(0, y + 8, width - copy.width() - 8, _FOOT - 8)
        self._copy.setGeometry(width - copy.width(), y + 7, copy.width(), _FOOT - 7)
        return y + _FOOT

    @override
    def restyle(self) -> None:
        self._dress()
        for segment in self._segments:
            if isinstance(segment, Prose):
                segment.restyle()

    @override
    def enterEvent(self, event: QEnterEvent) -> None:
        self._copy.set_revealed(revealed=True)

    @override
    def leaveEvent(self, event: object) -> None:
        self._copy.set_revealed(revealed=False)

    def _show_block(self, block: Block) -> None:
        """Put a finished block where it stays."""
        if block.kind == "code":
            code = self._tail or self._add_code(block)
            code.set_source(block.text)
            self._tail = None
        else:
            self._prose().add_block(_laid_out(block.text))

    def _show_open(self) -> None:
        block = self._splitter.open_block()
        if block is None:
            last = self._segments[-1] if self._segments else None
            if isinstance(last, Prose):
                last.set_open("")
        elif block.kind == "code":
            if self._tail is None:
                self._tail = self._add_code(block)
            self._tail.set_source(block.text)
        else:
            self._prose().set_open(_laid_out(block.text))
        self._mark_end()

    def _mark_end(self) -> None:
        if self._streaming and self._tail is None:
            self._prose()
        for segment in self._segments:
            segment.set_caret(shown=self._streaming and segment is self._segments[-1])

    def _prose(self) -> Prose:
        """The prose segment at the end, made where there is none."""
        if not self._segments or not isinstance(self._segments[-1], Prose):
            self._add(Prose(self._theme, self))
        last = self._segments[-1]
        assert isinstance(last, Prose)
        return last

    def _add_code(self, block: Block) -> CodeBlock:
        if self._segments and isinstance(self._segments[-1], Prose):
            self._segments[-1].set_open("")
            if not self._segments[-1].blocks:
                self._segments.pop().deleteLater()
        code = CodeBlock(self._theme, block.language, self)
        self._add(code)
        return code

    def _add(self, segment: Prose | CodeBlock) -> None:
        self._segments.append(segment)
        segment.show()

    def _start_again(self, text: str) -> None:
        for segment in self._segments:
            segment.hide()
            segment.deleteLater()
        self._segments = []
        self._tail = None
        self._waiting.clear()
        self._splitter = BlockSplitter()
        self._source = self._fresh = text

    def _caption_text(self, view: MessageView) -> str:
        endings = {
            "stopped": self.tr("Stopped"),
            "interrupted": self.tr("Interrupted before it was finished"),
            "failed": self.tr("Could not be finished"),
        }
        parts = [endings.get(view.state, ""), view.caption]
        return " · ".join(part for part in parts if part).replace(" · ", "   ")

    def _dress(self) -> None:
        self._caption.set_color(self._theme.colors.faint)

    def _on_copy(self) -> None:
        QGuiApplication.clipboard().setText(self._source)


class _PlainText(QTextEdit):
    """Selectable plain text that leaves scrolling to the transcript."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setLineWrapMode(QTextEdit.LineWrapMode.FixedPixelWidth)
        self.setReadOnly(True)
        self.setTextInteractionFlags(SELECTABLE)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.viewport().setAutoFillBackground(False)
        self.document().setDocumentMargin(0)
        self.document().setUndoRedoEnabled(False)

    def append_plain(self, text: str) -> None:
        """Add text at the end, exactly as it is."""
        cursor = QTextCursor(self.document())
        cursor.movePosition(QTextCursor.MoveOperation.End)
        line = QTextBlockFormat()
        line.setLineHeight(look.LINE_HEIGHT, QTextBlockFormat.LineHeightTypes.MinimumHeight.value)
        cursor.setBlockFormat(line)
        cursor.insertText(_laid_out(text))

    @override
    def wheelEvent(self, event: QWheelEvent) -> None:
        event.ignore()


class _HoverButton(QuietButton):
    """A button that shows itself when the pointer or the keyboard is near."""

    def __init__(self, theme: Theme, text: str, parent: QWidget) -> None:
        super().__init__(theme, text, size=look.CAPTION)
        self.setParent(parent)
        self._revealed = False

    def set_revealed(self, *, revealed: bool) -> None:
        """The pointer came near, or left."""
        self._revealed = revealed
        self.update()

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        if self._revealed or self.hasFocus():
            super().paintEvent(event)


def _laid_out(text: str) -> str:
    """The text with endless unbroken runs broken: laying one out takes quadratic time."""
    if len(text) <= _LONGEST_RUN or max(map(len, text.split()), default=0) <= _LONGEST_RUN:
        return text
    return "\u200b".join(
        text[start : start + _LONGEST_RUN] for start in range(0, len(text), _LONGEST_RUN)
    )
