"""Conversions: what one is going to take, and the whole of it, so that nothing half-made stays."""

from __future__ import annotations

import math
import os
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication

from app.library.errors import LibraryError
from app.library.staging import check_space, free_path, staging
from app.spoken import spoken
from engine.conditions import Watch
from engine.convert import Check, Estimate, check, convert, estimate
from engine.source import Source, resolve

if TYPE_CHECKING:
    from collections.abc import Callable

    from app.library.library import Library

_CONVERTED = 0.5
"""Share of the progress that the conversion itself has; the check has the rest."""
_FILES_BYTES = 32 << 20

translate = QCoreApplication.translate


@dataclass(frozen=True)
class Conversion:
    """A conversion that could begin now.

    Attributes:
        source: The model to convert.
        bits: Per weight; 16 is bfloat16.
        target: The folder that is going to be there.
        estimate: What it gives and takes.
    """

    source: Source
    bits: int
    target: Path
    estimate: Estimate


@dataclass(frozen=True)
class Converted:
    """A conversion that is done.

    Attributes:
        path: The new model's folder.
        size_bytes: Of its files.
        check: How well source and result predict a sample text.
    """

    path: Path
    size_bytes: int
    check: Check


def plan_conversion(
    library: Library, model: str, bits: int, target: Path | None = None
) -> Conversion:
    """See what a conversion gives and takes, before it begins; only headers are read.

    Args:
        library: Whose folder the result goes to.
        model: A folder, a .gguf file, or a hub id that is on disk.
        bits: Per weight: 4, 5, 6 or 8, or 16 for bfloat16.
        target: Another folder, which must not be there.

    Raises:
        LibraryError: The folder is there already, or the disk has no room.
        EngineError: The model is not here, not whole, or cannot be converted to that.
    """
    source = resolve(model)
    given = estimate(source, bits)
    if target is None:
        suffix = "bf16" if bits == 16 else f"{bits}bit"
        target = free_path(library.places.models, f"{source.name.replace(' ', '-')}-{suffix}")
    try:
        target = Path(os.path.abspath(target.expanduser()))  # noqa: PTH100 - keeps links
    except RuntimeError as error:  # there is no user of that name
        cannot = translate("Library", "{0} cannot be written: {1}.")
        raise LibraryError(cannot.format(target, str(error).rstrip(".")), given=True) from error
    if target.exists() or target.is_symlink():
        raise LibraryError(
            translate("Library", "{0} is there already; give another folder.").format(target),
            given=True,
        )
    check_space(target.parent, given.size_bytes + _FILES_BYTES)
    return Conversion(source, bits, target, given)


def convert_model(
    library: Library,
    planned: Conversion,
    *,
    report: Callable[[float], None] | None = None,
    cancelled: Callable[[], bool] | None = None,
) -> Converted:
    """Convert, check against the source, and only then let the result appear.

    Runs where MLX may be used: on the engine's thread, or in a process without one.

    Args:
        library: Which lists the result.
        planned: As `plan_conversion` gives it.
        report: Told the share that is done, 0 to 1.
        cancelled: Asked now and then whether to stop.

    Raises:
        LibraryError: The result cannot be written, or computes no numbers.
        CancelledError: `cancelled` said so; nothing is left.
        EngineError: The source is damaged, or memory does not suffice.
    """
    usual = Watch()
    stop, tell = cancelled or usual.cancelled, report or usual.progress
    with staging(planned.target) as folder:
        converting = Watch(stop, lambda share: tell(share * _CONVERTED))
        convert(planned.source, folder, planned.bits, converting)
        checking = Watch(stop, lambda share: tell(_CONVERTED + share * (1 - _CONVERTED)))
        found = check(planned.source, folder, checking)
        if found.result_nll is not None and not math.isfinite(found.result_nll):
            raise LibraryError(
                translate("Library", "The converted model computes no numbers, so it was dropped.")
            )
        size = sum(path.stat().st_size for path in folder.iterdir() if path.is_file())
    if library.places.models not in planned.target.parents:
        library.added.add(planned.target)
    tell(1.0)
    return Converted(planned.target, size, replace(found, note=spoken(found.note)))
