"""A long text read with everything held, with a window, and with a window and pinned tokens."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from engine.cache import Cache, CachePolicy
from engine.exhibits.common import Claim
from engine.exhibits.ring import slots_bound
from engine.exhibits.scoring import Scored, mean, score
from engine.model import Model

SINKS = 4
CHUNK = 64
Way = Literal["everything", "window", "pinned"]
WAYS: tuple[Way, ...] = ("everything", "window", "pinned")


@dataclass(frozen=True)
class Quality:
    """A long text read in one way, as far as it has been read.

    Attributes:
        way: `everything` is held, only the `window`, or the window and the `pinned` first 4.
        nll: Minus log-probability of each token after the first, in nats.
        late: The mean of those whose window no longer reaches the beginning; None before that.
        peak_slots: The most slots per layer there ever were.
        slots_bound: What these can be at most; None without a window.
    """

    way: Way
    nll: tuple[float, ...]
    late: float | None
    peak_slots: int
    slots_bound: int | None


def quality_claims(qualities: Sequence[Quality]) -> Iterator[Claim]:
    """What should be seen of a long text, once it is longer than the window."""
    late = {each.way: each.late for each in qualities}
    everything, window, pinned = (late.get(way) for way in ("everything", "window", "pinned"))
    if everything is None or window is None or pinned is None:
        return
    yield Claim(
        "pins_help",
        "Without the first tokens the model loses its footing; with a few of them pinned a long "
        "text is predicted better.",
        pinned, "<", window, "nats per token",
    )  # fmt: skip
    yield Claim(
        "close_to_everything",
        "With pins a bounded window comes close to holding everything.",
        pinned, "≤", everything + 0.5, "nats per token",
    )  # fmt: skip
    if (last := qualities[-1]).slots_bound is not None:
        yield Claim(
            "bounded_reading",
            "While the long text is read, memory stays bounded.",
            last.peak_slots, "≤", last.slots_bound, "slots per layer",
        )  # fmt: skip


def read_in_turn(model: Model, ids: Sequence[int], window: int) -> Iterator[tuple[Quality, ...]]:
    """Read the text in three ways, a chunk each in turn."""
    policies: dict[Way, CachePolicy] = {
        "everything": CachePolicy(),
        "window": CachePolicy(window, 0),
        "pinned": CachePolicy(window, SINKS),
    }
    caches: dict[Way, Cache] = {
        way: model.decoder.new_cache(policy) for way, policy in policies.items()
    }
    streams: dict[Way, Iterator[Scored]] = {
        way: score(model, cache, ids, CHUNK) for way, cache in caches.items()
    }
    found: dict[Way, tuple[float, ...]] = dict.fromkeys(policies, ())
    while any(len(nll) < len(ids) - 1 for nll in found.values()):
        for way, stream in streams.items():
            scored = next(stream, None)
            if scored is not None:
                found[way] += scored.nll
                yield tuple(
                    _quality(each, found[each], caches[each], policies[each], window)
                    for each in policies
                )


def _quality(
    way: Way, nll: tuple[float, ...], cache: Cache, policy: CachePolicy, window: int
) -> Quality:
    late = nll[window + SINKS :]
    return Quality(way, nll, mean(late) if late else None, cache.peak_slots, slots_bound(policy))
