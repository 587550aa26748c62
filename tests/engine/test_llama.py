"""The decoder next to the plain reference, and next to mlx-lm on the same weights."""

from dataclasses import replace
from typing import Any

import mlx.core as mx
import numpy as np
import pytest
from mlx_lm.models import llama as mlx_lm_llama
from mlx_lm.models.cache import make_prompt_cache

import engine
from engine.llama import Decoder
from engine.weights import Weights
from tests.engine import reference
from tests.engine.checkpoints import TinyLlama
from tests.engine.running import (
    ArrayTensors,
    build,
    checkpoint,
    doubles,
    most_likely,
    singles,
    uncached,
)

TEXT = (
    "The keys and values of earlier tokens are kept, so that a new token costs one step. "
    "Das Café am Eck öffnet um acht 🙂; what is seen depends on the window, and on nothing else: "
    "not on chunks, not on phases, not on bits."
)
LLAMA3 = {
    "rope_type": "llama3",
    "factor": 8.0,
    "low_freq_factor": 1.0,
    "high_freq_factor": 4.0,
    "original_max_position_embeddings": 64,
}
VARIANTS = {
    "tied": TinyLlama(),
    "untied": TinyLlama(tied=False),
    "one kv head": TinyLlama(num_key_value_heads=1),
    "as many kv heads": TinyLlama(num_key_value_heads=4),
    "own head_dim": TinyLlama(head_dim=24, num_attention_heads=3, num_key_value_heads=1),
    "attention biases": TinyLlama(attention_bias=True),
    "all biases": TinyLlama(attention_bias=True, mlp_bias=True, tied=False),
    "one layer": TinyLlama(num_hidden_layers=1),
    "large theta": TinyLlama(extra={"rope_theta": 500_000.0}),
    "linear": TinyLlama(extra={"rope_scaling": {"type": "linear", "factor": 4.0}}),
    "llama3": TinyLlama(extra={"rope_scaling": LLAMA3}),
    "llama3, newer style": TinyLlama(
        extra={"rope_theta": None, "rope_parameters": {**LLAMA3, "rope_theta": 20_000.0}}
    ),
    "linear, newer style": TinyLlama(
        extra={"rope_parameters": {"rope_type": "linear", "factor": 2.0, "rope_theta": 5e4}}
    ),
    "larger eps": TinyLlama(extra={"rms_norm_eps": 0.1}),
}


def tokens(count: int, seed: int = 5, vocab_size: int = 288) -> list[int]:
    return np.random.default_rng(seed).integers(0, vocab_size, count).tolist()


@pytest.mark.parametrize("name", VARIANTS)
def test_logits_equal_the_papers_formulas(name: str) -> None:
    tiny = VARIANTS[name]
    _, decoder = build(tiny)
    ids = tokens(90)
    expected = reference.logits(tiny.config(), doubles(tiny), ids)
    assert np.abs(uncached(decoder, ids) - expected).max() < 1e-4


def test_the_reference_tells_variants_apart() -> None:
    """Each choice changes logits by far more than the tolerance, so the comparison can fail."""
    ids = tokens(90)
    plain = reference.logits(TinyLlama().config(), doubles(TinyLlama()), ids)
    for name in ("linear", "llama3", "llama3, newer style", "large theta", "larger eps"):
        other = VARIANTS[name].config()
        assert np.abs(reference.logits(other, doubles(TinyLlama()), ids) - plain).max() > 0.01


@pytest.mark.parametrize(("dtype", "tolerance"), [(mx.float16, 0.05), (mx.bfloat16, 0.4)])
def test_half_precision_stays_near(dtype: mx.Dtype, tolerance: float) -> None:
    tiny = TinyLlama()
    _, decoder = build(tiny)
    ids = tokens(60)
    expected = uncached(decoder, ids)
    _narrow(decoder, dtype)
    hidden = decoder.hidden(mx.array([ids]))
    assert hidden.dtype == dtype == decoder.embed_tokens.dtype
    assert np.abs(uncached(decoder, ids) - expected).max() < tolerance


def _narrow(decoder: Decoder, dtype: mx.Dtype) -> None:
    """Cast every weight of a dense decoder."""
    parts: list[tuple[Any, str]] = [(decoder, "embed_tokens"), (decoder, "norm")]
    for block in decoder.layers:
        parts += [(block, "input_layernorm"), (block, "post_attention_layernorm")]
        parts += [(block.self_attn, f"{name}_proj") for name in "qkvo"]
        parts += [(block.mlp, f"{name}_proj") for name in ("gate", "up", "down")]
    for owner, name in parts:
        part = getattr(owner, name)
        setattr(owner, name, replace(part, weight=part.weight.astype(dtype)))
    decoder.lm_head = decoder.embed_tokens.as_linear


def test_only_the_asked_positions_are_projected(starter: engine.Model) -> None:
    hidden = starter.decoder.hidden(mx.array([tokens(9)]))
    last = starter.decoder.project(hidden[:, -1:, :])
    assert last.shape == (1, 1, starter.config.vocab_size)


def test_building_reports_every_block() -> None:
    config, _ = build(TinyLlama(num_hidden_layers=3))
    seen: list[int] = []
    tensors = TinyLlama(num_hidden_layers=3).tensors()
    Decoder(config, Weights(ArrayTensors(tensors), "memory"), seen.append)
    assert seen == [0, 1, 2]


def starter_config(model: engine.Model) -> dict[str, Any]:
    """The starter's config.json, written down from what its file says."""
    config = model.config
    assert config.rope.kind == "default"
    return {
        "model_type": "llama",
        "hidden_size": config.hidden_size,
        "num_hidden_layers": config.num_hidden_layers,
        "intermediate_size": config.intermediate_size,
        "num_attention_heads": config.num_attention_heads,
        "num_key_value_heads": config.num_key_value_heads,
        "head_dim": config.head_dim,
        "rms_norm_eps": config.rms_norm_eps,
        "vocab_size": config.vocab_size,
        "max_position_embeddings": config.max_position_embeddings,
        "rope_theta": config.rope.theta,
        "tie_word_embeddings": config.tie_word_embeddings,
    }


@pytest.fixture(scope="module")
def peer(starter: engine.Model) -> mlx_lm_llama.Model:
    """mlx-lm's llama with the starter's weights."""
    arguments = mlx_lm_llama.ModelArgs.from_dict(starter_config(starter))
    model = mlx_lm_llama.Model(arguments)
    model.load_weights(list(checkpoint(starter.decoder).items()), strict=True)
    mx.eval(model.parameters())
    return model


@pytest.mark.slow
def test_the_starter_equals_the_papers_formulas(starter: engine.Model) -> None:
    arrays = checkpoint(starter.decoder)

    def weights(name: str) -> reference.Doubles:
        return singles(arrays[name]).astype(np.float64)

    ids = starter.tokenizer.encode(TEXT * 2)[:64]
    expected = reference.logits(starter_config(starter), weights, ids)
    assert np.abs(singles(starter.logits(ids)) - expected).max() < 3e-4


def test_the_starters_logits_equal_mlx_lms(starter: engine.Model, peer: mlx_lm_llama.Model) -> None:
    ids = starter.tokenizer.encode(TEXT)
    expected = singles(peer(mx.array([ids]))[0])
    # Of logits up to some 25: sums of float32 in another order, through thirty blocks.
    assert np.abs(singles(starter.logits(ids)) - expected).max() < 2e-4


@pytest.mark.slow
def test_greedy_tokens_equal_mlx_lms_and_those_without_a_cache(
    starter: engine.Model, peer: mlx_lm_llama.Model
) -> None:
    prompt = starter.prompt_tokens([{"role": "user", "content": "Name three primary colours."}])
    session = starter.session()
    greedy = engine.Sampling(temperature=0.0)
    ours = [chunk.token for chunk in session.generate(prompt, greedy, max_tokens=5)]
    alone, theirs, cache = list(prompt), list(prompt), make_prompt_cache(peer)
    for _ in ours:
        alone.append(most_likely(starter.logits(alone)[-1]))
        new = theirs[cache[0].offset :]
        theirs.append(most_likely(peer(mx.array([new]), cache=cache)[0, -1]))
    assert len(ours) == 5
    assert ours == alone[len(prompt) :] == theirs[len(prompt) :]
