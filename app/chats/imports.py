"""Bringing chats of files into the store: what would come in, then all of it or nothing.

Chats come in a part at a time, so that others are served in between. Until the last part is in
they have a mark instead of the number of a deletion, and are seen by nobody.
"""

import json
import sqlite3
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass

from PySide6.QtCore import QCoreApplication

from app.chats.assemble import with_new_ids
from app.chats.database import Database
from app.chats.errors import StoreError
from app.chats.import_files import ImportFile, LeftOut
from app.chats.model import Archive, Message
from app.chats.rows import insert_chat, insert_message, set_leaf

_AT_ONCE = 100  # messages: others wait for so many, some 50 ms
_SWEPT = 5  # chats

_Part = Sequence[tuple[Archive, Sequence[Message]]]

translate = QCoreApplication.translate


class ImportEndedError(StoreError):
    """The user ended an import; nothing of it came in."""


@dataclass(frozen=True)
class PreviewChat:
    """A chat that could come in; `here` tells that the store has it already."""

    id: str
    title: str
    created_at: float
    messages: int
    attachments: int
    here: bool


@dataclass(frozen=True)
class ImportReport:
    """What came in and what did not."""

    chats: int
    messages: int
    attachments: int
    left_out: tuple[LeftOut, ...]
    partly: dict[str, int]


class Import:
    """Chats on their way in; belongs to the store's thread.

    Attributes:
        total: How many messages are to come in.
        done: How many of them are in.
    """

    def __init__(
        self,
        data: Database,
        marks: set[int],
        file: ImportFile,
        chosen: Collection[str] | None,
        *,
        copies: bool,
    ) -> None:
        self._data = data
        self._marks = marks
        self._partly = file.partly
        self._left_out = list(file.left_out)
        wanted = [one for one in file.chats if chosen is None or one.chat.id in chosen]
        with data.reading() as connection:
            self._taken = self._choose(connection, wanted, copies=copies)
            lowest = connection.execute("SELECT min(deletion) FROM chat").fetchone()[0]
        self._mark = min(lowest or 0, 0, *marks) - 1
        marks.add(self._mark)
        self._parts = iter(tuple(_parts(self._taken)))
        self.total = sum(len(one.messages) for one in self._taken)
        self.done = 0

    @property
    def report(self) -> ImportReport:
        """What comes in and what does not."""
        messages = [message for one in self._taken for message in one.messages]
        return ImportReport(
            chats=len(self._taken),
            messages=len(messages),
            attachments=sum(len(message.attachments) for message in messages),
            left_out=tuple(self._left_out),
            partly=self._partly,
        )

    def step(self) -> bool:
        """Bring the next part in, in the end show all of them; return whether there is more.

        Raises:
            StoreError: The chats cannot be saved; the import has ended.
        """
        part = next(self._parts, None)
        try:
            with self._data.writing() as connection:
                if part is None:
                    connection.execute(
                        "UPDATE chat SET deletion = NULL WHERE deletion = ?", (self._mark,)
                    )
                else:
                    self._insert(connection, part)
        except BaseException:
            self.end()
            raise
        if part is None:
            self.end()
        else:
            self.done += sum(len(messages) for _, messages in part)
        return part is not None

    def end(self) -> None:
        """Bring nothing more in; what is in and unseen is left to `Imports.sweep`."""
        self._parts = iter(())
        self._marks.discard(self._mark)

    def _choose(
        self, connection: sqlite3.Connection, wanted: Sequence[Archive], *, copies: bool
    ) -> list[Archive]:
        here = _here(connection, wanted, self._marks)
        taken: list[Archive] = []
        seen: set[str] = set()
        for one in wanted:
            ids = {message.id for message in one.messages}
            ids.update(each.id for message in one.messages for each in message.attachments)
            twice = not seen.isdisjoint(ids)
            seen |= ids
            if one.chat.id in here and not copies:
                self._left_out.append(
                    LeftOut(one.chat.title, translate("Import", "It is here already."))
                )
            elif twice or one.chat.id in here or _collides(connection, one):
                taken.append(with_new_ids(one))
            else:
                taken.append(one)
        return taken

    def _insert(self, connection: sqlite3.Connection, part: _Part) -> None:
        for one, messages in part:
            if messages[0] is one.messages[0]:
                insert_chat(connection, one.chat, one.settings)
                connection.execute(
                    "UPDATE chat SET deletion = ? WHERE id = ?", (self._mark, one.chat.id)
                )
        _insert_messages(connection, (message for _, messages in part for message in messages))
        for one, messages in part:
            if messages[-1] is one.messages[-1]:
                set_leaf(connection, one.chat.id, one.chat.leaf_id)


class Imports:
    """Brings chats into the store: all that was chosen, or nothing."""

    def __init__(self, data: Database) -> None:
        self._data = data
        self._marks: set[int] = set()

    def preview(self, file: ImportFile) -> tuple[PreviewChat, ...]:
        """Return what would come in; changes nothing."""
        with self._data.reading() as connection:
            here = _here(connection, file.chats, self._marks)
        return tuple(
            PreviewChat(
                id=one.chat.id,
                title=one.chat.title,
                created_at=one.chat.created_at,
                messages=len(one.messages),
                attachments=sum(len(message.attachments) for message in one.messages),
                here=one.chat.id in here,
            )
            for one in file.chats
        )

    def begin(
        self, file: ImportFile, chosen: Collection[str] | None = None, *, copies: bool = False
    ) -> Import:
        """Return an import of which nothing is in yet.

        Args:
            file: What was read.
            chosen: The ids of the chats to take; None takes all.
            copies: Whether chats that are here already come in again, beside the first.
        """
        return Import(self._data, self._marks, file, chosen, copies=copies)

    def run(
        self,
        file: ImportFile,
        chosen: Collection[str] | None = None,
        *,
        copies: bool = False,
        go_on: Callable[[int], bool] = lambda _: True,
    ) -> ImportReport:
        """Bring chats in, from `begin` to the end.

        Args:
            file: What was read.
            chosen: The ids of the chats to take; None takes all.
            copies: Whether chats that are here already come in again, beside the first.
            go_on: Told now and then how many messages are in; False takes all out again.

        Raises:
            ImportEndedError: The work was ended; nothing came in.
            StoreError: The chats cannot be saved; nothing came in.
        """
        one = self.begin(file, chosen, copies=copies)
        while one.step():
            if not go_on(one.done):
                one.end()
                while self.sweep():
                    pass
                raise ended()
        return one.report

    def sweep(self) -> bool:
        """Remove some of what ended imports have left, unseen; return whether there is more."""
        with self._data.writing() as connection:
            rows = connection.execute(
                "SELECT number FROM chat WHERE deletion < 0 "
                "AND deletion NOT IN (SELECT value FROM json_each(?)) LIMIT ?",
                (json.dumps([*self._marks]), _SWEPT),
            ).fetchall()
            connection.executemany("DELETE FROM chat WHERE number = ?", rows)
        return bool(rows)

    def keep(self, *archives: Archive) -> None:
        """Take in chats of another store as they are; what is here already is left alone.

        A chat that says more than the one which is here comes in beside it.
        """
        with self._data.writing() as connection:
            here = _present(connection, "chat", (one.chat.id for one in archives))
            taken: list[Archive] = []
            for one in archives:
                ids = [message.id for message in one.messages]
                if one.chat.id not in here:
                    taken.append(one)
                elif len(_present(connection, "message", ids)) < len(ids):
                    taken.append(with_new_ids(one))
            insert_archives(connection, taken)


def ended() -> ImportEndedError:
    """What is said of an import that the user ended."""
    return ImportEndedError(translate("Import", "Nothing was brought in."))


def insert_archives(connection: sqlite3.Connection, archives: Iterable[Archive]) -> None:
    """Add whole chats."""
    chats = tuple(archives)
    for one in chats:
        insert_chat(connection, one.chat, one.settings)
    _insert_messages(connection, (message for one in chats for message in one.messages))
    for one in chats:
        set_leaf(connection, one.chat.id, one.chat.leaf_id)


def _insert_messages(connection: sqlite3.Connection, messages: Iterable[Message]) -> None:
    """Add messages in the order of time, which the index of words likes."""
    number = -1
    for message in sorted(messages, key=lambda message: message.created_at):
        number = insert_message(connection, message, number + 1)


def _parts(archives: Iterable[Archive]) -> Iterator[_Part]:
    """Split chats, the oldest first, into parts of about as many messages; parents come first."""
    part: list[tuple[Archive, Sequence[Message]]] = []
    size = 0
    for one in sorted(archives, key=lambda one: one.chat.created_at):
        for start in range(0, len(one.messages), _AT_ONCE):
            messages = one.messages[start : start + _AT_ONCE]
            part.append((one, messages))
            size += len(messages)
            if size >= _AT_ONCE:
                yield part
                part, size = [], 0
    if part:
        yield part


def _present(connection: sqlite3.Connection, table: str, ids: Iterable[str]) -> set[str]:
    rows = connection.execute(
        f"SELECT id FROM {table} WHERE id IN (SELECT value FROM json_each(?))",
        (json.dumps(list(ids)),),
    )
    return {row[0] for row in rows}


def _here(
    connection: sqlite3.Connection, archives: Iterable[Archive], marks: Collection[int]
) -> set[str]:
    """Return the ids of chats that can be seen, or are about to come in."""
    rows = connection.execute(
        "SELECT id FROM chat WHERE id IN (SELECT value FROM json_each(?)) AND "
        "(deletion IS NULL OR deletion IN (SELECT value FROM json_each(?)))",
        (json.dumps([one.chat.id for one in archives]), json.dumps([*marks])),
    )
    return {row[0] for row in rows}


def _collides(connection: sqlite3.Connection, archive: Archive) -> bool:
    attachments = (one.id for message in archive.messages for one in message.attachments)
    return bool(
        _present(connection, "chat", (archive.chat.id,))
        or _present(connection, "message", (message.id for message in archive.messages))
        or _present(connection, "attachment", attachments)
    )
