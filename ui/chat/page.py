"""The chat place: notice, find bar, the transcript or the welcome, then the composer."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QVBoxLayout

from ui.chat.composer import Composer
from ui.chat.find import FindBar
from ui.chat.transcript import Transcript
from ui.chat.welcome import Welcome
from ui.controls import Surface
from ui.notice import Notice

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ui.state import Deleted, MessageView
    from ui.theme import Theme


class ChatPage(Surface):
    """Everything of the chat that is shown. The welcome stands in while it is empty."""

    submitted = Signal(str)

    def __init__(self, theme: Theme) -> None:
        super().__init__(theme, "page")
        self.notice = Notice(theme)
        self.undo_bar = Notice(theme)
        self.transcript = Transcript(theme)
        self.find_bar = FindBar(theme, self.transcript)
        self.welcome = Welcome(theme)
        self.composer = Composer(theme)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 6)
        column.setSpacing(0)
        column.addWidget(self.notice)
        column.addWidget(self.undo_bar)
        column.addWidget(self.find_bar)
        column.addWidget(self.transcript, 1)
        column.addWidget(self.welcome, 1)
        column.addWidget(self.composer)
        self._show_welcome()
        self._connect_signals()

    def _connect_signals(self) -> None:
        self.composer.submitted.connect(self._submit)
        self.composer.escaped.connect(self._on_escaped)
        self.find_bar.closed.connect(self.composer.setFocus)
        self.transcript.message_edited.connect(self._on_edited)
        self.welcome.asked.connect(self._on_asked)

    def show_messages(self, messages: Sequence[MessageView]) -> None:
        """Show another chat."""
        self.transcript.show_messages(messages)
        self._show_welcome()

    def change_messages(self, messages: Sequence[MessageView], *, at_end: bool) -> None:
        """Show other messages of the same chat."""
        self.transcript.change_messages(messages, at_end=at_end)
        self._show_welcome()

    def offer_undo(self, kind: Deleted, count: int) -> None:
        """Say what was deleted, and offer to bring it back."""
        sentences = {
            "message": self.tr("The message was deleted."),
            "branch": self.tr("The message and all below it were deleted."),
            "chat": self.tr("%n chats were deleted.", "", count)
            if count > 1
            else self.tr("The chat was deleted."),
        }
        self.undo_bar.show_sentence(sentences[kind], self.tr("Undo"))

    def add_message(self, message: MessageView) -> None:
        """Add a message at the end."""
        self.transcript.add_message(message)
        self._show_welcome()

    def _show_welcome(self) -> None:
        empty = self.transcript.is_empty
        self.transcript.setVisible(not empty)
        self.welcome.setVisible(empty)

    def _submit(self, text: str) -> None:
        self.notice.dismiss()
        self.undo_bar.dismiss()
        self.submitted.emit(text)

    def _on_escaped(self) -> None:
        self.notice.dismiss()
        self.undo_bar.dismiss()
        self.find_bar.close_search()

    def _on_edited(self) -> None:
        """The question that was changed gives way to another, and with it its buttons."""
        self.composer.setFocus()

    def _on_asked(self, text: str) -> None:
        """A suggested question goes the way of a typed one; a draft stays as it is."""
        self.composer.setFocus()
        self._submit(text)
