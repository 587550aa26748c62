"""The logit lens next to the plain reference."""

from collections.abc import Callable, Sequence
from dataclasses import replace

import mlx.core as mx
import numpy as np
import pytest

import engine
from engine.cache import CachePolicy
from engine.conditions import Conditions
from engine.guard import MemoryGuard
from tests.engine.opened import Opened, open_tiny, open_up, tiny_model, tokens
from tests.engine.reference import Doubles
from tests.engine.running import checkpoint, limited, singles
from tests.engine.test_attention import assert_weights
from tests.engine.test_llama import starter_config
from tests.engine.variants import VARIANTS

LENGTH = 20


def assert_lens(lens: engine.LogitLens, wanted: Opened, rows: Sequence[int] | None = None) -> None:
    """Every figure of the lens, from the reference's."""
    at = list(lens.positions)
    for row in range(len(wanted.streams)) if rows is None else rows:
        stream = wanted.streams[row]
        logits = wanted.read(stream[at])
        raised = np.exp(logits - logits.max(axis=-1, keepdims=True))
        chances = raised / raised.sum(axis=-1, keepdims=True)
        entropies = -(chances * np.log(chances)).sum(axis=-1)
        order = np.argsort(-chances, axis=-1)[:, : lens.top_ids.shape[-1]]
        best = np.take_along_axis(chances, order, axis=-1)
        assert np.abs(lens.top_probabilities[row] - best).max() < 5e-4
        told = np.take_along_axis(chances, lens.top_ids[row], axis=-1)
        assert np.abs(told - best).max() < 5e-4, "the ids are those of the probabilities"
        assert np.abs(lens.entropies[row] - entropies).max() < 1e-3
        assert np.allclose(lens.residual_norms[row], np.linalg.norm(stream[at], axis=-1), 1e-4)
    for layer, attention in enumerate(wanted.attention):
        before, added = wanted.streams[layer][at], wanted.feed_forward(layer)[at]
        middle = before + attention[at]
        for norms, cosines, part, stream in (
            (lens.attention_norms, lens.attention_cosines, attention[at], before),
            (lens.feed_forward_norms, lens.feed_forward_cosines, added, middle),
        ):
            lengths = np.linalg.norm(part, axis=-1)
            assert np.allclose(norms[layer], lengths, rtol=1e-3)
            products = (part * stream).sum(axis=-1) / lengths / np.linalg.norm(stream, axis=-1)
            assert np.abs(cosines[layer] - products).max() < 1e-3


@pytest.mark.parametrize("name", VARIANTS)
def test_every_family_equals_the_reference(tiny: engine.Model, name: str) -> None:
    ids = tokens(LENGTH)
    lens = engine.logit_lens(tiny_model(tiny, VARIANTS[name]), ids, top=3)
    assert lens.ids == tuple(ids)
    assert lens.positions == tuple(range(LENGTH))
    assert_lens(lens, open_tiny(VARIANTS[name], ids))


def test_the_inside_of_the_starter_equals_the_reference(starter: engine.Model) -> None:
    """Lens, attention and contributions, which share the reference's pass of a second or so."""
    ids = starter.tokenizer.encode("The capital of France is")
    arrays = checkpoint(starter.decoder)

    def weights(name: str) -> Doubles:
        return singles(arrays[name]).astype(np.float64)

    wanted = open_up(starter_config(starter), weights, ids)
    lens = engine.logit_lens(starter, ids, positions=[len(ids) - 1])
    assert_lens(lens, wanted, rows=(0, 1, 13, 30))
    assert starter.tokenizer.piece(int(lens.top_ids[-1, 0, 0])) == " Paris"
    for layer in (0, 13, 29):
        assert_weights(engine.attention(starter, ids, layer), wanted.weights[layer])
    found = engine.logit_contributions(starter, ids, len(ids) - 1)
    assert found.token == lens.top_ids[-1, 0, 0]
    assert abs(found.total - found.logit) < 1e-3
    assert abs(found.logit - wanted.read(wanted.streams[-1][-1])[found.token]) < 1e-3


def test_chosen_positions_say_the_same_as_all(tiny: engine.Model) -> None:
    ids = tokens(LENGTH)
    every, some = engine.logit_lens(tiny, ids), engine.logit_lens(tiny, ids, positions=[7, 2])
    assert some.positions == (7, 2)
    assert np.array_equal(some.top_ids, every.top_ids[:, [7, 2]])
    assert np.abs(some.residual_norms - every.residual_norms[:, [7, 2]]).max() < 1e-5
    assert np.abs(some.attention_cosines - every.attention_cosines[:, [7, 2]]).max() < 1e-5


def test_the_last_row_is_what_the_network_says(tiny: engine.Model) -> None:
    ids = tokens(LENGTH)
    lens, logits = engine.logit_lens(tiny, ids, top=4), singles(tiny.logits(ids))
    assert np.array_equal(lens.top_ids[-1], np.argsort(-logits, axis=-1)[:, :4])
    assert np.abs(engine.logits_at(tiny, ids, [3, 19]) - logits[[3, 19]]).max() < 1e-5


def test_through_a_rotating_cache(tiny: engine.Model) -> None:
    """In many chunks; the first tokens, where nothing is evicted yet, say the same as without."""
    ids, conditions = tokens(200), Conditions(CachePolicy(window=20, pinned=4))
    rotating = engine.logit_lens(tiny, ids, positions=[10, 190], conditions=conditions)
    plain = engine.logit_lens(tiny, ids, positions=[10, 190])
    assert np.abs(rotating.top_probabilities - plain.top_probabilities)[:, 0].max() < 1e-5
    assert np.abs(rotating.residual_norms - plain.residual_norms)[-1, 1] > 1e-3
    logits = engine.logits_at(tiny, ids, [10, 190], conditions=conditions)
    assert np.array_equal(logits.argmax(axis=-1), rotating.top_ids[-1, :, 0])


def test_the_future_leaks_without_the_mask_and_never_with_it(starter: engine.Model) -> None:
    one, other = (
        starter.tokenizer.encode(f"The capital of France is {end}") for end in ("Paris", "Madrid")
    )
    at = len(starter.tokenizer.encode("The capital of France is")) - 1
    assert one[: at + 1] == other[: at + 1]
    assert len(one) == len(other)

    def change(conditions: Conditions) -> float:
        found = [
            engine.logits_at(starter, ids, [at], conditions=conditions) for ids in (one, other)
        ]
        return float(np.abs(found[0] - found[1]).max())

    assert change(Conditions()) == 0.0
    assert change(Conditions(mask=False)) > 0.1


Refusal = tuple[Callable[[engine.Model], object], type[Exception], str]
REFUSALS: list[Refusal] = [
    (lambda m: engine.logit_lens(m, [1] * 1025), engine.PromptError, "at most 1,024 tokens"),
    (lambda m: engine.logit_lens(m, [1, 2], 0), engine.SettingError, "1 to 100, not 0"),
    (lambda m: engine.logit_lens(m, [1, 2], 101), engine.SettingError, "not 101"),
    (lambda m: engine.logit_lens(m, [1, 2], positions=[2]), engine.SettingError, "2 tokens"),
    (lambda m: engine.logit_lens(m, [1, 2], positions=[]), engine.SettingError, "at least one"),
    (lambda m: engine.logit_lens(m, [1, 2], positions=[1, 1]), engine.SettingError, "only once"),
    (lambda m: engine.logits_at(m, [1, 2], [2]), engine.SettingError, "2 tokens"),
]


@pytest.mark.parametrize(("ask", "error", "message"), REFUSALS)
def test_what_cannot_be_shown_is_refused(
    tiny: engine.Model, ask: Callable[[engine.Model], object], error: type[Exception], message: str
) -> None:
    with pytest.raises(error, match=message):
        ask(tiny)


def test_memory_is_said_before_and_is_enough(tiny: engine.Model) -> None:
    ids = tokens(300)
    said = engine.lens_bytes(tiny.config, 300, 300)
    with pytest.raises(engine.MemoryLimitError, match="logit lens over 300 tokens needs"):
        engine.logit_lens(limited(tiny, 0), ids)
    engine.logit_lens(tiny, ids)
    mx.clear_cache()
    mx.reset_peak_memory()
    before = mx.get_active_memory()
    engine.logit_lens(tiny, ids)
    assert mx.get_peak_memory() - before <= said
    assert engine.lens_bytes(tiny.config, 300, 2) < said
    guard = MemoryGuard(mx.get_active_memory() + 2 * said)
    engine.logit_lens(replace(tiny, common=replace(tiny.common, guard=guard)), ids)


def test_it_is_told_layer_by_layer_and_stops_when_asked(starter: engine.Model) -> None:
    shares: list[float] = []
    watch = engine.Watch(cancelled=lambda: len(shares) >= 3, progress=shares.append)
    with pytest.raises(engine.CancelledError):
        engine.logit_lens(starter, [1, 2, 3], positions=[2], watch=watch)
    assert shares == [1 / 30, 2 / 30, 3 / 30]
