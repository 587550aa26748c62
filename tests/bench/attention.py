"""What looking inside costs, next to a prefill of the same tokens."""

import time
from collections.abc import Callable, Iterator
from typing import Any

import mlx.core as mx

import engine
from tests.bench.context import Context
from tests.bench.report import Row, compared

_TOKENS, _ROUNDS = 512, 3
_GREEDY = engine.Sampling(temperature=0.0)


def run_attention(context: Context) -> Iterator[Row]:
    """All heads of the last layer, a walk, a lens and a score, in turn with a prefill."""
    model, ids = context.model, context.text_ids[:_TOKENS]
    last = model.config.num_hidden_layers - 1
    tasks: dict[str, Callable[[], Any]] = {
        "prefill": lambda: next(model.session().generate(ids, _GREEDY, 1)),
        "all heads, last layer": lambda: engine.attention(model, ids, last),
        "mean of heads, last layer": lambda: engine.mean_attention(model, ids, last),
        "walk, last layer": lambda: engine.walk_attention(model, ids, last, 0, _TOKENS - 1),
        "lens, 1 position": lambda: engine.logit_lens(model, ids, positions=[_TOKENS - 1]),
        "score": lambda: engine.score(model, ids),
    }
    spent: dict[str, list[float]] = {name: [] for name in tasks}
    for _ in range(_ROUNDS):
        for name, task in tasks.items():
            begun = time.perf_counter()
            task()
            mx.synchronize()
            spent[name].append(time.perf_counter() - begun)
    least = {name: min(seconds) * 1000 for name, seconds in spent.items()}
    prefill = least.pop("prefill")
    for name, taken in least.items():
        bound = 2.0 if "heads" in name else None
        yield compared(
            "attention", f"{name}, ms", taken, prefill, f"prefill of {_TOKENS}", at_most=bound
        )
    mx.clear_cache()
    mx.reset_peak_memory()
    before = mx.get_active_memory()
    found = engine.attention(model, ids, last)
    taken = (mx.get_peak_memory() - before + found.nbytes) / 1e6
    said = engine.attention_bytes(model.config, _TOKENS) / 1e6
    yield compared("attention", "memory, MB", taken, said, "said before", at_most=1.0)
