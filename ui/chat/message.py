"""What the transcript asks of every message, whoever wrote it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QPlainTextEdit, QTextEdit, QWidget
from typing_extensions import override

from ui.chat.actions import MessageActions
from ui.chat.memory_mark import Veil
from ui.chat.message_menu import message_menu

if TYPE_CHECKING:
    from PySide6.QtGui import QContextMenuEvent, QEnterEvent

    from ui.state import MessageView
    from ui.theme import Theme


class MessageItem(QWidget):
    """What the transcript asks of every message."""

    grown = Signal()
    """The message wants another height."""
    acted = Signal(str, str)
    """A `ui.state.MessageAction` that was chosen, and the message's id."""
    edited = Signal(str, str)
    """The message's id, and its new words."""

    overhang = 0
    """So many logical pixels reach into the space below the message, for its actions alone."""

    def __init__(self, theme: Theme, view: MessageView, parent: QWidget) -> None:
        super().__init__(parent)
        self.message_id = view.id
        self.view = view
        self.actions_row = MessageActions(theme, self)
        self.actions_row.chosen.connect(self._on_action)
        self.forgotten = False
        self.veil = Veil(theme, self)
        self.veil.leave_out(self.actions_row)

    def update_view(self, view: MessageView) -> None:
        """Take on a new state of the message."""
        self.view = view

    @property
    def latest_view(self) -> MessageView:
        """The message with all that has come of it."""
        return self.view

    @property
    def edit(self) -> str | None:
        """What the user makes of its words; None while they are not being edited."""
        return None

    def resume_edit(self, text: str) -> None:
        """Go on editing where that had come to this text."""

    def set_forgotten(self, *, forgotten: bool) -> None:
        """Whether the model does not see the message any more."""
        self.forgotten = forgotten
        self.veil.setVisible(forgotten)
        self.update()
        self.veil.cover()

    def _on_action(self, action: str) -> None:
        if action == "copy":
            self.copy_whole()
        else:
            self.acted.emit(action, self.message_id)

    @override
    def enterEvent(self, event: QEnterEvent) -> None:
        self.actions_row.set_revealed(revealed=True)

    @override
    def leaveEvent(self, event: object) -> None:
        self.actions_row.set_revealed(revealed=False)

    def place(self, width: int) -> int:
        """Lay the message out in a width; returns the height it takes, in pixels."""
        raise NotImplementedError

    def restyle(self) -> None:
        """Take on the colours that are in force now."""

    @property
    def answer(self) -> str:
        """What is copied of the message as a whole."""
        raise NotImplementedError

    def copy_whole(self) -> None:
        """Put the whole message on the clipboard."""
        QGuiApplication.clipboard().setText(self.answer)

    @override
    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        message_menu(self, event.pos()).popup(event.globalPos())

    def texts(self) -> list[QTextEdit | QPlainTextEdit]:
        """The texts that are shown and can be searched, in order."""
        raise NotImplementedError
