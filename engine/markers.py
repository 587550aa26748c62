"""The strings with which a model marks its thoughts and its calls of tools.

They are those of the families that have them; which a model uses is seen in its vocabulary and its
chat template. They are looked for in the text as it is shown, so they stand here as decoding
leaves them, with the hidden turn markers between them left out.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Protocol


@dataclass(frozen=True)
class Pair:
    """What opens and what closes; an empty `close` means the end of the reply."""

    open: str
    close: str


_THOUGHTS = (
    Pair("<think>", "</think>"),
    Pair("<thinking>", "</thinking>"),
    Pair("<thought>", "</thought>"),
    Pair("<reasoning>", "</reasoning>"),
    Pair("<longcat_think>", "</longcat_think>"),
    Pair("<seed:think>", "</seed:think>"),
    Pair("<|think:start|>", "<|think:end|>"),
    Pair("<|START_THINKING|>", "<|END_THINKING|>"),
    Pair("<|inner_prefix|>", "<|inner_suffix|>"),
    Pair("[THINK]", "[/THINK]"),
    Pair("◁think▷", "◁/think▷"),
)
# A channel's name is text after the marker, so these are known by the marker alone.
_CHANNELS = {
    "<|channel|>": Pair("<|channel|>analysis<|message|>", "assistant<|channel|>final<|message|>"),
    "<|channel>": Pair("<|channel>thought", "<channel|>"),
}
_TOOLS = (
    Pair("<tool_call>", "</tool_call>"),
    Pair("<|tool_call_start|>", "<|tool_call_end|>"),
    Pair("<|tool_call>", "<tool_call|>"),
    Pair("<|tool_calls_section_begin|>", "<|tool_calls_section_end|>"),
    Pair("<｜tool▁calls▁begin｜>", "<｜tool▁calls▁end｜>"),
    Pair("<minimax:tool_call>", "</minimax:tool_call>"),
    Pair("<longcat_tool_call>", "</longcat_tool_call>"),
    Pair("<start_function_call>", "<end_function_call>"),
    Pair("<function_calls>", "</function_calls>"),
    Pair("<|START_ACTION|>", "<|END_ACTION|>"),
    Pair("[TOOL_CALLS]", ""),
    Pair("<|python_tag|>", ""),
)


class Names(Protocol):
    """What is asked of a tokenizer."""

    def token_id(self, name: str) -> int | None:
        """The id of the control or added token of that name."""
        ...


@dataclass(frozen=True)
class Markers:
    """The markers of one model.

    Attributes:
        thoughts: What opens and closes a thought; the first is the usual one. Empty where the
            model has no thoughts.
        tools: The same for calls of tools.
    """

    thoughts: tuple[Pair, ...] = ()
    tools: tuple[Pair, ...] = ()

    @classmethod
    def of(cls, tokenizer: Names, templates: Mapping[str, str] | None = None) -> "Markers":
        """The markers that a vocabulary has tokens for, or that a chat template speaks of.

        Args:
            tokenizer: The model's.
            templates: Jinja sources by name.
        """
        sources = list((templates or {}).values())

        def known(pair: Pair) -> bool:
            marks = [mark for mark in (pair.open, pair.close) if mark]
            return all(tokenizer.token_id(mark) is not None for mark in marks) or any(
                all(mark in source for mark in marks) for source in sources
            )

        channels = [
            pair for mark, pair in _CHANNELS.items() if tokenizer.token_id(mark) is not None
        ]
        thoughts = (*channels, *filter(known, _THOUGHTS))
        return cls(_mentioned_first(thoughts, sources), tuple(filter(known, _TOOLS)))

    def opened_by(self, prompt: str) -> Pair | None:
        """The thought that a prompt leaves open, so that the reply begins inside it; else None.

        Args:
            prompt: The rendered chat template, up to where the reply begins.
        """
        end = prompt.rstrip()
        return next((pair for pair in self.thoughts if end.endswith(pair.open)), None)

    @cached_property
    def longest(self) -> int:
        """Characters of the longest marker: so much text may be part of one not yet whole."""
        pairs = (*self.thoughts, *self.tools)
        return max((len(mark) for pair in pairs for mark in (pair.open, pair.close)), default=0)


def _mentioned_first(pairs: Iterable[Pair], sources: list[str]) -> tuple[Pair, ...]:
    """A vocabulary may have several; those that the template writes or reads come first."""
    return tuple(
        sorted(pairs, key=lambda pair: not any(pair.close in source for source in sources))
    )
