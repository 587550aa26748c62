"""What a session is going to take in memory, and which window suits a model."""

from dataclasses import dataclass, replace

import mlx.core as mx

from engine.cache import CachePolicy, layer_capacity
from engine.cache.policy import group_size
from engine.config import ModelConfig
from engine.errors import SettingError
from engine.kernels import working_values
from engine.kv import GROUP_SIZE, kv_bytes
from engine.zoo_config import ZooConfig

STEP = 256
LEAST_WINDOW = 64
_SURPLUS = 1.2  # of what a prefill was measured to take, over its largest arrays
_FUSED_HEAD_DIMS = (64, 80, 128)  # attention without a matrix of scores, on Metal


@dataclass(frozen=True)
class SessionNeed:
    """The bytes of a cache and of a prefill, before there are any.

    Attributes:
        config: The model's shape.
        policy: How the session holds keys and values.
        value_bytes: Bytes of one value as the model computes it.
    """

    config: ModelConfig
    policy: CachePolicy
    value_bytes: int

    def cache_bytes(self, tokens: int) -> int:
        """Buffers for a sequence of `tokens`; where they rotate, for a full window."""
        bits = self.policy.bits
        if isinstance(self.config, ZooConfig):
            return kv_bytes(self.config, -(-tokens // STEP) * STEP, bits=self.value_bytes * 8)
        # Of keys that are pinned and moved there is a copy that was not: half a token each.
        copied = self.policy.pinned * self.config.num_hidden_layers // 2
        return kv_bytes(
            replace(self.config, num_hidden_layers=1),
            sum(self._slots(tokens)) + (copied if self.policy.window else 0),
            bits=bits or self.value_bytes * 8,
            group_size=group_size(self.config.head_dim) if bits else GROUP_SIZE,
        )

    def prefill_bytes(self, tokens: int, chunk: int) -> int:
        """What a chunk of a prefill takes beside the buffers, once there are `tokens`."""
        config = self.config
        heads, inner = config.num_attention_heads, config.intermediate_size
        spans = max(self._slots(tokens))
        per_token = 4 * config.hidden_size + 3 * inner + 2 * heads * config.head_dim
        scores = self._score_values(chunk, chunk * spans * heads)
        layer = 2 * spans * config.num_key_value_heads * config.head_dim
        logits = 4 * config.vocab_size
        values = chunk * per_token + scores + layer + logits
        return int(values * self.value_bytes * _SURPLUS) + chunk * spans

    def _score_values(self, chunk: int, scores: int) -> int:
        """How many values computing the scores of a chunk takes in one layer."""
        if mx.metal.is_available():
            return 0 if self.config.head_dim in _FUSED_HEAD_DIMS else scores
        own = not isinstance(self.config, ZooConfig)
        return working_values(chunk, scores) if own and self.value_bytes == 4 else scores

    def bytes(self, tokens: int, chunk: int) -> int:
        """Buffers and prefill together."""
        return self.cache_bytes(tokens) + self.prefill_bytes(tokens, chunk)

    def fitting_window(self, room_bytes: int, chunk: int) -> int | None:
        """The largest window, as `even_window` has them, that fits; None where none does."""
        if isinstance(self.config, ZooConfig):  # whose caches have no windows to choose
            return None
        window: int | None = even_window(self.config.max_position_embeddings)
        while window is not None:
            policy = CachePolicy(window, self.policy.pinned, self.policy.bits)
            smaller = replace(self, policy=policy)
            if smaller.bytes(window, min(chunk, STEP)) <= room_bytes:
                return window
            window = even_window(window - 1) if window > LEAST_WINDOW else None
        return None

    def _slots(self, tokens: int) -> list[int]:
        """Tokens that each layer's buffers have room for."""
        growing = -(-tokens // STEP) * STEP
        capacities = (layer_capacity(window, self.policy) for window in self.config.windows)
        return [growing if capacity is None else capacity for capacity in capacities]


def default_window(config: ModelConfig, pinned: int) -> int:
    """The window for a chat without end: pinned, window and a step stay in the trained context.

    Raises:
        SettingError: The pinned tokens leave no room for a window.
    """
    limit = config.longest_sequence or config.max_position_embeddings
    window = min(config.max_position_embeddings, limit) - pinned - STEP
    if window < LEAST_WINDOW:
        raise SettingError(
            "The system prompt has {pinned:,} tokens, which leaves no room for a chat in this "
            "model's context of {context:,}; shorten it.",
            pinned=pinned,
            context=config.max_position_embeddings,
        )
    return even_window(window)


def even_window(tokens: int) -> int:
    """The largest of 1, 2, 3, 4, 6, 8, 12, 16 … that is not above `tokens`, which is at least 1."""
    power = 1 << (tokens.bit_length() - 1)
    return power + power // 2 if tokens >= power + power // 2 else power
