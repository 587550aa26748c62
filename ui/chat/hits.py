"""What a search over all chats found: the chat's title, and the words around each hit."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import (
    QAbstractListModel,
    QModelIndex,
    QPersistentModelIndex,
    QPointF,
    QRect,
    QSize,
    Qt,
    Signal,
)
from PySide6.QtGui import (
    QColor,
    QFont,
    QFontMetrics,
    QPainter,
    QPen,
    QTextCharFormat,
    QTextLayout,
    QTextOption,
)
from PySide6.QtWidgets import (
    QAbstractItemView,
    QFrame,
    QListView,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
)
from typing_extensions import override

from ui import theme as look

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtGui import QKeyEvent
    from PySide6.QtWidgets import QWidget

    from ui.state import HitRow
    from ui.theme import Theme

_HEIGHT = 66
_INSET = 8
_PAD = 12
_LINES = 2
_Index = QModelIndex | QPersistentModelIndex


class HitModel(QAbstractListModel):
    """Hits in the order given."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._hits: tuple[HitRow, ...] = ()

    def set_hits(self, hits: Sequence[HitRow]) -> None:
        """Show other hits."""
        self.beginResetModel()
        self._hits = tuple(hits)
        self.endResetModel()

    def hit(self, index: _Index) -> HitRow | None:
        """The hit at an index."""
        return self._hits[index.row()] if index.isValid() else None

    @override
    def rowCount(self, parent: _Index | None = None) -> int:
        return len(self._hits)

    @override
    def data(self, index: _Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        hit = self._hits[index.row()]
        if role == Qt.ItemDataRole.DisplayRole:
            return hit.title
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return f"{hit.title}. {hit.snippet}" if hit.message_id else hit.title
        return None


class HitDelegate(QStyledItemDelegate):
    """Paints the title in one line and the snippet in two, with its hits marked."""

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme = theme
        self._title = theme.font(look.TEXT - 1)
        self._snippet = theme.font(look.CAPTION)

    @override
    def sizeHint(self, option: QStyleOptionViewItem, index: _Index) -> QSize:
        return QSize(80, _HEIGHT)

    @override
    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: _Index) -> None:
        model = index.model()
        assert isinstance(model, HitModel)
        hit = model.hit(index)
        # The stubs do not know the fields that QStyleOption fills in.
        rect: QRect = option.rect  # pyright: ignore[reportAttributeAccessIssue, reportUnknownMemberType, reportUnknownVariableType]
        state: QStyle.StateFlag = option.state  # pyright: ignore[reportAttributeAccessIssue, reportUnknownMemberType, reportUnknownVariableType]
        if hit is None:
            return
        colors = self._theme.colors
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        ground = rect.adjusted(_INSET, 1, -_INSET, -1)
        if state & (QStyle.StateFlag.State_Selected | QStyle.StateFlag.State_MouseOver):
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(QColor(colors.fill))
            painter.drawRoundedRect(ground, look.ROW_RADIUS, look.ROW_RADIUS)
        by_keyboard = state & QStyle.StateFlag.State_KeyboardFocusChange
        if by_keyboard and state & QStyle.StateFlag.State_HasFocus:
            painter.setPen(QPen(QColor(colors.accent), 2))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRoundedRect(ground.adjusted(1, 1, -1, -1), 6, 6)
        area = ground.adjusted(_PAD, 6, -_PAD, -6)
        if hit.message_id:
            painter.setFont(self._title)
            painter.setPen(QColor(colors.text))
            title = QFontMetrics(self._title).elidedText(
                hit.title[:200], Qt.TextElideMode.ElideRight, area.width()
            )
            painter.drawText(area, Qt.AlignmentFlag.AlignTop | Qt.AlignmentFlag.AlignLeft, title)
            self._paint_marked(painter, area.adjusted(0, 19, 0, 0), hit, self._snippet)
        else:
            self._paint_marked(painter, area.adjusted(0, 8, 0, 0), hit, self._title)

    def _paint_marked(self, painter: QPainter, area: QRect, hit: HitRow, font: QFont) -> None:
        colors = self._theme.colors
        layout = QTextLayout(hit.snippet, font)
        option = QTextOption()
        option.setWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
        layout.setTextOption(option)
        marked = QTextCharFormat()
        marked.setForeground(QColor(colors.text))
        marked.setBackground(QColor(colors.found))
        layout.setFormats([self._range(hit.snippet, mark, marked) for mark in hit.marks])
        layout.beginLayout()
        y = 0.0
        for _ in range(_LINES):
            line = layout.createLine()
            if not line.isValid():
                break
            line.setLineWidth(area.width())
            line.setPosition(QPointF(0, y))
            y += line.height()
        layout.endLayout()
        painter.setPen(QColor(colors.dim))
        layout.draw(painter, QPointF(area.topLeft()))

    @staticmethod
    def _range(
        text: str, mark: tuple[int, int], marked: QTextCharFormat
    ) -> QTextLayout.FormatRange:
        """A mark in code points as Qt counts, in UTF-16."""
        start, end = (len(text[:at].encode("utf-16-le")) // 2 for at in mark)
        found = QTextLayout.FormatRange()
        found.start, found.length, found.format = start, end - start, marked  # pyright: ignore[reportAttributeAccessIssue]  the stubs lack the fields
        return found


class HitList(QListView):
    """The hits; a click or Return chooses one."""

    chosen = Signal(str, str)
    """A chat's id, and a message's, empty where the title was found."""
    left = Signal()
    """The arrow key led above the first hit, or Esc away from them."""

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self._model = HitModel(self)
        self.setModel(self._model)
        self.setItemDelegate(HitDelegate(theme, self))
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setUniformItemSizes(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setMouseTracking(True)
        self.setAccessibleName(self.tr("Found in all chats"))
        self.clicked.connect(self._choose)
        theme.changed.connect(self.viewport().update)

    @property
    def hits(self) -> HitModel:
        """What is shown."""
        return self._model

    def show_hits(self, hits: Sequence[HitRow]) -> None:
        """Show other hits, from the first."""
        self._model.set_hits(hits)
        self.scrollToTop()

    def enter(self) -> None:
        """Give the first hit the keyboard."""
        if self._model.rowCount():
            self.setFocus(Qt.FocusReason.TabFocusReason)
            self.setCurrentIndex(self._model.index(0))

    def choose_first(self) -> None:
        """Choose the first hit."""
        self._choose(self._model.index(0))

    @override
    def keyPressEvent(self, event: QKeyEvent) -> None:
        first = self.currentIndex().row() <= 0
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self._choose(self.currentIndex())
        elif event.key() == Qt.Key.Key_Escape or (event.key() == Qt.Key.Key_Up and first):
            self.left.emit()
        else:
            super().keyPressEvent(event)

    def _choose(self, index: QModelIndex) -> None:
        hit = self._model.hit(index)
        if hit is not None:
            self.chosen.emit(hit.chat_id, hit.message_id)
