"""The benchmarks: `python -m tests.bench [NAME…] [--long] [--json]`.

Machines are noisy, so every speed is a ratio of two things that were measured in turn in one run.
"""

import argparse
import json
import sys
import time
from dataclasses import asdict

import engine
from tests.bench import attention, caches, chats, fit, logprobs, processes, reading, versus
from tests.bench.context import Bench, Context
from tests.bench.report import Row, table

BENCHES = (
    Bench("startup", processes.run_startup),
    Bench("smooth", processes.run_smooth),
    Bench("inspector", processes.run_inspector),
    Bench("reading", reading.run_reading),
    Bench("load", processes.run_load),
    Bench("speed", versus.run_speed),
    Bench("graph", versus.run_graph),
    Bench("logprobs", logprobs.run_logprobs),
    Bench("turns", caches.run_turns),
    Bench("quantised", caches.run_quantised),
    Bench("fit", fit.run_fit),
    Bench("endless", caches.run_endless),
    Bench("rotation", caches.run_rotation),
    Bench("attention", attention.run_attention),
    Bench("steady", processes.run_steady),
    Bench("chats", chats.run_chats, long=True),
)


def main() -> int:
    """Run the benchmarks that were asked for and print one table."""
    options = _options()
    context = Context(long=options.long)
    rows: list[Row] = []
    for bench in BENCHES:
        if bench.name in options.names or (not options.names and (options.long or not bench.long)):
            begun = time.perf_counter()
            sys.stderr.write(f"{bench.name} … ")
            sys.stderr.flush()
            rows += bench.run(context)
            sys.stderr.write(f"{time.perf_counter() - begun:.0f} s\n")
    if options.json:
        sys.stdout.write(json.dumps([asdict(row) for row in rows], indent=1) + "\n")
    else:
        sys.stdout.write(table(rows) + "\n")
    engine.leave_thread()
    return 0


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.bench", description=__doc__)
    names = [bench.name for bench in BENCHES]
    parser.add_argument("names", nargs="*", metavar="NAME", help=", ".join(names))
    parser.add_argument("--long", action="store_true", help="also what takes minutes")
    parser.add_argument("--json", action="store_true", help="print a JSON list")
    options = parser.parse_args()
    for name in options.names:
        if name not in names:
            parser.error(f"there is no benchmark {name}; there are {', '.join(names)}")
    return options


if __name__ == "__main__":
    sys.exit(main())
