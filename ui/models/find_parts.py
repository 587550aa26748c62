"""What finding models is made of: a row for each that was found, and the filters."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QColor, QFont, QFontMetrics, QPainter
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget
from typing_extensions import override

from ui import theme as look
from ui.controls import Pressable
from ui.fields import Choice, ChoiceField, SwitchField
from ui.form import FieldRow
from ui.models.values import Query
from ui.segments import Segments

if TYPE_CHECKING:
    from PySide6.QtGui import QKeyEvent, QPaintEvent

    from ui.models.values import FoundView
    from ui.theme import Theme

_ROW = 46
_FORMS: tuple[Literal["mlx", "gguf", "any"], ...] = ("mlx", "gguf", "any")
_SORTS: tuple[Literal["downloads", "date"], ...] = ("downloads", "date")
_FAMILIES = ("llama", "mistral", "qwen2", "qwen3", "gemma3", "phi3")


class FoundRow(Pressable):
    """One model that was found; pressed, it opens its card below."""

    stepped = Signal(int)
    """Down is 1, Up is -1."""

    def __init__(self, theme: Theme, view: FoundView) -> None:
        super().__init__(theme)
        self.view = view
        self.setCheckable(True)
        self.setFixedHeight(_ROW)
        self._title_font = theme.font(look.TEXT - 1, QFont.Weight.Medium)
        self._caption_font = theme.font(look.CAPTION)
        said = ", ".join(text for text in (view.title, view.caption, view.mark) if text)
        self.setText(view.title)
        self.setAccessibleName(said)
        self.setToolTip(view.repo)

    @override
    def sizeHint(self) -> QSize:
        return QSize(320, _ROW)

    @override
    def minimumSizeHint(self) -> QSize:
        return QSize(120, _ROW)

    @override
    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in {Qt.Key.Key_Down, Qt.Key.Key_Up}:
            self.stepped.emit(1 if event.key() == Qt.Key.Key_Down else -1)
        elif event.key() in {Qt.Key.Key_Return, Qt.Key.Key_Enter}:
            self.click()
        else:
            super().keyPressEvent(event)

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        colors, view = self._theme.colors, self.view
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if self.isChecked() or self.hovered:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(QColor(colors.fill))
            painter.drawRoundedRect(self.rect(), look.ROW_RADIUS, look.ROW_RADIUS)
        area = self.rect().adjusted(12, 0, -12, 0)
        mark_width = QFontMetrics(self._caption_font).horizontalAdvance(view.mark)
        right = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
        left = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
        painter.setFont(self._caption_font)
        painter.setPen(QColor(colors.good if view.is_good else colors.dim))
        painter.drawText(area, right, view.mark)
        area.setRight(area.right() - mark_width - 16)
        for text, font, color, rect in (
            (view.title, self._title_font, colors.text, area.adjusted(0, 4, 0, -_ROW // 2 + 2)),
            (view.caption, self._caption_font, colors.dim, area.adjusted(0, _ROW // 2, 0, -4)),
        ):
            painter.setFont(font)
            painter.setPen(QColor(color))
            middle = Qt.TextElideMode.ElideMiddle
            painter.drawText(rect, left, QFontMetrics(font).elidedText(text, middle, rect.width()))
        self.paint_ring(painter, look.ROW_RADIUS)


class Filters(QWidget):
    """What of the hub is looked for."""

    changed = Signal()

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.form = Segments(
            theme, ["MLX", "GGUF", self.tr("Both")], self.tr("Format of the files"), 24
        )
        self.sort = Segments(
            theme, [self.tr("Most downloaded"), self.tr("Latest")], self.tr("Order"), 24
        )
        families = (Choice("", self.tr("All families")), *(Choice(f, f) for f in _FAMILIES))
        self.family = FieldRow(
            theme,
            ChoiceField(name="family", title=self.tr("Family"), usual="", choices=families),
            resets=False,
        )
        self.fitting = FieldRow(
            theme,
            SwitchField(name="fitting", title=self.tr("Fits this machine"), usual=True),
            resets=False,
        )
        first, second = QHBoxLayout(), QHBoxLayout()
        for row in (first, second):
            row.setContentsMargins(0, 0, 0, 0)
            row.setSpacing(14)
        first.addWidget(self.form)
        first.addWidget(self.sort)
        first.addStretch(1)
        second.addWidget(self.fitting)
        second.addWidget(self.family)
        second.addStretch(1)
        self.fitting.setFixedWidth(180)
        self.family.setFixedWidth(290)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(8)
        column.addLayout(first)
        column.addLayout(second)
        for told in (
            self.form.chosen,
            self.sort.chosen,
            self.family.changed,
            self.fitting.changed,
        ):
            told.connect(self._on_changed)

    def query(self, words: str) -> Query:
        """What is looked for, with words."""
        return Query(
            words=words,
            form=_FORMS[self.form.current],
            family=str(self.family.value or ""),
            fitting=bool(self.fitting.value),
            sort=_SORTS[self.sort.current],
        )

    def _on_changed(self, *_: object) -> None:
        self.changed.emit()
