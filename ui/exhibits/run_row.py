"""What an exhibit is run with: its buttons, and what becomes of the measurement."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, Qt, QTimer, Signal
from PySide6.QtWidgets import QBoxLayout, QHBoxLayout, QVBoxLayout, QWidget
from typing_extensions import override

from ui import theme as look
from ui.announce import announce
from ui.controls import ElidedLabel, QuietButton
from ui.controls_buttons import ActionButton
from ui.exhibits.values import RunView
from ui.exhibits.words import Words
from ui.figures import percent
from ui.inspector.meters import Meter

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtGui import QResizeEvent

    from ui.theme import Theme

_CAPTION = 150
_BETWEEN = 10
_QUIET_MS = 300
"""What takes no longer than this shows no progress."""
_RIGHT, _DOWN = QBoxLayout.Direction.LeftToRight, QBoxLayout.Direction.TopToBottom


class RunRow(QWidget):
    """The buttons, and beside or below them how far the measurement is."""

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
        self._choices, self._rest = QHBoxLayout(), QHBoxLayout()
        self._rest.addWidget(self.reset)
        self._rest.addWidget(self.caption, 1)
        self._rest.addWidget(self.meter)
        self._rest.addWidget(self.cancel)
        self._front = QBoxLayout(_RIGHT)
        self._front.addWidget(self.run, 0, Qt.AlignmentFlag.AlignLeft)
        self._front.addLayout(self._choices)
        self._front.setAlignment(self._choices, Qt.AlignmentFlag.AlignLeft)
        self._rows = QBoxLayout(_RIGHT)
        self._rows.addLayout(self._front)
        self._rows.addLayout(self._rest, 1)
        self._rows.setAlignment(self._front, Qt.AlignmentFlag.AlignLeft)
        for row in (self._choices, self._rest, self._front, self._rows):
            row.setContentsMargins(0, 0, 0, 0)
            row.setSpacing(_BETWEEN)
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
            self._choices.removeWidget(button)
            button.hide()
            button.deleteLater()
        self._parts = {key: ActionButton(self._theme, title) for key, title in parts}
        for button in self._parts.values():
            button.setCheckable(True)
            button.clicked.connect(self._on_part)
            self._choices.addWidget(button)

    def set_more(self, button: QuietButton) -> None:
        """Put the button that shows more controls after Reset."""
        self._rest.insertWidget(1, button)

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
        """Stand in one line where there is room for it, else in two or three."""
        choices = self._choices.sizeHint().width()
        front = self.run.sizeHint().width() + (_BETWEEN + choices if choices else 0)
        whole = front + self.reset.sizeHint().width() + _CAPTION
        self._front.setDirection(_RIGHT if front <= self.width() else _DOWN)
        self._rows.setDirection(_RIGHT if whole <= self.width() else _DOWN)
