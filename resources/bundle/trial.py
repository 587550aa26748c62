"""Tries the built bundle where bundles break: `python -m resources.bundle.trial`, or `make trial`.

A copy in a folder with spaces and letters of other alphabets, read-only, started from another
working folder with an empty environment, must pass its own self-test and answer on the command
line, also through a link to the program.
"""

from __future__ import annotations

import json
import shutil
import stat
import subprocess
import sys
import tempfile
from pathlib import Path

from resources.bundle import build

AWKWARD = "Ünïcode & spaces 試験"
_TIMEOUT_S = 180


def program(bundle: Path) -> Path:
    """The program inside a bundle."""
    inside = bundle / "Contents" / "MacOS" if bundle.suffix == ".app" else bundle
    return inside / "cutaway"


def set_writable(folder: Path, *, writable: bool) -> None:
    """Let a folder and everything in it be written to, or not."""
    write = stat.S_IWUSR | stat.S_IWGRP | stat.S_IWOTH
    for path in [folder, *folder.rglob("*")]:
        if not path.is_symlink():
            mode = path.stat().st_mode
            path.chmod(mode | stat.S_IWUSR if writable else mode & ~write)


def run(bundle: Path) -> list[str]:
    """Try a bundle.

    Returns:
        What went wrong, one sentence each.
    """
    with tempfile.TemporaryDirectory() as temporary:
        place = Path(temporary)
        copy = place / AWKWARD / bundle.name
        shutil.copytree(bundle, copy, symlinks=True)
        link = place / "a link"
        link.symlink_to(program(copy))
        home = place / "home"
        home.mkdir()
        set_writable(copy, writable=False)
        try:
            return [*_self_test(program(copy), home), *_command_line(link, home)]
        finally:
            set_writable(copy, writable=True)


def _self_test(file: Path, home: Path) -> list[str]:
    done = _start([str(file), "--self-test"], home)
    sys.stdout.write(done.stdout)
    try:
        report = json.loads(done.stdout)
    except ValueError:
        return [f"The self-test printed no report, and on standard error: {done.stderr!r}."]
    if done.returncode or report.get("bundle") != "whole":
        return [f"The self-test failed (status {done.returncode}): {done.stderr!r}."]
    return [f"The self-test said on standard error {done.stderr!r}."] if done.stderr else []


def _command_line(file: Path, home: Path) -> list[str]:
    done = _start([str(file), "generate", "starter", "--prompt", "Hi", "--max-tokens", "3"], home)
    said = done.stdout.strip() and not done.stderr and not done.returncode
    return [] if said else [f"`generate` through a link failed: {done.stderr!r}."]


def _start(words: list[str], home: Path) -> subprocess.CompletedProcess[str]:
    environment = {"HOME": str(home), "LC_ALL": "C.UTF-8", "QT_QPA_PLATFORM": "offscreen"}
    return subprocess.run(
        words,
        cwd="/",
        env=environment,
        capture_output=True,
        text=True,
        timeout=_TIMEOUT_S,
        check=False,
    )


def main() -> int:
    """Try what `make app` built."""
    faults = run(build.bundle(build.ROOT / "dist"))
    sys.stderr.writelines(f"{fault}\n" for fault in faults)
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
