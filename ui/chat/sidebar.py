"""The chats at the left: search over all of them, New chat, and the list grouped by day."""

from __future__ import annotations

import datetime
from typing import TYPE_CHECKING

from PySide6.QtCore import QItemSelectionModel, QModelIndex, Qt, QTimer, Signal
from PySide6.QtGui import QColor, QGuiApplication, QKeyEvent, QPainter
from PySide6.QtWidgets import (
    QAbstractItemView,
    QApplication,
    QFrame,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QListView,
    QMenu,
    QSizePolicy,
    QToolButton,
    QVBoxLayout,
)
from typing_extensions import override

from ui import theme as look
from ui.chat.chat_rows import ChatDelegate, ChatModel
from ui.chat.hits import HitList
from ui.controls import QuietButton, Surface
from ui.drops import leaves_files
from ui.icons import Icon

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtGui import QContextMenuEvent, QDragEnterEvent, QFocusEvent, QPaintEvent
    from PySide6.QtWidgets import QWidget

    from ui.state import ChatRow, HitRow
    from ui.theme import Theme

_SEARCH_AFTER_MS = 60
_BATCH = 200
"""How many rows are laid out at a time: ten thousand at once would stop the window."""
_DELETE = (Qt.Key.Key_Delete, Qt.Key.Key_Backspace)
_EXTENDING = Qt.KeyboardModifier.ShiftModifier | Qt.KeyboardModifier.ControlModifier


class ChatList(QListView):
    """The list itself. Choosing a chat by pointer or arrow keys tells of it.

    Shift and Ctrl choose several, F2 or a double click renames, Delete deletes.
    """

    chosen = Signal(str)
    pin_requested = Signal(list, bool)
    archive_requested = Signal(list, bool)
    delete_requested = Signal(list)
    export_requested = Signal()
    """The selected chats are to be written into a file."""

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self._model = ChatModel(self)
        self._setting = False
        self._waiting: tuple[Sequence[ChatRow], str, datetime.date] | None = None
        self._rows: Sequence[ChatRow] = ()
        self._today = datetime.date.min
        self._shows_archived = False
        self.setModel(self._model)
        delegate = ChatDelegate(theme, self)
        delegate.closeEditor.connect(self._on_editor_closed, Qt.ConnectionType.QueuedConnection)
        self.setItemDelegate(delegate)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.setEditTriggers(
            QAbstractItemView.EditTrigger.DoubleClicked
            | QAbstractItemView.EditTrigger.EditKeyPressed
        )
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setLayoutMode(QListView.LayoutMode.Batched)
        self.setBatchSize(_BATCH)
        self.setMouseTracking(True)
        self.setAccessibleName(self.tr("Chats"))
        self.selectionModel().currentChanged.connect(self._on_current_changed)
        theme.changed.connect(self.viewport().update)

    @property
    def chats(self) -> ChatModel:
        """The chats and headings."""
        return self._model

    @property
    def selected(self) -> list[ChatRow]:
        """The chats that are selected, from the top."""
        indexes = sorted(self.selectedIndexes(), key=QModelIndex.row)
        return [chat for chat in map(self._model.chat, indexes) if chat is not None]

    @property
    def is_renaming(self) -> bool:
        """Whether a title is being edited."""
        return self.state() == QAbstractItemView.State.EditingState

    def show_rows(self, rows: Sequence[ChatRow], current_id: str, today: datetime.date) -> None:
        """Show chats and mark the current one, without telling of it.

        While a title is being edited, they wait until that is done.
        """
        if self.is_renaming:
            self._waiting = (rows, current_id, today)
            return
        self._rows, self._today = rows, today
        kept = {chat.id for chat in self.selected}
        shown = [row for row in rows if self._shows_archived or not row.archived]
        self._setting = True
        self._model.set_rows(shown, today)
        current = self._model.index_of(current_id)
        several = len(kept) > 1 and current_id in kept
        flags = QItemSelectionModel.SelectionFlag
        if several:
            self.selectionModel().setCurrentIndex(current, flags.NoUpdate)
            for chat_id in kept:
                index = self._model.index_of(chat_id)
                self.selectionModel().select(index, flags.Select)
        else:
            # The view's own way would take Ctrl of a shortcut for adding to the selection.
            self.selectionModel().setCurrentIndex(current, flags.ClearAndSelect)
            if not current.isValid():
                self.clearSelection()
        self._setting = False

    def set_archived_shown(self, shown: bool) -> None:  # noqa: FBT001  a Qt slot
        """Show the archived chats below the others, or leave them out."""
        self._shows_archived = shown
        current = self._model.chat(self.currentIndex())
        self.show_rows(self._rows, "" if current is None else current.id, self._today)

    def rename(self) -> None:
        """Let the current chat's title be edited."""
        if self._model.chat(self.currentIndex()) is not None:
            self.edit(self.currentIndex())

    def pin(self) -> None:
        """Ask for the selected chats to be pinned, or let go where all are."""
        if chats := self.selected:
            pinned = all(chat.pinned for chat in chats)
            self.pin_requested.emit([chat.id for chat in chats], not pinned)

    def archive(self) -> None:
        """Ask for the selected chats to be archived, or brought back where all are."""
        if chats := self.selected:
            archived = all(chat.archived for chat in chats)
            self.archive_requested.emit([chat.id for chat in chats], not archived)

    def delete(self) -> None:
        """Ask for the selected chats to be deleted."""
        if chats := self.selected:
            self.delete_requested.emit([chat.id for chat in chats])

    def menu(self) -> QMenu:
        """The menu of the selected chats."""
        chats = self.selected
        menu = QMenu(self)
        menu.aboutToHide.connect(menu.deleteLater)
        if len(chats) == 1:
            menu.addAction(self.tr("Rename")).triggered.connect(self.rename)
        if chats:
            pinned = all(chat.pinned for chat in chats)
            pin = menu.addAction(self.tr("Unpin") if pinned else self.tr("Pin"))
            pin.triggered.connect(self.pin)
            archived = all(chat.archived for chat in chats)
            back = self.tr("Move out of the Archive")
            archive = menu.addAction(back if archived else self.tr("Archive"))
            archive.triggered.connect(self.archive)
            menu.addAction(self.tr("Export…")).triggered.connect(self.export_requested)
            menu.addSeparator()
            menu.addAction(self.tr("Delete")).triggered.connect(self.delete)
        return menu

    def _on_current_changed(self, current: QModelIndex) -> None:
        chat = self._model.chat(current)
        extending = QApplication.keyboardModifiers() & _EXTENDING
        if chat is not None and not self._setting and not extending:
            self.chosen.emit(chat.id)

    def _on_editor_closed(self) -> None:
        waiting, self._waiting = self._waiting, None
        if waiting is not None:
            self.show_rows(*waiting)

    @override
    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        if self.selected:
            self.menu().popup(event.globalPos())

    @override
    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in _DELETE:
            self.delete()
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self._on_current_changed(self.currentIndex())
        else:
            super().keyPressEvent(event)

    @override
    def focusInEvent(self, event: QFocusEvent) -> None:
        setting, self._setting = self._setting, True
        super().focusInEvent(event)
        self._setting = setting


class SearchField(QLineEdit):
    """Where words to find in all chats are typed."""

    down = Signal()
    escaped = Signal()

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme = theme
        self.setObjectName("quiet")
        self.setFont(theme.font(look.TEXT - 1))
        self.setFixedHeight(30)
        self.setTextMargins(8, 0, 4, 0)
        self.setMaxLength(200)
        self.setClearButtonEnabled(True)
        for button in self.findChildren(QToolButton):
            button.setAccessibleName(self.tr("Clear the search"))
        self.setPlaceholderText(self.tr("Search all chats"))
        self.setAccessibleName(self.tr("Search all chats"))
        theme.changed.connect(self.update)

    @override
    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        if not leaves_files(event):
            super().dragEnterEvent(event)

    @override
    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Down:
            self.down.emit()
        elif event.key() == Qt.Key.Key_Escape:
            self.escaped.emit()
        else:
            super().keyPressEvent(event)

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        colors = self._theme.colors
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QColor(colors.accent) if self.hasFocus() else Qt.PenStyle.NoPen)
        painter.setBrush(QColor(colors.fill))
        frame = self.rect().adjusted(0, 0, -1, -1)
        painter.drawRoundedRect(frame, look.ROW_RADIUS, look.ROW_RADIUS)
        painter.end()
        super().paintEvent(event)


class Sidebar(Surface):
    """Search, New chat, and the chats; what was found stands in for them while one searches."""

    new_chat_requested = Signal()
    chat_selected = Signal(str)
    chat_clicked = Signal()
    """A chat was pressed, the one that is shown or another."""
    search_requested = Signal(str)
    message_selected = Signal(str, str)
    chat_renamed = Signal(str, str)

    def __init__(self, theme: Theme) -> None:
        super().__init__(theme, "sidebar")
        self.search = SearchField(theme, self)
        self.hits = HitList(theme, self)
        self._none = QLabel(self.tr("Nothing was found."), self)
        self._none.setFont(theme.font(look.CAPTION))
        self._none.setContentsMargins(20, 12, 12, 0)
        self._new = QuietButton(theme, self.tr("New chat"), Icon.PLUS, strong=True)
        self._list = ChatList(theme, self)
        self._wait = QTimer(self, singleShot=True, interval=_SEARCH_AFTER_MS)
        self.setMinimumWidth(180)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 10, 0, 8)
        layout.setSpacing(2)
        for part in (self.search, self._new):
            line = QHBoxLayout()
            line.setContentsMargins(12, 0, 12, 4)
            line.addWidget(part)
            layout.addLayout(line)
        self._new.setFixedHeight(32)
        self._new.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        layout.addWidget(self._none)
        layout.addWidget(self.hits, 1)
        layout.addWidget(self._list, 1)
        self.hits.hide()
        self._none.hide()
        self._connect_signals()

    def _connect_signals(self) -> None:
        self._list.chosen.connect(self.chat_selected)
        self._list.clicked.connect(self._on_clicked)
        self._list.chats.renamed.connect(self.chat_renamed)
        self._new.clicked.connect(self.new_chat_requested)
        self.search.textChanged.connect(self._on_typed)
        self.search.down.connect(self.hits.enter)
        self.search.returnPressed.connect(self.hits.choose_first)
        self.search.escaped.connect(self.search.clear)
        self._wait.timeout.connect(self._on_search)
        self.hits.chosen.connect(self.message_selected)
        self.hits.left.connect(self.start_search)

    @property
    def list(self) -> ChatList:
        """The list of chats."""
        return self._list

    def set_chats(
        self, rows: Sequence[ChatRow], current_id: str, today: datetime.date | None = None
    ) -> None:
        """Show chats in the order given, grouped by day.

        Args:
            rows: Pinned first, then the latest first, then archived ones.
            current_id: The one that is shown.
            today: For grouping; the date of now where it is None.
        """
        now = today or datetime.datetime.now().astimezone().date()
        self._list.show_rows(rows, current_id, now)

    def set_hits(self, words: str, hits: Sequence[HitRow]) -> None:
        """Show what was found, unless other words stand in the field by now."""
        if words and words == self.search.text():
            self.hits.show_hits(hits)
            self._show_parts(searching=True, found=bool(hits))

    def start_search(self) -> None:
        """Give the field the keyboard, with its words selected."""
        self.search.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.search.selectAll()

    def _on_clicked(self, index: QModelIndex) -> None:
        plain = QGuiApplication.keyboardModifiers() == Qt.KeyboardModifier.NoModifier
        if plain and self._list.chats.chat(index) is not None:
            self.chat_clicked.emit()

    def _on_typed(self, text: str) -> None:
        if text.strip():
            self._wait.start()
        else:
            self._wait.stop()
            self._show_parts(searching=False, found=False)

    def _on_search(self) -> None:
        self.search_requested.emit(self.search.text())

    def _show_parts(self, *, searching: bool, found: bool) -> None:
        self._list.setVisible(not searching)
        self.hits.setVisible(searching)
        self._none.setVisible(searching and not found)
