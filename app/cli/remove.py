"""`cutaway rm`: a model goes to the trash, or off the list where its files are the user's."""

import argparse
import sys

from app.cli.library import library
from app.library.deletion import plan_removal, remove
from app.library.errors import LibraryError
from app.text import bytes_text


def run(options: argparse.Namespace) -> int:
    """Delete and say what that frees."""
    models = library()
    facts = models.find(options.model)
    if facts.origin == "added" and facts.root == facts.path and not options.files:
        models.added.forget(facts.root)
        sys.stdout.write(f"{facts.name} is off the list; its files stay in {facts.path}.\n")
        return 0
    removal = plan_removal(models, facts)
    if removal.question and not options.yes and not _agreed(removal.question):
        return 2
    freed = bytes_text(remove(models, removal, forever=options.forever))
    if options.forever:
        sys.stdout.write(f"Deleted {facts.name}, which frees {freed}.\n")
    else:
        sys.stdout.write(f"Moved {facts.name} to the trash; emptying it frees {freed}.\n")
    return 0


def _agreed(question: str) -> bool:
    if not sys.stdin.isatty():
        raise LibraryError(f"{question} Say so with --yes.", given=True)
    sys.stderr.write(f"{question} [y/N] ")
    sys.stderr.flush()
    if sys.stdin.readline().strip().lower() in ("y", "yes"):
        return True
    sys.stderr.write("Nothing was deleted.\n")
    return False
