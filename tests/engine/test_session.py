"""Sessions: what they hold, what they reuse and why not more, what they refuse."""

import gc
import os
from collections.abc import Sequence
from pathlib import Path

import mlx.core as mx
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import engine
from engine.layers import DenseLinear
from engine.session import Session
from tests.engine.checkpoints import TinyLlama, write_folder
from tests.engine.running import cache_of, ids_of, text_of

GREEDY = engine.Sampling(temperature=0.0)


def tokens(count: int, seed: int = 5) -> list[int]:
    """Random bytes, so that no control token is among them."""
    return np.random.default_rng(seed).integers(0, 256, count).tolist()


def reply(session: Session, ids: Sequence[int], count: int = 4) -> list[int]:
    """The tokens of a greedy reply."""
    return ids_of(session.generate(ids, GREEDY, count))


def logprobs(session: Session, ids: Sequence[int]) -> list[float]:
    """The log-probabilities of a greedy reply's tokens and of the three next to them."""
    chunks = list(session.generate(ids, GREEDY, 4, logprobs=4))
    return [entry.logprob for chunk in chunks for entry in chunk.top]


def test_a_new_session_holds_nothing(tiny: engine.Model) -> None:
    session = tiny.session()
    assert session.tokens == []
    assert session.reuse == engine.Reuse()
    assert session.figures == engine.Figures()
    assert session.memory() == engine.SessionMemory(0, 0, 0, 0, 0, 0)
    assert session.policy == engine.CachePolicy()


def test_tokens_are_the_prompt_and_every_token_handed_out(tiny: engine.Model) -> None:
    session, prompt = tiny.session(), tokens(30)
    said = reply(session, prompt)
    assert session.tokens == prompt + said
    assert session.tokens is not session.tokens
    assert len(session.tokens) - 1 <= cache_of(session).length <= len(session.tokens)


def test_the_next_turn_prefills_its_new_tokens_alone(tiny: engine.Model) -> None:
    session, prompt = tiny.session(), tokens(30)
    reply(session, prompt)
    assert session.reuse == engine.Reuse(0, 30, 0, "The session was empty.")
    held = session.tokens
    reply(session, held + tokens(10, seed=6))
    # The last token of a reply that ended at the limit was handed out, but not computed.
    assert session.reuse.reused_tokens == len(held) - 1 == session.reuse.stopped_at
    assert session.reuse.prefilled_tokens == 11
    assert session.reuse.reason == "Everything that was held is reused; the rest is new."


def test_a_turn_that_ended_by_itself_is_reused_whole(tiny: engine.Model) -> None:
    session, prompt = tiny.session(), tokens(30)
    chunks = session.generate(prompt, GREEDY, 50)
    first = next(chunks).token
    chunks.close()
    assert session.tokens == [*prompt, first]
    reply(session, [*session.tokens, *tokens(5, seed=6)])
    assert session.reuse.reused_tokens == 31
    assert session.reuse.prefilled_tokens == 5


def test_the_same_prompt_again_computes_its_last_token(tiny: engine.Model) -> None:
    session, prompt = tiny.session(), tokens(30)
    said = reply(session, prompt)
    assert reply(session, prompt) == said
    assert session.reuse.reused_tokens == 29
    assert session.reuse.prefilled_tokens == 1
    assert session.reuse.reason == "The whole prompt was held; its last token is computed again."
    assert session.tokens == prompt + said


def test_a_shorter_prompt_is_cut_out_of_what_is_held(tiny: engine.Model) -> None:
    session, prompt = tiny.session(), tokens(30)
    reply(session, prompt)
    said = reply(session, prompt[:12])
    assert session.reuse.reused_tokens == 11
    assert session.tokens == prompt[:12] + said
    assert said == reply(tiny.session(), prompt[:12])


def test_an_edit_is_computed_from_the_change_on(tiny: engine.Model) -> None:
    session, prompt = tiny.session(), tokens(30)
    reply(session, prompt)
    prompt[20], was = ord("b"), prompt[20]
    held_piece = tiny.tokenizer.piece(was)
    reply(session, prompt)
    reuse = session.reuse
    assert (reuse.reused_tokens, reuse.prefilled_tokens, reuse.stopped_at) == (20, 10, 20)
    b = tiny.tokenizer.piece(ord("b"))
    assert reuse.reason == f"Token 21 differs: {held_piece!r} was held, the prompt has {b!r}."


def test_another_prompt_altogether_reuses_nothing(tiny: engine.Model) -> None:
    session = tiny.session()
    reply(session, [1, 2, 3])
    reply(session, [4, 5])
    assert session.reuse.reused_tokens == 0
    assert session.reuse.reason.startswith("Token 1 differs")


POLICIES = [
    engine.CachePolicy(),
    engine.CachePolicy(bits=8),
    engine.CachePolicy(bits=4),
    engine.CachePolicy(window=24, pinned=4),
    engine.CachePolicy(window=24, pinned=4, bits=8),
    engine.CachePolicy(window=200),
]


@settings(max_examples=40, derandomize=True)
@given(st.sampled_from(POLICIES), st.data())
def test_warm_equals_cold(
    tiny: engine.Model, policy: engine.CachePolicy, data: st.DataObject
) -> None:
    """Any turns, edits and repetitions leave a session that answers like a new one."""
    session = tiny.session(policy)
    prompt = tokens(data.draw(st.integers(1, 90)))
    for seed in range(3):
        warm = logprobs(session, prompt)
        cold = logprobs(tiny.session(policy), prompt)
        tolerance = 2e-4 if policy.bits is None else 0.3
        assert np.allclose(warm, cold, atol=tolerance)
        assert session.tokens[: len(prompt)] == prompt
        reuse = session.reuse
        assert reuse.reused_tokens + reuse.prefilled_tokens == len(prompt)
        kept = data.draw(st.integers(0, len(session.tokens)))
        prompt = session.tokens[:kept] + tokens(data.draw(st.integers(1, 40)), seed=60 + seed)


def test_a_rotated_session_reuses_as_long_as_keys_are_held(tiny: engine.Model) -> None:
    policy = engine.CachePolicy(window=24, pinned=4)
    session, prompt = tiny.session(policy), tokens(200)
    reply(session, prompt)
    reply(session, [*prompt[:195], 1, 2, 3])
    assert session.reuse.reused_tokens == 195
    assert session.reuse.reason.startswith("Token 196 differs")


def test_a_rotated_session_falls_back_to_what_is_pinned(tiny: engine.Model) -> None:
    policy = engine.CachePolicy(window=24, pinned=4)
    session, prompt = tiny.session(policy), tokens(200)
    reply(session, prompt)
    edited = [*prompt[:60], 1, 2, 3]
    said = reply(session, edited)
    reuse = session.reuse
    assert (reuse.reused_tokens, reuse.prefilled_tokens, reuse.stopped_at) == (4, 59, 4)
    assert "have left the window" in reuse.reason
    assert said == reply(tiny.session(policy), edited)


def test_a_second_edit_of_a_rotated_session_may_be_anywhere(tiny: engine.Model) -> None:
    """After a trim that emptied the ring's end, earlier places have no slots at all."""
    policy = engine.CachePolicy(window=4)
    session, prompt = tiny.session(policy), tokens(45)
    reply(session, prompt, 1)
    for place in (30, 21, 3):
        edited = [*prompt[:place], 1]
        assert reply(session, edited, 1) == reply(tiny.session(policy), edited, 1)


def test_other_pinned_tokens_do_not_get_the_keys_of_earlier_ones(tmp_path: Path) -> None:
    """A session whose pinned keys had moved starts again with another system prompt."""
    folder = write_folder(tmp_path, TinyLlama(max_position_embeddings=256))
    model, policy = engine.load(folder), engine.CachePolicy(window=24, pinned=8)
    for kept in (0, 3):
        session = model.session(policy)
        first = tokens(300)
        reply(session, first)
        other = first[:kept] + tokens(320, seed=9)
        assert np.allclose(
            logprobs(session, other), logprobs(model.session(policy), other), atol=1e-3
        )
        assert session.reuse.reused_tokens == kept


@pytest.mark.parametrize("policy", POLICIES)
def test_memory_is_that_of_the_formula(tiny: engine.Model, policy: engine.CachePolicy) -> None:
    session = tiny.session(policy)
    reply(session, tokens(150))
    memory = session.memory()
    assert memory.used_bytes == memory.formula_bytes <= memory.allocated_bytes
    assert memory.slots <= memory.peak_slots
    if policy.window == 24:
        assert memory.peak_slots <= 4 + 24 + 24


def test_a_long_chat_keeps_what_is_pinned_within_bounds(tiny: engine.Model) -> None:
    session = tiny.session(engine.CachePolicy(window=40, pinned=4))
    reply(session, tokens(600), 60)
    assert len(session.tokens) == 660
    assert session.memory().peak_slots <= 4 + 40 + 40
    assert cache_of(session).positions()[:4] == [0, 1, 2, 3]


@pytest.mark.parametrize(
    ("ids", "message"),
    [
        ([], "The prompt is empty"),
        ([1] * 512, "The prompt has 512 tokens and this model's context holds 512"),
        ([1] * 9999, "9,999 tokens"),
        ([1, 288], r"Token 288 is not in this model's vocabulary \(0 to 287\)"),
        ([-1], "Token -1"),
    ],
)
def test_prompts_that_cannot_be_answered_are_refused(
    tiny: engine.Model, ids: list[int], message: str
) -> None:
    session = tiny.session()
    said = reply(session, [1, 2, 3])
    with pytest.raises(engine.PromptError, match=message):
        session.generate(ids)
    assert session.tokens == [1, 2, 3, *said], "a refusal loses nothing"


@pytest.mark.parametrize(
    "values",
    [
        {"max_tokens": 0},
        {"max_tokens": -3},
        {"logprobs": -1},
        {"logprobs": 101},
        {"stop": "text"},
        {"stop": [""]},
    ],
)
def test_settings_without_meaning_are_refused_before_anything_is_computed(
    tiny: engine.Model, values: dict[str, int]
) -> None:
    session = tiny.session()
    with pytest.raises(engine.SettingError, match=r"\.$"):
        session.generate([1, 2], **values)  # pyright: ignore[reportArgumentType] - wrong on purpose
    assert session.tokens == []


def test_a_window_takes_prompts_beyond_the_context(tiny: engine.Model) -> None:
    session = tiny.session(engine.CachePolicy(window=16))
    assert len(reply(session, [1] * 700)) == 4


def test_a_second_reply_while_one_runs_is_refused(tiny: engine.Model) -> None:
    session, prompt = tiny.session(), tokens(9)
    running = session.generate(prompt, GREEDY, 5)
    said = ids_of([next(running)])
    with pytest.raises(engine.EngineError, match="still writing"):
        session.generate([1])
    with pytest.raises(engine.EngineError, match="still writing"):
        session.reset()
    said += ids_of(running)
    assert session.tokens == prompt + said
    assert len(reply(session, [1])) == 4


def test_a_reply_that_was_never_begun_does_not_disturb_a_later_one(tiny: engine.Model) -> None:
    session, prompt = tiny.session(), tokens(9)
    forgotten = session.generate(tokens(40, seed=8), GREEDY, 5)
    later = session.generate(prompt, GREEDY, 5)
    with pytest.raises(engine.EngineError, match="never begun"):
        next(forgotten)
    said = ids_of(later)
    assert session.tokens == prompt + said
    with pytest.raises(StopIteration):
        next(forgotten)


def test_two_replies_begun_in_turn_are_one_too_many(tiny: engine.Model) -> None:
    session = tiny.session()
    one = session.generate([1], GREEDY, 5)
    next(one)
    one.close()
    two = session.generate([1], GREEDY, 2)
    session.reset()
    with pytest.raises(engine.EngineError, match="never begun"):
        next(two)


def test_reset_forgets_everything(tiny: engine.Model) -> None:
    session = tiny.session()
    said = reply(session, [1, 2, 3])
    session.reset()
    assert session.tokens == []
    assert session.memory().allocated_bytes == 0
    assert session.figures == engine.Figures()
    assert reply(session, [1, 2, 3]) == said
    assert session.reuse.reused_tokens == 0


@pytest.mark.parametrize("policy", [engine.CachePolicy(), engine.CachePolicy(window=9, pinned=4)])
def test_a_dropped_session_is_freed_at_once(tiny: engine.Model, policy: engine.CachePolicy) -> None:
    """Without waiting for Python's search for cycles, which may be long after."""
    gc.collect()
    gc.disable()
    try:
        before = engine.read_memory().active_bytes
        session = tiny.session(policy)
        reply(session, [1, 2, 3])
        assert engine.read_memory().active_bytes - before >= session.memory().allocated_bytes > 0
        session.reset()
        assert engine.read_memory().active_bytes == before
        reply(session, [1, 2, 3])
        del session
        assert engine.read_memory().active_bytes == before
    finally:
        gc.enable()


def failing_linear(folder: Path, rows: int, columns: int) -> DenseLinear:
    """A matrix whose file was cut off after its header was read: MLX fails when it is needed."""
    path = folder / "cut.safetensors"
    mx.save_safetensors(str(path), {"weight": mx.ones((rows, columns))})
    weight = mx.load(str(path))
    assert isinstance(weight, dict)
    os.truncate(path, 200)
    return DenseLinear(weight["weight"])


def test_a_failing_device_ends_the_turn_and_frees(tmp_path: Path, tiny_folder: Path) -> None:
    model = engine.load(tiny_folder)
    session = model.session()
    said = reply(session, tokens(20))
    mlp = model.decoder.layers[1].mlp
    whole, mlp.down_proj = mlp.down_proj, failing_linear(tmp_path, 64, 128)
    with pytest.raises(engine.EngineError, match=r"^The device failed while writing \(.+\)"):
        list(session.generate([*session.tokens, 7], GREEDY, 4))
    assert session.tokens == []
    assert session.memory().allocated_bytes == 0
    mlp.down_proj = whole
    assert reply(session, tokens(20)) == said


def test_a_callers_mistake_in_between_leaves_a_session_that_goes_on(tiny: engine.Model) -> None:
    session, prompt = tiny.session(engine.CachePolicy(window=16)), tokens(90)

    def fail(done: int, total: int) -> None:
        if done > 20:
            raise KeyError(total)

    with pytest.raises(KeyError):
        list(session.generate(prompt, GREEDY, 4, on_prefill=fail))
    assert session.tokens == prompt[: cache_of(session).length]
    assert reply(session, prompt) == reply(tiny.session(engine.CachePolicy(window=16)), prompt)


@pytest.mark.slow
def test_the_starters_second_turn_reuses_the_first(starter: engine.Model) -> None:
    messages = [{"role": "user", "content": "What is the capital of Japan?"}]
    session = starter.session()
    first = text_of(session.generate(starter.prompt_tokens(messages), GREEDY, 16))
    held = session.tokens
    messages += [
        {"role": "assistant", "content": first},
        {"role": "user", "content": "And of Italy?"},
    ]
    ids = starter.prompt_tokens(messages, held=held)
    warm = text_of(session.generate(ids, GREEDY, 8))
    assert session.reuse.reused_tokens >= len(held) - 1
    assert "Tokyo" in first
    assert warm == text_of(starter.session().generate(ids, GREEDY, 8))


def test_a_cache_of_eight_bits_answers_as_well(starter: engine.Model) -> None:
    ids = starter.prompt_tokens([{"role": "user", "content": "What is the capital of Japan?"}])
    session = starter.session(engine.CachePolicy(bits=8))
    assert "Tokyo" in text_of(session.generate(ids, GREEDY, 16))
    memory = session.memory()
    assert memory.used_bytes == memory.formula_bytes


def test_a_rotating_reply_without_a_limit_ends_after_a_contexts_worth(tmp_path: Path) -> None:
    model = engine.load(write_folder(tmp_path / "m", TinyLlama(max_position_embeddings=64)))
    session = model.session(engine.CachePolicy(window=16))
    held_back = model.tokenizer.eos_token_ids | set(model.config.eos_token_ids)
    for seed in range(20):
        sampling = engine.Sampling(temperature=1.0, seed=seed)
        chunks = list(session.generate([5, 6, 7], sampling))
        assert len(chunks) <= 64
        if chunks[-1].token not in held_back:
            assert chunks[-1].finish_reason == "length"
            return
    pytest.fail("every reply ended by itself")


def test_where_reuse_stops_both_sides_are_shown(tiny: engine.Model) -> None:
    session = tiny.session()
    held = tokens(40)
    reply(session, held, 1)
    changed = [*held[:20], (held[20] + 1) % 256, *tokens(30, seed=6)]
    reply(session, changed, 1)
    text = tiny.tokenizer.piece
    assert session.reuse.common_text == "".join(map(text, held[8:20]))
    assert session.reuse.held_text == "".join(map(text, held[20:32]))
    assert session.reuse.prompt_text == "".join(map(text, changed[20:32]))
    reply(session, [*session.tokens, *tokens(3)], 1)
    assert (session.reuse.held_text, session.reuse.prompt_text) == ("", "")


def test_how_far_a_session_sees(tiny: engine.Model) -> None:
    assert tiny.session().seen_window is None
    assert tiny.session(engine.CachePolicy(window=48, pinned=4)).seen_window == 48


@pytest.mark.parametrize("bits", [None, 8, 4])
def test_bytes_of_a_value_are_those_of_the_formula(tiny: engine.Model, bits: int | None) -> None:
    session = tiny.session(engine.CachePolicy(bits=bits))
    reply(session, tokens(30), 2)
    config, memory = tiny.config, session.memory()
    values = 2 * config.num_hidden_layers * config.num_key_value_heads * config.head_dim
    assert memory.formula_bytes == values * memory.held_tokens * session.value_bytes


def test_layers_add_up_to_the_whole(tmp_path: Path) -> None:
    shape = TinyLlama(num_hidden_layers=3)
    model = engine.load(write_folder(tmp_path / "model", shape))
    session = model.session(engine.CachePolicy(window=24, pinned=4))
    assert [layer.tokens for layer in session.layers()] == [0, 0, 0]
    reply(session, tokens(60), 2)
    layers, memory = session.layers(), session.memory()
    assert sum(layer.allocated_bytes for layer in layers) == memory.allocated_bytes
    assert sum(layer.used_bytes for layer in layers) == pytest.approx(memory.used_bytes, abs=2)
    assert {layer.tokens for layer in layers} == {memory.held_tokens}
