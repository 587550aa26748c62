"""The chats as rows: the model with its headings, and how rows are painted and renamed."""

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
from PySide6.QtWidgets import QLineEdit, QStyle, QStyledItemDelegate, QStyleOptionViewItem
from typing_extensions import override

from ui import theme as look
from ui.state import ChatRow

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtWidgets import QWidget

    from ui.theme import Theme

_HEAD_HEIGHT = 36
_ROW_HEIGHT = 50
_COMPACT_HEAD_HEIGHT = 30
_COMPACT_ROW_HEIGHT = 32
_INSET = 8
_PAD = 12
_LONGEST_TITLE = 200
Index = QModelIndex | QPersistentModelIndex


class ChatModel(QAbstractListModel):
    """Chats, latest first, with a heading before each group; renaming one tells of it."""

    renamed = Signal(str, str)

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._entries: list[str | ChatRow] = []

    def set_rows(self, rows: Sequence[ChatRow], today: datetime.date) -> None:
        """Show other chats, in the order given."""
        entries: list[str | ChatRow] = []
        heading = ""
        groups: dict[tuple[datetime.date, bool, bool], str] = {}  # names of months are dear
        for row in rows:
            kind = (row.day, row.pinned, row.archived)
            if kind not in groups:
                groups[kind] = self._group(row, today)
            group = groups[kind]
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

    def chat(self, index: Index) -> ChatRow | None:
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
    def rowCount(self, parent: Index | None = None) -> int:
        return len(self._entries)

    @override
    def flags(self, index: Index) -> Qt.ItemFlag:
        if self.chat(index) is None:
            return Qt.ItemFlag.NoItemFlags
        flags = Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable
        return flags | Qt.ItemFlag.ItemIsEditable

    @override
    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        entry = self._entries[index.row()]
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.EditRole):
            return entry.title if isinstance(entry, ChatRow) else entry
        if role == Qt.ItemDataRole.ToolTipRole and isinstance(entry, ChatRow):
            return entry.title
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return f"{entry.title}. {entry.preview}" if isinstance(entry, ChatRow) else entry
        return None

    @override
    def setData(self, index: Index, value: object, role: int = Qt.ItemDataRole.EditRole) -> bool:
        chat = self.chat(index)
        title = " ".join(str(value).split())
        if chat is None or role != Qt.ItemDataRole.EditRole or title in ("", chat.title):
            return False
        self.renamed.emit(chat.id, title)
        return True

    def _group(self, row: ChatRow, today: datetime.date) -> str:
        day = row.day
        if row.archived:
            return self.tr("Archived")
        if row.pinned:
            return self.tr("Pinned")
        if day >= today:
            return self.tr("Today")
        if day == today - datetime.timedelta(days=1):
            return self.tr("Yesterday")
        month = QLocale().standaloneMonthName(day.month)
        return month if day.year == today.year else f"{month} {day.year}"


class ChatDelegate(QStyledItemDelegate):
    """Paints a chat as two lines, as one where rows are to stand close, a heading as one."""

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme = theme
        self._title = theme.font()
        self._preview = theme.font(look.CAPTION)
        self._heading = theme.font(look.HEAD, QFont.Weight.DemiBold)
        self._compact = theme.compact
        theme.changed.connect(self._on_theme_changed)

    def _on_theme_changed(self) -> None:
        if self._compact != self._theme.compact:
            self._compact = self._theme.compact
            self.sizeHintChanged.emit(QModelIndex())

    @override
    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        heading = not index.flags() & Qt.ItemFlag.ItemIsSelectable
        if self._compact:
            return QSize(80, _COMPACT_HEAD_HEIGHT if heading else _COMPACT_ROW_HEIGHT)
        return QSize(80, _HEAD_HEIGHT if heading else _ROW_HEIGHT)

    @override
    def createEditor(self, parent: QWidget, option: QStyleOptionViewItem, index: Index) -> QWidget:
        editor = QLineEdit(parent)
        editor.setFont(self._title)
        editor.setMaxLength(_LONGEST_TITLE)
        editor.setAccessibleName(self.tr("Title of the chat"))
        return editor

    @override
    def updateEditorGeometry(
        self, editor: QWidget, option: QStyleOptionViewItem, index: Index
    ) -> None:
        rect: QRect = option.rect  # pyright: ignore[reportAttributeAccessIssue, reportUnknownMemberType, reportUnknownVariableType]
        edge = 2 if self._compact else 10
        editor.setGeometry(rect.adjusted(_INSET + 4, edge, -_INSET - 4, -edge))

    @override
    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
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
        area = rect.adjusted(_INSET + _PAD, 0, -_PAD, -self._theme.room(8))
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
        by_keyboard = state & QStyle.StateFlag.State_KeyboardFocusChange
        if by_keyboard and state & QStyle.StateFlag.State_HasFocus:
            painter.setPen(QPen(QColor(colors.accent), 2))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRoundedRect(ground.adjusted(1, 1, -1, -1), 6, 6)
        lines = 0 if self._compact else 6
        area = ground.adjusted(_PAD, lines, -_PAD, -lines)
        edge = Qt.AlignmentFlag.AlignVCenter if self._compact else Qt.AlignmentFlag.AlignTop
        self._line(painter, area, self._title, colors.text, chat.title, edge)
        if self._compact:
            return
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


def _key(entry: str | ChatRow) -> str:
    """What has to be equal for an entry to stay in its place."""
    return f"#{entry.id}" if isinstance(entry, ChatRow) else entry
