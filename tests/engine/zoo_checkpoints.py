"""Writes tiny random checkpoints of architectures that run through mlx-lm.

The weights are those that mlx-lm's own model class draws from a seed, so what is compared with them
is how Cutaway reads, feeds and caches the model.
"""

from collections.abc import Mapping
from importlib import import_module
from pathlib import Path
from typing import Any, cast

import mlx.core as mx
from mlx import nn, utils

from tests.engine.checkpoints import END_ID, _write

_SHARED: Mapping[str, Any] = {
    "hidden_size": 64,
    "num_hidden_layers": 2,
    "intermediate_size": 128,
    "num_attention_heads": 4,
    "num_key_value_heads": 2,
    "head_dim": 16,
    "vocab_size": 288,
    "rms_norm_eps": 1e-5,
    "max_position_embeddings": 512,
    "bos_token_id": END_ID - 1,
    "eos_token_id": END_ID,
    "torch_dtype": "float32",
}
_MAMBA2: Mapping[str, Any] = {
    "model_type": "mamba2",
    "num_heads": 4,
    "head_dim": 32,
    "vocab_size": 288,
    "hidden_size": 64,
    "intermediate_size": 128,
    "state_size": 16,
    "num_hidden_layers": 2,
    "layer_norm_epsilon": 1e-5,
    "conv_kernel": 4,
    "n_groups": 1,
    "use_bias": False,
    "use_conv_bias": True,
    "tie_word_embeddings": True,
    "time_step_limit": [0.0, 1e4],
    "time_step_rank": "auto",
    "torch_dtype": "float32",
    "eos_token_id": END_ID,
}
ZOO: Mapping[str, Mapping[str, Any]] = {
    "gemma2": {**_SHARED, "model_type": "gemma2", "rope_theta": 10_000.0},
    "gemma3_text": {
        **_SHARED,
        "model_type": "gemma3_text",
        "num_hidden_layers": 3,
        "sliding_window": 24,
        "layer_types": ["sliding_attention", "sliding_attention", "full_attention"],
        "query_pre_attn_scalar": 16,
        "rope_parameters": {
            "full_attention": {"rope_type": "linear", "factor": 8.0, "rope_theta": 1_000_000.0},
            "sliding_attention": {"rope_type": "default", "rope_theta": 10_000.0},
        },
    },
    "gemma3": {
        "model_type": "gemma3",
        "vocab_size": 288,
        "eos_token_id": [END_ID],
        "text_config": {
            **_SHARED,
            "model_type": "gemma3_text",
            "sliding_window": 24,
            "sliding_window_pattern": 2,
            "rope_theta": 1_000_000.0,
            "rope_local_base_freq": 10_000.0,
            "query_pre_attn_scalar": 16,
        },
    },
    "phi3": {**_SHARED, "model_type": "phi3", "rope_theta": 10_000.0},
    "olmo2": {
        **_SHARED,
        "model_type": "olmo2",
        "rope_parameters": {"rope_type": "default", "rope_theta": 500_000.0},
        "tie_word_embeddings": False,
    },
    "qwen3_moe": {
        **_SHARED,
        "model_type": "qwen3_moe",
        "num_experts": 4,
        "num_experts_per_tok": 2,
        "decoder_sparse_step": 1,
        "mlp_only_layers": [],
        "moe_intermediate_size": 32,
        "rope_theta": 10_000.0,
        "tie_word_embeddings": False,
        "norm_topk_prob": True,
        "max_window_layers": 2,
        "use_sliding_window": False,
        "sliding_window": None,
    },
    "gpt_oss": {
        **_SHARED,
        "model_type": "gpt_oss",
        "num_local_experts": 4,
        "num_experts_per_tok": 2,
        "rope_theta": 150_000,
        "sliding_window": 16,
        "layer_types": ["sliding_attention", "full_attention"],
        "rope_scaling": {
            "rope_type": "yarn",
            "factor": 4.0,
            "beta_fast": 32.0,
            "beta_slow": 1.0,
            "original_max_position_embeddings": 128,
        },
    },
    "mamba2": _MAMBA2,
    "falcon_h1": {
        **_SHARED,
        "model_type": "falcon_h1",
        "mamba_d_ssm": 64,
        "mamba_n_heads": 4,
        "mamba_d_head": 16,
        "mamba_d_state": 16,
        "mamba_n_groups": 1,
        "mamba_d_conv": 4,
        "mamba_chunk_size": 16,
        "rope_theta": 10_000.0,
    },
}


def build(config: Mapping[str, Any], seed: int = 0) -> nn.Module:
    """mlx-lm's model for a config in its own style, with random weights."""
    mx.random.seed(seed)
    module = import_module(f"mlx_lm.models.{config['model_type']}")
    model = module.Model(module.ModelArgs.from_dict(dict(config)))
    entries = cast("list[tuple[str, mx.array]]", utils.tree_flatten(model.parameters()))
    # Ones and zeros, as norms and biases begin, would hide where they are left out.
    model.load_weights([(name, a + 0.1 * mx.random.normal(a.shape)) for name, a in entries])
    mx.eval(model.parameters())
    model.eval()
    return model


def write_zoo(folder: Path, config: Mapping[str, Any], model: nn.Module, shards: int = 1) -> Path:
    """Write config.json, a tokenizer and the weights of a model, as mlx-lm saves them."""
    arrays = dict(cast("list[tuple[str, mx.array]]", utils.tree_flatten(model.parameters())))
    return _write(folder, dict(config), arrays, shards)
