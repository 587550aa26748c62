"""Where the palette leads: actions, chats, models, and messages that were found."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from ui.palette import Entry
from ui.shortcuts import keys_of, menu_actions

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from PySide6.QtGui import QAction
    from PySide6.QtWidgets import QMenuBar

    from ui.state import ChatRow, HitRow, ModelChoice

_LONGEST_KIND = 24


class Going(QObject):
    """Makes the palette's lines; choosing one emits a signal, or does what its action does."""

    chat_chosen = Signal(str)
    message_chosen = Signal(str, str)
    model_chosen = Signal(str)
    exhibit_chosen = Signal(int)

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self.chat_id = ""
        """The chat that is shown; empty for a new one."""
        self._chats: tuple[ChatRow, ...] = ()
        self._models: tuple[ModelChoice, ...] = ()
        self._exhibits: dict[int, str] = {}

    def set_chats(self, chats: Sequence[ChatRow], chat_id: str) -> None:
        """Take the chats that there are, in their order, and the one that is shown."""
        self._chats = tuple(chats)
        self.chat_id = chat_id

    def step(self, by: int, *, archived: bool) -> str:
        """Go to the next chat in the list, or the one before; "" where there is none.

        From a new chat, the next is the first; after the last comes the first.

        Args:
            by: 1 for the next, -1 for the one before.
            archived: Whether archived chats are in the list.
        """
        ids = [chat.id for chat in self._chats if archived or not chat.archived]
        if not ids:
            return ""
        if self.chat_id in ids:
            self.chat_id = ids[(ids.index(self.chat_id) + by) % len(ids)]
        else:
            self.chat_id = ids[0 if by > 0 else -1]
        return self.chat_id

    def set_models(self, models: Sequence[ModelChoice]) -> None:
        """Take the models that can be opened."""
        self._models = tuple(models)

    def set_exhibits(self, titles: Mapping[int, str]) -> None:
        """Take the exhibits that there are, by their numbers."""
        self._exhibits = dict(titles)

    def entries(self, bar: QMenuBar, palette: QAction) -> list[Entry]:
        """Everything that can be gone to: what the menus offer, chats, models, exhibits.

        Args:
            bar: The menus.
            palette: The action that has led here, which leads nowhere else.
        """
        actions = [
            Entry(action.text(), group, action.trigger, keys_of(action))
            for group, action in menu_actions(bar)
            if action.isEnabled() and action is not palette
        ]
        chat, model = self.tr("Chat"), self.tr("Model")
        chats = [
            Entry(row.title, chat, partial(self.chat_chosen.emit, row.id)) for row in self._chats
        ]
        models = [
            Entry(choice.name, model, partial(self.model_chosen.emit, choice.source))
            for choice in self._models
        ]
        exhibits = [
            Entry(
                title,
                self.tr("Exhibit {number}").format(number=number),
                partial(self.exhibit_chosen.emit, number),
            )
            for number, title in self._exhibits.items()
        ]
        return [*actions, *chats, *models, *exhibits]

    def found(self, hits: Sequence[HitRow]) -> list[Entry]:
        """Lines for what a search found."""
        return [
            Entry(
                hit.snippet,
                hit.title[:_LONGEST_KIND],
                partial(self.message_chosen.emit, hit.chat_id, hit.message_id),
            )
            for hit in hits
        ]
