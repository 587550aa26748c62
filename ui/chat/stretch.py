"""The messages of a chat, of which one stretch is built: that near the reader.

Those before and after it are kept as values, and built when the reader comes near them.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from ui.chat.slices import slice_end

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from ui.chat.message import MessageItem
    from ui.state import MessageView

BATCH = 16
"""How many messages are built at a time when a chat is opened or scrolled."""


class Stretch:
    """Keeps the messages in order.

    Attributes:
        earlier: Those before the built ones, oldest first.
        items: The built ones.
        heights: Theirs, in pixels; 0 until they are laid out.
        later: Those after the built ones.
    """

    def __init__(
        self,
        make: Callable[[MessageView, float], MessageItem],
        forget: Callable[[MessageItem], None],
    ) -> None:
        """Begin without messages.

        Args:
            make: Builds a message; of a reply as much as can be done until a time.
            forget: Takes a built message away.
        """
        self._make = make
        self._forget = forget
        self._by_id: dict[str, MessageItem] = {}
        self.earlier: list[MessageView] = []
        self.items: list[MessageItem] = []
        self.heights: list[int] = []
        self.later: list[MessageView] = []

    @property
    def views(self) -> list[MessageView]:
        """All messages as they are now, oldest first."""
        return [*self.earlier, *(item.latest_view for item in self.items), *self.later]

    @property
    def last_view(self) -> MessageView | None:
        """The last message as it was told of last; None where there is no message."""
        if self.later:
            return self.later[-1]
        return self.items[-1].view if self.items else None

    def item(self, message_id: str) -> MessageItem | None:
        """A message that is built."""
        return self._by_id.get(message_id)

    def steps_to(self, message_id: str) -> int:
        """How many messages have to be built up to one, below 0 for those before the built ones.

        0 where it is built or not there.
        """
        if not message_id or message_id in self._by_id:
            return 0
        for number, view in enumerate(reversed(self.earlier), 1):
            if view.id == message_id:
                return -number
        for number, view in enumerate(self.later, 1):
            if view.id == message_id:
                return number
        return 0

    def show_end(self, views: Sequence[MessageView]) -> None:
        """Build the last messages alone."""
        self._show(views, len(views) - BATCH, len(views))

    def show_around(self, message_id: str) -> None:
        """Build a message and what stands beside it alone; it must be there."""
        views = self.views
        at = next(number for number, view in enumerate(views) if view.id == message_id)
        self._show(views, at - BATCH // 2, at)

    def _show(self, views: Sequence[MessageView], first: int, seen: int) -> None:
        """Build a batch.

        Args:
            views: All messages.
            first: The index of the first to build; of none where it is below 0.
            seen: From which index on they are built first, for they are seen first.
        """
        first = max(first, 0)
        end = first + BATCH
        self.drop_from(0)
        self.earlier, self.later = list(views[:first]), list(views[end:])
        self._build_after(views[seen:end])
        self._build_before(views[first:seen])

    def grow_up(self) -> None:
        """Build some of the messages before the built ones."""
        batch, self.earlier = self.earlier[-BATCH:], self.earlier[:-BATCH]
        self._build_before(batch)

    def grow_down(self) -> None:
        """Build some of the messages after the built ones."""
        batch, self.later = self.later[:BATCH], self.later[BATCH:]
        self._build_after(batch)

    def add(self, view: MessageView) -> None:
        """Take a message at the end."""
        self.later.append(view)
        if len(self.later) == 1:
            self.grow_down()

    def keep_common(self, views: Sequence[MessageView]) -> int | None:
        """Take on what is new of the messages that stay.

        Args:
            views: All messages as they are to be.

        Returns:
            How many of the built ones stay; None, and nothing has changed, where the stretch lies
            elsewhere among other messages.
        """
        before = len(self.earlier)
        same = [view.id for view in views[:before]] == [old.id for old in self.earlier]
        if not self.items or not same or len(views) <= before:
            return None
        self.earlier = list(views[:before])
        kept = 0
        for item, view in zip(self.items, views[before:], strict=False):
            if item.message_id != view.id:
                break
            item.update_view(view)
            kept += 1
        return kept

    def replace_from(self, kept: int, views: Sequence[MessageView]) -> None:
        """Put other messages after the first built ones.

        Args:
            kept: How many of those stay.
            views: All messages that come after these.
        """
        away = bool(self.later) and kept == len(self.items)  # what changes is not in sight
        built = 0 if away else max(len(self.items) - kept, BATCH)
        self.drop_from(kept)
        self.later = list(views[built:])
        self._build_after(views[:built])

    def update(self, view: MessageView) -> MessageItem | None:
        """Take on a message's new state; returns it where it is built."""
        item = self._by_id.get(view.id)
        if item is not None:
            item.update_view(view)
            return item
        for views in (self.earlier, self.later):
            for number, old in enumerate(views):
                if old.id == view.id:
                    views[number] = view
        return None

    def append(self, message_id: str, text: str) -> None:
        """Add text to a message at the end that is not built."""
        if self.later and self.later[-1].id == message_id:
            self.later[-1] = replace(self.later[-1], text=self.later[-1].text + text)

    def drop_from(self, first: int) -> None:
        """Take away the built messages from an index on."""
        for item in self.items[first:]:
            self._drop(item)
        del self.items[first:], self.heights[first:]

    def give_up_first(self, number: int) -> None:
        """Keep the first built messages as values alone."""
        self.earlier += self._taken(slice(0, number))

    def give_up_last(self, number: int) -> None:
        """Keep the last built messages as values alone."""
        self.later[:0] = self._taken(slice(len(self.items) - number, None))

    def _taken(self, which: slice) -> list[MessageView]:
        """Take built messages away, for their values."""
        items = self.items[which]
        views = [item.latest_view for item in items]
        del self.items[which], self.heights[which]
        for item in items:
            self._drop(item)
        return views

    def _drop(self, item: MessageItem) -> None:
        del self._by_id[item.message_id]
        self._forget(item)

    def _build_before(self, views: Sequence[MessageView]) -> None:
        """The latest first: it is seen first."""
        deadline = slice_end()
        for view in reversed(views):
            self._insert(0, view, deadline)

    def _build_after(self, views: Sequence[MessageView]) -> None:
        deadline = slice_end()
        for view in views:
            self._insert(len(self.items), view, deadline)

    def _insert(self, at: int, view: MessageView, deadline: float) -> None:
        item = self._make(view, deadline)
        self.items.insert(at, item)
        self.heights.insert(at, 0)
        self._by_id[view.id] = item
