"""The page of one exhibit, and the index beside it. It shows frozen values and asks for runs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, Qt, QTimer, Signal
from PySide6.QtGui import QFont
from PySide6.QtWidgets import QBoxLayout, QFrame, QHBoxLayout, QScrollArea, QVBoxLayout, QWidget
from typing_extensions import override

from ui import theme as look
from ui.announce import announce
from ui.controls import ElidedLabel, QuietButton
from ui.controls_buttons import ActionButton
from ui.exhibits.controls import ControlPanel
from ui.exhibits.index import ExhibitIndex
from ui.exhibits.result import ResultPanel
from ui.exhibits.values import RunView
from ui.exhibits.words import Words, head
from ui.figures import percent
from ui.inspector.meters import Meter
from ui.notice import Notice
from ui.places import PlacePage

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from PySide6.QtGui import QKeyEvent, QResizeEvent

    from ui.exhibits.values import ExhibitView, ResultView
    from ui.fields import Value
    from ui.theme import Theme

_WIDEST = 900
_MARGIN, _SLIM_MARGIN = 64, 24
_SLIM = 700
_CAPTION = 150
_QUIET_MS = 300
"""What takes no longer than this shows no progress."""


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


class RunRow(QWidget):
    """The buttons of an exhibit, and beside them how far the measurement is."""

    part_chosen = Signal(str)

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self._parts: dict[str, ActionButton] = {}
        self._run = RunView()
        self.part = ""
        """The key of the part that is shown."""
        self.run = ActionButton(theme, self.tr("Run"), main=True)
        self.reset = ActionButton(theme, self.tr("Reset"))
        self.cancel = QuietButton(theme, self.tr("Cancel"), size=look.TEXT - 1)
        self.meter = Meter(theme, self.tr("Progress"))
        self.meter.setFixedWidth(120)
        self.caption = ElidedLabel(theme.font(look.CAPTION))
        self.caption.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        self.sentence = Words(theme, size=look.TEXT - 1, tone="dim")
        self._wait = QTimer(self, singleShot=True, interval=_QUIET_MS)
        self._wait.timeout.connect(self._show)
        self._first, self._second = QHBoxLayout(), QHBoxLayout()
        self._first.addWidget(self.run)
        self._second.addWidget(self.reset)
        self._second.addWidget(self.caption, 1)
        self._second.addWidget(self.meter)
        self._second.addWidget(self.cancel)
        self._rows = QBoxLayout(QBoxLayout.Direction.LeftToRight)
        self._rows.addLayout(self._first)
        self._rows.addLayout(self._second, 1)
        for row in (self._first, self._second, self._rows):
            row.setContentsMargins(0, 0, 0, 0)
            row.setSpacing(10)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(8)
        column.addLayout(self._rows)
        column.addWidget(self.sentence)
        theme.changed.connect(self._dress)
        self._dress()
        self.set_run(self._run)

    @property
    def is_busy(self) -> bool:
        """Whether there is something to cancel."""
        return self._run.is_busy

    def button(self, key: str) -> ActionButton:
        """The button of a part."""
        return self._parts[key]

    def set_parts(self, parts: Sequence[tuple[str, str]]) -> None:
        """Offer other parts: their keys and titles."""
        for button in self._parts.values():
            self._first.removeWidget(button)
            button.hide()
            button.deleteLater()
        self._parts = {key: ActionButton(self._theme, title) for key, title in parts}
        for place, button in enumerate(self._parts.values(), 1):
            button.setCheckable(True)
            button.clicked.connect(self._on_part)
            self._first.insertWidget(place, button)

    def set_more(self, button: QuietButton) -> None:
        """Put the button that shows more controls after Reset."""
        self._second.insertWidget(1, button)

    def set_part(self, key: str) -> None:
        """Mark the part that is shown."""
        self.part = key
        for each, button in self._parts.items():
            button.setChecked(each == key)

    def set_run(self, run: RunView) -> None:
        """Show another state; progress only of what takes its time."""
        began = run.is_busy and not self._run.is_busy
        self._run = run
        self.run.set_label(run.label or self.tr("Run"))
        self._turn()
        if began:
            self._wait.start()
        elif not run.is_busy:
            self._wait.stop()
        if not self._wait.isActive():
            self._show()
        self.run.setEnabled(run.enabled)
        for button in self._parts.values():
            button.setEnabled(run.enabled)

    def _on_part(self) -> None:
        """Show a part; pressed once more, its button leads back to the first one."""
        pressed = next((key for key, each in self._parts.items() if each is self.sender()), "")
        self.part_chosen.emit("" if pressed == self.part else pressed)

    def _show(self) -> None:
        run = self._run
        self.meter.setVisible(run.phase == "running")
        self.meter.set_fraction(run.share if run.phase == "running" else None)
        self.cancel.setVisible(run.is_busy)
        self.sentence.set_tone("accent" if run.phase == "failed" else "dim")
        shown = (self.caption.whole, run.caption), (self.sentence.words, run.sentence)
        for before, text in shown:
            if text and text != before:
                announce(self, text)
        self.caption.set_whole(run.caption)
        self.sentence.set_words(run.sentence)
        self.sentence.setVisible(bool(run.sentence))
        self.meter.setToolTip(percent(run.share) if run.is_busy else "")

    def _dress(self) -> None:
        self.caption.set_color(self._theme.colors.dim)

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._turn()

    @override
    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.LayoutRequest:  # buttons that came take room once shown
            self._turn()
        return super().event(event)

    def _turn(self) -> None:
        """Stand in one line where there is room for it, else in two."""
        wanted = self._first.sizeHint().width() + self.reset.sizeHint().width() + _CAPTION
        down, right = QBoxLayout.Direction.TopToBottom, QBoxLayout.Direction.LeftToRight
        self._rows.setDirection(down if wanted > self.width() else right)


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
