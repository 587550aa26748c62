"""Exhibit 7: what is claimed of the cache, and that the claims can fail."""

from dataclasses import replace
from pathlib import Path

import mlx.core as mx
import pytest

import engine
from engine.exhibits import cache_exact
from engine.exhibits.cache_exact import EXHIBIT, CacheExactInputs
from engine.exhibits.common import Watch, never, silent
from engine.exhibits.hashing import stored_hash
from engine.exhibits.one_more import OneMore
from engine.exhibits.sabotage import Number, altered
from engine.exhibits.scoring import fill
from engine.zoo_config import older_style
from tests.engine.checkpoints import TinyLlama, write_folder
from tests.engine.exhibits.watched import all_seen, by_name, measured, stops
from tests.engine.variants import VARIANTS
from tests.engine.zoo_checkpoints import ZOO, build, write_zoo

SHORT = CacheExactInputs(text="The capital of France is", reply=1, position=3)


@pytest.fixture(scope="module")
def result(starter: engine.Model) -> cache_exact.CacheExactResult:
    return measured(EXHIBIT, starter, SHORT)


def test_every_claim_is_seen_on_the_starter(result: cache_exact.CacheExactResult) -> None:
    claims = all_seen(EXHIBIT, result, timed=["seconds"])
    assert claims["one_shot"].bound < 0.01  # rounding in float32, for logits up to 30
    assert claims["same_tokens"].bound == 5


def test_steps_tell_what_was_hashed(result: cache_exact.CacheExactResult) -> None:
    steps = result.steps
    assert [each.piece for each in steps] == ["The", " capital", " of", " France", " is"]
    per_token = 2 * 30 * 3 * 64  # keys and values, layers, KV heads, head dimension
    assert [each.values for each in steps] == [per_token * n for n in range(5)]
    assert steps[0].before == steps[0].after == ""
    assert len({each.after for each in steps}) == 5
    assert len({each.own for each in steps}) == 5


def test_work_saved_is_counted_and_timed(result: cache_exact.CacheExactResult) -> None:
    found = result.comparison
    assert found is not None
    assert found.operations_uncached is not None
    assert found.operations_cached is not None
    assert found.operations_uncached > 2 * found.operations_cached
    assert found.logits_scale > found.one_shot_largest
    assert found.cached_s > 0
    assert found.uncached_s > 0
    assert found.cached_s == pytest.approx(sum(found.cached_each_s))
    assert len(found.cached_each_s) == 5
    # With this few tokens every length is measured, so nothing is interpolated.
    assert [length for length, _ in found.uncached_each_s] == [1, 2, 3, 4, 5]
    assert found.uncached_s == pytest.approx(sum(each for _, each in found.uncached_each_s))


def test_sabotage_says_which_number_and_what_it_did(result: cache_exact.CacheExactResult) -> None:
    found = result.sabotage
    assert found is not None
    assert found.numbers == 2 * 30 * 3 * 64 * 4
    assert found.reply == " Paris"
    assert found.wrong_reply != " Paris"
    assert found.chosen.became == pytest.approx(found.chosen.was + 100, abs=1e-4)
    assert 0 < abs(found.flipped.became - found.flipped.was) < 1e-6
    assert [each.amount for each in found.sweep] == [0.1, 1.0, 10.0, 100.0, 1000.0]
    assert found.sweep[0].largest < found.sweep[2].largest


def test_claims_fail_where_something_changed(result: cache_exact.CacheExactResult) -> None:
    assert result.comparison is not None
    assert result.sabotage is not None
    broken = replace(
        result,
        steps=(*result.steps[:-1], replace(result.steps[-1], after="0" * 16)),
        comparison=replace(
            result.comparison,
            stored_exact=False,
            replay_exact=False,
            one_shot_largest=1.0,
            same_tokens=4,
        ),
        one_more=OneMore(96, cached_s=0.2, uncached_s=0.1),
        sabotage=replace(result.sabotage, wrong_reply=result.sabotage.reply),
    )
    claims = by_name(EXHIBIT, broken)
    unseen = {name for name, claim in claims.items() if not claim.seen}
    assert unseen == {
        "hashes", "stored", "replay", "one_shot", "same_tokens", "seconds", "changed_answer",
    }  # fmt: skip


def test_one_more_token_is_timed_in_as_long_a_text_as_there_is_room_for(tmp_path: Path) -> None:
    model = engine.load(write_folder(tmp_path / "tiny", TinyLlama(max_position_embeddings=48)))
    found = EXHIBIT.measure(model, CacheExactInputs(text="Oh", reply=1))
    assert found.one_more is not None
    assert found.one_more.tokens == 46
    assert min(found.one_more.cached_s, found.one_more.uncached_s) > 0


@pytest.mark.parametrize("part", ["key", "value"])
def test_a_hash_sees_one_bit(tiny: engine.Model, part: str) -> None:
    cache = tiny.network.new_cache(engine.CachePolicy())
    fill(tiny, cache, [1, 2, 3], 8, Watch(silent, never))
    number = Number(layer=0, position=1, part=part, head=0, dimension=5)
    slots = [[0, 1, 2]] * len(cache.held())
    clean = stored_hash(cache.held(), slots)
    same = altered(tiny, cache, number, None)
    flipped = altered(tiny, cache, number, 0.0)
    assert stored_hash(same.held(), slots) == clean
    assert stored_hash(flipped.held(), slots) != clean
    others = [[0, 2]] * len(cache.held())
    assert stored_hash(flipped.held(), others) == stored_hash(cache.held(), others)


def test_a_hash_of_sixteen_bit_numbers(tiny: engine.Model) -> None:
    cache = tiny.network.new_cache(engine.CachePolicy())
    fill(tiny, cache, [1, 2], 8, Watch(silent, never))
    halves = [
        replace(layer, keys=tuple(key.astype(mx.bfloat16) for key in layer.keys))
        for layer in cache.held()
    ]
    assert stored_hash(halves, [[0]] * len(halves)) != stored_hash(halves, [[1]] * len(halves))


@pytest.mark.parametrize("name", ["layer", "head", "dimension"])
def test_a_number_that_is_not_there(tiny: engine.Model, name: str) -> None:
    inputs = replace(CacheExactInputs(text="One, two", position=1), **{name: 200})
    with pytest.raises(engine.SettingError, match=f"The {name} to change goes from 0 to "):
        EXHIBIT.measure(tiny, inputs)


def test_a_short_text_has_a_number_to_change_too(tiny: engine.Model) -> None:
    found = EXHIBIT.measure(tiny, CacheExactInputs(text="Oh", reply=1))
    assert found.sabotage is not None
    assert found.sabotage.number.position == 0


def test_a_text_that_is_too_short_or_too_long(tiny: engine.Model) -> None:
    for text in ("O", "word " * 300):
        with pytest.raises(engine.PromptError, match="This exhibit runs 2 to 256"):
            EXHIBIT.measure(tiny, CacheExactInputs(text=text, position=0))


def test_a_number_that_left_its_window(tmp_path: Path) -> None:
    model = engine.load(write_folder(tmp_path / "sliding", VARIANTS["mistral, sliding"]))
    text = "A text that is longer than a window and a chunk."
    found = EXHIBIT.measure(model, CacheExactInputs(text=text[:20], position=2, reply=1))
    assert found.sabotage is not None
    assert found.sabotage.chosen.largest == 0
    assert not by_name(EXHIBIT, found)["changed_logits"].seen
    assert "windows" in {note.name for note in found.notes}
    with pytest.raises(engine.SettingError, match="Layer 0 no longer holds token 2;"):
        EXHIBIT.measure(model, CacheExactInputs(text=text, position=2))


@pytest.mark.slow
def test_a_model_of_mlx_lm(tmp_path: Path) -> None:
    raw = ZOO["gemma2"]
    model = engine.load(write_zoo(tmp_path, raw, build(older_style(raw))))
    found = measured(EXHIBIT, model, CacheExactInputs(text="One, two", reply=1))
    claims = all_seen(EXHIBIT, found, timed=["seconds"])
    assert set(claims) == {"hashes", "stored", "replay", "one_shot", "same_tokens", "seconds"}
    assert "runs_through_mlx_lm" in {note.name for note in found.notes}


def test_stopping(tiny: engine.Model) -> None:
    stops(EXHIBIT, tiny, CacheExactInputs(text="One, two", position=1))


@pytest.mark.slow
def test_the_exhibit_as_it_opens(starter: engine.Model) -> None:
    found = measured(EXHIBIT, starter, CacheExactInputs())
    all_seen(EXHIBIT, found, timed=["seconds"])
    assert found.sabotage.reply.startswith(" Madrid")
