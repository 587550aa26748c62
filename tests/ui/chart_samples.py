"""One chart of every kind, as a page would make it, and the hostile ones."""

from __future__ import annotations

import math
import struct

from ui.charts import values as v

NAN, INF = math.nan, math.inf
WORDS = ("The", " trophy", " did", "n't", " fit", " because", " it")
LEGEND = (v.Legend("pinned", "pinned"), v.Legend("evicted", "evicted"))
LONG = "an endless label " * 2000
BIDI = "\u202eevil\u202c שלום עולם \u2066x\u2069 مرحبا"
HOSTILE = (LONG, BIDI, "", "\n\t\0", "<b>&amp;</b>", "a\u0300" * 500, "👩‍👩‍👧‍👦" * 60, "\ud800")

_CAUSAL = tuple(1 / (row + 1) + 0.01 * column for row in range(7) for column in range(7))

SAMPLES: dict[str, v.Chart] = {
    "cards": v.Cards(
        (
            v.Card("Stored values", "0 bits", "changed in 64 steps", number=0, key="stored"),
            v.Card("Difference", "2.9e-6", "largest " * 12, "good", 2.9384e-6, "logits"),
        ),
        title="Exactness",
    ),
    "bars": v.Bars(
        (
            v.Bar(" big", 0.3812345678901234, "38.1 %", "new", key="big"),
            v.Bar(" large", 0.21, before=0.3, key="large"),
            v.Bar(" old", 0.006, faded=True, key="old"),
        ),
        title="Next token",
        note="faded: removed by top-p",
        code=True,
        before_name="before",
        value_name="after",
        selected="big",
        legend=LEGEND,
    ),
    "histogram": v.Histogram(
        (v.Bin(" big", 41, 0.38, "big"), v.Bin(" large", 19, 0.21), v.Bin(" old", 0, 0.006)),
        title="A hundred draws",
        draws=100,
        code=True,
    ),
    "lines": v.Lines(
        (
            v.Series("measured", (1.0, 2.0, 4.0, 8.0), (0.1, 0.25, 0.61, 1.9), "pinned"),
            v.Series("fit", (1.0, 8.0), (0.1, 2.0), "new", dashed=True, filled=True),
        ),
        v.Axis("prompt", "tokens", log=True),
        v.Axis("time", "s"),
        title="Prefill",
        marks=(v.Mark(4, "window full"),),
    ),
    "heat": v.HeatMap(
        _CAUSAL,
        7,
        7,
        WORDS,
        title="Attention",
        causal=True,
        marked_row=5,
        column_tones=("pinned", "evicted", "held", "held", "held", "held", "new"),
        value_name="weight",
        clickable=True,
    ),
    "rows": v.CellRows(
        (
            v.CellRow("before", ("pinned", "held", "empty"), "9f3c…e1", key="before"),
            v.CellRow("after", ("evicted", "quantised", "new"), "=", ("a", "b", "c")),
        ),
        title="Cache",
        legend=LEGEND,
    ),
    "map": v.CellMap(
        tuple(v.Cell("held", f"token {n}", f"t{n}") for n in range(200)), title="Context"
    ),
    "ring": v.Ring(
        tuple(v.Cell("held", f"slot {n}", f"s{n}") for n in range(16)),
        3,
        (v.Cell("pinned", "sink", "p0"),),
        "1,204",
        "tokens seen",
        title="Window",
    ),
    "strip": v.TokenStrip(
        (
            v.StripToken("<|im_start|>", control=True),
            v.StripToken("user\n", faded=True),
            *(v.StripToken(word, 0.2 * n, key=str(n)) for n, word in enumerate(WORDS)),
        ),
        selected=3,
        caret=True,
        title="Prompt",
        legend=LEGEND,
    ),
    "grid": v.TokenGrid(
        WORDS[:3],
        (
            v.GridRow(
                "embedding",
                tuple(v.GridCell(word, 0.3 * n, key=f"0:{n}") for n, word in enumerate(WORDS[:3])),
            ),
            v.GridRow(
                "layer 0",
                tuple(
                    v.GridCell(word, 0.9, "new", "38 %", f"1:{n}") for n, word in enumerate("abc")
                ),
            ),
        ),
        corner="after",
        marked_column=1,
        selected="1:1",
        strength_name="probability",
        title="Logit lens",
        legend=LEGEND,
    ),
    "branches": v.Branches(
        (
            v.Branch("a", "", "It was"),
            v.Branch("b", "a", " big", "38 %", 0.38),
            v.Branch("c", "b", "."),
            v.Branch("d", "a", " old", "1 %", 0.01, faded=True),
        ),
        selected="b",
        title="Continuations",
    ),
    "table": v.Table(
        (v.Column("Token", code=True), v.Column("id", "right"), v.Column("cosine", "centre")),
        (
            v.Row(("trophy", "913", "1.00"), (None, 913, 0.9999999), "trophy"),
            v.Row(("cup", "77", "0.83"), (None, 77, 0.8312345), faded=True),
        ),
        marked=1,
        title="Neighbours",
    ),
    "steps": v.Steps(
        (
            v.Step("RMSNorm", 24.125, caption="scaled", key="norm"),
            v.Step("attention", 5.3, tone="new"),
            v.Step("residual", 6.2, adds=True),
        ),
        value_name="length",
        selected="norm",
        title="Block 3",
    ),
    "note": v.Note("Not one stored bit changes. " * 8, title="What you should see"),
    "formula": v.Note("2 × 30 layers\n= 52.9 MiB", code=True),
}

_TONES: tuple[v.Tone, ...] = ("plain", "dim", "accent", "evicted", "quantised", "empty", "new")
_ODD = (NAN, INF, -INF, 0.0, -0.0, 1e308, -1e308, 5e-324)

EMPTY: tuple[v.Chart, ...] = (
    v.Cards(()),
    v.Bars(()),
    v.Histogram(()),
    v.Lines(()),
    v.Lines((v.Series("none", (), ()),)),
    v.HeatMap((), 0, 0),
    v.HeatMap((), 0, 5, title="rows"),
    v.HeatMap(b"", 3, 0),
    v.CellRows(()),
    v.CellRows((v.CellRow("", ()),)),
    v.CellMap(()),
    v.Ring(()),
    v.TokenStrip(()),
    v.TokenStrip((), caret=True),
    v.TokenGrid((), ()),
    v.TokenGrid(("a",), (v.GridRow("", ()),)),
    v.Branches(()),
    v.Table((), ()),
    v.Table((v.Column(""),), (v.Row(()),)),
    v.Steps(()),
    v.Note(""),
)
ODD: tuple[v.Chart, ...] = (
    v.Cards(tuple(v.Card(text, text, text, number=NAN) for text in HOSTILE), title=BIDI),
    v.Bars(
        tuple(
            v.Bar(text, value, tone=tone, before=value, key=text)
            for text, value, tone in zip(HOSTILE, _ODD, (*_TONES, "link"), strict=True)
        ),
        title=LONG,
        note=LONG,
        maximum=NAN,
    ),
    v.Bars(tuple(v.Bar(str(n), float(n), key=str(n)) for n in range(10_000))),
    v.Bars((v.Bar("all", -1.0), v.Bar("below", -2.0)), maximum=-3),
    v.Histogram(tuple(v.Bin(text, 3, value) for text, value in zip(HOSTILE, _ODD, strict=True))),
    v.Histogram(tuple(v.Bin(str(n), n % 7, 0.001) for n in range(2000))),
    v.Lines(
        (v.Series(LONG, _ODD, _ODD, points=True, filled=True), v.Series("x", (1.0,), (NAN, 2.0))),
        v.Axis(BIDI, LONG, log=True, low=NAN),
        v.Axis(high=INF),
        marks=(v.Mark(NAN, "x"), v.Mark(1, LONG)),
    ),
    v.Lines((v.Series("one", (5.0,), (5.0,)),), v.Axis(low=3, high=2), v.Axis(low=7, high=7)),
    v.Lines((v.Series("none", (NAN, NAN), (1.0, 2.0)),), v.Axis(log=True), v.Axis(log=True)),
    v.Lines((v.Series("flat", (1e300, -1e300), (1e-320, 1e-320)),)),
    v.Lines((v.Series("long", tuple(map(float, range(50_000))), (1.0, NAN, INF, -2.0) * 12_500),)),
    v.HeatMap(_ODD, 2, 4, HOSTILE[:2], HOSTILE, low=NAN, high=-INF, clickable=True),
    v.HeatMap(_ODD, 2, 4, diverging=True, marked_row=99, column_tones=_TONES),
    v.HeatMap((1.0,), 5, 5, marked_row=-1, causal=True, row_labels=("only",)),
    v.HeatMap(struct.pack("3f", 1, NAN, INF) + b"x", 1, 3),
    v.HeatMap((0.5,) * 3000, 1, 3000),
    v.HeatMap((0.5,) * 3000, 3000, 1, tuple(map(str, range(3000)))),
    v.CellRows(
        tuple(v.CellRow(text, _TONES, text, HOSTILE, text) for text in HOSTILE),
        legend=tuple(v.Legend("new", text) for text in HOSTILE),
    ),
    v.CellRows((v.CellRow("many", ("held",) * 20_000, LONG),)),
    v.CellMap(tuple(v.Cell(tone, BIDI, tone) for tone in _TONES) * 1000),
    v.Ring(tuple(v.Cell(tone, BIDI, LONG) for tone in _TONES), 99, centre=LONG),
    v.Ring(tuple(v.Cell("held") for _ in range(5000)), -1, (v.Cell("pinned"),) * 500),
    v.Ring((v.Cell("new"),), 0),
    v.TokenStrip(
        tuple(v.StripToken(text, value) for text, value in zip(HOSTILE, _ODD, strict=True)),
        selected=99,
        edges=True,
        caret=True,
    ),
    v.TokenStrip((v.StripToken("\n"),) * 50 + (v.StripToken("x" * 10_000),), selected=-1),
    v.TokenGrid(
        HOSTILE[:2],
        tuple(
            v.GridRow(
                text,
                tuple(v.GridCell(each, value) for each, value in zip(HOSTILE, _ODD, strict=True)),
            )
            for text in HOSTILE
        ),
        marked_column=99,
        selected="nowhere",
    ),
    v.Branches(tuple(v.Branch(str(n), str(n - 1), text) for n, text in enumerate(HOSTILE * 40))),
    v.Branches((v.Branch("a", "b", ""), v.Branch("b", "a", ""), v.Branch("c", "c", "me"))),
    v.Branches((v.Branch("", "", "no key"), v.Branch("x", "", "1"), v.Branch("x", "x", "2"))),
    v.Table(
        tuple(v.Column(text, "right") for text in HOSTILE),
        (v.Row(HOSTILE), v.Row(("short",)), v.Row((*HOSTILE, "more"), _ODD)),
        marked=77,
    ),
    v.Steps(tuple(v.Step(text, value, text) for text, value in zip(HOSTILE, _ODD, strict=True))),
    v.Note(LONG, code=True, title=BIDI),
    v.Note("x" * 20_000),
)
