"""The palette: every action, chat and model by a few letters of its name.

It lies over the window while it is open and gives the focus back to where it was, so that an
action works on the text it was called from.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtCore import (
    QAbstractListModel,
    QEvent,
    QModelIndex,
    QPersistentModelIndex,
    QRect,
    QRectF,
    QSize,
    Qt,
    Signal,
)
from PySide6.QtGui import QColor, QFont, QFontMetrics, QPainter, QPen
from PySide6.QtWidgets import (
    QApplication,
    QFrame,
    QListView,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QWidget,
)
from shiboken6 import isValid
from typing_extensions import override

from ui import theme as look
from ui.controls import QuietField

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from PySide6.QtCore import QObject
    from PySide6.QtGui import QMouseEvent, QPaintEvent, QResizeEvent

    from ui.theme import Theme

_WIDTH = 560
_TOP = 72
_FIELD = 48
_ROW = 36
_ROWS = 9
_MOST = 60
_PAD = 8
_Index = QModelIndex | QPersistentModelIndex


@dataclass(frozen=True)
class Entry:
    """One line of the palette.

    Attributes:
        title: What is looked for.
        kind: What it is, in a word or two; shown dimmer beside the title.
        keys: Its shortcut as the system writes it.
        run: What choosing it does.
    """

    title: str
    kind: str
    run: Callable[[], object]
    keys: str = ""


def score(title: str, query: str) -> int:
    """How well a title goes with what was typed; 0 where it does not, higher is better."""
    title, query = title.lower(), query.lower().strip()
    if not query:
        return 1
    at = title.find(query)
    if at >= 0:
        starts = at == 0 or not title[at - 1].isalnum()
        return 1000 - min(at, 99) + (500 if starts else 0) + (300 if at == 0 else 0)
    words = query.split()
    if len(words) > 1 and all(word in title for word in words):
        return 500
    return _letters(title, query.replace(" ", ""))


def _letters(title: str, query: str) -> int:
    """Letters in their order, each at the start of a word or beside the one before."""
    at = -1
    for letter in query:
        following = at + 1
        while True:
            following = title.find(letter, following)
            if following < 0:
                return 0
            if following == at + 1 or not title[following - 1].isalnum():
                break
            following += 1
        at = following
    return 100 - min(len(title), 99)


def score_of(entry: Entry, query: str) -> int:
    """How well an entry goes with what was typed: by its title, or at last with what it is."""
    found = score(entry.title, query)
    if found:
        return found
    words = f"{entry.title} {entry.kind}".lower().split()
    begun = (any(word.startswith(part) for word in words) for part in query.lower().split())
    return 1 if all(begun) else 0


class EntryModel(QAbstractListModel):
    """The entries that go with what was typed."""

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._entries: list[Entry] = []

    def set_entries(self, entries: list[Entry]) -> None:
        """Show other entries."""
        self.beginResetModel()
        self._entries = entries
        self.endResetModel()

    def entry(self, index: _Index) -> Entry | None:
        """The entry of a row."""
        return self._entries[index.row()] if index.isValid() else None

    @override
    def rowCount(self, parent: _Index | None = None) -> int:
        return len(self._entries)

    @override
    def data(self, index: _Index, role: int = 0) -> object:
        entry = self.entry(index)
        if entry is None:
            return None
        if role == Qt.ItemDataRole.DisplayRole:
            return entry.title
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return ", ".join(part for part in (entry.title, entry.kind, entry.keys) if part)
        return None


class EntryDelegate(QStyledItemDelegate):
    """Paints a line: title, kind, and the shortcut at the right."""

    def __init__(self, theme: Theme, parent: QObject) -> None:
        super().__init__(parent)
        self._theme = theme
        self._title = theme.font(look.TEXT)
        self._detail = theme.font(look.CAPTION)

    @override
    def sizeHint(self, option: QStyleOptionViewItem, index: _Index) -> QSize:
        return QSize(0, _ROW)

    @override
    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: _Index) -> None:
        model = index.model()
        entry = model.entry(index) if isinstance(model, EntryModel) else None
        if entry is None:
            return
        colors = self._theme.colors
        rect: QRect = option.rect  # pyright: ignore[reportAttributeAccessIssue, reportUnknownMemberType, reportUnknownVariableType]  missing from the stubs
        state: QStyle.StateFlag = option.state  # pyright: ignore[reportAttributeAccessIssue, reportUnknownMemberType, reportUnknownVariableType]  as above
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if state & QStyle.StateFlag.State_Selected:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(QColor(colors.fill))
            painter.drawRoundedRect(rect, look.ROW_RADIUS, look.ROW_RADIUS)
        area = rect.adjusted(12, 0, -12, 0)
        right = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight
        left = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft
        painter.setFont(self._detail)
        painter.setPen(QColor(colors.dim))
        painter.drawText(area, right, entry.keys or entry.kind)
        end = entry.keys or entry.kind
        room = area.width() - QFontMetrics(self._detail).horizontalAdvance(end) - 16
        title = QFontMetrics(self._title).elidedText(
            entry.title[:200].replace("\n", " "), Qt.TextElideMode.ElideRight, room
        )
        painter.setFont(self._title)
        painter.setPen(QColor(colors.text))
        painter.drawText(area, left, title)
        if entry.keys:
            used = QFontMetrics(self._title).horizontalAdvance(title) + 10
            painter.setFont(self._detail)
            painter.setPen(QColor(colors.dim))
            painter.drawText(area.adjusted(used, 1, 0, 1), left, entry.kind)
        painter.restore()


class Palette(QWidget):
    """The field and the list under it; a press beside them, or Esc, closes it."""

    typed = Signal(str)
    """What is looked for, so that others can add what they find."""

    def __init__(self, theme: Theme, window: QWidget) -> None:
        super().__init__(window)
        self._theme = theme
        self._window = window
        self._entries: list[Entry] = []
        self._found: list[Entry] = []
        self._before: QWidget | None = None
        self.field = QuietField(theme, self, ground=False)
        self.field.setFont(theme.font(look.TEXT + 2, QFont.Weight.Normal))
        self.field.setPlaceholderText(self.tr("Go to an action, a chat or a model"))
        self.field.setAccessibleName(self.tr("Go to anything"))
        self.list = QListView(self)
        self._model = EntryModel(self)
        self.list.setModel(self._model)
        self.list.setItemDelegate(EntryDelegate(theme, self.list))
        self.list.setFrameShape(QFrame.Shape.NoFrame)
        self.list.setUniformItemSizes(True)
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.list.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.list.setMouseTracking(True)
        self.list.setAccessibleName(self.tr("What was found"))
        self.hide()
        window.installEventFilter(self)
        self._connect_signals()

    def _connect_signals(self) -> None:
        self.field.textChanged.connect(self._on_typed)
        self.field.escaped.connect(self.close_palette)
        self.field.stepped.connect(self._step)
        self.field.entered.connect(self.choose)
        self.list.clicked.connect(self.choose)
        self.list.entered.connect(self.list.setCurrentIndex)
        self._theme.changed.connect(self.update)

    @property
    def titles(self) -> tuple[str, ...]:
        """What is listed now."""
        rows = range(self._model.rowCount())
        return tuple(str(self._model.index(row).data()) for row in rows)

    def open_palette(self, entries: Sequence[Entry]) -> None:
        """Show the palette over the window.

        Args:
            entries: Everything it can find, in the order to list where nothing is typed.
        """
        if self.isHidden():
            self._before = QApplication.focusWidget()
        self._entries = list(entries)
        self._found = []
        self.setGeometry(self._window.rect())
        self.show()
        self.raise_()
        self.field.clear()
        self._list()
        self.field.setFocus()

    def add_found(self, query: str, entries: Sequence[Entry]) -> None:
        """Add what was found elsewhere; it is left aside where something else is typed now."""
        if query == self.field.text() and not self.isHidden():
            self._found = list(entries)
            self._list()

    def close_palette(self) -> None:
        """Take the palette away and give the focus back."""
        self.hide()
        before, self._before = self._before, None
        if before is not None and isValid(before):  # its window may be closed by now
            before.setFocus()

    def choose(self) -> None:
        """Do what the current line says."""
        entry = self._model.entry(self.list.currentIndex())
        if entry is not None:
            self.close_palette()
            entry.run()

    @override
    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Resize and not self.isHidden():
            self.setGeometry(self._window.rect())
        return super().eventFilter(watched, event)

    @override
    def mousePressEvent(self, event: QMouseEvent) -> None:
        if not self._frame().contains(event.position()):
            self.close_palette()

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        self._arrange()

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        colors = self._theme.colors
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        frame = self._frame()
        painter.setPen(Qt.PenStyle.NoPen)
        for spread in range(8, 0, -1):  # a soft edge tells it from the page it lies on
            painter.setBrush(QColor(0, 0, 0, 5))
            grown = frame.adjusted(-spread, -spread + 3, spread, spread + 3)
            painter.drawRoundedRect(grown, look.BUBBLE_RADIUS + spread, look.BUBBLE_RADIUS + spread)
        painter.setPen(QPen(QColor(colors.hairline), 1))
        painter.setBrush(QColor(colors.page))
        painter.drawRoundedRect(frame, look.BUBBLE_RADIUS, look.BUBBLE_RADIUS)
        line = QRectF(frame.left(), frame.top() + _FIELD, frame.width(), 1)
        painter.fillRect(line, QColor(colors.hairline))
        if not self._model.rowCount():
            painter.setPen(QColor(colors.dim))
            painter.setFont(self._theme.font(look.TEXT))
            rest = frame.adjusted(20, _FIELD, -20, 0)
            painter.drawText(
                rest, Qt.AlignmentFlag.AlignVCenter, self.tr("Nothing goes by that name")
            )

    def _frame(self) -> QRectF:
        width = min(_WIDTH, self.width() - 48)
        rows = min(max(self._model.rowCount(), 1), _ROWS)
        height = min(_FIELD + 2 * _PAD + rows * _ROW, self.height() - _TOP - 24)
        return QRectF((self.width() - width) // 2 + 0.5, _TOP + 0.5, width - 1, height - 1)

    def _arrange(self) -> None:
        frame = self._frame().toAlignedRect()
        self.field.setGeometry(frame.x() + 12, frame.y() + 4, frame.width() - 24, _FIELD - 8)
        top = frame.y() + _FIELD + _PAD
        height = frame.bottom() + 1 - _PAD - top
        self.list.setGeometry(frame.x() + _PAD, top, frame.width() - 2 * _PAD, height)
        self.update()

    def _on_typed(self, text: str) -> None:
        self._found = []
        self._list()
        self.typed.emit(text)

    def _list(self) -> None:
        query = self.field.text()
        ranked = [(score_of(entry, query), entry) for entry in self._entries]
        ranked.sort(key=lambda pair: -pair[0])
        fitting = [entry for points, entry in ranked if points][:_MOST]
        self._model.set_entries([*fitting, *self._found])
        self.list.setCurrentIndex(self._model.index(0))
        self._arrange()
        self._tell()

    def _step(self, by: int) -> None:
        rows = self._model.rowCount()
        if rows:
            row = (self.list.currentIndex().row() + by) % rows
            self.list.setCurrentIndex(self._model.index(row))
            self._tell()

    def _tell(self) -> None:
        """Say the current line where the focus is."""
        index = self.list.currentIndex()
        words = str(index.data(Qt.ItemDataRole.AccessibleTextRole) or "")
        self.field.setAccessibleDescription(words)
