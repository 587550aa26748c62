"""The inspector at the right: speed, context, KV cache and memory of the running engine."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QRect, QSize, Qt
from PySide6.QtGui import QColor, QFont, QPainter
from PySide6.QtWidgets import QFrame, QLabel, QScrollArea, QSizePolicy, QVBoxLayout, QWidget
from typing_extensions import override

from ui import figures
from ui import theme as look
from ui.controls import Surface
from ui.inspector.meters import BigNumber, Figure, Heading, Meter, Part, StackedBar
from ui.inspector.sparkline import Sparkline
from ui.state import Telemetry

if TYPE_CHECKING:
    from PySide6.QtGui import QPaintEvent

    from ui.inspector.meters import Tone
    from ui.theme import Theme


_INSET = 10


class Formula(QWidget):
    """The KV cache by formula, with the model's own numbers, and whether it agrees."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self._formula = ""
        self._agrees = False
        self.setFont(theme.code_font(look.CAPTION))
        policy = QSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)
        theme.changed.connect(self.update)

    @property
    def text(self) -> str:
        """The formula on one line, with a tick where it equals what is used."""
        return self._formula.replace("\u00a0", " ") + (" ✓" if self._agrees else "")

    def set_telemetry(self, now: Telemetry) -> None:
        """Write the formula for the figures of this moment."""
        formula = ""
        if now.layers and now.kv_heads:
            template = self.tr(
                "2 × {layers} layers × {heads} KV heads × {dim}"
                " × {tokens} tokens × {width} B = {total}"
            )
            formula = template.format(
                layers=now.layers,
                heads=now.kv_heads,
                dim=now.head_dim,
                tokens=figures.count(_formula_tokens(now)),
                width=figures.plain(now.bytes_per_value),
                total=figures.size(now.kv_formula_bytes),
            )
        agrees = bool(formula and now.kv_used_bytes) and now.kv_used_bytes == now.kv_formula_bytes
        if (_unbroken(formula), agrees) != (self._formula, self._agrees):
            self._formula, self._agrees = _unbroken(formula), agrees
            self.setAccessibleName(self.tr("Formula") + ": " + self.text)
            if self.heightForWidth(self.width()) != self.height():
                self.updateGeometry()
            self.update()

    @override
    def heightForWidth(self, width: int) -> int:
        room = QRect(0, 0, max(width - 2 * _INSET, 1), 1000)
        text = self._formula or " \n "  # as high as it is going to be, so that nothing moves
        lines = self.fontMetrics().boundingRect(room, Qt.TextFlag.TextWordWrap.value, text)
        return lines.height() + 2 * _INSET

    @override
    def sizeHint(self) -> QSize:
        return QSize(160, self.heightForWidth(look.INSPECTOR_WIDTH - 36))

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        if not self._formula:
            return
        colors = self._theme.colors
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(colors.fill))
        painter.drawRoundedRect(self.rect(), look.BUTTON_RADIUS, look.BUTTON_RADIUS)
        painter.setPen(QColor(colors.dim))
        area = self.rect().adjusted(_INSET, _INSET, -_INSET, -_INSET)
        painter.drawText(area, Qt.TextFlag.TextWordWrap.value, self._formula)
        if self._agrees:
            painter.setPen(QColor(colors.good))
            corner = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignBottom
            painter.drawText(area, corner, "✓")


class Inspector(Surface):
    """All sections, and the one call that brings new figures into them."""

    def __init__(self, theme: Theme) -> None:
        super().__init__(theme, "panel")
        self._theme = theme
        self.setMinimumWidth(280)
        self.speed_head = Heading(theme, self.tr("Decode"))
        self.speed = BigNumber(theme, self.tr("Decode"), self.tr("tokens/s"))
        self.speed_plot = Sparkline(
            theme, self.tr("Tokens per second over time"), "cache_new", figures.speed
        )
        self.progress = Meter(theme, self.tr("Progress"))
        self.prefill = Figure(theme, self.tr("Prefill"))
        self.first_token = Figure(theme, self.tr("Time to first token"))
        self.reused = Figure(theme, self.tr("Reused"))
        self.context_head = Heading(theme, self.tr("Context"))
        self.context = Figure(theme, self.tr("Tokens"))
        self.context_bar = Meter(theme, self.tr("Context in use"), "cache_held")
        self.cache_head = Heading(theme, self.tr("KV cache"))
        self.used = Figure(theme, self.tr("Used"))
        self.allocated = Figure(theme, self.tr("Allocated"))
        self.cache_bar = StackedBar(theme, self.tr("Cache used of allocated"))
        self.cache_plot = Sparkline(
            theme,
            self.tr("Cache bytes over time"),
            "cache_held",
            lambda value: figures.size(round(value)),
        )
        self.formula = Formula(theme)
        self.memory_head = Heading(theme, self.tr("Memory"))
        self.memory_bar = StackedBar(theme, self.tr("Memory in use"))
        self.weights = Figure(theme, self.tr("Weights"), "cache_pinned")
        self.cache_memory = Figure(theme, self.tr("KV cache"), "cache_held")
        self.other = Figure(theme, self.tr("Other"), "dim")
        self.active = Figure(theme, self.tr("MLX active"))
        self.peak = Figure(theme, self.tr("MLX peak"))
        self.cached = Figure(theme, self.tr("MLX cached"))
        self._phase = ""
        self._build()
        self.clear()

    def _build(self) -> None:
        head = Surface(self._theme, "panel", underline=True)
        head.setFixedHeight(look.HEADER_HEIGHT)
        title = QLabel(self.tr("Inspector"), head)
        title.setFont(self._theme.font(look.TEXT, QFont.Weight.Medium))
        title.setGeometry(18, 0, 200, look.HEADER_HEIGHT - 1)
        body = QWidget()
        column = QVBoxLayout(body)
        column.setContentsMargins(18, 14, 18, 18)
        column.setSpacing(0)
        sections: tuple[tuple[QWidget | int, ...], ...] = (
            (self.speed_head, 2, self.speed, 4, self.speed_plot, 6, self.progress, 6),
            (self.prefill, self.first_token, self.reused, 14),
            (self.context_head, self.context, 6, self.context_bar, 16),
            (self.cache_head, self.used, self.allocated, 6, self.cache_bar, 8),
            (self.cache_plot, 8, self.formula, 14),
            (
                self.memory_head,
                4,
                self.memory_bar,
                6,
                self.weights,
                self.cache_memory,
                self.other,
                8,
            ),
            (self.active, self.peak, self.cached),
        )
        for entry in (entry for section in sections for entry in section):
            if isinstance(entry, int):
                column.addSpacing(entry)
            else:
                column.addWidget(entry)
        column.addStretch(1)
        scroll = QScrollArea()
        scroll.setFrameShape(QFrame.Shape.NoFrame)
        scroll.setWidgetResizable(True)
        scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        scroll.setAccessibleName(self.tr("Inspector"))
        scroll.setWidget(body)
        scroll.viewport().setAutoFillBackground(False)
        body.setAutoFillBackground(False)
        outer = QVBoxLayout(self)
        outer.setContentsMargins(0, 0, 0, 0)
        outer.setSpacing(0)
        outer.addWidget(head)
        outer.addWidget(scroll, 1)

    def clear(self) -> None:
        """Show that nothing is loaded, and forget the plots."""
        self.speed_plot.clear()
        self.cache_plot.clear()
        self._phase = ""
        self._show(Telemetry())

    def set_telemetry(self, now: Telemetry) -> None:
        """Show the figures of this moment, and plot those that are measured now."""
        if now.phase == "decode" and now.decode_tps is not None:
            self.speed_plot.add(now.decode_tps)
        if now.phase in {"prefill", "decode"} or now.phase != self._phase:
            self.cache_plot.add(float(now.kv_used_bytes))
        self._phase = now.phase
        self._show(now)

    def _show(self, now: Telemetry) -> None:
        self._show_speed(now)
        self._show_cache(now)
        self._show_memory(now)

    def _show_speed(self, now: Telemetry) -> None:
        self.speed_head.set_value(self._phase_text(now))
        self.speed.set_value(figures.speed(now.decode_tps))
        self.progress.set_fraction(_progress(now))
        prefill = figures.speed(now.prefill_tps)
        unit = "" if now.prefill_tps is None else " " + self.tr("tokens/s")
        self.prefill.set_value(prefill + unit)
        self.first_token.set_value(figures.seconds(now.ttft_s))
        reused = figures.UNKNOWN
        if now.prompt_tokens:
            reused = self._of(now.reused_tokens, now.prompt_tokens)
        self.reused.set_value(reused)
        context = figures.UNKNOWN
        if now.context_limit:
            context = self._of(now.context_tokens, now.context_limit)
        self.context.set_value(context)
        self.context_bar.set_fraction(now.context_tokens / max(now.context_limit, 1))

    def _show_cache(self, now: Telemetry) -> None:
        known = now.layers > 0
        self.used.set_value(figures.size(now.kv_used_bytes) if known else figures.UNKNOWN)
        allocated = figures.size(now.kv_allocated_bytes) if known else figures.UNKNOWN
        self.allocated.set_value(allocated)
        whole = max(now.kv_allocated_bytes, now.kv_used_bytes, 1)
        used = figures.size(now.kv_used_bytes)
        self.cache_bar.set_parts(
            [Part(self.tr("used"), used, now.kv_used_bytes / whole, "cache_held")]
        )
        self.formula.set_telemetry(now)

    def _show_memory(self, now: Telemetry) -> None:
        limit = now.memory_limit_bytes
        note = self.tr("of {size}").format(size=figures.size(limit)) if limit else ""
        self.memory_head.set_value(note)
        held = now.active_bytes + now.cached_bytes
        whole = limit or max(held, now.peak_bytes, 1)
        rest = max(now.active_bytes - now.weights_bytes - now.kv_allocated_bytes, 0)
        rows: tuple[tuple[Figure, int, Tone], ...] = (
            (self.weights, now.weights_bytes, "cache_pinned"),
            (self.cache_memory, now.kv_allocated_bytes, "cache_held"),
            (self.other, rest + now.cached_bytes, "dim"),
        )
        known = now.phase not in {"none", "loading"}
        self.memory_bar.set_parts(
            [
                Part(row.name, figures.size(amount), amount / whole, tone)
                for row, amount, tone in rows
                if known
            ]
        )
        figure_rows = [(row, amount) for row, amount, _ in rows]
        figure_rows += [(self.active, now.active_bytes), (self.peak, now.peak_bytes)]
        for row, amount in (*figure_rows, (self.cached, now.cached_bytes)):
            row.set_value(figures.size(amount) if known else figures.UNKNOWN)

    def _of(self, part: int, whole: int) -> str:
        return self.tr("{part} of {whole}").format(
            part=figures.count(part), whole=figures.count(whole)
        )

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


def _formula_tokens(now: Telemetry) -> int:
    """The tokens that the formula's total stands for."""
    per_token = 2 * now.layers * now.kv_heads * now.head_dim * now.bytes_per_value
    return round(now.kv_formula_bytes / per_token) if per_token else 0


def _unbroken(formula: str) -> str:
    """The formula breaking only before its signs, never within a factor."""
    kept = formula.replace(" ", "\u00a0")
    for sign in ("×", "="):
        kept = kept.replace(f"\u00a0{sign}", f" {sign}")
    return kept
