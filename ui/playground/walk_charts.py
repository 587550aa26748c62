"""One token's way through one head, as charts with its real numbers, step by step."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, TypeVar

from PySide6.QtCore import QCoreApplication

from ui import figures
from ui.charts.ink import token, written
from ui.charts.values import Bar, Bars, Card, Cards, Column, Row, Table
from ui.counts import Counts
from ui.playground.attention_look import label, quoted
from ui.playground.attention_values import FIRST

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ui.charts.values import Chart
    from ui.playground.attention_values import KeyView, WalkView
    from ui.playground.state import PlayToken

T = TypeVar("T")

_NOTHING = 0.0005
FEW_KEYS = 12
"""How many keys are shown before all are asked for."""


@dataclass(frozen=True)
class WalkStep:
    """One step: what happens, in a sentence, and its numbers."""

    title: str
    words: str
    chart: Chart


def strongest(walk: WalkView, most: int) -> tuple[KeyView, ...]:
    """The keys with the largest weights, in the order of the text."""
    chosen = sorted(walk.keys, key=lambda key: -key.weight)[:most]
    return tuple(sorted(chosen, key=lambda key: key.position))


def walk_steps(
    walk: WalkView, tokens: Sequence[PlayToken], keys: Sequence[KeyView], first: int = FIRST
) -> tuple[WalkStep, ...]:
    """The steps from the query to what the head adds.

    Args:
        walk: The numbers.
        tokens: The text that was run.
        keys: Which of the walk's keys are shown.
        first: How many numbers of a vector are shown, at most `FIRST`.
    """
    return (
        _cut(_query(walk, tokens), first),
        _cut(_keys(walk, tokens, keys), first),
        _scores(walk, tokens, keys),
        _weights(walk, tokens, keys),
        _cut(_values(walk, tokens, keys), first),
        _output(walk),
    )


def _cut(step: WalkStep, first: int) -> WalkStep:
    """A step with fewer numbers of each vector, so that these can be read in a narrow column."""
    table = step.chart
    if not isinstance(table, Table):
        return step

    def cut(parts: tuple[T, ...]) -> tuple[T, ...]:
        """The name, the first numbers, and the length at the end."""
        return (*parts[: 1 + first], parts[-1]) if len(parts) > 2 + first else parts

    rows = tuple(replace(row, cells=cut(row.cells), numbers=cut(row.numbers)) for row in table.rows)
    return replace(step, chart=replace(table, columns=cut(table.columns), rows=rows))


def _query(walk: WalkView, tokens: Sequence[PlayToken]) -> WalkStep:
    translate = QCoreApplication.translate
    rows = (
        _vector(translate("Walk", "q before RoPE"), walk.query_unrotated),
        _vector(translate("Walk", "q after RoPE"), walk.query),
    )
    words = translate(
        "Walk",
        "{token} asks. Its vector times q_proj gives {dim} numbers, the query; RoPE turns them by "
        "the place in the text, which leaves their length as it is.",
    ).format(
        token=quoted(tokens[walk.position].shown),
        dim=figures.count(len(walk.query)),
    )
    return WalkStep(translate("Walk", "1. The query"), words, _table(rows, ""))


def _keys(walk: WalkView, tokens: Sequence[PlayToken], keys: Sequence[KeyView]) -> WalkStep:
    translate = QCoreApplication.translate
    rows = tuple(
        _vector(token(tokens[key.position].shown), key.key, key.key_norm, str(key.position))
        for key in keys
    )
    words = translate(
        "Walk",
        "Every token that it may see offers a key, made by k_proj and turned the same way. Head "
        "{head} of the queries shares the keys of KV head {kv_head}.",
    ).format(head=walk.head, kv_head=walk.kv_head)
    title = translate("Walk", "2. The keys")
    return WalkStep(title, words, _table(rows, translate("Walk", "token")))


def _scores(walk: WalkView, tokens: Sequence[PlayToken], keys: Sequence[KeyView]) -> WalkStep:
    translate = QCoreApplication.translate
    tip = translate("Walk", "{product} × {scale} = {score}")
    bars = tuple(
        Bar(
            tokens[key.position].shown,
            key.score,
            _signed(key.score),
            tip=tip.format(
                product=written(key.product),
                scale=written(walk.scale),
                score=written(key.score),
            ),
            key=str(key.position),
        )
        for key in keys
    )
    words = translate(
        "Walk",
        "The score of a key is q · k × {scale}, where {scale} is 1 / √{dim}: the more the two "
        "point the same way, the larger. Products grow with √{dim}; the factor takes that back.",
    ).format(scale=written(walk.scale), dim=len(walk.query))
    chart = Bars(bars, code=True, value_name=translate("Walk", "score"))
    return WalkStep(translate("Walk", "3. The scores"), words, chart)


def _weights(walk: WalkView, tokens: Sequence[PlayToken], keys: Sequence[KeyView]) -> WalkStep:
    translate = QCoreApplication.translate
    total = sum(key.weight for key in walk.keys)
    bars = tuple(
        Bar(
            tokens[key.position].shown,
            key.weight,
            figures.share(key.weight),
            "new" if key.position == walk.position else "held",
            key=str(key.position),
        )
        for key in keys
    )
    words = translate(
        "Walk",
        "Softmax makes shares of the scores: e to the power of each, divided by their sum.",
    )
    words = f"{words} {Counts().keys_together(len(walk.keys)).format(total=figures.share(total))}"
    chart = Bars(bars, code=True, value_name=translate("Walk", "weight"))
    return WalkStep(translate("Walk", "4. The weights"), words, chart)


def _values(walk: WalkView, tokens: Sequence[PlayToken], keys: Sequence[KeyView]) -> WalkStep:
    translate = QCoreApplication.translate
    rows = [
        _vector(
            f"{figures.share(key.weight)} × {label(tokens[key.position].shown)}",
            tuple(key.weight * number for number in key.value),
            key.weight * key.value_norm,
            str(key.position),
        )
        for key in keys
    ]
    shown = {key.position for key in keys}
    rest = [key for key in walk.keys if key.position not in shown]
    if rest:
        count = min(FIRST, len(walk.mixed))
        sums = tuple(sum(key.weight * key.value[n] for key in rest) for n in range(count))
        name = Counts().other_keys(len(rest))
        rows.append(_vector(name, sums, math.nan))
    rows.append(_vector(translate("Walk", "their sum"), walk.mixed))
    words = translate(
        "Walk",
        "Each token also has a value, made by v_proj: what it has to say. The head takes as much "
        "of each as its weight, and adds them up.",
    )
    chart = _table(tuple(rows), translate("Walk", "weight × value"), marked=len(rows) - 1)
    return WalkStep(translate("Walk", "5. The weighted sum of values"), words, chart)


def _output(walk: WalkView) -> WalkStep:
    translate = QCoreApplication.translate
    words = translate(
        "Walk",
        "o_proj turns what the head found into the width of the residual stream. All heads of the "
        "layer are added up, and the sum is added to the token's vector.",
    )
    cards = (
        Card(
            translate("Walk", "This head adds"),
            written(walk.contribution_norm),
            translate("Walk", "length of its part"),
            number=walk.contribution_norm,
        ),
        Card(
            translate("Walk", "All heads add"),
            written(walk.output_norm),
            translate("Walk", "length of their sum"),
            number=walk.output_norm,
        ),
    )
    return WalkStep(translate("Walk", "6. Out of the head"), words, Cards(cards))


def _vector(name: str, numbers: Sequence[float], norm: float | None = None, key: str = "") -> Row:
    """A row of a table: a name, a vector's first numbers, and the length of the whole."""
    length = math.sqrt(sum(number * number for number in numbers)) if norm is None else norm
    first = tuple(numbers[:FIRST])
    cells = (name, *(_signed(number) for number in (*first, length)))
    return Row(cells, (None, *first, length), key=key)


def _table(rows: tuple[Row, ...], name: str, *, marked: int | None = None) -> Table:
    count = max((len(row.cells) for row in rows), default=2) - 2
    numbers = tuple(Column(f"[{n}]", "right") for n in range(count))
    length = Column(QCoreApplication.translate("Walk", "length"), "right")
    return Table((Column(name, code=bool(name)), *numbers, length), rows, marked=marked)


def _signed(number: float) -> str:
    """A number with three decimals, a dash for none, and no sign where nothing is left of it."""
    if math.isnan(number):
        return figures.UNKNOWN
    shown = figures.signed(number, 3)
    return shown.removeprefix("−") if abs(number) < _NOTHING else shown
