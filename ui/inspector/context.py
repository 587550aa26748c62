"""The map of the context: which tokens are pinned, held, evicted, or were computed just now."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication, Qt, Signal
from PySide6.QtGui import QColor
from PySide6.QtWidgets import QLabel, QSizePolicy, QVBoxLayout, QWidget
from typing_extensions import override

from ui import figures
from ui import theme as look
from ui.charts.values import Cell, CellMap, Legend, Tone
from ui.charts.view import ChartView
from ui.inspector.meters import Heading
from ui.state import ContextSpans

if TYPE_CHECKING:
    from PySide6.QtCore import QEvent

    from ui.theme import Theme

MOST_CELLS = 240
"""Eight rows of the inspector at its usual width."""


def tokens_per_cell(length: int) -> int:
    """The least power of two with which a sequence fits the map."""
    needed = -(-max(length, 1) // MOST_CELLS)
    return 1 << (needed - 1).bit_length()


def context_cells(spans: ContextSpans, limit: int) -> CellMap:
    """The map of a session's tokens.

    Args:
        spans: Which of them are seen.
        limit: The model's context, in tokens; what is not used of it is drawn empty.
    """
    block = tokens_per_cell(spans.length)
    cells: list[Cell] = []
    for start in range(0, spans.length, block):
        end = min(start + block, spans.length)
        tone = _tone(spans, start, end)
        cells.append(Cell(tone, _tip(tone, start, end), f"{start}:{end}"))
    room = min(max(limit, spans.length), MOST_CELLS * block)
    cells += [Cell("empty")] * (-(-room // block) - len(cells))
    return CellMap(tuple(cells), legend=_legend(spans), summary=_summary(spans))


def span_of(key: str) -> tuple[int, int] | None:
    """The first token of a cell and the one after its last; None where it is no cell."""
    start, colon, end = key.partition(":")
    return (int(start), int(end)) if colon else None


def _tone(spans: ContextSpans, start: int, end: int) -> Tone:
    """A block that is partly something shows what it is at its most recent end."""
    if start < spans.pinned:
        return "pinned"
    if end <= spans.oldest:
        return "evicted"
    if end > spans.turn_start:
        return "new"
    return "held" if spans.kv_bits is None else "quantised"


def _names() -> dict[Tone, str]:
    translate = QCoreApplication.translate
    return {
        "pinned": translate("ContextMap", "pinned"),
        "evicted": translate("ContextMap", "evicted"),
        "held": translate("ContextMap", "held"),
        "quantised": translate("ContextMap", "quantised"),
        "new": translate("ContextMap", "new"),
    }


def _tip(tone: Tone, start: int, end: int) -> str:
    translate = QCoreApplication.translate
    if end - start == 1:
        return translate("ContextMap", "Token {number}, {state}").format(
            number=figures.count(start + 1), state=_names()[tone]
        )
    return translate("ContextMap", "Tokens {first} to {last}, {state}").format(
        first=figures.count(start + 1), last=figures.count(end), state=_names()[tone]
    )


def _legend(spans: ContextSpans) -> tuple[Legend, ...]:
    held: Tone = "held" if spans.kv_bits is None else "quantised"
    shown: list[Tone] = ["pinned", "evicted", held, "new"]
    return tuple(Legend(tone, _names()[tone]) for tone in shown)


def _summary(spans: ContextSpans) -> str:
    evicted = max(spans.oldest - spans.pinned, 0)
    return QCoreApplication.translate(
        "ContextMap", "{length} tokens: {pinned} pinned, {evicted} evicted, {new} new in this turn."
    ).format(
        length=figures.count(spans.length),
        pinned=figures.count(spans.pinned),
        evicted=figures.count(evicted),
        new=figures.count(max(spans.length - max(spans.turn_start, spans.oldest), 0)),
    )


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
        self._limit = 0
        self._asked: tuple[int, int] | None = None
        self.head = Heading(theme, self.tr("Context"))
        self.map = ChartView(context_cells(self._spans, 0), theme)
        self.text = QLabel()
        self.text.setFont(theme.font(look.CAPTION))
        self.text.setTextFormat(Qt.TextFormat.PlainText)
        self.text.setWordWrap(True)
        self.text.setAlignment(Qt.AlignmentFlag.AlignTop | Qt.AlignmentFlag.AlignLeft)
        self.text.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        # Room for three lines at all times, so that nothing below jumps.
        self.text.setFixedHeight(3 * self.text.fontMetrics().lineSpacing() + 2)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(4)
        column.addWidget(self.head)
        column.addWidget(self.map)
        column.addWidget(self.text)
        self._dress()
        self._connect_signals()

    def _connect_signals(self) -> None:
        self.map.hovered.connect(self._on_hovered)
        self.map.activated.connect(self._on_activated)
        self._theme.changed.connect(self._dress)

    def set_spans(self, spans: ContextSpans, limit: int) -> None:
        """Show the map of this moment; cheap where nothing is different."""
        if (spans, limit) == (self._spans, self._limit):
            return
        self._spans, self._limit = spans, limit
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
            self.text.setText(f"{speaker}: “{shown}”" if speaker else f"“{shown}”")

    def _on_hovered(self, key: str) -> None:
        self._asked = span_of(key)
        if self._asked is None:
            self.text.clear()
        else:
            self.asked.emit(*self._asked)

    def _on_activated(self, key: str) -> None:
        span = span_of(key)
        if span is not None:
            self._on_hovered(key)
            self.chosen.emit(span[0])

    def _dress(self) -> None:
        palette = self.text.palette()
        palette.setColor(palette.ColorRole.WindowText, QColor(self._theme.colors.dim))
        self.text.setPalette(palette)

    @override
    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == event.Type.StyleChange:
            self._dress()
