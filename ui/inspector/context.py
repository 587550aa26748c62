"""The map of the context: which tokens are pinned, held, evicted, or were computed just now."""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING

from PySide6.QtCore import QTimer, Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget
from typing_extensions import override

from ui import figures
from ui import theme as look
from ui.controls import ElidedLabel
from ui.inspector.meters import Heading
from ui.state import ContextSpans

if TYPE_CHECKING:
    from PySide6.QtCore import QEvent

    from ui.charts.view import ChartView
    from ui.theme import Theme

_PAUSE_MS, _FEW = 700, 256
"""A map that grew by a few tokens alone is drawn again so much later."""


class ContextSection(QWidget):
    """The map with its heading, and below it the text of the cell under the pointer.

    `asked` wants to know what stands at some tokens, which `show_text` answers; `chosen` wants
    the message of a token to be brought into sight.
    """

    asked = Signal(int, int)
    chosen = Signal(int)

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self._spans = ContextSpans()
        self._limit: int = 0
        self._drawn = 0
        self._asked: tuple[int, int] | None = None
        self._pause = QTimer(self, singleShot=True, interval=_PAUSE_MS)
        self._pause.timeout.connect(self._draw)
        self.head = Heading(theme, self.tr("Context"))
        # Takes its one line at all times, so that nothing below jumps.
        self.text = ElidedLabel(theme.font(look.CAPTION))
        self.text.setFixedHeight(self.text.fontMetrics().lineSpacing() + 2)
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(4)
        self._column.addWidget(self.head)
        self._column.addWidget(self.text)
        self._dress()
        theme.changed.connect(self._dress)

    @cached_property
    def map(self) -> ChartView:
        """The map itself, made when there is something to show: no start waits for charts."""
        from ui.charts.view import ChartView
        from ui.inspector.context_map import context_cells

        view = ChartView(context_cells(self._spans, self._limit), self._theme)
        view.hovered.connect(self._on_hovered)
        view.activated.connect(self._on_activated)
        self._column.insertWidget(1, view)
        return view

    def set_spans(self, spans: ContextSpans, limit: int) -> None:
        """Show the map of this moment; cheap where nothing is different."""
        if (spans, limit) == (self._spans, self._limit):
            return
        grew = replace(spans, length=self._spans.length) == self._spans and limit == self._limit
        self._spans, self._limit = spans, limit
        if not grew or not self._drawn or not 0 < spans.length - self._drawn <= _FEW:
            self._draw()
        elif not self._pause.isActive():
            self._pause.start()

    def _draw(self) -> None:
        """Draw the map, which costs more than all other figures together."""
        from ui.inspector.context_map import context_cells, tokens_per_cell

        self._pause.stop()
        spans, limit = self._spans, self._limit
        self._drawn = spans.length
        block = tokens_per_cell(spans.length)
        each = self.tr("one cell, one token")
        if block > 1:
            each = self.tr("one cell, {count} tokens").format(count=figures.count(block))
        self.head.set_value(each if spans.length else "")
        self.map.set_chart(context_cells(spans, limit))

    def show_text(self, start: int, end: int, speaker: str, text: str) -> None:
        """Show what stands at some tokens, while they are still asked for.

        Args:
            start: The first token.
            end: The one after the last.
            speaker: Whose message it is, in a word.
            text: The tokens' text.
        """
        if self._asked == (start, end):
            shown = " ".join(text.split())
            self.text.set_whole(f"{speaker}: “{shown}”" if speaker else f"“{shown}”")

    def _on_hovered(self, key: str) -> None:
        from ui.inspector.context_map import span_of

        self._asked = span_of(key)
        if self._asked is None:
            self.text.set_whole("")
        else:
            self.asked.emit(*self._asked)

    def _on_activated(self, key: str) -> None:
        from ui.inspector.context_map import span_of

        span = span_of(key)
        if span is not None:
            self._on_hovered(key)
            self.chosen.emit(span[0])

    def _dress(self) -> None:
        self.text.set_color(self._theme.colors.dim)

    @override
    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == event.Type.StyleChange:
            self._dress()
