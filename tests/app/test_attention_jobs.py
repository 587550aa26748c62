"""What the views of attention and layers show is what the engine computes, number by number."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np
import pytest

import engine
from app.attention import job_for
from app.chats.settings import ContextSettings
from app.jobs import attention as jobs
from app.jobs.asking import policy_of
from app.jobs.attention_message import message_tokens, shown_part
from app.requests import ReplyRequest
from engine.conditions import Conditions
from tests.engine.checkpoints import TinyLlama, write_folder
from tests.engine.zoo_checkpoints import ZOO, build, write_zoo
from ui.playground.attention_values import (
    FIRST,
    AttentionAsked,
    BlockAsked,
    BlockView,
    CacheView,
    LayerAttention,
    LensAsked,
    LensView,
    ModelShape,
    Need,
    NeighboursAsked,
    NeighboursView,
    ShapeAsked,
    ShareAsked,
    ShareView,
    WalkAsked,
    WalkView,
)

if TYPE_CHECKING:
    from pathlib import Path

    from numpy.typing import NDArray

    from ui.playground.attention_values import Asked

IDS = tuple(range(40, 63))
WINDOW = CacheView(window=6, pinned=3)


@dataclass
class Bench:
    """A workbench that keeps what is reported."""

    model: engine.Model
    reported: list[tuple[float, object]] = field(default_factory=list[tuple[float, object]])
    stop: bool = False

    def borrow(self, source: str) -> engine.Model:
        raise AssertionError(source)

    def session(self, chat_id: str) -> engine.Session | None:
        assert chat_id
        return None

    def cancelled(self) -> bool:
        return self.stop

    def report(self, share: float, partial: object = None) -> None:
        self.reported.append((share, partial))


@pytest.fixture(scope="module")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> engine.Model:
    shape = TinyLlama(tied=False, num_key_value_heads=2, head_dim=32)
    return engine.load(write_folder(tmp_path_factory.mktemp("models") / "tiny", shape))


def answer(model: engine.Model, asked: Asked) -> object:
    return job_for(asked)(Bench(model))


def matrix(weights: bytes | None, count: int = len(IDS)) -> NDArray[np.float32]:
    assert weights is not None
    return np.frombuffer(weights, np.float32).reshape(count, count)


def attention(model: engine.Model, asked: AttentionAsked) -> LayerAttention:
    found = answer(model, asked)
    assert isinstance(found, LayerAttention)
    return found


def test_the_weights_are_the_engines_head_by_head_and_on_the_mean(tiny: engine.Model) -> None:
    found = attention(tiny, AttentionAsked(IDS, 1, None))
    wanted = engine.attention(tiny, IDS, 1)
    assert found.heads == tuple(range(len(wanted)))
    for head, weights in enumerate(wanted):
        assert np.array_equal(matrix(found.of(head)), weights)
        assert found.row(head, 5) == tuple(weights[5].tolist())
        assert found.high(head) == weights[1:, 1:].max()
        assert np.allclose(matrix(found.thumbs[head]), weights, atol=0)
    mean = engine.mean_attention(tiny, IDS, 1)
    assert np.allclose(matrix(found.of(None)), mean, rtol=0, atol=1e-7)
    assert np.allclose(matrix(found.of(None)).sum(axis=1), 1, atol=1e-5)
    assert not np.triu(matrix(found.of(None)), 1).any()
    assert found.of(99) is None
    assert found.row(99, 0) == ()


def test_a_long_text_has_small_pictures_of_its_largest_weights(tiny: engine.Model) -> None:
    ids = tuple(20 + n % 60 for n in range(2 * jobs.THUMB + 5))
    found = attention(tiny, AttentionAsked(ids, 0, 0, every=True))
    assert found.side == jobs.THUMB
    small = matrix(found.thumbs[0], found.side)
    assert small.max() == matrix(found.of(0), len(ids)).max()
    assert not np.triu(small, 1).any()
    assert found.held_bytes > sum(map(len, found.weights))


def test_what_a_window_leaves_out_has_no_weight(tiny: engine.Model) -> None:
    found = attention(tiny, AttentionAsked(IDS, 1, 0, cache=WINDOW))
    policy = engine.CachePolicy(6, 3)
    wanted = engine.attention(tiny, IDS, 1, conditions=Conditions(policy))
    assert np.array_equal(matrix(found.of(0)), wanted[0])
    assert found.seen == WINDOW
    row, oldest = found.row(0, 20), WINDOW.oldest(20)
    assert oldest == 15
    assert all(row[:3])
    assert not any(row[3:oldest])
    assert all(row[oldest:21])


def test_what_it_takes_is_said_first_and_agreed_to_where_it_is_much(
    tiny: engine.Model, monkeypatch: pytest.MonkeyPatch
) -> None:
    bench = Bench(tiny)
    job_for(AttentionAsked(IDS, 0, 0))(bench)
    heads = tiny.config.num_attention_heads
    value_bytes = tiny.network.dtype.size
    whole = engine.attention_bytes(tiny.config, len(IDS), value_bytes=value_bytes)
    one = engine.attention_bytes(tiny.config, len(IDS), 1, value_bytes=value_bytes)
    assert bench.reported[0] == (0.0, Need(whole))
    monkeypatch.setattr(jobs, "QUIET_BYTES", one)
    found = attention(tiny, AttentionAsked(IDS, 0, 2))
    assert (found.heads, found.mean, found.thumbs) == ((2,), None, ())
    assert found.needed_bytes == one
    mean = attention(tiny, AttentionAsked(IDS, 0, None))
    assert mean.heads == ()
    assert np.array_equal(matrix(mean.of(None)), engine.mean_attention(tiny, IDS, 0))
    asked = AttentionAsked(IDS, 0, None, every=True)
    assert answer(tiny, asked) == Need(whole, ask=True)
    every = attention(tiny, AttentionAsked(IDS, 0, None, every=True, confirmed=True))
    assert len(every.heads) == heads


def test_a_walk_adds_up(tiny: engine.Model) -> None:
    walk = answer(tiny, WalkAsked(IDS, 1, 3, 12, WINDOW))
    assert isinstance(walk, WalkView)
    policy = engine.CachePolicy(6, 3)
    wanted = engine.walk_attention(tiny, IDS, 1, 3, 12, conditions=Conditions(policy))
    assert tuple(key.position for key in walk.keys) == wanted.positions
    assert [key.weight for key in walk.keys] == wanted.weights.tolist()
    assert [key.product for key in walk.keys] == wanted.products.tolist()
    assert walk.query == tuple(wanted.query.tolist())
    assert walk.mixed == tuple(wanted.mixed.tolist())
    for key in walk.keys:
        assert key.score == pytest.approx(key.product * walk.scale, rel=1e-5)
    exps = [math.exp(key.score) for key in walk.keys]
    for key, exp in zip(walk.keys, exps, strict=True):
        assert key.weight == pytest.approx(exp / sum(exps), abs=1e-5)
    for n in range(FIRST):
        total = sum(key.weight * key.value[n] for key in walk.keys)
        assert walk.mixed[n] == pytest.approx(total, abs=1e-4)
    assert walk.output_norm == pytest.approx(float(np.linalg.norm(wanted.output)))


def test_the_lens_and_the_parts_are_the_engines(tiny: engine.Model) -> None:
    lens = answer(tiny, LensAsked(IDS, (3, 9)))
    assert isinstance(lens, LensView)
    wanted = engine.logit_lens(tiny, IDS, positions=(3, 9))
    ids = [[[guess.token for guess in cell] for cell in row] for row in lens.guesses]
    assert ids == wanted.top_ids.tolist()
    chances = [[[guess.probability for guess in cell] for cell in row] for row in lens.guesses]
    assert chances == wanted.top_probabilities.tolist()
    assert np.array_equal(np.array(lens.residual, np.float32), wanted.residual_norms)
    assert np.array_equal(np.array(lens.attention, np.float32), wanted.attention_norms)
    assert np.array_equal(np.array(lens.feed_forward, np.float32), wanted.feed_forward_norms)
    assert np.allclose(lens.entropies, wanted.entropies / math.log(2))
    share = answer(tiny, ShareAsked(IDS, 9))
    assert isinstance(share, ShareView)
    assert share.token == ids[-1][1][0]
    whole = share.embedding + sum(share.attention) + sum(share.feed_forward)
    assert whole == pytest.approx(share.logit, abs=1e-3)
    block = answer(tiny, BlockAsked(IDS, 1, 9))
    assert isinstance(block, BlockView)
    trace = engine.trace_block(tiny, IDS, 1, 9)
    assert [(step.name, step.norm) for step in block.steps] == [
        (step.name, step.norm) for step in trace.steps
    ]


def test_neighbours_are_the_engines(tiny: engine.Model) -> None:
    near = answer(tiny, NeighboursAsked(70))
    assert isinstance(near, NeighboursView)
    wanted = engine.neighbours(tiny, 70, 20)
    assert [(each.token, each.cosine) for each in near.nearest] == [
        (each.token, each.cosine) for each in wanted.nearest
    ]
    assert near.first == tuple(wanted.vector[:FIRST].tolist())


def test_a_stopped_job_ends(tiny: engine.Model) -> None:
    bench = Bench(tiny, stop=True)
    for asked in (AttentionAsked(IDS, 1, 0), LensAsked(IDS, (3,)), NeighboursAsked(70)):
        with pytest.raises(engine.CancelledError):
            job_for(asked)(bench)


@pytest.mark.slow  # importing mlx-lm takes seconds
def test_a_model_of_mlx_lm_says_why_it_cannot_be_looked_into(tmp_path: Path) -> None:
    zoo = engine.load(write_zoo(tmp_path / "zoo", ZOO["gemma2"], build(ZOO["gemma2"])))
    shape = answer(zoo, ShapeAsked())
    assert isinstance(shape, ModelShape)
    assert "runs through mlx-lm" in shape.refusal
    with pytest.raises(engine.UnsupportedError, match="runs through mlx-lm"):
        answer(zoo, AttentionAsked(IDS, 0, 0))


def test_the_shape_is_the_models(tiny: engine.Model) -> None:
    config = tiny.config
    shape = ModelShape(config.num_hidden_layers, config.num_attention_heads)
    assert answer(tiny, ShapeAsked()) == shape


def test_of_a_long_chat_the_pinned_and_the_latest_tokens_are_shown() -> None:
    ids = list(range(100))
    assert shown_part(ids, CacheView(50, 8), 100) == (tuple(ids), 100)
    part, first = shown_part(ids, CacheView(50, 8), 20)
    assert (part, first) == ((*range(8), *range(88, 100)), 8)
    assert shown_part(ids, CacheView(50, 80), 20) == ((*range(10), *range(90, 100)), 10)
    assert shown_part(ids, CacheView(), 20) == (tuple(range(80, 100)), 0)


def test_a_message_is_its_exact_prompt_and_reply(tiny: engine.Model) -> None:
    messages = [{"role": "user", "content": "hello"}]
    prompt = tiny.prompt_tokens(messages)
    written = tuple(tiny.tokenizer.encode("abc"))
    context = ContextSettings("window", 64)
    said = [*messages, {"role": "assistant", "content": tiny.tokenizer.decode(written)}]
    request = ReplyRequest("r", "c", said, context=context, continues=True, written=written)
    found = message_tokens(Bench(tiny), request)
    assert found.text.ids == (*prompt, *written)
    assert (found.first, found.count) == (len(found.text.ids), len(found.text.ids))
    policy = policy_of(tiny, messages, context)
    assert found.cache == CacheView(policy.window, policy.pinned, policy.bits)
    assert any(token.control for token in found.text.tokens)
    question = message_tokens(Bench(tiny), ReplyRequest("q", "c", messages))
    assert question.text.ids == tuple(prompt)


@pytest.mark.slow
def test_the_starters_numbers_are_shown() -> None:
    starter = engine.load("starter")
    ids = tuple(starter.tokenizer.encode("It was late because of rain."))
    found = attention(starter, AttentionAsked(ids, 14, 6))
    wanted = engine.attention(starter, ids, 14, (6,))
    assert np.array_equal(matrix(found.of(6), len(ids)), wanted[0])
    near = answer(starter, NeighboursAsked(ids[3]))
    assert isinstance(near, NeighboursView)
    assert "since" in [each.text.strip() for each in near.nearest]
