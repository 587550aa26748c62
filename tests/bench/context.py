"""What the benchmarks share: the model, a long text, and how to run a part in a process apart."""

import json
import os
import pydoc_data.topics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from typing import Any

import engine
from engine.cache import Cache
from tests.bench.report import Row

_PROBE_TIMEOUT_S = 300


@dataclass(frozen=True)
class Bench:
    """One benchmark.

    Attributes:
        name: What to ask for it by.
        run: Measures and yields rows.
        long: Whether it is left out unless it is asked for.
    """

    name: str
    run: Callable[["Context"], Iterator[Row]]
    long: bool = False


class Context:
    """What is loaded once, when the first benchmark wants it."""

    def __init__(self, *, long: bool) -> None:
        self.long = long

    @cached_property
    def model(self) -> engine.Model:
        """The starter model in float32."""
        return engine.load("starter", precision="float32")

    @cached_property
    def text_ids(self) -> list[int]:
        """The tokens of a long English text that every Python carries."""
        topics = pydoc_data.topics.topics
        return self.model.tokenizer.encode("\n".join(topics[name] for name in sorted(topics)))

    def cache(self, policy: engine.CachePolicy) -> Cache:
        """An empty cache of the model, outside any session."""
        return Cache(self.model.config, policy, self.model.decoder.rope.move)


@cache
def _bytecode() -> tempfile.TemporaryDirectory[str]:
    """Where the probes keep compiled modules: an installed application has them compiled too."""
    return tempfile.TemporaryDirectory(prefix="cutaway-bench-bytecode-")


def probe(module: str, *arguments: str) -> dict[str, Any]:
    """Run a module of this package in a fresh process and an empty home.

    Returns:
        The JSON object it printed, and `started`, the monotonic clock when it was started.
    """
    with tempfile.TemporaryDirectory(prefix="cutaway-bench-") as home:
        folders = {f"XDG_{kind}_HOME": home for kind in ("DATA", "CONFIG", "CACHE", "STATE")}
        environment = {**os.environ, **folders, "HOME": home, "QT_QPA_PLATFORM": "offscreen"}
        environment.pop("PYTHONDONTWRITEBYTECODE", None)
        environment["PYTHONPYCACHEPREFIX"] = _bytecode().name
        command = [sys.executable, "-m", f"tests.bench.{module}", *arguments]
        started = time.monotonic()
        done = subprocess.run(
            command,
            env=environment,
            stdout=subprocess.PIPE,
            timeout=_PROBE_TIMEOUT_S,
            check=True,
        )
    return {**json.loads(done.stdout.splitlines()[-1]), "started": started}


def median(values: Sequence[float]) -> float:
    """The value in the middle."""
    return sorted(values)[len(values) // 2]
