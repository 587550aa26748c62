"""Controls side by side, on as many lines as there is need of."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QObject, QRect, QSize
from PySide6.QtWidgets import QSizePolicy, QWidget
from typing_extensions import override

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtGui import QResizeEvent

_GAP = 20
_LINE_GAP = 8


class Wrap(QWidget):
    """Places its parts from the left at their own size, and goes on below where they end."""

    def __init__(self, parts: Sequence[QWidget], gap: int = _GAP) -> None:
        super().__init__()
        self._parts = list(parts)
        self._gap = gap
        for part in parts:
            part.setParent(self)
            part.installEventFilter(self)
        policy = QSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Preferred)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)

    def set_parts(self, parts: Sequence[QWidget]) -> None:
        """Take other parts in place of these, which are deleted."""
        for part in self._parts:
            part.deleteLater()
            part.hide()
        self._parts = list(parts)
        for part in parts:
            part.setParent(self)
            part.installEventFilter(self)
            part.show()
        self._lay_out()

    @override
    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.LayoutRequest:
            self._lay_out()
        return super().event(event)

    @override
    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() in {QEvent.Type.ShowToParent, QEvent.Type.HideToParent}:
            self._lay_out()
        return super().eventFilter(watched, event)

    @override
    def heightForWidth(self, width: int) -> int:
        return max((rect.bottom() + 1 for _part, rect in self._places(width)), default=0)

    @override
    def sizeHint(self) -> QSize:
        hints = [part.sizeHint() for part in self._parts if not part.isHidden()]
        gaps = self._gap * max(len(hints) - 1, 0)
        width = max(sum(hint.width() for hint in hints) + gaps, 1)
        return QSize(width, self.heightForWidth(width))

    @override
    def minimumSizeHint(self) -> QSize:
        return QSize(120, 0)

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._place(self.width())

    def _lay_out(self) -> None:
        self._place(self.width())
        self.updateGeometry()

    def _place(self, width: int) -> None:
        for part, rect in self._places(width):
            part.setGeometry(rect)

    def _places(self, width: int) -> list[tuple[QWidget, QRect]]:
        places: list[tuple[QWidget, QRect]] = []
        line: list[tuple[QWidget, QSize]] = []
        x = y = 0

        def end_line() -> None:
            nonlocal y
            high = max((size.height() for _part, size in line), default=0)
            left = 0
            for part, size in line:
                top = y + (high - size.height()) // 2
                places.append((part, QRect(left, top, size.width(), size.height())))
                left += size.width() + self._gap
            y += high + _LINE_GAP
            line.clear()

        for part in self._parts:
            if part.isHidden():
                continue
            hint = part.sizeHint().expandedTo(part.minimumSize()).boundedTo(part.maximumSize())
            wide = min(hint.width(), max(width, 40))
            high = part.heightForWidth(wide) if part.hasHeightForWidth() else hint.height()
            size = QSize(wide, high)
            if line and x + size.width() > width:
                end_line()
                x = 0
            line.append((part, size))
            x += size.width() + self._gap
        end_line()
        return places
