"""What the program is made of and runs on, for the About panel and for reports of faults."""

from __future__ import annotations

import importlib.metadata
import os
import platform
import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING

from app import __version__
from resources import built
from ui.counts import Counts

if TYPE_CHECKING:
    from collections.abc import Sequence

_LIBRARIES = (
    "PySide6-Essentials", "mlx", "mlx-lm", "transformers", "tokenizers", "huggingface-hub",
    "safetensors", "gguf", "llguidance", "numpy",
)  # fmt: skip
_LINES = 200


@dataclass(frozen=True)
class Facts:
    """What can be told about this program without telling anything about its user.

    Attributes:
        version: Of Cutaway.
        commit: Of its sources; empty where they are not built into a bundle and not known.
        system: Name and version of the operating system.
        machine: Processor and number of cores.
        python: Version of Python, and whether this is a bundle.
        libraries: Names and versions.
    """

    version: str
    commit: str
    system: str
    machine: str
    python: str
    libraries: tuple[tuple[str, str], ...]


def gather() -> Facts:
    """Look the facts up; reads files, so not on the main thread."""
    bundle = _bundle()
    version, commit = (bundle.version, bundle.commit) if bundle else (__version__, "")
    inside = "" if bundle is None else ", in the app"
    return Facts(
        version=version,
        commit=commit,
        system=system_name(sys.platform, platform.mac_ver()[0], _other_system()),
        machine=f"{platform.machine()}, {Counts().cores(os.cpu_count() or 1)}",
        python=f"{platform.python_version()}{inside}",
        libraries=tuple(_versions(bundle)),
    )


def _bundle() -> built.Built | None:
    try:
        return built.read()
    except (OSError, ValueError):
        return None


def _versions(bundle: built.Built | None) -> list[tuple[str, str]]:
    known = {
        name.lower(): version for name, version in (bundle.libraries if bundle else {}).items()
    }
    found: list[tuple[str, str]] = []
    for name in _LIBRARIES:
        version = known.get(name.lower()) or _installed(name)
        if version:
            found.append((name, version))
    return found


def _installed(name: str) -> str:
    try:
        return importlib.metadata.version(name)
    except importlib.metadata.PackageNotFoundError:
        return ""


def _other_system() -> str:
    try:
        return platform.freedesktop_os_release()["PRETTY_NAME"]
    except (OSError, KeyError):
        return platform.platform(terse=True)


def system_name(platform_name: str, mac_version: str, other: str) -> str:
    """The operating system as people call it.

    Args:
        platform_name: As `sys.platform`.
        mac_version: Of macOS, such as 15.1; empty elsewhere.
        other: What Python calls the system.
    """
    return f"macOS {mac_version}" if platform_name == "darwin" and mac_version else other


def lines_of(facts: Facts, device: str = "") -> list[str]:
    """The facts as lines of text."""
    version = f"Cutaway {facts.version}" + (f" ({facts.commit})" if facts.commit else "")
    libraries = ", ".join(f"{name} {number}" for name, number in facts.libraries)
    lines = [version, f"System: {facts.system}", f"Machine: {facts.machine}"]
    if device:
        lines.append(f"Device: {device}")
    return [*lines, f"Python: {facts.python}", f"Libraries: {libraries}"]


def report(facts: Facts, device: str, log: Sequence[str]) -> str:
    """What to send along when something went wrong: facts and the end of the log, no chats."""
    return "\n".join([*lines_of(facts, device), "", "Log:", *log[-_LINES:]]) + "\n"
