"""`cutaway models`: the models on this machine, and which of them fit."""

import argparse
import json
import sys
from dataclasses import asdict
from typing import Any

from app.cli.library import library
from app.library.facts import ModelFacts
from app.library.survey import Surveyed, survey
from app.text import bytes_text, for_stream
from engine.fit import Fit

_UNKNOWN = "–"


def run(options: argparse.Namespace) -> int:
    """List the models."""
    models = library()
    found = survey(models, list(models.models())).models
    for notice in models.notices:
        sys.stderr.write(f"{notice}\n")
    if options.json:
        rows = [_row(one) for one in found]
        sys.stdout.write(json.dumps(rows, ensure_ascii=False) + "\n")
        return 0
    for line in _table([_cells(one.facts, one.fit) for one in found]):
        sys.stdout.write(for_stream(line, sys.stdout) + "\n")
    return 0


def _row(one: Surveyed) -> dict[str, Any]:
    """A model as JSON."""
    facts, fit, notes = one.facts, one.fit, one.notes
    return {
        "name": facts.source,
        "title": facts.name,
        "path": str(facts.path),
        "kind": facts.kind,
        "size_bytes": facts.size_bytes,
        "architecture": facts.family,
        "supported": facts.ready,
        "reason": facts.reason,
        "origin": facts.origin,
        "parameters": facts.parameters,
        "quantization": facts.quantization,
        "context": facts.context,
        "bytes_per_token": facts.token_bytes,
        "licence": facts.licence,
        "last_used": facts.last_used,
        "fit": None if fit is None else {**asdict(fit), "needed_bytes": fit.needed_bytes},
        "settings": asdict(notes.settings),
        "benchmark": None if notes.benchmark is None else asdict(notes.benchmark),
    }


def _cells(facts: ModelFacts, fit: Fit | None) -> tuple[str, ...]:
    """A model as a line: what it is, or why it cannot be used."""
    size = bytes_text(facts.size_bytes)
    if not facts.ready:
        return facts.source, size, facts.family, facts.reason
    return (
        facts.source,
        size,
        facts.family,
        _count(facts.parameters),
        facts.quantization,
        _UNKNOWN if facts.context is None else f"{facts.context:,} tokens",
        _UNKNOWN if fit is None else fit.verdict,
    )


def _count(parameters: int | None) -> str:
    """A number of weights, as in `135M` and `7.2B`."""
    if parameters is None:
        return _UNKNOWN
    if parameters < 1_000_000_000:
        return f"{max(round(parameters / 1e6), 1)}M"
    return f"{parameters / 1e9:.1f}B"


def _table(rows: list[tuple[str, ...]]) -> list[str]:
    """Columns of equal width; a reason runs on to the end of its line."""
    widths = [0] * 7
    for row in rows:
        for column, cell in enumerate(row):
            if len(row) == 7 or column < 3:
                widths[column] = max(widths[column], len(cell))
    lines: list[str] = []
    for row in rows:
        cells = [
            cell.rjust(width) if column in (1, 3) and len(row) == 7 else cell.ljust(width)
            for column, (cell, width) in enumerate(zip(row, widths, strict=False))
        ]
        lines.append("   ".join(cells).rstrip())
    return lines
