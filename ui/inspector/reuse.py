"""Where and why the reuse of a cache stopped."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtWidgets import QVBoxLayout, QWidget

from ui.charts.values import Column, Row, Table
from ui.charts.view import ChartView
from ui.pieces import inked
from ui.state import ReuseView

if TYPE_CHECKING:
    from ui.theme import Theme

_LONGEST = 28


class ReuseDetail(QWidget):
    """Where and why reuse stopped; the two texts side by side where they differ."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._reuse = ReuseView()
        self.table = ChartView(Table((), ()), theme)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 2, 0, 0)
        column.addWidget(self.table)
        self.hide()

    def set_reuse(self, reuse: ReuseView) -> None:
        """Show what is known of the last prompt; nothing where reuse stopped at no difference."""
        if reuse == self._reuse:
            return
        self._reuse = reuse
        self.setToolTip(reuse.reason)
        differs = bool(reuse.held_text or reuse.prompt_text)
        self.setVisible(differs)
        if differs:
            self.table.set_chart(self._table(reuse))

    def _table(self, reuse: ReuseView) -> Table:
        columns = (Column(""), Column(self.tr("where reuse stopped"), code=True))
        rows = (
            Row((self.tr("same"), _tail(reuse.common_text)), faded=True),
            Row((self.tr("held"), _begin(reuse.held_text))),
            Row((self.tr("prompt"), _begin(reuse.prompt_text))),
        )
        return Table(columns, rows, marked=2, summary=reuse.reason)


def _begin(text: str) -> str:
    shown = inked(text)
    return shown if len(shown) <= _LONGEST else shown[: _LONGEST - 1] + "…"


def _tail(text: str) -> str:
    shown = inked(text)
    return shown if len(shown) <= _LONGEST else "…" + shown[1 - _LONGEST :]
