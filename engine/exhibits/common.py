"""What every exhibit is made of: settings with bounds, claims that can fail, sources of figures."""

import math
import operator
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import MISSING, Field, asdict, dataclass, field, fields
from typing import Any, Generic, Literal, TypeVar, cast

from engine.errors import CancelledError, SettingError
from engine.model import Model
from engine.sentence import Sentence

Progress = Callable[[float, Any], None]
"""Called with the share that is done, 0 to 1, and what is measured so far: a Result or None."""

Cancelled = Callable[[], bool]
"""Tells whether to stop."""

Relation = Literal["=", "≠", "<", "≤", ">", "≥"]

_RELATIONS: Mapping[Relation, Callable[[float, float], bool]] = {
    "=": operator.eq,
    "≠": operator.ne,
    "<": operator.lt,
    "≤": operator.le,
    ">": operator.gt,
    "≥": operator.ge,
}


@dataclass(frozen=True)
class Claim:
    """What should be seen, and what was.

    Attributes:
        name: Which claim of its exhibit this is; stable, so that a page can word it in a language
            of its own.
        sentence: The claim in plain English, without figures.
        measured: What was measured.
        relation: How that must stand to the bound.
        bound: What it is held against: a constant, or computed from the inputs.
        unit: Of both, as in `bytes` or `nats per token`.
    """

    name: str
    sentence: str
    measured: float
    relation: Relation
    bound: float
    unit: str

    @property
    def seen(self) -> bool:
        """Whether what was measured is what the sentence says."""
        return _RELATIONS[self.relation](self.measured, self.bound)


@dataclass(frozen=True)
class Note:
    """Where the popular claim needs care, for this model, these inputs, this device.

    Attributes:
        name: Which note of its exhibit this is; stable.
        sentence: In plain English, without figures.
    """

    name: str
    sentence: str


@dataclass(frozen=True)
class How:
    """How a figure is computed.

    Attributes:
        figure: The field of the result.
        function: The function of the engine that computed it, with its module.
        formula: What it computes, in words and symbols.
    """

    figure: str
    function: str
    formula: str


def how(figure: str, function: Callable[..., Any], formula: str) -> How:
    """Name the function that computed a figure; what is named so exists."""
    return How(figure, f"{function.__module__}.{function.__qualname__}", formula)


@dataclass(frozen=True)
class Watch:
    """Tells how far a measurement is, and asks whether to go on."""

    progress: Progress
    cancelled: Cancelled

    def check(self) -> None:
        """Stop if that is wanted.

        Raises:
            CancelledError: It is.
        """
        if self.cancelled():
            raise CancelledError("The exhibit was stopped.")

    def tell(self, share: float, partial: object = None) -> None:
        """Report progress, and what is measured so far.

        Raises:
            CancelledError: The measurement is to stop.
        """
        self.check()
        self.progress(min(max(share, 0.0), 1.0), partial)

    def part(self, start: float, end: float) -> "Watch":
        """The same for a part that goes from one share of the whole to another."""

        def progress(share: float, partial: object) -> None:
            self.progress(start + share * (end - start), partial)

        return Watch(progress, self.cancelled)


def silent(_share: float, _partial: object) -> None:
    """Report nothing."""


def never() -> bool:
    """Do not stop."""
    return False


@dataclass(frozen=True)
class Setting:
    """One input of an exhibit, as a page or a command line offers it.

    Attributes:
        name: Of the field.
        kind: `whole`, `number`, `text` (least and most count its characters) or `choice`.
        default: Its value where nothing is given.
        least: The lowest value.
        most: The highest.
        choices: What there is to choose from.
        meaning: What it is, in plain English.
    """

    name: str
    kind: Literal["whole", "number", "text", "choice"]
    default: Any
    least: float
    most: float
    choices: tuple[Any, ...]
    meaning: str

    def check(self, value: object) -> None:
        """Refuse a value outside the bounds.

        Raises:
            SettingError: It is.
        """
        if self.kind == "choice":
            if value not in self.choices or isinstance(value, bool):
                shown = ", ".join(str(each) for each in self.choices)
                raise SettingError(
                    "The setting {name} is one of {choices}, not {value!r}.",
                    name=self.name,
                    choices=shown,
                    value=value,
                )
            return
        if self.kind == "text":
            if not isinstance(value, str) or not self.least <= len(value) <= self.most:
                raise SettingError(
                    "The setting {name} is a text of {least:,} to {most:,} characters.",
                    name=self.name,
                    least=self.least,
                    most=self.most,
                )
            return
        kinds = (int,) if self.kind == "whole" else (int, float)
        fits = isinstance(value, kinds) and not isinstance(value, bool)
        if not fits or not self.least <= cast("float", value) <= self.most:
            raise SettingError(
                "The setting {name} is {kind} from {least:,} to {most:,}, not {value!r}.",
                name=self.name,
                kind=Sentence("a whole number") if self.kind == "whole" else Sentence("a number"),
                least=self.least,
                most=self.most,
                value=value,
            )


class Inputs:
    """Base of what can be set in an exhibit: a frozen dataclass whose fields check themselves."""

    def __post_init__(self) -> None:
        """Refuse what is outside its bounds.

        Raises:
            SettingError: A value is.
        """
        for setting in settings(type(self)):
            setting.check(getattr(self, setting.name))


def whole(default: int, least: int, most: int, meaning: str) -> Any:
    """A field of whole numbers."""
    return _field("whole", default, meaning, least=least, most=most)


def number(default: float, least: float, most: float, meaning: str) -> Any:
    """A field of numbers."""
    return _field("number", default, meaning, least=least, most=most)


def text(default: str, meaning: str, *, least: int = 1, most: int = 20_000) -> Any:
    """A field of text, its length bounded in characters."""
    return _field("text", default, meaning, least=least, most=most)


def choice(default: object, choices: Sequence[object], meaning: str) -> Any:
    """A field with few values."""
    return _field("choice", default, meaning, choices=tuple(choices))


def settings(inputs: type[Inputs]) -> tuple[Setting, ...]:
    """What can be set in an exhibit, in the order of its fields.

    Fields that are no settings, as one for a parsed config.json, are left out.
    """
    own: tuple[Field[Any], ...] = fields(cast("Any", inputs))
    return tuple(
        Setting(name=each.name, default=each.default, **each.metadata["setting"])
        for each in own
        if "setting" in each.metadata and each.default is not MISSING
    )


def _field(
    kind: str,
    default: object,
    meaning: str,
    *,
    least: float = 0,
    most: float = 0,
    choices: tuple[object, ...] = (),
) -> Any:
    setting = {"kind": kind, "least": least, "most": most, "choices": choices, "meaning": meaning}
    return field(default=default, metadata={"setting": setting})


I = TypeVar("I", bound=Inputs)  # noqa: E741 - the usual letter for inputs
R = TypeVar("R")


@dataclass(frozen=True)
class Exhibit(Generic[I, R]):
    """One exhibit, for whoever shows or runs it.

    Attributes:
        number: Of the exhibit, from 1.
        name: Of its module.
        title: In plain English.
        inputs: What can be set; `inputs()` has the defaults.
        run: Does all the work, on the model's thread.
        seen: What should be seen of a result, in so far as it is measured by then.
    """

    number: int
    name: str
    title: str
    inputs: type[I]
    run: Callable[[Model, I, Watch], R]
    seen: Callable[[R], Iterable[Claim]]

    def measure(
        self, model: Model, inputs: I, progress: Progress = silent, cancelled: Cancelled = never
    ) -> R:
        """Measure it.

        Args:
            model: The model, on the thread that loaded it.
            inputs: What is set.
            progress: Told how far it is, and what is measured so far.
            cancelled: Asked whether to go on.

        Raises:
            EngineError: The model or its inputs cannot show this.
            CancelledError: It was stopped.
        """
        return self.run(model, inputs, Watch(progress, cancelled))

    def claims(self, result: R) -> tuple[Claim, ...]:
        """What should be seen of a result, also of a partial one."""
        return tuple(self.seen(result))

    def report(self, result: R) -> dict[str, Any]:
        """A result with its claims, as plain values that JSON can hold."""
        claims = self.claims(result)
        return {
            "exhibit": self.number,
            "name": self.name,
            "title": self.title,
            "seen": all(claim.seen for claim in claims),
            "claims": [{**plain(claim), "seen": claim.seen} for claim in claims],
            "result": plain(result),
        }


def plain(value: Any) -> Any:
    """A frozen value as dictionaries, lists, texts and numbers; NaN and infinity become None."""
    return _plain(asdict(value))


def _plain(value: Any) -> Any:
    match value:
        case dict():
            return {str(key): _plain(each) for key, each in cast("dict[Any, Any]", value).items()}
        case list() | tuple():
            return [_plain(each) for each in cast("Sequence[Any]", value)]
        case float() if not math.isfinite(value):
            return None
        case _:
            return value
