"""`cutaway convert`: a model's weights with fewer bits, in MLX's format, checked afterwards."""

import argparse
import json
import sys
from dataclasses import asdict

from app.cli.library import library, progress
from app.library.convert import Conversion, Converted, convert_model, plan_conversion
from app.text import bytes_text


def run(options: argparse.Namespace) -> int:
    """Convert and print what came of it."""
    models = library()
    planned = plan_conversion(models, options.source, options.bits, options.out)
    if not options.json:
        sys.stdout.write("\n".join(_before(planned)) + "\n")
        sys.stdout.flush()
    converted = convert_model(models, planned, report=progress("Converting"))
    if options.json:
        report = {
            "path": str(converted.path),
            "size_bytes": converted.size_bytes,
            "estimate": asdict(planned.estimate),
            **asdict(converted.check),
        }
        sys.stdout.write(json.dumps(report, ensure_ascii=False) + "\n")
    else:
        sys.stdout.write("\n".join(_after(converted)) + "\n")
    return 0


def _before(planned: Conversion) -> list[str]:
    given = planned.estimate
    return [
        f"To                 {planned.target}",
        f"On disk            {bytes_text(given.size_bytes)}",
        f"Loaded here        {bytes_text(given.weights_bytes)}",
        f"While converting   {bytes_text(given.working_bytes)}",
    ]


def _after(converted: Converted) -> list[str]:
    found = converted.check
    lines = [f"Written            {bytes_text(converted.size_bytes)}"]
    if found.source_nll is None or found.result_nll is None:
        return [*lines, found.note]
    change = found.result_nll - found.source_nll
    return [
        *lines,
        f"NLL of a sample    {found.source_nll:.4f} before, {found.result_nll:.4f} after"
        f"   {change:+.4f} nats per token",
    ]
