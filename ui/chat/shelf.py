"""A shelf of the user's own: a button that names what is in use, and a menu to choose and keep."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QPoint, Qt, Signal
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QInputDialog, QMenu

from ui import theme as look
from ui.chat.settings_values import ShelfChange, ShelfItem
from ui.controls import QuietButton
from ui.icons import Icon

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from ui.theme import Theme

_LONGEST_NAME = 80


@dataclass(frozen=True)
class ShelfWords:
    """What the button and its menu say; `{name}` stands for that of the item in use."""

    accessible: str
    none: str
    save: str
    ask: str
    make_usual: str = ""


class Shelf(QuietButton):
    """The button. `changed` tells what the user wants."""

    changed = Signal(ShelfChange)

    def __init__(self, theme: Theme, words: ShelfWords) -> None:
        super().__init__(theme, words.none, Icon.CHEVRON, size=look.TEXT - 1)
        self._words = words
        self._items: tuple[ShelfItem, ...] = ()
        self._current = self._usual = ""
        self._can_save = True
        self.menu = QMenu(self)
        self.clicked.connect(self._open)
        self.set_items(())

    def set_items(self, items: Sequence[ShelfItem], current: str = "", usual: str = "") -> None:
        """Show what is on the shelf.

        Args:
            items: In the order of the menu.
            current: The id of what is in use; empty where that is none of them.
            usual: The id of what new chats begin with.
        """
        self._items = tuple(items)
        known = {item.id for item in items}
        self._current = current if current in known else ""
        self._usual = usual if usual in known else ""
        name = self._name()
        self.set_label(f"{self._words.accessible}: {name}" if name else self._words.none)
        self.setAccessibleName(self.text())
        self._fill()

    def set_can_save(self, *, can_save: bool) -> None:
        """Whether there is something to be put on the shelf."""
        if can_save != self._can_save:
            self._can_save = can_save
            self._fill()

    def _name(self) -> str:
        return next((item.name for item in self._items if item.id == self._current), "")

    def _fill(self) -> None:
        menu, words, name = self.menu, self._words, self._name()
        menu.clear()
        for item in self._items:
            action = self._add(item.name.replace("&", "&&"), ShelfChange("use", item.id))
            action.setCheckable(True)
            action.setChecked(item.id == self._current)
        menu.addSeparator()
        save = QAction(words.save, menu)
        save.setEnabled(self._can_save and not self._current)
        save.triggered.connect(self._ask_save)
        menu.addAction(save)
        if not self._current:
            return
        shown = name.replace("&", "&&")
        rename = QAction(self.tr("Rename “{name}”…").format(name=shown), menu)
        rename.triggered.connect(self._ask_rename)
        menu.addAction(rename)
        delete = ShelfChange("delete", self._current)
        self._add(self.tr("Delete “{name}”").format(name=shown), delete)
        if words.make_usual:
            is_usual = self._current == self._usual
            change = ShelfChange("make_usual", "" if is_usual else self._current)
            usual = self._add(words.make_usual.format(name=shown), change)
            usual.setCheckable(True)
            usual.setChecked(is_usual)

    def _add(self, text: str, change: ShelfChange) -> QAction:
        action = QAction(text, self.menu)
        action.triggered.connect(partial(self.changed.emit, change))
        self.menu.addAction(action)
        return action

    def _open(self) -> None:
        self.menu.popup(self.mapToGlobal(QPoint(0, self.height() + 2)))

    def _ask_save(self) -> None:
        self._ask("", self._save)

    def _ask_rename(self) -> None:
        key = self._current

        def rename(name: str) -> None:
            self.changed.emit(ShelfChange("rename", key, name))

        self._ask(self._name(), rename)

    def _save(self, name: str) -> None:
        same = [item.id for item in self._items if item.name.casefold() == name.casefold()]
        self.changed.emit(ShelfChange("save", same[0] if same else "", name))

    def _ask(self, name: str, then: Callable[[str], None]) -> None:
        """Ask for a name, beside the window, which goes on living."""
        dialog = QInputDialog(self.window())
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.setWindowTitle(self._words.accessible)
        dialog.setLabelText(self._words.ask)
        dialog.setTextValue(name)

        def take(text: str) -> None:
            words = " ".join(text.split())[:_LONGEST_NAME]
            if words:
                then(words)

        dialog.textValueSelected.connect(take)
        dialog.open()
