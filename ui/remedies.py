"""The quiet bar above all places: one sentence, and the one thing that can be done about it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from PySide6.QtCore import QObject, Signal

if TYPE_CHECKING:
    from ui.notice import Notice

Remedy = Literal["", "retry", "model", "preferences", "offer"]


class Remedies(QObject):
    """Shows sentences with their action, and tells which action was wanted."""

    retry_requested = Signal()
    model_requested = Signal()
    preferences_requested = Signal()
    offer_accepted = Signal()

    def __init__(self, notice: Notice) -> None:
        super().__init__(notice)
        self._notice = notice
        self._remedy: Remedy = ""
        self._until_model = False
        notice.acted.connect(self._on_acted)

    def show(self, sentence: str, remedy: Remedy = "", *, until_model: bool = False) -> None:
        """Show a sentence until it is dismissed.

        Args:
            sentence: What is wrong.
            remedy: What the bar offers to do about it.
            until_model: Whether it is dismissed once a model is there.
        """
        words = {
            "retry": self.tr("Try Again"),
            "model": self.tr("Choose a Model…"),
            "preferences": self.tr("Preferences…"),
        }
        self._remedy = remedy
        self._until_model = until_model
        self._notice.show_sentence(sentence, words.get(remedy, ""))

    def offer(self, sentence: str, word: str) -> None:
        """Show a sentence with a button of its own."""
        self._remedy = "offer"
        self._until_model = False
        self._notice.show_sentence(sentence, word)

    def on_model_ready(self) -> None:
        """Dismiss what was wrong only while there was no model."""
        if self._until_model:
            self._until_model = False
            self._notice.dismiss()

    def _on_acted(self) -> None:
        signals = {
            "retry": self.retry_requested,
            "model": self.model_requested,
            "preferences": self.preferences_requested,
            "offer": self.offer_accepted,
        }
        if self._remedy in signals:
            signals[self._remedy].emit()
