"""A pass in the open is bit for bit the network's own."""

import mlx.core as mx
import numpy as np
import pytest

import engine
from engine.asked import pass_bytes
from engine.cache import CachePolicy
from engine.conditions import Conditions
from engine.heads import floats
from engine.passes import pass_at, passes
from tests.engine.opened import everything_seen, open_tiny, tiny_model, tokens
from tests.engine.running import feed, new_cache, singles
from tests.engine.variants import VARIANTS

LENGTH = 40


@pytest.mark.parametrize("name", VARIANTS)
def test_the_stream_is_the_networks_bit_for_bit(tiny: engine.Model, name: str) -> None:
    model, ids = tiny_model(tiny, VARIANTS[name]), tokens(LENGTH)
    *_, last = passes(model, ids)
    assert mx.array_equal(last.after, model.decoder.hidden(mx.array([ids]))).item()


def test_the_starters_too(starter: engine.Model) -> None:
    ids = starter.tokenizer.encode("Keys and values are kept.")
    *_, last = passes(starter, ids)
    assert mx.array_equal(last.after, starter.decoder.hidden(mx.array([ids]))).item()


@pytest.mark.parametrize(
    "policy",
    [CachePolicy(window=9, pinned=3), CachePolicy(bits=8), CachePolicy(12, pinned=2, bits=4)],
)
@pytest.mark.parametrize("name", ["llama", "RoPE by layer type"])
def test_through_a_cache_it_is_what_a_session_computes(
    tiny: engine.Model, name: str, policy: CachePolicy
) -> None:
    if policy.bits is not None:
        name = "llama, 32"  # whose head dimension can be quantised
    model = tiny if policy.bits is not None else tiny_model(tiny, VARIANTS[name])
    ids = tokens(300)
    rows = [
        floats(model.decoder.project(part.after)[0])
        for part in passes(model, ids, Conditions(policy))
        if part.layer == model.config.num_hidden_layers - 1
    ]
    cache = new_cache(model.config, model.decoder, policy)
    assert np.array_equal(np.concatenate(rows), feed(model.decoder, cache, ids, [256]))


def test_blocks_come_in_turn_and_add_up(tiny: engine.Model) -> None:
    seen = list(passes(tiny, tokens(9)))
    assert [part.layer for part in seen] == [0, 1]
    for part in seen:
        assert part.count == 9
        total = part.before + part.attention + part.feed_forward
        assert np.abs(singles(total - part.after)).max() < 1e-5
    assert mx.array_equal(seen[1].before, seen[0].after).item()


@pytest.mark.parametrize("name", ["llama", "yarn", "qwen3", "mistral, sliding"])
def test_set_aside_it_is_what_the_reference_says(tiny: engine.Model, name: str) -> None:
    model, ids = tiny_model(tiny, VARIANTS[name]), tokens(LENGTH)
    for conditions, wanted in (
        (Conditions(rope=False), open_tiny(VARIANTS[name], ids, rope=False)),
        (Conditions(mask=False), open_tiny(VARIANTS[name], ids, everything_seen(LENGTH))),
    ):
        *_, last = passes(model, ids, conditions)
        assert np.abs(singles(last.after)[0] - wanted.streams[-1]).max() < 1e-4


def test_a_token_is_found_in_its_chunk(tiny: engine.Model) -> None:
    ids, conditions = tokens(300), Conditions(CachePolicy(window=20, pinned=2))
    part, row = pass_at(tiny, ids, 1, 270, conditions, engine.Watch())
    assert part.layer == 1
    assert part.start + row == 270
    assert part.heads.unrotated_queries.shape == (4, part.count, 32)
    with pytest.raises(engine.SettingError, match="no 300"):
        pass_at(tiny, ids, 1, 300, conditions, engine.Watch())


@pytest.mark.parametrize("name", ["llama", "RoPE by layer type"])
def test_beyond_1024_tokens_it_runs_in_chunks(tiny: engine.Model, name: str) -> None:
    model, ids = tiny_model(tiny, VARIANTS[name]), tokens(1100)
    parts = [
        part for part in passes(model, ids) if part.layer == model.config.num_hidden_layers - 1
    ]
    starts = [part.start for part in parts]
    assert starts == list(range(0, 1100, 256 if name == "llama" else 16))
    found = np.concatenate([singles(part.after)[0] for part in parts])
    wanted = singles(model.decoder.hidden(mx.array([ids])))[0]
    assert np.abs(found - wanted).max() < 1e-4
    rows = engine.attention(model, ids, 1, [2], most_tokens=1100)
    assert np.abs(rows[0].sum(axis=-1) - 1).max() < 1e-5
    assert (np.triu(rows[0], k=1) == 0).all()
    walk = engine.walk_attention(model, ids, 1, 2, 1050)
    assert np.abs(walk.weights - rows[0, 1050, list(walk.positions)]).max() < 1e-6
    with pytest.raises(engine.PromptError, match="set aside for at most 1,024"):
        list(passes(model, ids, Conditions(mask=False)))


def test_memory_of_long_texts_is_said_before_and_grows_slowly(tiny: engine.Model) -> None:
    ids = tokens(3000)
    mx.clear_cache()
    mx.reset_peak_memory()
    before = mx.get_active_memory()
    engine.walk_attention(tiny, ids, 1, 0, 2999)
    assert mx.get_peak_memory() - before <= pass_bytes(tiny.config, 3000)
    assert pass_bytes(tiny.config, 3000) < pass_bytes(tiny.config, 1024) * 3


def test_too_long_for_dynamic_rope_is_refused(tiny: engine.Model) -> None:
    model = tiny_model(tiny, VARIANTS["dynamic"])
    with pytest.raises(engine.PromptError, match="dynamic RoPE"):
        list(passes(model, tokens(513)))
