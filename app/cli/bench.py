"""`cutaway bench`: how fast a model runs here, alone or in turn with mlx-lm."""

import argparse
import json
import sys
import time
from dataclasses import asdict, dataclass

import engine
from app.cli import options as given
from app.cli.library import library
from app.library.errors import LibraryError
from app.library.library import key_of
from app.library.settings import Benchmark, SpeedRow
from engine import speed

_PREFILLS_LONG, _LONG = 2, 1024
_ROW = "{:>8}  {:>16}  {:>16}"


@dataclass(frozen=True)
class Row:
    """Speeds after a prompt of `context` tokens; those of mlx-lm where they were asked for."""

    context: int
    prefill_tps: float
    decode_tps: float | None
    against_prefill_tps: float | None = None
    against_decode_tps: float | None = None
    prefill_ratio: float | None = None
    decode_ratio: float | None = None


def run(options: argparse.Namespace) -> int:
    """Measure and print."""
    model = given.model(options)
    loops = {"engine": speed.engine_loop(model)}
    if options.against is not None:
        loops["against"] = _rival(model)
    rows: list[Row] = []
    if not options.json:
        _print(_ROW.format("Context", "Prefill tokens/s", "Decode tokens/s"))
    for context in speed.contexts(model):
        rows.append(_measured(model, loops, context))
        if not options.json:  # At once: the longest prompts take minutes on a slow machine.
            _print(*_lines(rows[-1], options.against))
    if options.against is None:
        _keep(options.model, rows)
    if options.json:
        report = {
            "model": model.name,
            "storage": model.storage,
            "against": options.against,
            "rows": [asdict(row) for row in rows],
        }
        _print(json.dumps(report))
    return 0


def _keep(model: str, rows: list[Row]) -> None:
    """Remember the speeds with the model."""
    speeds = tuple(SpeedRow(row.context, row.prefill_tps, row.decode_tps) for row in rows)
    try:
        library().notes.set_benchmark(key_of(model), Benchmark(time.time(), speeds))
    except LibraryError as error:
        sys.stderr.write(f"{error}\n")


def _rival(model: engine.Model) -> speed.Loop:
    from engine import twin

    other = twin.twin(model.config, model.decoder)
    return lambda ids, count: twin.stream(other, ids, count)


def _measured(model: engine.Model, loops: dict[str, speed.Loop], context: int) -> Row:
    prefills = {"prefills": _PREFILLS_LONG} if context > _LONG else {}
    speeds = speed.race(loops, speed.prompt(model, context), **prefills)
    ours, other = speeds["engine"], speeds.get("against")
    if other is None:
        return Row(context, ours.prefill_tps, ours.decode_tps)
    return Row(
        context,
        ours.prefill_tps,
        ours.decode_tps,
        other.prefill_tps,
        other.decode_tps,
        _ratio(ours.prefill_tps, other.prefill_tps),
        _ratio(ours.decode_tps, other.decode_tps),
    )


def _ratio(ours: float | None, other: float | None) -> float | None:
    return ours / other if ours is not None and other is not None else None


def _print(*lines: str) -> None:
    sys.stdout.write("".join(f"{line}\n" for line in lines))
    sys.stdout.flush()


def _lines(row: Row, against: str | None) -> list[str]:
    lines = [_ROW.format(row.context, _shown(row.prefill_tps), _shown(row.decode_tps))]
    if against is not None:
        other = _shown(row.against_prefill_tps), _shown(row.against_decode_tps)
        lines.append(_ROW.format(against, *other))
        ratios = _shown(row.prefill_ratio, 2), _shown(row.decode_ratio, 2)
        lines.append(_ROW.format("ratio", *ratios))
    return lines


def _shown(value: float | None, digits: int = 1) -> str:
    return "–" if value is None else f"{value:,.{digits}f}"
