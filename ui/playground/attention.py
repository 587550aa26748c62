"""Attention: a layer's heat map, all its heads, and one token's walk through one of them."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QBoxLayout, QVBoxLayout, QWidget
from typing_extensions import override

from ui import figures
from ui import theme as look
from ui.charts.values import Bars, HeatMap
from ui.charts.view import ChartView
from ui.controls_values import Stepper
from ui.playground.attention_cache import CacheChoice
from ui.playground.attention_charts import (
    at_cell,
    head_name,
    heat_map,
    key_words,
    looks_at,
    row_bars,
    scale_words,
)
from ui.playground.attention_heads import HeadGrid
from ui.playground.attention_look import LookView, at_most
from ui.playground.attention_values import (
    AttentionAsked,
    CacheView,
    LayerAttention,
    ModelShape,
    WalkAsked,
    WalkView,
)
from ui.playground.attention_wrap import Wrap
from ui.playground.state import Shade
from ui.playground.walk import WalkSection
from ui.playground.words import Paragraph
from ui.segments import Segments

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtGui import QHideEvent, QResizeEvent

    from ui.charts.values import Chart
    from ui.theme import Theme

_MEAN = -1
_MAP, _HEADS, _WALK = range(3)
_WIDE = 860
_MAP_WIDTH, _WALK_WIDTH = 620, 760


class AttentionView(LookView):
    """What every token looks at.

    It answers to `AttentionAsked` with `LayerAttention`, to `WalkAsked` with `WalkView`. The large
    text is shaded by what the chosen token attends to.
    """

    def __init__(self, theme: Theme) -> None:
        super().__init__(theme)
        self._found: LayerAttention | None = None
        self._hovered = ""
        self.mode = Segments(
            theme,
            [self.tr("Map"), self.tr("All heads"), self.tr("Step by step")],
            self.tr("How attention is shown"),
            24,
        )
        self.head = Stepper(theme, self.tr("Head"), (_MEAN, 0), self._write_head)
        self.cache = CacheChoice(theme, self)
        self.caption = Paragraph(theme, size=look.CAPTION)
        self.map = ChartView(HeatMap(b"", 0, 0), theme)
        self.bars = ChartView(Bars(()), theme)
        self.heads = HeadGrid(theme)
        self.walk = WalkSection(theme)
        self.words = Paragraph(theme, size=look.CAPTION)
        self._pair = QWidget()
        self._pair_row = QBoxLayout(QBoxLayout.Direction.TopToBottom, self._pair)
        self._build()
        self._connect_signals()
        self._show_parts()

    def _build(self) -> None:
        self._pair_row.setContentsMargins(0, 0, 0, 0)
        self._pair_row.setSpacing(24)
        left = QVBoxLayout()
        left.setSpacing(10)
        left.addLayout(at_most(self.map, _MAP_WIDTH))
        left.addWidget(self.words)
        left.addStretch(1)
        right = QVBoxLayout()
        right.addWidget(self.bars)
        right.addStretch(1)
        self._pair_row.addLayout(left, 3)
        self._pair_row.addLayout(right, 2)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(12)
        column.addWidget(Wrap((self.mode, self.layer, self.head, *self.cache.parts), 12))
        column.addWidget(self.waiting)
        column.addWidget(self.caption)
        column.addWidget(self._pair)
        column.addWidget(self.heads)
        column.addLayout(at_most(self.walk, _WALK_WIDTH))
        column.addWidget(self.export, 0, Qt.AlignmentFlag.AlignLeft)
        column.addStretch(1)

    def _connect_signals(self) -> None:
        self.mode.chosen.connect(self._on_mode)
        self.layer.changed.connect(self._on_choice)
        self.head.changed.connect(self._on_choice)
        self.cache.changed.connect(self._on_choice)
        self.map.activated.connect(self._on_cell)
        self.map.hovered.connect(self._on_hovered)
        self.bars.activated.connect(self._on_bar)
        self.heads.chosen.connect(self._on_head)
        self.walk.key_chosen.connect(self._on_key)

    @property
    def chosen_head(self) -> int | None:
        """The head that is looked at; None for the mean of all."""
        head = round(self.head.number)
        return None if head == _MEAN else head

    def set_cache(self, cache: CacheView) -> None:
        """Let keys and values go through a cache, a chat's say."""
        self.cache.set_cache(cache)
        self.mark_stale()

    @override
    def refresh(self) -> None:
        if not self.ready():
            return
        if self.mode.current == _WALK:
            asked = self._walk_asked()
            if self.answer_to(asked) is not None:
                self._draw()
            else:
                self.ask(asked)
            return
        asked = self._attention_asked()
        if self._shows(asked):
            self._draw()
        else:
            self.ask(asked)

    @override
    def take_shape(self, shape: ModelShape) -> None:
        super().take_shape(shape)
        if not shape.refusal:
            self._offer_heads()

    @override
    def take(self, answer: object) -> None:
        if isinstance(answer, LayerAttention):
            self._found = answer
        elif isinstance(answer, WalkView):
            self.walk.show_walk(answer, self.part)
        self._draw()

    @override
    def forget(self) -> None:
        self._found = None
        self.walk.clear()
        self._show_parts()
        self.shaded.emit(None)

    @override
    def on_agreed(self) -> None:
        self.ask(replace(self._attention_asked(), confirmed=True))

    @override
    def charts(self) -> Sequence[Chart]:
        if self.mode.current == _WALK:
            return self.walk.charts()
        found = self._found
        if found is None:
            return ()
        title = self.tr("Attention")
        heads = found.heads if self.mode.current == _HEADS else (self.chosen_head,)
        maps = [
            heat_map(found, head, self.part, self.place, title=title, note=self._note(head))
            for head in heads
        ]
        return (*maps, row_bars(found, self.chosen_head, self.part, self.place, self.start))

    @override
    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self.shaded.emit(None)
        self.mark_stale()

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        side_by_side = self.width() >= _WIDE
        self._pair_row.setDirection(
            QBoxLayout.Direction.LeftToRight if side_by_side else QBoxLayout.Direction.TopToBottom
        )

    def _attention_asked(self) -> AttentionAsked:
        return AttentionAsked(
            self.ids,
            self.chosen_layer,
            self.chosen_head,
            every=self.mode.current == _HEADS,
            cache=self.cache.cache,
        )

    def _walk_asked(self) -> WalkAsked:
        head = self.chosen_head or 0
        return WalkAsked(self.ids, self.chosen_layer, head, self.place, self.cache.cache)

    def _shows(self, asked: AttentionAsked) -> bool:
        """Whether what is shown is what is asked for."""
        return self._found is not None and self._found.answers(asked)

    def _draw(self) -> None:
        self._show_parts()
        if self.mode.current == _WALK:
            self.caption.setText(self.part_sentence())
            self.caption.setVisible(bool(self.part_sentence()))
            weights = self.walk.weights(len(self.part))
            self._shade(weights, max(weights[1:], default=0.0) or 1.0)
            return
        found, head = self._found, self.chosen_head
        if found is None or found.of(head) is None or len(found.ids) != len(self.part):
            return
        self._tell_caption()
        self._shade(found.row(head, self.place), found.high(head))
        if self.mode.current == _MAP:
            self.map.set_chart(heat_map(found, head, self.part, self.place))
            self.bars.set_chart(row_bars(found, head, self.part, self.place, self.start))
            self.words.setText(self._words(found))
        else:
            self.heads.show_heads(found, head, self.part, self.place)

    def _words(self, found: LayerAttention) -> str:
        taken = self.tr("Computed with up to {size} of memory.").format(
            size=figures.size(found.needed_bytes)
        )
        mask = self.tr(
            "Each row is one token; it may look left, never right. The empty triangle is the "
            "causal mask."
        )
        scale = scale_words(found, self.chosen_head)
        return " ".join(filter(None, (mask, scale, key_words(found.seen), taken)))

    def _note(self, head: int | None) -> str:
        found = self._found
        if found is None:
            return ""
        told = looks_at(self.part, found.row(head, self.place), self.place)
        return f"{head_name(found.layer, head)} · {told}"

    def _tell_caption(self) -> None:
        found, head = self._found, self.chosen_head
        if found is None:
            return
        note = self._note(head)
        row, _colon, column = self._hovered.partition(":")
        if column and max(int(row), int(column)) < len(self.part):
            told = at_cell(self.part, found.row(head, int(row)), int(row), int(column))
            note = f"{head_name(found.layer, head)} · {told}"
        self.caption.setText(" · ".join(filter(None, (note, self.part_sentence()))))

    def _shade(self, weights: Sequence[float], high: float) -> None:
        """Colour the large text by weights, as strongly as the map does."""
        head = self.chosen_head
        if self.mode.current == _WALK:
            head = head or 0
        strengths = (*(0.0,) * self.start, *(min(weight / high, 1.0) for weight in weights))
        note = head_name(self.chosen_layer, head)
        self.shaded.emit(Shade(strengths, self.tr("attention"), note))

    def _show_parts(self) -> None:
        there = self._found is not None
        mode = self.mode.current
        self.caption.setVisible(there and mode != _WALK)
        self._pair.setVisible(there and mode == _MAP)
        self.heads.setVisible(there and mode == _HEADS)
        self.walk.setVisible(mode == _WALK and self.walk.is_there)
        self.export.setVisible(self.walk.is_there if mode == _WALK else there)

    def _offer_heads(self) -> None:
        """The mean is there for the map, not for a walk through one head."""
        if self.shape is None:
            return
        first = 0 if self.mode.current == _WALK else _MEAN
        self.head.set_values(range(first, self.shape.heads))

    def _write_head(self, number: float) -> str:
        return self.tr("mean") if round(number) == _MEAN else figures.whole(number)

    def _on_mode(self, _mode: int) -> None:
        self._offer_heads()
        self._show_parts()
        self.mark_stale()

    def _on_choice(self, _value: object) -> None:
        self.mark_stale()

    def _on_cell(self, key: str) -> None:
        self.token_chosen.emit(self.start + int(key.partition(":")[0]))

    def _on_hovered(self, key: str) -> None:
        self._hovered = key
        self._tell_caption()

    def _on_bar(self, key: str) -> None:
        self.token_chosen.emit(int(key))

    def _on_key(self, place: int) -> None:
        self.token_chosen.emit(self.start + place)

    def _on_head(self, head: int) -> None:
        self.head.set_number(head)
