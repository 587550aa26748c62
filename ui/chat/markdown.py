"""Writes Markdown into a text document, block by block.

Nothing passes through HTML: the parsed tokens become formats and text. Raw HTML stays text,
an image becomes its description, and only http, https and mailto addresses become links.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, QUrl
from PySide6.QtGui import (
    QColor,
    QFont,
    QFontMetrics,
    QTextBlockFormat,
    QTextCharFormat,
    QTextCursor,
    QTextFormat,
    QTextList,
    QTextListFormat,
)

from ui import theme as look
from ui.chat.formulas import DISPLAY, FORMULA, OBJECT, SOURCE, Formulas
from ui.chat.maths import add_maths, add_notes
from ui.chat.tables import TableWriter

if TYPE_CHECKING:
    from collections.abc import Sequence

    from markdown_it import MarkdownIt
    from markdown_it.token import Token

    from ui.theme import Theme

QUOTE = QTextFormat.Property.UserProperty.value + 1
"""Block property: how deep the block is quoted."""
CODE = QTextFormat.Property.UserProperty.value + 2
"""Block property: a line of code inside a list or a quotation."""
RULE = QTextFormat.Property.UserProperty.value + 3
"""Block property: a thematic break."""

BULLET = QTextFormat.Property.UserProperty.value + 4
"""Block property: a list item that wants a dot, and how deep its list is nested."""
TASK = QTextFormat.Property.UserProperty.value + 5
"""Block property: a list item with a box: 1 for what is to be done, 2 for what is done."""
GROUNDS = (QUOTE, CODE, RULE, BULLET, TASK)
"""The properties that want something painted."""

NOTE = QTextFormat.Property.UserProperty.value + 6
"""Character property: the mark of a footnote."""

_INDENT = 28
_MARGIN = 10
_MOST_MARKS = 600
_SCHEMES = ("http", "https", "mailto")
_TASK = re.compile(r"\[([ xX])\](?: +|$)")
_NOTE = re.compile(r"\[\^([^\]\s^]{1,40})\]: ?")
_NOTE_MARK = re.compile(r"\[\^([^\]\s^]{1,40})\]")
_LIST_BEGINS = ("bullet_list_open", "ordered_list_open")
_LIST_ENDS = ("bullet_list_close", "ordered_list_close")
_HEADINGS = {"h1": 20, "h2": 18, "h3": 16}


@cache
def parser(*, marked: bool = True) -> MarkdownIt:
    """The Markdown parser, imported when first needed: it takes some 50 ms.

    Args:
        marked: Whether it knows links and emphasis; matching their ends takes quadratic time.
    """
    from markdown_it import MarkdownIt

    markdown = MarkdownIt("commonmark", {"html": False}).enable(["strikethrough", "table"])
    if not marked:
        markdown.disable(["link", "image", "emphasis", "strikethrough"])
    return add_notes(add_maths(markdown))


def indent_width(theme: Theme) -> int:
    """How far a list is moved in, in logical pixels: numbers of two digits fit."""
    return theme.scaled(_INDENT)


def _count_items(tokens: Sequence[Token]) -> None:
    """Note at the beginning of every list how many items it has."""
    lists: list[Token] = []
    for token in tokens:
        if token.type in _LIST_BEGINS:
            token.meta["items"] = 0
            lists.append(token)
        elif token.type in _LIST_ENDS:
            lists.pop()
        elif token.type == "list_item_open":
            lists[-1].meta["items"] += 1


def safe_link(address: str) -> bool:
    """Whether an address may become a link."""
    url = QUrl(address)
    return url.isValid() and url.scheme().lower() in _SCHEMES


@dataclass
class _List:
    """A list that is being written.

    Attributes:
        margin: Where its numbers are wider than the indentation: by how much, in logical pixels.
    """

    style: QTextListFormat
    bulleted: bool
    margin: int = 0
    lines: QTextList | None = None
    tight: bool = True


class MarkdownWriter:
    """Writes one Markdown block after another at a cursor."""

    def __init__(
        self,
        cursor: QTextCursor,
        theme: Theme,
        formulas: Formulas,
        widths: Sequence[float] | None = None,
    ) -> None:
        """Write at a cursor; `widths` are the columns of a table that goes on without heading."""
        self._cursor = cursor
        self._theme = theme
        self._formulas = formulas
        self._table = TableWriter(cursor, theme, heading=widths is None, widths=widths or ())
        self._lists: list[_List] = []
        self._quote = 0
        self._heading = 0
        self._level = 0
        self._item_waits = False
        self._at_start = True
        self._formats: list[QTextCharFormat] = [QTextCharFormat()]
        self.has_grounds = False
        """Whether anything was written that wants a ground painted under it."""
        self.has_formulas = False
        """Whether a formula was written that is drawn."""

    def write(self, source: str, *, growing: bool = False) -> None:
        """Write a piece of Markdown into the empty block where the cursor stands.

        Args:
            source: The Markdown.
            growing: Whether more will come, so that a formula without an end may still get it.
        """
        marked = sum(source.count(mark) for mark in "[*_~") <= _MOST_MARKS
        tokens = parser(marked=marked).parse(source, {"open": growing})
        _count_items(tokens)
        for token in tokens:
            self._block_token(token)

    def _block_token(self, token: Token) -> None:
        kind = token.type
        if kind in _LIST_BEGINS:
            self._open_list(token)
        elif kind in _LIST_ENDS:
            self._lists.pop()
        elif kind == "inline":
            self._inline(token)
        elif kind == "math_block":
            self._display(token)
        elif self._table.takes(kind):
            self._table_part(token)
        elif kind in {"fence", "code_block"}:
            self._code(token.content)
        else:
            self._note_context(token)

    def _table_part(self, token: Token) -> None:
        if token.type == "table_open":
            self._start_block(QTextBlockFormat())
        self._table.take(token, self._margin + indent_width(self._theme) * len(self._lists))
        self._at_start = self._at_start or token.type == "table_close"

    def _note_context(self, token: Token) -> None:
        """Remember what the next paragraph stands in."""
        if token.type == "hr":
            self._rule()
        elif token.type == "list_item_open":
            self._item_waits = True
        elif token.type in {"blockquote_open", "blockquote_close"}:
            self._quote += token.nesting
        elif token.type == "heading_open":
            self._heading = _HEADINGS.get(token.tag, look.TEXT)
            self._level = int(token.tag[1:])
        elif token.type == "paragraph_open" and self._lists:
            self._lists[-1].tight = token.hidden

    def _open_list(self, token: Token) -> None:
        style = QTextListFormat()
        style.setIndent(len(self._lists) + 1)
        margin = 0
        if token.type == "ordered_list_open":
            style.setStyle(QTextListFormat.Style.ListDecimal)
            style.setStart(int(token.attrGet("start") or 1))
            last = f"{style.start() + token.meta['items'] - 1}. "  # Qt leaves a space behind it
            width = QFontMetrics(self._theme.reading_font()).horizontalAdvance(last)
            margin = max(width + 1 - indent_width(self._theme), 0)
        else:
            # Qt sets its own dots too close to the text.
            style.setStyle(QTextListFormat.Style.ListStyleUndefined)
        self._lists.append(_List(style, token.type == "bullet_list_open", margin))

    def _inline(self, token: Token) -> None:
        """The words of a paragraph, or of a cell of a table."""
        if self._table.skips:
            return
        if not self._table.in_cell:
            self._paragraph(token)
            return
        self._formats.append(self._table.cell_format())
        for child in token.children or []:
            self._inline_token(child)
        self._formats.pop()

    def _display(self, token: Token) -> None:
        """A formula on a line of its own; its source while it has no end yet."""
        block = QTextBlockFormat()
        block.setTopMargin(_MARGIN)
        block.setBottomMargin(_MARGIN)
        closed = bool(token.meta["closed"])
        if closed and not self._formulas.failed(token.content, display=True):
            block.setAlignment(Qt.AlignmentFlag.AlignHCenter)
        self._start_block(block)
        if closed:
            self._formula(token.content, display=True)
        else:
            text = f"{token.markup}\n{token.content}".strip()
            self._insert(text.replace("\n", "\u2028"), self.formula_source())

    def _formula(self, source: str, *, display: bool) -> None:
        if self._formulas.failed(source, display=display):
            self._insert(source.replace("\n", "\u2028"), self.formula_source())
            return
        style = QTextCharFormat(self._formats[-1])
        style.setObjectType(FORMULA)
        style.setVerticalAlignment(QTextCharFormat.VerticalAlignment.AlignMiddle)
        style.setProperty(SOURCE, source)
        style.setProperty(DISPLAY, display)
        self._insert(OBJECT, style)
        self.has_formulas = True

    def formula_source(self) -> QTextCharFormat:
        """How LaTeX is written that has no picture."""
        style = QTextCharFormat()
        style.setFont(self._theme.reading_code_font())
        style.setForeground(QColor(self._theme.colors.dim))
        return style

    def _paragraph(self, token: Token) -> None:
        children = token.children or []
        note = self._footnote(children)
        block = QTextBlockFormat()
        line = self._theme.scaled(max(look.LINE_HEIGHT, round(self._heading * 1.4)))
        block.setLineHeight(line, QTextBlockFormat.LineHeightTypes.MinimumHeight.value)
        tight = bool(self._lists) and self._lists[-1].tight
        margin = 2 if tight else _MARGIN
        block.setTopMargin(18 if self._heading else margin)
        block.setBottomMargin(margin)
        block.setHeadingLevel(self._level if self._heading else 0)
        if self._item_waits and self._lists and self._lists[-1].bulleted:
            self._task(block, children)
        self._start_block(block)
        if self._heading:
            heading = QTextCharFormat()
            heading.setFontWeight(QFont.Weight.DemiBold)
            size = self._theme.scaled(self._heading)
            heading.setProperty(QTextFormat.Property.FontPixelSize.value, size)
            self._formats.append(heading)
        if note:
            self._insert(f"{note} ", self._note_mark())
        for child in children:
            self._inline_token(child)
        if self._heading:
            self._formats.pop()
            self._heading = 0

    @staticmethod
    def _task(block: QTextBlockFormat, children: list[Token]) -> None:
        """Turn "[ ]" and "[x]" at the start of a list item into a box."""
        first = children[0] if children else None
        found = _TASK.match(first.content) if first is not None and first.type == "text" else None
        if first is not None and found is not None:
            first.content = first.content[found.end() :]
            block.setProperty(TASK, 1 if found[1] == " " else 2)

    @staticmethod
    def _footnote(children: list[Token]) -> str:
        """The name of the footnote that a paragraph explains, taken off its text; "" for none."""
        first = children[0] if children else None
        found = _NOTE.match(first.content) if first is not None and first.type == "text" else None
        if first is None or found is None:
            return ""
        first.content = first.content[found.end() :]
        for end, start in pairwise(children):
            if end.type == "softbreak" and _NOTE.match(start.content):
                end.type = "hardbreak"
                start.content = _NOTE.sub(r"[^\1] ", start.content, count=1)
        return found[1]

    def _note_mark(self) -> QTextCharFormat:
        style = QTextCharFormat(self._formats[-1])
        style.setVerticalAlignment(QTextCharFormat.VerticalAlignment.AlignSuperScript)
        style.setForeground(QColor(self._theme.colors.link))
        style.setProperty(NOTE, 1)
        return style

    def _text(self, text: str) -> None:
        """Text, in which the mark of a footnote stands raised."""
        for number, part in enumerate(_NOTE_MARK.split(text)):
            if number % 2:
                self._insert(part, self._note_mark())
            elif part:
                self._insert(part)

    def _code(self, text: str) -> None:
        style = QTextCharFormat()
        style.setFont(self._theme.reading_code_font())
        lines = text.rstrip("\n").split("\n")
        for number, line in enumerate(lines):
            block = QTextBlockFormat()
            block.setLineHeight(
                self._theme.scaled(20), QTextBlockFormat.LineHeightTypes.MinimumHeight.value
            )
            block.setProperty(CODE, 1)
            block.setLeftMargin(12)
            block.setRightMargin(12)
            block.setTopMargin(12 if number == 0 else 0)
            block.setBottomMargin(12 if number == len(lines) - 1 else 0)
            self._start_block(block)
            self._cursor.insertText(line, style)

    def _rule(self) -> None:
        block = QTextBlockFormat()
        block.setProperty(RULE, 1)
        block.setTopMargin(4)
        block.setBottomMargin(4)
        self._start_block(block)

    @property
    def _margin(self) -> int:
        """How far quotations and wide numbers move a paragraph in, in logical pixels."""
        return 16 * self._quote + sum(each.margin for each in self._lists)

    def _start_block(self, block: QTextBlockFormat) -> None:
        """Begin a paragraph: in the block at the cursor the first time, in a new one later."""
        if self._quote:
            block.setProperty(QUOTE, self._quote)
        block.setLeftMargin(block.leftMargin() + self._margin)
        if self._lists and not self._item_waits:
            block.setIndent(len(self._lists))
        elif self._lists and self._lists[-1].bulleted and not block.hasProperty(TASK):
            block.setProperty(BULLET, len(self._lists))
        if self._at_start:
            self._cursor.setBlockFormat(block)
            self._cursor.setBlockCharFormat(QTextCharFormat())
            self._at_start = False
        else:
            self._cursor.insertBlock(block, QTextCharFormat())
        self.has_grounds |= any(block.hasProperty(name) for name in GROUNDS)
        if self._lists and self._item_waits:
            self._mark_item(self._lists[-1])
        self._item_waits = False

    def _mark_item(self, owner: _List) -> None:
        if owner.lines is None:
            owner.lines = self._cursor.createList(owner.style)
        else:
            owner.lines.add(self._cursor.block())

    def _inline_token(self, token: Token) -> None:
        kind = token.type
        if kind in {"strong_open", "em_open", "s_open", "link_open"}:
            self._formats.append(self._styled(token))
        elif kind in {"strong_close", "em_close", "s_close", "link_close"}:
            self._formats.pop()
        elif kind == "code_inline":
            self._insert(token.content, self._inline_code())
        elif kind == "math_inline":
            self._formula(token.content, display=bool(token.meta["display"]))
        elif kind == "text":
            self._text(token.content)
        else:
            breaks = {"softbreak": " ", "hardbreak": "\u2028"}
            address = str(token.attrGet("src") or "")
            self._insert(breaks.get(kind) or token.content or address)

    def _insert(self, text: str, style: QTextCharFormat | None = None) -> None:
        self._cursor.insertText(text, style or self._formats[-1])

    def _styled(self, token: Token) -> QTextCharFormat:
        style = QTextCharFormat(self._formats[-1])
        if token.type == "strong_open":
            style.setFontWeight(QFont.Weight.DemiBold)
        elif token.type == "em_open":
            style.setFontItalic(True)
        elif token.type == "s_open":
            style.setFontStrikeOut(True)
        else:
            address = str(token.attrGet("href") or "")
            if safe_link(address):
                style.setAnchor(True)
                style.setAnchorHref(address)
                style.setToolTip(address)
                style.setForeground(QColor(self._theme.colors.link))
                style.setUnderlineStyle(QTextCharFormat.UnderlineStyle.NoUnderline)
        return style

    def _inline_code(self) -> QTextCharFormat:
        style = QTextCharFormat(self._formats[-1])
        font = self._theme.reading_code_font()
        style.setFontFamilies(font.families())
        style.setFontStyleHint(QFont.StyleHint.Monospace)
        style.setProperty(QTextFormat.Property.FontPixelSize.value, font.pixelSize())
        style.setBackground(QColor(self._theme.colors.fill))
        style.setProperty(CODE, 1)
        style.setVerticalAlignment(QTextCharFormat.VerticalAlignment.AlignNormal)
        return style


SELECTABLE = (
    Qt.TextInteractionFlag.TextSelectableByMouse
    | Qt.TextInteractionFlag.TextSelectableByKeyboard
    | Qt.TextInteractionFlag.LinksAccessibleByMouse
    | Qt.TextInteractionFlag.LinksAccessibleByKeyboard
)
