"""Tells what a model thinks from what it answers, while the text comes in pieces.

Families mark thoughts differently. A marker counts where a reply, or what follows a thought,
begins, so that an answer can speak about markers. No Qt here.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

MARKERS = (
    ("<think>", "</think>"),
    ("<thinking>", "</thinking>"),
    ("<thought>", "</thought>"),
    ("<reasoning>", "</reasoning>"),
    ("<longcat_think>", "</longcat_think>"),
    ("<seed:think>", "</seed:think>"),
    ("<|think:start|>", "<|think:end|>"),
    ("[THINK]", "[/THINK]"),
    ("◁think▷", "◁/think▷"),
    ("<|START_THINKING|>", "<|END_THINKING|>"),
    ("<|inner_prefix|>", "<|inner_suffix|>"),
    ("<|channel>thought", "<channel|>"),
    ("<|begin_of_thought|>", "<|end_of_thought|>"),
    ("<|channel|>analysis<|message|>", "<|channel|>final<|message|>"),
)
"""How the families begin and end a thought."""

_CLOSERS = tuple(dict.fromkeys(closer for _, closer in MARKERS))
_LONE_CLOSER = re.compile(rf"^[ \t]*(?:{'|'.join(map(re.escape, _CLOSERS))})", re.MULTILINE)
_BETWEEN = re.compile(r"(?:<\|end\|>)?(?:(?:<\|start\|>)?assistant)?$")
"""What stands between two channels; decoding may leave the hidden marks out."""
_WORD = re.compile(r"[\u2e80-\u9fff\uac00-\ud7af]|[^\s\u2e80-\u9fff\uac00-\ud7af]+")


@dataclass(frozen=True)
class Piece:
    """A piece of a reply.

    Attributes:
        kind: "answer" and "thought" carry text; "closed" says that a thought ended;
            "was_thought" that everything before was one, though nothing had opened it.
        text: Without the markers.
    """

    kind: Literal["answer", "thought", "closed", "was_thought"]
    text: str = ""


class ThoughtSplitter:
    """Takes text as it comes; what may become a marker is held back until that is clear."""

    def __init__(self, *, opened: bool = False) -> None:
        """Begin a reply.

        Args:
            opened: Whether the prompt has already opened a thought.
        """
        self._closers: tuple[str, ...] = _CLOSERS if opened else ()
        self._held = ""
        self._may_open = True
        self._seen_thought = opened
        self._line_start = True

    @property
    def thinking(self) -> bool:
        """Whether a thought is open."""
        return bool(self._closers)

    def feed(self, text: str) -> list[Piece]:
        """Take more text; returns what is clear now, in order."""
        self._held += text
        pieces: list[Piece] = []
        while self._step(pieces):
            pass
        return pieces

    def finish(self) -> list[Piece]:
        """End the reply; returns what was held back."""
        held, self._held = self._held, ""
        if not held:
            return []
        return [Piece("thought" if self.thinking else "answer", held)]

    def _step(self, pieces: list[Piece]) -> bool:
        """Take the next marker or text; False where more has to come first."""
        if not self._held:
            return False
        if self.thinking:
            return self._in_thought(pieces)
        return self._at_start(pieces) if self._may_open else self._in_answer(pieces)

    def _at_start(self, pieces: list[Piece]) -> bool:
        begun = self._held.lstrip()
        for opener, closer in MARKERS:
            if begun.startswith(opener):
                self._held = begun[len(opener) :]
                self._closers = (closer,)
                self._seen_thought = True
                return True
        if not begun or any(opener.startswith(begun) for opener, _ in MARKERS):
            return False
        self._may_open = False
        if self._seen_thought:
            self._held = begun
        return self._in_answer(pieces)

    def _in_answer(self, pieces: list[Piece]) -> bool:
        if self._seen_thought:
            pieces.append(Piece("answer", self._held))
            self._held = ""
            return False
        # A marker that closes what nothing opened stands at the start of a line.
        found = _LONE_CLOSER.search(self._held, 0 if self._line_start else 1)
        if found:
            pieces += [Piece("answer", self._held[: found.start()]), Piece("was_thought")]
            self._held = self._held[found.end() :]
            self._seen_thought = self._may_open = True
            return True
        clear = self._held.rfind("\n") + 1
        line = self._held[clear:].strip()
        at_start = self._line_start or clear > 0
        if not (at_start and line and any(c.startswith(line) for c in _CLOSERS)):
            clear = len(self._held)
        if clear:
            pieces.append(Piece("answer", self._held[:clear]))
            self._line_start = self._held[clear - 1] == "\n"
            self._held = self._held[clear:]
        return False

    def _in_thought(self, pieces: list[Piece]) -> bool:
        found = [(self._held.find(closer), closer) for closer in self._closers]
        found = [(at, closer) for at, closer in found if at >= 0]
        if found:
            at, closer = min(found)
            text = self._held[:at]
            if "<|channel|>" in closer:
                text = _BETWEEN.sub("", text, count=1)
            self._held = self._held[at + len(closer) :]
            self._closers = ()
            self._may_open = True
            pieces += [Piece("thought", text), Piece("closed")]
            return True
        kept = max(_overlap(self._held, closer) for closer in self._closers)
        clear = len(self._held) - kept
        if clear:
            pieces.append(Piece("thought", self._held[:clear]))
            self._held = self._held[clear:]
        return False


def words(text: str) -> int:
    """How many words a text has; each Chinese, Japanese or Korean character is one."""
    return sum(1 for _ in _WORD.finditer(text))


def _overlap(text: str, marker: str) -> int:
    """How much of a marker's beginning the text ends with, without all of it."""
    longest = min(len(text), len(marker) - 1)
    return next((n for n in range(longest, 0, -1) if text.endswith(marker[:n])), 0)


def answer_in(text: str, *, opened: bool) -> str:
    """The Markdown of a whole reply without what the model thought.

    Args:
        text: All of it.
        opened: Whether the prompt has already opened a thought.
    """
    splitter = ThoughtSplitter(opened=opened)
    answer: list[str] = []
    for piece in splitter.feed(text) + splitter.finish():
        if piece.kind == "was_thought":
            answer.clear()
        elif piece.kind == "answer":
            answer.append(piece.text)
    return "".join(answer).strip("\n")
