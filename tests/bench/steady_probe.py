"""Answers many short requests in a process of its own, and prints its memory early and late."""

import json
import os
import sys
import tempfile
from pathlib import Path

import mlx.core as mx

import engine
from engine import speed
from tests.engine.checkpoints import TinyLlama, write_folder

_EARLY = 10


def main(which: str, requests: int) -> int:
    """Run on the tiny model or the starter, and print one JSON object."""
    with tempfile.TemporaryDirectory(prefix="cutaway-bench-") as folder:
        source = write_folder(Path(folder), TinyLlama()) if which == "tiny" else which
        model = engine.load(source)
    ids, session = speed.prompt(model, 40), model.session()
    early: dict[str, float] = {}
    for request in range(1, requests + 1):
        # Every request differs from the last after a few tokens, so that the cache is trimmed.
        prompt = [*ids[:8], *ids[8 + request % 8 : 32]]
        for _ in session.generate(prompt, engine.Sampling(temperature=0.0), 6):
            pass
        if request == _EARLY:
            early = _memory()
    sys.stdout.write(json.dumps({"early": early, "late": _memory()}) + "\n")
    del session, model
    engine.leave_thread()
    return 0


def _memory() -> dict[str, float]:
    """Bytes that MLX uses or keeps for reuse and, where the system tells, those of the process."""
    memory = {"mlx": float(mx.get_active_memory() + mx.get_cache_memory())}
    pages = Path("/proc/self/statm")
    if pages.exists():
        resident = int(pages.read_text(encoding="ascii").split()[1])
        memory["process"] = float(resident * os.sysconf("SC_PAGE_SIZE"))
    return memory


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], int(sys.argv[2])))
