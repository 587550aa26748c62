"""The exactness report: is a cached run what it claims to be, bit for bit and in numbers?

The sequence is run one token at a time through a cache. Before and after every token all that the
cache stores of earlier tokens is compared bit for bit; then the whole run is repeated from an empty
cache and compared bit for bit. Computing everything at once without a cache adds up the same sums
in another order, so there the difference is a number, which must stay within rounding.
"""

import math
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, cast

import mlx.core as mx

from engine.cache import CachePolicy
from engine.cache.held import HeldLayer
from engine.errors import EngineError, PromptError
from engine.exactness import Change, Difference, ExactnessReport
from engine.llama import Decoder
from engine.model import Model
from engine.operations import count_operations
from engine.protocols import SequenceCache
from engine.sentence import Sentence
from engine.zoo_config import ZooConfig

OnVerify = Callable[[str, int, int], None]
"""Called with what is being done, how many of its steps are done, and how many there are."""

_MEASURED_LENGTHS = 12
# Sums of thousands of products differ by some dozens of roundings when their order changes.
_ROUNDINGS = 256
_BITS = {1: mx.uint8, 2: mx.uint16, 4: mx.uint32, 8: mx.uint64}


def verify(
    model: Model,
    ids: Sequence[int],
    policy: CachePolicy | None = None,
    *,
    compare: bool = True,
    on_progress: OnVerify | None = None,
) -> ExactnessReport:
    """Run `ids` with and without a cache, and report.

    Args:
        model: The model, on the thread that loaded it.
        ids: At least 2 token ids.
        policy: Of the cache; `CachePolicy()` where left out.
        compare: Compare with mlx-lm too, which takes seconds to import.
        on_progress: Called after each step.

    Raises:
        PromptError: The ids are too few, too many, or not of this vocabulary.
        SettingError: The model cannot have such a cache.
    """
    policy = policy or CachePolicy()
    _check(model, ids, policy)
    tell = on_progress or _silent
    first = _run(model, ids, policy, lambda done: tell("watching the cache", done, len(ids)))
    again = _run(model, ids, policy, lambda done: tell("replaying", done, len(ids)), watch=False)
    once = model.logits(ids)
    visible = _compared(model, policy, len(ids))
    one_shot = _difference(first.logits[:visible], once[:visible])
    bound = _rounding_bound(model, one_shot) if policy.bits is None else None
    differs_at = _first_difference(first, again)
    reference, note = _reference(model, ids, once) if compare else (None, "Not asked for.")
    uncached = _uncached_each(model, ids, tell)
    return ExactnessReport(
        model=model.name,
        tokens=len(ids),
        policy=policy,
        stored_layers=len(first.held),
        stored_values=first.compared,
        stored_exact=first.change is None,
        first_change=first.change,
        pinned_moves=first.moves,
        replay_exact=differs_at is None,
        replay_differs_at=differs_at,
        one_shot=one_shot,
        rounding_bound=bound,
        within_rounding=None if bound is None else one_shot.largest <= bound,
        reference=reference,
        reference_note=note,
        operations=(
            count_operations(model.config, len(ids), policy)
            if isinstance(model.network, Decoder)
            else None
        ),
        token_passes_cached=len(ids),
        token_passes_uncached=len(ids) * (len(ids) + 1) // 2,
        cached_s=sum(again.seconds),
        uncached_s=_summed(uncached),
        cached_each_s=tuple(again.seconds),
        uncached_each_s=uncached,
        notes=_notes(model, policy, visible, first),
    )


@dataclass(frozen=True)
class _Run:
    """One run, token by token.

    Attributes:
        logits: (L, V) float32.
        held: What the cache stores at the end.
        seconds: Of each token, without the time that watching took.
    """

    logits: mx.array
    held: list[HeldLayer]
    seconds: list[float]
    compared: int
    change: Change | None
    moves: int


def _run(
    model: Model,
    ids: Sequence[int],
    policy: CachePolicy,
    tell: Callable[[int], None],
    *,
    watch: bool = True,
) -> _Run:
    network = model.network
    cache: SequenceCache = network.new_cache(policy)
    rows: list[mx.array] = []
    before: list[HeldLayer] = []
    change: Change | None = None
    seconds: list[float] = []
    compared, moves = 0, 0
    for position, token in enumerate(ids):
        begun = time.perf_counter()
        hidden = network.hidden(mx.array([[token]], dtype=mx.int32), cache)
        rows.append(network.project(hidden)[0, 0].astype(mx.float32))
        mx.eval(rows[-1], cache.arrays())
        seconds.append(time.perf_counter() - begun)
        if watch:
            after = _evaluated(cache.held())
            count, changed, moved = _compare_stored(before, after, position)
            compared, moves, change = compared + count, moves + moved, change or changed
            before = after
        tell(position + 1)
    held = before if watch else _evaluated(cache.held())
    return _Run(mx.stack(rows), held, seconds, compared, change, moves)


def _compare_stored(
    before: list[HeldLayer], after: list[HeldLayer], position: int
) -> tuple[int, Change | None, int]:
    """How many stored numbers were compared, the first that changed, and whether keys moved."""
    compared, moved = 0, 0
    change: Change | None = None
    for layer, (was, now) in enumerate(zip(before, after, strict=False)):
        slots = [
            slot
            for slot, (old, new) in enumerate(zip(was.positions, now.positions, strict=False))
            if old == new >= 0
        ]
        for part, olds, news in (("key", was.keys, now.keys), ("value", was.values, now.values)):
            if part == "key" and was.moved_by != now.moved_by:
                moved = 1
                continue
            for old, new in zip(olds, news, strict=True):
                count, slot = _changed_slot(old, new, slots)
                compared += count
                if slot is not None and change is None:
                    change = Change(layer, was.positions[slot], position, part)
    return compared, change, moved


def _changed_slot(old: mx.array, new: mx.array, slots: list[int]) -> tuple[int, int | None]:
    """How many numbers of these slots were compared, and the first slot that changed."""
    if not slots:
        return 0, None
    chosen = mx.array(slots)
    before, after = _bits(old[:, :, chosen]), _bits(new[:, :, chosen])
    if mx.array_equal(before, after).item():
        return before.size, None
    differs = mx.any(before != after, axis=tuple(i for i in range(before.ndim) if i != 2))
    return before.size, slots[cast("int", mx.argmax(differs).item())]


def _first_difference(one: _Run, other: _Run) -> int | None:
    """The first position whose logits or stored numbers differ in a bit, None where none does."""
    differs = mx.any(_bits(one.logits) != _bits(other.logits), axis=1)
    places = [one.logits.shape[0]]
    if mx.any(differs).item():
        places.append(cast("int", mx.argmax(differs).item()))
    for a, b in zip(one.held, other.held, strict=True):
        for x, y in zip((*a.keys, *a.values), (*b.keys, *b.values), strict=True):
            _, slot = _changed_slot(x, y, [s for s, p in enumerate(a.positions) if p >= 0])
            if slot is not None:
                places.append(a.positions[slot])
    first = min(places)
    return first if first < one.logits.shape[0] else None


def _evaluated(held: list[HeldLayer]) -> list[HeldLayer]:
    mx.eval([array for layer in held for array in (*layer.keys, *layer.values)])
    return held


def _bits(array: mx.array) -> mx.array:
    """The same memory as whole numbers: a NaN equals itself, and 0 is not -0."""
    return array.view(_BITS[array.dtype.size])


def _difference(one: mx.array, other: mx.array) -> Difference:
    """Compare logits (L, V)."""
    same = mx.argmax(one, axis=1) == mx.argmax(other, axis=1)
    largest = cast("float", mx.max(mx.abs(one - other)).item())
    return Difference(
        positions=one.shape[0],
        largest=largest if math.isfinite(largest) else math.inf,
        scale=cast("float", mx.max(mx.abs(other)).item()),
        same_tokens=cast("int", mx.sum(same).item()),
    )


def _compared(model: Model, policy: CachePolicy, tokens: int) -> int:
    """How many leading positions see with this cache what they see without one."""
    if policy.window is None:
        return tokens
    alike = min(tokens, policy.window + policy.pinned)
    # In layers with a window of their own, what is pinned is seen from further off than usual.
    own = [each for each in model.config.windows if each is not None and policy.pinned]
    return min([alike, *own])


def _rounding_bound(model: Model, found: Difference) -> float:
    step = mx.finfo(model.network.dtype).eps
    return _ROUNDINGS * float(step) * max(1.0, found.scale)


def _reference(model: Model, ids: Sequence[int], once: mx.array) -> tuple[Difference | None, str]:
    """Compare with mlx-lm's model for the same architecture, on the very same arrays."""
    if not isinstance(model.network, Decoder):
        return None, Sentence("This model runs through mlx-lm itself.")
    from engine.twin import twin  # Late: it imports mlx-lm, which takes seconds.

    try:
        other = cast("Any", twin(model.config, model.network))
    except EngineError as error:
        return None, error.sentence
    logits = cast("mx.array", other(mx.array([list(ids)])))
    return _difference(once, logits[0].astype(mx.float32)), ""


def _uncached_each(
    model: Model, ids: Sequence[int], tell: OnVerify
) -> tuple[tuple[int, float], ...]:
    """Seconds of running the whole sequence without a cache, at some of its lengths."""
    count = min(len(ids), _MEASURED_LENGTHS)
    lengths = sorted({1 + round(i * (len(ids) - 1) / (count - 1)) for i in range(count)})
    found: list[tuple[int, float]] = []
    for length in lengths:
        begun = time.perf_counter()
        hidden = model.network.hidden(mx.array([list(ids[:length])], dtype=mx.int32))
        mx.eval(model.network.project(hidden[:, -1:]))
        found.append((length, time.perf_counter() - begun))
        tell("measuring without a cache", len(found), len(lengths))
    return tuple(found)


def _summed(measured: Sequence[tuple[int, float]]) -> float:
    """Seconds over every length from the first to the last, between them interpolated."""
    total = measured[0][1]
    for (length, seconds), (longer, more) in pairwise(measured):
        slope = (more - seconds) / (longer - length)
        total += sum(seconds + slope * step for step in range(1, longer - length + 1))
    return total


def _notes(model: Model, policy: CachePolicy, visible: int, run: _Run) -> tuple[str, ...]:
    notes: list[str] = []
    if policy.bits is not None:
        notes.append(
            f"The cache holds {policy.bits}-bit numbers: what is stored and the replay are exact, "
            "while the difference to a pass without a cache is that of quantising."
        )
    if policy.window is not None:
        notes.append(
            f"With a window of {policy.window:,} and {policy.pinned:,} pinned tokens, only the "
            f"first {visible:,} positions see what a pass without a cache sees; these are compared."
        )
    if run.moves:
        notes.append("Pinned keys were moved up behind the window, from their unmoved copies.")
    config = model.config
    states = config.layer_states if isinstance(config, ZooConfig) else ()
    if recurrent := sum(state.fixed_values > 0 for state in states):
        notes.append(
            f"{recurrent} layers keep a state that every token replaces; it has no past to "
            "compare, but the replay's logits depend on it."
        )
    return tuple(notes)


def _check(model: Model, ids: Sequence[int], policy: CachePolicy) -> None:
    if len(ids) < 2:
        raise PromptError("There must be at least 2 tokens to verify; give a longer text.")
    limit = model.config.max_position_embeddings
    if len(ids) > limit and policy.window is None:
        raise PromptError(
            "The text has {count:,} tokens and this model's context holds {limit:,}.",
            count=len(ids),
            limit=limit,
        )


def _silent(_what: str, _done: int, _total: int) -> None:
    pass
