"""The up-arrow in an empty composer: the last question can be edited."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QKeyEvent
from typing_extensions import override

if TYPE_CHECKING:
    from ui.chat.composer import Composer
    from ui.chat.transcript import Transcript

_PLAIN = (Qt.KeyboardModifier.NoModifier, Qt.KeyboardModifier.KeypadModifier)


class Recall(QObject):
    """Watches the composer for the key."""

    def __init__(self, composer: Composer, transcript: Transcript) -> None:
        super().__init__(composer)
        self._composer = composer
        self._transcript = transcript
        composer.draft.installEventFilter(self)

    @override
    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if not isinstance(event, QKeyEvent) or event.type() != QEvent.Type.KeyPress:
            return False
        wanted = event.key() == Qt.Key.Key_Up and event.modifiers() in _PLAIN
        draft = self._composer.draft
        if not wanted or draft.composing or not draft.document().isEmpty():
            return False
        return not self._composer.busy and self._edit_last()

    def _edit_last(self) -> bool:
        from ui.chat.question import UserMessage  # late: there is one by now

        if self._transcript.later:
            self._transcript.jump_to_end()
        for item in reversed(self._transcript.items):
            if isinstance(item, UserMessage):
                self._transcript.show_message(item.message_id)
                item.start_editing()
                return True
        return False
