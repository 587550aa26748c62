"""The question that is being written, in each chat: words and files, kept over restarts."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer, Signal

from app.attaching import AttachmentError, pasted_attachment, read_attachment
from app.chats.model import new_id
from app.later import Later
from app.views import attachment_view
from ui.state import AttachmentView

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from concurrent.futures import Future

    from app.chats.drafts import StoredDraft
    from app.chats.model import Attachment
    from app.chats.store import Store
    from app.store_access import StoreAccess

SAVE_AFTER_MS = 400
_MOST = 20
"""How many files go with one question."""


@dataclass
class _Draft:
    """What is written in one chat.

    Attributes:
        files: What goes with it, by id; None while it is being read.
        names: Of the files, by id.
        unsaved: Whether the words, or with them the files, are not in the store yet.
    """

    text: str = ""
    files: dict[str, Attachment | None] = field(default_factory=dict[str, "Attachment | None"])
    names: dict[str, str] = field(default_factory=dict[str, str])
    unsaved: bool = False
    unsaved_files: bool = False

    @property
    def attachments(self) -> tuple[Attachment, ...]:
        return tuple(one for one in self.files.values() if one is not None)


class Drafting(QObject):
    """Follows what is written, reads files on a thread of its own, saves both a moment later."""

    text_wanted = Signal(str)
    """The words of another chat are to be shown."""
    earlier_text_wanted = Signal(str)
    """Words are to be shown before those that are written already."""
    attachments_changed = Signal(list)
    """The `ui.state.AttachmentView`s of the shown chat."""
    changed = Signal()
    """The question is another one."""
    failed = Signal(str)

    def __init__(self, store: StoreAccess, parent: QObject) -> None:
        super().__init__(parent)
        self._store = store
        self._chat_id = ""
        self._drafts: dict[str, _Draft] = {}
        self._later = Later(self._on_error, self)
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="attachments")
        self._closing = False
        self._timer = QTimer(self, singleShot=True, interval=SAVE_AFTER_MS)
        self._timer.timeout.connect(self.save)

    @property
    def text(self) -> str:
        """The words."""
        return self._draft.text

    @property
    def attachments(self) -> tuple[Attachment, ...]:
        """The files that are read."""
        return self._draft.attachments

    def on_chat_shown(self, chat_id: str) -> None:
        """Show what was written in another chat."""
        if chat_id == self._chat_id and chat_id in self._drafts:
            return
        self.save()
        self._chat_id = chat_id
        if chat_id in self._drafts:
            self._show()
            return
        self._drafts[chat_id] = _Draft()
        self._show()
        self._store.run(
            lambda store: store.drafts.read(chat_id), partial(self._on_read, chat_id), chat_id
        )

    def on_current_changed(self, chat_id: str) -> None:
        """Go on in the chat that a new question has made."""
        if self._chat_id != chat_id:
            self._drafts.setdefault(chat_id, _Draft())
            self._chat_id = chat_id

    def on_reopened(self) -> None:
        """Show what stood in the file of chats before it could be opened, with the rest below."""
        chat_id = self._chat_id
        self._store.run(
            lambda store: store.drafts.read(chat_id), partial(self._on_reread, chat_id), chat_id
        )

    def on_text_changed(self, text: str) -> None:
        """Follow the words."""
        draft = self._draft
        if text != draft.text:
            draft.text = text
            draft.unsaved = True
            self._timer.start()
            self.changed.emit()

    def on_files_given(self, paths: Sequence[str]) -> None:
        """Read files that are to go with the question."""
        room = _MOST - len(self._draft.files)
        if len(paths) > room:
            self.failed.emit(self.tr("At most {n} files go with one question.").format(n=_MOST))
        for path in list(paths)[: max(room, 0)]:
            read = partial(read_attachment, Path(path), self._is_closing)
            self._add(Path(path).name, read)

    def on_text_given(self, text: str) -> None:
        """Take a long text as a file."""
        name = self.tr("Pasted text")
        self._add(name, partial(pasted_attachment, text, name))

    def on_removed(self, key: str) -> None:
        """Take a file out."""
        draft = self._draft
        draft.names.pop(key, None)
        if draft.files.pop(key, None) is not None:
            draft.unsaved = draft.unsaved_files = True
            self._timer.start()
        self._tell_files()

    def take(self) -> tuple[Attachment, ...]:
        """The files that go with the question which is sent now; they are in the draft no more."""
        draft = self._draft
        taken = draft.attachments
        draft.files.clear()
        draft.names.clear()
        draft.unsaved = draft.unsaved_files = True
        self._tell_files()
        return taken

    def give_back(self, attachments: Sequence[Attachment]) -> None:
        """Take files of a question that was refused into the draft again."""
        if attachments:
            draft = self._draft
            draft.files.update({one.id: one for one in attachments})
            draft.names.update({one.id: one.name for one in attachments})
            draft.unsaved = draft.unsaved_files = True
            self._timer.start()
            self._tell_files()

    def forget(self, chat_id: str) -> None:
        """Forget what was written in a chat that is gone for good."""
        self._drafts.pop(chat_id, None)

    def save(self) -> None:
        """Save what is not saved yet."""
        self._timer.stop()
        for chat_id, draft in self._drafts.items():
            if draft.unsaved:
                files = draft.attachments if draft.unsaved_files else None
                draft.unsaved = draft.unsaved_files = False
                self._store.run(_saving(chat_id, draft.text, files), chat_id=chat_id)

    def close(self) -> None:
        """Save, and read nothing any more."""
        self._closing = True
        self._thread.shutdown(wait=True, cancel_futures=True)
        self.save()

    @property
    def _draft(self) -> _Draft:
        return self._drafts.setdefault(self._chat_id, _Draft())

    def _is_closing(self) -> bool:
        return self._closing

    def _add(self, name: str, read: Callable[[], Attachment]) -> None:
        key, draft = new_id(), self._draft
        draft.files[key] = None
        draft.names[key] = name
        self._tell_files()
        chat_id = self._chat_id

        def work() -> Attachment | str:
            try:
                return read()
            except AttachmentError as error:
                return str(error)

        future: Future[Attachment | str] = self._thread.submit(work)
        self._later.deliver(future, lambda found: self._on_file(chat_id, key, found))

    def _on_file(self, chat_id: str, key: str, found: Attachment | str) -> None:
        draft = self._drafts.get(chat_id)
        if draft is None or key not in draft.files:  # taken out while it was read
            return
        if isinstance(found, str):
            del draft.files[key], draft.names[key]
            self.failed.emit(found)
        else:
            draft.files[key] = replace(found, id=key)
            draft.unsaved = draft.unsaved_files = True
            self._timer.start()
        if chat_id == self._chat_id:
            self._tell_files()

    def _on_reread(self, chat_id: str, stored: StoredDraft) -> None:
        draft = self._drafts.get(chat_id)
        if draft is not None and not draft.unsaved and stored.text.endswith(draft.text):
            self._adopt(chat_id, draft, stored)

    def _on_read(self, chat_id: str, stored: StoredDraft) -> None:
        """Take over what was stored; what has been written since comes after it."""
        draft = self._drafts.get(chat_id)
        if draft is None:
            return
        if draft.text or draft.files:
            self._put_before(chat_id, draft, stored)
        elif not draft.unsaved:
            self._adopt(chat_id, draft, stored)

    def _put_before(self, chat_id: str, draft: _Draft, stored: StoredDraft) -> None:
        if stored.attachments:
            draft.files = {one.id: one for one in stored.attachments} | draft.files
            draft.names = {one.id: one.name for one in stored.attachments} | draft.names
            draft.unsaved = draft.unsaved_files = True
            self._timer.start()
        shown = chat_id == self._chat_id
        if shown:
            self._tell_files()
        if stored.text and shown:
            self.earlier_text_wanted.emit(stored.text)
        elif stored.text:
            draft.text = f"{stored.text}\n{draft.text}"
            draft.unsaved = True
            self._timer.start()

    def _adopt(self, chat_id: str, draft: _Draft, stored: StoredDraft) -> None:
        draft.text = stored.text
        draft.files = {one.id: one for one in stored.attachments}
        draft.names = {one.id: one.name for one in stored.attachments}
        if chat_id == self._chat_id:
            self._show()

    def _show(self) -> None:
        self.text_wanted.emit(self._draft.text)
        self._tell_files()

    def _tell_files(self) -> None:
        draft = self._draft
        views = [
            AttachmentView(key, draft.names[key], reading=True)
            if one is None
            else attachment_view(one)
            for key, one in draft.files.items()
        ]
        self.attachments_changed.emit(views)
        self.changed.emit()

    def _on_error(self, error: Exception) -> None:
        self.failed.emit(str(error))


def _saving(chat_id: str, text: str, files: Sequence[Attachment] | None) -> Callable[[Store], None]:
    return lambda store: store.drafts.save(chat_id, text, files)
