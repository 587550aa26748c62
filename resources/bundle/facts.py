"""Facts of the sources that a build writes down: the commit, and what is imported late."""

from __future__ import annotations

import subprocess
from typing import TYPE_CHECKING

from resources.bundle.imports import late_imports

if TYPE_CHECKING:
    from pathlib import Path

_PACKAGES = ("app", "engine", "ui")


def commit(root: Path) -> str:
    """The commit that is checked out, `+` behind it where files were changed; else `unknown`."""
    name = _git(root, "rev-parse", "--short=12", "HEAD")
    changed = _git(root, "status", "--porcelain", "--untracked-files=no")
    return f"{name}{'+' if changed else ''}" if name else "unknown"


def build_number(root: Path, version: str) -> str:
    """What tells builds of one version apart: how many commits lie behind it, else the version."""
    return _git(root, "rev-list", "--count", "HEAD") or version


def commit_time(root: Path) -> str:
    """When the commit was made, in seconds since 1970; 0 outside a repository."""
    return _git(root, "log", "-1", "--format=%ct") or "0"


def late_modules(root: Path) -> list[str]:
    """Every module of the program, and what its functions import late."""
    files = [file for package in _PACKAGES for file in sorted((root / package).rglob("*.py"))]
    own = {_module(file.relative_to(root)) for file in files}
    return sorted((own | set(late_imports(files))) - {"app.__main__"})


def _module(file: Path) -> str:
    parts = file.with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def _git(root: Path, *words: str) -> str:
    try:
        done = subprocess.run(
            ["git", "-C", str(root), *words], capture_output=True, text=True, check=False
        )
    except OSError:
        return ""
    return done.stdout.strip() if done.returncode == 0 else ""
