"""`cutaway models`: the models on this machine."""

import argparse
import json
import sys
from dataclasses import asdict

import engine
from app.text import bytes_text


def run(options: argparse.Namespace) -> int:
    """List the models."""
    found = engine.on_disk()
    if options.json:
        rows = [{**asdict(model), "path": str(model.path)} for model in found]
        sys.stdout.write(json.dumps(rows, ensure_ascii=False) + "\n")
        return 0
    width = max((len(model.name) for model in found), default=0)
    for model in found:
        note = "" if model.supported else f"   {model.reason}"
        size = bytes_text(model.size_bytes)
        sys.stdout.write(f"{model.name:<{width}}   {size:>10}   {model.architecture}{note}\n")
    return 0
