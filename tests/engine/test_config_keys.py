"""Entries that may change the result are refused by name; what changes nothing is passed over."""

from typing import Any

import pytest

from engine.config import parse_config
from engine.errors import UnsupportedError
from tests.engine.checkpoints import TinyLlama

DANGEROUS: dict[str, Any] = {
    "attn_logit_softcapping": 50.0,
    "final_logit_softcapping": 30.0,
    "query_pre_attn_scalar": 256,
    "attention_multiplier": 1.0,
    "embedding_multiplier": 12.0,
    "residual_multiplier": 0.22,
    "logits_scaling": 8.0,
    "logit_scale": 0.0625,
    "scale_emb": 12,
    "scale_depth": 1.4,
    "num_local_experts": 8,
    "num_experts_per_tok": 2,
    "moe_intermediate_size": 768,
    "rope_interleaved": True,
    "rope_traditional": True,
    "rope_ratio": 2,
    "alibi": True,
    "use_alibi": True,
    "position_embedding_type": "alibi",
    "no_rope_layers": [1, 0],
    "no_rope_layer_interval": 4,
    "nope_layer_interval": 4,
    "sliding_window_pattern": 6,
    "interleaved_sliding_window": 4096,
    "attention_chunk_size": 8192,
    "attn_temperature_tuning": True,
    "attention_sinks": 4,
    "attention_out_bias": True,
    "lm_head_bias": True,
    "qkv_bias": True,
    "use_qk_norm": True,
    "norm_type": "layernorm",
    "clip_qkv": 8.0,
    "hidden_activation": "gelu",
    "is_causal": False,
    "use_bidirectional_attention": True,
    "scale_attn_by_inverse_layer_idx": True,
    "llama_4_scaling": {"beta": 0.1},
    "use_parallel_residual": True,
    "lora_rank": 8,
}
HARMLESS: dict[str, Any] = {
    "_name_or_path": "someone/model",
    "_attn_implementation_autoset": True,
    "_flash_attn_2_enabled": True,
    "attn_implementation": "flash_attention_2",
    "attention_dropout": 0.1,
    "attn_pdrop": 0.1,
    "initializer_range": 0.02,
    "pretraining_tp": 2,
    "use_cache": True,
    "output_attentions": True,
    "transformers_version": "5.0.0",
    "unsloth_fixed": True,
    "auto_map": {"AutoModelForCausalLM": "modeling_llama.LlamaForCausalLM"},
    "pad_token_id": 0,
    "temperature": 0.7,
    "rope_interleaved": False,
    "residual_multiplier": 1.0,
    "embedding_multiplier": 1,
    "attn_logit_softcapping": None,
    "num_experts": 0,
    "mlp_only_layers": [],
    "is_causal": True,
    "position_embedding_type": "rope",
    "sliding_window": None,
    "max_window_layers": 28,
    "router_aux_loss_coef": 0.001,
    "task_specific_params": {"scale": 2},
}


def config_of(model_type: str = "llama", **entries: Any):
    return parse_config(TinyLlama(model_type=model_type, extra=entries).config())


@pytest.mark.parametrize("model_type", ["llama", "qwen3"])
@pytest.mark.parametrize("key", DANGEROUS)
def test_what_may_change_the_result_is_refused_by_name(model_type: str, key: str) -> None:
    with pytest.raises(UnsupportedError, match=key):
        config_of(model_type, **{key: DANGEROUS[key]})


@pytest.mark.parametrize("model_type", ["llama", "mistral", "qwen2", "qwen3"])
@pytest.mark.parametrize("key", HARMLESS)
def test_what_changes_nothing_is_passed_over(model_type: str, key: str) -> None:
    plain = {"sliding_window": None, "max_window_layers": 28}
    config = config_of(model_type, **plain, **{} if key in plain else {key: HARMLESS[key]})
    assert config == config_of(model_type, **plain)


def test_the_sentence_shows_the_value_and_stays_short() -> None:
    with pytest.raises(UnsupportedError) as caught:
        config_of(**{"rope_" + "x" * 900: "y" * 900})
    assert str(caught.value).startswith("The config asks for rope_xxx")
    assert len(str(caught.value)) < 200
