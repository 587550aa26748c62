"""The frame of a window of forms: a head that stays, and under it the forms, which scroll."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QDialog, QFrame, QScrollArea, QVBoxLayout
from typing_extensions import override

from ui.controls import Surface

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

    from ui.form import Form
    from ui.theme import Theme

_WIDTH = 560
_LEAST_WIDTH = 440


class FormWindow(QDialog):
    """A window whose values are in force as they are chosen, so that it has no OK and no Cancel.

    What is typed is handed out before it closes, also by Esc; then it is gone.

    Attributes:
        head: What stays above; takes a layout.
        body: What scrolls; takes a layout. Both are in place after `frame`.
    """

    closed = Signal()

    def __init__(self, theme: Theme, height: int, least_height: int, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme = theme
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.resize(_WIDTH, height)
        self.setMinimumSize(_LEAST_WIDTH, least_height)
        self.head = Surface(theme, "page", underline=True)
        self.body = Surface(theme, "page")
        QShortcut(QKeySequence(QKeySequence.StandardKey.Close), self, self.close)

    @property
    def forms(self) -> tuple[Form, ...]:
        """The form of every group, in order."""
        raise NotImplementedError

    def frame(self, name: str) -> None:
        """Put head and body in their places, once they are laid out.

        Args:
            name: How the part that scrolls is read out.
        """
        area = QScrollArea()
        area.setWidgetResizable(True)
        area.setFrameShape(QFrame.Shape.NoFrame)
        area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        area.setAccessibleName(name)
        area.setWidget(self.body)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.head)
        column.addWidget(area, 1)

    def take_in(self) -> None:
        """Tell of what is typed and not told of yet."""
        for form in self.forms:
            form.take_in()

    @override
    def done(self, result: int) -> None:
        """Every way out leads through here: Esc, the title bar, the shortcut."""
        self.take_in()
        super().done(result)
        self.closed.emit()
