r"""What the parser of Markdown learns: LaTeX, found before Markdown takes its backslashes away.

Rules for markdown-it: `$…$`, `$$…$$`, `\(…\)`, `\[…\]` and `\begin{…}` at the start of a line.
A dollar is a price unless what stands between two of them can be nothing but a formula.
"""

from __future__ import annotations

import re
from html import escape
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from markdown_it import MarkdownIt
    from markdown_it.ruler import RuleOptionsType
    from markdown_it.rules_block import StateBlock
    from markdown_it.rules_inline import StateInline
    from markdown_it.token import Token

LONGEST = 2000
"""A longer formula stays text."""
_MOST_LINES = 60

_CLOSERS = {"$$": "$$", "\\[": "\\]", "\\(": "\\)"}
_BEGIN = re.compile(r"\\begin\{([a-zA-Z]{1,20}\*?)\}")
_SIGNS = re.compile(r"[\\^_{}=<>]")
_WORDS = re.compile(r"[^\W\d_]{2,}")


def add_maths(markdown: MarkdownIt) -> MarkdownIt:
    """Teach a parser formulas: tokens `math_inline` and `math_block`, `meta["display"]`."""
    markdown.inline.ruler.before("escape", "maths", _inline)
    interrupts: RuleOptionsType = {"alt": ["paragraph", "reference", "blockquote", "list"]}
    markdown.block.ruler.before("fence", "maths", _block, interrupts)
    for name in ("math_inline", "math_block", "image"):
        markdown.add_render_rule(name, _in_html)
    return markdown


def _in_html(
    _renderer: object, tokens: Sequence[Token], at: int, _options: object, _env: object
) -> str:
    """A formula as its source, an image as its description: HTML that loads nothing."""
    token = tokens[at]
    text = escape(token.content)
    if token.type == "image":
        return text
    display = token.meta["display"]
    code = f"<code>{text}</code>"
    return f"<p>{code}</p>\n" if display and token.block else code


def add_notes(markdown: MarkdownIt) -> MarkdownIt:
    """Keep a parser from taking a footnote of one word for the address of a link."""
    from markdown_it.rules_block import reference

    def rule(state: StateBlock, start: int, end: int, silent: bool) -> bool:  # noqa: FBT001  as above
        return not _line(state, start).startswith("[^") and reference(state, start, end, silent)

    markdown.block.ruler.at("reference", rule)
    return markdown


def _inline(state: StateInline, silent: bool) -> bool:  # noqa: FBT001  the parser's signature
    found = _find_inline(state.src, state.pos)
    if found is None:
        return False
    opener, content, end = found
    if not silent:
        token = state.push("math_inline", "math", 0)
        token.content = content.strip()
        token.markup = opener
        token.meta = {"display": opener in {"$$", "\\["}}
    state.pos = end
    return True


def _find_inline(source: str, at: int) -> tuple[str, str, int] | None:
    """The formula that begins at a place: its opener, its LaTeX, where it ends."""
    opener = source[at : at + 2]
    if opener in _CLOSERS:
        end = source.find(_CLOSERS[opener], at + 2, at + 2 + LONGEST)
        content = source[at + 2 : end] if end > 0 else ""
        return (opener, content, end + 2) if content.strip() else None
    if not opener.startswith("$") or (at > 0 and source[at - 1].isalnum()):
        return None
    end = source.find("$", at + 1, at + LONGEST)
    while end > 0 and source[end - 1] == "\\":
        end = source.find("$", end + 1, at + LONGEST)
    if end > 0 and _is_formula(source[at + 1 : end], source[end + 1 : end + 2]):
        return "$", source[at + 1 : end], end + 1
    return None


def _is_formula(content: str, after: str) -> bool:
    """Whether what stands between two dollars is maths and not the words between two prices."""
    if not content or content[0].isspace() or content[-1].isspace() or content[-1] == "\\":
        return False
    if after.isalnum() or "\n\n" in content:
        return False
    return bool(_SIGNS.search(content)) or " " not in content or not _WORDS.search(content)


def _block(state: StateBlock, start: int, end: int, silent: bool) -> bool:  # noqa: FBT001  as above
    if state.is_code_block(start):
        return False
    line = _line(state, start)
    opener = line[:2]
    environment = _BEGIN.match(line)
    closer = rf"\end{{{environment[1]}}}" if environment else _CLOSERS.get(opener, "")
    if not closer or opener == "\\(":
        return False
    last = _last_line(state, (start, end), closer)
    if last is None and not state.env.get("open"):
        return False
    stop = end if last is None else last + 1
    content = state.getLines(start, stop, state.blkIndent, False).strip()
    if len(content) > LONGEST:
        return False
    if silent:
        return True
    token = state.push("math_block", "math", 0)
    token.block = True
    token.content = content if environment else content[2:].removesuffix(closer).strip()
    token.markup = "" if environment else opener
    token.meta = {"display": True, "closed": last is not None}
    token.map = [start, stop]
    state.line = stop
    return True


def _last_line(state: StateBlock, lines: tuple[int, int], closer: str) -> int | None:
    """The line that a formula ends on, if it ends there with nothing behind it."""
    for number in range(lines[0], min(lines[1], lines[0] + _MOST_LINES)):
        line = _line(state, number)
        if number > lines[0] and line and state.sCount[number] < state.blkIndent:
            return None
        at = line.find(closer, 2 if number == lines[0] else 0)
        if at >= 0:
            return number if at + len(closer) == len(line.rstrip()) else None
    return None


def _line(state: StateBlock, number: int) -> str:
    return state.src[state.bMarks[number] + state.tShift[number] : state.eMarks[number]]
