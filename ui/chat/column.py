"""The built messages of a chat, one below the other: made, laid out, kept up to date."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from PySide6.QtCore import QTimer, Signal
from PySide6.QtWidgets import QWidget

from ui.chat.memory_mark import MARK_HEIGHT, MemoryMark
from ui.chat.slices import Frames, Restyling
from ui.chat.stretch import Stretch

if TYPE_CHECKING:
    from ui.chat.formulas import Formulas
    from ui.chat.message import MessageItem
    from ui.chat.reply import ReplyMessage
    from ui.state import MessageView
    from ui.theme import Theme

TOP = 24
SIDE = 24

_BOTTOM = 24
_BETWEEN = 18


class MessageColumn(QWidget):
    """Holds the messages; whoever scrolls it says when they are to be laid out.

    Attributes:
        stretch: The messages, built or not.
        frames: Shows the text that comes in.
        restyling: Dresses messages in other colours.
        mark: Where the model's memory begins.
        least_height: Until all text is shown, the column is at least so high, in pixels.
    """

    shown = Signal(int)
    """Text that came is shown; the messages from this index on have to be laid out."""
    grown = Signal()
    """Any message may have another height."""
    spoken = Signal(str)
    """A sentence of a reply that is complete, while the reply is being written."""
    message_action = Signal(str, str)
    message_edited = Signal(str, str)

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self._replies: dict[str, ReplyMessage] = {}
        self._edits: dict[str, str] = {}
        self.least_height = 0
        self._memory_id = ""
        self.stretch = Stretch(self._make, self._forget)
        self.frames = Frames(self)
        self.restyling = Restyling(self)
        self.mark = MemoryMark(theme, self)
        self._settling = QTimer(self, singleShot=True, interval=0)
        self._settling.timeout.connect(self.grown)
        self.restyling.dressed.connect(self.grown)
        self.frames.shown.connect(self._on_shown)

    @cached_property
    def _formulas(self) -> Formulas:
        """The formulas of all replies, made with the first one."""
        from ui.chat.formulas import Formulas

        formulas = Formulas(self._theme, self)
        formulas.changed.connect(self._settling.start)  # one layout follows for all
        return formulas

    def lay_out(self, first: int, room: int) -> None:
        """Give every message from one on its place; the ones before it stay as they are.

        Args:
            first: The index of the first message that may have changed.
            room: The width of the column in logical pixels.
        """
        width = max(min(room - 2 * SIDE, self._theme.measure), 1)
        left = (room - width) // 2
        between = self._theme.room(_BETWEEN)
        items, heights = self.stretch.items, self.stretch.heights
        y = TOP + sum(height + between for height in heights[:first])
        for number in range(first, len(items)):
            item = items[number]
            height = item.place(width)
            heights[number] = height
            if item.message_id == self._memory_id:
                self.mark.setGeometry(left, y, width, MARK_HEIGHT)
                heights[number] += MARK_HEIGHT
                y += MARK_HEIGHT
            item.setGeometry(left, y, width, height + item.overhang)
            y += height + between
        if not self.frames.waiting:
            self.least_height = 0
        self.resize(room, max(y - between + _BOTTOM, self.least_height))

    def set_memory_begin(self, message_id: str) -> bool:
        """Mark the first message that the model still sees; whether that is another one."""
        if message_id == self._memory_id:
            return False
        self._memory_id = message_id
        self.tell_places()
        return True

    def tell_places(self) -> None:
        """Below the last message is nothing to delete; those above the mark are forgotten."""
        stretch = self.stretch
        begin = stretch.item(self._memory_id)
        forgotten = begin is not None or stretch.steps_to(self._memory_id) > 0
        for item in stretch.items:
            forgotten = forgotten and item is not begin
            item.set_forgotten(forgotten=forgotten)
            item.actions_row.set_last(last=not stretch.later and item is stretch.items[-1])
        self.mark.setVisible(begin is not None)

    def append_text(self, message_id: str, text: str) -> None:
        """Add text to a growing reply; it appears with the next frame."""
        reply = self._replies.get(message_id)
        if reply is not None:
            reply.append(text)
            self.frames.schedule(reply)
        else:
            self.stretch.append(message_id, text)

    def schedule(self, message_id: str) -> None:
        """Show with the next frame what has come of a message."""
        reply = self._replies.get(message_id)
        if reply is not None:
            self.frames.schedule(reply)

    def restyle(self, top: int, bottom: int) -> None:
        """Dress the messages between two heights at once, the others little by little."""
        others: list[MessageItem] = []
        for item in self.stretch.items:
            if item.geometry().bottom() >= top and item.y() <= bottom:
                item.restyle()
            else:
                others.append(item)
        others.sort(key=lambda item: max(top - item.geometry().bottom(), item.y() - bottom))
        self.restyling.begin(others)

    def _make(self, view: MessageView, deadline: float) -> MessageItem:
        """Build a message, of a reply as much as can be done until the deadline."""
        item = self._question(view) if view.role == "user" else self._reply(view, deadline)
        item.grown.connect(self.grown)
        item.acted.connect(self.message_action)
        item.edited.connect(self.message_edited)
        edit = self._edits.pop(view.id, None)
        if edit is not None:
            item.resume_edit(edit)
        item.show()
        return item

    def _question(self, view: MessageView) -> MessageItem:
        from ui.chat.question import UserMessage  # late, as replies: no start waits for them

        return UserMessage(self._theme, view, self)

    def _reply(self, view: MessageView, deadline: float) -> MessageItem:
        from ui.chat.reply import ReplyMessage

        reply = ReplyMessage(self._theme, self._formulas, view, self)
        self._replies[view.id] = reply
        if reply.advance(deadline):
            self.frames.schedule(reply)
        reply.spoken.connect(self.spoken)
        return reply

    def _forget(self, item: MessageItem) -> None:
        """Take a message away; what the user was making of it is there when it is built again."""
        if item.edit is not None:
            self._edits[item.message_id] = item.edit
        self._replies.pop(item.message_id, None)
        self.frames.forget(item.message_id)
        self.restyling.forget(item)
        item.hide()
        item.deleteLater()

    def _on_shown(self, replies: list[MessageItem]) -> None:
        items = self.stretch.items
        self.shown.emit(min((items.index(reply) for reply in replies), default=len(items)))
