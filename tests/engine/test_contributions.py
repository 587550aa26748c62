"""A logit taken apart: the terms are the reference's, and their sum is the logit."""

import math
from pathlib import Path

import pytest

import engine
from engine.cache import CachePolicy
from engine.conditions import Conditions
from tests.engine.checkpoints import TinyLlama, write_quantized_folder
from tests.engine.opened import open_tiny, tiny_model, tokens
from tests.engine.running import doubles, singles
from tests.engine.variants import VARIANTS


@pytest.mark.parametrize("name", ["llama", "qwen2, untied", "qwen3, biases", "mistral, sliding"])
def test_terms_equal_the_reference(tiny: engine.Model, name: str) -> None:
    variant, ids = VARIANTS[name], tokens(20)
    found = engine.logit_contributions(tiny_model(tiny, variant), ids, 12, token=77)
    wanted, weights = open_tiny(variant, ids), doubles(variant)
    stream = wanted.streams[-1][12]
    divisor = math.sqrt(float((stream * stream).mean()) + 1e-5)
    head = weights("model.embed_tokens.weight" if variant.tied else "lm_head.weight")[77]
    direction = weights("model.norm.weight") * head / divisor
    assert abs(found.divisor - divisor) < 1e-4
    assert abs(found.embedding - wanted.streams[0][12] @ direction) < 1e-4
    for layer, attention in enumerate(wanted.attention):
        assert abs(found.attention[layer] - attention[12] @ direction) < 1e-4
        added = wanted.feed_forward(layer)[12]
        assert abs(found.feed_forward[layer] - added @ direction) < 1e-4
    assert abs(found.logit - wanted.read(wanted.streams[-1])[12, 77]) < 1e-4
    assert abs(found.total - found.logit) < 1e-4


def test_the_most_likely_token_is_taken_where_none_is_named(tiny: engine.Model) -> None:
    found = engine.logit_contributions(tiny, tokens(20), 12)
    logits = singles(tiny.logits(tokens(20)))[12]
    assert found.token == logits.argmax()
    assert abs(found.logit - logits.max()) < 1e-4
    assert found.attention.shape == found.feed_forward.shape == (2,)


@pytest.mark.parametrize("tied", [True, False])
def test_quantised_tables_are_read_row_by_row(tmp_path: Path, tied: bool) -> None:
    model = engine.load(write_quantized_folder(tmp_path, TinyLlama(tied=tied)), precision="stored")
    found = engine.logit_contributions(model, tokens(20), 12)
    assert abs(found.total - found.logit) < 5e-2


def test_through_a_rotating_cache(tiny: engine.Model) -> None:
    conditions = Conditions(CachePolicy(window=9, pinned=2))
    found = engine.logit_contributions(tiny, tokens(100), 80, conditions=conditions)
    logits = engine.logits_at(tiny, tokens(100), [80], conditions=conditions)[0]
    assert found.token == logits.argmax()
    assert abs(found.total - logits.max()) < 1e-3


def test_what_is_not_there_is_refused(tiny: engine.Model) -> None:
    with pytest.raises(engine.SettingError, match="no 288"):
        engine.logit_contributions(tiny, [1, 2], 0, token=288)
    with pytest.raises(engine.SettingError, match="2 tokens"):
        engine.logit_contributions(tiny, [1, 2], 2)
