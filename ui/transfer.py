"""Asking where chats go and which ones come in."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import (
    QAbstractListModel,
    QCoreApplication,
    QDate,
    QLocale,
    QModelIndex,
    QPersistentModelIndex,
    Qt,
    Signal,
)
from PySide6.QtGui import QGuiApplication, QPalette
from PySide6.QtWidgets import (
    QCheckBox,
    QDialog,
    QDialogButtonBox,
    QFileDialog,
    QLabel,
    QListView,
    QProgressDialog,
    QStyledItemDelegate,
    QStyleOption,
    QStyleOptionButton,
    QStyleOptionViewItem,
    QVBoxLayout,
    QWidget,
)
from typing_extensions import override

from ui.counts import Counts
from ui.figures import count
from ui.files import file_name

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from ui.state import ImportDone, ImportPreview, ImportRow

_CHECKED = Qt.CheckState.Checked
Index = QModelIndex | QPersistentModelIndex
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
        if self.wasCanceled():
            return
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


class _Rows(QAbstractListModel):
    """Chats to tick, all but those that are here; made into words as they are shown."""

    ticked_changed = Signal()

    def __init__(self, rows: Sequence[ImportRow], parent: QWidget) -> None:
        super().__init__(parent)
        self._rows = rows
        self._ticked: set[str] = {row.id for row in rows if not row.here}
        self._most = len(self._ticked)

    @property
    def ticked(self) -> list[str]:
        """The ids of the chats that are ticked, from the top."""
        return [row.id for row in self._rows if row.id in self._ticked]

    @property
    def state(self) -> Qt.CheckState:
        """Whether all chats that could be ticked are, or some, or none."""
        if not self._ticked:
            return Qt.CheckState.Unchecked
        whole = len(self._ticked) == self._most
        return Qt.CheckState.Checked if whole else Qt.CheckState.PartiallyChecked

    def tick_all(self, *, ticked: bool) -> None:
        """Tick all chats that can be, or none."""
        self._ticked = {row.id for row in self._rows if ticked and not row.here}
        self.dataChanged.emit(self.index(0), self.index(len(self._rows) - 1))
        self.ticked_changed.emit()

    @override
    def rowCount(self, parent: Index | None = None) -> int:
        return len(self._rows)

    @override
    def flags(self, index: Index) -> Qt.ItemFlag:
        flags = Qt.ItemFlag.ItemIsSelectable | Qt.ItemFlag.ItemIsUserCheckable
        here = self._rows[index.row()].here
        return flags if here else flags | Qt.ItemFlag.ItemIsEnabled

    @override
    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        row = self._rows[index.row()]
        if role == Qt.ItemDataRole.DisplayRole:
            return self._line(row)
        if role == Qt.ItemDataRole.CheckStateRole:
            ticked = row.id in self._ticked
            return Qt.CheckState.Checked if ticked else Qt.CheckState.Unchecked
        return None

    @override
    def setData(self, index: Index, value: object, role: int = Qt.ItemDataRole.EditRole) -> bool:
        if role != Qt.ItemDataRole.CheckStateRole:
            return False
        change = self._ticked.add if Qt.CheckState(value) == _CHECKED else self._ticked.discard
        change(self._rows[index.row()].id)
        self.dataChanged.emit(index, index)
        self.ticked_changed.emit()
        return True

    def _line(self, row: ImportRow) -> str:
        day = QLocale().toString(
            QDate(row.day.year, row.day.month, row.day.day), QLocale.FormatType.ShortFormat
        )
        translate = QCoreApplication.translate
        one = row.messages == 1
        messages = (
            translate("ImportDialog", "1 message") if one else Counts().messages(row.messages)
        )
        note = translate("ImportDialog", "already here") if row.here else ""
        return "   ".join(part for part in (row.title[:200], day, messages, note) if part)


def _framed(option: QStyleOption) -> None:
    """Have a tick be seen on any ground.

    Qt's own style frames it darker than the window, and fills it black where the ground is none.
    """
    # The stubs do not know the fields that QStyleOption fills in.
    colors: QPalette = option.palette  # pyright: ignore[reportAttributeAccessIssue, reportUnknownMemberType, reportUnknownVariableType]
    colors.setColor(QPalette.ColorRole.Window, colors.color(QPalette.ColorRole.PlaceholderText))
    colors.setColor(QPalette.ColorRole.Base, QGuiApplication.palette().base().color())
    option.palette = colors  # pyright: ignore[reportAttributeAccessIssue]


class _Ticks(QStyledItemDelegate):
    @override
    def initStyleOption(self, option: QStyleOptionViewItem, index: Index) -> None:
        super().initStyleOption(option, index)
        _framed(option)


class _Tick(QCheckBox):
    @override
    def initStyleOption(self, option: QStyleOptionButton) -> None:
        super().initStyleOption(option)
        _framed(option)


class ImportDialog(QDialog):
    """What the files hold: chats to tick, and what cannot come in."""

    chosen = Signal(list)
    """The ids of the chats to take."""

    def __init__(self, preview: ImportPreview, parent: QWidget) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(self.tr("Import Chats"))
        self.resize(600, 520)
        self._rows = _Rows(preview.rows, self)
        view = QListView(self)
        view.setModel(self._rows)
        view.setAccessibleName(self.tr("Chats to import"))
        view.setItemDelegate(_Ticks(view))
        view.setUniformItemSizes(True)
        view.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        view.setTextElideMode(Qt.TextElideMode.ElideMiddle)  # the end of a line says what it is
        chats = len(preview.rows)
        title = (
            self.tr("One chat from {source}")
            if chats == 1
            else self.tr("%n chats from {source}", "", chats)
        )
        self.all = _Tick(title.format(source=preview.source))
        self.all.setEnabled(any(not row.here for row in preview.rows))
        rest = QLabel(self._left_out(preview))
        rest.setWordWrap(True)
        rest.setTextFormat(Qt.TextFormat.PlainText)
        rest.setVisible(bool(rest.text()))
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Cancel, self)
        self._take = buttons.addButton(self.tr("Import"), QDialogButtonBox.ButtonRole.AcceptRole)
        column = QVBoxLayout(self)
        for part in (self.all, view, rest, buttons):
            column.addWidget(part)
        view.setFocus()
        buttons.accepted.connect(self._on_accepted)
        buttons.rejected.connect(self.reject)
        self.all.clicked.connect(self._on_all)
        self._rows.ticked_changed.connect(self._on_changed)
        self._on_changed()

    @property
    def ticked(self) -> list[str]:
        """The ids of the chats that are ticked, from the top."""
        return self._rows.ticked

    def _left_out(self, preview: ImportPreview) -> str:
        lines = [f"{title}: {reason}" for title, reason in preview.left_out[:_TOLD]]
        if (more := len(preview.left_out) - _TOLD) > 0:
            lines.append(self.tr("and {n} more").format(n=count(more)))
        if lines:
            lines.insert(0, self.tr("Cannot come in:"))
        if preview.lacking:
            things = ", ".join(f"{name} ({count(number)})" for name, number in preview.lacking)
            lines.append(self.tr("The chats come in without these: {things}").format(things=things))
        return "\n".join(lines)

    def _on_all(self) -> None:
        self._rows.tick_all(ticked=self.all.checkState() != Qt.CheckState.Unchecked)

    def _on_changed(self) -> None:
        state = self._rows.state
        self.all.setCheckState(state)
        self.all.setTristate(state == Qt.CheckState.PartiallyChecked)
        self._take.setEnabled(state != Qt.CheckState.Unchecked)

    def _on_accepted(self) -> None:
        self.chosen.emit(self.ticked)
        self.accept()
