"""Exhibits measured on the engine's thread, and what the engine declares about them."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from engine.exhibits import EXHIBITS, Claim, Exhibit, Setting, settings

if TYPE_CHECKING:
    from collections.abc import Mapping

    from app.jobs.workbench import Workbench

__all__ = ["Claim", "Measured", "Setting", "bounds", "measure"]

_EVERY_S = 0.1


@dataclass(frozen=True)
class Measured:
    """What an exhibit measured so far.

    Attributes:
        number: Of the exhibit.
        model: On which it was measured.
        result: The engine's result, with its inputs, notes and sources.
        claims: What should be seen of it, as far as it is known.
        seconds: What it took.
    """

    number: int
    model: str
    result: Any
    claims: tuple[Claim, ...]
    seconds: float


def bounds() -> dict[int, dict[str, Setting]]:
    """The inputs of every exhibit there is, by name; can be called on any thread."""
    return {
        number: {setting.name: setting for setting in settings(exhibit.inputs)}
        for number, exhibit in sorted(EXHIBITS.items())
    }


def measure(bench: Workbench, number: int, values: Mapping[str, Any]) -> Measured:
    """Measure an exhibit; what is known so far comes as partial results of the same kind.

    Args:
        bench: The model, and whom to tell.
        number: Of the exhibit.
        values: What its inputs are set to; what is left out stays as usual.

    Raises:
        engine.EngineError: A value does not fit, or the model cannot show this.
    """
    begun = time.perf_counter()
    exhibit = EXHIBITS[number]
    model = bench.model
    latest: object = None
    partial: Measured | None = None
    told_s = 0.0

    def progress(share: float, result: object) -> None:
        nonlocal latest, partial, told_s
        latest = latest if result is None else result
        now = time.perf_counter()
        is_new = latest is not None and (partial is None or partial.result is not latest)
        if is_new and now - told_s >= _EVERY_S:
            partial = _measured(exhibit, model.name, latest, begun)
            told_s = now
        bench.report(min(share, 0.999), partial)  # the end comes as the result

    bench.report(0.0)
    inputs = exhibit.inputs(**values)
    result = exhibit.measure(model, inputs, progress, bench.cancelled)
    return _measured(exhibit, model.name, result, begun)


def _measured(exhibit: Exhibit[Any, Any], model: str, result: object, begun: float) -> Measured:
    seconds = time.perf_counter() - begun
    return Measured(exhibit.number, model, result, exhibit.claims(result), seconds)
