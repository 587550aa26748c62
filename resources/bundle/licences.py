"""Collects the licences of everything inside the bundle.

A file belongs to the distribution whose record names it. Each distribution's own licence files
are taken; where its wheel has none, the text of the licence that its metadata names, from the
folder beside this file. Files of the system (on Linux) bring what their Debian package says.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sysconfig
from dataclasses import dataclass
from importlib.metadata import Distribution, distributions
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

TEXTS = Path(__file__).parent / "licences"

_FILE = re.compile(r"(licen[cs]e|copying|notice|authors|copyright)", re.IGNORECASE)
_NAMED = {
    "Apache-2.0": ("Apache-2.0",),
    "Apache Software License": ("Apache-2.0",),
    "MIT": ("MIT",),
    "LGPL-3.0-only": ("LGPL-3.0-only", "GPL-3.0-only"),
}
"""Texts in `licences/` by words in a distribution's metadata; the LGPL builds upon the GPL."""


@dataclass(frozen=True)
class Licence:
    """What one part of the bundle is licensed under.

    Attributes:
        part: A distribution, Debian package, or program.
        version: Of the part.
        name: As its metadata says.
        texts: The files with the words.
    """

    part: str
    version: str
    name: str
    texts: tuple[Path, ...]


def of_files(files: Iterable[Path]) -> list[Licence]:
    """The licences of the distributions and packages that files come from, by name.

    Args:
        files: Sources of what is inside.

    Raises:
        LookupError: A distribution has no licence text and names none that is known here.
    """
    left = {file.resolve() for file in files}
    found: list[Licence] = [_python()]
    for distribution in distributions():
        own = {file for file in _files(distribution) if ".dist-info" not in str(file)}
        if left & own:
            left -= own
            found.append(_of_distribution(distribution))
    found += _of_system(left)
    return sorted(found, key=lambda licence: licence.part.lower())


def of_project(root: Path, version: str) -> Licence:
    """Cutaway's own."""
    return Licence("Cutaway", version, "MIT", (root / "LICENSE",))


def write(licences: list[Licence], folder: Path) -> None:
    """Write an index and every text into a folder, which is made anew."""
    shutil.rmtree(folder, ignore_errors=True)
    lines = ["Cutaway contains the following, each under its own licence.", ""]
    for licence in licences:
        lines.append(f"{licence.part} {licence.version}: {licence.name}")
        for text in licence.texts:
            target = folder / licence.part / _flat_name(text)
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(text, target)
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "index.txt").write_text("\n".join(lines) + "\n", encoding="utf-8")


def _of_distribution(distribution: Distribution) -> Licence:
    metadata = distribution.metadata
    words = [*(metadata.get_all("License-Expression") or []), *(metadata.get_all("License") or [])]
    words = [word.partition("\n")[0] for word in words]
    words += [
        text.rpartition(" :: ")[2]
        for text in metadata.get_all("Classifier") or []
        if text.startswith("License ::")
    ]
    name = next((word for word in words if word), "")
    texts = tuple(
        file
        for file in _files(distribution)
        if ".dist-info" in str(file) and _FILE.search(file.name)
    )
    if not texts:
        known = next((key for key in _NAMED if any(key in word for word in words)), None)
        if known is None:
            raise LookupError(f"{metadata['Name']} has no licence text, and names {name!r}.")
        texts = tuple(TEXTS / f"{text}.txt" for text in _NAMED[known])
        # It names the authors, whom such a licence wants to be named.
        texts += tuple(file for file in _files(distribution) if file.name == "METADATA")
    return Licence(metadata["Name"], distribution.version, name or "see its text", texts)


def _files(distribution: Distribution) -> list[Path]:
    """The installed files; resolving only their folder, as there are tens of thousands."""
    root = Path(str(distribution.locate_file(""))).resolve()
    return [Path(os.path.normpath(root / str(name))) for name in distribution.files or ()]


def _python() -> Licence:
    """Python itself; python.org's and Debian's builds keep the text in different places."""
    library = Path(sysconfig.get_path("stdlib"))
    version = sysconfig.get_python_version()
    debian = (f"python{version}", f"libpython{version}-minimal")
    places = [library / "LICENSE.txt"]
    places += [Path(f"/usr/share/doc/{package}/copyright") for package in debian]
    texts = tuple(place for place in places if place.is_file())[:1]
    if not texts:
        raise LookupError(f"Python's licence is at none of {', '.join(map(str, places))}.")
    return Licence("Python", version, "PSF-2.0", texts)


def _of_system(files: set[Path]) -> list[Licence]:
    """What Debian says of files from its packages; empty on other systems."""
    outside = sorted(str(file) for file in files if str(file).startswith(("/lib", "/usr/lib")))
    if not outside or not shutil.which("dpkg-query"):
        return []
    done = subprocess.run(
        ["dpkg-query", "--search", *outside], capture_output=True, text=True, check=False
    )
    packages = {line.partition(":")[0] for line in done.stdout.splitlines()}
    texts = {name: Path(f"/usr/share/doc/{name}/copyright") for name in packages}
    return [
        Licence(name, "(Debian)", "see its text", (text,))
        for name, text in texts.items()
        if text.is_file()
    ]


def _flat_name(text: Path) -> str:
    """A name that stays unique when several texts of a distribution land in one folder."""
    parts = text.parts
    inside = next(
        (i for i, part in enumerate(parts) if part.endswith(".dist-info")), len(parts) - 2
    )
    return "-".join(part for part in parts[inside + 1 :] if part != "licenses")
