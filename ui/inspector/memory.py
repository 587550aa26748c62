"""The memory section: weights, cache, what MLX and the process take, of what there is."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtWidgets import QVBoxLayout, QWidget

from ui import figures
from ui.inspector.meters import Figure, Heading, Part, StackedBar

if TYPE_CHECKING:
    from ui.inspector.meters import Tone
    from ui.state import Telemetry
    from ui.theme import Theme


class MemorySection(QWidget):
    """Who holds how much."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.head = Heading(theme, self.tr("Memory"))
        self.bar = StackedBar(theme, self.tr("Memory in use"))
        self.weights = Figure(theme, self.tr("Weights"), "cache_pinned")
        self.cache = Figure(theme, self.tr("KV cache"), "cache_held")
        self.other = Figure(theme, self.tr("Other"), "dim")
        self.active = Figure(theme, self.tr("MLX active"))
        self.peak = Figure(theme, self.tr("MLX peak"))
        self.cached = Figure(theme, self.tr("MLX cached"))
        self.process = Figure(theme, self.tr("Whole process"))
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.head)
        column.addSpacing(4)
        column.addWidget(self.bar)
        column.addSpacing(6)
        for row in (self.weights, self.cache, self.other):
            column.addWidget(row)
        column.addSpacing(8)
        for row in (self.active, self.peak, self.cached, self.process):
            column.addWidget(row)

    def show_figures(self, now: Telemetry) -> None:
        """Show the figures of this moment."""
        limit = now.memory_limit_bytes
        self.head.set_value(self.tr("of {size}").format(size=figures.size(limit)) if limit else "")
        held = now.active_bytes + now.cached_bytes
        whole = limit or max(held, now.peak_bytes, 1)
        rest = max(now.active_bytes - now.weights_bytes - now.kv_allocated_bytes, 0)
        shares: tuple[tuple[Figure, int, Tone], ...] = (
            (self.weights, now.weights_bytes, "cache_pinned"),
            (self.cache, now.kv_allocated_bytes, "cache_held"),
            (self.other, rest + now.cached_bytes, "dim"),
        )
        known = now.phase not in {"none", "loading"}
        self.bar.set_parts(
            [
                Part(row.name, figures.size(amount), amount / whole, tone)
                for row, amount, tone in shares
                if known
            ]
        )
        rows = [(row, amount) for row, amount, _ in shares]
        rows += [(self.active, now.active_bytes), (self.peak, now.peak_bytes)]
        rows += [(self.cached, now.cached_bytes), (self.process, now.process_bytes)]
        for row, amount in rows:
            row.set_value(figures.size(amount) if known else figures.UNKNOWN)
