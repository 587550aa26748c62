"""Splits a growing Markdown reply into blocks, so that finished ones are never touched again.

A block ends at a blank line. Fenced code is one block whatever it holds, and a list and a
formula stay together across blank lines. A table is a block from its heading to the first line
without a bar; a long one is cut into several that repeat the heading. No Qt here; each
character is looked at a bounded number of times.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

_FENCE = re.compile(r"^( {0,3})(`{3,}|~{3,})[ \t]*([^`\n]*)$")
_MAY_OPEN_FENCE = re.compile(r"^ {0,3}(?:`{1,2}|`{3,}[^`\n]*|~{2}|~{3,}[^\n]*)$")
_LIST_ITEM = re.compile(r"^ {0,3}(?:[-*+]|\d{1,9}[.)])(?:[ \t]|$)")
_DELIMITER = re.compile(r"^ {0,3}\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*\|?[ \t]*$")
_MATHS = {"$$": "$$", "\\[": "\\]"}
_CONTINUATION_INDENT = 2

LONGEST_PROSE = 4000
"""Prose is cut here even without a blank line, so that one block stays cheap to lay out."""
MOST_LINES = 120
"""For the same reason: every line may be a heading or a paragraph of its own."""
LONGEST_TABLE = 20
"""Rows of a table that are laid out together."""


@dataclass(frozen=True)
class Block:
    """A piece of a reply.

    Attributes:
        kind: Prose is Markdown; code is the inside of a fence, without it; a table is Markdown
            that begins with the heading and the line below it.
        text: The source of the block. For code that is still open: what has come so far.
        language: The first word after a fence, "" where there is none.
        whole: False where a prose block goes on in the next one because it was too long.
        continues: Whether a table goes on from the block before, whose heading it repeats.
    """

    kind: Literal["prose", "code", "table"]
    text: str
    language: str = ""
    whole: bool = True
    continues: bool = False


class BlockSplitter:
    """Takes text as it comes and hands out blocks as they are finished."""

    def __init__(self) -> None:
        self._lines: list[str] = []
        self._size = 0
        self._partial = ""
        self._fence = ""
        self._language = ""
        self._inner_fence = ""
        self._after_blank = False
        self._maths = ""
        self._table: tuple[str, str] | None = None
        self._continues = False

    def feed(self, text: str) -> list[Block]:
        """Take more text.

        Returns:
            The blocks that this text finished, in order.
        """
        done: list[Block] = []
        lines = (self._partial + text.replace("\r\n", "\n")).split("\n")
        self._partial = lines.pop()
        for line in lines:
            self._take_line(line, done)
        self._cut_partial(done)
        return done

    def finish(self) -> list[Block]:
        """End the text; an open fence ends with it.

        Returns:
            What was still open, if it held anything.
        """
        done: list[Block] = []
        if self._partial:
            self._take_line(self._partial, done)
            self._partial = ""
        self._close(done)
        return done

    def open_block(self) -> Block | None:
        """The block that is still growing, with the line that has not ended yet.

        What may become a fence is left out until its line has ended.
        """
        if self._fence:
            partial = [] if self._may_close_fence(self._partial) else [self._partial]
            return Block("code", "\n".join(self._lines + partial), self._language)
        if self._table and (not self._partial or "|" in self._partial):
            rows = [*self._table, *self._lines, self._partial]
            return Block("table", "\n".join(rows).rstrip("\n"), continues=self._continues)
        partial = "" if _MAY_OPEN_FENCE.match(self._partial) else self._partial
        text = "\n".join([*self._lines, partial]).strip("\n")
        return Block("prose", text) if text.strip() else None

    def _take_line(self, line: str, done: list[Block]) -> None:
        if self._fence:
            if self._closes_fence(line):
                done.append(Block("code", "\n".join(self._lines), self._language))
                self._reset()
            else:
                self._lines.append(line)
            return
        if self._table and "|" in line:
            self._take_row(line, done)
            return
        if self._table:
            self._close(done)
        if self._maths and not _FENCE.match(line):
            self._maths = "" if self._maths in line else self._maths
            self._append(line, done)
        elif not line.strip():
            self._take_blank(done)
        else:
            self._take_words(line, done)

    def _take_words(self, line: str, done: list[Block]) -> None:
        """Take a line that is not blank and stands in neither code, table nor formula."""
        if self._after_blank and not self._continues_list(line):
            self._close(done)
        self._after_blank = False
        if not self._open_table(line, done) and not self._open_fence(line, done):
            self._open_maths(line)
            self._append(line, done)

    def _open_table(self, line: str, done: list[Block]) -> bool:
        """Start a table where this is the line below its heading."""
        heading = self._lines[-1] if self._lines else ""
        if "|" not in heading or "-" not in line or self._in_list() or heading.startswith(">"):
            return False
        if not _DELIMITER.match(line) or _cells(heading) != _cells(line):
            return False
        self._lines.pop()
        self._close(done)
        self._table = (heading, line)
        return True

    def _take_row(self, line: str, done: list[Block]) -> None:
        table = self._table
        if len(self._lines) >= LONGEST_TABLE or self._size > LONGEST_PROSE:
            self._close(done)
            self._table, self._continues = table, True
        self._lines.append(line[:LONGEST_PROSE])
        self._size += len(line) + 1

    def _open_maths(self, line: str) -> None:
        """Keep a formula together that begins at this line and does not end on it."""
        start = line.strip()[:2]
        if start in _MATHS and _MATHS[start] not in line.strip()[2:]:
            self._maths = _MATHS[start]

    def _take_blank(self, done: list[Block]) -> None:
        if not self._lines:
            return
        if self._in_list() or self._inner_fence:
            self._lines.append("")
            self._after_blank = not self._inner_fence
        else:
            self._close(done)

    def _open_fence(self, line: str, done: list[Block]) -> bool:
        """Start a code block at this line, unless the fence belongs to a list item."""
        fence = _FENCE.match(line.lstrip() if self._in_list() else line)
        if fence is None:
            if self._inner_fence and line.strip() == self._inner_fence:
                self._inner_fence = ""
            return False
        indent = len(line) - len(line.lstrip())
        if self._in_list() and indent >= _CONTINUATION_INDENT:
            self._inner_fence = "" if self._inner_fence else fence[2]
            return False
        self._close(done)
        self._fence = fence[2]
        self._language = fence[3].split()[0] if fence[3].strip() else ""
        return True

    def _closes_fence(self, line: str) -> bool:
        mark = line.strip()
        return (
            len(mark) >= len(self._fence)
            and not mark.strip(self._fence[0])
            and not line.startswith("    ")
        )

    def _may_close_fence(self, line: str) -> bool:
        """Whether a line that has not ended consists of the beginning of the closing fence."""
        mark = line.strip()
        return bool(mark) and not mark.strip(self._fence[0]) and not line.startswith("    ")

    def _append(self, line: str, done: list[Block]) -> None:
        while len(line) > LONGEST_PROSE:
            head, line = _cut(line)
            self._lines.append(head)
            self._close(done, whole=False)
        self._lines.append(line)
        self._size += len(line) + 1
        if self._size > LONGEST_PROSE or len(self._lines) >= MOST_LINES:
            self._close(done)

    def _cut_partial(self, done: list[Block]) -> None:
        """Keep an endless line from growing: its beginning becomes a block of its own."""
        if self._fence or (self._table and "|" in self._partial[:LONGEST_PROSE]):
            return
        if self._table and len(self._partial) > LONGEST_PROSE:
            self._close(done)
        start = 0
        while len(self._partial) - start > LONGEST_PROSE:
            head, _ = _cut(self._partial[start : start + LONGEST_PROSE + 1])
            self._lines.append(head)
            self._close(done, whole=False)
            start += len(head)
        self._partial = self._partial[start:]

    def _in_list(self) -> bool:
        return bool(self._lines) and _LIST_ITEM.match(self._lines[0]) is not None

    def _continues_list(self, line: str) -> bool:
        indent = len(line) - len(line.lstrip())
        return indent >= _CONTINUATION_INDENT or _LIST_ITEM.match(line) is not None

    def _close(self, done: list[Block], *, whole: bool = True) -> None:
        text = "\n".join(self._lines).strip("\n")
        if self._fence:
            done.append(Block("code", "\n".join(self._lines), self._language))
        elif self._table:
            rows = "\n".join([*self._table, *self._lines])
            done.append(Block("table", rows, continues=self._continues))
        elif text.strip():
            done.append(Block("prose", text, whole=whole))
        self._reset()

    def _reset(self) -> None:
        self._lines = []
        self._size = 0
        self._fence = ""
        self._language = ""
        self._inner_fence = ""
        self._after_blank = False
        self._maths = ""
        self._table = None
        self._continues = False


def _cells(row: str) -> int:
    """How many cells a line of a table has."""
    inner = row.strip().replace("\\|", "").removeprefix("|").removesuffix("|")
    return inner.count("|") + 1


def _cut(line: str) -> tuple[str, str]:
    """Cut a line that is too long, at a space where its second half has one."""
    space = line.rfind(" ", LONGEST_PROSE // 2, LONGEST_PROSE)
    at = space + 1 if space > 0 else LONGEST_PROSE
    return line[:at], line[at:]
