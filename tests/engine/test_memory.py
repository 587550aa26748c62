"""The KV formula, plans, and what MLX says it uses."""

import mlx.core as mx
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import engine
from engine.config import ModelConfig, Quantization, parse_config
from engine.kv import GROUP_SIZE
from engine.memory import device_limit_bytes, weight_bytes
from tests.engine.checkpoints import TinyLlama
from tests.engine.running import build, checkpoint

GIB = 1 << 30


def classroom(**changes: object) -> ModelConfig:
    """The example of every course: 32 layers, 8 KV heads, head dimension 128."""
    raw = {
        "model_type": "llama",
        "hidden_size": 4096,
        "num_hidden_layers": 32,
        "num_attention_heads": 32,
        "num_key_value_heads": 8,
        "head_dim": 128,
        "intermediate_size": 14336,
        "vocab_size": 128_256,
        "max_position_embeddings": 131_072,
    }
    return parse_config({**raw, **changes})


def test_the_classroom_example() -> None:
    plan = engine.plan(classroom(), context=8192, users=10, memory=64 * GIB)
    assert plan.bytes_per_token == 131_072
    assert plan.bytes_per_user == GIB
    assert plan.total_bytes == 10 * GIB
    assert plan.weights_bytes == 2 * 8_030_261_248
    assert plan.needed_bytes == plan.weights_bytes + plan.total_bytes
    assert plan.fits is True
    assert (plan.context, plan.users, plan.bits, plan.memory_bytes) == (8192, 10, 16, 64 * GIB)


@pytest.mark.parametrize(("bits", "share"), [(32, 2.0), (16, 1.0), (8, 8.5 / 16), (4, 4.5 / 16)])
def test_bits_change_the_size(bits: int, share: float) -> None:
    assert engine.kv_bytes(classroom(), 8192, bits=bits) == share * GIB
    assert engine.plan(classroom(), bits=bits, memory=GIB).bytes_per_user == share * GIB


def test_smaller_groups_have_more_scales() -> None:
    assert engine.kv_bytes(classroom(), 8192, bits=8, group_size=32) == 9 / 16 * GIB
    assert engine.kv_bytes(classroom(), 8192, batch=3) == 3 * GIB
    assert GROUP_SIZE == 64


@settings(max_examples=150, derandomize=True)
@given(
    st.integers(1, 1 << 20),
    st.integers(1, 1000),
    st.sampled_from([4, 8, 16, 32]),
    st.integers(1, 1 << 44),
)
def test_what_fits_fits_and_one_more_does_not(
    context: int, users: int, bits: int, memory: int
) -> None:
    plan = engine.plan(classroom(), context=context, users=users, bits=bits, memory=memory)
    assert plan.fits == (plan.needed_bytes <= memory)
    assert plan.users_that_fit is not None
    assert plan.context_that_fits is not None
    room = memory - plan.weights_bytes
    if room >= 0:
        assert plan.users_that_fit * plan.bytes_per_user <= room
        assert (plan.users_that_fit + 1) * plan.bytes_per_user > room
        assert plan.context_that_fits * plan.bytes_per_token * users <= room
        assert (plan.context_that_fits + 1) * plan.bytes_per_token * users > room
        assert plan.fits == (plan.users_that_fit >= users) == (plan.context_that_fits >= context)
    else:
        assert plan.users_that_fit == plan.context_that_fits == 0


def test_a_device_that_does_not_say_leaves_it_open() -> None:
    plan = engine.plan(classroom())
    limit = device_limit_bytes()
    assert plan.memory_bytes == limit
    if limit is None:
        assert (plan.fits, plan.users_that_fit, plan.context_that_fits) == (None, None, None)


@pytest.mark.parametrize(
    "values",
    [
        {"context": 0},
        {"context": -1},
        {"context": 1 << 60},
        {"users": 0},
        {"users": -2},
        {"bits": 3},
        {"bits": 0},
        {"memory": 0},
        {"memory": -1},
    ],
)
def test_impossible_numbers_are_refused(values: dict[str, int]) -> None:
    with pytest.raises(engine.SettingError, match=r", not -?\d+\.$"):
        engine.plan(classroom(), **values)


@pytest.mark.parametrize(
    "tiny",
    [
        TinyLlama(),
        TinyLlama(tied=False),
        TinyLlama(attention_bias=True, mlp_bias=True, num_hidden_layers=3, head_dim=24),
    ],
)
def test_parameters_are_counted_as_they_are(tiny: TinyLlama) -> None:
    config, decoder = build(tiny)
    assert config.parameters == sum(array.size for array in checkpoint(decoder).values())


def test_weights_take_what_their_dtype_and_bits_say() -> None:
    parameters = classroom().parameters
    assert weight_bytes(classroom()) == weight_bytes(classroom(dtype="float16")) == 2 * parameters
    assert weight_bytes(classroom(torch_dtype="float32")) == 4 * parameters
    quantised = classroom(quantization={"group_size": 64, "bits": 4})
    assert quantised.quantization == Quantization(64, 4)
    assert weight_bytes(quantised) == int(parameters * 4.5 / 8)


def test_readings_follow_what_is_allocated_and_freed() -> None:
    before = engine.read_memory()
    held = mx.zeros((256, 1024))
    mx.eval(held)
    during = engine.read_memory()
    assert during.active_bytes - before.active_bytes == held.nbytes == 1 << 20
    assert during.peak_bytes >= during.active_bytes
    assert during.limit_bytes == device_limit_bytes()
    del held
    assert engine.read_memory().active_bytes == before.active_bytes
    engine.free_memory()
    assert engine.read_memory().cached_bytes == 0


@pytest.mark.parametrize("bits", [8, 4])
def test_quantised_bytes_measured_by_mlx_are_those_of_the_formula(bits: int) -> None:
    config, _ = build(TinyLlama(head_dim=64))
    x = mx.array(np.random.default_rng(0).normal(size=(1, 2, 1000, 64)).astype(np.float32))
    packed, scales, biases = mx.quantize(x, group_size=64, bits=bits)
    nbytes = packed.nbytes + sum(part.astype(mx.float16).nbytes for part in (scales, biases))
    per_layer = engine.kv_bytes(config, 1000, bits=bits) / config.num_hidden_layers / 2
    assert nbytes == pytest.approx(per_layer, rel=0.02)


def test_a_plan_counts_the_slots_that_a_sliding_layer_has_beside_its_window() -> None:
    config, decoder = build(TinyLlama(model_type="mistral", extra={"sliding_window": 40}))
    cache = decoder.new_cache(engine.CachePolicy())
    while cache.length < 200:
        decoder.hidden(mx.array([[1] * min(cache.chunk(40), 200 - cache.length)]), cache)
    assert engine.plan(config, context=200, bits=32).bytes_per_user == cache.allocated_bytes
