"""Drafts: what is written in a chat and not sent yet, with the files that go with it."""

import dataclasses
import json
import time
from collections.abc import Sequence
from dataclasses import dataclass

from app.chats.database import Database
from app.chats.formats.own import attachment_of
from app.chats.loose import as_list, as_mapping
from app.chats.model import Attachment
from app.chats.rows import storable


@dataclass(frozen=True)
class StoredDraft:
    """What is written and not sent yet."""

    text: str = ""
    attachments: tuple[Attachment, ...] = ()


class Drafts:
    """Keeps drafts by chat; the empty id is that of a chat which is not stored yet."""

    def __init__(self, data: Database) -> None:
        self._data = data

    def read(self, chat_id: str) -> StoredDraft:
        """Return the draft of a chat, an empty one where there is none."""
        with self._data.reading() as connection:
            row = connection.execute(
                "SELECT text, attachments FROM draft WHERE chat_id = ?", (chat_id,)
            ).fetchone()
        return StoredDraft() if row is None else StoredDraft(row[0], attachments_of(row[1]))

    def save(
        self, chat_id: str, text: str, attachments: Sequence[Attachment] | None = None
    ) -> None:
        """Save a draft, or forget it where nothing is in it.

        Args:
            chat_id: Of which chat; where it no longer exists, nothing is saved.
            text: What is written.
            attachments: What goes with it; None leaves what was saved before.
        """
        with self._data.writing() as connection:
            known = "SELECT 1 FROM chat WHERE id = ?"
            if chat_id and connection.execute(known, (chat_id,)).fetchone() is None:
                return
            kept = None if attachments is None else storable(_written(attachments))
            connection.execute(
                "INSERT INTO draft (chat_id, text, attachments, updated_at) "
                "VALUES (?1, ?2, coalesce(?3, '[]'), ?4) ON CONFLICT (chat_id) DO UPDATE SET "
                "text = ?2, attachments = coalesce(?3, attachments), updated_at = ?4",
                (chat_id, storable(text), kept, time.time()),
            )
            connection.execute(
                "DELETE FROM draft WHERE chat_id = ? AND text = '' AND attachments = '[]'",
                (chat_id,),
            )

    def add(self, chat_id: str, draft: StoredDraft) -> None:
        """Put what was written elsewhere below what is written here, unless it stands there."""
        here = self.read(chat_id)
        known = {one.id for one in here.attachments}
        files = tuple(one for one in draft.attachments if one.id not in known)
        is_new = bool(draft.text) and not here.text.endswith(draft.text)
        if is_new or files:
            texts = (here.text, draft.text if is_new else "")
            text = "\n".join(one for one in texts if one)
            self.save(chat_id, text, (*here.attachments, *files))


def _written(attachments: Sequence[Attachment]) -> str:
    return json.dumps([dataclasses.asdict(one) for one in attachments], ensure_ascii=False)


def attachments_of(text: str) -> tuple[Attachment, ...]:
    """Return the attachments in the JSON of a draft, without those that are none."""
    try:
        entries = as_list(json.loads(text))
    except (ValueError, RecursionError):
        return ()
    found = (attachment_of(as_mapping(entry)) for entry in entries)
    return tuple(one for one in found if one is not None)
