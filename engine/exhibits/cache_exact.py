"""Exhibit 7: the KV cache is exact, and what happens where it is not."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from engine.exactness import ExactnessReport
from engine.exhibits.common import (
    Claim,
    Exhibit,
    How,
    Inputs,
    Note,
    Watch,
    choice,
    how,
    number,
    text,
    whole,
)
from engine.exhibits.hashing import HashedStep, hashed, stored_hash
from engine.exhibits.looking import MOST_TOKENS, tokens_of
from engine.exhibits.one_more import OneMore, one_more, one_more_claim
from engine.exhibits.sabotage import Number, Sabotage, altered, sabotage, sabotage_claims
from engine.llama import Decoder
from engine.model import Model
from engine.operations import count_operations
from engine.verify import verify

_HASHED, _CHANGED, _VERIFIED = 0.2, 0.4, 0.85  # shares of the whole that are done after these parts


@dataclass(frozen=True)
class CacheExactInputs(Inputs):
    """What can be set."""

    text: str = text(
        "The capital of France is Paris. The capital of Spain is",
        "the text that is run token by token",
    )
    reply: int = whole(6, 1, 64, "tokens of the answer that is compared")
    layer: int = whole(0, 0, 4095, "layer of the number that is changed, from 0")
    position: int = whole(
        3,
        0,
        MOST_TOKENS,
        "token whose key or value is changed, from 0; the last but one where there are fewer",
    )
    part: str = choice("value", ("key", "value"), "which of the two is changed")
    head: int = whole(0, 0, 65_535, "KV head of the number that is changed, from 0")
    dimension: int = whole(0, 0, 65_535, "dimension of the number that is changed, from 0")
    amount: float = number(100.0, -1e6, 1e6, "what is added to the number")


@dataclass(frozen=True)
class Comparison:
    """What the exactness report says.

    Attributes:
        stored_values: How many stored numbers were compared bit for bit, over all steps.
        stored_exact: Whether none changed.
        replay_exact: Whether a second run from an empty cache gave the same logits and stored
            numbers, bit for bit.
        replay_differs_at: The first position where it did not.
        one_shot_largest: The largest difference of a logit to one pass without a cache.
        rounding_bound: What that may be for another order of the same sums.
        logits_scale: The largest absolute logit.
        positions: How many positions were compared with the one pass.
        same_tokens: At how many both choose the same token.
        operations_cached: Operations with the cache; None for models of mlx-lm.
        operations_uncached: The same if each step ran the whole sequence again.
        cached_s: Seconds with the cache, measured.
        uncached_s: Seconds without, measured at up to 12 lengths, the others interpolated.
        cached_each_s: Seconds of each token with the cache.
        uncached_each_s: The lengths that were measured without one, and the seconds of each.
    """

    stored_values: int
    stored_exact: bool
    replay_exact: bool
    replay_differs_at: int | None
    one_shot_largest: float
    rounding_bound: float | None
    logits_scale: float
    positions: int
    same_tokens: int
    operations_cached: int | None
    operations_uncached: int | None
    cached_s: float
    uncached_s: float
    cached_each_s: tuple[float, ...]
    uncached_each_s: tuple[tuple[int, float], ...]


@dataclass(frozen=True)
class CacheExactResult:
    """What was measured.

    Attributes:
        inputs: What was set.
        tokens: How many tokens the text has.
        steps: One for each token run so far.
        comparison: The exactness report; None while it is being made.
        one_more: One more token of a long text; None while it is not measured.
        sabotage: None while it is not done, and for models of mlx-lm.
        notes: Where care is needed.
        how: How the figures are computed.
    """

    inputs: CacheExactInputs
    tokens: int
    steps: tuple[HashedStep, ...]
    comparison: Comparison | None
    one_more: OneMore | None
    sabotage: Sabotage | None
    notes: tuple[Note, ...]
    how: tuple[How, ...]


def measure(
    model: Model,
    inputs: CacheExactInputs,
    watch: Watch,
) -> CacheExactResult:
    """Run the text token by token with hashes, change one stored number, then verify the run.

    Raises:
        PromptError: The text has fewer than 2 or too many tokens.
        SettingError: The model has no such number to change.
        CancelledError: It was stopped.
    """
    ids = tokens_of(model, inputs.text, least=2)
    position = min(inputs.position, len(ids) - 2)
    number_at = Number(inputs.layer, position, inputs.part, inputs.head, inputs.dimension)
    if isinstance(model.network, Decoder):
        number_at.check(model)
    result = CacheExactResult(inputs, len(ids), (), None, None, None, _notes(model), _HOW)
    for done in hashed(model, ids):
        result = replace(result, steps=(*result.steps, done))
        watch.tell(_HASHED * len(result.steps) / len(ids), result)
    if isinstance(model.network, Decoder):
        part = watch.part(_HASHED, _CHANGED)
        found = sabotage(model, ids, number_at, inputs.amount, inputs.reply, part)
        result = replace(result, sabotage=found)
        watch.tell(_CHANGED, result)
    result = replace(result, comparison=_verified(model, ids, watch.part(_CHANGED, _VERIFIED)))
    watch.tell(_VERIFIED, result)
    result = replace(result, one_more=one_more(model, ids, watch.part(_VERIFIED, 1.0)))
    watch.tell(1.0, result)
    return result


def claims(result: CacheExactResult) -> Iterator[Claim]:
    """What should be seen, as far as it is measured."""
    yield Claim(
        "hashes",
        "Running a token leaves the keys and values of all earlier tokens as they are: their hash "
        "is the same before and after.",
        sum(each.before != each.after for each in result.steps), "=", 0,
        "steps at which the hash changed",
    )  # fmt: skip
    if result.comparison is not None:
        yield from _comparison_claims(result.comparison)
    if result.one_more is not None:
        yield one_more_claim(result.one_more)
    if result.sabotage is not None:
        yield from sabotage_claims(result.sabotage)


def _comparison_claims(comparison: Comparison) -> Iterator[Claim]:
    yield Claim(
        "stored",
        "No bit of what the cache stores changes later on.",
        int(not comparison.stored_exact), "=", 0, "changes found",
    )  # fmt: skip
    yield Claim(
        "replay",
        "The run repeated from an empty cache, one token at a time, gives the same logits and the "
        "same keys and values, bit for bit.",
        int(not comparison.replay_exact), "=", 0, "differing runs",
    )  # fmt: skip
    if comparison.rounding_bound is not None:
        yield Claim(
            "one_shot",
            "Computed in one go without a cache, the logits differ by no more than rounding.",
            comparison.one_shot_largest, "≤", comparison.rounding_bound, "logits",
        )  # fmt: skip
    yield Claim(
        "same_tokens",
        "Both ways choose the same token at every position.",
        comparison.same_tokens, "=", comparison.positions, "positions",
    )  # fmt: skip
    if comparison.operations_cached is not None and comparison.operations_uncached is not None:
        yield Claim(
            "operations",
            "The cache saves work: without it every step would run the whole text again.",
            comparison.operations_cached, "<", comparison.operations_uncached, "operations",
        )  # fmt: skip


def _verified(model: Model, ids: Sequence[int], watch: Watch) -> Comparison:
    parts = ("watching the cache", "replaying", "measuring without a cache")

    def on_progress(what: str, done: int, total: int) -> None:
        watch.tell((parts.index(what) + done / total) / len(parts))

    report: ExactnessReport = verify(model, ids, compare=False, on_progress=on_progress)
    work = report.operations
    return Comparison(
        stored_values=report.stored_values,
        stored_exact=report.stored_exact,
        replay_exact=report.replay_exact,
        replay_differs_at=report.replay_differs_at,
        one_shot_largest=report.one_shot.largest,
        rounding_bound=report.rounding_bound,
        logits_scale=report.one_shot.scale,
        positions=report.one_shot.positions,
        same_tokens=report.one_shot.same_tokens,
        operations_cached=None if work is None else work.cached,
        operations_uncached=None if work is None else work.uncached,
        cached_s=report.cached_s,
        uncached_s=report.uncached_s,
        cached_each_s=report.cached_each_s,
        uncached_each_s=report.uncached_each_s,
    )


def _notes(model: Model) -> tuple[Note, ...]:
    notes = [
        Note(
            "same_shapes",
            "Bit for bit holds for the same computation at the same shapes: one token at a time "
            "against one token at a time. A prompt run in one go, or in other chunks, adds up the "
            "same sums in another order, so its last bits differ; that is rounding, not an error "
            "of the cache.",
        ),
        Note(
            "argmax",
            "A rounding difference can tip the choice where two tokens are almost equally likely; "
            "it does so more easily in bfloat16 than in float32.",
        ),
        Note(
            "other_devices",
            "The hashes belong to this device and this precision: another chip or library gives "
            "other last bits, and its runs agree among themselves just the same.",
        ),
        Note(
            "small_changes",
            "Not every change makes the answer wrong: a small one changes the logits a little, and "
            "one in the last bit may be lost in rounding. The exhibit shows how large it must be.",
        ),
    ]
    if any(window is not None for window in model.config.windows):
        notes.append(
            Note(
                "windows",
                "Some layers of this model see only a window of recent tokens. A number of an "
                "older token changes nothing there any more.",
            )
        )
    if not isinstance(model.network, Decoder):
        notes.append(
            Note(
                "runs_through_mlx_lm",
                "This model runs through mlx-lm, whose caches are not taken apart here: nothing "
                "is changed in them on purpose, and operations are not counted.",
            )
        )
    return tuple(notes)


_HOW = (
    how("steps", stored_hash, "BLAKE2b-64 of the bytes of all keys and values, layer by layer"),
    how("comparison", verify, "bits(before) = bits(after); max |logits cached - logits at once|"),
    how(
        "comparison.operations_cached",
        count_operations,
        "per token 2 × weights of the blocks + 4 × query heads × head dimension × keys seen, in "
        "every layer, + 2 × hidden size × vocabulary; without a cache the same for the whole text "
        "at each step",
    ),
    how("one_more", one_more, "clock around one token with the cache, and around all without"),
    how("sabotage", altered, "number + amount in one copy; max |logits - logits unchanged|"),
)

EXHIBIT = Exhibit(7, "cache_exact", "The KV cache is exact", CacheExactInputs, measure, claims)
