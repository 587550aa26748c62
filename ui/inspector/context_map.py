"""What the map of the context shows of a session: one cell for a token, or for a block of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication

from ui import figures
from ui.charts.summaries import tone_names
from ui.charts.values import Cell, CellMap, Legend, Tone

if TYPE_CHECKING:
    from collections.abc import Callable

    from ui.state import ContextSpans

MOST_CELLS = 240
"""Eight rows of the inspector at its usual width."""


def tokens_per_cell(length: int) -> int:
    """The least power of two with which a sequence fits the map."""
    needed = -(-max(length, 1) // MOST_CELLS)
    return 1 << (needed - 1).bit_length()


def context_cells(spans: ContextSpans, limit: int) -> CellMap:
    """The map of a session's tokens.

    Args:
        spans: Which of them are seen.
        limit: The model's context, in tokens; what is not used of it is drawn empty.
    """
    block = tokens_per_cell(spans.length)
    tip = _tips()
    cells: list[Cell] = []
    for start in range(0, spans.length, block):
        end = min(start + block, spans.length)
        tone = _tone(spans, start, end)
        cells.append(Cell(tone, tip(tone, start, end), f"{start}:{end}"))
    room = min(max(limit, spans.length), MOST_CELLS * block)
    cells += [Cell("empty")] * (-(-room // block) - len(cells))
    return CellMap(tuple(cells), legend=_legend(spans), summary=_summary(spans))


def span_of(key: str) -> tuple[int, int] | None:
    """The first token of a cell and the one after its last; None where it is no cell."""
    start, colon, end = key.partition(":")
    return (int(start), int(end)) if colon else None


def _tone(spans: ContextSpans, start: int, end: int) -> Tone:
    """A block that is partly something shows what it is at its most recent end."""
    if start < spans.pinned:
        return "pinned"
    if end <= spans.oldest:
        return "evicted"
    if end > spans.turn_start:
        return "new"
    return "held" if spans.kv_bits is None else "quantised"


def _tips() -> Callable[[Tone, int, int], str]:
    """What hovering a cell tells; the words are looked up once for all cells."""
    translate, write = QCoreApplication.translate, figures.locale().toString
    names = tone_names()
    one = translate("ContextMap", "Token {number}, {state}")
    several = translate("ContextMap", "Tokens {first} to {last}, {state}")

    def tip(tone: Tone, start: int, end: int) -> str:
        if end - start == 1:
            return one.format(number=write(start + 1), state=names[tone])
        return several.format(first=write(start + 1), last=write(end), state=names[tone])

    return tip


def _legend(spans: ContextSpans) -> tuple[Legend, ...]:
    held: Tone = "held" if spans.kv_bits is None else "quantised"
    shown: list[Tone] = ["pinned", "evicted", held, "new"]
    names = tone_names()
    return tuple(Legend(tone, names[tone]) for tone in shown)


def _summary(spans: ContextSpans) -> str:
    evicted = max(spans.oldest - spans.pinned, 0)
    return QCoreApplication.translate(
        "ContextMap", "{length} tokens: {pinned} pinned, {evicted} evicted, {new} new in this turn."
    ).format(
        length=figures.count(spans.length),
        pinned=figures.count(spans.pinned),
        evicted=figures.count(evicted),
        new=figures.count(max(spans.length - max(spans.turn_start, spans.oldest), 0)),
    )
