"""How much arithmetic a run takes, with a cache and without.

For one token, two operations (a product and a sum) for every weight of the blocks' matrices; for
one query in one layer, 4 × query heads × head dimension operations for every key that it sees (the
score, and the sum of values); for one projected position, 2 × hidden size × vocabulary. Norms,
rotations and softmax are left out: they are far below a percent.
"""

from dataclasses import dataclass

from engine.cache import CachePolicy
from engine.config import ModelConfig


@dataclass(frozen=True)
class Operations:
    """Operations of running a sequence token by token.

    Attributes:
        cached: Each token runs once, and looks at the keys that are held.
        uncached: At each step the whole sequence so far runs again.
    """

    cached: int
    uncached: int

    @property
    def saved(self) -> float:
        """How many times more work the run without a cache is."""
        return self.uncached / self.cached


def count_operations(
    config: ModelConfig, tokens: int, policy: CachePolicy | None = None
) -> Operations:
    """Count for a run of `tokens` tokens, one at a time, each step projecting one position.

    Args:
        config: The shape of Cutaway's own decoder.
        tokens: At least 1.
        policy: Of the cache: with a window, queries see fewer keys. Some models have their own.
    """
    bounds = [_most_seen(window, policy or CachePolicy()) for window in config.windows]
    weights = 2 * _block_weights(config)
    attention = 4 * config.num_attention_heads * config.head_dim
    head = 2 * config.hidden_size * config.vocab_size
    cached = uncached = 0
    seen_so_far = 0
    for length in range(1, tokens + 1):
        seen = sum(length if bound is None else min(length, bound) for bound in bounds)
        seen_so_far += seen
        cached += weights + attention * seen + head
        uncached += weights * length + attention * seen_so_far + head
    return Operations(cached, uncached)


def _most_seen(window: int | None, policy: CachePolicy) -> int | None:
    """How many keys a query sees at most, in a layer with a window of its own; None sees all."""
    windows = [each for each in (window, policy.window) if each is not None]
    pinned = policy.pinned if policy.window is not None else 0
    return min(windows) + pinned if windows else None


def _block_weights(config: ModelConfig) -> int:
    """Weights of the matrices in all blocks."""
    heads = 2 * config.num_attention_heads + 2 * config.num_key_value_heads
    attention = config.hidden_size * config.head_dim * heads
    return config.num_hidden_layers * (
        attention + 3 * config.hidden_size * config.intermediate_size
    )
