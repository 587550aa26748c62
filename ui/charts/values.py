"""What a chart shows, as frozen values: no Qt, nothing lazy, safe to build on any thread.

Every kind has a `title` (shown above it; "" for none), a `note` (a few dim words after the
title) and a `summary`: one sentence for those who cannot see it; where it is "" a sentence is
derived from the numbers (`ui.charts.summaries.summary`). A part with a `key` can be clicked and
reached by keyboard; the widget then emits `activated(key)`. Numbers are exact: only the texts
beside them are rounded, and export writes the numbers. NaN stands for "no value" everywhere.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Tone = Literal[
    "plain",
    "dim",
    "accent",
    "good",
    "link",
    "pinned",
    "held",
    "quantised",
    "evicted",
    "new",
    "empty",
]
"""A colour by its meaning. The five of the cache mean the same in every picture."""

Align = Literal["left", "right", "centre"]


@dataclass(frozen=True)
class Legend:
    """What a tone stands for, in a line below the picture."""

    tone: Tone
    text: str


@dataclass(frozen=True)
class Card:
    """One big figure.

    Attributes:
        label: What it is, above.
        value: The figure as it is written: "2.9e-6", "identical".
        caption: A sentence below; wraps.
        tone: Colour of the figure.
        number: The exact number, for export; None where the figure is a word.
        unit: Small, after the figure.
        key: Makes the card clickable.
    """

    label: str
    value: str
    caption: str = ""
    tone: Tone = "plain"
    number: float | None = None
    unit: str = ""
    key: str = ""


@dataclass(frozen=True)
class Cards:
    """A row of cards; it wraps to several rows where there is little room."""

    cards: tuple[Card, ...]
    title: str = ""
    note: str = ""
    summary: str = ""


@dataclass(frozen=True)
class Bar:
    """One horizontal bar.

    Attributes:
        label: Left of it.
        value: Its length in the chart's unit; negative ones are drawn to the left of zero.
        text: The number as it is written at the right; "" writes `value` with few digits.
        tone: Its colour.
        faded: Whether it was removed, by a filter say: drawn pale.
        before: A second value, drawn as a thin bar below: the same thing before a change.
        tip: What hovering tells; "" repeats label and number.
        key: Makes the bar clickable.
    """

    label: str
    value: float
    text: str = ""
    tone: Tone = "held"
    faded: bool = False
    before: float | None = None
    tip: str = ""
    key: str = ""


@dataclass(frozen=True)
class Bars:
    """Horizontal bars, one below the other.

    Attributes:
        maximum: The value of a full bar; None takes the largest of the bars.
        unit: For axis, export and summary.
        code: Whether labels are tokens or names from code, written in the fixed-pitch font.
        before_name: What `Bar.before` is, for the legend: "before top-p".
        value_name: What `Bar.value` is, for the legend and the export.
        selected: The key of the bar that is marked; "" for none.
        legend: Explanations of tones, below.
    """

    bars: tuple[Bar, ...]
    title: str = ""
    note: str = ""
    summary: str = ""
    maximum: float | None = None
    unit: str = ""
    code: bool = False
    before_name: str = ""
    value_name: str = ""
    selected: str = ""
    legend: tuple[Legend, ...] = ()


@dataclass(frozen=True)
class Bin:
    """One outcome: how often it was seen, and its probability (0 to 1)."""

    label: str
    count: int
    probability: float
    key: str = ""


@dataclass(frozen=True)
class Histogram:
    """Observed counts (columns) against expected ones (marks, probability × `draws`).

    Attributes:
        draws: How many samples were taken; 0 takes the sum of the counts.
        observed_name: For the legend: "drawn".
        expected_name: For the legend: "expected".
        code: Whether labels are tokens, written in the fixed-pitch font.
    """

    bins: tuple[Bin, ...]
    title: str = ""
    note: str = ""
    summary: str = ""
    draws: int = 0
    observed_name: str = ""
    expected_name: str = ""
    code: bool = False


@dataclass(frozen=True)
class Axis:
    """One axis of a line chart.

    Attributes:
        title: What it measures.
        unit: "s", "tokens/s", "MiB"; "" for none.
        log: Whether it is logarithmic; values that are not positive are then left out.
        low: Where it begins; None follows the values (and 0 where that is near).
        high: Where it ends; None follows the values.
    """

    title: str = ""
    unit: str = ""
    log: bool = False
    low: float | None = None
    high: float | None = None


@dataclass(frozen=True)
class Series:
    """One line: `xs` and `ys` of equal length; NaN breaks the line.

    Attributes:
        dashed: For a fit or an expectation rather than a measurement.
        points: Whether each measurement is marked with a dot.
        joined: Whether the measurements are joined by a line.
        filled: Whether the area down to the axis is tinted.
    """

    name: str
    xs: tuple[float, ...]
    ys: tuple[float, ...]
    tone: Tone = "new"
    dashed: bool = False
    points: bool = False
    joined: bool = True
    filled: bool = False


@dataclass(frozen=True)
class Mark:
    """A vertical line at `x` with a few words."""

    x: float
    text: str


@dataclass(frozen=True)
class Lines:
    """Named series over two axes."""

    series: tuple[Series, ...]
    x_axis: Axis = Axis()
    y_axis: Axis = Axis()
    title: str = ""
    note: str = ""
    summary: str = ""
    marks: tuple[Mark, ...] = ()


@dataclass(frozen=True)
class HeatMap:
    """A matrix as a picture, row 0 at the top.

    A click emits the key "row:column" where `clickable` is set.

    Attributes:
        values: Row-major, rows × columns. A tuple of floats, or native float32 bytes (as from
            NumPy's `astype("float32").tobytes()`), which is what to use for large ones. NaN is a
            structurally empty cell, drawn as an outline.
        rows: How many rows.
        columns: How many columns.
        row_labels: One per row, or ().
        column_labels: One per column, or (); shown where there is room and in the tooltips.
        low: The value of the palest colour.
        high: The value of the strongest; None takes the largest.
        diverging: Whether negative values take the warm and positive ones the blue colour, both
            from 0; `low` is then ignored.
        causal: Whether the cells right of the diagonal are empty whatever their value.
        marked_row: The row whose label is marked; None for none.
        column_tones: One per column, or (): a strip above that shows which keys are pinned, held
            or evicted.
        value_name: What a value is: "weight".
        clickable: Whether cells can be clicked and walked by keyboard.
    """

    values: tuple[float, ...] | bytes
    rows: int
    columns: int
    row_labels: tuple[str, ...] = ()
    column_labels: tuple[str, ...] = ()
    title: str = ""
    note: str = ""
    summary: str = ""
    low: float = 0.0
    high: float | None = None
    diverging: bool = False
    causal: bool = False
    marked_row: int | None = None
    column_tones: tuple[Tone, ...] = ()
    value_name: str = ""
    clickable: bool = False


@dataclass(frozen=True)
class CellRow:
    """A row of cells.

    Attributes:
        label: Left of it.
        cells: The tone of each cell.
        note: Right of it, in the fixed-pitch font: "9f3c…e1 =".
        tips: What hovering a cell tells; () for none, else one per cell.
        key: Makes the row clickable.
    """

    label: str
    cells: tuple[Tone, ...]
    note: str = ""
    tips: tuple[str, ...] = ()
    key: str = ""


@dataclass(frozen=True)
class CellRows:
    """Rows of cells under each other: the cache step by step."""

    rows: tuple[CellRow, ...]
    title: str = ""
    note: str = ""
    summary: str = ""
    legend: tuple[Legend, ...] = ()


@dataclass(frozen=True)
class Cell:
    """One small cell: its tone, what hovering tells, and a key that makes it clickable."""

    tone: Tone
    tip: str = ""
    key: str = ""


@dataclass(frozen=True)
class CellMap:
    """Small cells that wrap like text: the map of the context, one per token or block."""

    cells: tuple[Cell, ...]
    title: str = ""
    note: str = ""
    summary: str = ""
    legend: tuple[Legend, ...] = ()


@dataclass(frozen=True)
class Ring:
    """The slots of a rotating window in a ring, clockwise from the top.

    Attributes:
        slots: What each slot holds; their tips and keys as in `Cell`.
        write: The slot that is written next; None for none.
        pinned: Slots that never rotate: a short row of cells above the ring.
        centre: A figure in the middle: "1,204".
        centre_caption: Below it: "tokens seen".
    """

    slots: tuple[Cell, ...]
    write: int | None = None
    pinned: tuple[Cell, ...] = ()
    centre: str = ""
    centre_caption: str = ""
    title: str = ""
    note: str = ""
    summary: str = ""
    legend: tuple[Legend, ...] = ()


@dataclass(frozen=True)
class StripToken:
    """One token of a text.

    Attributes:
        text: The piece of text; spaces and line ends are kept. Control tokens as "<|im_end|>".
        strength: How strong its ground is, 0 to 1.
        tone: The ground's colour.
        control: Whether it is a control token: drawn in the fixed-pitch font with an outline.
        faded: Whether the model cannot see it (any more).
        tip: What hovering tells.
        key: Makes the token clickable.
    """

    text: str
    strength: float = 0.0
    tone: Tone = "new"
    control: bool = False
    faded: bool = False
    tip: str = ""
    key: str = ""


@dataclass(frozen=True)
class TokenStrip:
    """A text as tokens, wrapped.

    Attributes:
        selected: The index of the chosen token; None for none.
        caret: Whether a caret of the accent stands after the last token.
        large: Whether it is written larger than reading text, for one sentence.
        edges: Whether every token has a faint ground of its own, so that the cuts are seen.
        strength_name: What the strength is, for export: "weight", "probability".
    """

    tokens: tuple[StripToken, ...]
    selected: int | None = None
    caret: bool = False
    large: bool = False
    edges: bool = False
    strength_name: str = ""
    title: str = ""
    note: str = ""
    summary: str = ""
    legend: tuple[Legend, ...] = ()


@dataclass(frozen=True)
class GridCell:
    """One cell of a grid of tokens.

    Attributes:
        text: The token.
        strength: How strong its ground is, 0 to 1; exported as it is.
        tone: The ground's colour.
        tip: What hovering tells.
        key: Makes the cell clickable.
    """

    text: str
    strength: float
    tone: Tone = "held"
    tip: str = ""
    key: str = ""


@dataclass(frozen=True)
class GridRow:
    """A row of a grid: what it is, at the left, and one cell per column."""

    label: str
    cells: tuple[GridCell, ...]


@dataclass(frozen=True)
class TokenGrid:
    """Tokens in rows and columns, the stronger their ground the more there is to them.

    Attributes:
        columns: What stands above each column, tokens too.
        rows: From the top.
        corner: What the labels of the rows are, above them.
        marked_column: The column whose head is marked; None for none.
        selected: The key of the cell that is marked; "" for none.
        strength_name: What the strength is, for export: "probability".
        legend: Explanations of tones, below.
    """

    columns: tuple[str, ...]
    rows: tuple[GridRow, ...]
    corner: str = ""
    marked_column: int | None = None
    selected: str = ""
    strength_name: str = ""
    title: str = ""
    note: str = ""
    summary: str = ""
    legend: tuple[Legend, ...] = ()


@dataclass(frozen=True)
class Branch:
    """One node of a tree of continuations.

    Attributes:
        key: Its name; `activated` carries it.
        parent: The key of the node it goes on from; "" for a root.
        text: What was added here.
        figure: A short number at the right: "38 %".
        value: The exact number behind the figure, for export.
        tone: The colour of its dot.
        faded: Whether it was pruned.
    """

    key: str
    parent: str
    text: str
    figure: str = ""
    value: float | None = None
    tone: Tone = "held"
    faded: bool = False


@dataclass(frozen=True)
class Branches:
    """A tree, children below their parent in the order given; an unknown parent makes a root."""

    branches: tuple[Branch, ...]
    selected: str = ""
    title: str = ""
    note: str = ""
    summary: str = ""


@dataclass(frozen=True)
class Column:
    """A table's column; `code` writes its cells in the fixed-pitch font."""

    title: str
    align: Align = "left"
    code: bool = False


@dataclass(frozen=True)
class Row:
    """A table's row.

    Attributes:
        cells: One text per column.
        numbers: The exact numbers behind the texts, for export: (), or one per column with None
            where the text is the value.
        key: Makes the row clickable.
        tip: What hovering tells.
        faded: Whether it is written pale.
    """

    cells: tuple[str, ...]
    numbers: tuple[float | None, ...] = ()
    key: str = ""
    tip: str = ""
    faded: bool = False


@dataclass(frozen=True)
class Table:
    """Columns and rows; `marked` is the index of the row that stands out."""

    columns: tuple[Column, ...]
    rows: tuple[Row, ...]
    marked: int | None = None
    title: str = ""
    note: str = ""
    summary: str = ""


@dataclass(frozen=True)
class Step:
    """One station on the way through a block.

    Attributes:
        name: "RMSNorm", "attention", "+ residual".
        value: Its magnitude, as the length of a bar.
        text: The number as it is written; "" writes `value` with few digits.
        caption: A dim line below the name.
        adds: Whether it is added to the residual stream: drawn as a branch that joins.
        tone: The bar's colour.
        key: Makes the step clickable.
    """

    name: str
    value: float
    text: str = ""
    caption: str = ""
    adds: bool = False
    tone: Tone = "held"
    key: str = ""


@dataclass(frozen=True)
class Steps:
    """Stations from top to bottom along one line, with their magnitudes."""

    steps: tuple[Step, ...]
    value_name: str = ""
    unit: str = ""
    selected: str = ""
    title: str = ""
    note: str = ""
    summary: str = ""


@dataclass(frozen=True)
class Note:
    """A paragraph; `code` writes it in the fixed-pitch font on a soft ground, for a formula."""

    text: str
    tone: Tone = "plain"
    code: bool = False
    title: str = ""
    note: str = ""
    summary: str = ""


Chart = (
    Cards
    | Bars
    | Histogram
    | Lines
    | HeatMap
    | CellRows
    | CellMap
    | Ring
    | TokenStrip
    | TokenGrid
    | Branches
    | Table
    | Steps
    | Note
)
