"""One sentence for every chart, for those who cannot see it: given, or made from its numbers."""

from __future__ import annotations

import math
from collections import Counter
from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication

from ui.charts import values
from ui.charts.histogram import draws
from ui.charts.ink import label_of, one_line, token, written
from ui.counts import Counts
from ui.figures import count

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

_TOLD = 3
_MANY_TOKENS = 60
_MANY_ROWS = 20


def summary(chart: values.Chart) -> str:
    """The sentence of a chart: its own, or one that tells its largest parts."""
    return chart.summary or _SENTENCES[type(chart)](chart)


def kind_name(chart: values.Chart) -> str:
    """What kind of picture it is, for one without a title."""
    translate = QCoreApplication.translate
    names: dict[type, str] = {
        values.Cards: translate("Charts", "Figures"),
        values.Bars: translate("Charts", "Bar chart"),
        values.Histogram: translate("Charts", "Histogram"),
        values.Lines: translate("Charts", "Line chart"),
        values.HeatMap: translate("Charts", "Heat map"),
        values.CellRows: translate("Charts", "Rows of cells"),
        values.CellMap: translate("Charts", "Map of cells"),
        values.Ring: translate("Charts", "Ring of slots"),
        values.TokenStrip: translate("Charts", "Text as tokens"),
        values.TokenGrid: translate("Charts", "Grid of tokens"),
        values.Branches: translate("Charts", "Tree of continuations"),
        values.Table: translate("Charts", "Table"),
        values.Steps: translate("Charts", "Steps"),
        values.Note: translate("Charts", "Note"),
    }
    return names[type(chart)]


def tone_names() -> dict[values.Tone, str]:
    """The tones of the cache in words; the others are only colours."""
    translate = QCoreApplication.translate
    return {
        "pinned": translate("Charts", "pinned"),
        "held": translate("Charts", "held"),
        "quantised": translate("Charts", "quantised"),
        "evicted": translate("Charts", "evicted"),
        "new": translate("Charts", "new"),
        "empty": translate("Charts", "empty"),
    }


def _cards(chart: values.Cards) -> str:
    return "; ".join(_card(card) for card in chart.cards)


def _cell_rows(chart: values.CellRows) -> str:
    rows = chart.rows[:_MANY_ROWS]
    return "; ".join(f"{one_line(row.label)}: {_tones(row.cells)}" for row in rows)


def _cell_map(chart: values.CellMap) -> str:
    return _tones(cell.tone for cell in chart.cells)


def _token_strip(chart: values.TokenStrip) -> str:
    return "".join(one.text for one in chart.tokens[:_MANY_TOKENS])


def _token_grid(chart: values.TokenGrid) -> str:
    rows = (*chart.rows[:1], *chart.rows[-1:])
    told = (" ".join(token(cell.text) for cell in row.cells[:_MANY_ROWS]) for row in rows)
    labels = (one_line(row.label) for row in rows)
    return "; ".join(f"{label}: {tokens}" for label, tokens in zip(labels, told, strict=True))


def _branches(chart: values.Branches) -> str:
    return Counts().nodes(len(chart.branches))


def _steps(chart: values.Steps) -> str:
    return ", ".join(f"{one_line(step.name)} {_number(step)}" for step in chart.steps)


def _note(chart: values.Note) -> str:
    return chart.text


def _card(card: values.Card) -> str:
    figure = f"{card.value} {card.unit}".strip()
    return ", ".join(filter(None, (f"{card.label}: {figure}", card.caption)))


def _number(part: values.Bar | values.Step, unit: str = "") -> str:
    return part.text or written(part.value, unit)


def _bars(chart: values.Bars) -> str:
    known = [bar for bar in chart.bars if not math.isnan(bar.value)]
    largest = sorted(known, key=lambda bar: bar.value, reverse=True)[:_TOLD]
    told = ", ".join(
        f"{label_of(bar.label, code=chart.code)} {_number(bar, chart.unit)}" for bar in largest
    )
    bars = Counts().bars(len(chart.bars))
    if not told:
        return bars
    largest_are = QCoreApplication.translate("Charts", "{bars}, the largest: {told}")
    return largest_are.format(bars=bars, told=told)


def _histogram(chart: values.Histogram) -> str:
    frequent = sorted(chart.bins, key=lambda each: each.count, reverse=True)[:_TOLD]
    many = draws(chart)
    sentence = QCoreApplication.translate("Charts", "{label} {count} of {draws}, expected {share}")
    return "; ".join(
        sentence.format(
            label=label_of(each.label, code=chart.code),
            count=count(each.count),
            draws=count(many),
            share=written(each.probability * many),
        )
        for each in frequent
    )


def _lines(chart: values.Lines) -> str:
    return "; ".join(filter(None, (_series(each, chart) for each in chart.series)))


def _series(series: values.Series, chart: values.Lines) -> str:
    pairs = [
        (x, y)
        for x, y in zip(series.xs, series.ys, strict=False)
        if math.isfinite(x) and math.isfinite(y)
    ]
    if not pairs:
        return ""
    (x0, y0), (x1, y1) = pairs[0], pairs[-1]
    template = QCoreApplication.translate("Charts", "{name} from {y0} at {x0} to {y1} at {x1}")
    return template.format(
        name=one_line(series.name) or QCoreApplication.translate("Charts", "Line"),
        x0=written(x0, chart.x_axis.unit),
        y0=written(y0, chart.y_axis.unit),
        x1=written(x1, chart.x_axis.unit),
        y1=written(y1, chart.y_axis.unit),
    )


def _heat_map(chart: values.HeatMap) -> str:
    # Late: NumPy takes longer to import than the window to build.
    import numpy as np

    from ui.charts.heatmap import matrix

    cells = matrix(chart)
    size = QCoreApplication.translate("Charts", "{rows} × {columns} values")
    told = size.format(rows=count(cells.shape[0]), columns=count(cells.shape[1]))
    finite = np.where(np.isfinite(cells), cells, -np.inf)
    if not cells.size or not np.isfinite(finite).any():
        return told
    row, column = divmod(int(np.argmax(finite)), cells.shape[1])
    labels = (chart.row_labels, chart.column_labels or chart.row_labels)
    names = [
        one_line(known[place]) if place < len(known) else str(place)
        for known, place in zip(labels, (row, column), strict=True)
    ]
    sentence = QCoreApplication.translate(
        "Charts", "{size}, the largest {value} at {row}, {column}"
    )
    value = written(float(cells[row, column]))
    return sentence.format(size=told, value=value, row=names[0], column=names[1])


def _tones(tones: Iterable[values.Tone]) -> str:
    names = tone_names()
    counted = Counter(names[tone] for tone in tones if tone in names)
    return ", ".join(f"{count(number)} {name}" for name, number in counted.items())


def _ring(chart: values.Ring) -> str:
    parts = [_tones(cell.tone for cell in (*chart.pinned, *chart.slots))]
    if chart.write is not None:
        next_slot = QCoreApplication.translate("Charts", "slot {number} is written next")
        parts.append(next_slot.format(number=count(chart.write)))
    parts.append(f"{chart.centre} {chart.centre_caption}".strip())
    return "; ".join(filter(None, parts))


def _table(chart: values.Table) -> str:
    rows = Counts().rows(len(chart.rows))
    titles = ", ".join(column.title for column in chart.columns if column.title)
    return f"{rows}: {titles}" if titles else rows


_SENTENCES: dict[type, Callable[..., str]] = {
    values.Cards: _cards,
    values.CellRows: _cell_rows,
    values.CellMap: _cell_map,
    values.TokenStrip: _token_strip,
    values.TokenGrid: _token_grid,
    values.Branches: _branches,
    values.Steps: _steps,
    values.Note: _note,
    values.Bars: _bars,
    values.Histogram: _histogram,
    values.Lines: _lines,
    values.HeatMap: _heat_map,
    values.Ring: _ring,
    values.Table: _table,
}
