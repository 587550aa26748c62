"""What an exhibit is made of for visitors, beside what the engine measures for it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Generic, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from app.jobs.exhibits import Setting
    from ui.exhibits.values import Control, Part, Pictures

R = TypeVar("R")


@dataclass(frozen=True)
class Texts:
    """The words of an exhibit, in the language of the moment.

    Attributes:
        title: Above the page.
        claim: What should be seen, in a sentence or two.
        part_claims: The same for parts that claim something else.
        question: What to think about before.
        about: For readers who are new to the field: what the words mean, what happens here.
    """

    title: str
    claim: str
    question: str
    about: tuple[str, ...]
    part_claims: Mapping[str, str] = field(default_factory=dict[str, str])


@dataclass(frozen=True)
class View:
    """What a visitor looks at in a result.

    Attributes:
        part: The key of the part that is shown.
        selected: The key of what was pointed out in it; "" for nothing.
    """

    part: str = ""
    selected: str = ""


@dataclass(frozen=True)
class Definition(Generic[R]):
    """An exhibit for visitors. What is text is made anew at each call, for the language may change.

    Attributes:
        number: Of the exhibit.
        texts: Its words.
        parts: What it shows; the first has the key "" and no button of its own.
        controls: Makes controls of the inputs' bounds.
        present: Draws a result, also a partial one: the part of a key.
        claims: A sentence for each of the engine's claims, by its name.
        notes: Likewise for its notes.
        part_claims: Which claims belong to which part; a part that is not named has all.
        part_sources: Likewise for figures of the result, by the beginning of their names.
        live: Whether it is measured again as soon as an input is changed.
        asks_hub: A repository of the hub whose config.json would complete a result; "" for none.
        choose: What a click on a part of a chart sets: names of inputs, and their values. Where it
            sets nothing, the part is pointed out.
    """

    number: int
    texts: Callable[[], Texts]
    parts: Callable[[], tuple[Part, ...]]
    controls: Callable[[Mapping[str, Setting]], tuple[Control, ...]]
    present: Callable[[R, View], Pictures]
    claims: Callable[[], Mapping[str, str]]
    notes: Callable[[], Mapping[str, str]]
    part_claims: Mapping[str, tuple[str, ...]] = field(default_factory=dict[str, tuple[str, ...]])
    part_sources: Mapping[str, tuple[str, ...]] = field(default_factory=dict[str, tuple[str, ...]])
    live: bool = False
    asks_hub: Callable[[R], str] | None = None
    choose: Callable[[R, str], Mapping[str, Any]] | None = None
