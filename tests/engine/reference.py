"""Decoders of the llama family in plain NumPy at float64, written from the papers alone.

RMSNorm (arXiv:1910.07467), RoPE (arXiv:2104.09864; linear: 2306.15595; llama3: 2407.21783 and its
published code; yarn: 2309.00071 and its published code), grouped-query attention (2305.13245),
sliding windows (2310.06825), SwiGLU (2002.05202). What each family has is as in transformers'
modeling files. It shares no code with the engine: it reads the raw config.json and the raw weights.
"""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

SLIDING = ("sliding_attention",)
MSCALES = ("mscale", "mscale_all_dim")

Doubles = NDArray[np.float64]
Bools = NDArray[np.bool_]
Store = Callable[[Doubles], Doubles]
"""Maps keys or values (L, Hkv, D) to what a cache gives back of them."""


@dataclass(frozen=True)
class Sight:
    """What queries see.

    Attributes:
        visible: (L, L), row q column k: query q sees key k, or that by the window of the layer;
            the layer's own rule where left out.
        key_positions: (L, L), where key k stands for query q; its index where left out.
        store: What a cache makes of rotated keys and of values.
    """

    visible: Bools | Callable[[int | None], Bools] | None = None
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
        x = model.block(x, layer)
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
        kinds = layer_types(config)
        self._windows = [config["sliding_window"] if kind in SLIDING else None for kind in kinds]
        self._ropes = [Rotation(config, self._dim, kind) for kind in kinds]

    def norm(self, x: Doubles, name: str) -> Doubles:
        rms = np.sqrt(np.mean(x * x, axis=-1, keepdims=True) + self._config["rms_norm_eps"])
        return x / rms * self._weights(f"{name}.weight")

    def block(self, x: Doubles, layer: int) -> Doubles:
        name = f"model.layers.{layer}"
        x = x + self._attention(self.norm(x, f"{name}.input_layernorm"), layer)
        normed = self.norm(x, f"{name}.post_attention_layernorm")
        gate = self._linear(normed, f"{name}.mlp.gate_proj", "mlp_bias")
        up = self._linear(normed, f"{name}.mlp.up_proj", "mlp_bias")
        silu = gate / (1 + np.exp(-gate))
        return x + self._linear(silu * up, f"{name}.mlp.down_proj", "mlp_bias")

    def _linear(self, x: Doubles, name: str, bias: str) -> Doubles:
        y = x @ self._weights(f"{name}.weight").T
        has_bias = self._config.get(bias)
        if self._config["model_type"] == "qwen2" and bias == "attention_bias":
            has_bias = not name.endswith("o_proj")
        return y + self._weights(f"{name}.bias") if has_bias else y

    def _attention(self, x: Doubles, layer: int) -> Doubles:
        length, name, rotated = len(x), f"model.layers.{layer}.self_attn", self._ropes[layer]
        heads = {"q": self._heads, "k": self._kv_heads, "v": self._kv_heads}
        q, k, v = (
            self._linear(x, f"{name}.{part}_proj", "attention_bias").reshape(length, count, -1)
            for part, count in heads.items()
        )
        if self._config["model_type"] == "qwen3":
            q, k = self.norm(q, f"{name}.q_norm"), self.norm(k, f"{name}.k_norm")
        own = np.arange(length)
        visible, places, store = self._sight.visible, self._sight.key_positions, self._sight.store
        if visible is None:
            visible = window_rule(length, self._windows[layer], 0)
        elif callable(visible):
            visible = visible(self._windows[layer])
        if places is None:
            places = np.broadcast_to(own, (length, length))
        q = rotated(q, own)
        v = v if store is None else store(v)
        out = np.empty((length, self._heads, self._dim))
        rows, which = np.unique(places, axis=0, return_inverse=True)
        for index, row in enumerate(rows):
            keys = rotated(k, row)
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


def layer_types(config: Mapping[str, Any]) -> list[str]:
    """The type of each layer, which transformers' configuration classes fill in."""
    layers: int = config["num_hidden_layers"]
    if config.get("layer_types"):
        return config["layer_types"]
    sliding = 0
    if config["model_type"] in {"mistral", "ministral"} and config["sliding_window"] is not None:
        sliding = layers
    if config["model_type"].startswith("qwen") and config.get("use_sliding_window"):
        sliding = max(layers - config["max_window_layers"], 0)
    return ["full_attention"] * (layers - sliding) + ["sliding_attention"] * sliding


class Rotation:
    """Turns the pairs (x[i], x[i + d/2]) of x (L, H, D) by position × frequency[i].

    The first d dimensions are rotated, and multiplied by yarn's attention factor; the others pass.
    """

    def __init__(self, config: Mapping[str, Any], dim: int, layer_type: str) -> None:
        rope: Mapping[str, Any] = config.get("rope_parameters") or {}
        own = {**config, "rope_parameters": rope.get(layer_type, rope)}
        share = config.get("partial_rotary_factor", 1.0)
        share = _rope_entries(own).get("partial_rotary_factor", share)
        self._dims = int(dim * share)
        self._angles = inverse_frequencies(own, self._dims)
        self._factor = attention_factor(own)

    def __call__(self, x: Doubles, positions: NDArray[np.int64]) -> Doubles:
        angle = positions[:, None, None] * self._angles
        cos, sin = np.cos(angle) * self._factor, np.sin(angle) * self._factor
        one, other = np.split(x[..., : self._dims], 2, axis=-1)
        turned = [one * cos - other * sin, other * cos + one * sin]
        return np.concatenate([*turned, x[..., self._dims :]], axis=-1)


def inverse_frequencies(config: Mapping[str, Any], dim: int) -> Doubles:
    """Radians per position of each pair, (dim/2,), from either style of config."""
    rope = _rope_entries(config)
    theta = rope.get("rope_theta", config.get("rope_theta", 10_000.0))
    kind = rope.get("rope_type", rope.get("type", "default"))
    plain = [theta ** (-2 * i / dim) for i in range(dim // 2)]
    if kind == "linear":
        return np.array([frequency / rope["factor"] for frequency in plain])
    if kind == "llama3":
        return np.array([_llama3(frequency, rope) for frequency in plain])
    if kind == "yarn":
        return np.array(
            [_yarn(i, frequency, rope, theta, dim) for i, frequency in enumerate(plain)]
        )
    # Dynamic scaling changes nothing within the trained context.
    assert kind in {"default", "dynamic"}
    return np.array(plain)


def attention_factor(config: Mapping[str, Any]) -> float:
    """What yarn multiplies rotated queries and keys by."""
    rope = _rope_entries(config)
    if rope.get("rope_type", rope.get("type")) != "yarn":
        return 1.0
    if rope.get("attention_factor") is not None:
        return rope["attention_factor"]
    if rope.get("mscale") and rope.get("mscale_all_dim"):
        up, down = (0.1 * rope[key] * math.log(rope["factor"]) + 1 for key in MSCALES)
        return up / down
    return 0.1 * math.log(rope["factor"]) + 1


def _rope_entries(config: Mapping[str, Any]) -> Mapping[str, Any]:
    return config.get("rope_parameters") or config.get("rope_scaling") or {}


def _yarn(i: int, frequency: float, rope: Mapping[str, Any], theta: float, dim: int) -> float:
    """Keep what turns often in the trained context, stretch what turns seldom, mix in between."""
    trained = rope["original_max_position_embeddings"]

    def border(turns: float) -> float:
        """The i, not whole, at which a pair makes so many turns: θ^(-2i/d) · L = 2π · turns."""
        return dim / 2 * math.log(trained / (2 * math.pi * turns), theta)

    first, last = border(rope.get("beta_fast", 32)), border(rope.get("beta_slow", 1))
    if rope.get("truncate", True):
        first, last = math.floor(first), math.ceil(last)
    first, last = max(first, 0), min(last, dim - 1)
    stretched = min(max((i - first) / (last - first), 0.0), 1.0)
    return stretched * frequency / rope["factor"] + (1 - stretched) * frequency


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
