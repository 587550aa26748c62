"""Converting a model on the engine's thread."""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.library.convert import Conversion, Converted, convert_model

if TYPE_CHECKING:
    from collections.abc import Callable

    from app.jobs.workbench import Workbench
    from app.library.library import Library


def conversion(library: Library, planned: Conversion) -> Callable[[Workbench], Converted]:
    """A job that converts as planned; it needs no model to be loaded, and leaves one that is."""

    def job(bench: Workbench) -> Converted:
        return convert_model(library, planned, report=bench.report, cancelled=bench.cancelled)

    return job
