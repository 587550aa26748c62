"""The walk of one token through one head: each step a sentence, its numbers, a bar per key."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QFont
from PySide6.QtWidgets import QLabel, QVBoxLayout, QWidget
from typing_extensions import override

from ui import theme as look
from ui.charts.values import Note
from ui.charts.view import ChartView
from ui.controls import QuietButton
from ui.playground.attention_values import FIRST
from ui.playground.walk_charts import FEW_KEYS, strongest, walk_steps
from ui.playground.words import Paragraph

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtGui import QResizeEvent

    from ui.charts.values import Chart
    from ui.playground.attention_values import WalkView
    from ui.playground.state import PlayToken
    from ui.playground.walk_charts import WalkStep
    from ui.theme import Theme

_BESIDE, _NUMBER = 230, 70
"""The room for a row's name and the vector's length, and for each of its numbers, in pixels."""


class _StepView(QWidget):
    """A step: title, sentence, chart."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.title = QLabel()
        self.title.setFont(theme.font(look.TEXT, QFont.Weight.Medium))
        self.title.setTextFormat(Qt.TextFormat.PlainText)
        self.words = Paragraph(theme, size=look.TEXT - 1)
        self.chart = ChartView(Note(""), theme)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 12)
        column.setSpacing(6)
        for part in (self.title, self.words, self.chart):
            column.addWidget(part)

    def show_step(self, step: WalkStep) -> None:
        """Show another step."""
        self.title.setText(step.title)
        self.words.setText(step.words)
        self.chart.setAccessibleName(step.title)
        self.chart.set_chart(replace(step.chart, summary=step.words))


class WalkSection(QWidget):
    """All steps below each other."""

    key_chosen = Signal(int)
    """The place of a token whose bar or row was chosen."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self._walk: WalkView | None = None
        self._tokens: tuple[PlayToken, ...] = ()
        self._steps: list[_StepView] = []
        self._first = FIRST
        self.more = QuietButton(theme, self.tr("Show all keys"))
        self.more.setCheckable(True)
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(8)
        self._column.addWidget(self.more, 0, Qt.AlignmentFlag.AlignLeft)
        self.more.toggled.connect(self._on_more)

    @property
    def is_there(self) -> bool:
        """Whether a walk is shown."""
        return self._walk is not None

    @property
    def steps(self) -> tuple[ChartView, ...]:
        """The pictures of the steps."""
        return tuple(step.chart for step in self._steps)

    def show_walk(self, walk: WalkView, tokens: Sequence[PlayToken]) -> None:
        """Show a walk over a text."""
        self._walk, self._tokens = walk, tuple(tokens)
        self._draw()

    def clear(self) -> None:
        """Show none."""
        self._walk = None

    def weights(self, count: int) -> tuple[float, ...]:
        """What the token takes from each of `count` tokens."""
        found = [0.0] * count
        for key in self._walk.keys if self._walk is not None else ():
            if key.position < count:
                found[key.position] = key.weight
        return tuple(found)

    def charts(self) -> Sequence[Chart]:
        """The pictures with titles, all keys in them: what is exported is whole."""
        if self._walk is None:
            return ()
        steps = walk_steps(self._walk, self._tokens, self._walk.keys)
        return tuple(replace(step.chart, title=step.title) for step in steps)

    def _draw(self) -> None:
        walk = self._walk
        if walk is None:
            return
        keys = walk.keys if self.more.isChecked() else strongest(walk, FEW_KEYS)
        self._first = self._room()
        steps = walk_steps(walk, self._tokens, keys, self._first)
        while len(self._steps) < len(steps):
            view = _StepView(self._theme)
            view.chart.activated.connect(self._on_key)
            self._steps.append(view)
            self._column.insertWidget(len(self._steps), view)
        for view, step in zip(self._steps, steps, strict=True):
            view.show_step(step)
        self.more.setVisible(len(walk.keys) > FEW_KEYS)
        words = self.tr("Show all %n keys", "", len(walk.keys))
        if self.more.isChecked():
            words = self.tr("Show the %n strongest keys", "", FEW_KEYS)
        self.more.set_label(words)
        self.more.setAccessibleName(words)

    def _room(self) -> int:
        """How many numbers of a vector can be read side by side."""
        return min(max((self.width() - _BESIDE) // _NUMBER, 2), FIRST)

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if self._first != self._room():
            self._draw()

    def _on_more(self) -> None:
        self._draw()

    def _on_key(self, key: str) -> None:
        self.key_chosen.emit(int(key))
