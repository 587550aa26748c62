"""The entry point: the window without arguments, a command with one.

Nothing heavy is imported here: each way in imports what it needs.
"""

import sys
from pathlib import Path


def main(argv: list[str] | None = None) -> int:
    """Run the window, with the files that the arguments name, or the command.

    Args:
        argv: Arguments without the program's name; those of the process where left out.

    Returns:
        The exit status: 0 well, 1 something failed, 2 something the user gave is wrong.
    """
    arguments = sys.argv[1:] if argv is None else argv
    paths: list[str] | None = None
    if arguments:
        from app.opening import files_to_open

        paths = files_to_open(arguments, Path.cwd())
    if arguments and paths is None:
        from app.cli import run

        return run(arguments)
    from app import collector

    collector.hold()
    from app.cutaway import run_window

    return run_window(paths or ())


def program() -> int:
    """The whole process: `main`, and then nothing that uses the engine on this thread."""
    status = main()
    if len(sys.argv) > 1:
        from app.cli import leave

        leave()
    return status


if __name__ == "__main__":
    sys.exit(program())
