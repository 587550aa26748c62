"""Decoding after prompts of two lengths, in turn: seconds, bytes and arithmetic per token."""

import math
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

import mlx.core as mx

from engine.chunk import Chunk
from engine.exhibits.common import Watch
from engine.exhibits.costs import Probe, read_bytes
from engine.llama import Decoder
from engine.model import Model
from engine.operations import count_operations
from engine.sampling import Sampling
from engine.session import Session

BURST = 4  # tokens that are decoded in one turn


@dataclass(frozen=True)
class DecodePoint:
    """Decoding after one prompt.

    Attributes:
        context: Tokens before.
        token_s: Seconds per token, the best burst.
        tokens_per_s: Its reciprocal.
        weights_bytes: Weights that one token reads.
        cache_bytes: Keys and values that one token reads.
        gb_per_s: Both together per second, in 10⁹ bytes.
        operations_per_s: Arithmetic, counted; None for models of mlx-lm.
    """

    context: int
    token_s: float
    tokens_per_s: float
    weights_bytes: int
    cache_bytes: int
    gb_per_s: float
    operations_per_s: float | None


def decoded(
    model: Model,
    ids: Sequence[int],
    sessions: dict[int, Session],
    bursts: int,
    probe: Probe,
    watch: Watch,
) -> tuple[DecodePoint, ...]:
    """Decode after each prompt in bursts, in turn, so that a slow moment meets them alike.

    Args:
        model: The model.
        ids: Of the longest prompt.
        sessions: By the length of the prompt that each has run.
        bursts: How many for each.
        probe: Reads for as long as a burst took, in turn with them.
        watch: Told of the progress.
    """
    ends = [token for token in model.end_ids if token < model.tokenizer.vocab_size]
    endless = Sampling(temperature=0.0, logit_bias=dict.fromkeys(ends, -math.inf))
    streams: dict[int, Iterator[Chunk]] = {}
    for length, session in sorted(sessions.items()):
        # One token more than the bursts take keeps the last step like the others.
        streams[length] = session.generate(ids[:length], endless, BURST * bursts + 2)
        next(streams[length])
    mx.synchronize()
    token_s: dict[int, list[float]] = {length: [] for length in streams}
    for turn in range(bursts):
        for length, stream in streams.items():
            begun = time.perf_counter()
            for _ in islice(stream, BURST):
                pass
            mx.synchronize()
            token_s[length].append((time.perf_counter() - begun) / BURST)
            watch.check()
        probe.turn(BURST * min(seconds[-1] for seconds in token_s.values()))
        watch.tell((turn + 1) / bursts)
    return tuple(
        _decode_point(model, length, min(token_s[length]), sessions[length]) for length in streams
    )


def _decode_point(model: Model, length: int, token_s: float, session: Session) -> DecodePoint:
    weights, cache = read_bytes(model), session.memory().used_bytes
    operations = None
    if isinstance(model.network, Decoder):
        before, after = (count_operations(model.config, n).cached for n in (length, length + 1))
        operations = (after - before) / token_s
    return DecodePoint(
        context=length,
        token_s=token_s,
        tokens_per_s=1 / token_s,
        weights_bytes=weights,
        cache_bytes=cache,
        gb_per_s=(weights + cache) / token_s / 1e9,
        operations_per_s=operations,
    )
