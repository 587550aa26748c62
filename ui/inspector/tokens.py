"""A reply token by token: coloured by how likely each was, with what else could have come."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication, Qt, Signal
from PySide6.QtWidgets import QLabel, QVBoxLayout, QWidget

from ui import figures
from ui import theme as look
from ui.charts.values import Bar, Bars, StripToken, TokenStrip
from ui.charts.view import ChartView
from ui.controls import QuietButton
from ui.exhibits.links import ExhibitLinks
from ui.inspector.meters import Heading, Meter
from ui.segments import Segments

if TYPE_CHECKING:
    from ui.state import TokensView, TokenView
    from ui.theme import Theme

_MOST_BITS = 8.0
"""The entropy with the strongest colour: as undecided as between 256 equal tokens."""


def token_strip(view: TokensView, *, by_entropy: bool, selected: int | None) -> TokenStrip:
    """The reply's tokens, the stronger the less the model expected them.

    Args:
        view: The reply.
        by_entropy: Whether the colour says how undecided the model was, instead.
        selected: The token whose alternatives are shown.
    """
    tokens = tuple(
        StripToken(
            token.text,
            min(token.entropy / _MOST_BITS, 1.0) if by_entropy else 1.0 - token.probability,
            control=token.control,
            tip=_tip(token),
            key=str(number),
        )
        for number, token in enumerate(view.tokens)
    )
    name = "entropy" if by_entropy else "surprise"
    return TokenStrip(tokens, selected=selected, edges=True, strength_name=name)


def alternative_bars(token: TokenView) -> Bars:
    """What could have come in the place of a token; what the sampler removed is faded."""
    translate = QCoreApplication.translate
    bars = tuple(
        Bar(
            visible(each.text),
            each.probability,
            figures.share(each.probability),
            "new" if each.token == token.token else "held",
            faded=each.drawn == 0,
            tip=translate(
                "Tokens", "{share} by the model, {drawn} after the sampler's steps"
            ).format(share=figures.share(each.probability), drawn=figures.share(each.drawn))
            if each.drawn
            else translate("Tokens", "{share} by the model, removed by the sampler").format(
                share=figures.share(each.probability)
            ),
            key=str(each.token),
        )
        for each in token.alternatives
    )
    return Bars(bars, code=True, selected=str(token.token))


def visible(text: str) -> str:
    """A token's text with its spaces and line ends to be seen."""
    return text.replace(" ", "␣").replace("\n", "⏎").replace("\t", "⇥") or "∅"


def _tip(token: TokenView) -> str:
    return QCoreApplication.translate(
        "Tokens", "{text} · {share} · rank {rank} · entropy {bits} bits"
    ).format(
        text=visible(token.text),
        share=figures.share(token.probability),
        rank=figures.count(token.rank),
        bits=figures.decimal(token.entropy, 2),
    )


class TokensPanel(QWidget):
    """The view itself.

    `shown` and `wanted` ask for the tokens of the reply, which `show_tokens`, `show_progress` and
    `show_sentence` answer; `chosen` wants the reply to go on from another token at a place.
    """

    shown = Signal()
    wanted = Signal()
    cancelled = Signal()
    chosen = Signal(object, int, int)
    """The reply (`TokensView`), the number of a token in it, and the token to take instead."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._view: TokensView | None = None
        self._selected = 0
        self.head = Heading(theme, self.tr("Tokens of the reply"))
        self.colour = Segments(
            theme, [self.tr("Probability"), self.tr("Entropy")], self.tr("What colours say"), 22
        )
        self.strip = ChartView(TokenStrip(()), theme)
        self.token_head = Heading(theme, self.tr("Alternatives"))
        self.bars = ChartView(Bars(()), theme)
        self.sentence = QLabel()
        self.sentence.setFont(theme.font(look.CAPTION))
        self.sentence.setTextFormat(Qt.TextFormat.PlainText)
        self.sentence.setWordWrap(True)
        self.progress = Meter(theme, self.tr("Progress"))
        self.button = QuietButton(theme, self.tr("Look again"))
        self.stop = QuietButton(theme, self.tr("Cancel"))
        self.links = ExhibitLinks(theme, (12,))
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(8)
        left = Qt.AlignmentFlag.AlignLeft
        column.addWidget(self.head)
        column.addWidget(self.colour, 0, left)
        column.addWidget(self.strip)
        column.addWidget(self.progress)
        column.addWidget(self.sentence)
        column.addWidget(self.stop, 0, left)
        column.addWidget(self.button, 0, left)
        column.addWidget(self.token_head)
        column.addWidget(self.bars)
        column.addWidget(self.links)
        self._show_parts()
        self._connect_signals()
        self.show_sentence("")

    def _connect_signals(self) -> None:
        self.colour.chosen.connect(self._draw)
        self.strip.hovered.connect(self._on_hovered)
        self.strip.activated.connect(self._on_selected)
        self.bars.activated.connect(self._on_alternative)
        self.button.clicked.connect(self.wanted)
        self.stop.clicked.connect(self.cancelled)

    @property
    def view(self) -> TokensView | None:
        """The reply that is shown."""
        return self._view

    def show_tokens(self, view: TokensView) -> None:
        """Show a reply."""
        same = self._view is not None and self._view.message_id == view.message_id
        self._view = view
        self._selected = min(self._selected, len(view.tokens) - 1) if same else 0
        self.head.set_value(view.model)
        self.progress.set_fraction(None)
        self.sentence.setText(
            self.tr("Mean NLL {nll} per token. Press an alternative to go on from it.").format(
                nll=figures.decimal(view.mean_nll, 3)
            )
        )
        self._draw()
        self._show_parts()

    def show_progress(self, share: float) -> None:
        """Show how far the computation is, 0 to 1."""
        self.progress.set_fraction(share)
        self.sentence.setText(self.tr("Reading the reply once more…"))
        self._show_parts(running=True)

    def show_sentence(self, sentence: str) -> None:
        """Show why there are no tokens; "" says how to get some."""
        self._view = None
        self.head.set_value("")
        self.progress.set_fraction(None)
        self.sentence.setText(
            sentence or self.tr("Ask something: the tokens of the reply are shown here.")
        )
        self._show_parts()

    def _show_parts(self, *, running: bool = False) -> None:
        there = self._view is not None and not running
        for part in (self.colour, self.strip, self.token_head, self.bars):
            part.setVisible(there)
        self.progress.setVisible(running)
        self.stop.setVisible(running)
        self.button.setVisible(not running)

    def _draw(self) -> None:
        if self._view is None:
            return
        by_entropy = self.colour.current == 1
        self.strip.set_chart(
            token_strip(self._view, by_entropy=by_entropy, selected=self._selected)
        )
        self._show_alternatives(self._selected)

    def _show_alternatives(self, number: int) -> None:
        if self._view is None or not 0 <= number < len(self._view.tokens):
            return
        token = self._view.tokens[number]
        self.token_head.set_value(
            self.tr("instead of {text}").format(text=visible(token.text)[:20])
        )
        self.bars.set_chart(alternative_bars(token))

    def _on_hovered(self, key: str) -> None:
        self._show_alternatives(int(key) if key else self._selected)

    def _on_selected(self, key: str) -> None:
        self._selected = int(key)
        self._draw()

    def _on_alternative(self, key: str) -> None:
        if self._view is None:
            return
        token = self._view.tokens[self._selected]
        if int(key) != token.token:
            self.chosen.emit(self._view, self._selected, int(key))
