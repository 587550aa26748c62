"""One more token of a long text: what it takes with a cache, and when all is run again."""

import time
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import cycle, islice

import mlx.core as mx

from engine.cache import CachePolicy
from engine.exhibits.common import Claim, Watch
from engine.exhibits.scoring import fill, step
from engine.model import Model

# In a short text a device can read all weights so slowly that running it again costs no more.
_TOKENS = 512 if mx.metal.is_available() else 96
_CHUNK, _ROUNDS = 256, 2


@dataclass(frozen=True)
class OneMore:
    """One more token, the best of two times each, measured in turn.

    Attributes:
        tokens: How many stand before it: the text over and over.
        cached_s: Seconds where keys and values of these are held.
        uncached_s: Seconds where all are run again.
    """

    tokens: int
    cached_s: float
    uncached_s: float


def one_more(model: Model, ids: Sequence[int], watch: Watch) -> OneMore:
    """Measure one more token both ways.

    Args:
        model: The model.
        ids: The text; it is repeated.
        watch: Told of the progress.
    """
    count = min(_TOKENS, model.config.max_position_embeddings - _ROUNDS)
    long = list(islice(cycle(ids), count + _ROUNDS))
    cache = model.network.new_cache(CachePolicy())
    fill(model, cache, long[:count], _CHUNK, watch.part(0.0, 0.4))
    cached_s: list[float] = []
    uncached_s: list[float] = []
    for done in range(_ROUNDS):
        end = count + done + 1
        begun = time.perf_counter()
        step(model, cache, long[end - 1 : end])
        cached_s.append(time.perf_counter() - begun)
        part = watch.part(0.4 + 0.6 * done / _ROUNDS, 0.4 + 0.6 * (done + 1) / _ROUNDS)
        begun = time.perf_counter()
        fill(model, model.network.new_cache(CachePolicy()), long[:end], _CHUNK, part)
        uncached_s.append(time.perf_counter() - begun)
    return OneMore(count, min(cached_s), min(uncached_s))


def one_more_claim(found: OneMore) -> Claim:
    """What should be seen of it."""
    return Claim(
        "seconds",
        "It saves time as well: in a long text one more token comes sooner than when all of it is "
        "run again.",
        found.cached_s, "<", found.uncached_s, "s",
    )  # fmt: skip
