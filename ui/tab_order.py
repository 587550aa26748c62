"""The order in which the Tab key goes through a window: as one reads, top to bottom, left to right.

Qt's own order is that in which widgets were made, which puts every new message behind all else.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QLineEdit,
    QPlainTextEdit,
    QScrollArea,
    QTextEdit,
    QWidget,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_TEXTS_AND_LISTS = (QLineEdit, QPlainTextEdit, QTextEdit, QAbstractItemView)


def step(top: QWidget, current: QWidget | None, *, forwards: bool) -> bool:
    """Give the keyboard to the next widget, after the last to the first.

    From a widget that has just been hidden or disabled it goes to what is left beside it.

    Args:
        top: The window, or a part of it that the keyboard is not to leave.
        current: What has it now.
        forwards: Whether to the next, or the one before.

    Returns:
        Whether there is anywhere to go.
    """
    stops = list(tab_stops(top))
    if not stops:
        return False
    if current in stops:
        target = stops[(stops.index(current) + (1 if forwards else -1)) % len(stops)]
    else:
        target = (_beside(top, current) or stops)[0 if forwards else -1]
    reason = Qt.FocusReason.TabFocusReason if forwards else Qt.FocusReason.BacktabFocusReason
    target.setFocus(reason)
    parent = target.parentWidget()
    while isinstance(parent, QWidget) and parent is not top:
        if isinstance(parent, QScrollArea):
            parent.ensureWidgetVisible(target, 0, 0)
        parent = parent.parentWidget()
    return True


def _beside(top: QWidget, gone: QWidget | None) -> list[QWidget]:
    """The stops in the smallest part around a widget where there are any."""
    part = None if gone is None else gone.parentWidget()
    while part is not None and part is not top:
        stops = list(tab_stops(part)) if part.isVisible() else []
        if stops:
            return stops
        part = part.parentWidget()
    return []


def tab_stops(top: QWidget) -> Iterator[QWidget]:
    """Every widget below `top` that the Tab key stops at, in the order of reading."""
    for child in _as_read(_shown_children(top)):
        if _stops(child):
            yield child
        yield from tab_stops(child)


def _shown_children(widget: QWidget) -> list[QWidget]:
    children = [child for child in widget.children() if isinstance(child, QWidget)]
    return [child for child in children if child.isVisible() and not child.isWindow()]


def _as_read(widgets: Sequence[QWidget]) -> Iterator[QWidget]:
    """Row by row; what begins above the middle of a row's first widget is in that row."""
    row: list[QWidget] = []
    for widget in sorted(widgets, key=lambda each: each.y()):
        if row and widget.y() > row[0].geometry().center().y():
            yield from sorted(row, key=lambda each: each.x())
            row = []
        row.append(widget)
    yield from sorted(row, key=lambda each: each.x())


def _stops(widget: QWidget) -> bool:
    if not widget.focusPolicy() & Qt.FocusPolicy.TabFocus or not widget.isEnabled():
        return False
    if isinstance(widget.focusProxy(), QWidget):
        return False
    if isinstance(widget, QAbstractButton) and widget.group() and not widget.isChecked():
        return False  # a group of choices is one stop
    behavior = QGuiApplication.styleHints().tabFocusBehavior()
    all_controls = behavior == Qt.TabFocusBehavior.TabFocusAllControls
    return all_controls or isinstance(widget, _TEXTS_AND_LISTS)
