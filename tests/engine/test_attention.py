"""Attention weights next to those of the plain reference, in every family and under every rule."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import mlx.core as mx
import numpy as np
import pytest

import engine
from engine.cache import CachePolicy
from engine.conditions import Conditions
from engine.guard import MemoryGuard
from tests.engine.checkpoints import TinyLlama
from tests.engine.opened import everything_seen, open_tiny, tiny_model, tokens
from tests.engine.reference import Sight, window_rule
from tests.engine.running import limited
from tests.engine.test_cache import ENDLESS, moved
from tests.engine.variants import VARIANTS
from tests.engine.zoo_checkpoints import ZOO, build, write_zoo

LENGTH = 40
TOLERANCE = 2e-5
TROPHY = "The trophy didn't fit in the suitcase because it was too big."


def assert_weights(found: np.ndarray, wanted: np.ndarray) -> None:
    assert found.shape == wanted.shape
    assert found.dtype == np.float32
    assert np.abs(found - wanted).max() < TOLERANCE
    assert np.abs(found.sum(axis=-1) - 1).max() < 1e-5
    assert (found[wanted == 0] == 0).all(), "what is not seen is exactly 0"


@pytest.mark.parametrize("name", VARIANTS)
def test_every_family_equals_the_reference(tiny: engine.Model, name: str) -> None:
    ids = tokens(LENGTH)
    model, wanted = tiny_model(tiny, VARIANTS[name]), open_tiny(VARIANTS[name], ids)
    for layer in range(model.config.num_hidden_layers):
        found = engine.attention(model, ids, layer)
        assert_weights(found, wanted.weights[layer])
        assert (np.triu(found, k=1) == 0).all()


@pytest.mark.parametrize(
    "policy", [CachePolicy(window=6, pinned=3), CachePolicy(window=1), CachePolicy(window=90)]
)
@pytest.mark.parametrize("name", ["llama", "qwen3", "RoPE by layer type", "qwen2, upper layers"])
def test_what_a_window_evicts_is_exactly_0(
    tiny: engine.Model, name: str, policy: CachePolicy
) -> None:
    ids = tokens(LENGTH)

    def visible(window: int | None) -> np.ndarray:
        windows = [each for each in (window, policy.window) if each is not None]
        return window_rule(LENGTH, min(windows), policy.pinned)

    model, wanted = tiny_model(tiny, VARIANTS[name]), open_tiny(VARIANTS[name], ids, Sight(visible))
    for layer in range(model.config.num_hidden_layers):
        found = engine.attention(model, ids, layer, conditions=Conditions(policy))
        assert_weights(found, wanted.weights[layer])


def test_pinned_keys_that_moved_up_weigh_what_they_weigh_in_a_session(tiny: engine.Model) -> None:
    """Far beyond the trained context, in several chunks."""
    policy, ids = CachePolicy(window=24, pinned=5), tokens(700)
    assert ENDLESS.max_position_embeddings == 512
    places = moved(len(ids), policy, 512)
    wanted = open_tiny(ENDLESS, ids, Sight(window_rule(len(ids), 24, 5), places))
    found = engine.attention(tiny_model(tiny, ENDLESS), ids, 1, conditions=Conditions(policy))
    assert_weights(found, wanted.weights[1])
    assert found[:, 650, :5].min() > 0


def test_a_quantised_cache_shows_weights_of_what_it_holds(tiny: engine.Model) -> None:
    ids = tokens(LENGTH)
    plain = engine.attention(tiny, ids, 1)
    held = {bits: Conditions(CachePolicy(bits=bits)) for bits in (8, 4)}
    errors = {
        bits: np.abs(engine.attention(tiny, ids, 1, conditions=conditions) - plain).max()
        for bits, conditions in held.items()
    }
    assert 0 < errors[8] < errors[4] < 0.2


@pytest.mark.parametrize("name", ["llama", "yarn", "mistral, sliding"])
def test_without_the_mask_the_future_is_seen(tiny: engine.Model, name: str) -> None:
    ids = tokens(LENGTH)
    wanted = open_tiny(VARIANTS[name], ids, everything_seen(LENGTH))
    model = tiny_model(tiny, VARIANTS[name])
    found = engine.attention(model, ids, 1, conditions=Conditions(mask=False))
    assert_weights(found, wanted.weights[1])
    assert found[:, 0, -1].min() > 0


@pytest.mark.parametrize("name", ["llama", "yarn", "qwen3", "partial"])
def test_without_rope_no_score_knows_of_order(tiny: engine.Model, name: str) -> None:
    ids = tokens(LENGTH)
    wanted = open_tiny(VARIANTS[name], ids, rope=False)
    model, still = tiny_model(tiny, VARIANTS[name]), Conditions(rope=False)
    for layer in (0, 1):
        found = engine.attention(model, ids, layer, conditions=still)
        assert_weights(found, wanted.weights[layer])
    order = [5, 3, 0, 1, 4, 2, *range(6, LENGTH)]
    first = engine.attention(model, ids, 0, conditions=still)
    mixed = engine.attention(model, [ids[at] for at in order], 0, conditions=still)
    assert np.abs(mixed[:, -1] - first[:, -1][:, order]).max() < 1e-6


def test_mask_and_rope_are_set_aside_in_chosen_layers_alone(tiny: engine.Model) -> None:
    ids = tokens(LENGTH)
    only_last = Conditions(mask=False, rope=False, layers=frozenset({1}))
    usual = engine.attention(tiny, ids, 0)
    assert np.array_equal(engine.attention(tiny, ids, 0, conditions=only_last), usual)
    assert engine.attention(tiny, ids, 1, conditions=only_last)[:, 0, -1].min() > 0


def test_chosen_heads_and_their_mean(tiny: engine.Model) -> None:
    ids = tokens(LENGTH)
    every = engine.attention(tiny, ids, 1)
    assert np.array_equal(engine.attention(tiny, ids, 1, [3, 0]), every[[3, 0]])
    assert np.abs(engine.mean_attention(tiny, ids, 1) - every.mean(axis=0)).max() < 1e-6
    some = engine.mean_attention(tiny, ids, 1, [1, 2])
    assert np.abs(some - every[1:3].mean(axis=0)).max() < 1e-6
    rotating = Conditions(CachePolicy(window=5, pinned=2))
    evicting = engine.attention(tiny, ids, 1, conditions=rotating)
    mean = engine.mean_attention(tiny, ids, 1, conditions=rotating)
    assert np.abs(mean - evicting.mean(axis=0)).max() < 1e-6
    assert np.count_nonzero(evicting[0, 30]) == 7


def test_one_token_looks_at_itself(tiny: engine.Model) -> None:
    assert (engine.attention(tiny, [65], 0) == np.ones((4, 1, 1))).all()


def test_half_precision_is_told_in_float32(tiny: engine.Model) -> None:
    part = tiny_model(tiny, TinyLlama())
    exact = engine.attention(part, tokens(LENGTH), 1)
    for block in part.decoder.layers:
        for name in ("q_proj", "k_proj"):
            linear = getattr(block.self_attn, name)
            half = replace(linear, weight=linear.weight.astype(mx.bfloat16))
            setattr(block.self_attn, name, half)
    found = engine.attention(part, tokens(LENGTH), 1)
    assert found.dtype == np.float32
    assert 0 < np.abs(found - exact).max() < 0.2
    assert np.abs(found.sum(axis=-1) - 1).max() < 1e-5


Refusal = tuple[Callable[[engine.Model], object], type[Exception], str]
REFUSALS: list[Refusal] = [
    (lambda m: engine.attention(m, [1] * 1025, 0), engine.PromptError, "at most 1,024 tokens"),
    (lambda m: engine.attention(m, [1, 2], 2), engine.SettingError, "no 2"),
    (lambda m: engine.attention(m, [1, 2], -1), engine.SettingError, "2 layers"),
    (lambda m: engine.attention(m, [1, 2], 0, [4]), engine.SettingError, "4 heads"),
    (lambda m: engine.mean_attention(m, [1, 2], 0, []), engine.SettingError, "at least one"),
    (lambda m: engine.walk_attention(m, [1, 2], 0, 0, 2), engine.SettingError, "2 tokens"),
    (lambda m: engine.attention(m, [], 0), engine.PromptError, "empty"),
    (
        lambda m: engine.attention(m, [1], 0, conditions=Conditions(layers=frozenset({9}))),
        engine.SettingError,
        "no 9",
    ),
    (
        lambda _: Conditions(CachePolicy(window=8), mask=False),
        engine.SettingError,
        "without a window",
    ),
]


@pytest.mark.parametrize(("ask", "error", "message"), REFUSALS)
def test_what_cannot_be_shown_is_refused_in_a_sentence(
    tiny: engine.Model,
    ask: Callable[[engine.Model], object],
    error: type[Exception],
    message: str,
) -> None:
    with pytest.raises(error, match=message):
        ask(tiny)


def test_models_of_mlx_lm_are_refused_in_a_sentence(tmp_path: Path) -> None:
    from engine.zoo_config import older_style

    name = "mamba2"
    model = engine.load(write_zoo(tmp_path, ZOO[name], build(older_style(ZOO[name]))))
    asks: list[Callable[[], object]] = [
        lambda: engine.attention(model, [1, 2], 0),
        lambda: engine.logit_lens(model, [1, 2]),
        lambda: engine.walk_attention(model, [1, 2], 0, 0, 0),
        lambda: engine.trace_block(model, [1, 2], 0, 0),
        lambda: engine.neighbours(model, 1),
        lambda: engine.logit_contributions(model, [1, 2], 0),
        lambda: engine.parameter_counts(model.config),
    ]
    for ask in asks:
        with pytest.raises(engine.UnsupportedError, match="runs through mlx-lm"):
            ask()
    assert len(engine.score(model, [1, 2, 3]).tokens) == 2


def test_memory_is_said_before_and_is_enough(tiny: engine.Model) -> None:
    ids = tokens(400)
    held, said = limited(tiny, 0), engine.attention_bytes(tiny.config, 400)
    with pytest.raises(engine.MemoryLimitError, match=r"Attention over 400 tokens needs .* MB"):
        engine.attention(held, ids, 1)
    engine.attention(tiny, ids, 1)
    mx.clear_cache()
    mx.reset_peak_memory()
    before = mx.get_active_memory()
    found = engine.attention(tiny, ids, 1)
    assert mx.get_peak_memory() - before + found.nbytes <= said
    assert engine.attention_bytes(tiny.config, 400, 1) < said
    guard = MemoryGuard(mx.get_active_memory() + 2 * said)
    roomy = replace(tiny, common=replace(tiny.common, guard=guard))
    assert np.array_equal(engine.attention(roomy, ids, 1), found)


def test_it_stops_when_it_is_asked_to(starter: engine.Model) -> None:
    shares: list[float] = []
    watch = engine.Watch(cancelled=lambda: len(shares) >= 3, progress=shares.append)
    with pytest.raises(engine.CancelledError, match="stopped"):
        engine.attention(starter, starter.tokenizer.encode(TROPHY), 29, watch=watch)
    assert len(shares) == 3
    assert shares == sorted(shares)
    shares.clear()
    engine.attention(starter, [1, 2, 3], 2, watch=engine.Watch(progress=shares.append))
    assert shares[-1] == 1.0
