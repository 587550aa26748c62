"""config.json in both of its styles; what is refused names its cause."""

import json
import math
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import engine
from engine.config import (
    ModelConfig,
    Quantization,
    RopeConfig,
    parse_config,
    read_config,
    read_json,
    token_ids,
)
from engine.families import SUPPORTED_ARCHITECTURES
from engine.rope import inverse_frequencies

LEAST: dict[str, Any] = {
    "model_type": "llama",
    "hidden_size": 64,
    "num_hidden_layers": 2,
    "num_attention_heads": 4,
    "intermediate_size": 128,
    "vocab_size": 300,
}
LLAMA3 = {
    "factor": 8.0,
    "low_freq_factor": 1.0,
    "high_freq_factor": 4.0,
    "original_max_position_embeddings": 8192,
}


def rope(**entries: Any) -> RopeConfig:
    return parse_config({**LEAST, **entries}).rope


def test_what_is_left_out_has_the_defaults_of_llama() -> None:
    assert parse_config(LEAST) == ModelConfig(
        model_type="llama",
        hidden_size=64,
        num_hidden_layers=2,
        num_attention_heads=4,
        num_key_value_heads=4,
        head_dim=16,
        intermediate_size=128,
        vocab_size=300,
        max_position_embeddings=2048,
        rms_norm_eps=1e-6,
        rope=RopeConfig(theta=10_000.0),
        tie_word_embeddings=False,
        attention_bias=False,
        mlp_bias=False,
        bos_token_id=None,
        eos_token_ids=(),
        torch_dtype="bfloat16",
    )


def test_what_is_said_is_kept() -> None:
    config = parse_config(
        {
            **LEAST,
            "num_key_value_heads": 2,
            "head_dim": 32,
            "max_position_embeddings": 512,
            "rms_norm_eps": 1e-5,
            "tie_word_embeddings": True,
            "attention_bias": True,
            "mlp_bias": True,
            "hidden_act": "swish",
            "bos_token_id": 1,
            "eos_token_id": [7, 2, 7],
            "dtype": "float32",
            "torch_dtype": "float16",
        }
    )
    assert (config.num_key_value_heads, config.head_dim) == (2, 32)
    assert (config.max_position_embeddings, config.rms_norm_eps) == (512, 1e-5)
    assert config.tie_word_embeddings
    assert config.attention_bias
    assert config.mlp_bias
    assert (config.bos_token_id, config.eos_token_ids) == (1, (2, 7))
    assert config.torch_dtype == "float32"


@pytest.mark.parametrize(
    ("entries", "expected"),
    [
        ({}, RopeConfig()),
        ({"rope_theta": 5e5}, RopeConfig(theta=5e5)),
        ({"rope_theta": 5e5, "rope_scaling": None}, RopeConfig(theta=5e5)),
        ({"rope_parameters": {"rope_theta": 5e5, "rope_type": "default"}}, RopeConfig(theta=5e5)),
        ({"rope_theta": 5e5, "rope_parameters": {"rope_type": "default"}}, RopeConfig(theta=5e5)),
        ({"rope_theta": 1.0, "rope_parameters": {"rope_theta": 5e5}}, RopeConfig(theta=5e5)),
        (
            {"rope_scaling": {"type": "linear", "factor": 2}},
            RopeConfig(kind="linear", factor=2.0),
        ),
        (
            {"rope_parameters": {"rope_type": "linear", "factor": 2.0, "rope_theta": 9.0}},
            RopeConfig(theta=9.0, kind="linear", factor=2.0),
        ),
        (
            {"rope_theta": 5e5, "rope_scaling": {**LLAMA3, "rope_type": "llama3"}},
            RopeConfig(5e5, "llama3", 8.0, 1.0, 4.0, 8192),
        ),
        (
            {"rope_parameters": {**LLAMA3, "rope_type": "llama3", "rope_theta": 5e5}},
            RopeConfig(5e5, "llama3", 8.0, 1.0, 4.0, 8192),
        ),
        ({"partial_rotary_factor": 1.0}, RopeConfig()),
    ],
)
def test_both_styles_of_rope_settings(entries: dict[str, Any], expected: RopeConfig) -> None:
    assert rope(**entries) == expected


@pytest.mark.parametrize(
    ("entries", "kind", "cause"),
    [
        ({"model_type": "gpt2"}, engine.UnsupportedError, "architecture 'gpt2'"),
        ({"model_type": None}, engine.UnsupportedError, "architecture 'missing'"),
        ({"model_type": ["llama"]}, engine.UnsupportedError, "architecture"),
        ({"hidden_act": "gelu"}, engine.UnsupportedError, "activation 'gelu'"),
        ({"hidden_size": None}, engine.ModelFileError, "leaves out hidden_size"),
        ({"hidden_size": 0}, engine.ModelFileError, "has 0 for hidden_size"),
        ({"hidden_size": "64"}, engine.ModelFileError, "has '64' for hidden_size"),
        ({"hidden_size": 64.0}, engine.ModelFileError, "has 64.0 for hidden_size"),
        ({"hidden_size": True}, engine.ModelFileError, "has True for hidden_size"),
        ({"num_hidden_layers": 5000}, engine.ModelFileError, "num_hidden_layers"),
        ({"num_attention_heads": 10**400}, engine.ModelFileError, "num_attention_heads"),
        ({"num_attention_heads": 65}, engine.ModelFileError, "has 0 for head_dim"),
        ({"num_key_value_heads": 3}, engine.ModelFileError, "3 KV heads do not divide"),
        ({"head_dim": 15}, engine.ModelFileError, "head_dim 15; RoPE needs an even one"),
        ({"vocab_size": -1}, engine.ModelFileError, "vocab_size"),
        ({"intermediate_size": []}, engine.ModelFileError, "intermediate_size"),
        ({"rms_norm_eps": 0}, engine.ModelFileError, "rms_norm_eps"),
        ({"rms_norm_eps": math.nan}, engine.ModelFileError, "nan for rms_norm_eps"),
        ({"rms_norm_eps": 10**400}, engine.ModelFileError, "for rms_norm_eps"),
        ({"rope_theta": math.inf}, engine.ModelFileError, "rope_theta"),
        ({"rope_theta": -1.0}, engine.ModelFileError, "rope_theta"),
        ({"rope_theta": 1e-300}, engine.ModelFileError, "rope_theta"),
        ({"rope_theta": "10000"}, engine.ModelFileError, "rope_theta, which must be a number"),
        ({"rope_scaling": [1]}, engine.ModelFileError, "RoPE settings are not an object"),
        ({"rope_scaling": {"type": "yarn"}}, engine.ModelFileError, "factor"),
        ({"rope_scaling": {"type": "longrope"}}, engine.UnsupportedError, "scaling 'longrope'"),
        ({"rope_scaling": {"type": "linear"}}, engine.ModelFileError, "factor"),
        (
            {"rope_scaling": {**LLAMA3, "type": "llama3", "high_freq_factor": 1.0}},
            engine.ModelFileError,
            "high_freq_factor is not above low_freq_factor",
        ),
        (
            {"rope_scaling": {"rope_type": "llama3", "factor": 8.0}},
            engine.ModelFileError,
            "low_freq_factor",
        ),
        (
            {"rope_parameters": {"sliding_attention": {"rope_theta": 5e5}}},
            engine.UnsupportedError,
            "none for full_attention",
        ),
        ({"partial_rotary_factor": 1.5}, engine.ModelFileError, "partial_rotary_factor"),
        ({"tie_word_embeddings": "yes"}, engine.ModelFileError, "tie_word_embeddings"),
        ({"attention_bias": 1}, engine.ModelFileError, "attention_bias"),
        ({"quantization": 4}, engine.ModelFileError, "quantization is not an object"),
        ({"quantization": {}}, engine.ModelFileError, "leaves out bits"),
        ({"quantization": {"bits": 4}}, engine.ModelFileError, "leaves out group_size"),
        ({"quantization": {"bits": 9, "group_size": 64}}, engine.ModelFileError, "bits"),
        (
            {"quantization": {"bits": 4, "group_size": 32, "mode": "fp6"}},
            engine.UnsupportedError,
            "mode 'fp6'",
        ),
        ({"quantization_config": {"quant_method": "gptq"}}, engine.UnsupportedError, "gptq"),
        ({"quantization_config": "odd"}, engine.UnsupportedError, "another method"),
    ],
)
def test_what_is_refused_names_its_cause(
    entries: dict[str, Any], kind: type[engine.EngineError], cause: str
) -> None:
    with pytest.raises(kind) as caught:
        parse_config({**LEAST, **entries})
    message = str(caught.value)
    assert cause in message
    assert message.endswith(".")
    assert len(message) < 200


def test_quantisation_by_layer() -> None:
    config = parse_config(
        {
            **LEAST,
            "quantization": {
                "group_size": 64,
                "bits": 4,
                "mode": "affine",
                "lm_head": {"group_size": 32, "bits": 8},
                "model.layers.0.mlp.up_proj": False,
                "note": "ignored",
            },
            "quantization_config": {"group_size": 64, "bits": 4},
        }
    )
    assert config.quantization == Quantization(64, 4)
    assert config.quantization_of("lm_head") == Quantization(32, 8)
    assert config.quantization_of("model.layers.0.mlp.up_proj") is None
    assert config.quantization_of("model.layers.1.mlp.up_proj") == Quantization(64, 4)
    assert set(config.quantized_layers) == {"lm_head", "model.layers.0.mlp.up_proj"}


@pytest.mark.parametrize(
    ("value", "expected"),
    [(2, (2,)), ([3, 1, 3], (1, 3)), (None, ()), ([], ()), ("2", ()), ([True, -1, 2.0, 5], (5,))],
)
def test_end_ids(value: object, expected: tuple[int, ...]) -> None:
    assert token_ids(value) == expected


KEYS = [
    *LEAST,
    *("num_key_value_heads", "head_dim", "max_position_embeddings", "rms_norm_eps", "hidden_act"),
    *("rope_theta", "rope_scaling", "rope_parameters", "partial_rotary_factor", "eos_token_id"),
    *("tie_word_embeddings", "attention_bias", "quantization", "quantization_config", "dtype"),
    *("sliding_window", "use_sliding_window", "max_window_layers", "layer_types", "architectures"),
    *("mlp_bias", "original_max_position_embeddings", "attn_logit_softcapping", "norm_type"),
]
ROPE_KEYS = [
    *("rope_type", "type", "rope_theta", "partial_rotary_factor", *LLAMA3, "attention_factor"),
    *("beta_fast", "beta_slow", "mscale", "mscale_all_dim", "truncate", "short_factor"),
]
numbers = st.one_of(
    st.integers(-2, 300),
    st.integers(),
    st.floats(),
    st.sampled_from([10**400, -(10**400), 1 << 31, 1 << 63, 5e-324, 1e308]),
)
plain = st.one_of(
    numbers, st.none(), st.booleans(), st.text(max_size=3), st.lists(numbers, max_size=2)
)
kinds = st.sampled_from(["default", "linear", "dynamic", "llama3", "yarn", "longrope"])
ropes = st.fixed_dictionaries(
    {"rope_type": kinds}, optional={key: st.one_of(numbers, plain) for key in ROPE_KEYS[2:]}
)
quantizations = st.dictionaries(st.sampled_from(["bits", "group_size", "mode", "lm_head"]), plain)
values = st.one_of(plain, ropes, quantizations, st.recursive(plain, st.lists, max_leaves=4))


def parsed(changes: dict[str, Any]) -> tuple[ModelConfig | None, str]:
    try:
        return parse_config({**LEAST, **changes}), ""
    except engine.EngineError as error:
        return None, str(error)


def assert_usable_or_refused(changes: dict[str, Any]) -> None:
    config, message = parsed(changes)
    if config is None:
        assert message.endswith(".")
        return
    assert config.num_attention_heads % config.num_key_value_heads == 0
    assert config.parameters > 0
    assert engine.kv_bytes(config, 1) > 0
    assert engine.plan(config, memory=1 << 30).needed_bytes > 0
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        frequencies = inverse_frequencies(config.rope, min(config.head_dim, 256))
        single = (1.0 / frequencies).astype(np.float32)
    assert np.all(np.isfinite(single))
    assert np.all(single > 0)


@settings(max_examples=300, derandomize=True)
@given(
    st.sampled_from(SUPPORTED_ARCHITECTURES),
    st.dictionaries(st.sampled_from(KEYS), values, max_size=4),
)
def test_any_numbers_give_a_usable_shape_or_an_error_of_ours(
    model_type: str, changes: dict[str, Any]
) -> None:
    assert_usable_or_refused({"model_type": model_type, "num_key_value_heads": 2, **changes})


@settings(max_examples=200, derandomize=True)
@given(st.sampled_from(["rope_parameters", "rope_scaling"]), ropes)
def test_any_rope_settings_give_finite_frequencies_or_an_error_of_ours(
    key: str, entries: dict[str, Any]
) -> None:
    assert_usable_or_refused({key: entries})


def test_reading_a_file(tmp_path: Path) -> None:
    path = tmp_path / "config.json"
    with pytest.raises(engine.ModelNotFoundError, match="There is no file"):
        read_config(path)
    path.write_text(json.dumps(LEAST), encoding="utf-8")
    assert read_config(path) == parse_config(LEAST)
    for content in (b"", b"{", b"\xff\xfe", b"[" * 100_000, b'{"a": 1' + b"0" * 5000 + b"}"):
        path.write_bytes(content)
        with pytest.raises(engine.ModelFileError, match="not valid JSON"):
            read_config(path)
    path.write_text("[1]", encoding="utf-8")
    with pytest.raises(engine.ModelFileError, match="not a JSON object"):
        read_config(path)
    with pytest.raises(engine.ModelFileError, match="not a file that can be read"):
        read_json(tmp_path)
    with path.open("wb") as file:
        file.truncate((16 << 20) + 1)
    with pytest.raises(engine.ModelFileError, match="too large"):
        read_json(path)
