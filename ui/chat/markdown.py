"""Writes Markdown into a text document, block by block.

Nothing passes through HTML: the parsed tokens become formats and text. Raw HTML stays text,
an image becomes its description, and only http, https and mailto addresses become links.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, QUrl
from PySide6.QtGui import (
    QColor,
    QFont,
    QTextBlockFormat,
    QTextCharFormat,
    QTextCursor,
    QTextFormat,
    QTextList,
    QTextListFormat,
)

from ui import theme as look

if TYPE_CHECKING:
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
GROUNDS = (QUOTE, CODE, RULE, BULLET)
"""The properties that want something painted."""

INDENT = 22
MARGIN = 10
_SCHEMES = ("http", "https", "mailto")
_HEADINGS = {"h1": 20, "h2": 18, "h3": 16}


@cache
def parser() -> MarkdownIt:
    """The Markdown parser, imported when first needed: it takes some 50 ms."""
    from markdown_it import MarkdownIt

    return MarkdownIt("commonmark", {"html": False}).enable("strikethrough")


def safe_link(address: str) -> bool:
    """Whether an address may become a link."""
    url = QUrl(address)
    return url.isValid() and url.scheme().lower() in _SCHEMES


@dataclass
class _List:
    """A list that is being written."""

    style: QTextListFormat
    bulleted: bool
    lines: QTextList | None = None
    tight: bool = True


class MarkdownWriter:
    """Writes one Markdown block after another at a cursor."""

    def __init__(self, cursor: QTextCursor, theme: Theme) -> None:
        self._cursor = cursor
        self._theme = theme
        self._lists: list[_List] = []
        self._quote = 0
        self._heading = 0
        self._item_waits = False
        self._at_start = True
        self._formats: list[QTextCharFormat] = [QTextCharFormat()]
        self.has_grounds = False
        """Whether anything was written that wants a ground painted under it."""

    def write(self, source: str) -> None:
        """Write a piece of Markdown into the empty block where the cursor stands."""
        for token in parser().parse(source):
            self._block_token(token)

    def _block_token(self, token: Token) -> None:
        kind = token.type
        if kind in {"bullet_list_open", "ordered_list_open"}:
            self._open_list(token)
        elif kind in {"bullet_list_close", "ordered_list_close"}:
            self._lists.pop()
        elif kind == "inline":
            self._paragraph(token)
        elif kind in {"fence", "code_block"}:
            self._code(token.content)
        elif kind == "hr":
            self._rule()
        else:
            self._note_context(token)

    def _note_context(self, token: Token) -> None:
        """Remember what the next paragraph stands in."""
        if token.type == "list_item_open":
            self._item_waits = True
        elif token.type in {"blockquote_open", "blockquote_close"}:
            self._quote += token.nesting
        elif token.type == "heading_open":
            self._heading = _HEADINGS.get(token.tag, look.TEXT)
        elif token.type == "paragraph_open" and self._lists:
            self._lists[-1].tight = token.hidden

    def _open_list(self, token: Token) -> None:
        style = QTextListFormat()
        style.setIndent(len(self._lists) + 1)
        if token.type == "ordered_list_open":
            style.setStyle(QTextListFormat.Style.ListDecimal)
            style.setStart(int(token.attrGet("start") or 1))
        else:
            # Qt sets its own dots too close to the text.
            style.setStyle(QTextListFormat.Style.ListStyleUndefined)
        self._lists.append(_List(style, token.type == "bullet_list_open"))

    def _paragraph(self, token: Token) -> None:
        block = QTextBlockFormat()
        line = max(look.LINE_HEIGHT, round(self._heading * 1.4))
        block.setLineHeight(line, QTextBlockFormat.LineHeightTypes.MinimumHeight.value)
        tight = bool(self._lists) and self._lists[-1].tight
        margin = 2 if tight else MARGIN
        block.setTopMargin(18 if self._heading else margin)
        block.setBottomMargin(margin)
        self._start_block(block)
        if self._heading:
            heading = QTextCharFormat()
            heading.setFontWeight(QFont.Weight.DemiBold)
            heading.setProperty(QTextFormat.Property.FontPixelSize.value, self._heading)
            self._formats.append(heading)
        for child in token.children or []:
            self._inline_token(child)
        if self._heading:
            self._formats.pop()
            self._heading = 0

    def _code(self, text: str) -> None:
        style = QTextCharFormat()
        style.setFont(self._theme.code_font())
        lines = text.rstrip("\n").split("\n")
        for number, line in enumerate(lines):
            block = QTextBlockFormat()
            block.setLineHeight(20, QTextBlockFormat.LineHeightTypes.MinimumHeight.value)
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

    def _start_block(self, block: QTextBlockFormat) -> None:
        """Begin a paragraph: in the block at the cursor the first time, in a new one later."""
        if self._quote:
            block.setProperty(QUOTE, self._quote)
            block.setLeftMargin(block.leftMargin() + 16 * self._quote)
        if self._lists and not self._item_waits:
            block.setIndent(len(self._lists))
        elif self._lists and self._lists[-1].bulleted:
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
        elif kind == "softbreak":
            self._insert(" ")
        elif kind == "hardbreak":
            self._insert("\u2028")
        elif kind == "image":
            self._insert(token.content or str(token.attrGet("src") or ""))
        else:
            self._insert(token.content)

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
        font = self._theme.code_font()
        style.setFontFamilies(font.families())
        style.setFontStyleHint(QFont.StyleHint.Monospace)
        style.setProperty(QTextFormat.Property.FontPixelSize.value, font.pixelSize())
        style.setBackground(QColor(self._theme.colors.fill))
        style.setVerticalAlignment(QTextCharFormat.VerticalAlignment.AlignNormal)
        return style


SELECTABLE = (
    Qt.TextInteractionFlag.TextSelectableByMouse
    | Qt.TextInteractionFlag.TextSelectableByKeyboard
    | Qt.TextInteractionFlag.LinksAccessibleByMouse
    | Qt.TextInteractionFlag.LinksAccessibleByKeyboard
)
