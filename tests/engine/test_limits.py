"""What settings mean for one model: what XTC spares, where DRY breaks, which ids there are."""

import math
from typing import cast

import mlx.core as mx
import pytest

import engine
from engine.sampling import Sampling
from engine.token_sets import TokenSets


def ids_in(array: mx.array | None) -> list[int]:
    assert array is not None
    return cast("list[int]", array.tolist())


def test_nothing_is_looked_up_for_what_is_off(tiny: engine.Model) -> None:
    limits = tiny.limiter.limits(Sampling())
    assert limits.constraints is None
    assert limits.sets.spared is None
    assert limits.sets.breakers is None
    assert TokenSets().spared is None


def test_xtc_spares_ends_of_text_and_of_lines(starter: engine.Model) -> None:
    spared = ids_in(starter.limiter.limits(Sampling(xtc_probability=0.5)).sets.spared)
    assert set(spared) >= starter.limiter.end_ids
    lines = [starter.tokenizer.piece(token) for token in spared]
    lines = [line for line in lines if line.strip("\n")]
    assert {starter.tokenizer.token_id(name) for name in lines} == set(starter.limiter.end_ids)
    assert starter.tokenizer.encode("\n")[0] in spared
    assert starter.tokenizer.encode("\n\n")[0] in spared


def test_every_token_that_contains_a_breaker_breaks(starter: engine.Model) -> None:
    sampling = Sampling(dry_multiplier=0.8, dry_breakers=["\n", "é"])
    breakers = ids_in(starter.limiter.limits(sampling).sets.breakers)
    for token in range(starter.tokenizer.vocab_size):
        data = starter.tokenizer.table.texts[token]
        assert breakers[token] == (b"\n" in data or "é".encode() in data)


def test_dry_without_breakers_needs_none(tiny: engine.Model) -> None:
    sampling = Sampling(dry_multiplier=0.8, dry_breakers=[], temperature=0)
    assert tiny.limiter.limits(sampling).sets.breakers is None
    assert len(list(tiny.session().generate([97, 97, 97], sampling, 5))) >= 5


def test_a_breaker_that_can_never_act_is_refused(tiny: engine.Model) -> None:
    sampling = Sampling(dry_multiplier=0.8, dry_breakers=["\n", "qx"])
    with pytest.raises(engine.SettingError, match=r"contains DRY's breaker 'qx'; .*\.$"):
        tiny.session().generate([97], sampling)


def test_a_bias_for_a_token_that_does_not_exist_is_refused(tiny: engine.Model) -> None:
    sampling = Sampling(logit_bias={tiny.tokenizer.vocab_size: 1.0})
    with pytest.raises(engine.SettingError, match=r"names token 288, but .* are 0 to 287\.$"):
        tiny.session().generate([97], sampling)


def test_the_stages_of_a_reply_without_constraints(tiny: engine.Model) -> None:
    sampling = Sampling(temperature=1.0, top_p=1.0, logit_bias={97: -math.inf})
    shown = tiny.limiter.stages(tiny.logits([97])[-1], sampling, [97])
    assert [stage.name for stage in shown] == ["model", "logit_bias"]
    assert shown[1].removed.tolist() == [97]
