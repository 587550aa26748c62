"""What is copied out of a chat: a selection as Markdown, and Markdown as rich text.

Rich text is made from Markdown, not from what is shown: it carries meaning and no colours, so
that it is readable wherever it is put, and it refers to nothing on the net but links.
"""

from __future__ import annotations

import re
from itertools import groupby
from typing import TYPE_CHECKING, cast

from PySide6.QtCore import QMimeData, Qt
from PySide6.QtGui import QFont, QTextCursor

from ui.chat.formulas import DISPLAY, FORMULA, OBJECT, SOURCE
from ui.chat.markdown import BULLET, CODE, NOTE, QUOTE, RULE, TASK, parser

if TYPE_CHECKING:
    from collections.abc import Iterator

    from PySide6.QtGui import QTextBlock, QTextCharFormat, QTextFragment, QTextList, QTextTable

    _Part = tuple[QTextBlock, int, int]

_SPECIAL = re.compile(r"([\\`*\[\]<|]|(?<!\w)_|_(?!\w))")
_START = re.compile(r"^(\s*)([#>+-]|\d+[.)])(?=\s)")
_SPACES = re.compile(r"^(\s*)(.*?)(\s*)$", re.DOTALL)


def mime(markdown: str, plain: str | None = None) -> QMimeData:
    """A piece of Markdown for the clipboard.

    Args:
        markdown: What it says.
        plain: What a plain text field is to get; the Markdown itself where it is None.
    """
    data = QMimeData()
    data.setText(markdown if plain is None else plain)
    data.setHtml(parser().render(markdown))
    data.setData("text/markdown", markdown.encode())
    return data


def plain_of(cursor: QTextCursor) -> str:
    """The selected text, formulas as their source."""
    pieces: list[str] = []
    for block, start, end in _blocks(cursor):
        parts = (_text(cursor, part, *span) for part, *span in _fragments(block, start, end))
        pieces.append("".join(parts))
    return "\n".join(pieces).replace("\u2028", "\n").replace("\u200b", "").strip("\n")


def markdown_of(cursor: QTextCursor) -> str:
    """The selection as Markdown."""
    pieces: list[str] = []
    for kind, group in groupby(_blocks(cursor), key=lambda part: _kind(part[0])):
        blocks = list(group)
        if kind == "table":
            pieces.append(_table(cursor, blocks))
            continue
        lines = [_line(cursor, block, (start, end), kind) for block, start, end in blocks]
        if kind == "code":
            lines = ["```", *lines, "```"]
        elif kind == "words":
            lines = [line for line in lines if line]
        pieces.append(("\n\n" if kind == "words" else "\n").join(lines))
    return "\n\n".join(piece for piece in pieces if piece)


def _table(cursor: QTextCursor, cells: list[_Part]) -> str:
    """The selected cells of a table, row by row."""
    lines: list[str] = []
    table = QTextCursor(cells[0][0]).currentTable()
    for row, group in groupby(cells, key=lambda part: table.cellAt(part[1]).row()):
        texts = [_line(cursor, block, (start, end), "table") for block, start, end in group]
        if row < table.format().headerRowCount():
            texts = [text.removeprefix("**").removesuffix("**") for text in texts]
        lines.append(f"| {' | '.join(texts)} |")
        if row == 0 and table.format().headerRowCount():
            lines.append(_rule_below(table))
    return "\n".join(lines)


def _rule_below(table: QTextTable) -> str:
    """The line below a table's heading, which aligns its columns."""
    marks: list[str] = []
    for column in range(table.columns()):
        align = table.cellAt(0, column).firstCursorPosition().blockFormat().alignment()
        right, middle = Qt.AlignmentFlag.AlignRight, Qt.AlignmentFlag.AlignHCenter
        marks.append("--:" if align & right else ":-:" if align & middle else "---")
    return f"| {' | '.join(marks)} |"


def _blocks(cursor: QTextCursor) -> Iterator[_Part]:
    """The blocks of a selection, and which part of each is selected."""
    block = cursor.document().findBlock(cursor.selectionStart())
    while block.isValid() and block.position() <= cursor.selectionEnd():
        start = max(block.position(), cursor.selectionStart())
        end = min(block.position() + block.length() - 1, cursor.selectionEnd())
        yield block, start, max(start, end)
        block = block.next()


def _fragments(block: QTextBlock, start: int, end: int) -> Iterator[tuple[QTextFragment, int, int]]:
    place = block.begin()
    while not place.atEnd():
        part = place.fragment()
        first = max(part.position(), start)
        last = min(part.position() + part.length(), end)
        if first < last:
            yield part, first, last
        place += 1


def _text(cursor: QTextCursor, part: QTextFragment, first: int, last: int) -> str:
    """The selected text of a fragment; positions count as Qt counts."""
    style = part.charFormat()
    if style.objectType() == FORMULA:
        return str(style.property(SOURCE)) * (last - first)
    piece = QTextCursor(cursor.document())
    piece.setPosition(first)
    piece.setPosition(last, QTextCursor.MoveMode.KeepAnchor)
    return piece.selectedText().replace(OBJECT, "")


def _kind(block: QTextBlock) -> str:
    """What a block is, for the lines between it and the next."""
    style = block.blockFormat()
    if _table_of(block) is not None:
        return "table"
    if style.hasProperty(CODE):
        return "code"
    if style.hasProperty(RULE):
        return "rule"
    return "list" if _list_of(block) is not None or style.indent() else "words"


def _table_of(block: QTextBlock) -> QTextTable | None:
    return cast("QTextTable | None", QTextCursor(block).currentTable())


def _list_of(block: QTextBlock) -> QTextList | None:
    return cast("QTextList | None", block.textList())


def _line(cursor: QTextCursor, block: QTextBlock, span: tuple[int, int], kind: str) -> str:
    """One block as Markdown, with what marks it at its start."""
    parts = list(_fragments(block, *span))
    if kind == "code":
        return "".join(_text(cursor, *part) for part in parts)
    if kind == "rule":
        return "---"
    text = "".join(_inline(cursor, *part) for part in parts)
    whole = span[0] == block.position()
    if kind == "table" or not whole:
        return text
    style = block.blockFormat()
    text = _START.sub(r"\1\\\2", text) if text else text
    if style.headingLevel():
        text = "#" * style.headingLevel() + " " + text.strip("*")
    return "> " * style.intProperty(QUOTE) + _list_mark(block) + text


def _list_mark(block: QTextBlock) -> str:
    """The indentation and the mark of a list item; indentation alone for its later paragraphs."""
    style = block.blockFormat()
    owner = _list_of(block)
    if owner is None:
        return "    " * style.indent()
    depth = max(owner.format().indent() - 1, 0)
    mark = "- " if style.hasProperty(BULLET) else f"{owner.itemText(block)} "
    if style.hasProperty(TASK):
        mark = "- [x] " if style.intProperty(TASK) > 1 else "- [ ] "
    return "    " * depth + mark


def _inline(cursor: QTextCursor, part: QTextFragment, first: int, last: int) -> str:
    """A run of one format as Markdown."""
    style = part.charFormat()
    text = _text(cursor, part, first, last).replace("\u200b", "").replace("\u2028", "  \n")
    if style.objectType() == FORMULA:
        mark = "$$" if style.property(DISPLAY) else "$"
        return f"{mark}{text}{mark}"
    if style.hasProperty(NOTE):
        return f"[^{text}]"
    if style.hasProperty(CODE):
        mark = "``" if "`" in text else "`"
        return f"{mark}{text}{mark}"
    return _marked(_SPECIAL.sub(r"\\\1", text), style)


def _marked(text: str, style: QTextCharFormat) -> str:
    """Emphasis and links around the words, never around the spaces beside them."""
    found = _SPACES.match(text)
    if found is None or not found[2]:
        return text
    before, words, after = found.groups()
    if style.fontStrikeOut():
        words = f"~~{words}~~"
    if style.fontItalic():
        words = f"*{words}*"
    if style.fontWeight() > QFont.Weight.Medium.value:
        words = f"**{words}**"
    if style.anchorHref():
        words = f"[{words}]({style.anchorHref()})"
    return f"{before}{words}{after}"
