"""One prompt under two settings, side by side."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication, Signal
from PySide6.QtWidgets import QBoxLayout, QHBoxLayout, QVBoxLayout, QWidget
from typing_extensions import override

from ui import figures
from ui import theme as look
from ui.charts.export import ExportButton
from ui.charts.values import StripToken, TokenStrip
from ui.charts.view import ChartView
from ui.controls_buttons import ActionButton
from ui.controls_values import Stepper
from ui.counts import Counts
from ui.inspector.meters import Heading
from ui.pieces import visible
from ui.playground.attention_wrap import Wrap
from ui.playground.state import GREEDY, PlaySettings, Side, common_length, logprob
from ui.playground.wishes import CompareWish
from ui.playground.words import Paragraph

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtGui import QResizeEvent

    from ui.charts.values import Chart
    from ui.playground.state import PlayToken
    from ui.theme import Theme

_FEW = 5e-4
_LENGTHS = (8, 12, 16, 24, 32, 48, 64, 96, 128)
_BESIDE = 420


def probability(logprob: float) -> str:
    """A probability that may be very small, as it is written: "38.0 %", "2.1e-7"."""
    value = math.exp(logprob)
    if value >= _FEW:
        return figures.share(value)
    exponent = math.floor(logprob / math.log(10))
    mantissa = 10 ** (logprob / math.log(10) - exponent)
    if round(mantissa, 1) >= 10:
        mantissa, exponent = 1.0, exponent + 1
    return f"{figures.decimal(mantissa, 1)}e{exponent}"


def strip_of(tokens: Sequence[PlayToken]) -> TokenStrip:
    """Tokens coloured by how little the model expected them."""
    return TokenStrip(
        tuple(
            StripToken(
                token.shown,
                token.surprise,
                control=token.control,
                tip=f"{visible(token.shown)} · {figures.share(token.probability or 0.0)}",
            )
            for token in tokens
        ),
        edges=True,
        strength_name=QCoreApplication.translate("Playground", "surprise"),
    )


def words_of(settings: PlaySettings) -> str:
    """Settings in a few words: "temperature 0.8, top-p 0.95, seed 7"; "greedy" for 0."""
    translate = QCoreApplication.translate
    plain, usual = figures.plain, PlaySettings(top_p=1.0)
    temperature = translate("Sampling", "temperature")
    if settings.temperature == 0:
        parts = [translate("Sampling", "greedy")]
    else:
        parts = [f"{temperature} {plain(settings.temperature)}"]
        if settings.top_k:
            parts.append(f"top-k {settings.top_k}")
        if settings.top_p < 1:
            parts.append(f"top-p {plain(settings.top_p)}")
        if settings.min_p:
            parts.append(f"min-p {plain(settings.min_p)}")
    penalties = (
        ("repetition_penalty", translate("Sampling", "repetition penalty")),
        ("frequency_penalty", translate("Sampling", "frequency penalty")),
        ("presence_penalty", translate("Sampling", "presence penalty")),
    )
    for name, words in penalties:
        value: float = getattr(settings, name)
        if value != getattr(usual, name):
            parts.append(f"{words} {plain(value)}")
    if settings.temperature:
        random = translate("Sampling", "random seed")
        seed = translate("Sampling", "seed {seed}").format(seed=settings.seed)
        parts.append(random if settings.seed is None else seed)
    return ", ".join(parts)


def side_strip(side: Side, other: Side | None) -> TokenStrip:
    """One side; the first token that differs from the other side's is marked."""
    parting = None if other is None else common_length(side.tokens, other.tokens)
    chance = probability(logprob(side.tokens))
    count = len(side.tokens)
    whole = strip_of(side.tokens)
    return TokenStrip(
        whole.tokens,
        selected=parting if parting is not None and parting < count else None,
        edges=True,
        strength_name=whole.strength_name,
        title=side.title,
        note=f"{Counts().tokens(count)} · {chance}",
    )


class Comparison(QWidget):
    """Asks for the text under two settings, and shows what came side by side.

    `wanted` carries a `CompareWish`; the right side is what the sampler's controls say now.
    """

    wanted = Signal(object)
    kept = Signal(object)
    """The `PlaySettings` that are to stand at the left from now on."""
    failed = Signal(str)

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._left = GREEDY
        self._right = PlaySettings()
        self._sides: tuple[Side, ...] = ()
        self.head = Heading(theme, self.tr("Two settings"))
        self.words = Paragraph(theme)
        self.length = Stepper(theme, self.tr("Tokens"), _LENGTHS)
        self.length.set_number(24)
        self.compare = ActionButton(theme, self.tr("Compare"))
        self.keep = ActionButton(theme, self.tr("Present settings to the left"))
        self.greedy = ActionButton(theme, self.tr("Greedy to the left"))
        self.strips = (ChartView(TokenStrip(()), theme), ChartView(TokenStrip(()), theme))
        self.export = ExportButton(theme, self.charts)
        self._row = QBoxLayout(QBoxLayout.Direction.LeftToRight)
        self._row.setSpacing(22)
        for strip in self.strips:
            self._row.addWidget(strip, 1)
        foot = QHBoxLayout()
        foot.addStretch(1)
        foot.addWidget(self.export)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(look.GRID)
        column.addWidget(self.head)
        column.addWidget(self.words)
        column.addWidget(Wrap((self.compare, self.length, self.keep, self.greedy), 10))
        column.addLayout(self._row)
        column.addLayout(foot)
        self.compare.clicked.connect(self._on_compare)
        self.keep.clicked.connect(lambda: self._keep(self._right))
        self.greedy.clicked.connect(lambda: self._keep(GREEDY))
        self.export.failed.connect(self.failed)
        self._tell()
        self.show_sides(())

    def charts(self) -> Sequence[Chart]:
        """What Export writes."""
        return tuple(strip.chart for strip, _ in zip(self.strips, self._sides, strict=False))

    def set_settings(self, left: PlaySettings, right: PlaySettings) -> None:
        """Take the settings to compare."""
        self._left, self._right = left, right
        self._tell()

    def set_ready(self, *, ready: bool) -> None:
        """Whether there is a text to go on with."""
        self.compare.setEnabled(ready)

    def set_growing(self, *, growing: bool) -> None:
        """Whether something is being written."""
        self.compare.setVisible(not growing)

    def show_sides(self, sides: Sequence[Side]) -> None:
        """Show what came, as far as it is there."""
        self._sides = tuple(sides)
        for number, strip in enumerate(self.strips):
            there = number < len(self._sides)
            strip.setVisible(there)
            if there:
                other = self._sides[1 - number] if len(self._sides) > 1 else None
                strip.set_chart(side_strip(self._sides[number], other))
        self.export.setVisible(bool(self._sides))

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        beside = self.width() >= _BESIDE
        directions = QBoxLayout.Direction
        self._row.setDirection(directions.LeftToRight if beside else directions.TopToBottom)

    def _keep(self, settings: PlaySettings) -> None:
        self._left = settings
        self._tell()
        self.kept.emit(settings)

    def _on_compare(self) -> None:
        sides = tuple((words_of(each), each) for each in (self._left, self._right))
        self.wanted.emit(CompareWish(sides, int(self.length.number)))

    def _tell(self) -> None:
        self.words.setText(
            self.tr("Left: {left}. Right, as set now: {right}.").format(
                left=words_of(self._left), right=words_of(self._right)
            )
        )
        self.greedy.setVisible(self._left.temperature != 0)
        self.keep.setVisible(self._left != self._right)
