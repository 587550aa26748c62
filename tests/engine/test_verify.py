"""The exactness report, of caches that are exact and of some that were tampered with."""

from dataclasses import replace
from pathlib import Path

import mlx.core as mx
import numpy as np
import pytest
from typing_extensions import override

import engine
from engine.cache import Cache
from engine.exactness import Change
from engine.llama import Decoder
from engine.operations import count_operations
from tests.engine.checkpoints import TinyLlama, write_folder
from tests.engine.zoo_checkpoints import ZOO, build, write_zoo

POLICIES = [
    engine.CachePolicy(),
    engine.CachePolicy(bits=8),
    engine.CachePolicy(bits=4),
    engine.CachePolicy(window=12, pinned=3),
    engine.CachePolicy(window=12, pinned=3, bits=8),
]


def tokens(count: int, seed: int = 5) -> list[int]:
    return np.random.default_rng(seed).integers(0, 256, count).tolist()


class Tampering:
    """Cutaway's decoder, but once it has run a token it changes something it had stored."""

    def __init__(self, decoder: Decoder, after: int, *, runs: int, by: float = 1e-6) -> None:
        self._decoder = decoder
        self._after = after
        self._runs = runs
        self._by = by
        self.dtype = decoder.dtype

    def new_cache(self, policy: engine.CachePolicy) -> Cache:
        return self._decoder.new_cache(policy)

    def hidden(self, ids: mx.array, cache: Cache | None = None) -> mx.array:
        x = self._decoder.hidden(ids, cache)
        if cache is not None and cache.length == self._after + 1 and self._runs:
            self._runs -= 1
            mx.eval(x, cache.arrays())
            store = cache.layers[1]._values
            store.write(2, store.read(2, 3) * (1 + self._by))
        return x

    def project(self, x: mx.array) -> mx.array:
        return self._decoder.project(x)


@pytest.mark.parametrize("policy", POLICIES)
def test_an_honest_cache_is_exact(tiny: engine.Model, policy: engine.CachePolicy) -> None:
    ids = tokens(40)
    report = engine.verify(tiny, ids, policy, compare=False)
    assert report.exact
    assert report.stored_exact
    assert report.replay_exact
    assert report.stored_layers == 2
    assert report.first_change is None
    assert report.within_rounding is (True if policy.bits is None else None)
    assert report.one_shot.positions == (40 if policy.window is None else 15)
    if policy.bits is None:
        assert report.one_shot.largest < 1e-4
        assert report.one_shot.same_tokens == report.one_shot.positions
    else:
        assert any("quantising" in note for note in report.notes)
    if policy == engine.CachePolicy():
        # 0 + 1 + … + 39 tokens were compared, in 2 layers, keys and values of 1 head of 32.
        assert report.stored_values == sum(range(40)) * 2 * 2 * 32
        assert report.token_passes_uncached == 820


def test_a_changed_value_is_found_and_named(tiny: engine.Model) -> None:
    """In both runs, so that only the watch can find it; one bit of rounding is enough."""
    model = replace(tiny, network=Tampering(tiny.decoder, after=9, runs=2))
    report = engine.verify(model, tokens(20), compare=False)
    assert not report.exact
    assert not report.stored_exact
    assert report.first_change == Change(layer=1, position=2, after=9, part="value")
    assert report.replay_exact
    assert report.within_rounding


def test_a_run_that_cannot_be_replayed_is_found(tiny: engine.Model) -> None:
    model = replace(tiny, network=Tampering(tiny.decoder, after=9, runs=1, by=0.5))
    report = engine.verify(model, tokens(20), compare=False)
    assert not report.replay_exact
    assert report.replay_differs_at == 2, "the stored value differs at the end"
    assert not report.exact


class Misreading(Tampering):
    """Its cached runs are repeatable, and wrong."""

    @override
    def hidden(self, ids: mx.array, cache: Cache | None = None) -> mx.array:
        x = self._decoder.hidden(ids, cache)
        return x if cache is None else x * 1.01 + 0.05


def test_a_repeatable_error_shows_in_the_pass_without_a_cache(tiny: engine.Model) -> None:
    model = replace(tiny, network=Misreading(tiny.decoder, after=0, runs=0))
    report = engine.verify(model, tokens(20), compare=False)
    assert report.stored_exact
    assert report.replay_exact
    assert report.within_rounding is False
    assert not report.exact


def test_pinned_keys_that_are_moved_on_purpose_are_no_change(tmp_path: Path) -> None:
    model = engine.load(write_folder(tmp_path, TinyLlama(max_position_embeddings=256)))
    policy = engine.CachePolicy(window=16, pinned=4)
    report = engine.verify(model, tokens(300), policy, compare=False)
    assert report.exact
    assert report.pinned_moves > 0
    assert any("moved up" in note for note in report.notes)


def test_mlx_lm_on_the_same_weights(tiny: engine.Model) -> None:
    report = engine.verify(tiny, tokens(20))
    assert report.reference is not None
    assert report.reference.largest < 1e-4
    assert report.reference.same_tokens == 20
    assert report.reference_note == ""


MISTRAL = {"model_type": "mistral", "architectures": ["MistralForCausalLM"], "sliding_window": 12}


@pytest.mark.parametrize(
    ("policy", "positions"),
    [
        (engine.CachePolicy(), 40),
        (engine.CachePolicy(window=20), 20),
        (engine.CachePolicy(window=20, pinned=3), 12),
    ],
)
def test_layers_with_a_window_of_their_own(
    tmp_path: Path, policy: engine.CachePolicy, positions: int
) -> None:
    model = engine.load(write_folder(tmp_path, TinyLlama(extra=MISTRAL)))
    report = engine.verify(model, tokens(40), policy)
    assert report.exact
    assert report.one_shot.positions == positions
    assert report.operations is not None
    assert (
        report.operations.cached
        < count_operations(replace(model.config, layer_types=()), 40).cached
    )
    assert report.reference is None
    assert "mlx-lm computes this model otherwise" in report.reference_note


@pytest.mark.parametrize("name", ["gemma3_text", "mamba2", "falcon_h1"])
def test_models_of_mlx_lm(tmp_path: Path, name: str) -> None:
    from engine.zoo_config import older_style

    model = engine.load(write_zoo(tmp_path, ZOO[name], build(older_style(ZOO[name]))))
    report = engine.verify(model, tokens(40))
    assert report.exact
    assert report.stored_layers == {"gemma3_text": 3, "mamba2": 0, "falcon_h1": 2}[name]
    assert report.reference is None
    assert "mlx-lm itself" in report.reference_note
    assert report.operations is None
    assert any("state" in note for note in report.notes) == (name != "gemma3_text")


def test_work_is_counted_by_the_formula(tiny: engine.Model) -> None:
    """Two tokens through two blocks of hidden 64, feed-forward 128, 4 heads of 32, 1 KV head."""
    weights = 2 * 2 * (64 * 32 * (2 * 4 + 2 * 1) + 3 * 64 * 128)
    key, head = 4 * 2 * 4 * 32, 2 * 64 * 288
    found = count_operations(tiny.config, 2)
    assert found.cached == 2 * weights + 3 * key + 2 * head
    assert found.uncached == 3 * weights + (1 + 3) * key + 2 * head
    assert found.saved == found.uncached / found.cached
    bounded = count_operations(tiny.config, 9, engine.CachePolicy(window=2, pinned=1))
    assert bounded.cached == 9 * (weights + head) + (1 + 2 + 7 * 3) * key


def test_progress_is_told(tiny: engine.Model) -> None:
    steps: list[tuple[str, int, int]] = []
    engine.verify(
        tiny,
        tokens(5),
        compare=False,
        on_progress=lambda what, done, total: steps.append((what, done, total)),
    )
    assert {what for what, _, _ in steps} == {
        "watching the cache",
        "replaying",
        "measuring without a cache",
    }
    assert steps[4] == ("watching the cache", 5, 5)


@pytest.mark.parametrize(
    ("ids", "message"), [([1], "longer text"), ([1] * 600, "context holds 512")]
)
def test_what_cannot_be_verified_is_refused(
    tiny: engine.Model, ids: list[int], message: str
) -> None:
    with pytest.raises(engine.PromptError, match=message):
        engine.verify(tiny, ids)
