"""A quick benchmark of the loaded model: prefill and decode at three lengths."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from app.library.settings import Benchmark, SpeedRow
from engine import CancelledError, Sampling, speed

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from app.jobs.workbench import Workbench

_PREFILLS, _TURNS = 1, 3


def benchmark_of(source: str) -> Callable[[Workbench], Benchmark]:
    """A job that measures a model, loaded or not; the one that is loaded comes back after it."""

    def job(bench: Workbench) -> Benchmark:
        bench.borrow(source)
        return benchmark(bench)

    return job


def benchmark(bench: Workbench) -> Benchmark:
    """Measure the model; each length that is done comes as a partial result.

    Raises:
        CancelledError: The workbench said so.
        EngineError: There is no model, or no memory for its cache.
    """
    model = bench.model
    lengths = speed.contexts(model)
    whole, done = sum(lengths), 0
    rows: list[SpeedRow] = []

    def check(prefilled: int, _: int = 0) -> None:
        if bench.cancelled():
            raise CancelledError("The benchmark was stopped.")
        bench.report((done + prefilled) / whole)

    def loop(ids: Sequence[int], count: int) -> Iterator[object]:
        greedy = Sampling(temperature=0.0)
        for chunk in model.session().generate(ids, greedy, count, on_prefill=check):
            check(len(ids))
            yield chunk

    for length in lengths:
        ids = speed.prompt(model, length)
        found = speed.race({"": loop}, ids, prefills=_PREFILLS, turns=_TURNS)[""]
        done += length
        rows.append(SpeedRow(length, found.prefill_tps, found.decode_tps))
        bench.report(done / whole, tuple(rows))
    return Benchmark(time.time(), tuple(rows))
