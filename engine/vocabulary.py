"""Tokens by id: how each is spelled in bytes, and which of them are control tokens.

A control token steers the model (it begins a turn, ends it, opens a thought). Text that a person
typed must never become one, so everything that decides what is a control token stands here.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

from engine.errors import PromptError

Spelling = Literal["bytes", "spaces"]

# Elements that some vocabularies hold as ordinary text; `<table>` must stay readable in a reply.
_HTML = re.compile(
    r"a|abbr|article|aside|b|blockquote|body|br|button|caption|center|code|col|dd|del|"
    r"details|div|dl|dt|em|footer|form|h[1-6]|head|header|hr|html|i|img|input|ins|kbd|"
    r"label|li|link|main|mark|meta|nav|ol|option|p|pre|q|s|samp|script|section|select|"
    r"small|span|strike|strong|style|sub|summary|sup|table|tbody|td|textarea|tfoot|th|"
    r"thead|title|tr|tt|u|ul|var|video",
    re.IGNORECASE,
)
_MARKER = re.compile(r"<\|.*\|>|<｜.*｜>|<<.*>>|</?[^\s<>/]+/?>|\[/?[^\s\[\]]+\]", re.DOTALL)
_SHOWN = re.compile(
    r"</?(?:think|thinking|thought|reasoning|answer|response|tool_calls?|tool_response|"
    r"tool_results?|function_calls?)>|\[/?(?:THINK|TOOL_CALLS|TOOL_CONTENT)\]|"
    r"<\|/?(?:channel|message|constrain|start_thinking|end_thinking)\|>",
    re.IGNORECASE,
)
_BYTE = re.compile(r"<0x([0-9A-Fa-f]{2})>")

_ENDS_OF_TURN = frozenset(
    {
        *("<|im_end|>", "<|eot_id|>", "<|eom_id|>", "<|end_of_text|>", "<|endoftext|>", "<|end|>"),
        *("<|return|>", "<|call|>", "<end_of_turn>", "<turn|>", "<eos>", "</s>", "<EOT>", "_<EOT>"),
        *("<end_of_utterance>", "<|END_OF_TURN_TOKEN|>", "<｜end▁of▁sentence｜>"),
    }
)
_BEGINS_OF_TURN = frozenset({"<|im_start|>", "<|start_header_id|>", "<start_of_turn>"})


def looks_like_marker(text: str) -> bool:
    """Whether an added token is written like a marker, `<think>` or `[INST]`, not like text."""
    if _MARKER.fullmatch(text) is None:
        return False
    return _HTML.fullmatch(text.strip("</>")) is None


def is_turn_marker(text: str) -> bool:
    """Whether a token of this name begins or ends a turn in every vocabulary that has it."""
    # In some vocabularies `</s>` is the HTML element.
    return text in _BEGINS_OF_TURN or (text in _ENDS_OF_TURN and text != "</s>")


def _byte_alphabet() -> dict[str, int]:
    """GPT-2's spelling of bytes: printable Latin-1 as itself, the other 68 from U+0100 on."""
    printable = [*range(0x21, 0x7F), *range(0xA1, 0xAD), *range(0xAE, 0x100)]
    others = [byte for byte in range(256) if byte not in set(printable)]
    alphabet = {chr(byte): byte for byte in printable}
    return alphabet | {chr(0x100 + index): byte for index, byte in enumerate(others)}


BYTE_ALPHABET: Mapping[str, int] = _byte_alphabet()


@dataclass(frozen=True)
class AddedToken:
    """A token that stands beside the model's own pieces and is spelled as itself.

    Attributes:
        text: Its name, which is also its text where it is shown.
        control: Never made from text that a person typed.
        hidden: Left out of decoded text; thoughts and tool calls are control, but not hidden.
        lstrip: White space before it belongs to it.
        rstrip: White space after it belongs to it.
    """

    text: str
    control: bool
    hidden: bool
    lstrip: bool = False
    rstrip: bool = False


def added_token(
    text: str, *, special: bool, lstrip: bool = False, rstrip: bool = False
) -> AddedToken:
    """An added token with its part decided by its flag and by how it is written."""
    # A single character has no other spelling; some models pad with `!`.
    if len(text) == 1:
        return AddedToken(text, control=False, hidden=False, lstrip=lstrip, rstrip=rstrip)
    special = special or is_turn_marker(text)
    hidden = special and _SHOWN.fullmatch(text) is None
    control = special or looks_like_marker(text)
    return AddedToken(text, control=control, hidden=hidden, lstrip=lstrip, rstrip=rstrip)


class Vocabulary:
    """Every token of a model by id."""

    def __init__(
        self,
        pieces: Sequence[str],
        added: Mapping[int, AddedToken],
        spelling: Spelling,
        unknown_id: int | None = None,
    ) -> None:
        """Hold the tokens.

        Args:
            pieces: Spelling of each id in the vocabulary's own alphabet, "" where there is none.
            added: The tokens that are spelled as themselves.
            spelling: `bytes`, GPT-2's alphabet, or `spaces`, where ▁ is a space and <0x0A> a byte.
            unknown_id: What text without any token of its own becomes.
        """
        self._pieces = pieces
        self._spelling = spelling
        self._bytes: dict[int, bytes] = {}
        self.added = added
        self.unknown_id = unknown_id
        self.control_ids = frozenset(id_ for id_, token in added.items() if token.control)
        self.hidden_ids = frozenset(id_ for id_, token in added.items() if token.hidden)

    def __len__(self) -> int:
        return len(self._pieces)

    def bytes_of(self, token: int) -> bytes:
        """The bytes that a token stands for.

        Raises:
            PromptError: The vocabulary has no such token.
        """
        if (known := self._bytes.get(token)) is None:
            known = self._bytes[token] = self._spell(token)
        return known

    def name_of(self, token: int) -> str:
        """The text of one token for showing it alone; control tokens by name."""
        return self.bytes_of(token).decode("utf-8", "replace")

    def id_of(self, name: str | None) -> int | None:
        """The id of the added token of that name, if there is one."""
        return None if name is None else self._ids.get(name)

    @cached_property
    def shown_ids(self) -> frozenset[int]:
        """Markers of thoughts and tool calls: control tokens that are part of a reply's text."""
        names = ((id_, self.added[id_].text) for id_ in self.control_ids)
        return frozenset(id_ for id_, name in names if _SHOWN.fullmatch(name))

    @cached_property
    def end_ids(self) -> frozenset[int]:
        """Control tokens that end a turn wherever they are known.

        In the harmony format `<|end|>` closes a channel, such as the thought before the answer.
        """
        ends = _ENDS_OF_TURN - {"<|end|>"} if "<|channel|>" in self._ids else _ENDS_OF_TURN
        found = (self._ids.get(name) for name in ends)
        return frozenset(id_ for id_ in found if id_ is not None) & self.control_ids

    def control_spans(self, text: str, *, overlapping: bool = False) -> Iterable[tuple[int, int]]:
        """Where control tokens' names stand in a text, the longest at each place.

        Args:
            text: The text.
            overlapping: Look inside a found name for further ones.

        Yields:
            Pairs of start (in characters) and token id.
        """
        if self._first is None:
            return
        at = 0
        while found := self._first.search(text, at):
            at = found.start()
            id_ = self._control_at(text, at)
            if id_ is not None:
                yield at, id_
            at += 1 if id_ is None or overlapping else len(self.added[id_].text)

    def cut_off_starts(self, text: str) -> list[int]:
        """Where a control token's name begins that the text's end cuts off."""
        if self._first is None:
            return []
        longest = max(lengths[0] for lengths in self._lengths.values())
        begin = max(len(text) - longest + 1, 0)
        found = [match.start() for match in self._first.finditer(text, begin)]
        return [at for at in found if self._is_cut_off(text[at:])]

    def _is_cut_off(self, end: str) -> bool:
        return any(len(name) > len(end) and name.startswith(end) for name in self._controls)

    def _control_at(self, text: str, at: int) -> int | None:
        for length in self._lengths[text[at]]:
            if (id_ := self._controls.get(text[at : at + length])) is not None:
                return id_
        return None

    @cached_property
    def _ids(self) -> dict[str, int]:
        return {token.text: id_ for id_, token in self.added.items()}

    @cached_property
    def _controls(self) -> dict[str, int]:
        return {name: id_ for name, id_ in self._ids.items() if name and id_ in self.control_ids}

    @cached_property
    def _lengths(self) -> dict[str, list[int]]:
        lengths: dict[str, set[int]] = {}
        for name in self._controls:
            lengths.setdefault(name[0], set()).add(len(name))
        return {first: sorted(found, reverse=True) for first, found in lengths.items()}

    @cached_property
    def _first(self) -> re.Pattern[str] | None:
        characters = "".join(re.escape(first) for first in self._lengths)
        return re.compile(f"[{characters}]") if characters else None

    def _spell(self, token: int) -> bytes:
        if not 0 <= token < len(self._pieces):
            raise PromptError(
                "There is no token {id}; this model's vocabulary has the tokens 0 to {last}.",
                id=token,
                last=len(self._pieces) - 1,
            )
        if (added := self.added.get(token)) is not None and (
            added.control or self._spelling == "bytes"
        ):
            return added.text.encode()
        piece = self._pieces[token]
        if self._spelling == "spaces":
            byte = _BYTE.fullmatch(piece)
            return bytes([int(byte[1], 16)]) if byte else piece.replace("▁", " ").encode()
        try:
            return bytes([BYTE_ALPHABET[character] for character in piece])
        except KeyError:
            return piece.encode()
