"""The speed section: prefill and decode apart, now and over time, what was reused, what is read."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from PySide6.QtWidgets import QVBoxLayout, QWidget

from ui import figures
from ui.exhibits.links import ExhibitLinks
from ui.inspector.meters import BigNumber, Figure, Heading, Meter
from ui.inspector.sparkline import Sparkline
from ui.state import ReuseView

if TYPE_CHECKING:
    from ui.inspector.reuse import ReuseDetail
    from ui.state import Telemetry
    from ui.theme import Theme


class SpeedSection(QWidget):
    """What the engine does now, and how fast."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self._reuse = ReuseView()
        self.head = Heading(theme, self.tr("Decode"))
        self.decode = BigNumber(theme, self.tr("Decode"), self.tr("tokens/s"))
        self.plot = Sparkline(
            theme, self.tr("Tokens per second over time"), "cache_new", figures.speed
        )
        self.progress = Meter(theme, self.tr("Progress"))
        self.prefill = Figure(theme, self.tr("Prefill"))
        self.first_token = Figure(theme, self.tr("Time to first token"))
        self.read = Figure(theme, self.tr("Read per token"))
        self.reused = Figure(theme, self.tr("Reused"))
        self.links = ExhibitLinks(theme, (9, 11))
        column = self._column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.head)
        column.addSpacing(2)
        column.addWidget(self.decode)
        column.addSpacing(4)
        column.addWidget(self.plot)
        column.addSpacing(6)
        column.addWidget(self.progress)
        column.addSpacing(6)
        for row in (self.prefill, self.first_token, self.read, self.reused, self.links):
            column.addWidget(row)

    @cached_property
    def reuse(self) -> ReuseDetail:
        """Where reuse stopped, made when it first did: no start waits for charts."""
        from ui.inspector.reuse import ReuseDetail

        detail = ReuseDetail(self._theme)
        self._column.addWidget(detail)
        return detail

    def show_figures(self, now: Telemetry) -> None:
        """Show the figures of this moment."""
        self.head.set_value(self._phase_text(now))
        self.decode.set_value(figures.speed(now.decode_tps))
        self.progress.set_fraction(_progress(now))
        unit = "" if now.prefill_tps is None else " " + self.tr("tokens/s")
        self.prefill.set_value(figures.speed(now.prefill_tps) + unit)
        self.first_token.set_value(figures.seconds(now.ttft_s))
        self.read.set_value(self._read_text(now))
        self.read.setToolTip(self._bandwidth_text(now))
        reused = figures.UNKNOWN
        if now.prompt_tokens:
            reused = self.tr("{part} of {whole}").format(
                part=figures.count(now.reused_tokens), whole=figures.count(now.prompt_tokens)
            )
        self.reused.set_value(reused)
        reuse = now.reuse if now.prompt_tokens else ReuseView()
        if reuse != self._reuse:
            self._reuse = reuse
            self.reuse.set_reuse(reuse)

    def _read_text(self, now: Telemetry) -> str:
        """What one token reads, weights and cache, and how much that is in a second."""
        if now.read_weight_bytes is None:
            return figures.UNKNOWN
        read = now.read_weight_bytes + now.kv_used_bytes
        text = figures.size(read)
        if now.decode_tps is not None:
            text += f" · {figures.decimal(read * now.decode_tps / 1e9, 1)} GB/s"
        return text

    def _bandwidth_text(self, now: Telemetry) -> str:
        if now.bandwidth is None:
            return self.tr(
                "Every weight and all of the cache that is seen are read for each token; how fast "
                "memory delivers them bounds the speed. What this machine's memory can do is not "
                "known here."
            )
        least, most = (figures.decimal(bound / 1e9, 0) for bound in now.bandwidth)
        span = least if least == most else f"{least}–{most}"
        return self.tr(
            "Every weight and all of the cache that is seen are read for each token; how fast "
            "memory delivers them bounds the speed. This machine's memory can do {span} GB/s."
        ).format(span=span)

    def _phase_text(self, now: Telemetry) -> str:
        if now.phase == "prefill":
            return self.tr("reading {done} of {total}").format(
                done=figures.count(now.prefill_done), total=figures.count(now.prefill_total)
            )
        return {
            "none": self.tr("no model"),
            "loading": self.tr("loading"),
            "decode": self.tr("writing"),
            "idle": self.tr("idle"),
        }[now.phase]


def _progress(now: Telemetry) -> float | None:
    """How far the prefill or the loading has come, 0 to 1; None in the other phases."""
    if now.phase == "prefill":
        return now.prefill_done / max(now.prefill_total, 1)
    return now.load_progress if now.phase == "loading" else None
