"""The inspector at the right: what the running engine does, and the last reply token by token."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QFont
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QLabel,
    QScrollArea,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from ui import theme as look
from ui.controls import Surface
from ui.inspector.cache import CacheSection
from ui.inspector.context import ContextSection
from ui.inspector.memory import MemorySection
from ui.inspector.speed import SpeedSection
from ui.segments import Segments
from ui.state import Telemetry

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ui.inspector.tokens import TokensPanel
    from ui.theme import Theme


class Inspector(Surface):
    """Two views: the live figures, and the tokens of a reply."""

    tokens_built = Signal(QWidget)
    """The view of the tokens was made, at its first use: a `TokensPanel` to be connected."""
    exhibit_requested = Signal(int)
    """The number of the exhibit that shows what a section is about."""

    def __init__(self, theme: Theme) -> None:
        super().__init__(theme, "panel")
        self._theme = theme
        self.setMinimumWidth(280)
        self.speed = SpeedSection(theme)
        self.cache = CacheSection(theme)
        self.context = ContextSection(theme)
        self.memory = MemorySection(theme)
        self.views = Segments(
            theme, [self.tr("Live"), self.tr("Tokens")], self.tr("What the inspector shows"), 24
        )
        self._stack = QStackedWidget()
        self._phase = ""
        self._build()
        self.views.chosen.connect(self._on_view_chosen)
        self.speed.links.chosen.connect(self.exhibit_requested)
        self.cache.links.chosen.connect(self.exhibit_requested)
        self.clear()

    def _build(self) -> None:
        head = Surface(self._theme, "panel", underline=True)
        head.setFixedHeight(look.HEADER_HEIGHT)
        title = QLabel(self.tr("Inspector"))
        title.setFont(self._theme.font(look.TEXT, QFont.Weight.Medium))
        row = QHBoxLayout(head)
        row.setContentsMargins(18, 0, 14, 1)
        row.addWidget(title, 1)
        row.addWidget(self.views)
        sections = (self.speed, self.cache, self.context, self.memory)
        self._stack.addWidget(self._scrolled(sections, self.tr("Live figures")))
        outer = QVBoxLayout(self)
        outer.setContentsMargins(0, 0, 0, 0)
        outer.setSpacing(0)
        outer.addWidget(head)
        outer.addWidget(self._stack, 1)

    def _scrolled(self, parts: Sequence[QWidget], name: str) -> QScrollArea:
        body = QWidget()
        column = QVBoxLayout(body)
        column.setContentsMargins(18, 14, 18, 18)
        column.setSpacing(16)
        for part in parts:
            column.addWidget(part)
        column.addStretch(1)
        scroll = QScrollArea()
        scroll.setFrameShape(QFrame.Shape.NoFrame)
        scroll.setWidgetResizable(True)
        scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        scroll.setAccessibleName(name)
        scroll.setWidget(body)
        scroll.viewport().setAutoFillBackground(False)
        body.setAutoFillBackground(False)
        return scroll

    @cached_property
    def tokens(self) -> TokensPanel:
        """The tokens of a reply, made at their first use."""
        from ui.inspector.tokens import TokensPanel

        panel = TokensPanel(self._theme)
        self._stack.addWidget(self._scrolled((panel,), self.tr("Tokens of the reply")))
        panel.links.chosen.connect(self.exhibit_requested)
        self.tokens_built.emit(panel)
        return panel

    def show_tokens(self) -> None:
        """Show the tokens of a reply."""
        self.views.set_current(1)
        self._on_view_chosen(1)

    def clear(self) -> None:
        """Show that nothing is loaded, and forget the plots."""
        self.speed.plot.clear()
        self.cache.plot.clear()
        self._phase = ""
        self._show(Telemetry())

    def set_telemetry(self, now: Telemetry) -> None:
        """Show the figures of this moment, and plot those that are measured now."""
        if now.phase == "decode" and now.decode_tps is not None:
            self.speed.plot.add(now.decode_tps)
        if now.phase in {"prefill", "decode"} or now.phase != self._phase:
            self.cache.plot.add(float(now.kv_used_bytes))
        self._phase = now.phase
        self._show(now)

    def _show(self, now: Telemetry) -> None:
        self.speed.show_figures(now)
        self.cache.show_figures(now)
        self.context.set_spans(now.spans, now.context_limit)
        self.memory.show_figures(now)

    def _on_view_chosen(self, number: int) -> None:
        panel = self.tokens if number == 1 else None
        self._stack.setCurrentIndex(number)
        if panel is not None:
            panel.shown.emit()
