"""Whatever is built of a chat, its messages keep their order, and none is lost or there twice."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from hypothesis import given, settings
from hypothesis import strategies as st

from ui.chat.stretch import BATCH, Stretch
from ui.state import MessageView

if TYPE_CHECKING:
    from ui.chat.message import MessageItem

STEPS = (
    "end",
    "around",
    "up",
    "down",
    "add",
    "append",
    "update",
    "replace",
    "give up first",
    "give up last",
)


class Item:
    """A message that is built, without a widget."""

    def __init__(self, view: MessageView) -> None:
        self.message_id = view.id
        self.view = self.latest_view = view

    def update_view(self, view: MessageView) -> None:
        self.view = self.latest_view = view


class Chat:
    """A chat of which a stretch is built, beside the list that it has to be."""

    def __init__(self, number: int) -> None:
        self.built = 0
        self.made = 0
        self.wanted = [self.new() for _ in range(number)]
        self.stretch = Stretch(self.make, self.forget)
        self.stretch.show_end(self.wanted)

    def new(self) -> MessageView:
        self.made += 1
        return MessageView(f"m{self.made}", "assistant", "words")

    def make(self, view: MessageView, _: float) -> MessageItem:
        self.built += 1
        return cast("MessageItem", Item(view))

    def forget(self, _: MessageItem) -> None:
        self.built -= 1

    def do(self, step: str, number: int) -> None:
        """Take a step; the number says where or how many."""
        stretch, wanted = self.stretch, self.wanted
        at = number % max(len(wanted), 1)
        steps = {
            "end": lambda: stretch.show_end(stretch.views),
            "up": stretch.grow_up,
            "down": stretch.grow_down,
            "add": self.add,
            "append": self.append,
            "replace": lambda: self.replace(at, number % 40),
            "give up first": lambda: stretch.give_up_first(number % max(len(stretch.items), 1)),
            "give up last": lambda: stretch.give_up_last(number % max(len(stretch.items), 1)),
        }
        if step in steps:
            steps[step]()
        elif wanted:
            (self.look_at if step == "around" else self.update)(at)

    def look_at(self, at: int) -> None:
        """Build a message and what stands beside it."""
        self.stretch.show_around(self.wanted[at].id)
        assert self.stretch.item(self.wanted[at].id) is not None
        assert len(self.stretch.items) <= BATCH

    def add(self) -> None:
        """One more message."""
        self.wanted.append(self.new())
        self.stretch.add(self.wanted[-1])

    def append(self) -> None:
        """More words at an end that is not built."""
        if self.stretch.later:
            last = self.wanted[-1]
            self.wanted[-1] = MessageView(last.id, "assistant", f"{last.text}!")
            self.stretch.append(last.id, "!")

    def update(self, at: int) -> None:
        """Other words."""
        self.wanted[at] = MessageView(self.wanted[at].id, "assistant", f"other {self.made}")
        self.stretch.update(self.wanted[at])

    def replace(self, at: int, number: int) -> None:
        """Other messages from one on."""
        self.wanted = [*self.wanted[:at], *(self.new() for _ in range(number))]
        kept = self.stretch.keep_common(self.wanted)
        if kept is None:
            self.stretch.show_end(self.wanted)
        else:
            self.stretch.replace_from(kept, self.wanted[len(self.stretch.earlier) + kept :])


@settings(max_examples=30, deadline=None)
@given(
    st.integers(0, 90),
    st.lists(st.tuples(st.sampled_from(STEPS), st.integers(0, 10_000)), max_size=25),
)
def test_no_message_is_lost_or_moved(number: int, steps: list[tuple[str, int]]) -> None:
    chat = Chat(number)
    for step, where in steps:
        chat.do(step, where)
        stretch = chat.stretch
        assert stretch.views == chat.wanted
        assert len(stretch.items) == len(stretch.heights) == chat.built
        assert stretch.last_view == (chat.wanted[-1] if chat.wanted else None)
        for view in chat.wanted[:: max(len(chat.wanted) // 5, 1)]:
            assert (stretch.item(view.id) is None) == (stretch.steps_to(view.id) != 0)
