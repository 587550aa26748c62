"""What can be read of a damaged file goes into a new one; the damaged one is kept beside it."""

import contextlib
import filecmp
import json
import os
import shutil
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast, get_args

from PySide6.QtCore import QCoreApplication

from app.chats.assemble import RawChat, RawMessage, assemble
from app.chats.database import Database, damaged, doubt, sentences
from app.chats.drafts import Drafts, StoredDraft, attachments_of
from app.chats.errors import DamagedError
from app.chats.imports import insert_archives
from app.chats.library import Library, Preset, SavedPrompt
from app.chats.model import Attachment, Role, State, TitledBy
from app.chats.pages import Pages, Row, Value
from app.chats.rows import figures_of, unpacked
from app.chats.settings import settings_from_json
from ui.counts import Counts

translate = QCoreApplication.translate


@dataclass(frozen=True)
class Recovery:
    """What was brought over into a new file, and where the damaged one is kept."""

    chats: int
    messages: int
    kept: Path

    @property
    def sentence(self) -> str:
        """What the user is told."""
        counts = Counts()
        one_chat, one_message = translate("Chats", "1 chat"), translate("Chats", "1 message")
        sentence = translate(
            "Chats",
            "The file of chats was damaged: {chats} with {messages} could be recovered, and the "
            "damaged file is kept as {path}.",
        )
        return sentence.format(
            chats=one_chat if self.chats == 1 else counts.chats(self.chats),
            messages=one_message if self.messages == 1 else counts.messages(self.messages),
            path=self.kept,
        )


def recover(path: Path) -> Recovery:
    """Put a new file with all that can be read in place of a damaged one, which is kept.

    A kill at any moment leaves the damaged file, or a copy of it, with nothing lost.

    Raises:
        DamagedError: Nothing can be read; the file is left as it is.
        StoreError: The new file cannot be written.
    """
    with sentences(path):
        found = _Found()
        for row in Pages(*_content(_earlier(path) or path)).rows():
            found.add(row)
        chats = _chats(found)
        if not chats:
            raise DamagedError(damaged(path))
        kept = _earlier(path) or _keep(path)
        new = path.with_name(f"{path.name}.recovering")
        for leftover in (new, _log(new), new.with_name(f"{new.name}-shm")):
            leftover.unlink(missing_ok=True)
        archives = [assemble(chat) for chat in chats]
        with contextlib.closing(Database(new)) as data:
            with data.writing() as connection:
                insert_archives(connection, archives)
            library = Library(data)
            for preset in found.presets.values():
                library.save_preset(preset)
            for prompt in found.prompts.values():
                library.save_prompt(prompt)
            for chat_id, draft in found.drafts.items():
                Drafts(data).save(chat_id, draft.text, draft.attachments)
        # The log belongs to the damaged file: SQLite would play it into the new one.
        _log(path).unlink(missing_ok=True)
        path.with_name(f"{path.name}-shm").unlink(missing_ok=True)
        new.replace(path)
        doubt(path).unlink(missing_ok=True)
    count = sum(len(archive.messages) for archive in archives)
    return Recovery(len(archives), count, kept)


def _log(path: Path) -> Path:
    return path.with_name(f"{path.name}-wal")


def _content(path: Path) -> tuple[bytes, bytes]:
    log = _log(path)
    return path.read_bytes(), log.read_bytes() if log.exists() else b""


def _kept(path: Path, number: int) -> Path:
    return path.with_name(f"{path.stem}.damaged-{number}{path.suffix}")


def _earlier(path: Path) -> Path | None:
    """Return the copy that a recovery made which was killed: it may hold more than the file."""
    number = 1
    while (kept := _kept(path, number)).exists():
        if filecmp.cmp(kept, path, shallow=False):
            return kept
        number += 1
    return None


def _keep(path: Path) -> Path:
    """Copy the damaged file beside itself, its log first: the copy is whole once it is there."""
    number = 1
    while (kept := _kept(path, number)).exists():
        number += 1
    if _log(path).exists():
        _copy(_log(path), _log(kept))
    _copy(path, kept)
    return kept


def _copy(source: Path, target: Path) -> None:
    part = target.with_name(f"{target.name}.part")
    shutil.copyfile(source, part)
    with part.open("rb") as file:
        os.fsync(file.fileno())
    part.replace(target)


class _Found:
    """Rows told apart by their shape; of each id the first one is kept."""

    def __init__(self) -> None:
        self.chats: dict[str, RawChat] = {}
        self.messages: dict[str, tuple[str, RawMessage]] = {}
        self.attachments: dict[str, tuple[str, Attachment]] = {}
        self.presets: dict[str, Preset] = {}
        self.prompts: dict[str, SavedPrompt] = {}
        self.drafts: dict[str, StoredDraft] = {}
        self.in_trash: set[str] = set()
        self.skipped: dict[str, str | None] = {}

    def add(self, row: Row) -> None:
        """Take a row of any table in."""
        values = row.values
        if len(values) == 16 and values[6] in get_args(Role):
            self._add_message_2(values)
        elif len(values) == 10 and values[3] in get_args(Role):
            self._add_message_1(values)
        elif len(values) == 12 and values[3] in get_args(TitledBy):
            self._add_chat(values[1:3], values[4:7], values)
        elif len(values) == 5 and _is_text(*values[:2]) and _number(values[2]) is not None:
            self._add_chat(values[:2], values[2:5], None)
        elif len(values) == 7 and _is_text(*values[1:5], values[6]):
            _, key, above, name, media_type, size, text = cast("tuple[Any, ...]", values)
            attachment = Attachment(key, name, media_type, size or 0, text)
            self.attachments.setdefault(key, (above, attachment))
        elif len(values) == 4 and row.table in (None, "draft") and _is_text(*values[:3]):
            chat, text, files = cast("tuple[str, str, str]", values[:3])
            self.drafts.setdefault(chat, StoredDraft(text, attachments_of(files)))
        elif len(values) == 5 and values[0] is None and _is_text(*values[1:4]):
            self._add_to_library(row.table, *cast("tuple[str, str, str]", values[1:4]))

    def _add_to_library(self, table: str | None, key: str, name: str, text: str) -> None:
        if table == "preset" or (table is None and text.startswith('{"system_prompt"')):
            self.presets.setdefault(key, Preset(key, name, settings_from_json(text)))
        elif table in ("prompt", None):
            self.prompts.setdefault(key, SavedPrompt(key, name, text))

    def _add_message_2(self, values: tuple[Value, ...]) -> None:
        _, key, chat, parent, _, shown, role, state, at, deletion, splice = values[:11]
        model, figures, settings, text, token_ids = values[11:]
        if not _is_text(key, chat, text):
            return
        if deletion is not None or splice is not None:
            self.skipped[cast("str", key)] = parent if isinstance(parent, str) else None
            return
        message = _message(key, parent, role, state, at, model, figures, text, token_ids)
        message.shown = shown if isinstance(shown, int) else 0
        if isinstance(settings, str):
            message.settings = settings_from_json(settings)
        self.messages.setdefault(message.key, (cast("str", chat), message))

    def _add_message_1(self, values: tuple[Value, ...]) -> None:
        key, chat, parent, role, text, state, at, model, token_ids, figures = values
        if _is_text(key, chat, text):
            message = _message(key, parent, role, state, at, model, figures, text, token_ids)
            self.messages.setdefault(message.key, (cast("str", chat), message))

    def _add_chat(
        self,
        named: tuple[Value, ...],
        times: tuple[Value, ...],
        more: tuple[Value, ...] | None,
    ) -> None:
        (key, title), (created_at, updated_at, leaf) = named, times
        if not _is_text(key, title):
            return
        chat = RawChat(
            key=cast("str", key),
            title=cast("str", title),
            created_at=_number(created_at),
            updated_at=_number(updated_at),
            leaf=leaf if isinstance(leaf, str) else None,
            titled_by="question",
        )
        if more is not None:
            if more[9] is not None:
                self.in_trash.add(chat.key)
                return
            chat.titled_by = cast("TitledBy", more[3])
            chat.pinned, chat.archived = more[7] == 1, more[8] == 1
            chat.settings = settings_from_json(str(more[11]))
        self.chats.setdefault(chat.key, chat)


def _chats(found: _Found) -> list[RawChat]:
    """Join what was found; messages whose chat is lost get one."""
    for above, attachment in found.attachments.values():
        if above in found.messages:
            message = found.messages[above][1]
            message.attachments = (*message.attachments, attachment)
    for chat_id, message in found.messages.values():
        if chat_id in found.in_trash:
            continue
        seen: set[str] = set()
        while message.parent in found.skipped and message.parent not in seen:
            seen.add(message.parent)
            message.parent = found.skipped[message.parent]
        title = translate("Chats", "Recovered messages")
        chat = found.chats.setdefault(chat_id, RawChat(chat_id, title, left_out=Counter()))
        chat.messages.append(message)
    for chat in found.chats.values():
        chat.messages.sort(key=lambda message: message.created_at or 0.0)
    return list(found.chats.values())


def _message(
    key: Value, parent: Value, role: Value, state: Value, at: Value, *rest: Value
) -> RawMessage:
    model, figures, text, token_ids = rest
    return RawMessage(
        key=cast("str", key),
        parent=parent if isinstance(parent, str) else None,
        role=cast("Role", role),
        text=cast("str", text),
        created_at=_number(at),
        model=model if isinstance(model, str) else None,
        state=cast("State", state) if state in get_args(State) else "interrupted",
        token_ids=unpacked(token_ids) if isinstance(token_ids, bytes) else (),
        figures=_figures(figures),
    )


def _figures(text: Value) -> Any:
    with contextlib.suppress(ValueError, RecursionError):
        return figures_of(json.loads(text)) if isinstance(text, str) else None
    return None


def _number(value: Value) -> float | None:
    return float(value) if isinstance(value, int | float) else None


def _is_text(*values: Value) -> bool:
    return all(isinstance(value, str) for value in values)
