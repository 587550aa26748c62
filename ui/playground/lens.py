"""Layers: the logit lens, the growth of the residual stream, one block, and the embedding."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from PySide6.QtWidgets import QVBoxLayout, QWidget
from typing_extensions import override

from ui import figures
from ui import theme as look
from ui.charts.values import Cards, Lines, Steps, TokenGrid
from ui.charts.view import ChartView
from ui.controls import QuietButton
from ui.playground.attention_look import LookView, at_most
from ui.playground.attention_values import (
    BlockAsked,
    BlockView,
    CacheView,
    LensAsked,
    LensView,
    NeighboursAsked,
    NeighboursView,
    ShareAsked,
    ShareView,
)
from ui.playground.attention_wrap import Wrap
from ui.playground.lens_charts import (
    block_steps,
    growth_lines,
    lens_grid,
    share_cards,
    share_lines,
)
from ui.playground.neighbours import NeighboursSection
from ui.playground.words import Paragraph
from ui.segments import Segments

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtGui import QResizeEvent

    from ui.charts.values import Chart
    from ui.playground.state import PlayText
    from ui.theme import Theme

_LENS, _GROWTH, _BLOCK, _NEAR = range(4)
_CELL = 64
_LABELS = 70
_FEWEST, _MOST = 3, 14
_AFTER = 2
_CHART_WIDTH, _LIST_WIDTH = 760, 620


class LayersView(LookView):
    """What the layers make of the text.

    It answers to `LensAsked`, `ShareAsked`, `BlockAsked` and `NeighboursAsked` with their views.
    Projecting to the vocabulary is most of a lens's work, so it looks at as many positions as are
    seen side by side, round the chosen one.
    """

    def __init__(self, theme: Theme) -> None:
        super().__init__(theme)
        self._lens: LensView | None = None
        self._share: ShareView | None = None
        self._block: BlockView | None = None
        self._cache = CacheView()
        self._shown: tuple[int, ...] = ()
        self._ids_shown: tuple[int, ...] = ()
        self._token: int | None = None
        self.mode = Segments(
            theme,
            [
                self.tr("Logit lens"),
                self.tr("Residual stream"),
                self.tr("One block"),
                self.tr("Neighbours"),
            ],
            self.tr("What is shown of the layers"),
            24,
        )
        self.earlier = QuietButton(theme, self.tr("‹ Earlier tokens"), size=look.CAPTION)
        self.later = QuietButton(theme, self.tr("Later tokens ›"), size=look.CAPTION)
        self.caption = Paragraph(theme, size=look.CAPTION)
        self.grid = ChartView(TokenGrid((), ()), theme)
        self.growth = ChartView(Lines(()), theme)
        self.share = ChartView(Lines(()), theme)
        self.cards = ChartView(Cards(()), theme)
        self.block = ChartView(Steps(()), theme)
        self.near = NeighboursSection(theme)
        self.words = Paragraph(theme, size=look.CAPTION)
        self._stream = QWidget()
        self._build()
        self._connect_signals()
        self._show_parts()

    def _build(self) -> None:
        stream = QVBoxLayout(self._stream)
        stream.setContentsMargins(0, 0, 0, 0)
        stream.setSpacing(24)
        for chart in (self.growth, self.share, self.cards):
            stream.addWidget(chart)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(12)
        column.addWidget(Wrap((self.mode, self.layer)))
        column.addWidget(self.waiting)
        column.addWidget(self.caption)
        column.addWidget(self.grid)
        for part in (self._stream, self.block):
            column.addLayout(at_most(part, _CHART_WIDTH))
        column.addLayout(at_most(self.near, _LIST_WIDTH))
        column.addWidget(self.words)
        column.addWidget(Wrap((self.earlier, self.later, self.export)))
        column.addStretch(1)

    def _connect_signals(self) -> None:
        self.mode.chosen.connect(self._on_mode)
        self.layer.changed.connect(self._on_layer)
        self.earlier.clicked.connect(self._on_earlier)
        self.later.clicked.connect(self._on_later)
        self.grid.activated.connect(self._on_cell)
        self.near.token_wanted.connect(self._on_token)
        self.near.back_wanted.connect(self._on_back)

    def set_cache(self, cache: CacheView) -> None:
        """Let keys and values go through a cache, a chat's say."""
        self._cache = cache
        self.mark_stale()

    @override
    def show_text(self, text: PlayText, selected: int | None) -> None:
        self._token = None
        super().show_text(text, selected)

    @override
    def refresh(self) -> None:
        if not self.ready():
            return
        steps = (self._refresh_lens, self._refresh_growth, self._refresh_block, self._refresh_near)
        steps[self.mode.current]()
        self._draw()

    @override
    def take(self, answer: object) -> None:
        if isinstance(answer, LensView):
            self._lens = answer
        elif isinstance(answer, ShareView):
            self._share = answer
        elif isinstance(answer, BlockView):
            self._block = answer
        elif isinstance(answer, NeighboursView):
            self.near.show_neighbours(answer, self.part[self.place].token)
        self._draw()

    @override
    def forget(self) -> None:
        self._lens = self._share = self._block = None
        self.near.clear()
        self._show_parts()

    @override
    def charts(self) -> Sequence[Chart]:
        mode = self.mode.current
        if mode == _NEAR:
            return self.near.charts()
        shown = {
            _LENS: (self.grid,) if self._lens else (),
            _GROWTH: (self.growth, self.share, self.cards) if self._share else (),
            _BLOCK: (self.block,) if self._block else (),
        }
        return tuple(view.chart for view in shown[mode])

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if self.mode.current == _LENS and len(self._shown) != self._room():
            self.mark_stale()

    def _room(self) -> int:
        """How many positions are seen side by side."""
        fit = min(max((self.width() - _LABELS) // _CELL, _FEWEST), _MOST)
        return min(fit, len(self.part))

    def _refresh_lens(self) -> None:
        count, room, place = len(self.part), self._room(), self.place
        kept = self._ids_shown == self.ids
        self._ids_shown = self.ids
        if not (kept and place in self._shown and len(self._shown) == room):
            end = min(place + 1 + _AFTER, count)
            start = max(min(end - room, count - room), 0)
            self._shown = tuple(range(start, min(start + room, count)))
        self._want_lens(self._shown)

    def _refresh_growth(self) -> None:
        self._want_lens((self.place,))
        asked = ShareAsked(self.ids, self.place, cache=self._cache)
        if self.answer_to(asked) is None:
            self.ask(asked)

    def _refresh_block(self) -> None:
        asked = BlockAsked(self.ids, self.chosen_layer, self.place, self._cache)
        if self.answer_to(asked) is None:
            self.ask(asked)

    def _refresh_near(self) -> None:
        token = self.part[self.place].token if self._token is None else self._token
        asked = NeighboursAsked(token)
        if self.answer_to(asked) is None:
            self.ask(asked)

    def _want_lens(self, positions: tuple[int, ...]) -> None:
        asked = LensAsked(self.ids, positions, self._cache)
        last, _answer = self.answered(LensAsked) or (None, None)
        if (
            isinstance(last, LensAsked)
            and set(positions) <= set(last.positions)
            and last == replace(asked, positions=last.positions)
        ):
            return
        self.ask(asked)

    def _draw(self) -> None:
        self._show_parts()
        told = " ".join(filter(None, (self.part_sentence(), self._cache_sentence())))
        self.caption.setText(told)
        self.caption.setVisible(bool(told) and self.mode.current != _NEAR)
        mode, lens, place = self.mode.current, self._lens, self.place
        if lens is not None and lens.ids == self.ids:
            if mode == _LENS:
                grid = lens_grid(lens, self.part, place, self.chosen_layer)
                self.grid.set_chart(grid)
            elif mode == _GROWTH and place in lens.positions:
                self.growth.set_chart(growth_lines(lens, self.part, place))
        if mode == _GROWTH and self._share is not None:
            self.share.set_chart(share_lines(self._share))
            self.cards.set_chart(share_cards(self._share))
        if mode == _BLOCK and self._block is not None and self._block.position < len(self.part):
            self.block.set_chart(block_steps(self._block, self.part))
        self.words.setText(self._words())

    def _cache_sentence(self) -> str:
        """What a token may see; "" where that is all before it."""
        if self._cache.window is None:
            return ""
        template = self.tr("A token sees {pinned} pinned and the last {window} tokens.")
        return template.format(
            pinned=figures.count(self._cache.pinned), window=figures.count(self._cache.window)
        )

    def _words(self) -> str:
        lens = self._lens
        if self.mode.current == _LENS and lens is not None:
            return self.tr(
                "The stream after each block goes through the final norm and lm_head as if the "
                "block were the last. Computed with up to {size} of memory."
            ).format(size=figures.size(lens.needed_bytes))
        if self.mode.current == _GROWTH:
            return self.tr(
                "Every block reads the stream, and adds what attention and the feed-forward make "
                "of it. A logit is linear in the stream, so it is a sum of what they added."
            )
        if self.mode.current == _BLOCK:
            return self.tr(
                "RMSNorm, attention, addition, RMSNorm, SwiGLU, addition: the names are those of "
                "the checkpoint. Dark bars are the residual stream, branches what is added to it."
            )
        return ""

    def _show_parts(self) -> None:
        mode = self.mode.current
        lens = self._lens is not None
        growth = lens and self._share is not None
        self.grid.setVisible(mode == _LENS and lens)
        self._stream.setVisible(mode == _GROWTH and growth)
        self.block.setVisible(mode == _BLOCK and self._block is not None)
        self.near.setVisible(mode == _NEAR and self.near.view is not None)
        self.layer.setVisible(mode == _BLOCK)
        longer = mode == _LENS and lens and len(self._shown) < len(self.part)
        for button in (self.earlier, self.later):
            button.setVisible(longer)
        self.earlier.setEnabled(bool(self._shown) and self._shown[0] > 0)
        self.later.setEnabled(bool(self._shown) and self._shown[-1] < len(self.part) - 1)
        self.words.setVisible(bool(self.charts()))
        self.export.setVisible(bool(self.charts()))

    def _on_mode(self, _mode: int) -> None:
        self._show_parts()
        self.mark_stale()

    def _on_layer(self, _layer: float) -> None:
        self.mark_stale()

    def _on_cell(self, key: str) -> None:
        """A cell leads to its token; the block it came after is the one looked at next."""
        layer, _colon, position = key.partition(":")
        self.layer.set_number(max(int(layer), 0))
        self.token_chosen.emit(self.start + int(position))

    def _on_earlier(self) -> None:
        self._move(-len(self._shown))

    def _on_later(self) -> None:
        self._move(len(self._shown))

    def _move(self, by: int) -> None:
        count, room = len(self.part), len(self._shown)
        start = min(max(self._shown[0] + by, 0), count - room)
        self._shown = tuple(range(start, start + room))
        self._want_lens(self._shown)
        self._show_parts()

    def _on_token(self, token: int) -> None:
        self._token = token
        self.mark_stale()

    def _on_back(self) -> None:
        self._token = None
        self.mark_stale()
