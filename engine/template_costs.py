"""What a template may cost, and what single operations would, reckoned before they are done."""

import re
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, cast

from jinja2.exceptions import SecurityError

from engine.sentence import Sentence

CONTAINERS: tuple[type[Any], ...] = (list, tuple, dict, set, frozenset)

_TIME_LIMIT_S = 0.5
_TEXT_LIMIT = 4 << 20
_MADE_LIMIT = 64 << 20
_NODE_WEIGHT = 16
_NODES_PER_TICK = 4096
_NUMBER_LIMIT = 10_000
_POWER_BITS = 4096
_SIZED = frozenset(
    {"batch", "center", "indent", "ljust", "rjust", "round", "slice", "truncate", "zfill"}
)
_PERCENT_WIDTH = re.compile(r"%(?:\([^()]*\))?[-+ #\d.]*(?:\*|\d{4,})")
_WIDTH = re.compile(r"\d{4,}")
_TOO_LONG = Sentence("it makes too long a text")


class CostError(SecurityError):
    """The template asks for more time, text or memory than a prompt needs."""

    def __init__(self, why: Sentence) -> None:
        super().__init__(why)
        self.why = why


@dataclass
class Budget:
    """What one rendering may cost, growing with what was put into it.

    Attributes:
        given: Weight of the messages and options, about their characters.
        made: Characters made so far by all operations.
        deadline: On the clock of the thread's own work, in seconds.
    """

    given: int
    made: int = 0
    deadline: float = field(init=False)

    def __post_init__(self) -> None:
        self.deadline = time.thread_time() + _TIME_LIMIT_S + self.given * 1e-6

    @property
    def text_limit(self) -> int:
        """The most characters that one text or one structure may have."""
        return _TEXT_LIMIT + 8 * self.given

    def tick(self) -> None:
        """Look at the clock.

        It counts this thread's own work, so that a busy machine stops no honest template.
        """
        if time.thread_time() > self.deadline:
            raise CostError(Sentence("it takes too long"))

    def spend(self, characters: int) -> None:
        """Count characters that were made."""
        self.made += characters
        if self.made > _MADE_LIMIT + 64 * self.given:
            raise CostError(Sentence("it makes too much text"))


def weigh(value: Any, limit: int, tick: Callable[[], None]) -> int:
    """How many characters a value is about, when it is written out, shared parts counted each time.

    Args:
        value: Anything; only text and Python's own containers are looked into.
        limit: The most it may be.
        tick: Called now and then.

    Raises:
        CostError: It is more than `limit`.
    """
    weight = visited = 0
    stack: list[Any] = [value]
    while stack:
        item = stack.pop()
        visited += 1
        weight += len(item) if isinstance(item, str) else _NODE_WEIGHT
        if isinstance(item, dict):
            entries = cast("dict[Any, Any]", item)
            stack += entries.keys()
            stack += entries.values()
        elif isinstance(item, list | tuple | set | frozenset):
            stack += cast("list[Any]", item)
        if weight + len(stack) > limit:
            raise CostError(_TOO_LONG)
        if visited % _NODES_PER_TICK == 0:
            tick()
    return weight


def check_operator(operator: str, left: Any, right: Any, limit: int) -> None:
    """Refuse arithmetic whose result would be out of all proportion."""
    if operator == "*":
        for one, other in ((left, right), (right, left)):
            if isinstance(one, int) and isinstance(other, str | list | tuple):
                _at_most(one * len(cast("str", other)), limit)
    elif operator == "**":
        if isinstance(left, int) and isinstance(right, int):
            _at_most(left.bit_length() * abs(right), _POWER_BITS)
    elif operator == "%" and isinstance(left, str):
        check_percent(left)
        _at_most(left.count("%") * weigh(right, limit, _idle), limit)


def check_percent(pattern: str) -> None:
    """Refuse `%` formats with a width of four digits or more, or one that is computed."""
    if _PERCENT_WIDTH.search(pattern):
        raise CostError(_TOO_LONG)


def check_format(specification: str) -> None:
    """Refuse what follows the colon of `{:…}` if it has a number of four digits or more."""
    if _WIDTH.search(specification):
        raise CostError(_TOO_LONG)


def check_call(
    name: str, owner: Any, args: tuple[Any, ...], kwargs: Mapping[str, Any], limit: int
) -> tuple[Any, ...]:
    """Refuse calls of a text's method or a filter whose result would be too large.

    Args:
        name: The method's or filter's name.
        owner: The text or the value that is filtered.
        args: The other arguments.
        kwargs: The arguments by name.
        limit: The most characters.

    Returns:
        The arguments to call it with, iterators read into lists.
    """
    if name in _SIZED:
        _check_numbers((*args, *kwargs.values()))
    if name == "indent":
        text = str(owner)
        width: Any = kwargs.get("width", args[0] if args else 4)
        size = len(width) if isinstance(width, str) else int(width)
        _at_most(len(text) + (text.count("\n") + 1) * size, limit)
    elif name == "replace" and isinstance(owner, str):
        _check_replace(owner, args, kwargs, limit)
    elif name == "format" and isinstance(owner, str):
        check_percent(owner)
        _at_most(owner.count("%") * weigh((args, dict(kwargs)), limit, _idle), limit)
    elif name == "join" and isinstance(owner, str) and len(args) == 1:
        return _joined(owner, args[0], limit)
    return args


def _check_numbers(values: tuple[Any, ...]) -> None:
    if any(isinstance(value, int | float) and abs(value) > _NUMBER_LIMIT for value in values):
        raise CostError(Sentence("it asks for too large a size"))


def _check_replace(text: str, args: tuple[Any, ...], kwargs: Mapping[str, Any], limit: int) -> None:
    old, new = (
        str(args[place] if len(args) > place else kwargs.get(key, ""))
        for place, key in enumerate(("old", "new"))
    )
    _at_most(len(text) + text.count(old) * len(new), limit)


def _joined(separator: str, items: Any, limit: int) -> tuple[list[Any]]:
    read = list(items)
    _at_most(weigh(read, limit, _idle) + len(separator) * len(read), limit)
    return (read,)


def _at_most(size: int, limit: int) -> None:
    if size > limit:
        raise CostError(_TOO_LONG)


def _idle() -> None:
    """Nothing: what is weighed here is small enough not to need the clock."""
