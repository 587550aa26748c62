"""What an exactness report says; `engine.verify` makes it."""

from dataclasses import dataclass

from engine.cache import CachePolicy
from engine.operations import Operations


@dataclass(frozen=True)
class Change:
    """Something stored that was not what it was before.

    Attributes:
        layer: Counted from 0, of the layers that store keys and values.
        position: Of the token whose key or value it is.
        after: Position of the token that was run in between.
        part: Which of the two.
    """

    layer: int
    position: int
    after: int
    part: str


@dataclass(frozen=True)
class Difference:
    """Two computations of the same logits, compared.

    Attributes:
        positions: How many positions were compared.
        largest: The largest absolute difference of two logits.
        scale: The largest absolute logit, to compare that with.
        same_tokens: At how many positions both choose the same token.
    """

    positions: int
    largest: float
    scale: float
    same_tokens: int


@dataclass(frozen=True)
class ExactnessReport:
    """What `verify` found.

    Attributes:
        model: Its name.
        tokens: How many were run.
        policy: Of the cache.
        stored_layers: Layers whose keys and values were compared; others keep no past.
        stored_values: How many stored numbers were compared, before and after each token.
        stored_exact: Whether none of them changed.
        first_change: The first that did.
        pinned_moves: How often pinned keys were moved up, which rewrites them on purpose.
        replay_exact: Whether the second run gave the same logits and stored numbers, bit for bit.
        replay_differs_at: The first position where it did not.
        one_shot: The cached run against one pass without a cache.
        rounding_bound: What its largest difference may be for a change of order alone; None where
            a quantised cache rounds more.
        within_rounding: Whether it is; None where there is no bound.
        reference: The pass without a cache against mlx-lm's model on the same weights.
        reference_note: Why there is none, or what it leaves out.
        operations: Work with and without a cache, counted; None for models of mlx-lm.
        token_passes_cached: Tokens run through the network with the cache.
        token_passes_uncached: The same if every step ran the whole sequence again.
        cached_s: Seconds of the cached run, measured.
        uncached_s: Seconds of running the whole sequence again at every step; measured at up to 12
            lengths, the others interpolated.
        cached_each_s: Seconds of each token of the cached run.
        uncached_each_s: Lengths that were measured without a cache, and the seconds of each.
        notes: Sentences on what this report does and does not say.
    """

    model: str
    tokens: int
    policy: CachePolicy
    stored_layers: int
    stored_values: int
    stored_exact: bool
    first_change: Change | None
    pinned_moves: int
    replay_exact: bool
    replay_differs_at: int | None
    one_shot: Difference
    rounding_bound: float | None
    within_rounding: bool | None
    reference: Difference | None
    reference_note: str
    operations: Operations | None
    token_passes_cached: int
    token_passes_uncached: int
    cached_s: float
    uncached_s: float
    cached_each_s: tuple[float, ...]
    uncached_each_s: tuple[tuple[int, float], ...]
    notes: tuple[str, ...]

    @property
    def exact(self) -> bool:
        """Whether every check that can fail passed."""
        return self.stored_exact and self.replay_exact and self.within_rounding is not False
