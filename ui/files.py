"""Asking for files and folders: models to open, chats to take in, where chats are written."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtWidgets import QFileDialog, QWidget

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ui.state import ChatRow
    from ui.transfer import TransferProgress

_LONGEST_NAME = 80
_NOT_IN_NAMES = re.compile(r'[\\/:*?"<>|\s]+')


def file_name(title: str, otherwise: str) -> str:
    """A name for a file, without its ending, that every system takes.

    Args:
        title: What is in it.
        otherwise: The name where nothing of the title can stand in one.
    """
    return _NOT_IN_NAMES.sub(" ", title).strip(" .")[:_LONGEST_NAME].strip(" .") or otherwise


class Files(QObject):
    """Opens the dialogs over a window, and tells what was chosen."""

    model_chosen = Signal(str)
    """A model folder or a .gguf file."""
    chats_chosen = Signal(list)
    """Paths of files with chats."""
    export_chosen = Signal(str, str, list)
    """A path, a format, and the ids of the chats to write; none is all."""
    stop_requested = Signal()
    """What `show_progress` tells of is to end."""

    def __init__(self, window: QWidget) -> None:
        super().__init__(window)
        self._window = window
        self._progress: TransferProgress | None = None

    def choose_folder(self) -> None:
        """Ask for a model folder."""
        dialog = self._dialog(self.tr("Open model folder"))
        dialog.setFileMode(QFileDialog.FileMode.Directory)
        dialog.fileSelected.connect(self.model_chosen)
        dialog.open()

    def choose_file(self) -> None:
        """Ask for a .gguf file."""
        dialog = self._dialog(self.tr("Open .gguf file"))
        dialog.setFileMode(QFileDialog.FileMode.ExistingFile)
        dialog.setNameFilter(self.tr("GGUF models (*.gguf)"))
        dialog.fileSelected.connect(self.model_chosen)
        dialog.open()

    def choose_chats(self) -> None:
        """Ask for files with chats."""
        dialog = self._dialog(self.tr("Import chats"))
        dialog.setFileMode(QFileDialog.FileMode.ExistingFiles)
        dialog.setNameFilter(self.tr("Chats (*.json *.zip)"))
        dialog.filesSelected.connect(self._on_files)
        dialog.open()

    def export(self, chats: Sequence[ChatRow]) -> None:
        """Ask where chats are to be written."""
        if chats:
            self._ask_export(chats[0].title, [chat.id for chat in chats])

    def export_all(self) -> None:
        """Ask where all chats are to be written."""
        self._ask_export(self.tr("All chats"), [])

    def show_progress(self, kind: str, done: int, total: int) -> None:
        """Show how far chats have come, as `TransferProgress` does."""
        if self._progress is None:
            from ui.transfer import TransferProgress

            self._progress = TransferProgress(self._window)
            self._progress.canceled.connect(self.stop_requested)
        self._progress.show_progress(kind, done, total)

    def end_progress(self) -> None:
        """Show that nothing is on its way any more."""
        progress, self._progress = self._progress, None
        if progress is not None:
            progress.canceled.disconnect(self.stop_requested)
            progress.close()
            progress.deleteLater()

    def _ask_export(self, title: str, chat_ids: list[str]) -> None:
        def on_chosen(path: str, form: str) -> None:
            self.export_chosen.emit(path, form, chat_ids)

        from ui.transfer import ask_export

        ask_export(self._window, title, on_chosen)

    def _dialog(self, title: str) -> QFileDialog:
        dialog = QFileDialog(self._window, title, str(Path.home()))
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        return dialog

    def _on_files(self, paths: list[str]) -> None:
        """Qt does not connect a signal with a list of strings to one with any list."""
        self.chats_chosen.emit(paths)
