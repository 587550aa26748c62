"""Loads a model, `starter` or a folder, in a process of its own, and prints what that took."""

import json
import resource
import sys
import time

import mlx.core as mx

import engine


def main() -> int:
    """Load and print one JSON object."""
    before = _largest_bytes()
    mx.reset_peak_memory()
    begun = time.perf_counter()
    model = engine.load(sys.argv[1], precision="float32")
    report = {
        "load_s": time.perf_counter() - begun,
        "peak_bytes": mx.get_peak_memory(),
        "weights_bytes": model.weights_bytes,
        "process_grown_bytes": _largest_bytes() - before,
    }
    sys.stdout.write(json.dumps(report) + "\n")
    del model
    engine.leave_thread()
    return 0


def _largest_bytes() -> int:
    """The most memory this process has held."""
    size = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return size if sys.platform == "darwin" else size * 1024


if __name__ == "__main__":
    sys.exit(main())
