"""A rotating cache turned token by token: which slot holds what, and what the next token sees."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

import mlx.core as mx

from engine.cache import Cache, CachePolicy
from engine.cache.layers import LayerState
from engine.exhibits.common import Claim
from engine.exhibits.comparing import apart
from engine.exhibits.copies import copied
from engine.exhibits.scoring import pieces, step
from engine.model import Model

_LEAST_CHUNK, _MOST_CHUNK = 16, 256  # the ring is a window and one chunk of this size long
_NOISE = 100.0

Slot = Literal["pinned", "seen", "unseen", "empty"]


@dataclass(frozen=True)
class RingStep:
    """The ring after one token.

    Attributes:
        position: Of the token.
        piece: Its text.
        slots: For each slot the position of the token in it, -1 where there is none.
        states: For each slot: `pinned`; `seen` by the next token; `unseen`, still there but out of
            the window; `empty`.
        out_of_sight: Positions that the next token no longer sees, the newest last.
        evicted: The position that this token overwrote; None where it took an empty slot.
    """

    position: int
    piece: str
    slots: tuple[int, ...]
    states: tuple[Slot, ...]
    out_of_sight: tuple[int, ...]
    evicted: int | None


@dataclass(frozen=True)
class RingProof:
    """What the next token says when the values in some slots are changed by much.

    Attributes:
        unseen: How many slots hold a token that is out of the window.
        unseen_effect: The largest change of a logit when all of these are changed; None where
            there are none yet.
        seen_effect: The same when the newest token's slot is changed.
    """

    unseen: int
    unseen_effect: float | None
    seen_effect: float


def turned(
    model: Model, cache: Cache, policy: CachePolicy, ids: Sequence[int]
) -> Iterator[RingStep]:
    """Run one token after the other through an empty cache: the ring after each."""
    before: list[int] = []
    for position, (token, piece) in enumerate(zip(ids, pieces(model, ids), strict=True)):
        step(model, cache, [token])
        slots = cache.positions()
        slot = slots.index(position)
        old = before[slot] if slot < len(before) else -1
        yield ring_step(policy, position, piece, slots, old if old >= 0 else None)
        before = slots


def ring_step(
    policy: CachePolicy, position: int, piece: str, slots: Sequence[int], evicted: int | None
) -> RingStep:
    """Apply the rule to a ring: the next token q sees p exactly if p < pinned or q - p < window.

    Args:
        policy: Window and pinned tokens.
        position: Of the token that was run last.
        piece: Its text.
        slots: For each slot the position of the token in it, -1 where there is none.
        evicted: What that token overwrote.
    """
    seen = _seen_next(policy, position)
    states: list[Slot] = []
    for held in slots:
        if held < 0:
            states.append("empty")
        elif held < policy.pinned:
            states.append("pinned")
        else:
            states.append("seen" if held in seen else "unseen")
    gone = tuple(p for p in range(position + 1) if p not in seen)
    return RingStep(position, piece, tuple(slots), tuple(states), gone, evicted)


def proven(
    model: Model, cache: Cache, policy: CachePolicy, last: RingStep, token: int
) -> RingProof:
    """Change the values in unseen slots, then in a seen one, and run the next token.

    Args:
        model: The model.
        cache: The ring, which stays as it is.
        policy: Its policy.
        last: What it looks like.
        token: The next token.
    """
    held = zip(last.slots, last.states, strict=True)
    unseen = {position for position, state in held if state == "unseen"}
    clean = step(model, _changed(model, cache, policy, set()), [token])
    with_seen = step(model, _changed(model, cache, policy, {last.position}), [token])
    effect = None
    if unseen:
        effect = apart(step(model, _changed(model, cache, policy, unseen), [token]), clean)
    return RingProof(len(unseen), effect, apart(with_seen, clean))


def slots_bound(policy: CachePolicy) -> int | None:
    """The most slots of a layer: pinned tokens, window and one chunk; None without a window."""
    if policy.window is None:
        return None
    return policy.pinned + policy.window + min(max(policy.window, _LEAST_CHUNK), _MOST_CHUNK)


def ring_claims(
    policy: CachePolicy, ring: Sequence[RingStep], proof: RingProof | None
) -> Iterator[Claim]:
    """What should be seen of the ring, as far as it has turned."""
    bound = slots_bound(policy)
    if not ring or bound is None:
        return
    yield Claim(
        "bounded",
        "However long the text, the ring never has more slots than pinned tokens, window and one "
        "chunk.",
        max(len(each.slots) for each in ring), "≤", bound, "slots",
    )  # fmt: skip
    yield Claim(
        "held",
        "Every token that the next one may see is held: the pinned ones and the window.",
        sum(_missing(policy, each) for each in ring), "=", 0, "tokens missing",
    )  # fmt: skip
    if proof is None:
        return
    if proof.unseen_effect is not None:
        yield Claim(
            "unseen",
            "What left the window has no effect on the next token any more, even while it still "
            "lies in its slot: other numbers there change nothing, to the last bit.",
            proof.unseen_effect, "=", 0, "logits",
        )  # fmt: skip
    yield Claim(
        "seen",
        "Other numbers in a slot that is seen change what the model says.",
        proof.seen_effect, ">", 0, "logits",
    )  # fmt: skip


def _missing(policy: CachePolicy, each: RingStep) -> int:
    pairs = zip(each.slots, each.states, strict=True)
    held = {slot for slot, state in pairs if state in {"pinned", "seen"}}
    return len(_seen_next(policy, each.position) - held)


def _seen_next(policy: CachePolicy, position: int) -> set[int]:
    """Positions up to `position` that the token after it sees."""
    following = position + 1
    window = following + 1 if policy.window is None else policy.window
    return {p for p in range(following) if p < policy.pinned or following - p < window}


def _changed(model: Model, cache: Cache, policy: CachePolicy, positions: set[int]) -> Cache:
    """A copy of a cache with other values for some tokens, wherever a layer holds them."""
    # A layer with a window of its own holds them in other slots than the ring that is shown.
    held = [layer.positions for layer in cache.held()]

    def change(layers: list[LayerState]) -> None:
        for layer, tokens in zip(layers, held, strict=True):
            slots = [slot for slot, token in enumerate(tokens) if token in positions]
            if slots:
                layer.values[0] = layer.values[0].at[:, :, mx.array(slots)].add(_NOISE)

    return copied(model, cache, policy, change)
