"""The body of a reply: a run of segments, such as a thought, prose, code, a table.

Finished segments are never touched again while the reply grows; only the block at its end is
laid out anew.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from ui.chat.blocks import LONGEST_PROSE, Block
from ui.chat.code import CodeBlock
from ui.chat.plain import laid_out
from ui.chat.prose import Prose, TableBlock
from ui.chat.selection import SpanSelection
from ui.chat.thought import ThoughtLine

if TYPE_CHECKING:
    from PySide6.QtWidgets import QPlainTextEdit, QTextEdit

    from ui.chat.formulas import Formulas
    from ui.chat.message import MessageItem
    from ui.theme import Theme

_GAP = 8
_UNSETTLED = 3
"""How many segments at the end may still change while a reply grows."""
_MOST_SEGMENTS = 200
"""After so many, code and tables are written into the running text: widgets are dear."""
_TICKS = re.compile("`{3,}")
Segment = Prose | CodeBlock | ThoughtLine


class ReplyBody(QObject):
    """Shows blocks and thoughts inside a message, in the order they are handed over."""

    grown = Signal()
    """A segment wants another height."""

    def __init__(self, theme: Theme, formulas: Formulas, message: MessageItem) -> None:
        super().__init__(message)
        self._theme = theme
        self._formulas = formulas
        self._message = message
        self._segments: list[Segment] = []
        self._bottoms: list[int] = []
        self._placed = 0
        self._width = -1
        self._tail: CodeBlock | TableBlock | None = None
        self._thought: ThoughtLine | None = None
        self._span = SpanSelection(message)

    @property
    def segments(self) -> tuple[Segment, ...]:
        """The thoughts, prose, code and tables, in order."""
        return tuple(self._segments)

    @property
    def first_thought(self) -> ThoughtLine | None:
        """The first thought, where there is one."""
        return next((part for part in self._segments if isinstance(part, ThoughtLine)), None)

    def texts(self) -> list[QTextEdit | QPlainTextEdit]:
        """The texts that are shown, in order."""
        texts: list[QTextEdit | QPlainTextEdit] = []
        for segment in self._segments:
            if isinstance(segment, ThoughtLine):
                texts += [] if segment.text.isHidden() else [segment.text]
            else:
                texts.append(segment.text if isinstance(segment, CodeBlock) else segment)
        return texts

    def restyle(self) -> None:
        """Take on the colours and sizes that are in force now."""
        self._placed = 0
        for segment in self._segments:
            segment.restyle()

    def place(self, width: int) -> int:
        """Lay the segments out in a width; returns the height they take, in pixels."""
        if width != self._width:
            self._width, self._placed = width, 0
        y = self._bottoms[self._placed - 1] if self._placed else 0
        del self._bottoms[self._placed :]
        for number in range(self._placed, len(self._segments)):
            y += self._gap_before(number)
            y += _put(self._segments[number], y, width)
            self._bottoms.append(y)
        self._placed = max(len(self._segments) - _UNSETTLED, 0)
        return y

    def clear(self) -> None:
        """Take all segments away."""
        for segment in self._segments:
            segment.hide()
            segment.deleteLater()
        self._segments = []
        self._placed = 0
        self._tail = self._thought = None

    def think(self, text: str, *, running: bool) -> None:
        """Add to the thought at the end, begun where there is none.

        Args:
            text: More of it.
            running: Whether the reply is being written; only then is the thought's time taken.
        """
        if self._thought is None:
            self._settle_last()
            self._tail = None
            self._thought = ThoughtLine(self._theme, self._message)
            if running:
                self._thought.start()
            self._add(self._thought)
        self._thought.append(text)

    def end_thought(self) -> None:
        """The thought at the end, where there is one, is complete."""
        thought, self._thought = self._thought, None
        if thought is not None:
            thought.end()
            if not thought.source.strip():
                self._segments.remove(thought)
                thought.hide()
                thought.deleteLater()

    def show_block(self, block: Block) -> None:
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

    def show_open(self, block: Block | None, *, streaming: bool, caret: bool = True) -> None:
        """Show the block that still grows, None for none.

        Args:
            block: What has come of it.
            streaming: Whether the reply is being written.
            caret: Whether there is a caret where it is.
        """
        if not streaming:
            self.end_thought()
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
        self._mark_end(caret=streaming and caret)

    def _mark_end(self, *, caret: bool) -> None:
        if caret and self._tail is None and self._thought is None:
            self._prose()
        last = self._segments[-1] if self._segments else None
        for segment in self._segments[-_UNSETTLED:]:
            if not isinstance(segment, ThoughtLine):
                segment.set_caret(shown=caret and segment is last)

    def _gap_before(self, number: int) -> int:
        """The space above a segment: only paragraphs bring their own."""
        if number == 0:
            return 0
        before, segment = self._segments[number - 1], self._segments[number]
        goes_on = isinstance(segment, TableBlock) and segment.continues
        return 0 if goes_on or not (_stands_alone(before) or _stands_alone(segment)) else _GAP

    def _prose(self) -> Prose:
        """The prose segment at the end, made where there is none."""
        last = self._segments[-1] if self._segments else None
        if not isinstance(last, Prose) or isinstance(last, TableBlock):
            last = Prose(self._theme, self._formulas, self._message)
            self._add(last)
        return last

    def _tail_for(self, block: Block) -> CodeBlock | TableBlock:
        """The code or the table that is growing, begun where there is none."""
        if self._tail is not None:
            return self._tail
        self._settle_last()
        if block.kind == "code":
            tail = CodeBlock(self._theme, block.language, self._message)
        else:
            last = self._segments[-1] if self._segments else None
            after = last if block.continues and isinstance(last, TableBlock) else None
            tail = TableBlock(self._theme, self._formulas, self._message, after)
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
