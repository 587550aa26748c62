"""The neighbours of a token in the embedding, by cosine; each leads to its own."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from ui import figures
from ui import theme as look
from ui.charts.ink import token, written
from ui.charts.values import Bar, Bars
from ui.charts.view import ChartView
from ui.controls import QuietButton
from ui.playground.attention_look import quoted
from ui.playground.words import Paragraph

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ui.charts.values import Chart
    from ui.playground.attention_values import NeighboursView
    from ui.theme import Theme


class NeighboursSection(QWidget):
    """The nearest tokens as bars; choosing one asks for its own neighbours."""

    token_wanted = Signal(int)
    """The id of a token whose neighbours are to be shown."""
    back_wanted = Signal()
    """The neighbours of the text's own token are to be shown again."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._view: NeighboursView | None = None
        self.words = Paragraph(theme, size=look.CAPTION)
        self.bars = ChartView(Bars(()), theme)
        self.back = QuietButton(theme, self.tr("Back to the chosen token"))
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(10)
        column.addWidget(self.bars)
        column.addWidget(self.words)
        column.addWidget(self.back, 0, Qt.AlignmentFlag.AlignLeft)
        self.bars.activated.connect(self._on_bar)
        self.back.clicked.connect(self.back_wanted)

    @property
    def view(self) -> NeighboursView | None:
        """What is shown."""
        return self._view

    def show_neighbours(self, view: NeighboursView, own: int) -> None:
        """Show the neighbours of a token.

        Args:
            view: The numbers.
            own: The id of the text's chosen token.
        """
        self._view = view
        self.bars.set_chart(self._chart(view))
        self.words.setText(self._words(view))
        self.back.setVisible(view.token != own)

    def clear(self) -> None:
        """Show none."""
        self._view = None

    def charts(self) -> Sequence[Chart]:
        """The picture."""
        return () if self._view is None else (self.bars.chart,)

    def _chart(self, view: NeighboursView) -> Bars:
        tip = self.tr("{text}, token {id}: cosine {cosine}, length {norm}")
        bars = tuple(
            Bar(
                near.text,
                near.cosine,
                figures.signed(near.cosine, 3),
                tip=tip.format(
                    text=token(near.text),
                    id=near.token,
                    cosine=written(near.cosine),
                    norm=written(near.norm),
                ),
                key=str(near.token),
            )
            for near in view.nearest
        )
        return Bars(
            bars,
            title=self.tr("Nearest to {token} in the embedding").format(token=quoted(view.text)),
            note=self.tr("token {id}, by cosine").format(id=view.token),
            maximum=1.0,
            code=True,
            value_name=self.tr("cosine"),
        )

    def _words(self, view: NeighboursView) -> str:
        first = "  ".join(figures.signed(each, 2) for each in view.first)
        vector = self.tr("Its vector has {width} numbers and length {norm}: {first} …").format(
            width=figures.count(view.width), norm=written(view.norm), first=first
        )
        tied = self.tr("The same table turns the last layer's output into logits.")
        packed = self.tr("The table is kept in {bits} bits and unpacked to be compared.").format(
            bits=view.bits
        )
        how = self.tr("Press a token to go to its own neighbours.")
        parts = (vector, tied if view.tied else "", packed if view.bits else "", how)
        return " ".join(filter(None, parts))

    def _on_bar(self, key: str) -> None:
        self.token_wanted.emit(int(key))
