"""Exhibit 6: attention of one layer knows no order without RoPE; a causal stack does."""

from dataclasses import replace

import numpy as np
import pytest

import engine
from engine.exhibits.order import EXHIBIT, OrderInputs, OrderResult
from tests.engine.exhibits.watched import all_seen, by_name, measured, stops
from tests.engine.opened import tiny_model
from tests.engine.variants import VARIANTS

CLAIMS = {
    "no_order", "rope_knows", "network_knows", "mask_leaks_order", "without_both",
    "only_distance", "in_text", "distance_matters",
}  # fmt: skip


@pytest.fixture(scope="module")
def result(starter: engine.Model) -> OrderResult:
    return measured(EXHIBIT, starter, OrderInputs())


def test_every_claim_is_seen_on_the_starter(result: OrderResult) -> None:
    claims = all_seen(EXHIBIT, result)
    assert set(claims) == CLAIMS
    assert claims["no_order"].measured < 1e-5
    assert claims["rope_knows"].measured > 1e-3
    assert claims["mask_leaks_order"].measured > 1
    assert claims["without_both"].measured < 1e-3
    assert claims["only_distance"].measured < 1e-2


def test_all_orders_of_three_words_are_tried(result: OrderResult) -> None:
    assert result.pieces == (" dog", " bites", " man", ".")
    assert result.other_pieces == (" man", " bites", " dog", ".")
    assert result.one_layer is not None
    orders = [order.pieces for order in result.one_layer.orders]
    assert orders[0] == result.other_pieces
    assert len(set(orders)) == len(orders) == 5
    assert all(sorted(order) == sorted(result.pieces) for order in orders)
    assert all(order[-1] == "." for order in orders)
    for order in result.one_layer.orders:
        assert order.differing_bits > 0 or order.without_rope == 0


def test_the_layer_is_given_what_the_network_would(
    starter: engine.Model, result: OrderResult
) -> None:
    """In layer 0 the reordered vectors are those of the reordered text."""
    assert result.one_layer is not None
    texts = [starter.tokenizer.encode(f" {text}.") for text in ("dog bites man", "man bites dog")]
    for rope in (True, False):
        outputs = [
            engine.walk_attention(
                starter, ids, 0, 0, 3, conditions=engine.Conditions(rope=rope)
            ).output
            for ids in texts
        ]
        apart = float(np.abs(outputs[0] - outputs[1]).max())
        found = result.one_layer.orders[0]
        assert apart == pytest.approx(found.with_rope if rope else found.without_rope, abs=1e-6)


def test_order_leaks_from_the_second_layer_on(result: OrderResult) -> None:
    usual, no_rope, neither = (stack.by_layer for stack in result.stacks)
    assert len(usual) == len(no_rope) == len(neither) == 30
    assert usual[0] > 1e-3
    assert no_rope[0] < 1e-5
    assert min(no_rope[1:]) > 1e-3
    assert max(neither) < 1e-4


def test_the_score_by_distance(result: OrderResult) -> None:
    found = result.distance
    assert found is not None
    assert (found.asks, found.says, found.real, found.shift) == (".", " dog", 3, 1000)
    assert len(found.scores) == 65
    assert max(map(abs, found.scores)) <= found.largest * (1 + 1e-5)


def test_nothing_is_claimed_of_a_move_that_there_is_no_room_for(tiny: engine.Model) -> None:
    found = EXHIBIT.measure(tiny, OrderInputs(distance=511, shuffles=0))
    assert found.distance is not None
    assert found.distance.shift == 0
    assert "only_distance" not in by_name(EXHIBIT, found)


@pytest.mark.parametrize("name", ["yarn", "qwen3, biases", "mistral, sliding", "dynamic"])
def test_deeper_layers_of_other_families(tiny: engine.Model, name: str) -> None:
    model = tiny_model(tiny, VARIANTS[name])
    inputs = OrderInputs(words="a b c", other_order="c a b", layer=1, head=3, key=2)
    claims = all_seen(EXHIBIT, measured(EXHIBIT, model, inputs))
    assert set(claims) == CLAIMS
    assert claims["no_order"].measured < 1e-4


def test_words_that_come_twice_do_not_change_places_with_each_other(tiny: engine.Model) -> None:
    inputs = OrderInputs(words="a b a", other_order="b a a", shuffles=20, key=99)
    found = measured(EXHIBIT, tiny, inputs)
    assert found.one_layer is not None
    orders = [order.pieces for order in found.one_layer.orders]
    assert found.pieces not in orders
    assert len(set(orders)) == len(orders)
    assert by_name(EXHIBIT, found)["rope_knows"].seen
    assert found.distance is not None
    assert found.distance.real == 0  # there are not so many tokens: the last one


def test_a_layer_that_knew_order_without_rope_would_be_found(result: OrderResult) -> None:
    assert result.one_layer is not None
    assert result.distance is not None
    usual, no_rope, neither = result.stacks
    orders = tuple(
        replace(order, without_rope=order.with_rope, with_rope=order.without_rope)
        for order in result.one_layer.orders
    )
    broken = replace(
        result,
        one_layer=replace(result.one_layer, orders=orders),
        stacks=(
            replace(usual, difference=0.0),
            replace(no_rope, difference=neither.difference),
            replace(neither, difference=no_rope.difference),
        ),
        distance=replace(result.distance, scores=(1.0,) * 65, in_text=9.0, moved=9.0),
    )
    claims = by_name(EXHIBIT, broken)
    assert set(claims) == CLAIMS
    assert not any(claim.seen for claim in claims.values())


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"other_order": "man bites dogs"}, "made of the same tokens"),
        ({"other_order": " dog bites man "}, "are the same"),
        ({"words": "x" * 100}, "runs 2 to 64"),
    ],
)
def test_texts_that_cannot_be_compared(
    tiny: engine.Model, change: dict[str, str], said: str
) -> None:
    with pytest.raises(engine.PromptError, match=said):
        EXHIBIT.measure(tiny, replace(OrderInputs(), **change))


@pytest.mark.parametrize(
    "inputs",
    [OrderInputs(layer=2), OrderInputs(head=4), OrderInputs(distance=512)],
)
def test_what_the_model_has_not(tiny: engine.Model, inputs: OrderInputs) -> None:
    with pytest.raises(engine.SettingError):
        EXHIBIT.measure(tiny, inputs)


def test_a_window_that_is_too_short(tiny: engine.Model) -> None:
    with pytest.raises(engine.PromptError, match="take fewer words"):
        EXHIBIT.measure(tiny_model(tiny, VARIANTS["mistral, sliding"]), OrderInputs())


def test_stopping(tiny: engine.Model) -> None:
    stops(EXHIBIT, tiny, OrderInputs())
