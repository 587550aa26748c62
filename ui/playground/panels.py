"""The two columns below the text: what comes next at the left, the chosen view at the right.

Where there is no room for two, there is one, and what comes next is the first of its views.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QFrame,
    QScrollArea,
    QSplitter,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)
from typing_extensions import override

from ui.segments import Segments

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtGui import QResizeEvent

    from ui.playground.next import NextPanel
    from ui.playground.views import PlaygroundView, ViewName, ViewPlan
    from ui.theme import Theme

_TWO_COLUMNS = 860
_GAP = 22
_LEFT_SHARE = 0.47


class Panels(QWidget):
    """Shows the views; each is built when it is first chosen."""

    built = Signal(str, QWidget)
    changed = Signal(str)
    """The name of the view that is in sight: "next" where only that is."""

    def __init__(self, theme: Theme, following: NextPanel, plans: Sequence[ViewPlan]) -> None:
        super().__init__()
        self._theme = theme
        self._plans = tuple(plans)
        self._views: dict[ViewName, PlaygroundView] = {}
        self._chosen: ViewName = plans[0].name
        self._alone = True
        """Whether what comes next is shown where there is one column."""
        self._wide: bool | None = None
        titles = [plan.title for plan in plans]
        self.beside = Segments(theme, titles, self.tr("View"), 24)
        self.narrow = Segments(theme, [self.tr("Next token"), *titles], self.tr("View"), 24)
        self.stack = QStackedWidget()
        self.splitter = QSplitter(Qt.Orientation.Horizontal)
        self._left = _scrolling(following)
        self._right = QWidget()
        self._lay_out()
        self.beside.chosen.connect(self._on_beside)
        self.narrow.chosen.connect(self._on_narrow)

    def _lay_out(self) -> None:
        right = QVBoxLayout(self._right)
        right.setContentsMargins(_GAP, 0, 0, 0)
        right.setSpacing(12)
        right.addWidget(self.beside, 0, Qt.AlignmentFlag.AlignLeft)
        right.addWidget(self.stack, 1)
        self.splitter.addWidget(self._left)
        self.splitter.addWidget(self._right)
        self.splitter.setHandleWidth(1)
        self.splitter.setChildrenCollapsible(False)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(12)
        column.addWidget(self.narrow, 0, Qt.AlignmentFlag.AlignLeft)
        column.addWidget(self.splitter, 1)

    @property
    def views(self) -> tuple[PlaygroundView, ...]:
        """Those that were built."""
        return tuple(self._views.values())

    @property
    def current(self) -> PlaygroundView | None:
        """The view that is in sight, beside or in place of what comes next."""
        shown = self._wide or not self._alone
        return self._views.get(self._chosen) if shown else None

    def view(self, name: ViewName) -> PlaygroundView | None:
        """A view that was built."""
        return self._views.get(name)

    def choose(self, name: ViewName) -> None:
        """Bring a view into sight."""
        if name == "next":
            self._alone = True
        elif any(plan.name == name for plan in self._plans):
            self._chosen, self._alone = name, False
        self._arrange()

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        wide = self.width() >= _TWO_COLUMNS
        if wide != self._wide:
            self._wide = wide
            self._arrange()
            if wide:
                left = round(self.width() * _LEFT_SHARE)
                self.splitter.setSizes([left, self.width() - left])

    def _arrange(self) -> None:
        if self._wide is None:
            return
        both = self._wide
        number = [plan.name for plan in self._plans].index(self._chosen)
        self.beside.set_current(number)
        self.narrow.set_current(0 if self._alone else number + 1)
        self.beside.setVisible(both)
        self.narrow.setVisible(not both)
        self._left.setVisible(both or self._alone)
        self._right.setVisible(both or not self._alone)
        gap = _GAP if both else 0
        self._left.setViewportMargins(0, 0, gap, 0)
        layout = self._right.layout()
        if layout is not None:
            layout.setContentsMargins(gap, 0, 0, 0)
        if both or not self._alone:
            self._show()
        self.changed.emit(self._chosen if both or not self._alone else "next")

    def _show(self) -> None:
        view = self._views.get(self._chosen)
        if view is None:
            plan = next(plan for plan in self._plans if plan.name == self._chosen)
            view = self._views[self._chosen] = plan.build(self._theme)
            self.stack.addWidget(_scrolling(view))
            self.built.emit(self._chosen, view)
        self.stack.setCurrentIndex(list(self._views).index(self._chosen))

    def _on_beside(self, number: int) -> None:
        self.choose(self._plans[number].name)

    def _on_narrow(self, number: int) -> None:
        self.choose("next" if number == 0 else self._plans[number - 1].name)


class _Area(QScrollArea):
    """A scroll area whose margins can be set from outside."""

    @override
    def setViewportMargins(self, left: int, top: int, right: int, bottom: int) -> None:  # pyright: ignore[reportIncompatibleMethodOverride]  the other overload is not used
        super().setViewportMargins(left, top, right, bottom)


def _scrolling(content: QWidget) -> _Area:
    area = _Area()
    area.setWidget(content)
    area.setWidgetResizable(True)
    area.setFrameShape(QFrame.Shape.NoFrame)
    area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
    area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
    area.viewport().setAutoFillBackground(False)
    content.setAutoFillBackground(False)
    return area
