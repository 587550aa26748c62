"""What stands below the text in the playground: one view per question, built when it is chosen.

A view is told the text and which of its tokens is chosen; what it wants computed it emits, and
whoever answers calls a method of its own. It computes and asks nothing while it is out of sight:
`PlaygroundView` remembers what it was told and calls `refresh` when it is seen again.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from PySide6.QtCore import QCoreApplication, Signal
from PySide6.QtWidgets import QWidget
from typing_extensions import override

from ui.playground.state import PlayText

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from PySide6.QtGui import QShowEvent

    from ui.charts.values import Chart
    from ui.theme import Theme

ViewName = Literal["next", "branches", "attention", "layers", "tokenizer", "schema"]


class PlaygroundView(QWidget):
    """One of the views.

    The text and the chosen token come with `show_text` and `show_selected`; `refresh` is where a
    view draws and asks, called only while it is in sight and something is new.
    """

    wanted = Signal(object)
    """A frozen value that says what is to be computed, of a kind the view's own module defines."""
    cancelled = Signal()
    """What was wanted is not wanted any more."""
    token_chosen = Signal(int)
    """The place of a token that the user pointed out here."""
    shaded = Signal(object)
    """A `Shade` for the large text, or None to give it its own colours back."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.theme = theme
        self.text = PlayText()
        """The text that is shown."""
        self.selected: int | None = None
        """The place of the chosen token; None where there is no text."""
        self._stale = True

    def show_text(self, text: PlayText, selected: int | None) -> None:
        """Take on another text, or another token of it; equal ones change nothing."""
        if text != self.text or selected != self.selected:
            self.text, self.selected = text, selected
            self.mark_stale()

    def mark_stale(self) -> None:
        """Have `refresh` called: now where the view is in sight, else when it comes there."""
        self._stale = True
        if self.isVisible():
            self._refresh_once()

    def refresh(self) -> None:
        """Draw the text anew, and emit `wanted` where something is to be computed for it."""

    def charts(self) -> Sequence[Chart]:
        """What Export writes; nothing where nothing is shown."""
        return ()

    @override
    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._refresh_once()

    def _refresh_once(self) -> None:
        if self._stale:
            self._stale = False
            self.refresh()


@dataclass(frozen=True)
class ViewPlan:
    """A view that can be chosen.

    Attributes:
        name: How it is known in the program.
        title: How the user knows it.
        build: Makes it, when it is first chosen; the page then emits `view_built(name, view)`,
            for the wiring of its area to connect.
    """

    name: ViewName
    title: str
    build: Callable[[Theme], PlaygroundView]


def later_views() -> tuple[ViewPlan, ...]:
    """The views beside the next token, in the order of the row above them."""
    translate = QCoreApplication.translate
    return (
        ViewPlan("attention", translate("Playground", "Attention"), _attention),
        ViewPlan("layers", translate("Playground", "Layers"), _layers),
        ViewPlan("branches", translate("Playground", "Branches"), _branches),
        ViewPlan("tokenizer", translate("Playground", "Tokenizer"), _tokenizer),
        ViewPlan("schema", translate("Playground", "Schema"), _schema),
    )


def _attention(theme: Theme) -> PlaygroundView:
    from ui.playground.attention import AttentionView

    return AttentionView(theme)


def _layers(theme: Theme) -> PlaygroundView:
    from ui.playground.lens import LayersView

    return LayersView(theme)


def _branches(theme: Theme) -> PlaygroundView:
    from ui.playground.branches import BranchesView

    return BranchesView(theme)


def _tokenizer(theme: Theme) -> PlaygroundView:
    from ui.playground.tokenizer import TokenizerView

    return TokenizerView(theme)


def _schema(theme: Theme) -> PlaygroundView:
    from ui.playground.schema import SchemaView

    return SchemaView(theme)
