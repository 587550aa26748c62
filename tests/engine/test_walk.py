"""One token through one head: every number is what the formula makes of the one before."""

import numpy as np
import pytest

import engine
from engine.cache import CachePolicy
from engine.conditions import Conditions
from engine.layers import DenseLinear
from tests.engine.opened import open_tiny, tiny_model, tokens
from tests.engine.running import singles
from tests.engine.variants import VARIANTS

LENGTH = 30
ORDER = ("dog bites man", "man bites dog")


@pytest.mark.parametrize(
    "name", ["llama", "qwen2", "qwen3, biases", "yarn", "RoPE by layer type", "mistral, sliding"]
)
def test_each_step_follows_from_the_one_before(tiny: engine.Model, name: str) -> None:
    model, ids = tiny_model(tiny, VARIANTS[name]), tokens(LENGTH)
    wanted = open_tiny(VARIANTS[name], ids)
    for layer, head, position in ((0, 0, 0), (1, 3, 17), (1, 2, LENGTH - 1)):
        walk = engine.walk_attention(model, ids, layer, head, position)
        assert walk.kv_head == head * model.config.num_key_value_heads // 4
        assert walk.scale == model.config.head_dim**-0.5
        assert np.abs(walk.keys @ walk.query - walk.products).max() < 1e-4
        assert np.abs(walk.products * walk.scale - walk.scores).max() < 1e-6
        raised = np.exp(walk.scores - walk.scores.max())
        assert np.abs(raised / raised.sum() - walk.weights).max() < 1e-6
        assert np.abs(walk.weights @ walk.values - walk.mixed).max() < 1e-5
        told = wanted.weights[layer][head, position]
        assert walk.positions == tuple(np.flatnonzero(told))
        assert np.abs(told[list(walk.positions)] - walk.weights).max() < 1e-5
        assert np.abs(wanted.attention[layer][position] - walk.output).max() < 1e-4
        lengths = [np.linalg.norm(each) for each in (walk.query, walk.query_unrotated)]
        assert np.isclose(*lengths, rtol=1e-4) or "yarn" in name or name == "RoPE by layer type"


def test_the_heads_contributions_add_up_to_the_output(tiny: engine.Model) -> None:
    model, ids = tiny_model(tiny, VARIANTS["qwen3, biases"]), tokens(LENGTH)
    walks = [engine.walk_attention(model, ids, 1, head, 20) for head in range(4)]
    projection = model.decoder.layers[1].self_attn.o_proj
    assert isinstance(projection, DenseLinear)
    assert projection.bias is not None
    total = singles(projection.bias) + np.sum([walk.contribution for walk in walks], axis=0)
    assert np.abs(total - walks[0].output).max() < 1e-4
    assert all(np.array_equal(walk.output, walks[0].output) for walk in walks)


def test_a_rotating_cache_shows_what_is_pinned_and_in_the_window(tiny: engine.Model) -> None:
    conditions = Conditions(CachePolicy(window=5, pinned=3))
    walk = engine.walk_attention(tiny, tokens(200), 1, 0, 150, conditions=conditions)
    assert walk.positions == (0, 1, 2, 146, 147, 148, 149, 150)
    weights = engine.attention(tiny, tokens(200), 1, [0], conditions=conditions)[0, 150]
    assert np.abs(weights[list(walk.positions)] - walk.weights).max() < 1e-6


def test_without_the_mask_it_sees_the_future(tiny: engine.Model) -> None:
    walk = engine.walk_attention(tiny, tokens(9), 0, 1, 2, conditions=Conditions(mask=False))
    assert walk.positions == tuple(range(9))


def test_without_rope_one_layers_output_knows_no_order(starter: engine.Model) -> None:
    """Of the words before the last token, within rounding; with RoPE it does, by far more."""
    one, other = ([*starter.tokenizer.encode(f" {text}"), 30] for text in ORDER)
    assert one != other
    assert sorted(one) == sorted(other)

    def apart(*, rope: bool) -> float:
        found = [
            engine.walk_attention(
                starter, ids, 0, 0, len(ids) - 1, conditions=Conditions(rope=rope)
            ).output
            for ids in (one, other)
        ]
        return float(np.abs(found[0] - found[1]).max())

    assert apart(rope=False) < 1e-5
    assert apart(rope=True) > 1e-2


def test_scores_depend_on_the_distance(tiny: engine.Model) -> None:
    """At the tokens' own distance it is the walk's score; and RoPE off is distance 0."""
    for name in ("llama", "yarn", "linear", "RoPE by layer type"):
        model, ids = tiny_model(tiny, VARIANTS[name]), tokens(LENGTH)
        for layer in (0, 1):
            found = engine.scores_by_distance(model, ids, layer, 2, (12, 7), most=100)
            assert found.shape == (101,)
            walk = engine.walk_attention(model, ids, layer, 2, 12)
            assert abs(found[5] - walk.scores[walk.positions.index(7)]) < 1e-3
        still = engine.walk_attention(model, ids, 0, 2, 12, conditions=Conditions(rope=False))
        first = engine.scores_by_distance(model, ids, 0, 2, (12, 7))
        assert abs(first[0] - still.scores[still.positions.index(7)]) < 1e-3


@pytest.mark.parametrize(
    ("arguments", "message"),
    [((2, 0, 0), "2 layers"), ((0, 4, 0), "4 heads"), ((0, 0, 9), "9 tokens")],
)
def test_what_is_not_there_is_refused(
    tiny: engine.Model, arguments: tuple[int, int, int], message: str
) -> None:
    with pytest.raises(engine.SettingError, match=message):
        engine.walk_attention(tiny, tokens(9), *arguments)


def test_distances_beyond_the_context_are_refused(tiny: engine.Model) -> None:
    with pytest.raises(engine.SettingError, match="up to 511"):
        engine.scores_by_distance(tiny, tokens(9), 0, 0, (3, 1), most=512)
