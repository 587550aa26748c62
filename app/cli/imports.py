"""`cutaway import`: models that lie elsewhere, added where they are or copied."""

import argparse
import sys

from app.cli.library import library, progress
from app.library.imports import add_model, copy_model
from app.text import bytes_text


def run(options: argparse.Namespace) -> int:
    """Import and say what came of it."""
    models = library()
    if not options.copy:
        added = add_model(models, options.file)
        what = "1 model" if added.models == 1 else f"{added.models} models"
        sys.stdout.write(f"Added {added.path}: {what}, left where the files are.\n")
        return 0
    copied = copy_model(models, options.file, report=progress("Copying"))
    assert copied is not None
    sys.stdout.write(f"Copied {bytes_text(copied.copied_bytes)} to {copied.path}.\n")
    return 0
