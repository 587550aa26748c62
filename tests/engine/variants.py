"""Tiny models of every architecture, with every RoPE and every way to have windows."""

from typing import Any

from tests.engine.checkpoints import LEFT_OUT, TinyLlama

SLIDING, FULL = "sliding_attention", "full_attention"
YARN = {"rope_type": "yarn", "factor": 4.0, "original_max_position_embeddings": 32}
PARTS: dict[str, dict[str, Any]] = {
    "sliding": {"sliding_window": 7},
    "upper": {"use_sliding_window": True, "sliding_window": 7, "max_window_layers": 1},
    "alternating": {
        "use_sliding_window": True,
        "sliding_window": 9,
        "layer_types": [SLIDING, FULL, SLIDING],
    },
}
ROPES: dict[str, dict[str, Any]] = {
    "linear": {"rope_scaling": {"type": "linear", "factor": 2.0}},
    "dynamic": {"rope_scaling": {"type": "dynamic", "factor": 4.0}},
    "llama3": {
        "rope_scaling": {
            "rope_type": "llama3",
            "factor": 8.0,
            "low_freq_factor": 1.0,
            "high_freq_factor": 4.0,
            "original_max_position_embeddings": 64,
        }
    },
    "yarn": {"rope_theta": 1e6, "rope_scaling": YARN},
    "yarn, newer style": {"rope_parameters": {**YARN, "rope_theta": 5e4}},
    "yarn, attention factor": {"rope_scaling": {**YARN, "attention_factor": 1.5}},
    "yarn, mscale": {"rope_scaling": {**YARN, "mscale": 0.7, "mscale_all_dim": 1.9}},
    "yarn, betas": {"rope_scaling": {**YARN, "beta_fast": 4.0, "beta_slow": 0.5}},
    "yarn, not truncated": {"rope_scaling": {**YARN, "truncate": False, "beta_fast": 4}},
    "partial": {"partial_rotary_factor": 0.5},
    "partial yarn": {"rope_parameters": {**YARN, "partial_rotary_factor": 0.75}},
}
VARIANTS: dict[str, TinyLlama] = {
    "llama": TinyLlama(),
    "llama, as saved by transformers 5": TinyLlama(
        extra={
            "rope_theta": LEFT_OUT,
            "rope_parameters": {"rope_theta": 3e5, "rope_type": "default"},
            "dtype": "float32",
        }
    ),
    "llama, alternating": TinyLlama(num_hidden_layers=3, extra=PARTS["alternating"]),
    "mistral": TinyLlama(model_type="mistral", extra={"sliding_window": None}),
    "mistral, sliding": TinyLlama(model_type="mistral", extra=PARTS["sliding"]),
    "mistral, window 1": TinyLlama(model_type="mistral", extra={"sliding_window": 1}),
    "mistral, wide window": TinyLlama(model_type="mistral", extra={"sliding_window": 4096}),
    "mistral, alternating": TinyLlama(
        model_type="mistral", num_hidden_layers=3, tied=False, extra=PARTS["alternating"]
    ),
    "ministral": TinyLlama(model_type="ministral", num_hidden_layers=3, extra=PARTS["alternating"]),
    "qwen2": TinyLlama(model_type="qwen2"),
    "qwen2, untied": TinyLlama(model_type="qwen2", tied=False, num_key_value_heads=1),
    "qwen2, window off": TinyLlama(
        model_type="qwen2", extra={**PARTS["upper"], "use_sliding_window": False}
    ),
    "qwen2, upper layers": TinyLlama(model_type="qwen2", num_hidden_layers=3, extra=PARTS["upper"]),
    "qwen2, alternating": TinyLlama(
        model_type="qwen2", num_hidden_layers=3, extra=PARTS["alternating"]
    ),
    "qwen3": TinyLlama(model_type="qwen3"),
    "qwen3, biases": TinyLlama(model_type="qwen3", attention_bias=True, head_dim=20),
    "qwen3, all layers": TinyLlama(
        model_type="qwen3", extra={**PARTS["upper"], "max_window_layers": 0}
    ),
    "qwen3, upper layers": TinyLlama(
        model_type="qwen3", num_hidden_layers=3, num_key_value_heads=4, extra=PARTS["upper"]
    ),
    "RoPE by layer type": TinyLlama(
        model_type="qwen3",
        num_hidden_layers=3,
        extra={
            **PARTS["alternating"],
            "rope_parameters": {
                FULL: {**YARN, "rope_theta": 1e6},
                SLIDING: {"rope_type": "default", "rope_theta": 500.0},
            },
        },
    ),
    **{f"{name}": TinyLlama(extra=extra) for name, extra in ROPES.items()},
    "qwen2 with yarn": TinyLlama(model_type="qwen2", extra=ROPES["yarn"]),
    "mistral with yarn": TinyLlama(
        model_type="mistral", extra={**PARTS["sliding"], **ROPES["yarn"]}
    ),
}
