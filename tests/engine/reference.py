"""The llama decoder in plain NumPy at float64, written from the papers alone.

RMSNorm (arXiv:1910.07467), RoPE (arXiv:2104.09864; linear: 2306.15595; llama3: 2407.21783 and its
published code), grouped-query attention (2305.13245), SwiGLU (2002.05202). It shares no code with
the engine: it reads the raw config.json and the raw weights.
"""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

Doubles = NDArray[np.float64]
Bools = NDArray[np.bool_]
Store = Callable[[Doubles], Doubles]
"""Maps keys or values (L, Hkv, D) to what a cache gives back of them."""


@dataclass(frozen=True)
class Sight:
    """What queries see.

    Attributes:
        visible: (L, L), row q column k: query q sees key k; causal where left out.
        key_positions: (L, L), where key k stands for query q; its index where left out.
        store: What a cache makes of rotated keys and of values.
    """

    visible: Bools | None = None
    key_positions: NDArray[np.int64] | None = None
    store: Store | None = None


def window_rule(length: int, window: int | None, pinned: int) -> Bools:
    """(L, L): p ≤ q and (p < pinned or q - p < window)."""
    q, p = np.arange(length)[:, None], np.arange(length)[None, :]
    causal = p <= q
    return causal if window is None else causal & ((p < pinned) | (q - p < window))


def logits(
    config: Mapping[str, Any],
    weights: Callable[[str], Doubles],
    ids: Sequence[int],
    sight: Sight | None = None,
) -> Doubles:
    """Run the decoder.

    Args:
        config: The content of config.json.
        weights: Checkpoint name → array.
        ids: L token ids, at positions 0 to L - 1.
        sight: What each of them sees.

    Returns:
        (L, V): row i predicts the token after ids[i].
    """
    model = _Reference(config, weights, sight or Sight())
    x = weights("model.embed_tokens.weight")[np.asarray(ids)]
    for layer in range(config["num_hidden_layers"]):
        x = model.block(x, f"model.layers.{layer}")
    x = model.norm(x, "model.norm")
    tied = config.get("tie_word_embeddings", False)
    return x @ weights("model.embed_tokens.weight" if tied else "lm_head.weight").T


class _Reference:
    def __init__(
        self, config: Mapping[str, Any], weights: Callable[[str], Doubles], sight: Sight
    ) -> None:
        self._config = config
        self._weights = weights
        self._sight = sight
        self._heads: int = config["num_attention_heads"]
        self._kv_heads: int = config["num_key_value_heads"]
        self._dim: int = config.get("head_dim") or config["hidden_size"] // self._heads
        self._angles = inverse_frequencies(config, self._dim)

    def norm(self, x: Doubles, name: str) -> Doubles:
        rms = np.sqrt(np.mean(x * x, axis=-1, keepdims=True) + self._config["rms_norm_eps"])
        return x / rms * self._weights(f"{name}.weight")

    def block(self, x: Doubles, name: str) -> Doubles:
        x = x + self._attention(self.norm(x, f"{name}.input_layernorm"), f"{name}.self_attn")
        normed = self.norm(x, f"{name}.post_attention_layernorm")
        gate = self._linear(normed, f"{name}.mlp.gate_proj", "mlp_bias")
        up = self._linear(normed, f"{name}.mlp.up_proj", "mlp_bias")
        silu = gate / (1 + np.exp(-gate))
        return x + self._linear(silu * up, f"{name}.mlp.down_proj", "mlp_bias")

    def _linear(self, x: Doubles, name: str, bias: str) -> Doubles:
        y = x @ self._weights(f"{name}.weight").T
        return y + self._weights(f"{name}.bias") if self._config.get(bias) else y

    def _attention(self, x: Doubles, name: str) -> Doubles:
        length = len(x)
        heads = {"q": self._heads, "k": self._kv_heads, "v": self._kv_heads}
        q, k, v = (
            self._linear(x, f"{name}.{part}_proj", "attention_bias").reshape(length, count, -1)
            for part, count in heads.items()
        )
        own = np.arange(length)
        visible, places, store = self._sight.visible, self._sight.key_positions, self._sight.store
        if visible is None:
            visible = window_rule(length, None, 0)
        if places is None:
            places = np.broadcast_to(own, (length, length))
        q = self._rotated(q, own)
        v = v if store is None else store(v)
        out = np.empty((length, self._heads, self._dim))
        rows, which = np.unique(places, axis=0, return_inverse=True)
        for index, row in enumerate(rows):
            keys = self._rotated(k, row)
            keys = keys if store is None else store(keys)
            chosen = which.reshape(-1) == index
            out[chosen] = self._mix(q[chosen], keys, v, visible[chosen])
        return self._linear(out.reshape(length, -1), f"{name}.o_proj", "attention_bias")

    def _mix(self, q: Doubles, k: Doubles, v: Doubles, visible: Bools) -> Doubles:
        """softmax(q kᵀ / √D) v, query head h with KV head h // (H / Hkv)."""
        shared = np.arange(self._heads) // (self._heads // self._kv_heads)
        scores = np.einsum("qhd,khd->hqk", q, k[:, shared]) / math.sqrt(self._dim)
        scores = np.where(visible[None], scores, -np.inf)
        scores = np.exp(scores - scores.max(axis=-1, keepdims=True))
        return np.einsum("hqk,khd->qhd", scores / scores.sum(axis=-1, keepdims=True), v[:, shared])

    def _rotated(self, x: Doubles, positions: NDArray[np.int64]) -> Doubles:
        """Turn the pairs (x[i], x[i + D/2]) of x (L, H, D) by position × frequency."""
        angle = positions[:, None, None] * self._angles
        cos, sin = np.cos(angle), np.sin(angle)
        one, other = np.split(x, 2, axis=-1)
        return np.concatenate([one * cos - other * sin, other * cos + one * sin], axis=-1)


def inverse_frequencies(config: Mapping[str, Any], dim: int) -> Doubles:
    """Radians per position of each pair, (D/2,), from either style of config."""
    rope: Mapping[str, Any] = config.get("rope_parameters") or config.get("rope_scaling") or {}
    theta = rope.get("rope_theta", config.get("rope_theta", 10_000.0))
    kind = rope.get("rope_type", rope.get("type", "default"))
    plain = [theta ** (-2 * i / dim) for i in range(dim // 2)]
    if kind == "linear":
        return np.array([frequency / rope["factor"] for frequency in plain])
    if kind == "llama3":
        return np.array([_llama3(frequency, rope) for frequency in plain])
    assert kind == "default"
    return np.array(plain)


def _llama3(frequency: float, rope: Mapping[str, Any]) -> float:
    trained, low, high = (
        rope["original_max_position_embeddings"],
        rope["low_freq_factor"],
        rope["high_freq_factor"],
    )
    wavelength = 2 * math.pi / frequency
    if wavelength < trained / high:
        return frequency
    if wavelength > trained / low:
        return frequency / rope["factor"]
    smooth = (trained / wavelength - low) / (high - low)
    return (1 - smooth) * frequency / rope["factor"] + smooth * frequency
