"""Every architecture and variant next to the plain reference, from a file, cached and uncached."""

from pathlib import Path
from typing import Any

import mlx.core as mx
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from mlx_lm.models import llama as mlx_lm_llama
from mlx_lm.models import qwen2 as mlx_lm_qwen2
from mlx_lm.models import qwen3 as mlx_lm_qwen3

import engine
from engine.cache import CachePolicy
from engine.errors import PromptError, SettingError
from engine.memory import kv_bytes
from tests.engine import reference
from tests.engine.checkpoints import LEFT_OUT, TinyLlama, write_folder, write_gguf
from tests.engine.reference import Bools, Sight, window_rule
from tests.engine.running import Singles, build, doubles, feed, held, new_cache, singles, uncached

LENGTH = 90
TOLERANCE = 1e-4
SLIDING, FULL = "sliding_attention", "full_attention"
YARN = {"rope_type": "yarn", "factor": 4.0, "original_max_position_embeddings": 32}
PARTS: dict[str, dict[str, Any]] = {
    "sliding": {"sliding_window": 7},
    "upper": {"use_sliding_window": True, "sliding_window": 7, "max_window_layers": 1},
    "alternating": {
        "use_sliding_window": True,
        "sliding_window": 9,
        "layer_types": [SLIDING, FULL, SLIDING],
    },
}
ROPES: dict[str, dict[str, Any]] = {
    "linear": {"rope_scaling": {"type": "linear", "factor": 2.0}},
    "dynamic": {"rope_scaling": {"type": "dynamic", "factor": 4.0}},
    "llama3": {
        "rope_scaling": {
            "rope_type": "llama3",
            "factor": 8.0,
            "low_freq_factor": 1.0,
            "high_freq_factor": 4.0,
            "original_max_position_embeddings": 64,
        }
    },
    "yarn": {"rope_theta": 1e6, "rope_scaling": YARN},
    "yarn, newer style": {"rope_parameters": {**YARN, "rope_theta": 5e4}},
    "yarn, attention factor": {"rope_scaling": {**YARN, "attention_factor": 1.5}},
    "yarn, mscale": {"rope_scaling": {**YARN, "mscale": 0.7, "mscale_all_dim": 1.9}},
    "yarn, betas": {"rope_scaling": {**YARN, "beta_fast": 4.0, "beta_slow": 0.5}},
    "yarn, not truncated": {"rope_scaling": {**YARN, "truncate": False, "beta_fast": 4}},
    "partial": {"partial_rotary_factor": 0.5},
    "partial yarn": {"rope_parameters": {**YARN, "partial_rotary_factor": 0.75}},
}
VARIANTS: dict[str, TinyLlama] = {
    "llama": TinyLlama(),
    "llama, as saved by transformers 5": TinyLlama(
        extra={
            "rope_theta": LEFT_OUT,
            "rope_parameters": {"rope_theta": 3e5, "rope_type": "default"},
            "dtype": "float32",
        }
    ),
    "llama, alternating": TinyLlama(num_hidden_layers=3, extra=PARTS["alternating"]),
    "mistral": TinyLlama(model_type="mistral", extra={"sliding_window": None}),
    "mistral, sliding": TinyLlama(model_type="mistral", extra=PARTS["sliding"]),
    "mistral, window 1": TinyLlama(model_type="mistral", extra={"sliding_window": 1}),
    "mistral, wide window": TinyLlama(model_type="mistral", extra={"sliding_window": 4096}),
    "mistral, alternating": TinyLlama(
        model_type="mistral", num_hidden_layers=3, tied=False, extra=PARTS["alternating"]
    ),
    "ministral": TinyLlama(model_type="ministral", num_hidden_layers=3, extra=PARTS["alternating"]),
    "qwen2": TinyLlama(model_type="qwen2"),
    "qwen2, untied": TinyLlama(model_type="qwen2", tied=False, num_key_value_heads=1),
    "qwen2, window off": TinyLlama(
        model_type="qwen2", extra={**PARTS["upper"], "use_sliding_window": False}
    ),
    "qwen2, upper layers": TinyLlama(model_type="qwen2", num_hidden_layers=3, extra=PARTS["upper"]),
    "qwen2, alternating": TinyLlama(
        model_type="qwen2", num_hidden_layers=3, extra=PARTS["alternating"]
    ),
    "qwen3": TinyLlama(model_type="qwen3"),
    "qwen3, biases": TinyLlama(model_type="qwen3", attention_bias=True, head_dim=20),
    "qwen3, all layers": TinyLlama(
        model_type="qwen3", extra={**PARTS["upper"], "max_window_layers": 0}
    ),
    "qwen3, upper layers": TinyLlama(
        model_type="qwen3", num_hidden_layers=3, num_key_value_heads=4, extra=PARTS["upper"]
    ),
    "RoPE by layer type": TinyLlama(
        model_type="qwen3",
        num_hidden_layers=3,
        extra={
            **PARTS["alternating"],
            "rope_parameters": {
                FULL: {**YARN, "rope_theta": 1e6},
                SLIDING: {"rope_type": "default", "rope_theta": 500.0},
            },
        },
    ),
    **{f"{name}": TinyLlama(extra=extra) for name, extra in ROPES.items()},
    "qwen2 with yarn": TinyLlama(model_type="qwen2", extra=ROPES["yarn"]),
    "mistral with yarn": TinyLlama(
        model_type="mistral", extra={**PARTS["sliding"], **ROPES["yarn"]}
    ),
}
MIXED = VARIANTS["RoPE by layer type"]


def tokens(count: int, seed: int = 7) -> list[int]:
    return np.random.default_rng(seed).integers(0, 288, count).tolist()


def expected(tiny: TinyLlama, ids: list[int], sight: Sight | None = None) -> reference.Doubles:
    return reference.logits(tiny.config(), doubles(tiny), ids, sight)


def assert_close(found: Singles, wanted: reference.Doubles | Singles) -> None:
    assert found.shape == wanted.shape
    assert np.abs(found - wanted).max() < TOLERANCE


@pytest.mark.parametrize("name", VARIANTS)
def test_a_folder_computes_what_the_papers_say(tmp_path: Path, name: str) -> None:
    tiny = VARIANTS[name]
    model = engine.load(write_folder(tmp_path / "model", tiny), precision="float32")
    ids = tokens(LENGTH)
    assert_close(singles(model.logits(ids)), expected(tiny, ids))
    count = sum(values.size for values in tiny.tensors().values())
    assert model.config.parameters == count


@pytest.mark.parametrize("name", VARIANTS)
@pytest.mark.parametrize("sizes", [[1], [64], [40, 3, 30, 1]])
def test_cached_equals_uncached(name: str, sizes: list[int]) -> None:
    config, decoder = build(VARIANTS[name])
    ids = tokens(LENGTH)
    cache = new_cache(config, decoder, CachePolicy())
    assert_close(feed(decoder, cache, ids, sizes), uncached(decoder, ids))


def test_the_reference_tells_variants_apart() -> None:
    """What is asked for changes the logits far more than the tolerance."""
    ids = tokens(LENGTH)
    for names in (
        (
            "llama",
            "llama, as saved by transformers 5",
            *(name for name in ROPES if name != "dynamic"),
        ),
        ("mistral", "mistral, sliding", "mistral, window 1"),
        ("qwen2, window off", "qwen2 with yarn"),
    ):
        logits = [expected(VARIANTS[name], ids) for name in names]
        for index, one in enumerate(logits):
            for other in logits[index + 1 :]:
                assert np.abs(one - other).max() > 100 * TOLERANCE


@pytest.mark.parametrize(
    ("name", "peer"),
    [
        ("llama", mlx_lm_llama),
        ("llama, alternating", mlx_lm_llama),
        ("linear", mlx_lm_llama),
        ("llama3", mlx_lm_llama),
        ("yarn, betas", mlx_lm_llama),
        ("mistral", mlx_lm_llama),
        ("qwen2, untied", mlx_lm_qwen2),
        ("qwen2 with yarn", mlx_lm_qwen2),
        ("qwen3", mlx_lm_qwen3),
    ],
)
def test_logits_equal_those_of_mlx_lm(name: str, peer: Any) -> None:
    tiny = VARIANTS[name]
    model = peer.Model(peer.ModelArgs.from_dict(tiny.config()))
    arrays = {key: mx.array(values) for key, values in tiny.tensors().items()}
    model.load_weights(list(arrays.items()), strict=True)
    ids = tokens(LENGTH)
    found = singles(model(mx.array([ids]))[0])
    _, decoder = build(tiny)
    assert_close(uncached(decoder, ids), found)


GGUF_VARIANTS: dict[str, tuple[TinyLlama, dict[str, int | float | str]]] = {
    "llama": (VARIANTS["llama"], {}),
    "llama with yarn": (
        VARIANTS["yarn, betas"],
        {
            "llama.rope.scaling.type": "yarn",
            "llama.rope.scaling.factor": 4.0,
            "llama.rope.scaling.original_context_length": 32,
            "llama.rope.scaling.yarn_beta_fast": 4.0,
            "llama.rope.scaling.yarn_beta_slow": 0.5,
        },
    ),
    "factor of no kind": (VARIANTS["linear"], {"llama.rope.scaling.factor": 2.0}),
    "mistral": (VARIANTS["mistral, sliding"], {"llama.attention.sliding_window": 7}),
    "qwen2": (VARIANTS["qwen2"], {}),
    "qwen2, untied": (VARIANTS["qwen2, untied"], {}),
    "qwen2 with yarn": (
        VARIANTS["qwen2 with yarn"],
        {
            "qwen2.rope.freq_base": 1e6,
            "qwen2.rope.scaling.type": "yarn",
            "qwen2.rope.scaling.factor": 4.0,
            "qwen2.rope.scaling.original_context_length": 32,
        },
    ),
    "qwen3": (VARIANTS["qwen3"], {}),
    "qwen3, biases": (VARIANTS["qwen3, biases"], {}),
}


@pytest.mark.parametrize("name", GGUF_VARIANTS)
def test_a_gguf_file_computes_the_same(tmp_path: Path, name: str) -> None:
    tiny, entries = GGUF_VARIANTS[name]
    model = engine.load(write_gguf(tmp_path / "m.gguf", tiny, entries=entries), precision="float32")
    ids = tokens(LENGTH)
    assert_close(singles(model.logits(ids)), expected(tiny, ids))


def test_a_replys_tokens_are_those_of_the_reference(tmp_path: Path) -> None:
    """Greedy decoding far beyond the window of some layers."""
    model = engine.load(write_folder(tmp_path / "model", MIXED), precision="float32")
    prompt = tokens(25)
    session = model.session()
    chunks = list(session.generate(prompt, engine.Sampling(temperature=0.0), max_tokens=30))
    found = [chunk.token for chunk in chunks if chunk.token is not None]
    ids = list(prompt)
    for token in found:
        row = expected(MIXED, ids)[-1][: model.tokenizer.vocab_size]
        assert token == int(row.argmax())
        ids.append(token)


def combined(length: int, policy: CachePolicy) -> Sight:
    """What every layer sees where its own window meets the policy's."""

    def visible(window: int | None) -> Bools:
        windows = [each for each in (window, policy.window) if each is not None]
        pinned = policy.pinned if policy.window is not None else 0
        return window_rule(length, min(windows, default=None), pinned)

    return Sight(visible)


@settings(max_examples=60, derandomize=True, deadline=None)
@given(
    st.sampled_from(["RoPE by layer type", "mistral, sliding", "qwen2, upper layers"]),
    st.one_of(st.none(), st.integers(1, 30)),
    st.integers(0, 6),
    st.lists(st.integers(1, 40), min_size=1, max_size=5),
)
def test_a_layers_window_and_the_policys_combine(
    name: str, window: int | None, pinned: int, sizes: list[int]
) -> None:
    tiny, ids, policy = VARIANTS[name], tokens(LENGTH), CachePolicy(window=window, pinned=pinned)
    config, decoder = build(tiny)
    found = feed(decoder, new_cache(config, decoder, policy), ids, sizes)
    assert_close(found, expected(tiny, ids, combined(LENGTH, policy)))


@settings(max_examples=40, derandomize=True, deadline=None)
@given(
    st.one_of(st.none(), st.integers(2, 30)),
    st.integers(0, 6),
    st.integers(1, LENGTH),
    st.integers(0, LENGTH),
)
def test_reuse_is_exact(window: int | None, pinned: int, first: int, back_to: int) -> None:
    """What is reused after an edit continues like a cold cache, whichever layers were strictest."""
    policy = CachePolicy(window=window, pinned=pinned)
    config, decoder = build(MIXED)
    warm, before = new_cache(config, decoder, policy), tokens(first)
    feed(decoder, warm, before, [16])
    kept = warm.reusable(back_to)
    assert kept <= min(first, back_to)
    warm.trim(kept)
    after = [*before[:kept], *tokens(40, seed=9)]
    cold = new_cache(config, decoder, policy)
    wanted = feed(decoder, cold, after, [16])[kept:]
    assert_close(feed(decoder, warm, after[kept:], [16]), wanted)


def test_a_short_way_back_is_reused_and_a_long_one_is_not() -> None:
    config, decoder = build(MIXED)
    cache = new_cache(config, decoder, CachePolicy())
    feed(decoder, cache, tokens(LENGTH), [16])
    assert cache.reusable(LENGTH) == LENGTH
    assert cache.reusable(LENGTH - 3) == LENGTH - 3
    assert cache.reusable(20) == 0


def test_sliding_layers_are_bounded_and_figures_are_true() -> None:
    config, decoder = build(MIXED)
    cache = new_cache(config, decoder, CachePolicy())
    feed(decoder, cache, tokens(400), [64, 1])
    capacity = 9 + 16
    assert [layer.slots <= capacity for layer in cache.layers] == [True, False, True]
    assert cache.filled == 400
    assert cache.filled_in_all_layers == 400 + 2 * capacity
    per_token = kv_bytes(config, 1, bits=32) // 3
    assert cache.used_bytes == per_token * cache.filled_in_all_layers
    assert cache.allocated_bytes >= cache.used_bytes


def test_what_sliding_layers_store_never_changes() -> None:
    config, decoder = build(MIXED)
    cache, seen = new_cache(config, decoder, CachePolicy()), [dict[int, bytes]() for _ in range(3)]
    for token in tokens(60):
        feed(decoder, cache, [token], [1])
        for layer, found in enumerate(held(cache).keys):
            for position, stored in found.items():
                assert seen[layer].setdefault(position, stored) == stored


def test_pinned_tokens_outlive_every_window() -> None:
    """Far beyond all windows, the pinned keys of sliding layers stay within their trained reach."""
    tiny = TinyLlama(
        model_type="mistral", extra={"sliding_window": 64, "max_position_embeddings": 4096}
    )
    config, decoder = build(tiny)
    policy = CachePolicy(window=200, pinned=4)
    chunks = [
        feed(decoder, new_cache(config, decoder, policy), tokens(700), [size]) for size in (64, 7)
    ]
    assert np.abs(chunks[0] - chunks[1]).max() < 2e-3


def test_dynamic_rope_ends_with_the_trained_context() -> None:
    """Beyond it all frequencies depend on the length, which keys in a cache cannot follow."""
    tiny = TinyLlama(max_position_embeddings=64, extra=ROPES["dynamic"])
    config, decoder = build(tiny)
    assert_close(uncached(decoder, tokens(64)), expected(tiny, tokens(64)))
    with pytest.raises(PromptError, match="dynamic RoPE"):
        uncached(decoder, tokens(65))
    with pytest.raises(SettingError, match="at most 64"):
        new_cache(config, decoder, CachePolicy(window=65))
    new_cache(config, decoder, CachePolicy(window=64))
