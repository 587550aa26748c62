"""What a config.json of each family means, and which ones are refused by name."""

from typing import Any

import pytest

from engine.config import ModelConfig, parse_config
from engine.errors import ModelFileError, UnsupportedError
from tests.engine.checkpoints import LEFT_OUT, TinyLlama

SLIDING, FULL = "sliding_attention", "full_attention"


def config_of(model_type: str = "llama", **entries: Any) -> ModelConfig:
    return parse_config(TinyLlama(model_type=model_type, extra=entries).config())


@pytest.mark.parametrize("model_type", ["llama", "mistral", "ministral", "qwen2", "qwen3"])
def test_what_is_left_out_is_what_transformers_takes_it_for(model_type: str) -> None:
    keys = ("num_key_value_heads", "head_dim", "max_position_embeddings", "rope_theta")
    keys += ("rms_norm_eps", "tie_word_embeddings", "attention_bias", "mlp_bias", "architectures")
    config = config_of(
        model_type, num_attention_heads=32, hidden_size=64, **dict.fromkeys(keys, LEFT_OUT)
    )
    kv_heads = {"llama": 32, "mistral": 8, "ministral": 8}.get(model_type, 32)
    context = {"llama": 2048, "qwen2": 32_768, "qwen3": 32_768}.get(model_type, 131_072)
    window = 4096 if "mini" in model_type or model_type == "mistral" else None
    assert config.num_key_value_heads == kv_heads
    assert config.head_dim == (128 if model_type == "qwen3" else 2)
    assert config.max_position_embeddings == context
    assert config.windows == (window, window)
    assert config.rope.theta == 10_000.0
    assert config.rms_norm_eps == 1e-6
    assert not config.tie_word_embeddings
    assert config.attention_bias == (model_type == "qwen2")
    assert not config.attention_output_bias
    assert config.qk_norm == (model_type == "qwen3")


@pytest.mark.parametrize("model_type", ["llama", "mistral", "qwen2", "qwen3"])
def test_kv_heads_of_null_are_as_many_as_query_heads(model_type: str) -> None:
    assert config_of(model_type, num_key_value_heads=None).num_key_value_heads == 4


@pytest.mark.parametrize(
    ("model_type", "entries", "windows"),
    [
        ("mistral", {}, (4096, 4096, 4096)),
        ("mistral", {"sliding_window": None}, (None,) * 3),
        ("mistral", {"sliding_window": 8}, (8,) * 3),
        ("mistral", {"sliding_window": 8, "layer_types": [FULL, SLIDING, FULL]}, (None, 8, None)),
        ("ministral", {"sliding_window": 8, "layer_types": [SLIDING, FULL, FULL]}, (8, None, None)),
        ("llama", {"sliding_window": 8, "layer_types": [FULL, SLIDING, FULL]}, (None, 8, None)),
        ("llama", {"sliding_window": 8, "layer_types": ["attention"] * 3}, (None,) * 3),
        ("llama", {"sliding_window": 8, "use_sliding_window": False}, (None,) * 3),
        ("qwen2", {}, (None,) * 3),
        ("qwen2", {"sliding_window": 8, "max_window_layers": 1}, (None,) * 3),
        ("qwen2", {"use_sliding_window": True}, (None,) * 3),
        ("qwen2", {"use_sliding_window": True, "max_window_layers": 2}, (None, None, 4096)),
        ("qwen3", {"use_sliding_window": True, "max_window_layers": 0}, (4096,) * 3),
        (
            "qwen3",
            {"use_sliding_window": True, "sliding_window": 8, "layer_types": [SLIDING, FULL, FULL]},
            (8, None, None),
        ),
    ],
)
def test_which_layers_have_a_window(
    model_type: str, entries: dict[str, Any], windows: tuple[int | None, ...]
) -> None:
    assert config_of(model_type, num_hidden_layers=3, **entries).windows == windows


@pytest.mark.parametrize(
    ("model_type", "entries", "error", "message"),
    [
        ("gemma3", {}, UnsupportedError, "'gemma3'"),
        ("qwen3_moe", {}, UnsupportedError, "'qwen3_moe'"),
        ("mistral", {"attention_bias": True}, UnsupportedError, "attention_bias"),
        ("qwen2", {"mlp_bias": True}, UnsupportedError, "mlp_bias"),
        ("qwen3", {"hidden_act": "gelu"}, UnsupportedError, "'gelu'"),
        ("llama", {"sliding_window": 8}, UnsupportedError, "sliding_window of 8"),
        ("llama", {"layer_types": [FULL, "chunked_attention"]}, UnsupportedError, "'chunked_"),
        ("llama", {"layer_types": [FULL, "linear_attention"]}, UnsupportedError, "'linear_"),
        ("llama", {"layer_types": [FULL, 3]}, UnsupportedError, "layer type 3"),
        ("llama", {"layer_types": [FULL, [FULL]]}, UnsupportedError, "layer type"),
        ("llama", {"layer_types": [FULL]}, ModelFileError, "2 layers, but layer_types lists 1"),
        ("llama", {"layer_types": FULL}, ModelFileError, "layer_types lists 0"),
        ("llama", {"layer_types": [FULL, SLIDING]}, ModelFileError, "no sliding_window"),
        (
            "qwen2",
            {"layer_types": [FULL, SLIDING], "sliding_window": 8, "use_sliding_window": False},
            ModelFileError,
            "no sliding_window",
        ),
        ("mistral", {"sliding_window": 0}, ModelFileError, "0 for sliding_window"),
        ("mistral", {"sliding_window": "4k"}, ModelFileError, "sliding_window"),
        (
            "qwen2",
            {"use_sliding_window": True, "max_window_layers": -1},
            ModelFileError,
            "max_window_layers",
        ),
        (
            "llama",
            {"architectures": ["LlamaForSequenceClassification"]},
            UnsupportedError,
            "LlamaForSequenceClassification",
        ),
        ("llama", {"architectures": "MyLlama"}, UnsupportedError, "MyLlama"),
        (
            "llama",
            {"head_dim": LEFT_OUT, "hidden_size": 66},
            ModelFileError,
            "66, which 4 heads do not divide",
        ),
    ],
)
def test_what_is_refused(
    model_type: str, entries: dict[str, Any], error: type[Exception], message: str
) -> None:
    with pytest.raises(error, match=message):
        config_of(model_type, **entries)


def test_biases_of_llama_and_qwen3_are_as_configured() -> None:
    for model_type in ("llama", "qwen3"):
        for wanted in (False, True):
            config = config_of(model_type, attention_bias=wanted)
            assert config.attention_bias == config.attention_output_bias == wanted


def test_the_class_names_of_every_age_are_known() -> None:
    for name in ("LlamaForCausalLM", "LLaMAForCausalLM", "Qwen2Model"):
        assert config_of(architectures=[name]).model_type == "llama"
