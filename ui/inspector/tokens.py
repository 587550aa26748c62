"""A reply token by token: coloured by how likely each was, with what else could have come."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication, Qt, Signal
from PySide6.QtWidgets import QFrame, QLabel, QScrollArea, QVBoxLayout, QWidget
from typing_extensions import override

from ui import figures
from ui import theme as look
from ui.charts.values import Bar, Bars, StripToken, TokenStrip
from ui.charts.view import ChartView
from ui.controls import QuietButton
from ui.exhibits.links import ExhibitLinks
from ui.inspector.meters import Heading, Meter
from ui.pieces import CONTINUED, visible
from ui.segments import Segments
from ui.state import AlternativeView

if TYPE_CHECKING:
    from PySide6.QtGui import QHideEvent, QResizeEvent, QShowEvent

    from ui.state import TokensView, TokenView
    from ui.theme import Theme

_MOST_HEIGHT = 288
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
            token.text or CONTINUED,
            _strength(token, by_entropy=by_entropy),
            control=token.control,
            tip=_tip(token),
            key=str(number),
        )
        for number, token in enumerate(view.tokens)
    )
    translate = QCoreApplication.translate
    entropy, surprise = translate("Tokens", "entropy"), translate("Tokens", "surprise")
    name = entropy if by_entropy else surprise
    return TokenStrip(tokens, selected=selected, edges=True, strength_name=name)


def _strength(token: TokenView, *, by_entropy: bool) -> float:
    if by_entropy and token.entropy is not None:
        return min(token.entropy / _MOST_BITS, 1.0)
    return 1.0 - token.probability


def alternative_bars(token: TokenView) -> Bars:
    """What could have come in the place of a token; what the sampler removed is faded.

    A token that came in spite of all of these is the last bar.
    """
    each = token.alternatives
    if all(one.token != token.token for one in each):
        each = (
            *each,
            AlternativeView(token.token, token.text or CONTINUED, token.probability, None),
        )
    bars = tuple(_bar(one, came=one.token == token.token) for one in each)
    return Bars(bars, code=True, selected=str(token.token))


def _bar(each: AlternativeView, *, came: bool) -> Bar:
    share = figures.share(each.probability)
    return Bar(
        visible(each.text),
        each.probability,
        share,
        "new" if came else "held",
        faded=each.drawn == 0 and not came,
        tip=_drawn(each),
        key=str(each.token),
    )


def _drawn(each: AlternativeView) -> str:
    """What hovering an alternative tells: how likely it was, and what the sampler left of it."""
    translate, share = QCoreApplication.translate, figures.share(each.probability)
    if each.drawn is None:
        return translate("Tokens", "{share} by the model").format(share=share)
    if not each.drawn:
        return translate("Tokens", "{share} by the model, removed by the sampler").format(
            share=share
        )
    return translate("Tokens", "{share} by the model, {drawn} after the sampler's steps").format(
        share=share, drawn=figures.share(each.drawn)
    )


def _tip(token: TokenView) -> str:
    translate = QCoreApplication.translate
    parts = [visible(token.text or CONTINUED), figures.share(token.probability)]
    if token.rank is not None:
        parts.append(translate("Tokens", "rank {rank}").format(rank=figures.count(token.rank)))
    if token.entropy is not None:
        bits = figures.decimal(token.entropy, 2)
        parts.append(translate("Tokens", "entropy {bits} bits").format(bits=bits))
    return " · ".join(parts)


class TokensPanel(QWidget):
    """The view itself.

    `shown` and `wanted` ask for the tokens of the reply, which `show_tokens`, `show_progress`,
    `show_stopped` and `show_sentence` answer; `chosen` wants the reply to go on from another token
    at a place. While a reply is written the latest token is the chosen one, until one is pressed.
    """

    watched = Signal(bool)
    """Whether the view is in sight."""
    shown = Signal()
    wanted = Signal()
    cancelled = Signal()
    chosen = Signal(object, int, int)
    """The reply (`TokensView`), the number of a token in it, and the token to take instead."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._view: TokensView | None = None
        self._selected = 0
        self._follows = True
        self._hovered = ""
        self.head = Heading(theme, self.tr("Tokens of the reply"))
        self.colour = Segments(
            theme, [self.tr("Probability"), self.tr("Entropy")], self.tr("What colours say"), 22
        )
        self.strip = ChartView(TokenStrip(()), theme)
        self.area = QScrollArea()
        self.area.setWidget(self.strip)
        self.area.setWidgetResizable(True)
        self.area.setFrameShape(QFrame.Shape.NoFrame)
        self.area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.area.viewport().setAutoFillBackground(False)
        self.strip.setAutoFillBackground(False)
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
        column.addWidget(self.area)
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
        self.area.verticalScrollBar().rangeChanged.connect(self._on_range_changed)
        self.button.clicked.connect(self.wanted)
        self.stop.clicked.connect(self.cancelled)

    @property
    def view(self) -> TokensView | None:
        """The reply that is shown."""
        return self._view

    def show_tokens(self, view: TokensView) -> None:
        """Show a reply, or what there is of it by now."""
        before = self._view
        same = before is not None and before.message_id == view.message_id
        if before is None or not same:
            self._selected, self._follows = 0, view.live
        else:
            self._selected += before.unseen - view.unseen
        if self._follows or not 0 <= self._selected < len(view.tokens):
            self._selected = len(view.tokens) - 1 if self._follows else 0
        self._view = view
        self.head.set_value(view.model)
        self._tell_view()
        self._draw()
        self._show_parts()

    def show_progress(self, message_id: str, share: float) -> None:
        """Show how far a reply is read, 0 to 1; what is known of it already stays."""
        if self._view is not None and self._view.message_id != message_id:
            self._view = None
        self.progress.set_fraction(share)
        self.sentence.setText(self.tr("Reading the reply once more…"))
        self._show_parts(running=True)

    def show_stopped(self) -> None:
        """Show that the reading was stopped: what was known before stays."""
        if self._view is None:
            self.show_sentence(self.tr("The reading was stopped."))
        else:
            self._tell_view()
            self._show_parts()

    def show_sentence(self, sentence: str) -> None:
        """Show why there are no tokens; "" says how to get some."""
        self._view = None
        self.head.set_value("")
        self.progress.set_fraction(None)
        self.sentence.setText(
            sentence or self.tr("Ask something: the tokens of the reply are shown here.")
        )
        self._show_parts(empty=not sentence)

    def _tell_view(self) -> None:
        view = self._view
        if view is None:
            return
        self.progress.set_fraction(None)
        nll = self.tr("Mean NLL {nll} per token.").format(nll=figures.decimal(view.mean_nll, 3))
        if not view.live:
            more = self.tr("Press an alternative to go on from it.")
        elif view.unseen:
            more = self.tr("The latest tokens are shown; all when the reply has ended.")
        else:
            more = self.tr("More is told when the reply has ended.")
        self.sentence.setText(f"{nll} {more}")

    def _show_parts(self, *, running: bool = False, empty: bool = False) -> None:
        view = self._view
        for part in (self.area, self.token_head, self.bars):
            part.setVisible(view is not None)
        known = view is not None and all(token.entropy is not None for token in view.tokens[:1])
        self.colour.setVisible(known)
        self.progress.setVisible(running)
        self.stop.setVisible(running)
        self.button.setVisible(not (running or empty or (view is not None and view.live)))

    def _draw(self) -> None:
        view = self._view
        if view is None:
            return
        by_entropy = self.colour.current == 1
        self.strip.set_chart(token_strip(view, by_entropy=by_entropy, selected=self._selected))
        self._fit()
        self._show_alternatives(int(self._hovered) if self._hovered else self._selected)

    def _fit(self) -> None:
        """A long reply is scrolled by itself, so that its alternatives stay in sight."""
        needed = self.strip.heightForWidth(max(self.area.viewport().width(), 120))
        self.area.setFixedHeight(max(min(needed, _MOST_HEIGHT), 28))

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    @override
    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        if not event.spontaneous():
            self.watched.emit(True)

    @override
    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        if not event.spontaneous():
            self.watched.emit(False)

    def _show_alternatives(self, number: int) -> None:
        if self._view is None or not 0 <= number < len(self._view.tokens):
            return
        token = self._view.tokens[number]
        self.token_head.set_value(
            self.tr("instead of {text}").format(text=visible(token.text or CONTINUED)[:20])
        )
        self.bars.set_chart(alternative_bars(token))

    def _on_range_changed(self, _least: int, most: int) -> None:
        if self._follows:
            self.area.verticalScrollBar().setValue(most)

    def _on_hovered(self, key: str) -> None:
        self._hovered = key
        self._show_alternatives(int(key) if key else self._selected)

    def _on_selected(self, key: str) -> None:
        self._selected, self._follows = int(key), False
        self._draw()

    def _on_alternative(self, key: str) -> None:
        if self._view is None or self._view.live:
            return
        token = self._view.tokens[self._selected]
        if int(key) != token.token:
            self.chosen.emit(self._view, self._selected, int(key))
