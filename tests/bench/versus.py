"""Prefill, decode, and the Python time of a step, in turn with mlx-lm on the same weights."""

import time
from collections.abc import Callable, Iterator
from typing import Any

import mlx.core as mx
from mlx import nn
from mlx_lm.models.cache import make_prompt_cache
from mlx_lm.sample_utils import greedy_sampler

import engine
from engine import speed, twin
from engine.sampling import Sampler
from tests.bench.context import Context, median
from tests.bench.report import Row, compared

_CONTEXTS, _LONG_CONTEXTS = (64, 512, 2048), (4096,)
_GRAPH_STEPS, _GRAPH_CONTEXT = 40, 64

Build = Callable[[], list[mx.array]]


def run_speed(context: Context) -> Iterator[Row]:
    """Tokens per second at several context lengths."""
    model = context.model
    other = twin.twin(model.config, model.decoder)
    loops: dict[str, speed.Loop] = {
        "engine": speed.engine_loop(model),
        "mlx-lm": lambda ids, count: twin.stream(other, ids, count),
    }
    for length in _CONTEXTS + (_LONG_CONTEXTS if context.long else ()):
        prefills = 10 if length < 512 else 3 if length < 2048 else 2
        got = speed.race(loops, context.text_ids[:length], prefills=prefills)
        ours, theirs = got["engine"], got["mlx-lm"]
        yield compared(
            "speed",
            f"prefill {length:,}, tokens/s",
            ours.prefill_tps,
            theirs.prefill_tps,
            "mlx-lm",
            at_least=1.0,
        )
        if ours.decode_tps is not None and theirs.decode_tps is not None:
            yield compared(
                "speed",
                f"decode after {length:,}, tokens/s",
                ours.decode_tps,
                theirs.decode_tps,
                "mlx-lm",
                at_least=1.0,
            )


def run_graph(context: Context) -> Iterator[Row]:
    """Milliseconds of Python per token, spent on describing one step to MLX."""
    model = context.model
    builders = (_ours(context), _theirs(twin.twin(model.config, model.decoder)))
    spent: tuple[list[float], list[float]] = ([], [])
    for _ in range(_GRAPH_STEPS):
        for build, seconds in zip(builders, spent, strict=True):
            begun = time.perf_counter()
            arrays = build()
            seconds.append(time.perf_counter() - begun)
            mx.eval(arrays)
    ours, theirs = (median(seconds) * 1000 for seconds in spent)
    yield compared("graph", "Python per token, ms", ours, theirs, "mlx-lm", at_most=1.0)


def _ours(context: Context) -> Build:
    decoder, cache = context.model.decoder, context.cache(engine.CachePolicy())
    sampler = Sampler(engine.Sampling(temperature=0.0), 0, [])
    token = mx.array([1])
    mx.eval(decoder.hidden(mx.array([context.text_ids[:_GRAPH_CONTEXT]]), cache), cache.arrays())

    def build() -> list[mx.array]:
        logits = decoder.project(decoder.hidden(token[None], cache))
        return [sampler(logits.reshape(-1))]

    return build


def _theirs(model: nn.Module) -> Build:
    """One step of `mlx_lm.generate.generate_step`, which is not a function of its own there."""
    run: Any = model
    cache = make_prompt_cache(model)
    token = mx.array([1])
    mx.eval(run(mx.array([[1] * _GRAPH_CONTEXT]), cache=cache), [part.state for part in cache])

    def build() -> list[mx.array]:
        logits = run(token[None], cache=cache)[:, -1, :]
        logprobs = logits - mx.logsumexp(logits, keepdims=True)
        return [greedy_sampler(logprobs), logprobs.squeeze(0)]

    return build
