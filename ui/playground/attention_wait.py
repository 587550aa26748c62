"""What a view says while it has no picture: what it takes, how far it is, or what to do."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtWidgets import QHBoxLayout, QLabel, QVBoxLayout, QWidget

from ui import figures
from ui import theme as look
from ui.announce import announce
from ui.controls import QuietButton
from ui.controls_buttons import ActionButton
from ui.inspector.meters import Meter

if TYPE_CHECKING:
    from ui.playground.attention_values import Need
    from ui.theme import Theme

SHOWN_AFTER_MS = 300
"""What is computed within this time shows no progress."""


class Waiting(QWidget):
    """One line or two: a sentence, a progress bar with Cancel, or a question with an answer.

    Nothing of it is seen while a picture is shown and nothing is under way.
    """

    cancelled = Signal()
    agreed = Signal()
    """The memory that was named may be taken."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._need = ""
        self._late = QTimer(self, singleShot=True, interval=SHOWN_AFTER_MS)
        self.sentence = QLabel()
        self.sentence.setFont(theme.font(look.CAPTION))
        self.sentence.setTextFormat(Qt.TextFormat.PlainText)
        self.sentence.setWordWrap(True)
        self.progress = Meter(theme, self.tr("Progress"))
        self.progress.setMaximumWidth(360)
        self.stop = QuietButton(theme, self.tr("Cancel"), size=look.CAPTION)
        self.agree = ActionButton(theme, self.tr("Compute"))
        row = QHBoxLayout()
        row.setContentsMargins(0, 0, 0, 0)
        row.addWidget(self.progress, 1)
        row.addWidget(self.stop)
        row.addWidget(self.agree)
        row.addStretch(1)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 4, 0, 4)
        column.setSpacing(8)
        column.addWidget(self.sentence)
        column.addLayout(row)
        self._late.timeout.connect(self._show_running)
        self.stop.clicked.connect(self.cancelled)
        self.agree.clicked.connect(self.agreed)
        self.end()

    @property
    def text(self) -> str:
        """The sentence that is shown; "" where none is."""
        return "" if self.isHidden() else self.sentence.text()

    def begin(self) -> None:
        """Something is under way; it shows when it takes longer than a moment."""
        self._need = ""
        self.progress.set_fraction(0.0)
        if self.stop.isHidden():
            self._late.start()

    def say_need(self, need: Need) -> None:
        """Name what it takes; ask whether it may, where it is much."""
        self._need = self.tr("This takes up to {size} of memory beside the model.").format(
            size=figures.size(need.needed_bytes)
        )
        if need.ask:
            self._late.stop()
            self._show(self._need, agree=True)
            announce(self, self._need)
        elif not self.stop.isHidden():
            self._show_running()

    def set_share(self, share: float) -> None:
        """Show how far it is, 0 to 1."""
        self.progress.set_fraction(share)

    def end(self) -> None:
        """The picture is there."""
        self._late.stop()
        self.hide()
        for part in (self.progress, self.stop, self.agree):
            part.hide()

    def say(self, sentence: str) -> None:
        """Say why there is no picture, or what to do to get one."""
        self._late.stop()
        self._show(sentence)

    def _show_running(self) -> None:
        words = self.tr("Computing…")
        self._show(f"{words} {self._need}".strip(), running=True)

    def _show(self, sentence: str, *, running: bool = False, agree: bool = False) -> None:
        self.sentence.setText(sentence)
        self.progress.setVisible(running)
        self.stop.setVisible(running)
        self.agree.setVisible(agree)
        self.show()
