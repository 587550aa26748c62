"""Controls made from the bounds that the engine declares for an exhibit's inputs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ui.controls_values import stepped
from ui.exhibits.values import Control, Slider
from ui.fields import Choice, ChoiceField, NumberField, TextField

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from app.jobs.exhibits import Setting

_FIRST = ("",)


def slider(
    setting: Setting,
    title: str,
    values: Sequence[float],
    *,
    help: str = "",  # noqa: A002 - the word of the fields
    write: Callable[[float], str] | None = None,
    parts: tuple[str, ...] = _FIRST,
) -> Control:
    """A slider over some values; those outside the input's bounds are left out."""
    usual = float(setting.default)
    fitting = {float(each) for each in values if _fits(setting, each)}
    offered = tuple(sorted(fitting | {usual}))
    texts = tuple(write(each) for each in offered) if write is not None else ()
    return Control(Slider(setting.name, title, offered, setting.default, texts, help), parts)


def _fits(setting: Setting, value: float) -> bool:
    if setting.kind == "choice":
        return value in setting.choices
    return setting.least <= value <= setting.most


def steps(low: float, high: float, step: float) -> tuple[float, ...]:
    """Values in even steps, for a slider."""
    return stepped(low, high, step)


def doubling(low: int, high: int) -> tuple[float, ...]:
    """Values of which each is twice the one before, for a slider."""
    found = [float(low)]
    while found[-1] * 2 <= high:
        found.append(found[-1] * 2)
    return tuple(found)


def text(
    setting: Setting,
    title: str,
    *,
    help: str = "",  # noqa: A002 - as above
    lines: int = 2,
    hint: str = "",
    parts: tuple[str, ...] = _FIRST,
    folded: bool = False,
) -> Control:
    """Words to type; what is too short for the input is refused with its own sentence."""
    field = TextField(
        name=setting.name,
        title=title,
        help=help,
        usual=setting.default,
        lines=lines,
        longest=int(setting.most),
        hint=hint,
    )
    return Control(field, parts, folded)


def number(
    setting: Setting,
    title: str,
    *,
    help: str = "",  # noqa: A002 - as above
    decimals: int = 0,
    step: float = 1,
    parts: tuple[str, ...] = _FIRST,
    folded: bool = True,
) -> Control:
    """A number to type, within the input's bounds."""
    field = NumberField(
        name=setting.name,
        title=title,
        help=help,
        usual=setting.default,
        low=setting.least,
        high=setting.most,
        step=step,
        decimals=decimals,
    )
    return Control(field, parts, folded)


def choice(
    setting: Setting,
    title: str,
    names: Sequence[str],
    *,
    help: str = "",  # noqa: A002 - as above
    parts: tuple[str, ...] = _FIRST,
    folded: bool = False,
) -> Control:
    """One of the input's few values, with a name for each in their order."""
    choices = tuple(Choice(value, name) for value, name in zip(setting.choices, names, strict=True))
    field = ChoiceField(
        name=setting.name, title=title, help=help, usual=setting.default, choices=choices
    )
    return Control(field, parts, folded)
