"""What can be done with one message: a row of words that show on hover and on keyboard focus.

The row keeps its place while it is hidden, so that nothing jumps. It is one stop for Tab; the
arrow keys lead along it.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtWidgets import QMenu, QWidget
from typing_extensions import override

from ui import theme as look
from ui.controls import QuietButton

if TYPE_CHECKING:
    from collections.abc import Collection

    from PySide6.QtGui import QFocusEvent, QKeyEvent, QPaintEvent, QResizeEvent

    from ui.state import MessageAction, MessageView
    from ui.theme import Theme

ROW_HEIGHT = 24
_ALWAYS = ("previous", "place", "next", "continue")
"""What shows without hover: that there are other versions, and that a reply was cut off."""


class MessageActions(QWidget):
    """The row of one message."""

    chosen = Signal(str)
    """A `ui.state.MessageAction`."""
    turned = Signal()
    """Other buttons may be seen than before."""

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme = theme
        self._is_last = False
        self._revealed = False
        self._menu: QMenu | None = None
        self._offered: frozenset[MessageAction] = frozenset()
        self._buttons: dict[str, _RowButton] = {}
        self._make("copy", self.tr("Copy"), self.tr("Copy message"))
        self._make("edit", self.tr("Edit"), self.tr("Edit this question"))
        self._make("regenerate", self.tr("Retry"), self.tr("Write this reply again"))
        self._make("fork", self.tr("Fork"), self.tr("Go on from here in a new chat"))
        self._make("look", self.tr("Look inside"), self.tr("Look at tokens, attention and layers"))
        self._make("delete", self.tr("Delete"), self.tr("Delete message"))
        # What always shows stands at the right.
        self._make("continue", self.tr("Continue"), self.tr("Continue this reply"))
        self._make("previous", "‹", self.tr("Previous version"))
        self._make("place", "", self.tr("Version"))
        self._make("next", "›", self.tr("Next version"))
        self._buttons["place"].setEnabled(False)
        self.setAccessibleName(self.tr("Message actions"))

    def button(self, action: MessageAction) -> QuietButton:
        """The button of an action."""
        return self._buttons[action]

    def show_for(self, view: MessageView, actions: Collection[MessageAction]) -> None:
        """Offer actions for a message, and moving between its versions where it has some."""
        self._offered = frozenset(actions)
        several = view.versions > 1
        place = self._buttons["place"]
        place.setText(f"{view.version}/{view.versions}")
        place.setAccessibleName(
            self.tr("Version {n} of {all}").format(n=view.version, all=view.versions)
        )
        self._buttons["previous"].setEnabled(view.version > 1)
        self._buttons["next"].setEnabled(view.version < view.versions)
        for name, button in self._buttons.items():
            is_version = name in ("previous", "place", "next")
            if name != "look":
                button.setVisible(several if is_version else name in actions)
        self._lay_out()

    @property
    def looks(self) -> tuple[tuple[MessageAction, str], ...]:
        """The ways to look into the message that are offered, each with what it is called."""
        names: tuple[tuple[MessageAction, str], ...] = (
            ("tokens", self.tr("Tokens")),
            ("attention", self.tr("Attention and Layers")),
        )
        return tuple((action, name) for action, name in names if action in self._offered)

    def set_last(self, *, last: bool) -> None:
        """Whether nothing follows the message, so that Delete need not ask how much."""
        self._is_last = last

    def set_revealed(self, *, revealed: bool) -> None:
        """The pointer came to the message, or left it."""
        self._revealed = revealed
        self.refresh()

    def refresh(self) -> None:
        """Paint all buttons again: they show together."""
        for button in self._buttons.values():
            button.update()
        self.turned.emit()

    @property
    def seen_width(self) -> int:
        """How much of its right end the row needs for what is to be seen now, in pixels."""
        names = [name for name, button in self._buttons.items() if not button.isHidden()]
        first = next((number for number, name in enumerate(names) if self.shows(name)), len(names))
        return sum(self._buttons[name].sizeHint().width() for name in names[first:])

    def shows(self, name: str) -> bool:
        """Whether a button is to be seen now."""
        focused = any(button.hasFocus() for button in self._buttons.values())
        return self._revealed or focused or name in _ALWAYS

    def step(self, by: int) -> None:
        """Move the keyboard's focus along the row."""
        row = [each for each in self._buttons.values() if each.isEnabled() and not each.isHidden()]
        at = next((number for number, each in enumerate(row) if each.hasFocus()), None)
        if at is not None and 0 <= at + by < len(row):
            row[at + by].setFocus(Qt.FocusReason.TabFocusReason)

    @override
    def sizeHint(self) -> QSize:
        return QSize(self._whole_width(), ROW_HEIGHT)

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._lay_out()

    def _make(self, name: str, text: str, accessible: str) -> None:
        button = _RowButton(self._theme, name, text, self)
        button.setAccessibleName(accessible)
        button.setToolTip(accessible if name != "place" else "")
        button.clicked.connect(lambda: self._on_clicked(name))
        self._buttons[name] = button

    def _on_clicked(self, name: str) -> None:
        if name == "delete" and not self._is_last:
            self._ask_how_much()
        elif name == "look":
            self._ask_how_to_look()
        elif name != "place":
            self.chosen.emit(name)

    def _ask_how_much(self) -> None:
        self._menu = menu = QMenu(self)
        menu.aboutToHide.connect(menu.deleteLater)
        one = menu.addAction(self.tr("Delete This Message"))
        one.triggered.connect(lambda: self.chosen.emit("delete"))
        below = menu.addAction(self.tr("Delete This and All Below"))
        below.triggered.connect(lambda: self.chosen.emit("delete_below"))
        button = self._buttons["delete"]
        menu.popup(button.mapToGlobal(button.rect().bottomLeft()))

    def _ask_how_to_look(self) -> None:
        self._menu = menu = QMenu(self)
        menu.aboutToHide.connect(menu.deleteLater)
        for action, name in self.looks:
            menu.addAction(name).triggered.connect(partial(self._on_look, action))
        button = self._buttons["look"]
        menu.popup(button.mapToGlobal(button.rect().bottomLeft()))

    def _on_look(self, action: MessageAction) -> None:
        self.chosen.emit(action)

    def _shown(self) -> list[_RowButton]:
        return [button for button in self._buttons.values() if not button.isHidden()]

    def _whole_width(self) -> int:
        """The room for all that is offered, in pixels."""
        look = self._buttons["look"]
        others = sum(each.sizeHint().width() for each in self._shown() if each is not look)
        return others + (look.sizeHint().width() if self.looks else 0)

    def _lay_out(self) -> None:
        # In a narrow column the menu of the message is enough of a way to look inside.
        narrow = self._whole_width() > self.width() > 0
        self._buttons["look"].setVisible(bool(self.looks) and not narrow)
        x = self.width()
        for button in reversed(self._shown()):
            width = button.sizeHint().width()
            x -= width
            button.setGeometry(x, 0, width, self.height())
        reachable = [each for each in self._shown() if each.isEnabled()]
        for button in self._buttons.values():
            first = bool(reachable) and button is reachable[0]
            policy = Qt.FocusPolicy.TabFocus if first else Qt.FocusPolicy.NoFocus
            button.setFocusPolicy(policy)


class _RowButton(QuietButton):
    """A word that is there for the keyboard and for screen readers also while it is not seen."""

    def __init__(self, theme: Theme, name: str, text: str, row: MessageActions) -> None:
        super().__init__(theme, text or "0", size=look.CAPTION)
        self.setParent(row)
        self._name = name
        self._row = row
        self._inset = 6 if len(text) > 1 else 3

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        if self._row.shows(self._name):
            super().paintEvent(event)

    @override
    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self._row.refresh()

    @override
    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self._row.refresh()

    @override
    def keyPressEvent(self, event: QKeyEvent) -> None:
        steps = {Qt.Key.Key_Left.value: -1, Qt.Key.Key_Right.value: 1}
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.click()
        elif event.key() in steps:
            self._row.step(steps[event.key()])
        else:
            super().keyPressEvent(event)
