"""Builds the bundle: `python -m resources.bundle.build`, which is what `make app` runs.

Prints what takes the space; fails when that is too much, or when a file needs a newer macOS than
Info.plist says.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from resources.bundle import facts, lowest, mac_wheels, sizes
from resources.bundle.plist import LOWEST_SYSTEM

ROOT = Path(__file__).parents[2]
MOST_BYTES = 380_000_000
"""Without the starter model."""


def bundle(dist: Path) -> Path:
    """Where the build puts its result."""
    return dist / ("Cutaway.app" if sys.platform == "darwin" else "cutaway")


def build(dist: Path, work: Path) -> Path:
    """Build into `dist`, with what is made on the way in `work`.

    Returns:
        The bundle.

    Raises:
        subprocess.CalledProcessError: PyInstaller failed; it has said why.
    """
    if sys.platform == "darwin":
        mac_wheels.ensure(sys.executable)
    environment = {
        **os.environ,
        "PYTHONHASHSEED": "0",
        "SOURCE_DATE_EPOCH": facts.commit_time(ROOT),
        "PYINSTALLER_STRICT_BUNDLE_CODESIGN_ERROR": "1",
        "PYINSTALLER_VERIFY_BUNDLE_SIGNATURE": "1",
        "QT_QPA_PLATFORM": "offscreen",
    }
    words = ["--noconfirm", "--log-level", "WARN", "--distpath", str(dist), "--workpath", str(work)]
    spec = ROOT / "resources" / "bundle" / "cutaway.spec"
    subprocess.run(
        [sys.executable, "-m", "PyInstaller", *words, str(spec)], env=environment, check=True
    )
    return bundle(dist)


def main() -> int:
    """Build into dist/; the list of files goes to build/files.txt."""
    try:
        result = build(ROOT / "dist", ROOT / "build")
    except subprocess.CalledProcessError:
        sys.stderr.write("The bundle was not built; the reason stands above.\n")
        return 1
    names = "\n".join(path.as_posix() for path in sizes.files(result))
    (ROOT / "build" / "files.txt").write_text(names + "\n", encoding="utf-8")
    parts = sizes.by_part(result)
    total = sum(parts.values()) - parts.get(sizes.STARTER, 0)
    sys.stdout.write(f"{sizes.table(parts)}\nBuilt {result.relative_to(ROOT)}.\n")
    faults = too_new(lowest.of_tree(result))
    if total > MOST_BYTES:
        faults.append(f"That is more than {MOST_BYTES // 1_000_000} MB.")
    sys.stderr.writelines(f"{fault}\n" for fault in faults)
    return 1 if faults else 0


def too_new(systems: dict[Path, tuple[int, int]]) -> list[str]:
    """The files that need a newer macOS than Info.plist says, one sentence each."""
    return [
        f"{path} needs macOS {system[0]}.{system[1]}; raise LOWEST_SYSTEM."
        for path, system in systems.items()
        if system > LOWEST_SYSTEM
    ]


if __name__ == "__main__":
    sys.exit(main())
