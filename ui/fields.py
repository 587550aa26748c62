"""What can be set, as frozen descriptions; `ui.form.Form` makes controls of them.

A `Field` carries everything that a control, a check and a reader need: name, title, help, usual
value, bounds. The application makes fields where a setting is declared and hands them over, as
for a chat's settings (`app.chat_fields`); a page of preferences is built the same way:

    form = Form(theme, (NumberField("temperature", "Temperature", usual=0.7, high=2, decimals=2),))
    form.set_values({"temperature": 1.0})
    form.changed.connect(...)  # a name and the new value, only ever one that fits
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication, QLocale
from typing_extensions import override

from ui.figures import count, locale

if TYPE_CHECKING:
    from collections.abc import Callable

Value = bool | int | float | str | None


class FieldError(ValueError):
    """What was typed is no value of the field; the message is a sentence for the user."""


@dataclass(frozen=True, kw_only=True)
class Field:
    """Something that can be set.

    Attributes:
        name: How it is known in the program.
        title: How the user knows it, without a colon.
        help: A sentence on what it does; may be empty.
        usual: The value that Reset brings back.
    """

    name: str
    title: str
    help: str = ""
    usual: Value

    def read(self, text: str) -> Value:
        """The value that was typed or handed over as text.

        Raises:
            FieldError: It does not fit; the sentence says what would.
        """
        return text

    def written(self, value: Value) -> str:
        """A value as the control shows it."""
        return "" if value is None else str(value)


@dataclass(frozen=True, kw_only=True)
class NumberField(Field):
    """A number within bounds.

    Attributes:
        low: The lowest value.
        high: The highest value.
        step: What an arrow key adds.
        decimals: The most decimals that are shown; 0 makes it a whole number.
        empty: What it means to type nothing, as in "Random"; where this is empty, it is not
            allowed. The value is then None.
    """

    usual: float | None
    low: float = 0
    high: float
    step: float = 1
    decimals: int = 0
    empty: str = ""

    @override
    def read(self, text: str) -> Value:
        words = text.strip()
        if not words and self.empty:
            return None
        whole = self.decimals == 0
        exact = whole and words.isascii() and words.isdigit()  # a seed has more digits than a float
        number = int(words[:40]) if exact else _number(words)
        if number is None or not self.low <= number <= self.high or (whole and number % 1):
            raise FieldError(self._sentence())
        return int(number) if whole else float(number)

    @override
    def written(self, value: Value) -> str:
        if value is None or isinstance(value, str):
            return ""
        if self.decimals == 0:
            return str(int(value))
        plain = _without_groups().toString(float(value), "f", self.decimals)
        point = _without_groups().decimalPoint()
        return plain.rstrip("0").removesuffix(point) if point in plain else plain

    def stepped(self, value: Value, steps: int) -> Value:
        """The value so many steps on, within the bounds."""
        start = self.low if value is None or isinstance(value, str) else float(value)
        moved = round(start + steps * self.step, self.decimals or None)
        bounded = min(max(moved, self.low), self.high)
        return int(bounded) if self.decimals == 0 else float(bounded)

    def _sentence(self) -> str:
        whole = QCoreApplication.translate("Fields", "A whole number from {low} to {high} fits.")
        any_number = QCoreApplication.translate("Fields", "A number from {low} to {high} fits.")
        sentence = whole if self.decimals == 0 else any_number
        return sentence.format(low=self._bound(self.low), high=self._bound(self.high))

    def _bound(self, value: float) -> str:
        return count(int(value)) if value % 1 == 0 else self.written(value)


@dataclass(frozen=True, kw_only=True)
class SwitchField(Field):
    """Something that is on or off."""

    usual: bool


@dataclass(frozen=True)
class Choice:
    """One of the values of a `ChoiceField`, and its words."""

    value: Value
    title: str


@dataclass(frozen=True, kw_only=True)
class ChoiceField(Field):
    """One of a few values."""

    choices: tuple[Choice, ...]


@dataclass(frozen=True, kw_only=True)
class TextField(Field):
    """Words.

    Attributes:
        lines: How many lines the control shows; more than one lets Return break the line.
        longest: The most characters.
        hint: What stands there while it is empty.
        check: Gives the sentence that says what is wrong with a text, "" for a good one.
        fixed_pitch: Whether it is code.
    """

    usual: str = ""
    lines: int = 1
    longest: int = 1000
    hint: str = ""
    check: Callable[[str], str] | None = None
    fixed_pitch: bool = False

    @override
    def read(self, text: str) -> Value:
        if len(text) > self.longest:
            sentence = QCoreApplication.translate("Fields", "At most {most} characters fit.")
            raise FieldError(sentence.format(most=count(self.longest)))
        problem = "" if self.check is None else self.check(text)
        if problem:
            raise FieldError(problem)
        return text


@dataclass(frozen=True)
class FieldGroup:
    """Fields under one heading; `folded` ones are opened by the user when wanted."""

    title: str
    fields: tuple[Field, ...]
    folded: bool = False


def _without_groups() -> QLocale:
    plain = QLocale(locale())
    plain.setNumberOptions(QLocale.NumberOption.OmitGroupSeparator)
    return plain


def _number(words: str) -> float | None:
    """A number as the user's country writes it, or with a point."""
    value, good = locale().toDouble(words)
    if good:
        return value
    try:
        plain = float(words)
    except ValueError:
        return None
    return plain if abs(plain) < float("inf") else None
