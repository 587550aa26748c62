"""Exhibit 13 for visitors: the cache in 16, 8 and 4 bits, what that saves and what it costs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication

from app.exhibits import controls as make
from app.exhibits.checks import smaller_numbers as checks
from app.exhibits.definition import Definition, Texts, View
from app.exhibits.words import small
from ui import figures
from ui.charts.values import Bar, Bars, Column, Row, Table
from ui.exhibits.values import Control, Part, Pictures

if TYPE_CHECKING:
    from collections.abc import Mapping

    from app.jobs.exhibit_results import SmallerNumbersResult, Width
    from app.jobs.exhibits import Setting

translate = QCoreApplication.translate


def texts() -> Texts:
    """The words of the exhibit."""
    return Texts(
        title=translate("Exhibits", "Smaller numbers"),
        claim=translate(
            "Exhibits",
            "8 bits take about half the memory of 16 and change what the model says hardly at all; "
            "4 bits save more, and cost something that can be measured.",
        ),
        question=translate(
            "Exhibits",
            "Each stored number could be written with fewer digits. Before you run it: how small "
            "can they become before the model reads a text worse?",
        ),
        about=(
            translate(
                "Exhibits",
                "The KV cache keeps what the model needs of earlier tokens, their keys and "
                "values: numbers with many digits. Rounding them to 8 or 4 bits, 256 or 16 "
                "possible values, makes the cache smaller; every 64 numbers share a scale and an "
                "offset that say what these values mean, which costs a little.",
            ),
            translate(
                "Exhibits",
                "Here one text is read with the cache at each width, side by side. Two things are "
                "measured: how far the logits, the scores the model gives to all tokens, move; and "
                "how likely the text itself remains. NLL is the mean surprise per token, in nats; "
                "less is better.",
            ),
        ),
    )


def parts() -> tuple[Part, ...]:
    """One picture."""
    return (Part("", ""),)


def controls(bounds: Mapping[str, Setting]) -> tuple[Control, ...]:
    """The text, and how much of it."""
    return (
        make.slider(
            bounds["tokens"],
            translate("Exhibits", "Tokens of the text"),
            range(33, 1026, 32),
            write=lambda number: figures.count(int(number)),
        ),
        make.text(
            bounds["text"],
            translate("Exhibits", "A text of your own"),
            lines=3,
            folded=True,
        ),
    )


def present(result: SmallerNumbersResult, view: View) -> Pictures:
    """Draw the table and the bars."""
    del view  # there is one
    if not result.widths:
        return Pictures()
    return Pictures((_bytes(result), _table(result)), (_distance(result),))


def _name(width: Width) -> str:
    return translate("Exhibits", "{bits} bits").format(bits=width.bits)


def _bytes(result: SmallerNumbersResult) -> Bars:
    return Bars(
        tuple(
            Bar(
                _name(width),
                width.bytes_per_token / 1024,
                figures.size(round(width.bytes_per_token)),
                "quantised" if width.bits < 16 else "held",
            )
            for width in result.widths
        ),
        title=translate("Exhibits", "Memory for each token"),
        note=translate("Exhibits", "measured"),
        unit="KiB",
    )


def _table(result: SmallerNumbersResult) -> Table:
    columns = (
        Column(translate("Exhibits", "each number")),
        Column(translate("Exhibits", "cache"), "right"),
        Column(translate("Exhibits", "typical difference of a logit"), "right"),
        Column(translate("Exhibits", "largest"), "right"),
        Column(translate("Exhibits", "same first choice"), "right"),
        Column(translate("Exhibits", "NLL"), "right"),
        Column(translate("Exhibits", "change"), "right"),
    )
    return Table(
        columns,
        tuple(_row(width) for width in result.widths),
        title=translate("Exhibits", "The same text at each width"),
        note=translate("Exhibits", "{done} of {all} tokens").format(
            done=figures.count(result.widths[0].positions), all=figures.count(result.tokens)
        ),
    )


def _row(width: Width) -> Row:
    sign = "+" if width.nll_change > 0 else "−" if width.nll_change < 0 else ""
    share = width.same_tokens / max(width.positions, 1)
    return Row(
        (
            _name(width),
            figures.size(width.used_bytes),
            small(width.typical),
            small(width.largest),
            figures.share(share),
            figures.decimal(width.nll, 4),
            f"{sign}{figures.decimal(abs(width.nll_change), 4)}",
        ),
        (
            float(width.bits),
            float(width.used_bytes),
            width.typical,
            width.largest,
            share,
            width.nll,
            width.nll_change,
        ),
    )


def _distance(result: SmallerNumbersResult) -> Bars:
    return Bars(
        tuple(
            Bar(
                _name(width),
                width.typical,
                small(width.typical),
                "quantised" if width.bits < 16 else "held",
            )
            for width in result.widths[1:]
        ),
        title=translate("Exhibits", "How far the logits move"),
        note=translate("Exhibits", "mean difference to {bits} bits").format(
            bits=result.widths[0].bits
        ),
        unit="logits",
    )


DEFINITION: Definition[SmallerNumbersResult] = Definition(
    number=13,
    texts=texts,
    parts=parts,
    controls=controls,
    present=present,
    claims=checks.claims,
    notes=checks.notes,
)
