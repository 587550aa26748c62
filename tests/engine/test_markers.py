"""Which strings mark thoughts and calls of tools, by a model's vocabulary and template."""

from pathlib import Path

import pytest

import engine
from engine.markers import Markers, Pair
from tests.engine.checkpoints import TinyLlama, write_folder

THINK = Pair("<think>", "</think>")
QWEN = (
    "{% for m in messages %}<|im_start|>{{ m.role }}\n"
    "{{ m.content.split('</think>')[-1] if m.role == 'assistant' else m.content }}<|im_end|>\n"
    "{% endfor %}{% if add_generation_prompt %}<|im_start|>assistant\n"
    "{% if enable_thinking is defined and not enable_thinking %}<think>\n\n</think>\n\n"
    "{% else %}<think>\n{% endif %}{% endif %}"
)


class Names:
    """A vocabulary of nothing but names."""

    def __init__(self, *names: str) -> None:
        self._names = names

    def token_id(self, name: str) -> int | None:
        return self._names.index(name) if name in self._names else None


@pytest.mark.parametrize(
    ("names", "template", "thoughts"),
    [
        ((), "", []),
        (("<think>", "</think>"), "", [THINK]),
        (("<think>",), "", []),
        ((), QWEN, [THINK]),
        ((), "{{ '</think>' }}", []),
        (("[THINK]", "[/THINK]"), "", [Pair("[THINK]", "[/THINK]")]),
        (
            ("<|channel|>", "<|message|>"),
            "",
            [Pair("<|channel|>analysis<|message|>", "assistant<|channel|>final<|message|>")],
        ),
        (("<|channel>", "<channel|>"), "", [Pair("<|channel>thought", "<channel|>")]),
        (
            ("<think>", "</think>", "<thought>", "</thought>"),
            "{{ '<thought>' }}{{ '</thought>' }}",
            [Pair("<thought>", "</thought>"), THINK],
        ),
    ],
)
def test_thoughts(names: tuple[str, ...], template: str, thoughts: list[Pair]) -> None:
    assert list(Markers.of(Names(*names), {"default": template}).thoughts) == thoughts


def test_tools() -> None:
    markers = Markers.of(Names("<tool_call>", "</tool_call>", "[TOOL_CALLS]"))
    assert markers.tools == (Pair("<tool_call>", "</tool_call>"), Pair("[TOOL_CALLS]", ""))
    assert markers.longest == len("[TOOL_CALLS]")
    assert Markers().longest == 0


@pytest.mark.parametrize(
    ("prompt", "pair"),
    [
        ("…<|im_start|>assistant\n<think>\n", THINK),
        ("…<think>", THINK),
        ("…<think>\n\n</think>\n\n", None),
        ("", None),
    ],
)
def test_whether_a_prompt_leaves_a_thought_open(prompt: str, pair: Pair | None) -> None:
    assert Markers.of(Names("<think>", "</think>")).opened_by(prompt) == pair


def test_a_model_is_asked_with_the_options_of_its_template(tmp_path: Path) -> None:
    folder = write_folder(tmp_path, TinyLlama())
    (folder / "chat_template.jinja").write_text(QWEN, encoding="utf-8")
    model = engine.load(folder)
    question = [{"role": "user", "content": "Why?"}]
    assert model.markers.thoughts == (THINK,)
    assert model.opened_thought(question) == THINK
    assert model.opened_thought(question, enable_thinking=False) is None


def test_the_starter_has_no_thoughts(starter: engine.Model) -> None:
    assert starter.markers.thoughts == ()
    assert starter.opened_thought([{"role": "user", "content": "Why?"}]) is None
