"""The index of exhibits at the left: numbers, titles, ticks; how many were seen, the language."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QPointF, QRect, QSize, Qt, Signal
from PySide6.QtGui import QColor, QFont, QFontMetrics, QPainter, QPen
from PySide6.QtWidgets import QButtonGroup, QFrame, QHBoxLayout, QScrollArea, QVBoxLayout, QWidget
from typing_extensions import override

from ui import theme as look
from ui.controls import Pressable, QuietButton, Surface
from ui.exhibits.words import Words, head

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtGui import QPaintEvent

    from ui.exhibits.values import IndexRow
    from ui.theme import Theme

_ROW = 32
_NUMBER = 26
_TICK = 22
_FOOT = 44


class _RowButton(Pressable):
    """One exhibit of the index."""

    def __init__(self, theme: Theme, row: IndexRow) -> None:
        super().__init__(theme)
        self._row = row
        self.setCheckable(True)
        self.setFixedHeight(_ROW)
        self._font = theme.font(look.TEXT - 1)
        self._chosen_font = theme.font(look.TEXT - 1, QFont.Weight.Medium)
        self.set_row(row)

    @property
    def row(self) -> IndexRow:
        """What it shows."""
        return self._row

    def set_row(self, row: IndexRow) -> None:
        """Show another state of the exhibit."""
        self._row = row
        seen = ", " + self.tr("seen") if row.is_seen else ""
        self.setAccessibleName(f"{row.number}. {row.title}{seen}")
        self.setToolTip(row.title)
        self.update()

    @override
    def sizeHint(self) -> QSize:
        return QSize(look.SIDEBAR_WIDTH - 16, _ROW)

    @override
    def minimumSizeHint(self) -> QSize:
        return QSize(80, _ROW)

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        colors = self._theme.colors
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if self.isChecked() or self.hovered:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(QColor(colors.fill))
            painter.drawRoundedRect(self.rect(), look.ROW_RADIUS, look.ROW_RADIUS)
        middle = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft
        area = self.rect().adjusted(12, 0, -12, 0)
        painter.setFont(self._font)
        painter.setPen(QColor(colors.dim))
        painter.drawText(area, middle, str(self._row.number))
        font = self._chosen_font if self.isChecked() else self._font
        painter.setFont(font)
        painter.setPen(QColor(colors.text))
        room = QRect(area.x() + _NUMBER, 0, area.width() - _NUMBER - _TICK, self.height())
        right = Qt.TextElideMode.ElideRight
        title = QFontMetrics(font).elidedText(self._row.title, right, room.width())
        painter.drawText(room, middle, title)
        if self._row.is_seen:
            pen = QPen(QColor(colors.good), 1.5)
            pen.setCapStyle(Qt.PenCapStyle.RoundCap)
            pen.setJoinStyle(Qt.PenJoinStyle.RoundJoin)
            painter.setPen(pen)
            x, y = area.right() - 8, self.height() / 2
            painter.drawPolyline([QPointF(x - 2, y), QPointF(x + 1, y + 3), QPointF(x + 7, y - 4)])
        self.paint_ring(painter, look.ROW_RADIUS)


class ExhibitIndex(Surface):
    """The list, with its foot."""

    chosen = Signal(int)
    """The number of an exhibit."""
    language_chosen = Signal(str)
    """The code of the language that the visitor wants."""

    def __init__(self, theme: Theme) -> None:
        super().__init__(theme, "sidebar")
        self._rows: dict[int, _RowButton] = {}
        self._language = "en"
        self._group = QButtonGroup(self)
        self.count = Words(theme, size=look.CAPTION, tone="dim")
        self.language = QuietButton(theme, "中文", size=look.CAPTION)
        self._column = QVBoxLayout()
        self._column.setContentsMargins(8, 0, 8, 8)
        self._column.setSpacing(0)
        self._column.addStretch(1)
        self._build(theme)
        self._group.idClicked.connect(self.chosen)
        self.language.clicked.connect(self._on_language)
        self.set_language("en")

    def _build(self, theme: Theme) -> None:
        title = head(theme, self.tr("Exhibits"))
        title.setContentsMargins(20, 18, 20, 8)
        body = QWidget()
        body.setLayout(self._column)
        scroll = QScrollArea()
        scroll.setFrameShape(QFrame.Shape.NoFrame)
        scroll.setWidgetResizable(True)
        scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        scroll.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        scroll.setAccessibleName(self.tr("Exhibits"))
        scroll.setWidget(body)
        scroll.viewport().setAutoFillBackground(False)
        body.setAutoFillBackground(False)
        foot = QHBoxLayout()
        foot.setContentsMargins(20, 0, 12, 0)
        foot.addWidget(self.count, 1)
        foot.addWidget(self.language)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(title)
        column.addWidget(scroll, 1)
        line = QWidget()
        line.setLayout(foot)
        line.setFixedHeight(_FOOT)
        column.addWidget(line)

    @property
    def rows(self) -> tuple[IndexRow, ...]:
        """What is listed."""
        return tuple(button.row for button in self._rows.values())

    def set_rows(self, rows: Sequence[IndexRow]) -> None:
        """List exhibits."""
        if [row.number for row in rows] != list(self._rows):
            self._fill(rows)
        for row in rows:
            self._rows[row.number].set_row(row)
        seen = sum(row.is_seen for row in rows)
        self.count.set_words(self.tr("{seen} of {all}").format(seen=seen, all=len(rows)))

    def set_current(self, number: int) -> None:
        """Mark the exhibit that is shown."""
        if number in self._rows:
            self._rows[number].setChecked(True)

    def set_language(self, code: str) -> None:
        """Offer the language that is not spoken now."""
        self._language = "en" if code == "zh_CN" else "zh_CN"
        self.language.set_label("English" if code == "zh_CN" else "中文")
        self.language.setAccessibleName("English" if code == "zh_CN" else "简体中文")

    def _fill(self, rows: Sequence[IndexRow]) -> None:
        for button in self._rows.values():
            self._group.removeButton(button)
            self._column.removeWidget(button)
            button.deleteLater()
        self._rows = {row.number: _RowButton(self._theme, row) for row in rows}
        for number, button in self._rows.items():
            self._group.addButton(button, number)
            self._column.insertWidget(self._column.count() - 1, button)

    def _on_language(self) -> None:
        self.language_chosen.emit(self._language)

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        line = QColor(self._theme.colors.hairline)
        QPainter(self).fillRect(0, self.height() - _FOOT, self.width(), 1, line)
