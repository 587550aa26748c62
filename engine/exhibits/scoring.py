"""What several exhibits measure with: a text scored through a cache, and greedy continuations."""

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import cast

import mlx.core as mx

from engine.exhibits.common import Watch
from engine.generate import piece_of
from engine.likely import logsumexp
from engine.model import Model
from engine.pieces import pieces_of
from engine.protocols import SequenceCache


@dataclass(frozen=True)
class Scored:
    """Some tokens of a text that were run, and what was said about those that follow them.

    Attributes:
        done: Tokens that are in the cache by now.
        nll: For each of the tokens just run, minus the log-probability of the next token, in nats.
        logits: (L, V) float32, evaluated: what was said after each of the tokens just run.
    """

    done: int
    nll: tuple[float, ...]
    logits: mx.array


def score(model: Model, cache: SequenceCache, ids: Sequence[int], chunk: int) -> Iterator[Scored]:
    """Run all but the last of `ids` through a cache, and score each token that follows.

    Args:
        model: The model.
        cache: Of its network; it is extended.
        ids: At least 2 token ids.
        chunk: The most tokens to run at once; the cache may allow fewer.
    """
    done, total = 0, len(ids) - 1
    while done < total:
        size = cache.chunk(min(chunk, total - done))
        hidden = model.network.hidden(
            mx.array([list(ids[done : done + size])], dtype=mx.int32), cache
        )
        logits = model.network.project(hidden)[0].astype(mx.float32)
        nll = surprise(logits, ids[done + 1 : done + size + 1])
        mx.eval(nll, logits, cache.arrays())
        done += size
        yield Scored(done, tuple(cast("list[float]", nll.tolist())), logits)


def surprise(logits: mx.array, tokens: Sequence[int]) -> mx.array:
    """How unlikely tokens are by logits (L, V): -log p = logsumexp(logits) - logits[token], (L,).

    In nats, lazy.
    """
    targets = mx.array(list(tokens), dtype=mx.int32)[:, None]
    return logsumexp(logits) - mx.take_along_axis(logits, targets, axis=1)[:, 0]


def step(model: Model, cache: SequenceCache, ids: Sequence[int]) -> mx.array:
    """Run `ids` through a cache at once: the logits (V,) float32 after the last, evaluated."""
    hidden = model.network.hidden(mx.array([list(ids)], dtype=mx.int32), cache)
    logits = model.network.project(hidden[:, -1:])[0, 0].astype(mx.float32)
    mx.eval(logits, cache.arrays())
    return logits


def fill(
    model: Model, cache: SequenceCache, ids: Sequence[int], chunk: int, watch: Watch
) -> mx.array:
    """Run `ids` in chunks: the logits (V,) after the last."""
    done = 0
    logits: mx.array | None = None
    while done < len(ids):
        size = cache.chunk(min(chunk, len(ids) - done))
        logits = step(model, cache, ids[done : done + size])
        done += size
        watch.tell(done / len(ids))
    assert logits is not None
    return logits


def best(model: Model, logits: mx.array) -> int:
    """The most likely token; rows beyond the vocabulary only pad the embedding."""
    return cast("int", mx.argmax(logits[: model.tokenizer.vocab_size]).item())


def go_on(
    model: Model, cache: SequenceCache, logits: mx.array, count: int, watch: Watch
) -> list[int]:
    """The `count` most likely tokens one after the other, fewer where the text ends."""
    found: list[int] = []
    while len(found) < count:
        token = best(model, logits)
        found.append(token)
        watch.tell(len(found) / count)
        if token in model.end_ids or len(found) == count:
            break
        logits = step(model, cache, [token])
    return found


def pieces(model: Model, ids: Sequence[int]) -> tuple[str, ...]:
    """The text of each token of a text; none for what continues a character, as `pieces_of`."""
    return tuple(pieces_of(model.tokenizer, ids))


def alone(model: Model, ids: Iterable[int]) -> tuple[str, ...]:
    """The text of each token by itself, where they are no text together."""
    return tuple(piece_of(model.tokenizer, token) for token in ids)


def mean(values: Sequence[float]) -> float:
    """The arithmetic mean; NaN of nothing."""
    return sum(values) / len(values) if values else math.nan
