"""The tree of a chat's messages, without their words: versions, paths, what is shown of them.

Deleted messages hide all that follows them; a spliced message is skipped, as if its children
were its parent's.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from app.chats.model import Version


@dataclass(frozen=True)
class Node:
    """A message's place; `number` grows with time."""

    id: str
    parent_id: str | None
    position: int
    shown: int
    number: int
    deleted: bool = False
    spliced: bool = False


class Tree:
    """Answers questions about one chat; None stands for what is above the first messages."""

    def __init__(self, nodes: Iterable[Node]) -> None:
        self._nodes = {node.id: node for node in nodes}
        self._below: defaultdict[str | None, list[Node]] = defaultdict(list)
        for node in self._nodes.values():
            self._below[node.parent_id].append(node)

    def __contains__(self, message_id: str) -> bool:
        """Tell whether the message can be seen: neither it nor one above it is deleted."""
        node = self._nodes.get(message_id)
        return (
            node is not None
            and not node.spliced
            and not any(above.deleted for above in self.ancestry(message_id))
        )

    def ancestry(self, message_id: str | None) -> Iterator[Node]:
        """Yield the message and all above it, upwards, spliced and deleted ones too."""
        while message_id is not None and (node := self._nodes.get(message_id)) is not None:
            yield node
            message_id = node.parent_id

    def parent(self, message_id: str) -> str | None:
        """Return the message that this one is seen to follow."""
        _, *above = self.ancestry(message_id)
        return next((node.id for node in above if not node.spliced), None)

    def nearest(self, message_id: str | None) -> str | None:
        """Return the message, or the first one above it that can be seen."""
        return next((node.id for node in self.ancestry(message_id) if node.id in self), None)

    def children(self, message_id: str | None) -> tuple[str, ...]:
        """Return the messages that are seen to follow, as versions in order."""
        return tuple(self._seen(message_id, lambda node: (node.position, node.number)))

    def latest(self, message_id: str | None) -> tuple[str, ...]:
        """Return the messages that are seen to follow, the one that was looked at last first."""
        return tuple(self._seen(message_id, lambda node: (-node.shown, -node.number)))

    def version(self, message_id: str) -> Version:
        """Return the place of a message among its versions, which include it."""
        ids = self.children(self.parent(message_id))
        return Version(ids.index(message_id), ids)

    def path(self, leaf_id: str | None) -> tuple[str, ...]:
        """Return what is seen from the first message to the leaf."""
        ids = [node.id for node in self.ancestry(leaf_id) if not node.spliced]
        return tuple(reversed(ids))

    def leaf_below(self, message_id: str | None) -> str | None:
        """Return the end of the branch below a message that was looked at last."""
        leaf = message_id
        while below := self.latest(leaf):
            leaf = below[0]
        return leaf

    def subtree(self, message_id: str) -> tuple[str, ...]:
        """Return the message and all below it, spliced and deleted ones too."""
        found = [message_id]
        for above in found:
            found.extend(node.id for node in self._below.get(above, ()))
        return tuple(found)

    def to_raise(self, message_id: str) -> dict[str, int]:
        """Return new values of `shown` that lead from the top down to the message."""
        raised: dict[str, int] = {}
        for node in self.ancestry(message_id):
            others = [other.shown for other in self._below[node.parent_id] if other is not node]
            if others and max(others) >= node.shown:
                raised[node.id] = max(others) + 1
        return raised

    def _seen(
        self, message_id: str | None, order: Callable[[Node], tuple[int, int]]
    ) -> Iterator[str]:
        waiting = sorted(self._below.get(message_id, ()), key=order, reverse=True)
        while waiting:
            node = waiting.pop()
            if node.deleted:
                continue
            if node.spliced:
                waiting += sorted(self._below.get(node.id, ()), key=order, reverse=True)
            else:
                yield node.id
