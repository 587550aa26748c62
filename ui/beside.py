"""The inspector stands beside a place where it is wanted there, and where there is room for it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

if TYPE_CHECKING:
    from PySide6.QtGui import QAction

    from ui.places import PlaceName

NARROW = 1040
"""In a window that is narrower, in pixels, the text would have less room than the figures."""


class Beside(QObject):
    """Shows and hides the inspector through its action in the menu, which stays the user's.

    It gives way when the window becomes narrow and comes back when it becomes wide again; shown
    by hand in a narrow window, it stays.
    """

    def __init__(self, toggle: QAction, parent: QObject) -> None:
        super().__init__(parent)
        self._toggle = toggle
        self._wanted: dict[PlaceName, bool] = {}
        self._place: PlaceName = "chat"
        self._narrow = False
        self._gave_way = False
        toggle.triggered.connect(self._on_triggered)

    @property
    def wanted(self) -> bool:
        """Whether it stands beside the place that is shown, or would if there were room."""
        return self._toggle.isChecked() or self._gave_way

    def wanted_at(self, name: PlaceName) -> bool:
        """The same for a place that may not be the one shown; it is wanted until decided."""
        return self.wanted if name == self._place else self._wanted.get(name, True)

    def on_width(self, width: int) -> None:
        """The window has another width, in pixels."""
        narrow = width < NARROW
        if narrow != self._narrow:
            self._narrow = narrow
            self.settle(wanted=self.wanted)

    def on_place(self, name: PlaceName, *, usual: bool) -> None:
        """Another place is shown: each remembers whether the inspector stands beside it.

        Args:
            name: Of the place.
            usual: Whether it stands there to begin with.
        """
        self._wanted[self._place] = self.wanted
        self._place = name
        self.settle(wanted=self._wanted.get(name, usual))

    def settle(self, *, wanted: bool) -> None:
        """Show it where it is wanted and there is room."""
        self._gave_way = wanted and self._narrow
        self._toggle.setChecked(wanted and not self._narrow)

    def _on_triggered(self) -> None:
        self._gave_way = False
