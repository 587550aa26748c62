"""How fast prefill and decode are, of one loop or of several that take turns.

A machine is never evenly fast. The loops therefore run in turn, a few tokens each, and the best
turn of each counts: what disturbs a turn only ever makes it slower.
"""

import itertools
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import mlx.core as mx

from engine.model import Model
from engine.sampling import Sampling

Loop = Callable[[Sequence[int], int], Iterator[object]]
"""From prompt ids and a number of tokens to a stream with one item per token."""

_TEXT = "One, two, three, four, five, six, seven, eight, nine, ten, and once more from the start. "
_BURST, _TURNS, _PREFILLS = 8, 5, 3
_CONTEXTS = (64, 512, 2048)
_ROOM = 128


@dataclass(frozen=True)
class Speed:
    """Tokens per second of one loop.

    Attributes:
        prefill_tps: Tokens of the prompt per second until the first token of the reply is there.
        decode_tps: Tokens of the reply per second after that; None where it ended too soon.
    """

    prefill_tps: float
    decode_tps: float | None


def contexts(model: Model) -> list[int]:
    """Lengths to measure at, in tokens: those that leave room for what is decoded after them."""
    limit = model.config.max_position_embeddings
    return [size for size in _CONTEXTS if size + _ROOM <= limit] or [max(limit // 2, 1)]


def prompt(model: Model, length: int) -> list[int]:
    """A prompt of `length` tokens that any model goes on with for long."""
    ids = model.tokenizer.encode(_TEXT)
    return list(itertools.islice(itertools.cycle(ids), length))


def engine_loop(model: Model) -> Loop:
    """The engine's own loop: a new session, greedy."""

    def loop(ids: Sequence[int], count: int) -> Iterator[object]:
        return model.session().generate(ids, Sampling(temperature=0.0), count)

    return loop


def race(
    loops: Mapping[str, Loop],
    ids: Sequence[int],
    *,
    prefills: int = _PREFILLS,
    turns: int = _TURNS,
) -> dict[str, Speed]:
    """Let loops take turns on the same prompt.

    Args:
        loops: What to measure, by name.
        ids: The prompt.
        prefills: How often each of them prefills it.
        turns: How many turns of 8 tokens each decodes after that.

    Returns:
        The speed in the best turn of each.
    """
    # One item more than the bursts take keeps the last step like the others.
    total = _BURST * turns + 2
    streams: dict[str, Iterator[object]] = {}
    first_s: dict[str, list[float]] = {name: [] for name in loops}
    for _ in range(prefills):
        for name, loop in loops.items():
            streams[name] = loop(ids, total)
            first_s[name].append(_take(streams[name], 1)[1])
            mx.synchronize()
    token_s: dict[str, list[float]] = {name: [] for name in loops}
    for _ in range(turns):
        for name, stream in streams.items():
            taken, seconds = _take(stream, _BURST, drain=True)
            if taken:
                token_s[name].append(seconds / taken)
    return {
        name: Speed(
            prefill_tps=len(ids) / min(first_s[name]),
            decode_tps=1 / min(token_s[name]) if token_s[name] else None,
        )
        for name in loops
    }


def _take(stream: Iterator[object], count: int, *, drain: bool = False) -> tuple[int, float]:
    """Take up to `count` items: how many there were, and the seconds it took.

    Every loop has started the next step when it hands a token out. With `drain` that step is
    waited for, so that the next turn begins with one step done and this one pays for its own.
    """
    begun = time.perf_counter()
    taken = sum(1 for _ in itertools.islice(stream, count))
    if drain:
        mx.synchronize()
    return taken, time.perf_counter() - begun
