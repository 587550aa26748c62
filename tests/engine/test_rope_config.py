"""What a config says about RoPE: both styles, by layer type, and what is refused by name."""

import math
from typing import Any

import pytest

from engine.config import ModelConfig, RopeConfig, parse_config
from engine.errors import ModelFileError, UnsupportedError
from tests.engine.checkpoints import LEFT_OUT, TinyLlama

SLIDING, FULL = "sliding_attention", "full_attention"
YARN = {"rope_type": "yarn", "factor": 4.0, "original_max_position_embeddings": 128}
LLAMA3 = {"rope_type": "llama3", "factor": 8.0, "low_freq_factor": 1.0, "high_freq_factor": 4.0}


def config_of(model_type: str = "llama", **entries: Any) -> ModelConfig:
    return parse_config(TinyLlama(model_type=model_type, extra=entries).config())


def rope_of(**entries: Any) -> RopeConfig:
    return config_of(**entries).rope


def test_both_styles_say_the_same() -> None:
    older = rope_of(rope_theta=5e5, rope_scaling={"type": "linear", "factor": 2})
    newer = rope_of(
        rope_theta=LEFT_OUT,
        rope_parameters={"rope_type": "linear", "rope_theta": 5e5, "factor": 2.0},
    )
    assert older == newer == RopeConfig(theta=5e5, kind="linear", factor=2.0)


def test_the_base_of_the_newer_style_wins_over_one_beside_it() -> None:
    assert rope_of(rope_theta=1.5, rope_parameters={"rope_theta": 5e5}).theta == 5e5


def test_two_descriptions_may_agree_and_must_not_differ() -> None:
    linear = {"rope_type": "linear", "factor": 2.0}
    assert rope_of(rope_scaling=linear, rope_parameters=linear).factor == 2.0
    with pytest.raises(UnsupportedError, match="describes RoPE twice"):
        rope_of(rope_scaling=linear, rope_parameters={"rope_type": "default"})


def test_rope_by_layer_type() -> None:
    by_type = {FULL: {**YARN, "rope_theta": 1e6}, SLIDING: {"rope_type": "default"}}
    types = {"sliding_window": 8, "layer_types": [SLIDING, FULL]}
    config = config_of("mistral", rope_parameters=by_type, **types)
    assert config.rope.kind == "yarn"
    assert config.rope.theta == 1e6
    assert config.sliding_rope == RopeConfig()
    same = {FULL: LLAMA3, SLIDING: LLAMA3}
    assert config_of("mistral", rope_parameters=same, **types).sliding_rope is None
    alone = config_of("mistral", sliding_window=8, rope_parameters={SLIDING: {"rope_theta": 7.0}})
    assert (alone.rope.theta, alone.sliding_rope) == (7.0, None)


def test_yarns_attention_factor() -> None:
    by_factor = 0.1 * math.log(4.0) + 1
    assert rope_of(rope_scaling=YARN).attention_factor == pytest.approx(by_factor)
    given = {**YARN, "attention_factor": 1.25, "mscale": 2.0, "mscale_all_dim": 1.0}
    assert rope_of(rope_scaling=given).attention_factor == 1.25
    both = {**YARN, "mscale": 1.0, "mscale_all_dim": 1.0}
    assert rope_of(rope_scaling=both).attention_factor == 1.0
    one = {**YARN, "mscale": 2.0}
    assert rope_of(rope_scaling=one).attention_factor == pytest.approx(by_factor)
    assert rope_of(rope_scaling={**YARN, "factor": 0.5}).attention_factor == 1.0


def test_the_original_context() -> None:
    assert rope_of(rope_scaling=LLAMA3).original_max_position_embeddings == 512
    assert rope_of(rope_scaling={**YARN, "factor": None}).factor == 4.0
    beside = rope_of(rope_scaling=YARN, original_max_position_embeddings=64)
    assert beside.original_max_position_embeddings == 64


def test_dynamic_holds_within_the_trained_context() -> None:
    config = config_of(rope_scaling={"type": "dynamic", "factor": 2.0})
    assert config.longest_sequence == config.max_position_embeddings == 512
    assert config_of(rope_scaling=YARN).longest_sequence is None


@pytest.mark.parametrize(
    ("entries", "message"),
    [
        ({"rope_scaling": {"type": "longrope", "factor": 2.0}}, "'longrope'"),
        ({"rope_scaling": {"type": "su", "factor": 2.0}}, "'su'"),
        ({"rope_scaling": {"type": "mrope", "mrope_section": [1, 2, 3]}}, "'mrope'"),
        ({"rope_scaling": {"type": ["linear"]}}, "linear"),
        ({"rope_parameters": {"rope_type": "proportional"}}, "'proportional'"),
        ({"rope_parameters": {"rope_type": "default", "mrope_section": [2, 3]}}, "mrope_section"),
        ({"rope_scaling": {"type": "dynamic", "factor": 1.0, "alpha": 1000}}, "alpha 1000"),
        ({"rope_scaling": {**YARN, "rope_type": "linear", "beta_fast": 4}}, "beta_fast"),
        ({"rope_scaling": {"type": "linear", "factor": 2.0, "short_factor": [1]}}, "short_factor"),
        (
            {"rope_scaling": {**YARN, "rope_type": "dynamic"}},
            "original_max_position_embeddings 128",
        ),
        ({"rope_parameters": {SLIDING: {"rope_theta": 5.0}}}, "none for full_attention"),
        ({"rope_parameters": {FULL: None}}, "none for full_attention"),
        ({"rope_parameters": {FULL: {}, "rope_theta": 5.0}}, "rope_theta 5.0"),
    ],
)
def test_what_is_not_computed_is_named(entries: dict[str, Any], message: str) -> None:
    with pytest.raises(UnsupportedError, match=message):
        rope_of(**entries)


@pytest.mark.parametrize(
    ("entries", "message"),
    [
        ({"rope_scaling": [2.0]}, "not an object"),
        ({"rope_scaling": {"type": "linear"}}, "factor"),
        ({"rope_scaling": {**YARN, "factor": -1.0}}, "factor"),
        ({"rope_scaling": {**YARN, "beta_fast": 0.5, "beta_slow": 1.0}}, "beta_fast above"),
        ({"rope_scaling": YARN, "rope_theta": 1.0}, "rope_theta above 1"),
        ({"rope_scaling": {**YARN, "truncate": "no"}}, "truncate"),
        ({"rope_scaling": {**LLAMA3, "high_freq_factor": 1.0}}, "not above low_freq_factor"),
        ({"partial_rotary_factor": 1.5}, "1.5 for partial_rotary_factor"),
        ({"partial_rotary_factor": 0.2}, "rotates 3 of 16"),
        ({"partial_rotary_factor": 0.01}, "rotates 0 of 16"),
        ({"partial_rotary_factor": "half"}, "partial_rotary_factor"),
    ],
)
def test_what_is_impossible_is_named(entries: dict[str, Any], message: str) -> None:
    with pytest.raises(ModelFileError, match=message):
        rope_of(**entries)


def test_what_says_nothing_is_passed_over() -> None:
    assert (
        rope_of(rope_scaling={"type": "default", "finetuned": True, "factor": 1.0}) == RopeConfig()
    )
    assert rope_of(rope_scaling={}, rope_parameters=None) == RopeConfig()
