"""Asking where chats go and which ones come in."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication, QDate, QLocale, Qt, Signal
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QFileDialog,
    QLabel,
    QListWidget,
    QListWidgetItem,
    QProgressDialog,
    QVBoxLayout,
    QWidget,
)

from ui.counts import Counts
from ui.figures import count
from ui.files import file_name

if TYPE_CHECKING:
    from collections.abc import Callable

    from ui.state import ImportDone, ImportPreview, ImportRow

_CHAT_ID = Qt.ItemDataRole.UserRole
_PATIENCE_MS = 400
_WIDTH = 360
_TOLD = 5
"""How many of the things that do not come in are named."""


def ask_export(parent: QWidget, title: str, on_chosen: Callable[[str, str], None]) -> QFileDialog:
    """Ask for a file and a format.

    Args:
        parent: The window.
        title: What the file is called where nothing else is wanted.
        on_chosen: Called with the path and the format.
    """
    translate = QCoreApplication.translate
    forms = {
        translate("Transfer", "Markdown (*.md)"): ("markdown", "md"),
        translate("Transfer", "Web page (*.html)"): ("html", "html"),
        translate("Transfer", "Plain text (*.txt)"): ("text", "txt"),
        translate("Transfer", "JSON, for import (*.json)"): ("json", "json"),
    }
    dialog = QFileDialog(parent, translate("Transfer", "Export"), str(Path.home()))
    dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
    dialog.setNameFilters(list(forms))
    dialog.setDefaultSuffix("md")
    dialog.selectFile(file_name(title, translate("Transfer", "Chat")))

    def on_filter(name: str) -> None:
        dialog.setDefaultSuffix(forms[name][1])

    def on_file(path: str) -> None:
        chosen = forms[dialog.selectedNameFilter()][0]
        by_ending = {f".{ending}": form for form, ending in forms.values()}
        on_chosen(path, by_ending.get(Path(path).suffix.lower(), chosen))

    dialog.filterSelected.connect(on_filter)
    dialog.fileSelected.connect(on_file)
    dialog.open()
    return dialog


def import_sentence(done: ImportDone) -> str:
    """Say what came in, and what did not."""
    translate = QCoreApplication.translate
    one = done.chats == 1
    sentence = (
        translate("Transfer", "One chat came in.") if one else Counts().chats_came_in(done.chats)
    )
    if not done.left_out:
        return sentence
    rest = Counts().chats_left_out(len(done.left_out))
    return f"{sentence} {rest.format(reason=done.left_out[0][1])}"


def export_sentence(chats: int, name: str) -> str:
    """Say what was written into the file of that name."""
    translate = QCoreApplication.translate
    sentence = (
        translate("Transfer", "The chat was written to {name}.")
        if chats == 1
        else Counts().chats_written(chats)
    )
    return sentence.format(name=name)


class TransferProgress(QProgressDialog):
    """How far chats have come, with a way to end it; shown once it takes a moment."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setMinimumDuration(_PATIENCE_MS)
        self.setMinimumWidth(_WIDTH)
        self.setAutoReset(False)
        self.setCancelButtonText(self.tr("Cancel"))

    def show_progress(self, kind: str, done: int, total: int) -> None:
        """Show how much is done of how much: "export", "read" or "import"; 0 of 0 is not known."""
        titles = {
            "export": self.tr("Export"),
            "read": self.tr("Import Chats"),
            "import": self.tr("Import Chats"),
        }
        sentences = {
            "export": self.tr("{done} of {total} chats are written."),
            "read": self.tr("The files are being read."),
            "import": self.tr("{done} of {total} messages have come in."),
        }
        self.setWindowTitle(titles[kind])
        self.setLabelText(sentences[kind].format(done=count(done), total=count(total)))
        self.setMaximum(total)
        self.setValue(done)


class ImportDialog(QDialog):
    """What the files hold: chats to tick, and what cannot come in."""

    chosen = Signal(list)
    """The ids of the chats to take."""

    def __init__(self, preview: ImportPreview, parent: QWidget) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(self.tr("Import Chats"))
        self.resize(520, 480)
        self._list = QListWidget(self)
        self._list.setAccessibleName(self.tr("Chats to import"))
        self._list.setUniformItemSizes(True)
        # On no ground at all, the style paints its ticks black on black.
        self._list.setStyleSheet("QListWidget { background: palette(base); }")
        for row in preview.rows:
            self._list.addItem(self._item(row))
        chats = len(preview.rows)
        title = (
            self.tr("One chat from {source}")
            if chats == 1
            else self.tr("%n chats from {source}", "", chats)
        )
        head = QLabel(title.format(source=preview.source))
        rest = QLabel(self._left_out(preview))
        rest.setWordWrap(True)
        rest.setTextFormat(Qt.TextFormat.PlainText)
        rest.setVisible(bool(preview.left_out))
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Cancel, self)
        self._take = buttons.addButton(self.tr("Import"), QDialogButtonBox.ButtonRole.AcceptRole)
        column = QVBoxLayout(self)
        for part in (head, self._list, rest, buttons):
            column.addWidget(part)
        buttons.accepted.connect(self._on_accepted)
        buttons.rejected.connect(self.reject)
        self._list.itemChanged.connect(self._on_changed)
        self._on_changed()

    @property
    def ticked(self) -> list[str]:
        """The ids of the chats that are ticked, from the top."""
        items = map(self._list.item, range(self._list.count()))
        checked = Qt.CheckState.Checked
        return [str(item.data(_CHAT_ID)) for item in items if item.checkState() == checked]

    def _item(self, row: ImportRow) -> QListWidgetItem:
        here = row.here
        item = QListWidgetItem(self._line(row))
        item.setData(_CHAT_ID, row.id)
        flags = Qt.ItemFlag.ItemIsSelectable | Qt.ItemFlag.ItemIsUserCheckable
        item.setFlags(flags if here else flags | Qt.ItemFlag.ItemIsEnabled)
        item.setCheckState(Qt.CheckState.Unchecked if here else Qt.CheckState.Checked)
        return item

    def _line(self, row: ImportRow) -> str:
        day = QLocale().toString(
            QDate(row.day.year, row.day.month, row.day.day), QLocale.FormatType.ShortFormat
        )
        many = self.tr("%n messages", "", row.messages)
        messages = self.tr("1 message") if row.messages == 1 else many
        note = self.tr("already here") if row.here else ""
        return "   ".join(part for part in (row.title[:200], day, messages, note) if part)

    def _left_out(self, preview: ImportPreview) -> str:
        lines = [f"{title}: {reason}" for title, reason in preview.left_out[:_TOLD]]
        if (more := len(preview.left_out) - _TOLD) > 0:
            lines.append(self.tr("and {n} more").format(n=count(more)))
        return "\n".join([self.tr("Cannot come in:"), *lines])

    def _on_changed(self) -> None:
        self._take.setEnabled(bool(self.ticked))

    def _on_accepted(self) -> None:
        self.chosen.emit(self.ticked)
        self.accept()
