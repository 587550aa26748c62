"""Which macOS the code inside needs: `python -m resources.bundle.lowest` asks the lock's wheels.

Runs on any system: uv unpacks the wheels for macOS on Apple silicon (about 200 MB of downloads)
into a temporary folder, and their files are read. The result must be what Info.plist says.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path

from resources.bundle import mac_wheels, mach
from resources.bundle.plist import LOWEST_SYSTEM

_ROOT = Path(__file__).parents[2]
_CODE = {".so", ".dylib", ""}


def of_tree(folder: Path) -> dict[Path, mach.Version]:
    """The lowest macOS that each file of code below a folder declares; paths are relative."""
    found: dict[Path, mach.Version] = {}
    for file in sorted(folder.rglob("*")):
        if file.suffix in _CODE and file.is_file() and not file.is_symlink():
            code = mach.read(file.read_bytes())
            if code and code.lowest:
                found[file.relative_to(folder)] = code.lowest
    return found


def by_package(systems: dict[Path, mach.Version]) -> dict[str, mach.Version]:
    """The highest of the lowest systems in each top folder."""
    packages: dict[str, mach.Version] = {}
    for path, system in systems.items():
        top = path.parts[0]
        packages[top] = max(system, packages.get(top, system))
    return packages


def unpack(folder: Path) -> None:
    """Unpack the locked wheels that Cutaway needs on macOS.

    Raises:
        subprocess.CalledProcessError: uv failed; it has said why.
    """
    target = ".".join(map(str, LOWEST_SYSTEM))
    words = ["uv", "pip", "install", "--quiet", "--target", str(folder)]
    words += ["--python-version", "3.11", "--python-platform", "aarch64-apple-darwin"]
    words += ["--only-binary", ":all:", "-r", "pyproject.toml", "-c", "requirements.lock"]
    subprocess.run(
        words,
        cwd=_ROOT,
        env={**os.environ, "MACOSX_DEPLOYMENT_TARGET": target},
        check=True,
    )


def main() -> int:
    """Print a table; 1 when Info.plist says something else, or MLX's kernels are missing."""
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        unpack(folder)
        packages = by_package(of_tree(folder))
        for file in folder.glob("mlx*.dist-info/WHEEL"):
            if "mlx_lm" not in str(file):
                system = mac_wheels.lowest_of(file.read_text(encoding="utf-8"))
                packages[file.parent.name.removesuffix(".dist-info")] = system
        kernels = (folder / "mlx" / "lib" / "mlx.metallib").is_file()
    for name, system in sorted(packages.items(), key=lambda item: (item[1], item[0])):
        sys.stdout.write(f"{system[0]:3}.{system[1]}  {name}\n")
    highest = max(packages.values())
    if highest != LOWEST_SYSTEM:
        sys.stderr.write(f"Info.plist says {LOWEST_SYSTEM}, the files say {highest}.\n")
    if not kernels:
        sys.stderr.write("There is no mlx.metallib.\n")
    return 0 if kernels and highest == LOWEST_SYSTEM else 1


if __name__ == "__main__":
    sys.exit(main())
