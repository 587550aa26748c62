"""The llama decoder, in reading order: attention, feed-forward, block, decoder.

Touvron et al. 2023 (arXiv:2302.13971) with grouped-query attention (Ainslie et al. 2023,
arXiv:2305.13245). Parameters keep their checkpoint names. The same forward pass serves prefill
and decode; a cache only saves it the keys and values of earlier tokens.
"""

from collections.abc import Callable

import mlx.core as mx

from engine.cache import Cache, LayerCache, Mask
from engine.config import ModelConfig
from engine.layers import RMSNorm
from engine.rope import Rope
from engine.weights import Weights

Gate = Callable[[mx.array, mx.array], mx.array]


class Attention:
    """Causal self-attention: softmax(QKᵀ / √D) V, with RoPE on Q and K and shared KV heads."""

    def __init__(self, config: ModelConfig, weights: Weights, prefix: str, rope: Rope) -> None:
        hidden, dim = config.hidden_size, config.head_dim
        self._heads = config.num_attention_heads
        self._kv_heads = config.num_key_value_heads
        self._scale = dim**-0.5
        self._rope = rope
        bias = config.attention_bias
        self.q_proj = weights.linear(f"{prefix}.q_proj", self._heads * dim, hidden, bias=bias)
        self.k_proj = weights.linear(f"{prefix}.k_proj", self._kv_heads * dim, hidden, bias=bias)
        self.v_proj = weights.linear(f"{prefix}.v_proj", self._kv_heads * dim, hidden, bias=bias)
        self.o_proj = weights.linear(f"{prefix}.o_proj", hidden, self._heads * dim, bias=bias)

    def __call__(self, x: mx.array, mask: Mask, cache: LayerCache | None, offset: int) -> mx.array:
        """Attend from x (B, L, hidden) to itself and to what the cache holds: (B, L, hidden)."""
        batch, length, _ = x.shape
        queries = self.q_proj(x).reshape(batch, length, self._heads, -1).transpose(0, 2, 1, 3)
        keys = self.k_proj(x).reshape(batch, length, self._kv_heads, -1).transpose(0, 2, 1, 3)
        values = self.v_proj(x).reshape(batch, length, self._kv_heads, -1).transpose(0, 2, 1, 3)
        queries = self._rope(queries, offset)
        keys = self._rope(keys, offset)
        if cache is not None:
            keys, values = cache.update(keys, values)
        out = mx.fast.scaled_dot_product_attention(
            queries, keys, values, scale=self._scale, mask=mask
        )
        return self.o_proj(out.transpose(0, 2, 1, 3).reshape(batch, length, -1))


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
        self.rope, gate = Rope(config), _gate()
        self.embed_tokens = weights.embedding("model.embed_tokens", vocabulary, hidden)
        self.dtype = self.embed_tokens.dtype
        self.layers: list[Block] = []
        for index in range(config.num_hidden_layers):
            if on_block is not None:
                on_block(index)
            self.layers.append(Block(config, weights, f"model.layers.{index}", self.rope, gate))
        self.norm = RMSNorm(weights.vector("model.norm", hidden), config.rms_norm_eps)
        self.lm_head = (
            self.embed_tokens.as_linear
            if config.tie_word_embeddings
            else weights.linear("lm_head", vocabulary, hidden)
        )

    def hidden(self, ids: mx.array, cache: Cache | None = None) -> mx.array:
        """Run the blocks.

        Args:
            ids: (B, L) token ids, the first at position `cache.length`.
            cache: Keys and values of the tokens before; it is extended by L. None starts at 0.

        Returns:
            (B, L, hidden), before the final norm; lazy.
        """
        count = ids.shape[1]
        x = self.embed_tokens(ids)
        if cache is None:
            for block in self.layers:
                x = block(x, "causal" if count > 1 else None, None, 0)
            return x
        new = cache.extend(count)
        for block, layer in zip(self.layers, cache.layers, strict=True):
            x = block(x, new.mask, layer, new.offset)
        return x

    def project(self, x: mx.array) -> mx.array:
        """Final norm and lm_head: x (B, L, hidden) → logits (B, L, V)."""
        return self.lm_head(self.norm(x))


def _gate() -> Gate:
    """SwiGLU's product, fused into one kernel on Metal.

    Fusing on a CPU needs a C++ compiler at run time, which a user's machine may lack. The compiled
    function belongs to one decoder, so that it lives and ends on the engine's thread.
    """
    return mx.compile(_swiglu, shapeless=True) if mx.metal.is_available() else _swiglu


def _swiglu(gate: mx.array, up: mx.array) -> mx.array:
    return gate * mx.sigmoid(gate) * up
