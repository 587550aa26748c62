"""Files that go with a question, as chips: in the composer, removable, and in what was sent."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QPoint, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QFontMetrics, QPainter, QPen
from PySide6.QtWidgets import QWidget
from typing_extensions import override

from ui import theme as look
from ui.controls import Pressable
from ui.icons import Icon, paint_icon

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtGui import QKeyEvent, QMouseEvent, QPaintEvent

    from ui.state import AttachmentView
    from ui.theme import Theme

_HEIGHT = 30
_GAP = 6
_SIDE = 10
_ICON = 13
_CLOSE = 22
_WIDEST = 260
_REMOVING = (Qt.Key.Key_Delete, Qt.Key.Key_Backspace)


class Chip(Pressable):
    """One file: its name, its size, and a cross where it can be taken out.

    A press on the cross, or Delete while the chip has the focus, takes it out.
    """

    removed = Signal(str)

    def __init__(self, theme: Theme, view: AttachmentView, parent: QWidget, *, fixed: bool) -> None:
        super().__init__(theme, parent)
        self._fixed = fixed
        self._name_font = theme.font(look.TEXT - 1)
        self._detail_font = theme.font(look.CAPTION)
        self.view = view
        self.show_view(view)

    def show_view(self, view: AttachmentView) -> None:
        """Show another state of the file."""
        self.view = view
        parts = [view.name, self._detail()]
        self.setText(" · ".join(part for part in parts if part))
        self.setAccessibleName(self.tr("Attachment: {text}").format(text=self.text()))
        if not self._fixed:
            self.setAccessibleDescription(self.tr("Delete takes it out"))
        self.setToolTip(view.name)
        self.updateGeometry()
        self.update()

    @override
    def sizeHint(self) -> QSize:
        name = QFontMetrics(self._name_font).horizontalAdvance(self.view.name)
        detail = QFontMetrics(self._detail_font).horizontalAdvance(self._detail())
        end = 2 if self._fixed else _CLOSE - 4
        width = 2 * _SIDE + _ICON + 7 + name + (detail + 8 if detail else 0) + end
        return QSize(min(width, _WIDEST), _HEIGHT)

    @override
    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in _REMOVING and not self._fixed:
            self.removed.emit(self.view.id)
        else:
            super().keyPressEvent(event)

    @override
    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        super().mouseReleaseEvent(event)
        if not self._fixed and self._cross().contains(event.position().toPoint()):
            self.removed.emit(self.view.id)

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        colors = self._theme.colors
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(QColor(colors.hairline), 1))
        painter.setBrush(QColor(colors.page if self._fixed else colors.fill))
        frame = QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5)
        painter.drawRoundedRect(frame, look.BUTTON_RADIUS, look.BUTTON_RADIUS)
        square = QRectF(_SIDE, (self.height() - _ICON) / 2, _ICON, _ICON)
        paint_icon(painter, Icon.PAGE, square, colors.dim)
        left = _SIDE + _ICON + 7
        right = self.width() - (_SIDE if self._fixed else _CLOSE + 4)
        detail = self._detail()
        room = QFontMetrics(self._detail_font).horizontalAdvance(detail) + 8 if detail else 0
        middle = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft
        painter.setFont(self._name_font)
        painter.setPen(QColor(colors.text))
        name_room = max(right - left - room, 24)
        name = QFontMetrics(self._name_font).elidedText(
            self.view.name, Qt.TextElideMode.ElideMiddle, name_room
        )
        painter.drawText(QRect(left, 0, name_room, self.height()), middle, name)
        left += QFontMetrics(self._name_font).horizontalAdvance(name) + 8
        painter.setFont(self._detail_font)
        painter.setPen(QColor(colors.dim))
        painter.drawText(QRect(left, 0, max(right - left, 0), self.height()), middle, detail)
        if not self._fixed:
            cross = QRectF(self._cross().center() - QPoint(4, 4), QSize(9, 9))
            paint_icon(painter, Icon.CLOSE, cross, colors.text if self.hovered else colors.dim)
        self.paint_ring(painter, look.BUTTON_RADIUS)

    def _cross(self) -> QRect:
        return QRect(self.width() - _CLOSE - 3, 0, _CLOSE, self.height())

    def _detail(self) -> str:
        return self.tr("Reading…") if self.view.reading else self.view.detail


class Chips(QWidget):
    """Chips in rows, as many side by side as there is room for."""

    removed = Signal(str)
    """The id of a file that is to be taken out."""

    def __init__(self, theme: Theme, parent: QWidget, *, fixed: bool = False) -> None:
        """Show nothing yet.

        Args:
            theme: The look.
            parent: Lays this out.
            fixed: Whether nothing can be taken out, as from a question that was sent.
        """
        super().__init__(parent)
        self._theme = theme
        self._fixed = fixed
        self._chips: list[Chip] = []
        self.setAccessibleName(self.tr("Attachments"))
        self.hide()

    @property
    def chips(self) -> tuple[Chip, ...]:
        """The chips, in order."""
        return tuple(self._chips)

    def set_attachments(self, views: Sequence[AttachmentView]) -> None:
        """Show other files; chips that stay keep the focus."""
        known = {chip.view.id: chip for chip in self._chips}
        kept: list[Chip] = []
        for view in views:
            chip = known.pop(view.id, None)
            if chip is None:
                chip = Chip(self._theme, view, self, fixed=self._fixed)
                chip.removed.connect(self.removed)
                chip.show()
            else:
                chip.show_view(view)
            kept.append(chip)
        for chip in known.values():
            chip.hide()
            chip.deleteLater()
        self._chips = kept
        self.setVisible(bool(kept))
        self.place(self.width())

    def place(self, width: int) -> int:
        """Lay the chips out in a width; returns the height they take, in pixels."""
        x = y = 0
        for chip in self._chips:
            wanted = min(chip.sizeHint().width(), width)
            if x and x + wanted > width:
                x, y = 0, y + _HEIGHT + _GAP
            chip.setGeometry(x, y, wanted, _HEIGHT)
            x += wanted + _GAP
        return y + _HEIGHT if self._chips else 0

    def widest_row(self, width: int) -> int:
        """How much of a width the chips take, in pixels."""
        self.place(width)
        return max((chip.geometry().right() + 1 for chip in self._chips), default=0)
