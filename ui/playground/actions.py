"""The playground's menu, and the dialogs for its documents."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication, QObject, Signal
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QFileDialog, QMenu, QWidget

if TYPE_CHECKING:
    from PySide6.QtWidgets import QMainWindow

ENDING = "cutaway"
_LONGEST_NAME = 40


class PlaygroundActions(QObject):
    """Every action of the playground, for the menu bar and with it for the palette.

    Step, Run, Undo and Redo work while the playground is shown; New and Open lead there.
    """

    def __init__(self, window: QMainWindow) -> None:
        super().__init__(window)
        translate = QCoreApplication.translate
        self.step = self._make(translate("Playground", "Step One Token"))
        self.run = self._make(translate("Playground", "Run"), "Ctrl+Return")
        self.stop = self._make(translate("Playground", "Stop Running"))
        self.undo = self._make(translate("Playground", "Undo Token"))
        self.redo = self._make(translate("Playground", "Redo Token"))
        self.edit = self._make(translate("Playground", "Edit Text"))
        self.new = self._make(translate("Playground", "New Playground"))
        self.open = self._make(translate("Playground", "Open Playground…"))
        self.save = self._make(translate("Playground", "Save Playground"), "Ctrl+S")
        self.save_as = self._make(translate("Playground", "Save Playground As…"), "Ctrl+Shift+S")
        self.menu = QMenu(translate("Playground", "&Playground"), window)
        self.menu.addActions([self.step, self.run, self.stop, self.undo, self.redo, self.edit])
        self.menu.addSeparator()
        self.menu.addActions([self.new, self.open, self.save, self.save_as])
        bar = window.menuBar()
        before = next(
            (each for each in bar.actions() if each.text() == translate("Actions", "&View")), None
        )
        if before is None:
            bar.addMenu(self.menu)
        else:
            bar.insertMenu(before, self.menu)
        self.set_here(here=False)

    def set_here(self, *, here: bool) -> None:
        """Whether the playground is shown."""
        text = (self.step, self.run, self.stop, self.undo, self.redo, self.edit)
        for action in (*text, self.save, self.save_as):
            action.setEnabled(here)

    def document_menu(self, parent: QWidget) -> QMenu:
        """The menu under the document's name."""
        menu = QMenu(parent)
        menu.addActions([self.new, self.open, self.save, self.save_as])
        return menu

    def _make(self, text: str, keys: str = "") -> QAction:
        action = QAction(text, self)
        action.setMenuRole(QAction.MenuRole.NoRole)
        if keys:
            action.setShortcut(QKeySequence(keys))
        return action


class DocumentDialogs(QObject):
    """Asks for files of the playground over its window."""

    open_chosen = Signal(str)
    save_chosen = Signal(str)

    def __init__(self, window: QWidget) -> None:
        super().__init__(window)
        self._window = window

    def ask_open(self) -> None:
        """Ask which document to open."""
        dialog = self._dialog(self.tr("Open playground"))
        dialog.setFileMode(QFileDialog.FileMode.ExistingFile)
        dialog.fileSelected.connect(self.open_chosen)
        dialog.open()

    def ask_save(self, text: str) -> None:
        """Ask where to save one.

        Args:
            text: Its text, from whose beginning a name is made.
        """
        dialog = self._dialog(self.tr("Save playground"))
        dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
        dialog.setDefaultSuffix(ENDING)
        plain = "".join(letter if letter.isalnum() else " " for letter in text)
        name = " ".join(plain.split())[:_LONGEST_NAME].strip() or self.tr("Playground")
        dialog.selectFile(f"{name}.{ENDING}")
        dialog.fileSelected.connect(self.save_chosen)
        dialog.open()

    def _dialog(self, title: str) -> QFileDialog:
        dialog = QFileDialog(self._window, title, str(Path.home()))
        dialog.setNameFilters(
            [
                self.tr("Playgrounds (*.{ending} *.json)").format(ending=ENDING),
                self.tr("All files (*)"),
            ]
        )
        dialog.finished.connect(dialog.deleteLater)
        return dialog
