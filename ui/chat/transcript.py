"""The messages of a chat, from oldest to latest, with the end kept in sight while it grows.

Text that comes in is collected and shown at most once per frame. Of a long chat only the
latest messages are built; earlier ones follow when the reader scrolls up to them.
"""

from __future__ import annotations

import time
from functools import cached_property
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QRect, Qt, QTimer, Signal
from PySide6.QtWidgets import QApplication, QFrame, QPlainTextEdit, QScrollArea, QTextEdit, QWidget
from typing_extensions import override

from ui.chat.memory_mark import MARK_HEIGHT, MemoryMark
from ui.controls import RoundButton
from ui.icons import Icon

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtGui import QKeyEvent, QResizeEvent, QTextCursor

    from ui.chat.formulas import Formulas
    from ui.chat.message import MessageItem
    from ui.chat.reply import ReplyMessage
    from ui.state import MessageView
    from ui.theme import Theme

    _Anchor = tuple[MessageItem, int]

FRAME_MS = 16
BATCH = 16
"""How many messages are built at a time when a chat is opened or scrolled up."""

MOST_KEPT = 6 * BATCH
"""How many stay built at the end of a chat: those that were read long ago are given up."""

_TOP = 24
_BOTTOM = 24
_SIDE = 24
_BETWEEN = 18
_AT_END = 4
_REST = 3
_SLICE_S = 0.006


class Transcript(QScrollArea):
    """Shows messages and follows the growing one."""

    changed = Signal()
    """Other messages are shown, or other words in them."""
    revealed = Signal(str)
    """A message that was to be brought into sight is built."""
    message_action = Signal(str, str)
    """A `ui.state.MessageAction` that was chosen, and the message's id."""
    message_edited = Signal(str, str)
    """The id of a question, and its new words."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self._earlier: list[MessageView] = []
        self._items: list[MessageItem] = []
        self._by_id: dict[str, MessageItem] = {}
        self._replies: dict[str, ReplyMessage] = {}
        self._heights: list[int] = []
        self._least_height = 0
        self._pending: dict[str, ReplyMessage] = {}
        self._following = True
        self._moving = False
        self._frame = QTimer(self, singleShot=True)
        self._wanted = self._sought = ""
        self._revealing = QTimer(self, singleShot=True)
        self._stale: list[MessageItem] = []
        self._restyling = QTimer(self, singleShot=True, interval=0)
        self._settling = QTimer(self, singleShot=True, interval=0)
        self._page = QWidget()
        self._memory_id = ""
        self._mark = MemoryMark(theme, self._page)
        self._jump = RoundButton(theme, Icon.ARROW_DOWN, 34, self, main=False)
        self._jump.setAccessibleName(self.tr("Jump to the end"))
        self._jump.setToolTip(self.tr("Jump to the end"))
        self._jump.hide()
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setAccessibleName(self.tr("Conversation"))
        self.setWidget(self._page)
        self.viewport().setAutoFillBackground(False)
        # setWidget turned this on; the page's ground is its parent's.
        self._page.setAutoFillBackground(False)
        self._connect_signals()

    def _connect_signals(self) -> None:
        self._frame.timeout.connect(self._on_frame)
        self._restyling.timeout.connect(self._on_restyle)
        self._settling.timeout.connect(self._on_grown)
        self._revealing.timeout.connect(self._on_reveal)
        self._jump.clicked.connect(self.jump_to_end)
        self.verticalScrollBar().valueChanged.connect(self._on_scrolled)
        self._theme.changed.connect(self._on_theme_changed)

    @cached_property
    def _formulas(self) -> Formulas:
        """The formulas of all replies, made with the first one."""
        from ui.chat.formulas import Formulas

        formulas = Formulas(self._theme, self)
        formulas.changed.connect(self._on_formulas)
        return formulas

    @property
    def items(self) -> tuple[MessageItem, ...]:
        """The messages that are built, oldest first."""
        return tuple(self._items)

    @property
    def earlier(self) -> tuple[MessageView, ...]:
        """The messages before those that are built, oldest first."""
        return tuple(self._earlier)

    @property
    def following(self) -> bool:
        """Whether the end is kept in sight."""
        return self._following

    @property
    def is_empty(self) -> bool:
        """Whether there is no message at all."""
        return not self._items

    @property
    def last_view(self) -> MessageView | None:
        """The last message, as it is now."""
        return self._items[-1].view if self._items else None

    @property
    def is_drawing(self) -> bool:
        """Whether something that has come is not shown yet."""
        return bool(self._pending or self._stale or self._wanted)

    def draw_now(self) -> None:
        """Show what has come without waiting for the next frame."""
        if self._pending:
            self._frame.stop()
            self._on_frame()

    def show_messages(self, views: Sequence[MessageView]) -> None:
        """Show another chat, from its end."""
        for item in self._items:
            item.hide()
            item.deleteLater()
        self._items, self._heights = [], []
        self._by_id.clear()
        self._replies.clear()
        self._pending.clear()
        self._following = True
        self._earlier = list(views[:-BATCH])
        self._build(views[-BATCH:])
        self._lay_out(0)
        self._fill()
        self._wanted = self._sought = ""
        self._tell_places()
        self.changed.emit()

    def change_messages(self, views: Sequence[MessageView], *, at_end: bool) -> None:
        """Show other messages of the same chat; those that stay do not move.

        Args:
            views: All of them, oldest first.
            at_end: Whether to bring the end into sight, because something is being written there.
        """
        before = len(self._earlier)
        same = [view.id for view in views[:before]] == [old.id for old in self._earlier]
        if not self._items or not same or len(views) <= before:
            self.show_messages(views)
            return
        self._earlier = list(views[:before])
        anchor, kept = self._anchor(), self._keep_common(views[before:])
        stood = self._items[kept].y() if kept < len(self._items) else None
        self._drop_from(kept)
        deadline = time.perf_counter() + _SLICE_S
        for view in views[before + kept :]:
            self._insert(len(self._items), view, deadline)
        if not at_end and stood is not None and kept < len(self._items):
            anchor = self._items[kept], stood - self.verticalScrollBar().value()
        self._following = at_end
        # What is not laid out yet must not take away the room that the place in sight needs.
        self._least_height = 0 if at_end else self._page.height()
        self._lay_out(0, anchor if anchor is None or anchor[0] in self._items else None)
        self._tell_places()
        self._on_scrolled(self.verticalScrollBar().value())
        self._fill()
        self.changed.emit()

    def _keep_common(self, views: Sequence[MessageView]) -> int:
        """Take on what is new of the messages that stay; returns how many do."""
        kept = 0
        for item, view in zip(self._items, views, strict=False):
            if item.message_id != view.id:
                break
            item.update_view(view)
            self._schedule(item.message_id)
            kept += 1
        return kept

    def _drop_from(self, first: int) -> None:
        for item in self._items[first:]:
            self._forget(item)
        del self._items[first:], self._heights[first:]

    def _forget(self, item: MessageItem) -> None:
        del self._by_id[item.message_id]
        self._replies.pop(item.message_id, None)
        self._pending.pop(item.message_id, None)
        item.hide()
        item.deleteLater()

    def set_memory_begin(self, message_id: str) -> None:
        """Mark the first message that the model still sees; nothing where the id is empty."""
        if message_id != self._memory_id:
            self._memory_id = message_id
            self._tell_places()
            self._lay_out(0)

    def _tell_places(self) -> None:
        """Below the last message is nothing to delete; those above the mark are forgotten."""
        begin = self._by_id.get(self._memory_id)
        forgotten = begin is not None
        for item in self._items:
            forgotten = forgotten and item is not begin
            item.set_forgotten(forgotten=forgotten)
            item.actions_row.set_last(last=item is self._items[-1])
        self._mark.setVisible(begin is not None)

    def show_message(self, message_id: str) -> None:
        """Bring a message into sight, also one that is not built yet."""
        self._sought = message_id
        self.reveal(message_id)

    def add_message(self, view: MessageView) -> None:
        """Add a message at the end. The reader's own brings the end back into sight."""
        self._insert(len(self._items), view, time.perf_counter() + _SLICE_S)
        if view.role == "user":
            self._following = True
        self._lay_out(len(self._items) - 1)
        self._tell_places()
        self.changed.emit()

    def append_text(self, message_id: str, text: str) -> None:
        """Add text to a growing reply; it appears with the next frame."""
        reply = self._replies.get(message_id)
        if reply is not None:
            reply.append(text)
            self._schedule(message_id)

    def update_message(self, view: MessageView) -> None:
        """Take on a message's new state, caption or text."""
        item = self._by_id.get(view.id)
        if item is not None:
            item.update_view(view)
            self._schedule(view.id)
            return
        self._earlier = [view if old.id == view.id else old for old in self._earlier]

    def jump_to_end(self) -> None:
        """Bring the end into sight and keep it there."""
        self._following = True
        self._keep_place(None)
        self._give_up_early()

    def items_from_view(self) -> list[MessageItem]:
        """The messages that are in sight, and those below."""
        top = self.verticalScrollBar().value()
        return [item for item in self._items if item.geometry().bottom() >= top]

    def reveal(self, message_id: str) -> None:
        """Build a message that is not built yet, batch by batch, and say so when it is there."""
        self._wanted = message_id
        self._on_reveal()

    def show_place(self, text: QTextEdit | QPlainTextEdit, cursor: QTextCursor) -> None:
        """Bring a place in a text into sight, where it is not already."""
        # The line itself: what is left of it in a wide text scrolls there.
        if isinstance(text, QPlainTextEdit):
            text.setTextCursor(cursor)
            cleared = text.textCursor()
            cleared.clearSelection()
            text.setTextCursor(cleared)
        spot = text.cursorRect(cursor)
        top = text.viewport().mapTo(self._page, spot.topLeft()).y()
        bar = self.verticalScrollBar()
        room = self.viewport().height()
        if not bar.value() + _SIDE <= top <= bar.value() + room - 2 * _SIDE - spot.height():
            bar.setValue(top - room // 3)

    def _on_reveal(self) -> None:
        wanted = self._wanted
        if wanted in self._by_id:
            self._wanted = ""
            if wanted == self._sought:
                self._sought = ""
                self._following = False
                self.verticalScrollBar().setValue(self._by_id[wanted].y() - _TOP)
            self.revealed.emit(wanted)
        elif wanted and any(view.id == wanted for view in self._earlier):
            self._following = False
            self._show_earlier()
            self._revealing.start(0)

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width():
            self._lay_out(0)
        else:
            self._keep_place(None)
        self._fill()
        spot = QRect(0, 0, self._jump.width(), self._jump.height())
        spot.moveCenter(self.viewport().rect().center())
        spot.moveBottom(self.viewport().height() - 10)
        self._jump.setGeometry(spot)

    @override
    def keyPressEvent(self, event: QKeyEvent) -> None:
        bar = self.verticalScrollBar()
        if event.key() == Qt.Key.Key_Home:
            bar.setValue(bar.minimum())
        elif event.key() == Qt.Key.Key_End:
            self.jump_to_end()
        else:
            super().keyPressEvent(event)

    @override
    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange and self._items:
            self._lay_out(0)

    def _build(self, views: Sequence[MessageView]) -> None:
        """Put messages before the ones that are there, the latest first: it is seen first."""
        deadline = time.perf_counter() + _SLICE_S
        for view in reversed(views):
            self._insert(0, view, deadline)

    def _insert(self, at: int, view: MessageView, deadline: float) -> None:
        item = self._question(view) if view.role == "user" else self._reply(view, deadline)
        self._items.insert(at, item)
        self._heights.insert(at, 0)
        self._by_id[view.id] = item
        item.grown.connect(self._on_grown)
        item.acted.connect(self.message_action)
        item.edited.connect(self.message_edited)
        item.show()

    def _question(self, view: MessageView) -> MessageItem:
        from ui.chat.question import UserMessage  # late, as replies: no start waits for them

        return UserMessage(self._theme, view, self._page)

    def _reply(self, view: MessageView, deadline: float) -> MessageItem:
        from ui.chat.reply import ReplyMessage

        reply = ReplyMessage(self._theme, self._formulas, view, self._page)
        self._replies[view.id] = reply
        if reply.advance(deadline):
            self._schedule(view.id)
        reply.spoken.connect(self._on_spoken)
        return reply

    def _schedule(self, message_id: str) -> None:
        """Show with the next frame what has come of a reply."""
        reply = self._replies.get(message_id)
        if reply is None:
            return
        self._pending[message_id] = reply
        if not self._frame.isActive():
            self._frame.start(FRAME_MS)

    def _on_frame(self) -> None:
        """Show what has come since the last frame."""
        start = time.perf_counter()
        first = len(self._items)
        for item in list(self._pending.values()):
            if not item.advance(start + _SLICE_S):
                del self._pending[item.message_id]
            first = min(first, self._items.index(item))
            if time.perf_counter() > start + _SLICE_S:
                break
        self._lay_out(first)
        self.changed.emit()
        if self._pending:
            cost_ms = (time.perf_counter() - start) * 1000
            self._frame.start(max(FRAME_MS, round(cost_ms * _REST)))

    def _on_spoken(self, sentence: str) -> None:
        from ui.announce import announce

        announce(self, sentence)

    def _on_grown(self) -> None:
        self._lay_out(0)

    def _lay_out(self, first: int, anchor: _Anchor | None = None) -> None:
        """Give every message from `first` on its place; the ones before it stay as they are.

        Args:
            first: The index of the first message that may have changed.
            anchor: What to keep in its place; what is topmost now where it is None.
        """
        anchor = anchor or self._anchor()
        room = self.viewport().width()
        width = max(min(room - 2 * _SIDE, self._theme.measure), 1)
        left = (room - width) // 2
        between = self._theme.room(_BETWEEN)
        y = _TOP + sum(height + between for height in self._heights[:first])
        for number in range(first, len(self._items)):
            item = self._items[number]
            height = item.place(width)
            self._heights[number] = height
            if item.message_id == self._memory_id:
                self._mark.setGeometry(left, y, width, MARK_HEIGHT)
                self._heights[number] += MARK_HEIGHT
                y += MARK_HEIGHT
            item.setGeometry(left, y, width, height + item.overhang)
            y += height + between
        if not self._pending:
            self._least_height = 0
        self._moving = True
        self._page.resize(room, max(y - between + _BOTTOM, self._least_height))
        self._moving = False
        self._keep_place(anchor)

    def _anchor(self) -> _Anchor | None:
        """The topmost message in sight, and how far it stands from the top."""
        if self._following:
            return None
        top = self.verticalScrollBar().value()
        for item in self._items:
            if item.geometry().bottom() >= top:
                return item, item.y() - top
        return None

    def _keep_place(self, anchor: _Anchor | None) -> None:
        """Put the end, or the message that was at the top, where it belongs."""
        bar = self.verticalScrollBar()
        self._moving = True
        if self._following:
            bar.setValue(bar.maximum())
        elif anchor is not None:
            bar.setValue(anchor[0].y() - anchor[1])
        self._moving = False
        self._update_jump()

    def _on_scrolled(self, value: int) -> None:
        if self._moving:
            return
        self._following = value >= self.verticalScrollBar().maximum() - _AT_END
        self._update_jump()
        if self._earlier and value < self.viewport().height():
            self._show_earlier()

    def _show_earlier(self) -> None:
        """Build the messages before the ones that are there, without moving what is in sight."""
        anchor = self._anchor()
        batch = self._earlier[-BATCH:]
        self._earlier = self._earlier[:-BATCH]
        self._build(batch)
        self._tell_places()
        self._lay_out(0, anchor)

    def _give_up_early(self) -> None:
        """Unbuild the messages far above the end, but none that has the keyboard or still grows."""
        extra = len(self._items) - MOST_KEPT
        focused = QApplication.focusWidget()
        for number, item in enumerate(self._items[: max(extra, 0)]):
            if item.view.state == "streaming" or (focused and item.isAncestorOf(focused)):
                extra = number
                break
        if extra <= 0:
            return
        given_up = self._items[:extra]
        self._earlier += [item.view for item in given_up]
        del self._items[:extra], self._heights[:extra]
        for item in given_up:
            self._forget(item)
        self._tell_places()
        self._lay_out(0)
        self.changed.emit()

    def _fill(self) -> None:
        """Build earlier messages until there is something to scroll."""
        while self._earlier and self._page.height() < 2 * self.viewport().height():
            self._show_earlier()

    def _update_jump(self) -> None:
        self._jump.setVisible(not self._following)
        self._jump.raise_()

    def _on_theme_changed(self) -> None:
        """Dress what is in sight at once, the rest little by little."""
        top = self.verticalScrollBar().value()
        bottom = top + self.viewport().height()
        self._stale = []
        for item in self._items:
            if item.geometry().bottom() >= top and item.y() <= bottom:
                item.restyle()
            else:
                self._stale.append(item)
        self._stale.sort(key=lambda item: max(top - item.geometry().bottom(), item.y() - bottom))
        self._lay_out(0)
        self._restyling.start()

    def _on_formulas(self) -> None:
        """All texts take on their formulas first; one layout follows for all."""
        self._settling.start()

    def _on_restyle(self) -> None:
        deadline = time.perf_counter() + _SLICE_S
        while self._stale and time.perf_counter() < deadline:
            item = self._stale.pop(0)
            if item in self._items:
                item.restyle()
        self._lay_out(0)
        if self._stale:
            self._restyling.start()
