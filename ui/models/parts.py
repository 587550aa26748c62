"""Small parts of the page of models: the bar of what a model takes, a line of work, headings."""

from __future__ import annotations

from typing import TYPE_CHECKING, Generic, TypeVar

from PySide6.QtCore import QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QPainter, QPainterPath, QPen
from PySide6.QtWidgets import (
    QApplication,
    QFrame,
    QHBoxLayout,
    QScrollArea,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)
from typing_extensions import override

from ui import theme as look
from ui.controls import QuietButton
from ui.exhibits.words import Words
from ui.figures import percent
from ui.inspector.meters import Meter

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from PySide6.QtGui import QPaintEvent, QResizeEvent

    from ui.exhibits.words import Tone
    from ui.models.values import FitPart, FitView, Verdict, WorkView
    from ui.theme import Theme

V = TypeVar("V")
R = TypeVar("R", bound=QWidget)

WIDEST = 920
_MARGIN, _SLIM_MARGIN, _SLIM = 48, 20, 700
_BAR = 10
_FIT_TONES: dict[Verdict, Tone] = {
    "comfortable": "good",
    "tight": "text",
    "too big": "accent",
    "unknown": "dim",
}


def _toned(fit: FitView, theme: Theme) -> Iterator[tuple[FitPart, QColor]]:
    """The parts, each with the colour that the bar and its key give it."""
    colors = theme.colors
    tones = (colors.cache_pinned, colors.cache_held, colors.cache_new)
    return zip(fit.parts, map(QColor, tones), strict=False)


class FitBar(QWidget):
    """What a model takes, in parts, and where the memory ends."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self._fit: FitView | None = None
        self.setFixedHeight(_BAR + 4)
        self.setAccessibleName(self.tr("Memory"))
        theme.changed.connect(self.update)

    def set_fit(self, fit: FitView | None) -> None:
        """Show another model's."""
        self._fit = fit
        self.setVisible(fit is not None and bool(fit.parts))
        parts = () if fit is None else fit.parts
        said = ", ".join(f"{part.name} {part.figure}" for part in parts)
        self.setAccessibleDescription(said)
        self.setToolTip("\n".join(f"{part.name}: {part.figure}" for part in parts))
        self.update()

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        if self._fit is None:
            return
        colors = self._theme.colors
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        bar = QRectF(0, 2, self.width(), _BAR)
        track = QPainterPath()
        track.addRoundedRect(bar, _BAR / 2, _BAR / 2)
        painter.save()
        painter.setClipPath(track)
        painter.fillRect(bar, QColor(colors.fill))
        left = 0.0
        for part, tone in _toned(self._fit, self._theme):
            width = max(part.fraction * bar.width(), 1.5)
            painter.fillRect(QRectF(left, bar.top(), width, bar.height()), tone)
            left += width
        painter.restore()
        if self._fit.limit is not None:
            x = min(self._fit.limit * bar.width(), bar.width() - 1)
            painter.setPen(QPen(QColor(colors.text), 2))
            painter.drawLine(QPointF(x, 0), QPointF(x, self.height()))


class FitRow(QWidget):
    """The bar with its key and the sentence below it."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.bar = FitBar(theme)
        self.sentence = Words(theme, size=look.CAPTION, tone="dim")
        self.key = FitKey(theme)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 4, 0, 0)
        column.setSpacing(3)
        column.addWidget(self.bar)
        column.addWidget(self.sentence)
        column.addWidget(self.key)

    def set_fit(self, fit: FitView | None) -> None:
        """Show another model's; nothing where that is not known."""
        self.setVisible(fit is not None)
        if fit is None:
            return
        self.bar.set_fit(fit)
        self.key.set_fit(fit)
        self.sentence.setText(fit.sentence)
        self.sentence.set_tone(_FIT_TONES[fit.verdict])


class FitKey(QWidget):
    """Which colour is what, in one line that gives way where it is narrow."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self._fit: FitView | None = None
        self.setFont(theme.font(look.CAPTION))
        self.setFixedHeight(18)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        theme.changed.connect(self.update)

    def set_fit(self, fit: FitView) -> None:
        """Show another model's."""
        self._fit = fit
        self.setVisible(bool(fit.parts))
        self.update()

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        if self._fit is None:
            return
        colors = self._theme.colors
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        metrics = painter.fontMetrics()
        left = 0
        for part, tone in _toned(self._fit, self._theme):
            text = f"{part.name} {part.figure}"
            width = metrics.horizontalAdvance(text)
            if left + 14 + width > self.width():
                return
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(tone)
            painter.drawRoundedRect(QRectF(left, (self.height() - 9) / 2, 9, 9), 2, 2)
            painter.setPen(QColor(colors.faint))
            box = QRectF(left + 14, 0, width + 2, self.height())
            painter.drawText(box, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft, text)
            left += 14 + width + 18


class WorkRow(QWidget):
    """What is being done, how far it is, and a way to stop it."""

    cancelled = Signal()

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.sentence = Words(theme, size=look.CAPTION, tone="dim")
        self.meter = Meter(theme, self.tr("Progress"))
        self.cancel = QuietButton(theme, self.tr("Cancel"), size=look.CAPTION)
        self.cancel.setAccessibleName(self.tr("Cancel"))
        row = QHBoxLayout()
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(10)
        row.addWidget(self.meter, 1)
        row.addWidget(self.cancel)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 4, 0, 0)
        column.setSpacing(2)
        column.addWidget(self.sentence)
        column.addLayout(row)
        self.cancel.clicked.connect(self.cancelled)
        self.hide()

    def set_work(self, work: WorkView | None) -> None:
        """Show other work; nothing where there is none."""
        self.setVisible(work is not None)
        if work is not None:
            known = "" if work.share is None else f" · {percent(work.share)}"
            self.sentence.setText(work.sentence + known)
            self.meter.set_fraction(work.share or 0.0)


class Column(QScrollArea):
    """A section of the page: one below the other, as wide as one can read, and scrolled."""

    def __init__(self, name: str) -> None:
        super().__init__()
        self._body = QWidget()
        self.rows = QVBoxLayout(self._body)
        self.rows.setSpacing(12)
        self._body.setAutoFillBackground(False)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setWidgetResizable(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setAccessibleName(name)
        self.setWidget(self._body)
        self.viewport().setAutoFillBackground(False)

    @override
    def minimumSizeHint(self) -> QSize:
        return QSize(240, 120)

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        side = margin(self.width())
        right = max(side, self.width() - side - WIDEST)
        self.rows.setContentsMargins(side, 8, right, 28)


def margin(width: int) -> int:
    """How far from the sides things stand on a page of that width."""
    return _SLIM_MARGIN if width < _SLIM else _MARGIN


def clear(column: QVBoxLayout) -> None:
    """Take everything out of a layout, layouts within it excepted."""
    while column.count():
        item = column.takeAt(0)
        widget = None if item is None else item.widget()
        if widget is not None:
            widget.hide()
            widget.deleteLater()


def has_focus(widget: QWidget) -> bool:
    """Whether something in a widget has the keyboard."""
    focused = QApplication.focusWidget()
    return focused is not None and widget.isAncestorOf(focused)


class Rows(QVBoxLayout, Generic[V, R]):
    """Rows one below the other, a widget for each key, kept while its key is there."""

    def __init__(self, make: Callable[[V], R], update: Callable[[R, V], None]) -> None:
        """An empty column.

        Args:
            make: A new row.
            update: Shows another state of what a row shows.
        """
        super().__init__()
        self._make = make
        self._update = update
        self._views: dict[str, V] = {}
        self._rows: dict[str, R] = {}
        self.setSpacing(12)

    @property
    def rows(self) -> Mapping[str, R]:
        """The rows by their keys, from the top."""
        return self._rows

    def set_views(self, views: Mapping[str, V]) -> None:
        """Show what there is now, in its order; rows that go are hidden at once."""
        for key in [key for key in self._rows if key not in views]:
            row = self._rows.pop(key)
            self.removeWidget(row)
            row.hide()
            row.deleteLater()
        for place, (key, view) in enumerate(views.items()):
            if key not in self._rows:
                self._rows[key] = self._make(view)
            elif self._views[key] != view:
                self._update(self._rows[key], view)
            if self.indexOf(self._rows[key]) != place:
                self.insertWidget(place, self._rows[key])
        self._rows = {key: self._rows[key] for key in views}
        self._views = dict(views)


class Figures(QWidget):
    """Names and figures in lines that wrap: each name dim, its figure bright."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(2)
        self._shown: tuple[tuple[str, str], ...] = ()

    def set_figures(self, figures: Sequence[tuple[str, str]]) -> None:
        """Show others."""
        if tuple(figures) == self._shown:
            return
        if [name for name, _ in figures] != [name for name, _ in self._shown]:
            clear(self._column)
            for _ in figures:
                self._column.addWidget(Words(self._theme, size=look.CAPTION, tone="dim"))
        self._shown = tuple(figures)
        for number, (name, figure) in enumerate(figures):
            item = self._column.itemAt(number)
            label = None if item is None else item.widget()
            if isinstance(label, Words):
                label.setText(f"{name}: {figure}")
        self.setVisible(bool(figures))
