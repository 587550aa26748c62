"""What a GGUF file says about its model becomes the same config as the checkpoint's."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from engine.config import RopeConfig, parse_config
from engine.errors import ModelFileError, UnsupportedError
from engine.gguf import GGUFFile, model_config, row_order
from engine.gguf_rope import llama3_factors
from engine.source import starter_path
from tests.engine.checkpoints import TinyLlama, write_gguf

TINY = TinyLlama()


def config_of(folder: Path, model: TinyLlama = TINY, **options: Any):
    return model_config(GGUFFile.open(write_gguf(folder / "tiny.gguf", model, **options)))


@pytest.mark.parametrize(
    "model",
    [
        TINY,
        TinyLlama(tied=False),
        TinyLlama(attention_bias=True, mlp_bias=True),
        TinyLlama(num_key_value_heads=1, head_dim=32),
    ],
)
def test_the_config_is_that_of_the_checkpoint(tmp_path: Path, model: TinyLlama):
    expected = parse_config(model.config())

    config = config_of(tmp_path, model)

    assert replace(config, eos_token_ids=expected.eos_token_ids) == expected


def test_the_starters_config():
    config = model_config(GGUFFile.open(starter_path()))

    assert config.num_hidden_layers == 30
    assert config.rms_norm_eps == 1e-5
    assert config.rope == RopeConfig(theta=100_000.0)
    assert config.tie_word_embeddings
    assert config.eos_token_ids == (0, 2)


def test_end_tokens_are_the_named_ids_and_the_well_known_control_tokens(tmp_path: Path):
    config = config_of(tmp_path, entries={"tokenizer.ggml.eot_token_id": 270})

    assert config.eos_token_ids == (256, 258, 270)


def test_linear_scaling_is_read(tmp_path: Path):
    entries = {"llama.rope.scaling.type": "linear", "llama.rope.scaling.factor": 4.0}

    assert config_of(tmp_path, entries=entries).rope == RopeConfig(kind="linear", factor=4.0)


@pytest.mark.parametrize("factor", [8.0, 32.0])
def test_llama3_scaling_is_recognised_from_its_factors(tmp_path: Path, factor: float):
    model = TinyLlama(head_dim=64, num_attention_heads=2, num_key_value_heads=1)
    factors = llama3_factors(64, 500_000.0, factor).astype(np.float32)
    assert len(set(factors.tolist())) > 3

    config = config_of(
        tmp_path,
        model,
        entries={"llama.rope.freq_base": 500_000.0},
        extra_tensors={"rope_freqs.weight": factors},
    )

    assert config.rope == RopeConfig(
        theta=500_000.0,
        kind="llama3",
        factor=factor,
        low_freq_factor=1.0,
        high_freq_factor=4.0,
        original_max_position_embeddings=8192,
    )


def test_factors_of_one_scale_nothing(tmp_path: Path):
    ones = np.ones(8, np.float32)

    assert config_of(tmp_path, extra_tensors={"rope_freqs.weight": ones}).rope == RopeConfig()


@pytest.mark.parametrize("bad", [0.0, -1.0, 2.5, np.nan, np.inf])
def test_other_frequency_factors_are_refused(tmp_path: Path, bad: float):
    factors = llama3_factors(16, 10_000.0, 8.0).astype(np.float32)
    factors[1] = bad

    with pytest.raises(UnsupportedError, match="frequency factors"):
        config_of(tmp_path, extra_tensors={"rope_freqs.weight": factors})


def test_frequency_factors_of_another_size_are_damage(tmp_path: Path):
    with pytest.raises(ModelFileError, match=r"rope_freqs\.weight"):
        config_of(tmp_path, extra_tensors={"rope_freqs.weight": np.ones(7, np.float32)})


@pytest.mark.parametrize(
    ("entries", "message"),
    [
        ({"general.architecture": "gemma3"}, "'gemma3'"),
        ({"llama.expert_count": 8}, "expert_count 8"),
        ({"llama.logit_scale": 2.0}, "logit_scale"),
        ({"llama.attention.clamp_kqv": 8.0}, "clamp_kqv"),
        ({"llama.attention.temperature_scale": 0.1}, "temperature_scale"),
        ({"llama.rope.freq_base_swa": 1e6}, "freq_base_swa"),
        ({"llama.rope.scaling.yarn_ext_factor": 0.0}, "yarn_ext_factor"),
        ({"llama.rope.scaling.yarn_log_multiplier": 0.1}, "yarn_log_multiplier"),
        ({"llama.rope.dimension_count": 8}, "Partial rotary"),
        ({"llama.attention.value_length": 8}, "values of 8"),
        ({"llama.rope.scaling.type": "longrope"}, "'longrope'"),
    ],
)
def test_what_is_not_computed_is_named(tmp_path: Path, entries: Any, message: str):
    with pytest.raises(UnsupportedError, match=message):
        config_of(tmp_path, entries=entries)


def test_two_rope_scalings_at_once_are_refused(tmp_path: Path):
    entries = {"llama.rope.scaling.type": "linear", "llama.rope.scaling.factor": 4.0}

    with pytest.raises(UnsupportedError, match="two ways"):
        config_of(tmp_path, entries=entries, extra_tensors={"rope_freqs.weight": np.ones(8)})


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("llama.block_count", 0),
        ("llama.embedding_length", "many"),
        ("llama.attention.head_count", 3),
        ("llama.attention.layer_norm_rms_epsilon", 0.0),
        ("llama.rope.freq_base", -1.0),
    ],
)
def test_impossible_numbers_are_refused(tmp_path: Path, key: str, value: Any):
    with pytest.raises(ModelFileError, match="The config has"):
        config_of(tmp_path, entries={key: value})


def test_a_value_per_layer_is_taken_where_all_layers_agree(tmp_path: Path):
    file = GGUFFile.open(write_gguf(tmp_path / "tiny.gguf", TINY))
    key = "llama.feed_forward_length"

    same = replace(file, metadata={**file.metadata, key: [128, 128]})
    assert model_config(same).intermediate_size == 128

    other = replace(file, metadata={**file.metadata, key: [128, 64]})
    with pytest.raises(UnsupportedError, match="different feed forward length"):
        model_config(other)


def test_a_file_without_an_embedding_is_refused(tmp_path: Path):
    file = GGUFFile.open(write_gguf(tmp_path / "tiny.gguf", TINY))

    with pytest.raises(ModelFileError, match=r"token_embd\.weight"):
        model_config(replace(file, tensors={}))


def test_row_order_is_a_permutation_of_q_and_k_only():
    config = parse_config(TINY.config())

    order = row_order("model.layers.0.self_attn.k_proj.weight", config)

    assert order is not None
    assert sorted(order.tolist()) == list(range(32))
    assert order[:4].tolist() == [0, 8, 1, 9]
    assert row_order("model.layers.0.self_attn.v_proj.weight", config) is None
