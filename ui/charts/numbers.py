"""The exact numbers of a chart as rows for CSV and as a document for JSON."""

from __future__ import annotations

import csv
import dataclasses
import io
import json
import math
from typing import TYPE_CHECKING, Any, cast

from ui.charts import values
from ui.charts.branches import in_order
from ui.charts.histogram import draws, expected
from ui.charts.summaries import summary

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from ui.charts.values import Chart

Field = str | float | int | None
_VERSION = 1
_AT_ONCE = 2000


def csv_bytes(charts: Sequence[Chart]) -> bytes:
    """Charts as CSV: a line of names, then the numbers; NaN is an empty field.

    Several charts stand below each other, each with its title on a line before it and an empty
    line after it.
    """
    out = io.BytesIO()
    text = io.TextIOWrapper(out, "utf-8", "replace", newline="")
    writer = csv.writer(text, lineterminator="\n")
    for number, chart in enumerate(charts):
        if number:
            text.write("\n")
        if len(charts) > 1:
            writer.writerow([chart.title or type(chart).__name__])
        for row in rows(chart):
            writer.writerow([_plain(field) for field in row])
    text.flush()
    return out.getvalue()


def json_bytes(charts: Sequence[Chart]) -> bytes:
    """Charts as one JSON object with a list of everything they show; NaN is null."""
    document = {"cutaway_charts": _VERSION, "charts": [_document(chart) for chart in charts]}
    out = io.BytesIO()
    for piece in _pieces(document):
        out.write(piece.encode("utf-8", "replace"))
    return out.getvalue() + b"\n"


def rows(chart: Chart) -> list[list[Field]]:
    """The numbers of a chart as a table, the names of its columns first."""
    return _ROWS[type(chart)](chart)


def _cards(chart: values.Cards) -> list[list[Field]]:
    table: list[list[Field]] = [["label", "value", "number", "unit", "caption"]]
    for card in chart.cards:
        table.append([card.label, card.value, card.number, card.unit, card.caption])
    return table


def _bars(chart: values.Bars) -> list[list[Field]]:
    paired = any(bar.before is not None for bar in chart.bars)
    head: list[Field] = ["label", chart.value_name or "value"]
    head += [chart.before_name or "before"] if paired else []
    table: list[list[Field]] = [[*head, "faded"]]
    for bar in chart.bars:
        before: list[Field] = [bar.before] if paired else []
        table.append([bar.label, bar.value, *before, int(bar.faded)])
    return table


def _histogram(chart: values.Histogram) -> list[list[Field]]:
    many = draws(chart)
    table: list[list[Field]] = [["label", "count", "probability", "expected"]]
    for each in chart.bins:
        table.append([each.label, each.count, each.probability, expected(each, many)])
    return table


def _lines(chart: values.Lines) -> list[list[Field]]:
    x_name, y_name = (
        " ".join(filter(None, (axis.title, f"({axis.unit})" if axis.unit else ""))) or fallback
        for axis, fallback in ((chart.x_axis, "x"), (chart.y_axis, "y"))
    )
    table: list[list[Field]] = [["series", x_name, y_name]]
    for each in chart.series:
        for x, y in zip(each.xs, each.ys, strict=False):
            table.append([each.name, x, y])
    return table


def _heat_map(chart: values.HeatMap) -> list[list[Field]]:
    from ui.charts.heatmap import matrix  # late: with NumPy it takes its time

    cells = matrix(chart).astype(float)
    if not isinstance(chart.values, bytes):
        cells = _doubles(chart, cells)
    width = cells.shape[1]
    labels = chart.column_labels or (chart.row_labels if cells.shape[0] == width else ())
    head: list[Field] = ["", *(labels[n] if n < len(labels) else n for n in range(width))]
    table: list[list[Field]] = [head]
    for number, row in enumerate(cells):
        known = number < len(chart.row_labels)
        table.append([chart.row_labels[number] if known else number, *row.tolist()])
    return table


def _cell_rows(chart: values.CellRows) -> list[list[Field]]:
    longest = max((len(row.cells) for row in chart.rows), default=0)
    table: list[list[Field]] = [["label", "note", *range(longest)]]
    for row in chart.rows:
        table.append([row.label, row.note, *row.cells])
    return table


def _cell_map(chart: values.CellMap) -> list[list[Field]]:
    table: list[list[Field]] = [["cell", "state", "what"]]
    for number, cell in enumerate(chart.cells):
        table.append([number, cell.tone, cell.tip])
    return table


def _ring(chart: values.Ring) -> list[list[Field]]:
    table: list[list[Field]] = [["place", "slot", "state", "what", "written next"]]
    for number, cell in enumerate(chart.pinned):
        table.append(["pinned", number, cell.tone, cell.tip, 0])
    for number, cell in enumerate(chart.slots):
        table.append(["ring", number, cell.tone, cell.tip, int(number == chart.write)])
    return table


def _token_strip(chart: values.TokenStrip) -> list[list[Field]]:
    table: list[list[Field]] = [["token", "text", chart.strength_name or "strength", "control"]]
    for number, one in enumerate(chart.tokens):
        table.append([number, one.text, one.strength, int(one.control)])
    return table


def _token_grid(chart: values.TokenGrid) -> list[list[Field]]:
    name = chart.strength_name or "strength"
    table: list[list[Field]] = [["column", "over", chart.corner or "row", "text", name]]
    for row in chart.rows:
        for number, cell in enumerate(row.cells):
            over = chart.columns[number] if number < len(chart.columns) else ""
            table.append([number, over, row.label, cell.text, cell.strength])
    return table


def _branches(chart: values.Branches) -> list[list[Field]]:
    table: list[list[Field]] = [["key", "parent", "depth", "text", "value", "pruned"]]
    for node, depth in in_order(chart):
        table.append([node.key, node.parent, depth, node.text, node.value, int(node.faded)])
    return table


def _table(chart: values.Table) -> list[list[Field]]:
    table: list[list[Field]] = [[column.title for column in chart.columns]]
    for row in chart.rows:
        exact = dict(enumerate(row.numbers))
        cells: list[Field] = []
        for number, text in enumerate(row.cells):
            known = exact.get(number)
            cells.append(text if known is None else known)
        table.append(cells)
    return table


def _steps(chart: values.Steps) -> list[list[Field]]:
    table: list[list[Field]] = [["step", chart.value_name or "value", "unit", "caption"]]
    for step in chart.steps:
        table.append([step.name, step.value, chart.unit, step.caption])
    return table


def _note(chart: values.Note) -> list[list[Field]]:
    return [["text"], [chart.text]]


def _doubles(chart: values.HeatMap, cells: Any) -> Any:
    """The cells with the very doubles that were given, empty ones as they are."""
    flat = cells.ravel()
    for place, value in enumerate(chart.values[: flat.size]):
        if not math.isnan(flat[place]):
            flat[place] = value
    return flat.reshape(cells.shape)


def _plain(field: Field) -> Field:
    return "" if isinstance(field, float) and math.isnan(field) else field


def _document(chart: Chart) -> dict[str, Any]:
    document: dict[str, Any] = {"kind": type(chart).__name__, "summary": summary(chart)}
    fields = {field.name: getattr(chart, field.name) for field in dataclasses.fields(chart)}
    fields.pop("summary")
    if isinstance(chart, values.HeatMap):
        fields["values"] = [row[1:] for row in rows(chart)[1:]]
    return document | {name: _jsonable(value) for name, value in fields.items()}


def _pieces(value: Any) -> Iterator[str]:
    """JSON in pieces: one call for a million numbers would keep every other thread waiting."""
    if isinstance(value, dict):
        pairs = cast("dict[str, Any]", value).items()
        for number, (name, part) in enumerate(pairs):
            yield f"{', ' if number else '{'}{json.dumps(name)}: "
            yield from _pieces(part)
        yield "}"
    elif isinstance(value, list) and value:
        items = cast("list[Any]", value)
        nested = any(isinstance(item, list | dict) for item in items)
        for start in range(0, len(items), 1 if nested else _AT_ONCE):
            yield ",\n" if start else "["
            if nested:
                yield from _pieces(items[start])
            else:
                yield json.dumps(items[start : start + _AT_ONCE], ensure_ascii=False)[1:-1]
        yield "]"
    else:
        yield json.dumps(value, ensure_ascii=False, allow_nan=False)


def _jsonable(value: Any) -> Any:
    """Values as JSON has them; what is not finite is null, as JSON has no word for it."""
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, tuple | list):
        return [_jsonable(item) for item in cast("Sequence[Any]", value)]
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        pairs = ((field.name, getattr(value, field.name)) for field in dataclasses.fields(value))
        return {name: _jsonable(part) for name, part in pairs}
    return value


_ROWS: dict[type, Callable[..., list[list[Field]]]] = {
    values.Cards: _cards,
    values.Bars: _bars,
    values.Histogram: _histogram,
    values.Lines: _lines,
    values.HeatMap: _heat_map,
    values.CellRows: _cell_rows,
    values.CellMap: _cell_map,
    values.Ring: _ring,
    values.TokenStrip: _token_strip,
    values.TokenGrid: _token_grid,
    values.Branches: _branches,
    values.Table: _table,
    values.Steps: _steps,
    values.Note: _note,
}
