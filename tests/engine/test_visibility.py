"""What is pinned, and which messages a model still sees."""

import json
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import engine
from engine.visibility import sights
from tests.engine.checkpoints import CHAT_TEMPLATE, TinyLlama, write_folder
from tests.engine.running import cache_of

GREEDY = engine.Sampling(temperature=0.0)
SYSTEM_IN_FIRST_TURN = (
    "{% for m in messages %}{% if m.role == 'user' %}[INST] "
    "{% if loop.index0 == 1 and messages[0].role == 'system' %}<<SYS>>{{ messages[0].content }}"
    "<</SYS>>{% endif %}{{ m.content | trim }} [/INST]{% elif m.role == 'assistant' %}"
    " {{ m.content | trim }} {{ '<|endoftext|>' }}{% endif %}{% endfor %}"
)
THOUGHTS_LEFT_OUT = CHAT_TEMPLATE.replace(
    "message['content']", "message['content'].split('</think>')[-1].lstrip('\n')"
)
LAST_ONLY = "{{ '<|im_start|>' + messages[-1].content }}"


def write(*texts: str) -> list[dict[str, str]]:
    """A system prompt, then user and assistant in turn."""
    roles = ["system", *("user", "assistant") * len(texts)]
    return [{"role": role, "content": text} for role, text in zip(roles, texts, strict=False)]


def with_template(folder: Path, template: str) -> engine.Model:
    write_folder(folder, TinyLlama(num_hidden_layers=1))
    settings = {"eos_token": "<|im_end|>", "chat_template": template}
    (folder / "tokenizer_config.json").write_text(json.dumps(settings), encoding="utf-8")
    return engine.load(folder)


def text(model: engine.Model, ids: Sequence[int]) -> str:
    return model.tokenizer.decode(ids, special=True)


def pinned_text(model: engine.Model, messages: Sequence[dict[str, str]]) -> str:
    return text(model, model.prompt_tokens(messages)[: model.pinned_tokens(messages)])


@pytest.mark.parametrize("question", ["Hello", "x", "xylophone", "y", " x", "", "<|im_end|>"])
def test_the_system_prompt_is_pinned_up_to_its_end(tiny: engine.Model, question: str) -> None:
    messages = write("Be brief.", question)
    assert pinned_text(tiny, messages) == "<|im_start|>system\nBe brief.<|im_end|>"
    assert pinned_text(tiny, [*messages, *write("", "", "Yes.", "Go on.")[2:]]) == (
        "<|im_start|>system\nBe brief.<|im_end|>"
    )


def test_a_system_prompt_that_the_template_brings_is_pinned(starter: engine.Model) -> None:
    pinned = pinned_text(starter, [{"role": "user", "content": "Hello"}])
    assert pinned.startswith("<|im_start|>system\nYou are a helpful AI assistant named SmolLM")
    assert pinned.endswith("<|im_end|>")


def test_without_a_system_prompt_what_comes_first_is_pinned(tiny: engine.Model) -> None:
    assert pinned_text(tiny, write("", "Hello")[1:]) == "<|im_start|>user\n"
    bare = [{"role": "user", "content": "Hello"}]
    assert tiny.pinned_tokens(bare) == 6
    assert (
        tiny.pinned_tokens([{"role": "system", "content": "Hi"}])
        == len(
            tiny.prompt_tokens([{"role": "system", "content": "Hi"}], add_generation_prompt=False)
        )
        - 1
    )


def test_at_least_four_are_pinned_and_no_more_than_there_are(tmp_path: Path) -> None:
    model = with_template(tmp_path, "{{ messages[-1].content }}")
    assert model.pinned_tokens([{"role": "user", "content": "Hello there"}]) == 4
    assert model.pinned_tokens([{"role": "user", "content": "Hi"}]) == 2


def test_a_system_prompt_inside_the_first_turn_is_pinned_with_it(tmp_path: Path) -> None:
    model = with_template(tmp_path, SYSTEM_IN_FIRST_TURN)
    assert pinned_text(model, write("Be brief.", "Hello")) == "[INST] <<SYS>>Be brief.<</SYS>>"
    assert pinned_text(model, write("Be brief.", "Hello", "Yes.", "Go on.")) == (
        "[INST] <<SYS>>Be brief.<</SYS>>"
    )


def test_a_pinned_system_prompt_stays_in_the_cache(starter: engine.Model) -> None:
    messages = write("You are a pirate.", "Tell me a long story. " * 6)
    pinned = starter.pinned_tokens(messages)
    session = starter.session(engine.CachePolicy(window=32, pinned=pinned))
    list(session.generate(starter.prompt_tokens(messages), GREEDY, 8))
    held = [session.tokens[at] for at in cache_of(session).positions() if 0 <= at < pinned]
    assert text(starter, held) == "<|im_start|>system\nYou are a pirate.<|im_end|>"


def test_every_message_is_told(tiny: engine.Model) -> None:
    messages = write("Be brief.", "One?", "Two.", "Three?", "Four.")
    pinned = tiny.pinned_tokens(messages)
    session = tiny.session(engine.CachePolicy(window=30, pinned=pinned))
    found = tiny.sights(messages, session)
    ids = tiny.prompt_tokens(messages, add_generation_prompt=False)
    assert [text(tiny, ids[each.start : each.end]) for each in found] == [
        "<|im_start|>system\nBe brief.<|im_end|>",
        "\n<|im_start|>user\nOne?<|im_end|>",
        "\n<|im_start|>assistant\nTwo.<|im_end|>",
        "\n<|im_start|>user\nThree?<|im_end|>",
        "\n<|im_start|>assistant\nFour.<|im_end|>",
    ]
    assert [each.seen for each in found] == ["pinned", "evicted", "evicted", "partly", "held"]
    assert found[0].seen_tokens == found[0].end == pinned
    assert found[-1].seen_tokens == found[-1].end - found[-1].start


def test_without_a_window_all_is_held(tiny: engine.Model) -> None:
    found = tiny.sights(write("Be brief.", "One?", "Two."), tiny.session())
    assert {each.seen for each in found} == {"held"}


@settings(max_examples=60, derandomize=True, deadline=None)
@given(
    st.lists(st.sampled_from(["ok", "user", "", " a\n", "Straße 🦀", "<|im_end|>x", "word " * 9])),
    st.integers(1, 60),
    st.integers(0, 40),
)
def test_what_is_told_is_what_the_cache_holds_for_the_next_token(
    tiny: engine.Model, texts: list[str], window: int, pinned: int
) -> None:
    messages = write("Be brief.", *texts)
    session = tiny.session(engine.CachePolicy(window=window, pinned=pinned))
    ids = tiny.prompt_tokens(messages, add_generation_prompt=False)
    found = tiny.sights(messages, session)
    for chunk in session.generate(ids, GREEDY, 1):
        del chunk
    held = {at for at in cache_of(session).positions() if at >= 0}
    start = 0
    for each in found:
        assert each.start == start <= each.end <= len(ids)
        tokens = set(range(each.start, each.end))
        seen = {at for at in tokens if at < pinned or len(ids) - at < window}
        assert each.seen_tokens == len(seen)
        assert seen <= held
        if each.seen in ("pinned", "held"):
            assert seen == tokens
        elif each.seen == "evicted":
            assert not seen
        start = each.end
    assert text(tiny, ids[start:]).strip() in ("<|im_end|>", "")


def test_messages_are_found_in_what_the_session_really_holds(starter: engine.Model) -> None:
    """A model may cut its own words into other tokens than the tokenizer would."""
    messages = write("Be brief.", "What is the capital of Japan?")
    session = starter.session()
    chunks = list(session.generate(starter.prompt_tokens(messages), GREEDY, 30))
    messages.append({"role": "assistant", "content": "".join(chunk.text for chunk in chunks)})
    found = starter.sights(messages, session)
    reply = session.tokens[found[2].start : found[2].end]
    assert messages[2]["content"] in text(starter, reply)
    assert found[2].end <= len(session.tokens) + 1


def test_thoughts_that_the_template_leaves_out_move_nothing(tmp_path: Path) -> None:
    model = with_template(tmp_path, THOUGHTS_LEFT_OUT)
    messages = write("Be brief.", "One?", "<think>Hm.</think>\nTwo. ", "Three?")
    ids = model.prompt_tokens(messages, add_generation_prompt=False)
    found = model.sights(messages, model.session())
    assert text(model, ids[found[2].start : found[2].end]) == "\n<|im_start|>assistant\nTwo."
    assert text(model, ids[found[3].start : found[3].end]).endswith("user\nThree?<|im_end|>")


def test_a_message_that_the_template_drops_is_not_seen(tmp_path: Path) -> None:
    model = with_template(tmp_path, LAST_ONLY)
    found = model.sights([{"role": "user", "content": each} for each in "ab"], model.session())
    assert [each.seen for each in found] == ["evicted", "held"]
    assert found[0].start == found[0].end == 0


def test_windows_of_the_model_itself_count(tmp_path: Path) -> None:
    sliding = TinyLlama(model_type="mistral", extra={"sliding_window": 10})
    model = engine.load(write_folder(tmp_path, sliding))
    ends = [5, 12, 20]
    policy = engine.CachePolicy(window=4)
    assert [each.seen_tokens for each in sights(model.config, engine.CachePolicy(), 20, ends)] == [
        0,
        1,
        8,
    ]
    assert [each.seen_tokens for each in sights(model.config, policy, 20, ends)] == [0, 0, 3]


def test_long_chats_are_told_quickly(starter: engine.Model) -> None:
    texts = [f"{n}. " + "A sentence of some words. " * 8 for n in range(120)]
    messages = write("Be brief.", *texts)
    pinned = starter.pinned_tokens(messages)
    session = starter.session(engine.CachePolicy(window=512, pinned=pinned))
    found = starter.sights(messages, session)
    assert len(found) == 121
    lengths = np.diff([each.end for each in found])
    assert lengths.min() > 40
    assert [each.seen for each in found[:2]] == ["pinned", "evicted"]
    assert found[-1].seen == "held"
