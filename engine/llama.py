"""The llama decoder, in reading order: attention, feed-forward, block, decoder.

Touvron et al. 2023 (arXiv:2302.13971) with grouped-query attention (Ainslie et al. 2023,
arXiv:2305.13245), and what its family adds: sliding windows (Mistral), biases (Qwen2), and norms of
queries and keys (Qwen3; Dehghani et al. 2023, arXiv:2302.05442). Parameters keep their checkpoint
names. The same forward pass serves prefill
and decode; a cache only saves it the keys and values of earlier tokens.
"""

from collections.abc import Callable

import mlx.core as mx

from engine.cache import Cache, CachePolicy, Extension, LayerCache, Mask, causal_mask
from engine.config import ModelConfig
from engine.errors import PromptError
from engine.kernels import grouped_attention, swiglu
from engine.layers import RMSNorm
from engine.rope import Rope
from engine.weights import Weights

Gate = Callable[[mx.array, mx.array], mx.array]


class Attention:
    """Causal self-attention: softmax(QKᵀ / √D) V, with RoPE on Q and K and shared KV heads.

    Some families normalise every head's queries and keys before RoPE.
    """

    def __init__(self, config: ModelConfig, weights: Weights, prefix: str, rope: Rope) -> None:
        hidden, dim = config.hidden_size, config.head_dim
        wide, narrow = config.num_attention_heads * dim, config.num_key_value_heads * dim
        bias, eps = config.attention_bias, config.rms_norm_eps
        self._head_dim = dim
        self._scale = dim**-0.5
        self._rope = rope
        self.q_proj = weights.linear(f"{prefix}.q_proj", wide, hidden, bias=bias)
        self.k_proj = weights.linear(f"{prefix}.k_proj", narrow, hidden, bias=bias)
        self.v_proj = weights.linear(f"{prefix}.v_proj", narrow, hidden, bias=bias)
        self.o_proj = weights.linear(
            f"{prefix}.o_proj", hidden, wide, bias=config.attention_output_bias
        )
        self.q_norm = self.k_norm = None
        if config.qk_norm:
            self.q_norm = RMSNorm(weights.vector(f"{prefix}.q_norm", dim), eps)
            self.k_norm = RMSNorm(weights.vector(f"{prefix}.k_norm", dim), eps)

    def __call__(self, x: mx.array, mask: Mask, cache: LayerCache | None, offset: int) -> mx.array:
        """Attend from x (B, L, hidden) to itself and to what the cache holds: (B, L, hidden)."""
        queries = split_heads(self.q_proj(x), self._head_dim, self.q_norm)
        keys = split_heads(self.k_proj(x), self._head_dim, self.k_norm)
        values = split_heads(self.v_proj(x), self._head_dim, None)
        queries = self._rope(queries, offset)
        keys = self._rope(keys, offset)
        if cache is not None:
            keys, values = cache.update(keys, values)
        out = grouped_attention(queries, keys, values, self._scale, mask)
        return self.o_proj(out.transpose(0, 2, 1, 3).reshape(*x.shape[:2], -1))


def split_heads(x: mx.array, dim: int, norm: RMSNorm | None) -> mx.array:
    """Split x (B, L, heads × D) into heads (B, heads, L, D), each normalised if asked."""
    heads = x.reshape(*x.shape[:2], -1, dim)
    return (heads if norm is None else norm(heads)).transpose(0, 2, 1, 3)


class FeedForward:
    """SwiGLU (Shazeer 2020, arXiv:2002.05202): down(silu(gate(x)) × up(x))."""

    def __init__(self, config: ModelConfig, weights: Weights, prefix: str, gate: Gate) -> None:
        hidden, inner, bias = config.hidden_size, config.intermediate_size, config.mlp_bias
        self._gate = gate
        self.gate_proj = weights.linear(f"{prefix}.gate_proj", inner, hidden, bias=bias)
        self.up_proj = weights.linear(f"{prefix}.up_proj", inner, hidden, bias=bias)
        self.down_proj = weights.linear(f"{prefix}.down_proj", hidden, inner, bias=bias)

    def __call__(self, x: mx.array) -> mx.array:
        """Map x (B, L, hidden), every token by itself."""
        return self.down_proj(self._gate(self.gate_proj(x), self.up_proj(x)))


class Block:
    """RMSNorm → attention → residual → RMSNorm → feed-forward → residual."""

    def __init__(
        self, config: ModelConfig, weights: Weights, prefix: str, rope: Rope, gate: Gate
    ) -> None:
        hidden, eps = config.hidden_size, config.rms_norm_eps
        self.input_layernorm = RMSNorm(weights.vector(f"{prefix}.input_layernorm", hidden), eps)
        self.self_attn = Attention(config, weights, f"{prefix}.self_attn", rope)
        self.post_attention_layernorm = RMSNorm(
            weights.vector(f"{prefix}.post_attention_layernorm", hidden), eps
        )
        self.mlp = FeedForward(config, weights, f"{prefix}.mlp", gate)

    def __call__(self, x: mx.array, mask: Mask, cache: LayerCache | None, offset: int) -> mx.array:
        """Add what attention and feed-forward say to the residual stream x (B, L, hidden)."""
        x = x + self.self_attn(self.input_layernorm(x), mask, cache, offset)
        return x + self.mlp(self.post_attention_layernorm(x))


class Decoder:
    """Embedding → blocks → final norm → lm_head, or the embedding again where weights are tied."""

    def __init__(
        self,
        config: ModelConfig,
        weights: Weights,
        on_block: Callable[[int], None] | None = None,
    ) -> None:
        hidden, vocabulary = config.hidden_size, config.vocab_size
        self._config = config
        gate = _gate()
        self.rope = self.sliding_rope = Rope(config.rope, config.head_dim)
        if config.sliding_rope is not None:
            self.sliding_rope = Rope(config.sliding_rope, config.head_dim)
        self._windows, self._longest = config.windows, config.longest_sequence
        self.embed_tokens = weights.embedding("model.embed_tokens", vocabulary, hidden)
        self.dtype = self.embed_tokens.dtype
        self.layers: list[Block] = []
        for index, window in enumerate(config.windows):
            if on_block is not None:
                on_block(index)
            rope = self.rope if window is None else self.sliding_rope
            self.layers.append(Block(config, weights, f"model.layers.{index}", rope, gate))
        self.norm = RMSNorm(weights.vector("model.norm", hidden), config.rms_norm_eps)
        self.lm_head = (
            self.embed_tokens.as_linear
            if config.tie_word_embeddings
            else weights.linear("lm_head", vocabulary, hidden)
        )

    def new_cache(self, policy: CachePolicy) -> Cache:
        """An empty cache for one sequence.

        Raises:
            SettingError: The policy asks for a cache that this decoder cannot have.
        """
        return Cache(self._config, policy, self.rope.move, self.sliding_rope.move)

    def hidden(self, ids: mx.array, cache: Cache | None = None) -> mx.array:
        """Run the blocks.

        Args:
            ids: (B, L) token ids, the first at position `cache.length`.
            cache: Keys and values of the tokens before; it is extended by L. None starts at 0.

        Returns:
            (B, L, hidden), before the final norm; lazy.

        Raises:
            PromptError: Without a cache, more tokens than RoPE has frequencies for.
        """
        count = ids.shape[1]
        new = self._alone(count) if cache is None else cache.extend(count)
        layers = [None] * len(self.layers) if cache is None else cache.layers
        x = self.embed_tokens(ids)
        for block, layer, mask in zip(self.layers, layers, new.masks, strict=True):
            x = block(x, mask, layer, new.offset)
        return x

    def _alone(self, count: int) -> Extension:
        """A sequence of `count` tokens without a cache."""
        if self._longest is not None and count > self._longest:
            raise PromptError(
                "This model's dynamic RoPE changes beyond {longest:,} tokens, which is not "
                "computed here; {count:,} are too many at once.",
                longest=self._longest,
                count=count,
            )
        masks: dict[int | None, Mask] = {
            window: causal_mask(count, window) for window in set(self._windows)
        }
        return Extension(0, tuple(masks[window] for window in self._windows))

    def project(self, x: mx.array) -> mx.array:
        """Final norm and lm_head: x (B, L, hidden) → logits (B, L, V)."""
        return self.lm_head(self.norm(x))


def _gate() -> Gate:
    """SwiGLU's product, fused into one kernel on Metal.

    Fusing on a CPU needs a C++ compiler at run time, which a user's machine may lack. The compiled
    function belongs to one decoder, so that it lives and ends on the engine's thread.
    """
    return mx.compile(swiglu, shapeless=True) if mx.metal.is_available() else swiglu
