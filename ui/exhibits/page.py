"""The page of one exhibit, and the index beside it. It shows frozen values and asks for runs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QFont
from PySide6.QtWidgets import QFrame, QScrollArea, QVBoxLayout, QWidget
from typing_extensions import override

from ui import theme as look
from ui.announce import announce
from ui.exhibits.controls import ControlPanel
from ui.exhibits.index import ExhibitIndex
from ui.exhibits.result import ResultPanel
from ui.exhibits.run_row import RunRow
from ui.exhibits.words import Words, head
from ui.notice import Notice
from ui.places import PlacePage

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from PySide6.QtGui import QKeyEvent, QResizeEvent

    from ui.exhibits.values import ExhibitView, ResultView, RunView
    from ui.fields import Value
    from ui.theme import Theme

_WIDEST = 900
_MARGIN, _SLIM_MARGIN = 64, 24
_SLIM = 700


class ExhibitsPage(PlacePage):
    """Shows one exhibit at a time."""

    chosen = Signal(int)
    """Another exhibit is wanted: its number."""
    run_requested = Signal(str)
    """The key of the part that is to be measured and shown."""
    part_requested = Signal(str)
    """The key of a part of what is measured already, or is to be measured for it."""
    cancelled = Signal()
    reset_requested = Signal()
    changed = Signal(str, object)
    """The name of an input of the shown exhibit, and its new value."""
    activated = Signal(str)
    """The key of a part of a chart that was clicked."""
    language_chosen = Signal(str)

    def __init__(self, theme: Theme) -> None:
        super().__init__(theme)
        self.index = ExhibitIndex(theme)
        self.number = Words(theme, tone="accent", size=look.TEXT - 1, weight=QFont.Weight.DemiBold)
        self.title = Words(theme, size=look.NUMBER, weight=QFont.Weight.DemiBold)
        self.question = Words(theme, size=look.TEXT + 1, tone="dim", leading=1.4)
        self.controls = ControlPanel(theme)
        self.buttons = RunRow(theme)
        self.result = ResultPanel(theme)
        self.about = Paragraphs(theme, self.tr("In plain words"))
        self.notes = Paragraphs(theme, self.tr("Where care is needed"), size=look.TEXT - 1)
        self.notice = Notice(theme)
        self._scroll = QScrollArea()
        self._body = QWidget()
        self._build()
        # The arrow keys then scroll, and Tab leads on to the controls and to Run.
        self.setFocusProxy(self._scroll)
        self.result.hide()
        self._connect_signals()

    def _build(self) -> None:
        column = QVBoxLayout(self._body)
        column.setSpacing(0)
        for widget, gap in (
            (self.number, 4),
            (self.title, 8),
            (self.question, 16),
            (self.controls, 16),
            (self.buttons, 24),
            (self.result, 28),
            (self.about, 28),
            (self.notes, 28),
        ):
            column.addWidget(widget)
            column.addSpacing(gap)
        column.addStretch(1)
        for narrow in (self.question, self.about, self.notes):
            narrow.setMaximumWidth(look.MEASURE)
        scroll = self._scroll
        scroll.setFrameShape(QFrame.Shape.NoFrame)
        scroll.setWidgetResizable(True)
        scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        scroll.setAccessibleName(self.tr("Exhibit"))
        scroll.setWidget(self._body)
        scroll.viewport().setAutoFillBackground(False)
        self._body.setAutoFillBackground(False)
        outer = QVBoxLayout(self)
        outer.setContentsMargins(0, 0, 0, 0)
        outer.setSpacing(0)
        outer.addWidget(self.notice)
        outer.addWidget(scroll)

    def _connect_signals(self) -> None:
        self.index.chosen.connect(self.chosen)
        self.index.language_chosen.connect(self.language_chosen)
        self.controls.changed.connect(self.changed)
        self.buttons.run.clicked.connect(self._on_run)
        self.buttons.part_chosen.connect(self._on_part)
        self.buttons.reset.clicked.connect(self.reset_requested)
        self.buttons.cancel.clicked.connect(self.cancelled)
        self.result.activated.connect(self.activated)
        self.result.failed.connect(self.notice.show_sentence)
        self.result.exported.connect(self._on_exported)

    @property
    @override
    def side(self) -> QWidget:
        return self.index

    def show_exhibit(self, exhibit: ExhibitView, values: Mapping[str, Value], part: str) -> None:
        """Show another exhibit, from its top.

        Args:
            exhibit: Its words and controls.
            values: What its inputs are set to.
            part: The key of the part to show.
        """
        self.index.set_current(exhibit.number)
        self.number.set_words(self.tr("Exhibit {number}").format(number=exhibit.number))
        self.title.set_words(exhibit.title)
        self.question.set_words(exhibit.question)
        self.about.set_paragraphs(exhibit.about)
        self.controls.set_controls(exhibit.controls)
        self.controls.set_values(values)
        self.controls.set_part(part)
        self.buttons.set_parts([(each.key, each.title) for each in exhibit.parts if each.key])
        self.buttons.set_more(self.controls.more)
        self.buttons.set_part(part)
        self.result.hide()
        self.notes.set_paragraphs(())
        self._scroll.verticalScrollBar().setValue(0)
        announce(self, f"{self.number.words}. {exhibit.title}. {exhibit.question}")

    def show_values(self, values: Mapping[str, Value]) -> None:
        """Show other values of the inputs."""
        self.controls.set_values(values)

    def show_run(self, run: RunView) -> None:
        """Show what becomes of a measurement."""
        self.buttons.set_run(run)

    def show_part(self, key: str) -> None:
        """Offer the controls of a part."""
        self.controls.set_part(key)
        self.buttons.set_part(key)

    def show_result(self, result: ResultView | None) -> None:
        """Show what was measured so far; None where nothing is."""
        self.result.setVisible(result is not None)
        self.notes.set_paragraphs(() if result is None else result.notes)
        if result is not None:
            self.result.set_result(result)

    def show_notice(self, sentence: str) -> None:
        """Say one sentence above the page."""
        self.notice.show_sentence(sentence)

    def _on_exported(self, path: str) -> None:
        self.notice.show_sentence(self.tr("Written: {path}").format(path=path))

    def _on_run(self) -> None:
        self.controls.take_in()
        self.run_requested.emit(self.buttons.part)

    def _on_part(self, key: str) -> None:
        self.controls.take_in()
        self.part_requested.emit(key)

    @override
    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape and self.buttons.is_busy:
            self.cancelled.emit()
            return
        super().keyPressEvent(event)

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        side = _SLIM_MARGIN if self.width() < _SLIM else _MARGIN
        right = max(side, self.width() - side - _WIDEST)
        layout = self._body.layout()
        if layout is not None:
            layout.setContentsMargins(side, 24 if side == _SLIM_MARGIN else 32, right, 24)


class Paragraphs(QWidget):
    """A heading and paragraphs; nothing where there are none."""

    def __init__(self, theme: Theme, title: str, *, size: int = look.TEXT) -> None:
        super().__init__()
        self._theme = theme
        self._size = size
        self._texts: tuple[str, ...] = ()
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(8)
        self._column.addWidget(head(theme, title))
        self.hide()

    @property
    def texts(self) -> tuple[str, ...]:
        """What stands there."""
        return self._texts

    def set_paragraphs(self, texts: Sequence[str]) -> None:
        """Show other paragraphs."""
        self.setVisible(bool(texts))
        if tuple(texts) == self._texts:
            return
        self._texts = tuple(texts)
        while self._column.count() > 1:
            item = self._column.takeAt(1)
            widget = None if item is None else item.widget()
            if widget is not None:
                widget.hide()
                widget.deleteLater()
        for text in texts:
            self._column.addWidget(
                Words(self._theme, text, size=self._size, tone="dim", leading=1.45)
            )
