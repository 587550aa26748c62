"""One token through a block: every vector is what its part makes of the one before."""

from pathlib import Path

import numpy as np
import pytest

import engine
from engine.conditions import Conditions
from tests.engine.checkpoints import TinyLlama, write_quantized_folder
from tests.engine.opened import open_tiny, tiny_model, tokens
from tests.engine.running import doubles
from tests.engine.variants import VARIANTS

NAMES = [
    "input",
    "input_layernorm",
    "q_proj",
    "k_proj",
    "v_proj",
    "rope_q",
    "rope_k",
    "heads",
    "o_proj",
    "attention_residual",
    "post_attention_layernorm",
    "gate_proj",
    "up_proj",
    "swiglu",
    "down_proj",
    "output",
]


@pytest.mark.parametrize("layer", [0, 1])
@pytest.mark.parametrize("name", ["llama", "qwen2", "mistral, sliding"])
def test_vectors_equal_the_reference(tiny: engine.Model, name: str, layer: int) -> None:
    variant, ids = VARIANTS[name], tokens(20)
    trace = engine.trace_block(tiny_model(tiny, variant), ids, layer, 13)
    assert [step.name for step in trace.steps] == NAMES
    assert trace.token == ids[13]
    wanted, weights = open_tiny(variant, ids), doubles(variant)
    where = f"model.layers.{layer}"

    def close(step: str, values: np.ndarray) -> None:
        assert np.abs(trace[step].values - values).max() < 1e-4, step

    def normed(x: np.ndarray, norm: str) -> np.ndarray:
        return x / np.sqrt(np.mean(x * x) + 1e-5) * weights(f"{where}.{norm}.weight")

    before, attention = wanted.streams[layer][13], wanted.attention[layer][13]
    middle = normed(before + attention, "post_attention_layernorm")
    gate, up = (weights(f"{where}.mlp.{part}_proj.weight") @ middle for part in ("gate", "up"))
    close("input", before)
    close("input_layernorm", normed(before, "input_layernorm"))
    close("o_proj", attention)
    close("attention_residual", before + attention)
    close("post_attention_layernorm", middle)
    close("gate_proj", gate)
    close("up_proj", up)
    close("swiglu", gate / (1 + np.exp(-gate)) * up)
    close("down_proj", wanted.feed_forward(layer)[13])
    close("output", wanted.streams[layer + 1][13])


def test_heads_are_those_of_the_walk(tiny: engine.Model) -> None:
    ids = tokens(20)
    trace = engine.trace_block(tiny, ids, 1, 13)
    walks = [engine.walk_attention(tiny, ids, 1, head, 13) for head in range(4)]
    mixed = np.concatenate([walk.mixed for walk in walks])
    assert np.abs(trace["heads"].values - mixed).max() < 1e-5
    assert np.abs(trace["rope_k"].values - walks[0].keys[13]).max() < 1e-6
    turned = np.concatenate([walk.query for walk in walks])
    assert np.abs(trace["rope_q"].values - turned).max() < 1e-6


def test_magnitudes_are_those_of_the_vectors(tiny: engine.Model) -> None:
    for step in engine.trace_block(tiny, tokens(9), 0, 5).steps:
        assert np.isclose(step.norm, np.linalg.norm(step.values), rtol=1e-5)
        assert np.isclose(step.rms, step.norm / np.sqrt(step.values.size), rtol=1e-5)
        assert np.isclose(step.largest, np.abs(step.values).max(), rtol=1e-6)


def test_functions_are_named_that_did_it(tiny: engine.Model, tmp_path: Path) -> None:
    first, second = (engine.trace_block(tiny, tokens(9), layer, 5) for layer in (0, 1))
    assert first["input"].function == "engine.layers.DenseEmbedding"
    assert second["input"].function == "engine.llama.Block"
    assert first["input_layernorm"].function == "engine.layers.RMSNorm"
    assert first["rope_q"].function == "engine.rope.Rope"
    assert first["q_proj"].function == "engine.layers.DenseLinear"
    packed = engine.load(write_quantized_folder(tmp_path, TinyLlama()), precision="stored")
    told = engine.trace_block(packed, tokens(9), 0, 5)
    assert told["q_proj"].function == "engine.layers.QuantizedLinear"
    with pytest.raises(KeyError):
        told["lm_head"]


def test_without_rope_nothing_is_turned(tiny: engine.Model) -> None:
    trace = engine.trace_block(tiny, tokens(9), 0, 5, conditions=Conditions(rope=False))
    assert np.array_equal(trace["rope_q"].values, trace["q_proj"].values)
