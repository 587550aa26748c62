"""Sees to it that the MLX that goes into the bundle runs on the lowest macOS it is made for.

There is a wheel of MLX for each macOS, and an installer takes the newest that fits the machine it
runs on; its GPU kernels then fail on older systems.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from importlib.metadata import distribution

from resources.bundle.mach import Version
from resources.bundle.plist import LOWEST_SYSTEM

PACKAGES = ("mlx", "mlx-metal")

_TAG = re.compile(r"^Tag: \S+-macosx_(\d+)_(\d+)_(?:arm64|universal2)$", re.MULTILINE)


def lowest_of(wheel_file: str) -> Version:
    """The macOS that a wheel is for, from the text of its WHEEL file.

    Raises:
        ValueError: It is not for macOS on Apple silicon.
    """
    systems = [(int(major), int(minor)) for major, minor in _TAG.findall(wheel_file)]
    if not systems:
        raise ValueError("This wheel is not for macOS on Apple silicon.")
    return min(systems)


def newer_than(lowest: Version) -> list[str]:
    """Requirements of the installed packages whose wheels are for newer systems."""
    found = [distribution(name) for name in PACKAGES]
    return [
        f"{item.metadata['Name']}=={item.version}"
        for item in found
        if lowest_of(item.read_text("WHEEL") or "") > lowest
    ]


def command(python: str, requirements: list[str], lowest: Version) -> tuple[list[str], str]:
    """What installs these packages for a macOS, and the value of MACOSX_DEPLOYMENT_TARGET for it.

    Args:
        python: The interpreter whose packages are replaced.
        requirements: Names with versions.
        lowest: The macOS.
    """
    if shutil.which("uv"):
        words = ["uv", "pip", "install", "--python", python, "--reinstall", "--no-deps"]
        words += ["--python-platform", "aarch64-apple-darwin", *requirements]
        return words, f"{lowest[0]}.{lowest[1]}"
    # pip installs for another system only into a folder that is named.
    folder = f"{distribution('mlx').locate_file('')}"
    words = [python, "-m", "pip", "install", "--upgrade", "--no-deps", "--only-binary", ":all:"]
    words += ["--target", folder, "--platform", f"macosx_{lowest[0]}_{lowest[1]}_arm64"]
    return [*words, *requirements], f"{lowest[0]}.{lowest[1]}"


def ensure(python: str) -> None:
    """Replace wheels for newer systems than the bundle's lowest.

    Raises:
        subprocess.CalledProcessError: The others cannot be installed.
    """
    wanted = newer_than(LOWEST_SYSTEM)
    if wanted:
        target = ".".join(map(str, LOWEST_SYSTEM))
        sys.stdout.write(f"Installing {' and '.join(wanted)} for macOS {target}.\n")
        words, version = command(python, wanted, LOWEST_SYSTEM)
        subprocess.run(words, env={**os.environ, "MACOSX_DEPLOYMENT_TARGET": version}, check=True)
