"""What is measured in a process of its own: start-up, smoothness, loading, steady memory."""

import tempfile
from collections.abc import Iterator

from tests.bench.context import Context, median, probe
from tests.bench.report import Row, compared, figure

_STARTS = 5
_LOADS = 3
_FRAME_MS = 16.0
_INSPECTOR_PERCENT = 3.0


def run_startup(_: Context) -> Iterator[Row]:
    """Seconds from the start of the process until the window is painted and takes input."""
    spent: dict[str, list[float]] = {"app": [], "empty": []}
    computed: dict[str, list[float]] = {"app": [], "empty": []}
    probe("startup_probe", "app")  # the first one reads everything from the disk
    for _round in range(_STARTS):
        for which, seconds in spent.items():
            result = probe("startup_probe", which)
            seconds.append(result["usable_at"] - result["started"])
            computed[which].append(result["thread_s"])
    # What the main thread computes says the same where the machine has other work.
    for name, found in (("usable window, s", spent), ("usable window, main thread, s", computed)):
        ours, empty = median(found["app"]), median(found["empty"])
        yield compared("startup", name, ours, empty, "empty window", at_most=3.0)


def run_smooth(_: Context) -> Iterator[Row]:
    """The main thread's gaps while a reply is streamed into the window."""
    result = probe("streaming_probe")
    for phase, name in (("prefill", "before the first token"), ("decode", "while streaming")):
        gaps = result[phase]
        yield figure("smooth", f"{name}, p99, ms", gaps["p99_ms"])
        yield figure("smooth", f"{name}, longest, ms", gaps["longest_ms"], at_most=_FRAME_MS)
        if gaps["own_ms"] is not None:
            # What the system's scheduler took is a matter of what else runs on this machine.
            yield figure(
                "smooth", f"{name}, longest without waiting for a core, ms", gaps["own_ms"]
            )
    yield figure("smooth", "idle window, longest, ms", result["idle"]["longest_ms"])
    yield figure("smooth", "tokens streamed", result["tokens"])


def run_inspector(_: Context) -> Iterator[Row]:
    """What part of a core the inspector takes while a reply is written."""
    result = probe("inspector_probe")
    for which, name in (("live", "figures"), ("tokens", "tokens, the most that are shown")):
        share = 100 * result[f"{which}_s"] * result[f"{which}_per_s"]
        yield figure("inspector", f"{name}, % of a core", share, at_most=_INSPECTOR_PERCENT)


def run_load(_: Context) -> Iterator[Row]:
    """Loading the starter from its GGUF file, and from safetensors of the same weights."""
    with tempfile.TemporaryDirectory(prefix="cutaway-bench-") as folder:
        # In a process of its own: that this one has just held the weights must not matter.
        probe("starter_folder", folder)
        for name, model in (("GGUF", "starter"), ("safetensors", folder)):
            yield from _loading(name, model)


def _loading(name: str, model: str) -> Iterator[Row]:
    results = [probe("load_probe", model) for _ in range(_LOADS)]
    yield figure("load", f"{name}, s", min(result["load_s"] for result in results))
    peak = max(result["peak_bytes"] for result in results) / 1e6
    size = results[0]["weights_bytes"] / 1e6
    yield compared("load", f"{name}, MLX peak, MB", peak, size, "loaded", at_most=1.2)
    grown = max(result["process_grown_bytes"] for result in results) / 1e6
    yield compared("load", f"{name}, process grown by, MB", grown, size, "loaded", at_most=1.2)


def run_steady(context: Context) -> Iterator[Row]:
    """Memory after many short requests, and after the first ten."""
    for model, requests in (("tiny", 1000), ("starter", 300 if context.long else 30)):
        result = probe("steady_probe", model, str(requests))
        for kind, late in result["late"].items():
            what = f"{kind} after {requests:,} ({model}), MB"
            early = result["early"][kind] / 1e6
            yield compared("steady", what, late / 1e6, early, "after 10", at_most=1.01)
