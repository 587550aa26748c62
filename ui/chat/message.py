"""One message of the transcript: the user's bubble, or a reply made of segments.

A reply is a run of segments: a thought, prose, code, a table, prose… Finished segments are
never touched again while the reply grows; only the block at its end is laid out anew.
"""

from __future__ import annotations

import re
import time
from collections import deque
from dataclasses import replace
from typing import TYPE_CHECKING

from PySide6.QtCore import QRectF, Qt, Signal
from PySide6.QtGui import QColor, QGuiApplication, QPainter
from PySide6.QtWidgets import QPlainTextEdit, QTextEdit, QWidget
from typing_extensions import override

from ui import theme as look
from ui.chat.actions import ROW_HEIGHT, MessageActions
from ui.chat.blocks import LONGEST_PROSE, Block, BlockSplitter
from ui.chat.code import CodeBlock
from ui.chat.copying import mime
from ui.chat.editor import QuestionEditor
from ui.chat.memory_mark import Veil
from ui.chat.message_menu import message_menu
from ui.chat.plain import PlainText, laid_out
from ui.chat.prose import Prose, TableBlock
from ui.chat.selection import SpanSelection
from ui.chat.thought import ThoughtLine
from ui.chat.thoughts import Piece, ThoughtSplitter
from ui.controls import ElidedLabel, QuietButton
from ui.figures import count

if TYPE_CHECKING:
    from PySide6.QtGui import QContextMenuEvent, QEnterEvent, QPaintEvent

    from ui.chat.formulas import Formulas
    from ui.state import MessageAction, MessageView
    from ui.theme import Theme

_GAP = 8
_FOOT = 32
_USER_FOOT = ROW_HEIGHT - 2
"""Below a bubble, its actions stand a little closer than below a reply."""
_BUBBLE_SIDE = 16
_BUBBLE_TOP = 9
_BUBBLE_SHARE = 0.82
_SHOWN_AT_FIRST = 4000
_READ = 8000
_UNSETTLED = 3
"""How many segments at the end may still change while a reply grows."""
_MOST_SEGMENTS = 200
"""After so many, code and tables are written into the running text: widgets are dear."""
_TICKS = re.compile("`{3,}")
Segment = Prose | CodeBlock | ThoughtLine


class MessageItem(QWidget):
    """What the transcript asks of every message."""

    grown = Signal()
    """The message wants another height."""
    acted = Signal(str, str)
    """A `ui.state.MessageAction` that was chosen, and the message's id."""
    edited = Signal(str, str)
    """The message's id, and its new words."""

    def __init__(self, theme: Theme, message_id: str, parent: QWidget) -> None:
        super().__init__(parent)
        self.message_id = message_id
        self.actions_row = MessageActions(theme, self)
        self.actions_row.chosen.connect(self._on_action)
        self.veil = Veil(theme, self)
        self.veil.leave_out(self.actions_row)

    def update_view(self, view: MessageView) -> None:
        """Take on a new state of the message."""
        raise NotImplementedError

    def set_forgotten(self, *, forgotten: bool) -> None:
        """Whether the model does not see the message any more."""
        self.veil.setVisible(forgotten)
        self.veil.cover()

    def _on_action(self, action: str) -> None:
        if action == "copy":
            self.copy_whole()
        else:
            self.acted.emit(action, self.message_id)

    @override
    def enterEvent(self, event: QEnterEvent) -> None:
        self.actions_row.set_revealed(revealed=True)

    @override
    def leaveEvent(self, event: object) -> None:
        self.actions_row.set_revealed(revealed=False)

    def place(self, width: int) -> int:
        """Lay the message out in a width; returns the height it takes, in pixels."""
        raise NotImplementedError

    def restyle(self) -> None:
        """Take on the colours that are in force now."""

    @property
    def answer(self) -> str:
        """What is copied of the message as a whole."""
        raise NotImplementedError

    def copy_whole(self) -> None:
        """Put the whole message on the clipboard."""
        QGuiApplication.clipboard().setText(self.answer)

    @override
    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        message_menu(self, event.pos()).popup(event.globalPos())

    def texts(self) -> list[QTextEdit | QPlainTextEdit]:
        """The texts that are shown and can be searched, in order."""
        raise NotImplementedError


class UserMessage(MessageItem):
    """What the user said: plain text in a soft bubble at the right."""

    def __init__(self, theme: Theme, view: MessageView, parent: QWidget) -> None:
        super().__init__(theme, view.id, parent)
        self._theme = theme
        self._source = view.text
        self._editor: QuestionEditor | None = None
        self._shown = 0
        self._bottom = 0
        self._text = PlainText(self)
        self._text.setFont(theme.reading_font())
        self._text.setAccessibleName(self.tr("You"))
        self._more = QuietButton(theme, "", size=look.CAPTION)
        self._more.setParent(self)
        self._more.clicked.connect(self._show_more)
        self._show_more()
        self.update_view(view)

    @property
    def editor(self) -> QuestionEditor | None:
        """The field while the question is being edited."""
        return self._editor

    @override
    def update_view(self, view: MessageView) -> None:
        self.actions_row.show_for(view, ("copy", "edit", "delete"))

    def start_editing(self) -> None:
        """Let the question be changed in its place."""
        if self._editor is None:
            self._editor = QuestionEditor(self._theme, self._source, self)
            self._editor.saved.connect(self._on_saved)
            self._editor.cancelled.connect(self.end_editing)
            self._editor.grown.connect(self.grown)
            self._text.hide()
            self.actions_row.hide()
            self._editor.show()
            self.update()
            self.grown.emit()
        self._editor.start()

    def end_editing(self) -> None:
        """Show the question as it is again."""
        editor, self._editor = self._editor, None
        if editor is None:
            return
        editor.hide()
        editor.deleteLater()
        self._text.show()
        self.actions_row.show()
        self.update()
        self.grown.emit()
        self.actions_row.button("edit").setFocus(Qt.FocusReason.OtherFocusReason)

    @override
    def _on_action(self, action: str) -> None:
        if action == "edit":
            self.start_editing()
        else:
            super()._on_action(action)

    def _on_saved(self, text: str) -> None:
        self.end_editing()
        self.edited.emit(self.message_id, text)

    @property
    @override
    def answer(self) -> str:
        return self._source

    @override
    def texts(self) -> list[QTextEdit | QPlainTextEdit]:
        return [self._text]

    @override
    def restyle(self) -> None:
        self._text.setFont(self._theme.reading_font())
        self._text.rewrite()

    @override
    def place(self, width: int) -> int:
        if self._editor is not None:
            height = self._editor.place(width)
            self._editor.setGeometry(0, 0, width, height)
            return height + _USER_FOOT
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
        self._bottom = bottom + _BUBBLE_TOP
        row = self.actions_row.sizeHint().width()
        self.actions_row.setGeometry(width - row, self._bottom, row, _USER_FOOT)
        return self._bottom + _USER_FOOT

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        if self._editor is not None:
            return
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(self._theme.colors.fill))
        left = self._text.x() - _BUBBLE_SIDE
        bubble = QRectF(left, 0, self.width() - left, self._bottom)
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

    def __init__(
        self, theme: Theme, formulas: Formulas, view: MessageView, parent: QWidget
    ) -> None:
        super().__init__(theme, view.id, parent)
        self._theme = theme
        self._formulas = formulas
        self._source = ""
        self._answer: list[str] = []
        self._waiting: deque[Block | Piece] = deque()
        self._splitter = BlockSplitter()
        self._opened = view.thought_open
        self._thoughts = ThoughtSplitter(opened=view.thought_open)
        self._thought: ThoughtLine | None = None
        self._segments: list[Segment] = []
        self._bottoms: list[int] = []
        self._placed = 0
        self._width = -1
        self._tail: CodeBlock | TableBlock | None = None
        self._streaming = view.state == "streaming"
        self._view = view
        self._fresh = ""
        self._caption = ElidedLabel(theme.font(look.CAPTION), self)
        self.veil.leave_out(self._caption)
        self._copy = self.actions_row.button("copy")
        self._span = SpanSelection(self)
        self.actions_row.turned.connect(self._widen_caption)
        self.update_view(view)

    @property
    def segments(self) -> tuple[Segment, ...]:
        """The thoughts, prose, code and tables of the reply, in order."""
        return tuple(self._segments)

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
        self._view = view
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
        self._dress()
        self.actions_row.show_for(view, self._offered(view))

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
        for piece in self._thoughts.feed(text):
            self._take(piece)

    def _end_reading(self) -> None:
        """When the reply is over, what is still open is complete."""
        if self._streaming:
            return
        for piece in self._thoughts.finish():
            self._take(piece)
        self._waiting.extend(self._splitter.finish())

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
            return
        if piece.kind == "was_thought":
            text = "".join(self._answer)
            self._drop_segments()
            self._waiting.extend((Piece("thought", text), Piece("closed")))
            return
        self._waiting.extend(self._splitter.finish())
        self._waiting.append(piece)

    def _show(self, part: Block | Piece) -> None:
        if isinstance(part, Block):
            self._show_block(part)
        elif part.kind == "thought":
            self._open_thought().append(part.text)
        else:
            self._end_thought()

    def _open_thought(self) -> ThoughtLine:
        if self._thought is None:
            self._settle_last()
            self._tail = None
            self._thought = ThoughtLine(self._theme, self)
            if self._streaming:
                self._thought.start()
            self._add(self._thought)
            self._tell_thought()
        return self._thought

    def _end_thought(self) -> None:
        thought, self._thought = self._thought, None
        if thought is not None:
            thought.end()
            if not thought.source.strip():
                self._segments.remove(thought)
                thought.hide()
                thought.deleteLater()

    def _tell_thought(self) -> None:
        """Give the first thought the figures that came with the message."""
        first = next((part for part in self._segments if isinstance(part, ThoughtLine)), None)
        if first is not None:
            first.tell(self._view.thought_s, self._view.thought_tokens)

    @override
    def place(self, width: int) -> int:
        if width != self._width:
            self._width, self._placed = width, 0
        y = self._bottoms[self._placed - 1] if self._placed else 0
        del self._bottoms[self._placed :]
        for number in range(self._placed, len(self._segments)):
            y += self._gap_before(number)
            y += _put(self._segments[number], y, width)
            self._bottoms.append(y)
        self._placed = max(len(self._segments) - _UNSETTLED, 0)
        row = min(self.actions_row.sizeHint().width(), width)
        self.actions_row.setGeometry(width - row, y + 8, row, ROW_HEIGHT)
        self._caption.setGeometry(0, y + 8, 0, _FOOT - 8)
        self._widen_caption()
        return y + _FOOT

    def _widen_caption(self) -> None:
        """Let the figures reach to the actions that are seen, so that both fit a small window."""
        width = max(self._width - self.actions_row.seen_width - 8, 0)
        self._caption.resize(width, self._caption.height())

    def _gap_before(self, number: int) -> int:
        """The space above a segment: only paragraphs bring their own."""
        if number == 0:
            return 0
        before, segment = self._segments[number - 1], self._segments[number]
        goes_on = isinstance(segment, TableBlock) and segment.continues
        return 0 if goes_on or not (_stands_alone(before) or _stands_alone(segment)) else _GAP

    @override
    def texts(self) -> list[QTextEdit | QPlainTextEdit]:
        texts: list[QTextEdit | QPlainTextEdit] = []
        for segment in self._segments:
            if isinstance(segment, ThoughtLine):
                texts += [] if segment.text.isHidden() else [segment.text]
            else:
                texts.append(segment.text if isinstance(segment, CodeBlock) else segment)
        return texts

    @override
    def restyle(self) -> None:
        self._dress()
        self._placed = 0
        for segment in self._segments:
            segment.restyle()

    def _show_block(self, block: Block) -> None:
        """Put a finished block where it stays."""
        if self._tail is None and block.kind != "prose" and len(self._segments) >= _MOST_SEGMENTS:
            for piece in _pieces(block):
                self._prose().add_block(laid_out(_as_prose(piece)))
            return
        if block.kind == "prose":
            if isinstance(self._tail, TableBlock):  # what had begun as a row is none
                self._drop_tail()
            self._prose().add_block(laid_out(block.text))
            return
        tail = self._tail_for(block)
        if isinstance(tail, CodeBlock):
            tail.set_source(block.text)
        else:
            tail.add_block(laid_out(block.text))
            tail.set_caret(shown=False)
        self._tail = None

    def _show_open(self) -> None:
        block = self._splitter.open_block()
        if self._thought is not None and not self._streaming:
            self._end_thought()
        if block is None:
            self._settle_last()
        elif block.kind == "prose":
            self._prose().set_open(laid_out(block.text))
        elif self._tail is None and len(self._segments) >= _MOST_SEGMENTS:
            self._prose().set_open(laid_out(_as_prose(_pieces(block)[-1])))
        else:
            tail = self._tail_for(block)
            if isinstance(tail, CodeBlock):
                tail.set_source(block.text)
            else:
                tail.set_open(laid_out(block.text))
        self._mark_end()

    def _mark_end(self) -> None:
        if self._streaming and self._tail is None and self._thought is None:
            self._prose()
        last = self._segments[-1] if self._segments else None
        for segment in self._segments[-_UNSETTLED:]:
            if not isinstance(segment, ThoughtLine):
                segment.set_caret(shown=self._streaming and segment is last)

    def _prose(self) -> Prose:
        """The prose segment at the end, made where there is none."""
        last = self._segments[-1] if self._segments else None
        if not isinstance(last, Prose) or isinstance(last, TableBlock):
            last = Prose(self._theme, self._formulas, self)
            self._add(last)
        return last

    def _tail_for(self, block: Block) -> CodeBlock | TableBlock:
        """The code or the table that is growing, begun where there is none."""
        if self._tail is not None:
            return self._tail
        self._settle_last()
        if block.kind == "code":
            tail = CodeBlock(self._theme, block.language, self)
        else:
            last = self._segments[-1] if self._segments else None
            after = last if block.continues and isinstance(last, TableBlock) else None
            tail = TableBlock(self._theme, self._formulas, self, after)
        self._tail = tail
        self._add(tail)
        return tail

    def _settle_last(self) -> None:
        """Take away what was shown as growing at the end, and prose that holds nothing."""
        last = self._segments[-1] if self._segments else None
        if not isinstance(last, Prose) or isinstance(last, TableBlock):
            return
        last.set_open("")
        if not last.blocks:
            self._segments.pop()
            last.hide()
            last.deleteLater()

    def _drop_tail(self) -> None:
        tail, self._tail = self._tail, None
        if tail is not None:
            self._segments.remove(tail)
            tail.hide()
            tail.deleteLater()

    def _add(self, segment: Segment) -> None:
        self._segments.append(segment)
        if isinstance(segment, Prose):
            segment.settled.connect(self._on_settled)
            text = segment
        else:
            segment.grown.connect(self._on_grown)
            text = segment.text
        text.span = self._span
        self._span.watch(text)
        segment.show()

    def _on_settled(self) -> None:
        """Formulas got their pictures: the next layout looks at all segments."""
        self._placed = 0

    def _on_grown(self) -> None:
        """A segment wants another height: everything below it moves."""
        self._placed = 0
        self.grown.emit()

    def _start_again(self, text: str, *, opened: bool) -> None:
        self._drop_segments()
        self._opened = opened
        self._thoughts = ThoughtSplitter(opened=opened)
        self._source = self._fresh = text

    def _drop_segments(self) -> None:
        for segment in self._segments:
            segment.hide()
            segment.deleteLater()
        self._segments = []
        self._placed = 0
        self._answer = []
        self._tail = self._thought = None
        self._waiting.clear()
        self._splitter = BlockSplitter()

    def _caption_text(self, view: MessageView) -> str:
        endings = {
            "stopped": self.tr("Stopped"),
            "interrupted": self.tr("Interrupted before it was finished"),
            "failed": self.tr("Could not be finished"),
        }
        parts = [endings.get(view.state, ""), view.caption]
        return " · ".join(part for part in parts if part).replace(" · ", "   ")

    def _offered(self, view: MessageView) -> tuple[MessageAction, ...]:
        if self._streaming:
            return ()
        offered: list[MessageAction] = ["continue"] if view.can_continue else []
        if self._source:
            offered.append("copy")
        return (*offered, "regenerate", "fork", "delete")

    def _dress(self) -> None:
        self._caption.set_color(self._theme.colors.faint)

    @override
    def copy_whole(self) -> None:
        QGuiApplication.clipboard().setMimeData(mime(self.answer))


def _stands_alone(segment: Segment) -> bool:
    """Whether a segment is anything but running text."""
    return not isinstance(segment, Prose) or isinstance(segment, TableBlock)


def _put(segment: Segment, y: int, width: int) -> int:
    """Give a segment its place; returns its height, in pixels."""
    height = segment.height_for(width)
    segment.setGeometry(0, y, width, height)
    # A scroll bar may show only now that the width is there.
    if segment.height_for(width) != height:
        height = segment.height_for(width)
        segment.setGeometry(0, y, width, height)
    return height


def _pieces(block: Block) -> list[Block]:
    """A block of code cut so that no piece takes long."""
    return [
        replace(block, text=block.text[start : start + LONGEST_PROSE])
        for start in range(0, max(len(block.text), 1), LONGEST_PROSE)
    ]


def _as_prose(block: Block) -> str:
    """Code or a table as Markdown that stands in running text."""
    if block.kind == "table":
        return block.text
    fence = "`" * (max(map(len, _TICKS.findall(block.text)), default=2) + 1)
    return f"{fence}{block.language}\n{block.text}\n{fence}"
