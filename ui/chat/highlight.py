"""Colours code a slice at a time, so that no length of it ever stops the window.

Pygments' tokens come from a generator, which is left whenever the slice's time is over. Growing
code is looked at again in rests that grow with what the last look cost.
"""

from __future__ import annotations

import time
from functools import cache
from threading import Thread
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer
from PySide6.QtGui import QColor, QTextCharFormat, QTextLayout

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pygments.lexer import Lexer
    from PySide6.QtGui import QTextDocument

    from ui.theme import Colors, Theme

LONGEST = 60_000
"""Code beyond this many characters stays plain."""

_SLICE_S = 0.004
_REST = 12
_LOOK_MS = 10
_SHORTEST_REST_MS = 120
_Spans = dict[int, list[tuple[int, int, str]]]


def color_of(kind: tuple[str, ...], colors: Colors) -> str:
    """The colour of a Pygments token type, "" for the text's own."""
    name = ".".join(kind)
    table = {
        "Comment": colors.code_comment,
        "Keyword": colors.code_keyword,
        "Operator.Word": colors.code_keyword,
        "Name.Function": colors.code_name,
        "Name.Class": colors.code_name,
        "Name.Decorator": colors.code_name,
        "Name.Tag": colors.code_keyword,
        "Name.Attribute": colors.code_name,
        "Name.Builtin": colors.code_name,
        "Literal.String": colors.code_string,
        "Literal.Number": colors.code_number,
        "Generic.Deleted": colors.code_keyword,
        "Generic.Inserted": colors.code_string,
        "Generic.Heading": colors.code_name,
        "Generic.Subheading": colors.code_name,
    }
    return next((color for start, color in table.items() if name.startswith(start)), "")


@cache
def lexer_for(language: str) -> Lexer | None:
    """Pygments' lexer for what stands behind a fence; None where it is not known.

    The first call for a language imports its module, which takes up to some 100 ms.
    """
    from pygments.lexers import (
        get_lexer_by_name,  # pyright: ignore[reportUnknownVariableType]  its options are untyped
    )
    from pygments.util import ClassNotFound

    try:
        return get_lexer_by_name(language.lower(), stripnl=False, ensurenl=False)
    except ClassNotFound:
        return None


class Highlighter(QObject):
    """Keeps one document coloured while it grows."""

    def __init__(self, theme: Theme, document: QTextDocument, language: str) -> None:
        super().__init__(document)
        self._theme = theme
        self._document = document
        self._language = language
        self._lexer: Lexer | None = None
        self._search: Thread | None = None
        self._run: Iterator[None] | None = None
        self._stale = False
        self._cost_s = 0.0
        self._timer = QTimer(self, singleShot=True)
        self._timer.timeout.connect(self._on_time)

    def refresh(self) -> None:
        """The text changed, or the colours did: look at it again before long."""
        if not self._language:
            return
        self._stale = True
        if not self._timer.isActive():
            rest_ms = max(_SHORTEST_REST_MS, round(self._cost_s * 1000 * _REST))
            self._timer.start(rest_ms if self._cost_s else 0)

    def _on_time(self) -> None:
        if self._lexer is None and not self._find_lexer():
            return
        start = time.perf_counter()
        if self._run is None:
            self._run = self._color()
            self._stale = False
            self._cost_s = 0.0
        ended = self._slice(start + _SLICE_S)
        self._cost_s += time.perf_counter() - start
        if not ended:
            self._timer.start(0)
            return
        self._run = None
        if self._stale:
            self.refresh()

    def _find_lexer(self) -> bool:
        """Whether the lexer is there; it is looked for on a thread of its own."""
        if self._search is None:
            self._search = Thread(target=lexer_for, args=(self._language,), daemon=True)
            self._search.start()
        if self._search.is_alive():
            self._timer.start(_LOOK_MS)
            return False
        self._lexer = lexer_for(self._language)
        if self._lexer is None:
            self._language = ""
        return self._lexer is not None

    def _slice(self, deadline: float) -> bool:
        """Go on until the time is over; whether everything is coloured."""
        assert self._run is not None
        return all(time.perf_counter() <= deadline for _ in self._run)

    def _color(self) -> Iterator[None]:
        """Colour the document, giving way after each token and each line."""
        lexer = self._lexer
        if lexer is None:
            return
        text = self._document.toRawText()[:LONGEST].replace("\u2029", "\n") + "\n"
        spans: _Spans = {}
        line = line_start = 0
        for at, kind, value in lexer.get_tokens_unprocessed(text):
            line_start_of = text.find("\n", line_start, at)
            while line_start_of >= 0:
                line, line_start = line + 1, line_start_of + 1
                line_start_of = text.find("\n", line_start, at)
            color = color_of(tuple(kind), self._theme.colors)
            if color:
                _add(spans, (line, at - line_start), value, color)
            yield
        yield from self._apply(spans)

    def _apply(self, spans: _Spans) -> Iterator[None]:
        """Set the colours of the lines that got others than they have."""
        number = 0
        # By number: between two slices the text may be replaced, and a block of the old one is
        # not to be touched any more.
        while (block := self._document.findBlockByNumber(number)).isValid():
            wanted = [_range(*span) for span in spans.get(number, ())]
            if wanted != block.layout().formats() and block.length() > 1:
                block.layout().setFormats(wanted)
                self._document.markContentsDirty(block.position(), block.length())
            yield
            number += 1


def _add(spans: _Spans, place: tuple[int, int], value: str, color: str) -> None:
    """Note the colour of a token, line by line."""
    line, column = place
    for part in value.split("\n"):
        if part.strip():
            spans.setdefault(line, []).append((column, len(part), color))
        line, column = line + 1, 0


def _range(start: int, length: int, color: str) -> QTextLayout.FormatRange:
    found = QTextLayout.FormatRange()
    found.start = start
    found.length = length
    style = QTextCharFormat()
    style.setForeground(QColor(color))
    found.format = style
    return found
