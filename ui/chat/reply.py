"""A reply of the model: its text is read as it comes, and shown by its body."""

from __future__ import annotations

import time
from collections import deque
from dataclasses import replace
from typing import TYPE_CHECKING

from PySide6.QtCore import QTimer, Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QPlainTextEdit, QTextEdit, QWidget
from typing_extensions import override

from ui import theme as look
from ui.announce import Sentences
from ui.chat.actions import ROW_HEIGHT
from ui.chat.blocks import Block, BlockSplitter
from ui.chat.body import ReplyBody, Segment
from ui.chat.copying import mime
from ui.chat.message import MessageItem
from ui.chat.thoughts import Piece, ThoughtSplitter
from ui.controls import ElidedLabel

if TYPE_CHECKING:
    from ui.chat.formulas import Formulas
    from ui.state import MessageAction, MessageView
    from ui.theme import Theme

_FOOT = 32
_BETWEEN = "   "
"""What stands between the figures below a reply."""
_READ = 8000
_NOTE_AFTER_MS = 250
"""A reply that begins at once never says that it waits."""


class ReplyMessage(MessageItem):
    """What the model said, with a line of figures below."""

    spoken = Signal(str)
    """A sentence of the answer that is complete, while the reply is being written."""

    def __init__(
        self, theme: Theme, formulas: Formulas, view: MessageView, parent: QWidget
    ) -> None:
        super().__init__(theme, view, parent)
        self._theme = theme
        self._source = ""
        self._answer: list[str] = []
        self._waiting: deque[Block | Piece] = deque()
        self._splitter = BlockSplitter()
        self._opened = view.thought_open
        self._thoughts = ThoughtSplitter(opened=view.thought_open)
        self._body = ReplyBody(theme, formulas, self)
        self._width = -1
        self._streaming = view.state == "streaming"
        self._fresh = ""
        self._sentences = Sentences()
        self._read_length = 0
        self._old_length = len(view.text)
        self._caption = ElidedLabel(theme.font(look.CAPTION), self)
        self._caption.set_between(_BETWEEN)
        self.veil.leave_out(self._caption)
        self._note = ElidedLabel(theme.font(look.TEXT - 1), self)
        self._note.hide()
        self._late = QTimer(self, singleShot=True, interval=_NOTE_AFTER_MS)
        self._late.timeout.connect(self._show_note)
        self._body.grown.connect(self.grown)
        self.actions_row.turned.connect(self._widen_caption)
        self.update_view(view)

    @property
    def segments(self) -> tuple[Segment, ...]:
        """The thoughts, prose, code and tables of the reply, in order."""
        return self._body.segments

    @property
    def note(self) -> str:
        """What the reply waits for, in words; empty where it does not wait."""
        sentences = {
            "model": self.tr("Waiting for the model…"),
            "reply": self.tr("Waiting for another reply…"),
        }
        return sentences.get(self.view.queued, "")

    @property
    def source(self) -> str:
        """The whole text of the reply as far as it has come, thoughts and their marks included."""
        return self._source

    @property
    @override
    def answer(self) -> str:
        """The Markdown of the reply without what the model thought."""
        return "".join(self._answer).strip("\n")

    @override
    def update_view(self, view: MessageView) -> None:
        super().update_view(view)
        # A reply that goes on goes on within its last block, which had been taken as finished.
        goes_on = view.state == "streaming" and not self._streaming
        same = view.text.startswith(self._source) and view.thought_open == self._opened
        if same and not goes_on:
            self.append(view.text[len(self._source) :])
        else:
            self._start_again(view.text, opened=view.thought_open)
        self._streaming = view.state == "streaming"
        self._caption.set_whole(self._caption_text(view))
        self._tell_thought()
        self._tell_note()
        self._dress()
        self.actions_row.show_for(view, self._offered(view))

    @property
    @override
    def latest_view(self) -> MessageView:
        return replace(self.view, text=self._source)

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
        while True:
            if self._show_waiting(deadline):
                return True
            if not self._fresh:
                break
            self._read(self._fresh[:_READ])
            self._fresh = self._fresh[_READ:]
            if self._fresh and not self._waiting and time.perf_counter() > deadline:
                self._show_open()  # an endless block grows piece by piece
                return True
        self._end_reading()
        if self._show_waiting(deadline):
            return True
        self._show_open()
        return False

    def _read(self, text: str) -> None:
        self._read_length += len(text)
        for piece in self._thoughts.feed(text):
            self._take(piece)

    def _end_reading(self) -> None:
        """When the reply is over, what is still open is complete."""
        if self._streaming:
            return
        for piece in self._thoughts.finish():
            self._take(piece)
        self._waiting.extend(self._splitter.finish())
        self._speak(self._sentences.finish())

    def _speak(self, sentences: list[str]) -> None:
        """Tell of sentences that were written just now, not of those that are read again."""
        if self._read_length > self._old_length:
            for sentence in sentences:
                self.spoken.emit(sentence)

    def _show_waiting(self, deadline: float) -> bool:
        """Show finished blocks until the time is over; whether some are left."""
        while self._waiting:
            self._show(self._waiting.popleft())
            if time.perf_counter() > deadline:
                return bool(self._waiting or self._fresh)
        return False

    def _take(self, piece: Piece) -> None:
        """Sort a piece into the answer or a thought."""
        if piece.kind == "answer":
            self._answer.append(piece.text)
            self._waiting.extend(self._splitter.feed(piece.text))
            self._speak(self._sentences.feed(piece.text))
            return
        if piece.kind == "was_thought":
            text = "".join(self._answer)
            self._forget()
            self._waiting.extend((Piece("thought", text), Piece("closed")))
            return
        self._waiting.extend(self._splitter.finish())
        self._waiting.append(piece)

    def _show(self, part: Block | Piece) -> None:
        if isinstance(part, Block):
            self._body.show_block(part)
        elif part.kind == "thought":
            self._body.think(part.text, running=self._streaming)
            self._tell_thought()
        else:
            self._body.end_thought()

    def _show_open(self) -> None:
        caret = not self.view.queued
        block = self._splitter.open_block()
        self._body.show_open(block, streaming=self._streaming, caret=caret)

    def _tell_thought(self) -> None:
        """Give the first thought the figures that came with the message."""
        first = self._body.first_thought
        if first is not None:
            first.tell(self.view.thought_s, self.view.thought_tokens)

    def _tell_note(self) -> None:
        """Say what the reply waits for, unless that is over in a moment."""
        self._note.set_whole(self.note)
        if not self.note:
            self._late.stop()
            self._note.hide()
        elif self._note.isHidden():
            self._late.start()

    def _show_note(self) -> None:
        self._note.show()
        self.grown.emit()

    @override
    def place(self, width: int) -> int:
        self._width = width
        y = self._body.place(width)
        if not self._note.isHidden():
            self._note.setGeometry(0, y, width, look.LINE_HEIGHT)
            y += look.LINE_HEIGHT
        row = min(self.actions_row.sizeHint().width(), width)
        self.actions_row.setGeometry(width - row, y + 8, row, ROW_HEIGHT)
        self._caption.setGeometry(0, y + 8, 0, _FOOT - 8)
        self._widen_caption()
        return y + _FOOT

    def _widen_caption(self) -> None:
        """Let the figures reach to the actions that are seen, so that both fit a small window."""
        width = max(self._width - self.actions_row.seen_width - 8, 0)
        self._caption.resize(width, self._caption.height())

    @override
    def texts(self) -> list[QTextEdit | QPlainTextEdit]:
        return self._body.texts()

    @override
    def restyle(self) -> None:
        self._dress()
        self._body.restyle()

    def _start_again(self, text: str, *, opened: bool) -> None:
        self._forget()
        self._opened = opened
        self._thoughts = ThoughtSplitter(opened=opened)
        self._source = self._fresh = text
        self._read_length, self._old_length = 0, len(text)

    def _forget(self) -> None:
        """Take away what is shown and what waits to be."""
        self._body.clear()
        self._answer = []
        self._waiting.clear()
        self._splitter = BlockSplitter()
        self._sentences = Sentences()

    def _caption_text(self, view: MessageView) -> str:
        endings = {
            "stopped": self.tr("Stopped"),
            "interrupted": self.tr("Interrupted before it was finished"),
            "failed": self.tr("Could not be finished"),
        }
        parts = [endings.get(view.state, ""), view.caption]
        return " · ".join(part for part in parts if part).replace(" · ", _BETWEEN)

    def _offered(self, view: MessageView) -> tuple[MessageAction, ...]:
        if self._streaming:
            return ()
        offered: list[MessageAction] = ["continue"] if view.can_continue else []
        if self._source:
            offered.extend(("copy", "tokens", "attention"))
        return (*offered, "regenerate", "fork", "delete")

    def _dress(self) -> None:
        self._caption.set_color(self._theme.colors.faint)
        self._note.set_color(self._theme.colors.dim)

    @override
    def copy_whole(self) -> None:
        QGuiApplication.clipboard().setMimeData(mime(self.answer))
