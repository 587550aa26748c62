"""The estimate of a model's peak memory, against what the starter model is measured to take."""

import dataclasses
from collections.abc import Iterator

import mlx.core as mx
from typing_extensions import override

import engine
from engine.fit import Footprint, fit
from engine.prefill import ChunkSize
from tests.bench.context import Context
from tests.bench.report import Row, compared, figure

WITHIN = 0.05
_CASES = (
    (1024, None, None, 128),
    (1024, None, 8, 128),
    (1024, 512, None, 64),
    (2048, 1024, 4, 128),
)
_LONG_CASES = ((4096, None, None, 256), (4096, 2048, None, 256), (4096, 2048, 8, 256))


class FixedChunk(ChunkSize):
    """Chunks of one size, however fast the machine is."""

    @override
    def measured(self, tokens: int, seconds: float) -> None:
        """Learn nothing."""


def peak(
    model: engine.Model, tokens: int, policy: engine.CachePolicy, chunk: int
) -> tuple[int, int]:
    """The estimate of the peak for a prompt of `tokens`, and what it was measured to be, in bytes.

    Args:
        model: In memory already; its weights count on both sides.
        tokens: A little less than so many fill the cache: the prompt, and a reply of one token.
        policy: How keys and values are held.
        chunk: Tokens that go through the decoder at once.
    """
    common = dataclasses.replace(model.common, chunk_size=FixedChunk(1, chunk))
    common.chunk_size.tokens = chunk
    session = dataclasses.replace(model, common=common).session(policy)
    ids = [(7 * index) % 1000 + 1000 for index in range(tokens - 1)]
    before = mx.get_active_memory()
    mx.reset_peak_memory()
    for _ in session.generate(ids, engine.Sampling(temperature=0.0), 1):
        pass
    measured = model.weights_bytes + mx.get_peak_memory() - before
    footprint = Footprint(model.config, model.weights_bytes, model.network.dtype.size)
    held = policy.window or tokens
    return fit(footprint, tokens=held, policy=policy, chunk=chunk).needed_bytes, measured


def run_fit(context: Context) -> Iterator[Row]:
    """Estimated against measured, for growing and rotating caches of all bits."""
    for tokens, window, bits, chunk in _CASES + (_LONG_CASES if context.long else ()):
        policy = engine.CachePolicy(window, 4 if window else 0, bits)
        estimate, measured = peak(context.model, tokens, policy, chunk)
        name = f"{tokens:,} tokens" if window is None else f"window of {window:,}"
        what = f"peak, {name}, {bits or 32} bits, MB"
        yield compared("fit", what, estimate / 1e6, measured / 1e6, "measured")
        off = abs(estimate / measured - 1)
        yield figure("fit", "the estimate is off by, %", off * 100, at_most=WITHIN * 100)
