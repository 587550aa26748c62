"""The KV cache section: bytes used, allocated and by formula, and each layer's on demand."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from ui import figures
from ui import theme as look
from ui.controls import QuietButton
from ui.exhibits.links import ExhibitLinks
from ui.inspector.formula import Formula
from ui.inspector.meters import Figure, Heading, Part, StackedBar
from ui.inspector.sparkline import Sparkline

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ui.charts.values import Bars
    from ui.charts.view import ChartView
    from ui.state import LayerView, Telemetry
    from ui.theme import Theme


class CacheSection(QWidget):
    """What the cache of the shown chat takes.

    `layers_asked` wants the bytes of each layer, which `show_layers` takes.
    """

    layers_asked = Signal()

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self.head = Heading(theme, self.tr("KV cache"))
        self.used = Figure(theme, self.tr("Used"))
        self.allocated = Figure(theme, self.tr("Allocated"))
        self.bar = StackedBar(theme, self.tr("Cache used of allocated"))
        self.plot = Sparkline(
            theme,
            self.tr("Cache bytes over time"),
            "cache_held",
            lambda value: figures.size(round(value)),
        )
        self.formula = Formula(theme)
        self.layers_button = QuietButton(theme, self.tr("Layer by layer"), size=look.CAPTION)
        self.layers_button.setCheckable(True)
        self.links = ExhibitLinks(theme, (7, 8, 10))
        column = self._column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.head)
        column.addWidget(self.used)
        column.addWidget(self.allocated)
        column.addSpacing(6)
        column.addWidget(self.bar)
        column.addSpacing(8)
        column.addWidget(self.plot)
        column.addSpacing(8)
        column.addWidget(self.formula)
        column.addSpacing(4)
        column.addWidget(self.links)
        column.addWidget(self.layers_button)
        self.layers_button.toggled.connect(self._on_toggled)

    @cached_property
    def layers(self) -> ChartView:
        """The bytes of each layer, made when they are asked for: no start waits for charts."""
        from ui.charts.values import Bars
        from ui.charts.view import ChartView

        view = ChartView(Bars(()), self._theme)
        view.hide()
        self._column.addWidget(view)
        return view

    def show_figures(self, now: Telemetry) -> None:
        """Show the figures of this moment."""
        known = now.layers > 0
        # How a chat's cache works is decided with its first question.
        self.head.set_value(self._policy_text(now) if known and now.spans.length else "")
        self.used.set_value(figures.size(now.kv_used_bytes) if known else figures.UNKNOWN)
        allocated = figures.size(now.kv_allocated_bytes) if known else figures.UNKNOWN
        self.allocated.set_value(allocated)
        whole = max(now.kv_allocated_bytes, now.kv_used_bytes, 1)
        used = figures.size(now.kv_used_bytes)
        self.bar.set_parts([Part(self.tr("used"), used, now.kv_used_bytes / whole, "cache_held")])
        self.formula.set_telemetry(now)

    def show_layers(self, layers: Sequence[LayerView]) -> None:
        """Show what each layer takes."""
        if self.layers_button.isChecked():
            self.layers.set_chart(self._bars(layers))
            self.layers.show()

    def _on_toggled(self, shown: bool) -> None:  # noqa: FBT001  a Qt slot takes the state alone
        if shown:
            self.layers_asked.emit()
        else:
            self.layers.hide()

    def _bars(self, layers: Sequence[LayerView]) -> Bars:
        from ui.charts.values import Bar, Bars

        bars = tuple(
            Bar(
                str(number),
                layer.used_bytes,
                figures.size(layer.used_bytes),
                tip=self.tr("Layer {number}: {tokens} tokens held, {allocated} allocated").format(
                    number=number,
                    tokens=figures.count(layer.tokens),
                    allocated=figures.size(layer.allocated_bytes),
                ),
            )
            for number, layer in enumerate(layers)
        )
        return Bars(bars, unit="B", maximum=max((bar.value for bar in bars), default=0) or None)

    def _policy_text(self, now: Telemetry) -> str:
        spans = now.spans
        parts = [
            self.tr("growing")
            if spans.window is None
            else self.tr("rotating · window {count}").format(count=figures.count(spans.window))
        ]
        if spans.kv_bits is not None:
            parts.append(self.tr("{bits}-bit").format(bits=spans.kv_bits))
        return " · ".join(parts)
