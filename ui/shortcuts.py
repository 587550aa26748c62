"""The list of shortcuts: those of the menus, and the keys that no menu shows."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication, Qt
from PySide6.QtGui import QAction, QFont, QKeySequence
from PySide6.QtWidgets import (
    QDialog,
    QFrame,
    QGridLayout,
    QLabel,
    QMenu,
    QMenuBar,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from ui import theme as look
from ui.controls import color_words

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ui.theme import Theme

_SIZE = (460, 620)
_LETTER = re.compile(r"\(&\w\)|&")
"""What marks the letter of a menu; Chinese adds it at the end: "文件(&F)"."""


def menu_actions(bar: QMenuBar) -> Iterator[tuple[str, QAction]]:
    """Every action of a menu bar, and of the menus in its menus, with the name of its menu."""
    for top in bar.actions():
        menu = top.menu()
        if isinstance(menu, QMenu):
            yield from _actions_in(menu)


def _actions_in(menu: QMenu) -> Iterator[tuple[str, QAction]]:
    for action in menu.actions():
        inner = action.menu()
        if isinstance(inner, QMenu):
            yield from _actions_in(inner)
        elif not action.isSeparator() and action.text():
            yield _LETTER.sub("", menu.title()), action


def keys_of(action: QAction) -> str:
    """The first shortcut of an action as the system writes it."""
    return action.shortcut().toString(QKeySequence.SequenceFormat.NativeText)


def rows_of(bar: QMenuBar) -> list[tuple[str, str, str]]:
    """Group, name and keys of every shortcut."""
    rows = [
        (group, action.text().removesuffix("…"), keys_of(action))
        for group, action in menu_actions(bar)
        if not action.shortcut().isEmpty()
    ]
    return rows + _other_keys()


def _other_keys() -> list[tuple[str, str, str]]:
    translate = QCoreApplication.translate
    native = QKeySequence.SequenceFormat.NativeText
    writing = translate("Shortcuts", "Writing")
    reading = translate("Shortcuts", "Reading")
    playing = translate("Shortcuts", "Playground")
    standard = QKeySequence.StandardKey
    keys = (
        (writing, translate("Shortcuts", "Send the message"), "Return"),
        (writing, translate("Shortcuts", "Break the line"), "Shift+Return"),
        (writing, translate("Shortcuts", "Stop the reply, or close what is open"), "Esc"),
        (writing, translate("Shortcuts", "Edit the last question, in the empty field"), "Up"),
        (reading, translate("Shortcuts", "To the beginning"), "Home"),
        (reading, translate("Shortcuts", "To the end"), "End"),
        (reading, translate("Shortcuts", "Open or close a thought"), "Space"),
        (reading, translate("Shortcuts", "Menu of a message"), "Menu"),
        (playing, translate("Shortcuts", "Write one token"), "Return"),
        (playing, translate("Shortcuts", "Take back a token or an edit"), standard.Undo),
        (playing, translate("Shortcuts", "Bring it back"), standard.Redo),
        (playing, translate("Shortcuts", "Edit the text"), "F2"),
    )
    return [(group, name, QKeySequence(key).toString(native)) for group, name, key in keys]


class ShortcutList(QDialog):
    """The list in a window of its own, which may stay open beside the chat."""

    def __init__(self, theme: Theme, bar: QMenuBar, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme = theme
        self.setWindowTitle(self.tr("Keyboard Shortcuts"))
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.resize(*_SIZE)
        page = QWidget()
        self._grid = QGridLayout(page)
        self._grid.setContentsMargins(24, 16, 24, 24)
        self._grid.setHorizontalSpacing(24)
        self._grid.setVerticalSpacing(6)
        self._grid.setColumnStretch(0, 1)
        self._fill(rows_of(bar))
        area = QScrollArea()
        area.setWidgetResizable(True)
        area.setFrameShape(QFrame.Shape.NoFrame)
        area.setAccessibleName(self.windowTitle())
        area.setWidget(page)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(area)

    def _fill(self, rows: list[tuple[str, str, str]]) -> None:
        group = ""
        line = 0
        for heading, name, keys in rows:
            if heading != group:
                group = heading
                self._put(heading, line, 0, look.HEAD, strong=True)
                line += 1
            self._put(name, line, 0, look.TEXT - 1)
            self._put(keys, line, 1, look.TEXT - 1)
            line += 1
        self._grid.setRowStretch(line, 1)

    def _put(self, text: str, line: int, column: int, size: int, *, strong: bool = False) -> None:
        label = QLabel(text)
        label.setTextFormat(Qt.TextFormat.PlainText)
        weight = QFont.Weight.DemiBold if strong else QFont.Weight.Normal
        label.setFont(self._theme.font(size, weight))
        if strong:
            label.setContentsMargins(0, 14, 0, 2)
        if strong or column:
            color_words(label, self._theme.colors.dim)
        side = Qt.AlignmentFlag.AlignRight if column else Qt.AlignmentFlag.AlignLeft
        self._grid.addWidget(label, line, column, side)
