"""The list of chats at the left, grouped by day, and New chat above it."""

from __future__ import annotations

import datetime
from typing import TYPE_CHECKING

from PySide6.QtCore import (
    QAbstractListModel,
    QLocale,
    QModelIndex,
    QPersistentModelIndex,
    QRect,
    QSize,
    Qt,
    Signal,
)
from PySide6.QtGui import QColor, QFont, QFontMetrics, QPainter, QPen
from PySide6.QtWidgets import (
    QAbstractItemView,
    QFrame,
    QHBoxLayout,
    QListView,
    QSizePolicy,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QVBoxLayout,
)
from typing_extensions import override

from ui import theme as look
from ui.controls import QuietButton, Surface
from ui.icons import Icon
from ui.state import ChatRow

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtGui import QFocusEvent
    from PySide6.QtWidgets import QWidget

    from ui.theme import Theme

_HEAD_HEIGHT = 36
_ROW_HEIGHT = 50
_INSET = 8
_PAD = 12
_Index = QModelIndex | QPersistentModelIndex


class ChatModel(QAbstractListModel):
    """Chats, latest first, with a heading before each group."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._entries: list[str | ChatRow] = []

    def set_rows(self, rows: Sequence[ChatRow], today: datetime.date) -> None:
        """Show other chats, in the order given."""
        entries: list[str | ChatRow] = []
        heading = ""
        for row in rows:
            group = self._group(row.day, today)
            if group != heading:
                entries.append(group)
                heading = group
            entries.append(row)
        if entries == self._entries:
            return
        same_shape = [_key(entry) for entry in entries] == [_key(old) for old in self._entries]
        if same_shape:
            self._entries = entries
            self.dataChanged.emit(self.index(0), self.index(len(entries) - 1))
            return
        self.beginResetModel()
        self._entries = entries
        self.endResetModel()

    def chat(self, index: _Index) -> ChatRow | None:
        """The chat at an index; None for a heading."""
        if not index.isValid():
            return None
        entry = self._entries[index.row()]
        return entry if isinstance(entry, ChatRow) else None

    def index_of(self, chat_id: str) -> QModelIndex:
        """Where a chat stands; an invalid index where it does not."""
        for number, entry in enumerate(self._entries):
            if isinstance(entry, ChatRow) and entry.id == chat_id:
                return self.index(number)
        return QModelIndex()

    @override
    def rowCount(self, parent: _Index | None = None) -> int:
        return len(self._entries)

    @override
    def flags(self, index: _Index) -> Qt.ItemFlag:
        if self.chat(index) is None:
            return Qt.ItemFlag.NoItemFlags
        return Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable

    @override
    def data(self, index: _Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        entry = self._entries[index.row()]
        if role == Qt.ItemDataRole.DisplayRole:
            return entry.title if isinstance(entry, ChatRow) else entry
        if role == Qt.ItemDataRole.ToolTipRole and isinstance(entry, ChatRow):
            return entry.title
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return f"{entry.title}. {entry.preview}" if isinstance(entry, ChatRow) else entry
        return None

    def _group(self, day: datetime.date, today: datetime.date) -> str:
        if day >= today:
            return self.tr("Today")
        if day == today - datetime.timedelta(days=1):
            return self.tr("Yesterday")
        month = QLocale().standaloneMonthName(day.month)
        return month if day.year == today.year else f"{month} {day.year}"


class ChatDelegate(QStyledItemDelegate):
    """Paints a chat as two lines, a heading as one."""

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme = theme
        self._title = theme.font()
        self._preview = theme.font(look.CAPTION)
        self._heading = theme.font(look.HEAD, QFont.Weight.DemiBold)

    @override
    def sizeHint(self, option: QStyleOptionViewItem, index: _Index) -> QSize:
        heading = not index.flags() & Qt.ItemFlag.ItemIsSelectable
        return QSize(80, _HEAD_HEIGHT if heading else _ROW_HEIGHT)

    @override
    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: _Index) -> None:
        model = index.model()
        assert isinstance(model, ChatModel)
        # The stubs do not know the fields that QStyleOption fills in.
        rect: QRect = option.rect  # pyright: ignore[reportAttributeAccessIssue, reportUnknownMemberType, reportUnknownVariableType]
        state: QStyle.StateFlag = option.state  # pyright: ignore[reportAttributeAccessIssue, reportUnknownMemberType, reportUnknownVariableType]
        chat = model.chat(index)
        if chat is None:
            self._paint_heading(painter, rect, str(index.data()))
        else:
            self._paint_chat(painter, rect, state, chat)

    def _paint_heading(self, painter: QPainter, rect: QRect, text: str) -> None:
        painter.setFont(self._heading)
        painter.setPen(QColor(self._theme.colors.faint))
        area = rect.adjusted(_INSET + _PAD, 0, -_PAD, -8)
        painter.drawText(area, Qt.AlignmentFlag.AlignBottom | Qt.AlignmentFlag.AlignLeft, text)

    def _paint_chat(
        self, painter: QPainter, rect: QRect, state: QStyle.StateFlag, chat: ChatRow
    ) -> None:
        colors = self._theme.colors
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        ground = rect.adjusted(_INSET, 1, -_INSET, -1)
        selected = bool(state & QStyle.StateFlag.State_Selected)
        painter.setPen(Qt.PenStyle.NoPen)
        fill = QColor(colors.fill)
        if not selected:
            fill.setAlphaF(0.55)
        if selected or state & QStyle.StateFlag.State_MouseOver:
            painter.setBrush(fill)
            painter.drawRoundedRect(ground, look.ROW_RADIUS, look.ROW_RADIUS)
        if state & QStyle.StateFlag.State_KeyboardFocusChange:
            painter.setPen(QPen(QColor(colors.accent), 2))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRoundedRect(ground.adjusted(1, 1, -1, -1), 6, 6)
        area = ground.adjusted(_PAD, 6, -_PAD, -6)
        self._line(painter, area, self._title, colors.text, chat.title, Qt.AlignmentFlag.AlignTop)
        dim = colors.dim
        self._line(painter, area, self._preview, dim, chat.preview, Qt.AlignmentFlag.AlignBottom)

    @staticmethod
    def _line(
        painter: QPainter, area: QRect, font: QFont, color: str, text: str, edge: Qt.AlignmentFlag
    ) -> None:
        painter.setFont(font)
        painter.setPen(QColor(color))
        shown = QFontMetrics(font).elidedText(
            text[:200].replace("\n", " "), Qt.TextElideMode.ElideRight, area.width()
        )
        painter.drawText(area, edge | Qt.AlignmentFlag.AlignLeft, shown)


class ChatList(QListView):
    """The list itself. Choosing a chat by pointer or arrow keys tells of it."""

    chosen = Signal(str)

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self._model = ChatModel(self)
        self._setting = False
        self.setModel(self._model)
        self.setItemDelegate(ChatDelegate(theme, self))
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setMouseTracking(True)
        self.setAccessibleName(self.tr("Chats"))
        self.selectionModel().currentChanged.connect(self._on_current_changed)
        theme.changed.connect(self.viewport().update)

    @property
    def chats(self) -> ChatModel:
        """The chats and headings."""
        return self._model

    def show_rows(self, rows: Sequence[ChatRow], current_id: str, today: datetime.date) -> None:
        """Show chats and mark the current one, without telling of it."""
        self._setting = True
        self._model.set_rows(rows, today)
        self.setCurrentIndex(self._model.index_of(current_id))
        self._setting = False

    def _on_current_changed(self, current: QModelIndex) -> None:
        chat = self._model.chat(current)
        if chat is not None and not self._setting:
            self.chosen.emit(chat.id)

    @override
    def focusInEvent(self, event: QFocusEvent) -> None:
        setting, self._setting = self._setting, True
        super().focusInEvent(event)
        self._setting = setting


class Sidebar(Surface):
    """New chat, and the chats."""

    new_chat_requested = Signal()
    chat_selected = Signal(str)

    def __init__(self, theme: Theme) -> None:
        super().__init__(theme, "sidebar")
        self._new = QuietButton(theme, self.tr("New chat"), Icon.PLUS, strong=True)
        self._list = ChatList(theme, self)
        self._list.chosen.connect(self.chat_selected)
        self._new.clicked.connect(self.new_chat_requested)
        self.setMinimumWidth(180)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 10, 0, 8)
        layout.setSpacing(2)
        top = QHBoxLayout()
        top.setContentsMargins(12, 0, 8, 0)
        self._new.setFixedHeight(32)
        self._new.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        top.addWidget(self._new)
        layout.addLayout(top)
        layout.addWidget(self._list, 1)

    @property
    def list(self) -> ChatList:
        """The list of chats."""
        return self._list

    def set_chats(
        self, rows: Sequence[ChatRow], current_id: str, today: datetime.date | None = None
    ) -> None:
        """Show chats in the order given, grouped by day.

        Args:
            rows: Latest first.
            current_id: The one that is shown.
            today: For grouping; the date of now where it is None.
        """
        now = today or datetime.datetime.now().astimezone().date()
        self._list.show_rows(rows, current_id, now)


def _key(entry: str | ChatRow) -> str:
    """What has to be equal for an entry to stay in its place."""
    return f"#{entry.id}" if isinstance(entry, ChatRow) else entry
