"""The chat that the window shows: its messages, its settings, and which of two wishes is later."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from app.chats.errors import StoreError
from app.chats.settings import ChatSettings
from app.views import message_view
from ui.state import MessageView

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Sequence

    from app.chats.model import Chat, Message, OpenChat, Version
    from app.chats.store import Store
    from app.replies import Replies, Running
    from app.store_access import StoreAccess
    from app.worker import Worker


class ShownChat(QObject):
    """Holds the shown chat, opens another one, and tells the window what is different.

    Chats are read on the store's thread, so that each wish to see something gets a number: what
    has been read is shown only if nothing else has been wished since.
    """

    chat_shown = Signal(list, str)
    another_shown = Signal(str)
    """Another chat is shown than before: its id, empty for one that is not stored yet."""
    messages_changed = Signal(list, bool)
    """The shown chat has other messages now, and whether its end is to be seen."""
    message_wanted = Signal(str)
    current_changed = Signal(str)
    list_outdated = Signal()
    title_changed = Signal(str)
    message_added = Signal(MessageView)
    message_updated = Signal(MessageView)
    busy_changed = Signal(bool)
    policy_changed = Signal(str)
    settings_changed = Signal()
    """The shown chat, or what it is set to, is another one."""
    privacy_changed = Signal(bool)
    """Whether the shown chat stays in memory."""
    memory_changed = Signal(str)
    """The first message that the model still sees; empty where it sees all, or that is unknown."""

    def __init__(
        self, worker: Worker, store: StoreAccess, replies: Replies, parent: QObject
    ) -> None:
        super().__init__(parent)
        self._worker = worker
        self._store = store
        self._replies = replies
        self._chat: Chat | None = None
        self._settings = self._usual = ChatSettings()
        self._messages: list[Message] = []
        self._versions: dict[str, Version] = {}
        self._memory: dict[str, str] = {}
        self._wishes = 0
        self._awaited = ""
        self._outdated = False
        self._gone_id = ""

    @property
    def chat(self) -> Chat | None:
        """The chat; None for one that is stored with its first question."""
        return self._chat

    @property
    def chat_id(self) -> str:
        """The chat's id; empty for one that is stored with its first question."""
        return "" if self._chat is None else self._chat.id

    @property
    def settings(self) -> ChatSettings:
        """The chat's settings."""
        return self._settings

    @property
    def messages(self) -> tuple[Message, ...]:
        """The shown branch, from the root to its leaf."""
        return tuple(self._messages)

    @property
    def is_busy(self) -> bool:
        """Whether a reply is being written in the chat."""
        return bool(self._replies.of_chat(self.chat_id))

    def message(self, message_id: str) -> Message | None:
        """A message of the shown branch; None where it is not on it."""
        return next((each for each in self._messages if each.id == message_id), None)

    def version(self, message_id: str) -> Version | None:
        """Where a message stands among its versions; None where it is the only one."""
        return self._versions.get(message_id)

    def shows(self, running: Running) -> bool:
        """Whether a reply belongs to the shown chat."""
        return self.chat_id == running.reply.chat_id

    def on_new_chat_requested(self) -> None:
        """Show an empty chat; it is stored with its first question."""
        self._gone_id = ""
        self.wish()
        self.show(None)

    def on_chat_selected(self, chat_id: str) -> None:
        """Show a stored chat, unless something else is wished before it has been read."""
        if self._chat is not None and self._chat.id == chat_id:
            self.wish()
            self.catch_up()
            return
        self.open(chat_id, lambda store: store.open_chat(chat_id))

    def on_hit_chosen(self, chat_id: str, message_id: str) -> None:
        """Show the branch that a message is on, and the message; the chat for an empty id."""

        def work(store: Store) -> OpenChat | None:
            if message_id:
                with suppress(StoreError):  # chats that can only be read keep to their branch
                    store.branches.show(message_id)
            return store.open_chat(chat_id)

        self.open(chat_id, work, lambda: self.message_wanted.emit(message_id))

    def on_trash_changed(self, chat_ids: Sequence[str]) -> None:
        """Read the shown chat again where something of it was deleted or brought back.

        One that was deleted while it was shown is shown again when it comes back.
        """
        self.list_outdated.emit()
        chat_id = self.chat_id or self._gone_id
        if chat_id and chat_id in chat_ids:
            self._gone_id = chat_id
            self.open(chat_id, lambda store: store.open_chat(chat_id))

    def on_policy_chosen(self, policy: str) -> None:
        """Choose for the shown chat what happens when its context is full.

        Args:
            policy: "window" forgets the oldest messages, "all" ends the reply.
        """
        kept = "window" if policy == "window" else "all"
        context = replace(self._settings.context, policy=kept)
        self.set_settings(replace(self._settings, context=context))

    def set_settings(self, settings: ChatSettings) -> None:
        """Set the shown chat to something else, for the replies to come."""
        if settings == self._settings:
            return
        self._settings = settings
        if self._chat is not None:
            chat_id = self._chat.id
            self._store.run(lambda store: store.set_settings(chat_id, settings), chat_id=chat_id)
        self.policy_changed.emit(settings.context.policy)
        self.settings_changed.emit()

    def set_usual(self, settings: ChatSettings) -> None:
        """Have new chats begin with something else, the one that is not stored yet too."""
        untouched = self._chat is None and self._settings == self._usual
        self._usual = settings
        if untouched:
            self.set_settings(settings)

    @property
    def usual(self) -> ChatSettings:
        """What new chats begin with."""
        return self._usual

    def on_renamed(self, chat_id: str, title: str) -> None:
        """Show the new title of the shown chat."""
        if self._chat is not None and self._chat.id == chat_id:
            self._chat = replace(self._chat, title=title)
            self.title_changed.emit(title)

    def wish(self) -> int:
        """Wish to see something: what is still being read for an earlier wish stays unseen.

        Where that is the shown chat, something of it has changed: `catch_up` reads it again.
        """
        self._outdated = self._outdated or (bool(self._awaited) and self._awaited == self.chat_id)
        self._awaited = ""
        self._wishes += 1
        return self._wishes

    def is_wished(self, wish: int) -> bool:
        """Whether nothing else has been wished since."""
        return wish == self._wishes

    def leave(self, chat_ids: Sequence[str]) -> None:
        """Show no chat where the shown one is being deleted: what is asked next is another one's.

        It is shown again when it comes back.
        """
        if self.chat_id and self.chat_id in chat_ids:
            self._gone_id = self.chat_id
            self.wish()
            self.show(None)

    def catch_up(self) -> None:
        """Read the shown chat again, where that was left aside for a wish that leaves it shown."""
        chat_id, outdated, self._outdated = self.chat_id, self._outdated, False
        if chat_id and outdated:
            self.open(chat_id, lambda store: store.open_chat(chat_id))

    def open(
        self,
        chat_id: str,
        work: Callable[[Store], OpenChat | None],
        then: Callable[[], None] | None = None,
    ) -> None:
        """Show what is read, unless something else is wished before that is done.

        Args:
            chat_id: The chat that is read, or from which another one is made.
            work: Reads it.
            then: What comes after.
        """
        wish = self.wish()
        self._awaited = chat_id

        def show(opened: OpenChat | None) -> None:
            if self.is_wished(wish):
                self._awaited = ""
                self.adopt(opened, at_end=False)
                if then is not None:
                    then()

        def fail() -> None:
            if self.is_wished(wish):
                self._awaited = ""
                self.catch_up()

        self._store.run(work, show, chat_id, fail)

    def adopt(self, opened: OpenChat | None, *, at_end: bool) -> None:
        """Show what was read: in place where it is the shown chat, as another one otherwise."""
        if opened is None and self._chat is None:
            self._tell_current()
            return
        if opened is None or self._chat is None or opened.chat.id != self._chat.id:
            self.show(opened)
            return
        self._take(opened)
        self._tell_messages(at_end=at_end)
        self._tell_settings()
        self.tell_busy()

    def show(self, opened: OpenChat | None) -> None:
        """Show another chat, or an empty one."""
        self._chat = None
        self._messages = []
        self._versions = {}
        self._settings = self._usual
        self._outdated = False
        if opened is not None:
            self._take(opened)
        title = "" if opened is None else opened.chat.title
        self.chat_shown.emit([self._view(each) for each in self._messages], title)
        self.another_shown.emit(self.chat_id)
        self._tell_settings()
        self.tell_busy()
        self._worker.measure(self.chat_id)
        self._tell_current()

    def add_turn(self, chat: Chat, question: Message, reply: Message) -> None:
        """Show a question and the reply that begins; the chat is new where none was stored."""
        self._chat = chat
        self._tell_current()
        self._messages += [question, reply]
        self.title_changed.emit(chat.title)
        self.message_added.emit(self._view(question))
        self.message_added.emit(self._view(reply))
        self.tell_busy()

    def remove(self, message_ids: Collection[str]) -> None:
        """Show the chat without some of its messages."""
        self._messages = [each for each in self._messages if each.id not in message_ids]
        self._tell_messages(at_end=True)

    def update(self, reply: Message) -> None:
        """Show a reply as it is now, where it is shown."""
        for number, message in enumerate(self._messages):
            if message.id == reply.id:
                self._messages[number] = reply
                self.message_updated.emit(self._view(reply))

    def remember(self, chat_id: str, spoken_ids: Sequence[str], unseen: int) -> None:
        """Note where the model's memory of a chat begins now.

        Args:
            chat_id: Which chat.
            spoken_ids: For each message that the model was given, the id of the stored one that
                it begins with; at least one.
            unseen: How many of them the model no longer sees.
        """
        message_id = spoken_ids[min(unseen, len(spoken_ids) - 1)] if unseen else ""
        if self._memory.get(chat_id, "") != message_id:
            self._memory[chat_id] = message_id
            if chat_id == self.chat_id:
                self.memory_changed.emit(message_id)

    def tell_busy(self) -> None:
        """Tell whether a reply is being written in the chat."""
        self.busy_changed.emit(self.is_busy)

    def tell_privacy(self) -> None:
        """Tell whether the chat stays in memory."""
        self.privacy_changed.emit(self._store.is_private(self.chat_id))

    def _take(self, opened: OpenChat) -> None:
        self._gone_id = ""
        self._outdated = False
        self._chat = opened.chat
        self._settings = opened.settings
        self._messages = [self._replies.newest(message) for message in opened.messages]
        self._versions = opened.versions

    def _tell_messages(self, *, at_end: bool) -> None:
        self.messages_changed.emit([self._view(each) for each in self._messages], at_end)

    def _tell_settings(self) -> None:
        self.policy_changed.emit(self._settings.context.policy)
        self.tell_privacy()
        self.settings_changed.emit()
        self.memory_changed.emit(self._memory.get(self.chat_id, ""))

    def _tell_current(self) -> None:
        self.current_changed.emit(self.chat_id)
        self.list_outdated.emit()

    def _view(self, message: Message) -> MessageView:
        queued = self._replies.queued(message.id)
        return message_view(message, self._versions.get(message.id), queued)
