"""Attention as charts: the heat map with its causal triangle, and what one token looks at."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication

from ui import figures
from ui.charts.values import Bar, Bars, HeatMap, Legend, Tone
from ui.playground.attention_look import labels, quoted

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ui.playground.attention_values import CacheView, LayerAttention
    from ui.playground.state import PlayToken

_MOST_BARS = 12


def head_name(layer: int, head: int | None) -> str:
    """A layer and a head in words: "layer 14, head 6"."""
    if head is None:
        template = QCoreApplication.translate("Attention", "layer {layer}, mean of all heads")
        return template.format(layer=layer)
    template = QCoreApplication.translate("Attention", "layer {layer}, head {head}")
    return template.format(layer=layer, head=head)


def looks_at(tokens: Sequence[PlayToken], weights: Sequence[float], row: int) -> str:
    """What a token looks at most: "row “it” looks at “trophy” 41 %"."""
    largest = max(range(row + 1), key=lambda place: weights[place])
    return at_cell(tokens, weights, row, largest)


def at_cell(tokens: Sequence[PlayToken], weights: Sequence[float], row: int, column: int) -> str:
    """How much one token looks at another."""
    if column > row:
        template = QCoreApplication.translate(
            "Attention", "{column} comes after {row}, which cannot see it"
        )
    else:
        template = QCoreApplication.translate("Attention", "row {row} looks at {column} {share}")
    return template.format(
        row=quoted(tokens[row].shown),
        column=quoted(tokens[column].shown),
        share=figures.share(weights[column]),
    )


def tone_of(seen: CacheView, row: int, column: int) -> Tone:
    """What a token's key is to the query of another: pinned, held, evicted, or yet to come."""
    if column > row:
        return "empty"
    if seen.window is not None and column < seen.pinned:
        return "pinned"
    return "held" if column >= seen.oldest(row) else "evicted"


def heat_map(
    found: LayerAttention,
    head: int | None,
    tokens: Sequence[PlayToken],
    row: int,
    *,
    note: str = "",
    title: str = "",
) -> HeatMap:
    """The weights of a head as a picture; the future is empty.

    Args:
        found: The layer's.
        head: Which head; None for the mean.
        tokens: The text.
        row: The token that is chosen.
        note: After the title.
        title: Above; "" for none.
    """
    count = len(tokens)
    tones: tuple[Tone, ...] = ()
    if found.seen.window is not None:
        tones = tuple(tone_of(found.seen, row, column) for column in range(count))
    return HeatMap(
        found.of(head) or b"",
        count,
        count,
        row_labels=labels(tokens),
        title=title,
        note=note,
        summary=summary(found, head, tokens, row),
        causal=True,
        high=found.high(head),
        marked_row=row,
        column_tones=tones,
        value_name=QCoreApplication.translate("Attention", "weight"),
        clickable=True,
    )


def summary(found: LayerAttention, head: int | None, tokens: Sequence[PlayToken], row: int) -> str:
    """The picture in words."""
    weights = found.row(head, row)
    if not weights:
        return ""
    template = QCoreApplication.translate("Attention", "Attention of {head}: {row}")
    return template.format(head=head_name(found.layer, head), row=looks_at(tokens, weights, row))


def row_bars(
    found: LayerAttention, head: int | None, tokens: Sequence[PlayToken], row: int, start: int
) -> Bars:
    """What one token looks at, the most first.

    Args:
        found: The layer's.
        head: Which head; None for the mean.
        tokens: The text.
        row: The token that looks.
        start: Where the tokens begin in the whole text, for the keys of the bars.
    """
    translate = QCoreApplication.translate
    weights = found.row(head, row)
    order = sorted(range(min(row + 1, len(weights))), key=lambda place: -weights[place])
    shown = [place for place in order if weights[place] > 0][:_MOST_BARS]
    tip = translate("Attention", "{text}, token {place}: weight {weight}")
    rotates = found.seen.window is not None
    bars = tuple(
        Bar(
            tokens[place].shown,
            weights[place],
            figures.share(weights[place]),
            "new" if place == row else tone_of(found.seen, row, place),
            tip=tip.format(
                text=quoted(tokens[place].shown),
                place=figures.count(start + place + 1),
                weight=figures.plain(weights[place]),
            ),
            key=str(start + place),
        )
        for place in shown
    )
    legend = [Legend("new", translate("Attention", "the token itself"))]
    if rotates:
        legend.append(Legend("pinned", translate("Attention", "pinned")))
    legend.append(
        Legend(
            "held",
            translate("Attention", "held") if rotates else translate("Attention", "before it"),
        )
    )
    rest = sum(weights[place] for place in order[len(shown) :])
    note = translate("Attention", "all other tokens together {share}").format(
        share=figures.share(rest)
    )
    return Bars(
        bars,
        title=translate("Attention", "What {token} looks at").format(
            token=quoted(tokens[row].shown)
        ),
        note=note if rest > 0 else "",
        code=True,
        value_name=translate("Attention", "weight"),
        legend=tuple(legend),
    )


def scale_words(found: LayerAttention, head: int | None) -> str:
    """What the strongest colour means, where the first token takes more than that."""
    template = QCoreApplication.translate(
        "Attention",
        "Many tokens look at the first one when they need nothing else; whatever has {share} or "
        "more has the strongest colour.",
    )
    return template.format(share=figures.share(found.high(head)))


def key_words(seen: CacheView) -> str:
    """What the strip above the map means; "" where there is none."""
    if seen.window is None:
        return ""
    evicted = QCoreApplication.translate(
        "Attention",
        "The strip above shows the cache as the marked row finds it: dark the pinned tokens, light "
        "those of the window of {window}, outlined what was evicted.",
    )
    return evicted.format(window=figures.count(seen.window))
