"""Exhibit 8 for visitors: what the KV cache takes in memory, by formula and measured."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication

from app.exhibits import controls as make
from app.exhibits.checks import memory_bill as checks
from app.exhibits.definition import Definition, Texts, View
from app.spoken import spoken
from ui import figures
from ui.charts.values import Axis, Bar, Bars, Card, Cards, Chart, Column, Lines, Row, Series, Table
from ui.exhibits.values import Control, Part, Pictures

if TYPE_CHECKING:
    from collections.abc import Mapping

    from app.jobs.exhibit_results import Bill, MemoryBillResult
    from app.jobs.exhibits import Setting

_MEASURED = "measured"
_HUB_ID = re.compile(r"\w[\w.-]*/\w[\w.-]*")

translate = QCoreApplication.translate


def texts() -> Texts:
    """The words of the exhibit."""
    return Texts(
        title=translate("Exhibits", "The memory bill"),
        claim=translate(
            "Exhibits",
            "The cache grows with every token and every conversation, and sharing KV heads among "
            "query heads divides the bill. The loaded model's real cache takes exactly what the "
            "formula says.",
        ),
        question=translate(
            "Exhibits",
            "A model of 32 layers holds ten conversations of 8,192 tokens. Before you run it: is "
            "what it must remember of them a few megabytes, or many gigabytes?",
        ),
        about=(
            translate(
                "Exhibits",
                "For each token of each conversation the model keeps a key and a value (that is "
                "the 2 in the formula) in every layer. Attention looks at a text in several ways "
                "at once, by so-called heads, and each KV head keeps a list of numbers, as many as "
                "its dimension. Everything is multiplied, so the bill grows fast.",
            ),
            translate(
                "Exhibits",
                "There are three ways to share. Multi-head attention (MHA) gives every query head "
                "keys and values of its own. In grouped-query attention (GQA) several query heads "
                "share one KV head. In multi-query attention (MQA) all of them share a single one.",
            ),
        ),
        part_claims={
            _MEASURED: translate(
                "Exhibits",
                "The bytes of the loaded model's real cache, counted while it runs, are those of "
                "the formula; the buffers around them grow in steps and are a little larger.",
            )
        },
    )


def parts() -> tuple[Part, ...]:
    """The bill by formula, and the loaded model's cache measured."""
    return Part("", ""), Part(_MEASURED, translate("Exhibits", "Measure the real cache"))


def controls(bounds: Mapping[str, Setting]) -> tuple[Control, ...]:
    """Every factor of the formula."""
    heads = make.doubling(1, 128)
    return (
        make.slider(bounds["layers"], translate("Exhibits", "Layers"), range(2, 129, 2)),
        make.slider(bounds["query_heads"], translate("Exhibits", "Query heads"), heads),
        make.slider(bounds["kv_heads"], translate("Exhibits", "KV heads"), heads),
        make.slider(
            bounds["head_dim"],
            translate("Exhibits", "Head dimension"),
            (32, 64, 80, 96, 128, 192, 256),
        ),
        make.slider(
            bounds["tokens"],
            translate("Exhibits", "Tokens in each"),
            make.doubling(256, 1 << 20),
            write=figures.whole,
        ),
        make.slider(
            bounds["batch"],
            translate("Exhibits", "Conversations at once"),
            (1, 2, 3, 4, 5, 8, 10, 16, 20, 32, 50, 64, 100, 128, 256),
            write=figures.whole,
        ),
        make.slider(bounds["bits"], translate("Exhibits", "Bits of each number"), (4, 8, 16, 32)),
        make.text(
            bounds["config"],
            translate("Exhibits", "Another model"),
            help=translate(
                "Exhibits",
                "A config.json, a model's folder or file, or a hub id; the hub is asked for what "
                "is not on disk.",
            ),
            lines=1,
            hint=translate("Exhibits", "Path or hub id"),
            folded=True,
        ),
        make.slider(
            bounds["measured_tokens"],
            translate("Exhibits", "Tokens that are really run"),
            make.doubling(64, 2048),
            parts=(_MEASURED,),
            write=figures.whole,
        ),
    )


def present(result: MemoryBillResult, view: View) -> Pictures:
    """Draw the bill, or what was measured."""
    if view.part == _MEASURED:
        return _measured_pictures(result)
    return Pictures((_cards(result), _table(result)), (_sharing(result),))


def _cards(result: MemoryBillResult) -> Cards:
    bill, inputs = result.sliders, result.inputs
    factors = (2, bill.layers, bill.kv_heads, bill.head_dim)
    formula = " × ".join(figures.count(each) for each in factors)
    per_token = translate("Exhibits", "{factors} × {bits} bits").format(
        factors=formula, bits=bill.bits
    )
    if bill.bits < 16:
        per_token += translate("Exhibits", ", and scales")
    return Cards(
        (
            Card(
                translate("Exhibits", "For each token"),
                figures.size(bill.bytes_per_token),
                number=float(bill.bytes_per_token),
                caption=per_token,
            ),
            Card(
                translate("Exhibits", "For one conversation"),
                figures.size(bill.bytes_per_conversation),
                number=float(bill.bytes_per_conversation),
                caption=translate("Exhibits", "of {tokens} tokens").format(
                    tokens=figures.count(inputs.tokens)
                ),
            ),
            Card(
                translate("Exhibits", "For all of them"),
                figures.size(bill.total_bytes),
                number=float(bill.total_bytes),
                caption=translate("Exhibits", "{count} at once").format(
                    count=figures.count(inputs.batch)
                ),
                tone="accent",
            ),
        )
    )


def _sharing(result: MemoryBillResult) -> Bars:
    """The same shape with keys and values of its own for each head, for groups, for none."""
    bars = tuple(
        Bar(
            translate("Exhibits", "{name} · KV heads: {heads}").format(
                name=bill.name, heads=bill.kv_heads
            ),
            float(bill.total_bytes),
            figures.size(bill.total_bytes),
            "new" if bill.name == "GQA" else "held",
        )
        for bill in result.sharing
    )
    return Bars(bars, title=translate("Exhibits", "Keys and values shared or not"), unit="B")


def _table(result: MemoryBillResult) -> Table:
    """The classroom example, the loaded model, and the one that was named."""
    inputs = result.inputs
    rows = [
        _row(
            result.classroom,
            translate("Exhibits", "Classroom: ten of 8,192 tokens"),
        ),
        _row(
            result.loaded,
            translate("Exhibits", "{model}, as set").format(model=result.loaded.name),
        ),
    ]
    if result.other is not None:
        rows.append(_row(result.other, result.other.name))
    title = translate("Exhibits", "Bills of models")
    note = spoken(result.refused)
    if not note and result.memory_bytes is not None:
        note = translate(
            "Exhibits", "this machine has {memory}; {tokens} tokens each, {bits} bits"
        ).format(
            memory=figures.size(result.memory_bytes),
            tokens=figures.count(inputs.tokens),
            bits=inputs.bits,
        )
    return Table(
        (
            Column(""),
            Column(translate("Exhibits", "layers"), "right"),
            Column(translate("Exhibits", "heads"), "right"),
            Column(translate("Exhibits", "KV heads"), "right"),
            Column(translate("Exhibits", "per token"), "right"),
            Column(translate("Exhibits", "in all"), "right"),
            Column(translate("Exhibits", "fit this machine"), "right"),
        ),
        tuple(rows),
        marked=1,
        title=title,
        note=note,
    )


def _row(bill: Bill, name: str) -> Row:
    fit = bill.conversations_that_fit
    numbers = (
        None,
        float(bill.layers),
        float(bill.query_heads),
        float(bill.kv_heads),
        float(bill.bytes_per_token),
        float(bill.total_bytes),
        None if fit is None else float(fit),
    )
    return Row(
        (
            name,
            figures.count(bill.layers),
            figures.count(bill.query_heads),
            figures.count(bill.kv_heads) if bill.kv_heads else figures.UNKNOWN,
            figures.size(bill.bytes_per_token),
            figures.size(bill.total_bytes),
            figures.UNKNOWN if fit is None else figures.count(fit),
        ),
        numbers,
    )


def _measured_pictures(result: MemoryBillResult) -> Pictures:
    measured = result.measured
    if not measured:
        return Pictures()
    last = measured[-1]
    tokens = (0.0, *(float(each.tokens) for each in measured))
    mib = 1 << 20
    lines: Chart = Lines(
        (
            Series(
                translate("Exhibits", "formula"),
                tokens,
                (0.0, *(each.formula_bytes / mib for each in measured)),
                "dim",
                dashed=True,
            ),
            Series(
                translate("Exhibits", "used, measured"),
                tokens,
                (0.0, *(each.used_bytes / mib for each in measured)),
                "new",
                points=True,
            ),
            Series(
                translate("Exhibits", "allocated, measured"),
                tokens,
                (0.0, *(each.allocated_bytes / mib for each in measured)),
                "held",
                points=True,
            ),
        ),
        Axis(translate("Exhibits", "tokens in the cache"), low=0),
        Axis(unit="MiB", low=0),
        title=translate("Exhibits", "The cache while it grows"),
    )
    cards = Cards(
        (
            Card(
                translate("Exhibits", "Used"),
                figures.size(last.used_bytes),
                number=float(last.used_bytes),
                caption=translate("Exhibits", "by {tokens} tokens, {bits}-bit numbers").format(
                    tokens=figures.count(last.tokens), bits=last.bits
                ),
            ),
            Card(
                translate("Exhibits", "By the formula"),
                figures.size(last.formula_bytes),
                number=float(last.formula_bytes),
                caption=translate("Exhibits", "difference: {bytes}").format(
                    bytes=figures.size(abs(last.used_bytes - last.formula_bytes))
                ),
            ),
            Card(
                translate("Exhibits", "Allocated"),
                figures.size(last.allocated_bytes),
                number=float(last.allocated_bytes),
                caption=translate("Exhibits", "buffers, which grow in steps"),
            ),
        )
    )
    return Pictures((cards,), (lines,))


def asks_hub(result: MemoryBillResult) -> str:
    """The hub id that was named, where that is not on disk and the hub was not asked yet."""
    inputs = result.inputs
    is_known = result.other is not None or inputs.config_json is not None
    return inputs.config if not is_known and _HUB_ID.fullmatch(inputs.config) else ""


_FORMULA = ("classroom_token", "classroom_conversation", "classroom_users", "gqa", "mqa")

DEFINITION: Definition[MemoryBillResult] = Definition(
    number=8,
    texts=texts,
    parts=parts,
    controls=controls,
    present=present,
    claims=checks.claims,
    notes=checks.notes,
    part_claims={"": (*_FORMULA, "measured"), _MEASURED: ("measured", "allocated")},
    part_sources={"": ("sliders", "loaded"), _MEASURED: ("measured",)},
    live=True,
    asks_hub=asks_hub,
)
