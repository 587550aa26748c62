"""The menu under the model's name: the models that are here, and ways to others."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QMenu

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtGui import QAction
    from PySide6.QtWidgets import QWidget

    from ui.menus import Actions
    from ui.state import ModelChoice

_MOST = 12
_LONGEST = 60


class ModelMenu(QMenu):
    """The menu; it lists so many models as one can take in, the page has all."""

    chosen = Signal(str)
    """What loads a model."""
    models_requested = Signal()

    def __init__(self, window: QWidget, actions: Actions) -> None:
        super().__init__(window)
        self._listed: list[QAction] = []
        self._first = self.addSeparator()
        self.all = self.addAction(self.tr("Models…"))
        self.addActions([actions.open_folder, actions.open_file])
        self.addSeparator()
        self.addAction(actions.unload)
        self.all.triggered.connect(self.models_requested)

    def set_choices(self, choices: Sequence[ModelChoice]) -> None:
        """List other models."""
        for action in self._listed:
            self.removeAction(action)
            action.deleteLater()
        self._listed = []
        for choice in choices[:_MOST]:
            name = choice.name[:_LONGEST].replace("&", "&&")
            action = self.addAction(name)
            action.triggered.connect(partial(self.chosen.emit, choice.source))
            self.insertAction(self._first, action)
            self._listed.append(action)
