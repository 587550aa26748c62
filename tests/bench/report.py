"""What a benchmark reports, and the table of it."""

from collections.abc import Sequence
from dataclasses import dataclass

_HEADS = ("", "Cutaway", "against", "ratio", "goal", "")


@dataclass(frozen=True)
class Row:
    """One measured thing.

    Attributes:
        bench: The benchmark it belongs to.
        what: What was measured, its unit last.
        ours: Cutaway's figure.
        other: What it is compared with, measured in turn with it; None where nothing is.
        versus: What `other` is of.
        ratio: ours / other.
        goal: As text, empty where there is none.
        met: Whether the goal is reached; None without one.
    """

    bench: str
    what: str
    ours: float
    other: float | None = None
    versus: str = ""
    ratio: float | None = None
    goal: str = ""
    met: bool | None = None


def compared(
    bench: str,
    what: str,
    ours: float,
    other: float,
    versus: str,
    *,
    at_least: float | None = None,
    at_most: float | None = None,
) -> Row:
    """A figure next to another, with a bound on their ratio."""
    ratio = ours / other
    goal, met = _judged(ratio, at_least, at_most, "×")
    return Row(bench, what, ours, other, versus, ratio, goal, met)


def figure(bench: str, what: str, value: float, *, at_most: float | None = None) -> Row:
    """A figure that stands alone, with a bound on itself."""
    goal, met = _judged(value, None, at_most, "")
    return Row(bench, what, value, goal=goal, met=met)


def _judged(
    value: float, at_least: float | None, at_most: float | None, unit: str
) -> tuple[str, bool | None]:
    if at_least is not None:
        return f"≥ {at_least:g} {unit}".strip(), value >= at_least
    if at_most is not None:
        return f"≤ {at_most:g} {unit}".strip(), value <= at_most
    return "", None


def table(rows: Sequence[Row]) -> str:
    """All rows as lines of equal columns, a blank line between benchmarks."""
    cells = [_HEADS, *(_cells(row) for row in rows)]
    widths = [max(len(line[column]) for line in cells) for column in range(len(_HEADS))]
    lines: list[str] = []
    previous = ""
    for row, line in zip([None, *rows], cells, strict=True):
        if row is not None and row.bench != previous:
            lines.append("")
            previous = row.bench
        texts = [
            text.ljust(width) if column in {0, 4} else text.rjust(width)
            for column, (text, width) in enumerate(zip(line, widths, strict=True))
        ]
        lines.append("  ".join(texts).rstrip())
    judged = [row.met for row in rows if row.met is not None]
    return "\n".join([*lines, "", f"{sum(judged)} of {len(judged)} goals are met."])


def _cells(row: Row) -> tuple[str, ...]:
    other = "" if row.other is None else f"{row.versus} {_shown(row.other)}"
    ratio = "" if row.ratio is None else f"{row.ratio:.3f}"
    verdict = {True: "met", False: "MISSED", None: ""}[row.met]
    return f"{row.bench}: {row.what}", _shown(row.ours), other, ratio, row.goal, verdict


def _shown(value: float) -> str:
    """About four figures, and no exponents."""
    digits = 0 if abs(value) >= 1000 else 1 if abs(value) >= 100 else 2 if abs(value) >= 10 else 3
    return f"{value:,.{digits}f}"
