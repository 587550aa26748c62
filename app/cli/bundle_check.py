"""Whether a built bundle is whole: every module that is imported late, every file it must hold."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

    from resources.built import Built


def faults(built: Built, folder: Path) -> list[str]:
    """What is missing, one sentence each.

    Args:
        built: What the build wrote down; on macOS its files include MLX's GPU kernels.
        folder: The folder that its files' names start from.
    """
    missing: list[str] = []
    for name in built.modules:
        try:
            importlib.import_module(name)
        except Exception as error:  # noqa: BLE001 - the report is about whatever goes wrong
            missing.append(f"{name} cannot be imported: {error}.")
    return missing + [
        f"{name} is missing." for name in built.files if not (folder / name).is_file()
    ]
