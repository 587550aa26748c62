"""The messages of a chat, from oldest to latest, with the end kept in sight while it grows.

Here the column of messages is scrolled and followed; of a long chat only what is near the reader is
built.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QRect, Qt, QTimer, Signal
from PySide6.QtWidgets import QApplication, QFrame, QPlainTextEdit, QScrollArea, QTextEdit
from typing_extensions import override

from ui.chat.column import SIDE, TOP, MessageColumn
from ui.chat.stretch import BATCH
from ui.controls import RoundButton
from ui.icons import Icon

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtGui import QKeyEvent, QResizeEvent, QTextCursor

    from ui.chat.message import MessageItem
    from ui.state import MessageView
    from ui.theme import Theme

    _Anchor = tuple[MessageItem, int]

MOST_KEPT = 6 * BATCH
"""How many stay built: more only while they are near what is in sight."""
_FAR = 4
"""So many heights of the view from what is in sight a message is given up."""

_NEAR = 2 * BATCH
"""Up to so many messages on the way to one are built with it; else only what stands beside it."""

_AT_END = 4


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
        self.column = MessageColumn(theme)
        self._stretch = self.column.stretch
        self._following = True
        self._moving = False
        self._wanted = self._sought = ""
        self._revealing = QTimer(self, singleShot=True)
        self._jump = RoundButton(theme, Icon.ARROW_DOWN, 34, self, main=False)
        self._jump.setAccessibleName(self.tr("Jump to the end"))
        self._jump.setToolTip(self.tr("Jump to the end"))
        self._jump.hide()
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setAccessibleName(self.tr("Conversation"))
        self.setWidget(self.column)
        self.viewport().setAutoFillBackground(False)
        # setWidget turned this on; the column's ground is its parent's.
        self.column.setAutoFillBackground(False)
        self._connect_signals()

    def _connect_signals(self) -> None:
        self.column.shown.connect(self._on_shown)
        self.column.grown.connect(self._on_grown)
        self.column.spoken.connect(self._on_spoken)
        self.column.message_action.connect(self.message_action)
        self.column.message_edited.connect(self.message_edited)
        self._revealing.timeout.connect(self._on_reveal)
        self._jump.clicked.connect(self.jump_to_end)
        self.verticalScrollBar().valueChanged.connect(self._on_scrolled)
        self._theme.changed.connect(self._on_theme_changed)

    @property
    def items(self) -> tuple[MessageItem, ...]:
        """The messages that are built, oldest first."""
        return tuple(self._stretch.items)

    @property
    def earlier(self) -> tuple[MessageView, ...]:
        """The messages before those that are built, oldest first."""
        return tuple(self._stretch.earlier)

    @property
    def later(self) -> tuple[MessageView, ...]:
        """The messages after those that are built; none while the end is built."""
        return tuple(self._stretch.later)

    @property
    def following(self) -> bool:
        """Whether the end is kept in sight."""
        return self._following

    @property
    def is_empty(self) -> bool:
        """Whether there is no message at all."""
        return self._stretch.last_view is None

    @property
    def last_view(self) -> MessageView | None:
        """The last message, as it is now."""
        return self._stretch.last_view

    @property
    def last_answer(self) -> str:
        """What is copied of the last message as a whole; empty where there is none."""
        if not self._stretch.later:
            return self._stretch.items[-1].answer if self._stretch.items else ""
        from ui.chat.thoughts import answer_in  # late, as replies

        view = self._stretch.later[-1]
        return view.text if view.role == "user" else answer_in(view.text, opened=view.thought_open)

    @property
    def is_drawing(self) -> bool:
        """Whether something that has come is not shown yet."""
        column = self.column
        return column.frames.waiting or column.restyling.waiting or bool(self._wanted)

    def draw_now(self) -> None:
        """Show what has come without waiting for the next frame."""
        if self.column.frames.waiting:
            self.column.frames.show_slice()

    def show_messages(self, views: Sequence[MessageView]) -> None:
        """Show another chat, from its end."""
        self._hold_focus()
        self._wanted = self._sought = ""
        self._following = True
        self._stretch.show_end(views)
        self._show_stretch()

    def _show_stretch(self) -> None:
        """Lay out messages that are all newly built."""
        self.column.least_height = 0
        self._lay_out(0)
        self._fill()
        self.column.tell_places()
        self.changed.emit()

    def change_messages(self, views: Sequence[MessageView], *, at_end: bool) -> None:
        """Show other messages of the same chat; those that stay do not move.

        Args:
            views: All of them, oldest first.
            at_end: Whether to bring the end into sight, because something is being written there.
        """
        stretch, anchor = self._stretch, self._anchor()
        kept = stretch.keep_common(views)
        if kept is None:
            self.show_messages(views)
            return
        for item in stretch.items[:kept]:
            self.column.schedule(item.message_id)
        stood = stretch.items[kept].y() if kept < len(stretch.items) else None
        stretch.replace_from(kept, views[len(stretch.earlier) + kept :])
        if at_end and stretch.later:
            self.show_messages(views)
            return
        if not at_end and stood is not None and kept < len(stretch.items):
            anchor = stretch.items[kept], stood - self.verticalScrollBar().value()
        self._following = at_end
        # What is not laid out yet must not take away the room that the place in sight needs.
        self.column.least_height = 0 if at_end else self.column.height()
        self._lay_out(0, anchor if anchor is None or anchor[0] in stretch.items else None)
        self.column.tell_places()
        self._on_scrolled(self.verticalScrollBar().value())
        self._fill()
        self.changed.emit()

    def set_memory_begin(self, message_id: str) -> None:
        """Mark the first message that the model still sees; nothing where the id is empty."""
        if self.column.set_memory_begin(message_id):
            self._lay_out(0)

    def show_message(self, message_id: str) -> None:
        """Bring a message into sight, also one that is not built yet."""
        self._sought = message_id
        self.reveal(message_id)

    def add_message(self, view: MessageView) -> None:
        """Add a message at the end. The reader's own brings the end back into sight."""
        self._stretch.add(view)
        if view.role == "user":
            self._following = True
        if self._stretch.later and view.role == "user":
            self.jump_to_end()
            return
        if self._stretch.later:
            self.changed.emit()
            return
        self._lay_out(len(self._stretch.items) - 1)
        self.column.tell_places()
        self.changed.emit()

    def append_text(self, message_id: str, text: str) -> None:
        """Add text to a growing reply; it appears with the next frame."""
        self.column.append_text(message_id, text)

    def update_message(self, view: MessageView) -> None:
        """Take on a message's new state, caption or text."""
        if self._stretch.update(view) is not None:
            self.column.schedule(view.id)

    def jump_to_end(self) -> None:
        """Bring the end into sight and keep it there."""
        if self._stretch.later:
            self.show_messages(self._stretch.views)
            return
        self._following = True
        self._keep_place(None)
        self._give_up(last=False)

    def _hold_focus(self) -> None:
        """Take the keyboard from a message that goes, so that it stays in the chat."""
        focused = QApplication.focusWidget()
        if focused is not None and self.column.isAncestorOf(focused):
            self.setFocus()

    def items_from_view(self) -> list[MessageItem]:
        """The messages that are in sight, and those below."""
        top = self.verticalScrollBar().value()
        return [item for item in self._stretch.items if item.geometry().bottom() >= top]

    def reveal(self, message_id: str) -> None:
        """Build a message that is not built yet, and say so when it is there."""
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
        top = text.viewport().mapTo(self.column, spot.topLeft()).y()
        bar = self.verticalScrollBar()
        room = self.viewport().height()
        if not bar.value() + SIDE <= top <= bar.value() + room - 2 * SIDE - spot.height():
            bar.setValue(top - room // 3)

    def _on_reveal(self) -> None:
        """Go to the message that is wanted, if need be batch by batch."""
        wanted = self._wanted
        item, steps = self._stretch.item(wanted), self._stretch.steps_to(wanted)
        if item is not None:
            self._wanted = ""
            if wanted == self._sought:
                self._sought = ""
                self._following = False
                bar = self.verticalScrollBar()
                bar.setValue(item.y() - TOP)
                self._on_scrolled(bar.value())  # also where it did not have to move
            self.revealed.emit(wanted)
        elif not steps:
            self._wanted = ""
        elif abs(steps) > _NEAR:
            self._leap_to(wanted)
            self._on_reveal()
        else:
            self._following = False
            self._show_more(down=steps > 0)
            self._revealing.start(0)

    def _leap_to(self, message_id: str) -> None:
        """Build what stands beside a message instead of what is built."""
        self._hold_focus()
        self._following = False
        self._stretch.show_around(message_id)
        self._show_stretch()
        item = self._stretch.item(message_id)
        if item is not None:
            self.verticalScrollBar().setValue(item.y() - TOP)

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
        if event.key() == Qt.Key.Key_Home and self._stretch.earlier:
            self.show_message(self._stretch.earlier[0].id)
        elif event.key() == Qt.Key.Key_Home:
            bar.setValue(bar.minimum())
        elif event.key() == Qt.Key.Key_End:
            self.jump_to_end()
        else:
            super().keyPressEvent(event)

    @override
    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange and self._stretch.items:
            self._lay_out(0)

    def _on_shown(self, first: int) -> None:
        """Make room for the text that is shown now."""
        self._lay_out(first)
        self.changed.emit()

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
        self._moving = True
        self.column.lay_out(first, self.viewport().width())
        self._moving = False
        self._keep_place(anchor)

    def _anchor(self) -> _Anchor | None:
        """The topmost message in sight, and how far it stands from the top."""
        if self._following:
            return None
        top = self.verticalScrollBar().value()
        for item in self._stretch.items:
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
        below = self.verticalScrollBar().maximum() - value
        self._following = below <= _AT_END and not self._stretch.later
        self._update_jump()
        if value < self.viewport().height():
            self._show_more(down=False)
        if below < self.viewport().height():
            self._show_more(down=True)

    def _show_more(self, *, down: bool) -> None:
        """Build some messages beside the built ones, without moving what is in sight."""
        stretch = self._stretch
        if not (stretch.later if down else stretch.earlier):
            return
        anchor = self._anchor()
        if down:
            stretch.grow_down()
        else:
            stretch.grow_up()
        self.column.tell_places()
        self._lay_out(0, anchor)
        self._give_up(last=not down)

    def _give_up(self, *, last: bool) -> None:
        """Unbuild messages far from what is in sight, up to one that is in use.

        Args:
            last: Whether those far below; else those far above.
        """
        far = _FAR * self.viewport().height()
        top = self.verticalScrollBar().value()
        items = self._stretch.items
        number = 0
        for item in reversed(items) if last else items:
            place = item.geometry()
            is_far = place.top() > top + far if last else place.bottom() < top - far
            if len(items) - number <= MOST_KEPT or not is_far or self._is_used(item):
                break
            number += 1
        if not number:
            return
        if last:
            self._stretch.give_up_last(number)
        else:
            self._stretch.give_up_first(number)
        self.column.tell_places()
        self._lay_out(0)
        self.changed.emit()

    def _is_used(self, item: MessageItem) -> bool:
        """Whether a message has the keyboard, or grows."""
        focused = QApplication.focusWidget()
        has_focus = focused is not None and item.isAncestorOf(focused)
        return has_focus or item.view.state == "streaming"

    def _fill(self) -> None:
        """Build more messages until there is something to scroll."""
        stretch = self._stretch
        while self.column.height() < 2 * self.viewport().height() and (
            stretch.earlier or stretch.later
        ):
            self._show_more(down=not stretch.earlier)

    def _update_jump(self) -> None:
        self._jump.setVisible(not self._following)
        self._jump.raise_()

    def _on_theme_changed(self) -> None:
        """What is in sight first."""
        top = self.verticalScrollBar().value()
        self.column.restyle(top, top + self.viewport().height())
        self._lay_out(0)
