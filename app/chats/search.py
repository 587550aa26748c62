"""Search over titles, messages and attachments, as one types.

The index answers for words, the text itself for the rest.
"""

import re
import sqlite3
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Literal

from app.chats.database import Database
from app.chats.rows import storable
from app.chats.words import Query, parse_query

Order = Literal["newest", "best"]

SNIPPET_LENGTH = 160
RANKED = 1000  # how many of the newest hits are ranked: all of them would take too long
SCANNED = 2000  # how many of the newest messages are looked through without the index
TITLES = 20
ATTACHED = 10  # how many attachments are found: each may hold megabytes, which are read for it
_LEAD = 40  # how much of a snippet stands before its hit
_NEARBY = 2000  # how far around the first hit a snippet is cut from, before spaces collapse

_SPECIAL, _ESCAPED = re.compile(r"[%_\\]"), r"\\\g<0>"  # in a pattern of LIKE

_INDEXED = "message_search CROSS JOIN message ON message.number = message_search.rowid"


@dataclass(frozen=True)
class Hit:
    """Where something was found; the jump leads to `message_id`, or to the chat for a title.

    Attributes:
        role: Who said it; None for a title.
        snippet: The text around the first hit as one line, or the whole title. What was found in
            an attachment stands behind its name.
        marks: Beginning and end of each hit in the snippet, in characters (code points).
        at: When it was said or, for a title, when the chat was last written to; seconds.
    """

    chat_id: str
    message_id: str | None
    title: str
    role: str | None
    snippet: str
    marks: tuple[tuple[int, int], ...]
    at: float
    archived: bool


class Search:
    """Finds words, beginnings of words, "phrases", and parts of words in unspaced scripts."""

    def __init__(self, data: Database) -> None:
        self._data = data

    def find(self, text: str, *, order: Order = "newest", limit: int = 50) -> tuple[Hit, ...]:
        """Return hits: titles first, then messages, with what was attached to them.

        What the index does not know (one letter, signs, the middle of a word) is looked for in
        all titles and in the newest messages alone.

        Args:
            text: What was typed; all its words must occur.
            order: The newest messages first, or the best of the newest RANKED ones.
            limit: The most messages to return.
        """
        query = parse_query(storable(text))
        if query is None:
            return ()
        with self._data.reading() as connection:
            said = [*_messages(connection, query, order, limit)]
            found = {hit.message_id for hit in said}
            said += (one for one in _attached(connection, query) if one.message_id not in found)
            if order == "newest":
                said.sort(key=lambda hit: -hit.at)
            hits = [*_titles(connection, query), *said[:limit]]
            if not hits:
                hits = [*_scanned_titles(connection, query), *_scanned(connection, query, limit)]
        return tuple(hits)


def _titles(connection: sqlite3.Connection, query: Query) -> Iterator[Hit]:
    if query.match is None:
        return
    rows = connection.execute(
        "SELECT id, title, updated_at, archived FROM chat_search "
        "CROSS JOIN chat ON chat.number = chat_search.rowid "
        "WHERE chat_search MATCH ? AND deletion IS NULL ORDER BY updated_at DESC LIMIT ?",
        (query.match, TITLES),
    )
    yield from (_title_hit(row, query.marks) for row in rows)


def _select(source: str, found: str = "", more: str = "") -> str:
    """Return the beginning of a statement for messages that can be seen, with their chats."""
    return (
        "SELECT chat.id, message.id, title, role, message.text, message.created_at, archived"
        f"{more} FROM {source} JOIN chat ON chat.id = message.chat_id "
        f"WHERE {found} chat.deletion IS NULL AND message.deletion IS NULL "
        "AND message.splice IS NULL AND message.state <> 'streaming'"
    )


def _messages(
    connection: sqlite3.Connection, query: Query, order: Order, limit: int
) -> Iterator[Hit]:
    if query.match is None:
        return
    # One character has no best hits, and ranking all its pairs would take long.
    if order == "newest" or [len(term) for term in query.plain] == [1]:
        found = _select(_INDEXED, "message_search MATCH ? AND")
        sql = f"{found} ORDER BY message_search.rowid DESC LIMIT ?"
        rows = connection.execute(sql, (query.match, limit))
    else:
        ranked = (
            "(SELECT rowid AS row, bm25(message_search) AS score FROM message_search "
            "WHERE message_search MATCH ? ORDER BY rowid DESC LIMIT ?) "
            "CROSS JOIN message ON message.number = row"
        )
        sql = f"{_select(ranked)} ORDER BY score, row DESC LIMIT ?"
        rows = connection.execute(sql, (query.match, RANKED, limit))
    yield from (_message_hit(row, query.marks) for row in rows)


def _attached(connection: sqlite3.Connection, query: Query) -> Iterator[Hit]:
    if query.match is None:
        return
    found = _select(
        "attachment_search "
        "CROSS JOIN attachment ON attachment.number = attachment_search.rowid "
        "JOIN message ON message.id = attachment.message_id",
        "attachment_search MATCH ? AND",
        ", attachment.name, attachment.text",
    )
    seen: set[str] = set()
    for *row, name, text in connection.execute(
        f"{found} ORDER BY attachment_search.rowid DESC LIMIT ?", (query.match, ATTACHED)
    ):
        if row[1] not in seen:
            seen.add(row[1])
            yield _attachment_hit(tuple(row), name, text, query.marks)


def _scanned_titles(connection: sqlite3.Connection, query: Query) -> Iterator[Hit]:
    rows = connection.execute(
        "SELECT id, title, updated_at, archived FROM chat "
        f"WHERE {_contains('title', query)} AND deletion IS NULL ORDER BY updated_at DESC LIMIT ?",
        (*_wanted(query), TITLES),
    )
    yield from (_title_hit(row, _plain_marks(query)) for row in rows)


def _scanned(connection: sqlite3.Connection, query: Query, limit: int) -> Iterator[Hit]:
    newest = "(SELECT * FROM message ORDER BY number DESC LIMIT ?) AS message"
    found = _select(newest, f"{_contains('message.text', query)} AND")
    rows = connection.execute(
        f"{found} ORDER BY message.number DESC LIMIT ?", (SCANNED, *_wanted(query), limit)
    )
    yield from (_message_hit(row, _plain_marks(query)) for row in rows)


def _contains(column: str, query: Query) -> str:
    return " AND ".join([rf"{column} LIKE ? ESCAPE '\'"] * len(query.plain))


def _wanted(query: Query) -> list[str]:
    return [f"%{_SPECIAL.sub(_ESCAPED, term)}%" for term in query.plain]


def _plain_marks(query: Query) -> re.Pattern[str]:
    return re.compile("|".join(map(re.escape, query.plain)), re.IGNORECASE)


def _title_hit(row: tuple[Any, ...], marks: re.Pattern[str]) -> Hit:
    chat_id, title, at, archived = row
    return Hit(chat_id, None, title, None, title, _marked(title, marks), at, bool(archived))


def _message_hit(row: tuple[Any, ...], marks: re.Pattern[str]) -> Hit:
    chat_id, message_id, title, role, text, at, archived = row
    snippet = _snippet(text, marks)
    return Hit(
        chat_id, message_id, title, role, snippet, _marked(snippet, marks), at, bool(archived)
    )


def _attachment_hit(row: tuple[Any, ...], name: str, text: str, marks: re.Pattern[str]) -> Hit:
    chat_id, message_id, title, role, _, at, archived = row
    snippet = f"{name}: {_snippet(text, marks)}"
    return Hit(
        chat_id, message_id, title, role, snippet, _marked(snippet, marks), at, bool(archived)
    )


def _marked(text: str, marks: re.Pattern[str]) -> tuple[tuple[int, int], ...]:
    return tuple(match.span() for match in marks.finditer(text) if match[0])


def _snippet(text: str, marks: re.Pattern[str]) -> str:
    """Cut one line out of a text, around its first hit, between words where there are any."""
    match = marks.search(text)
    start = match.start() if match else 0
    first = max(0, start - _NEARBY)
    # The first character of the hit keeps the space before it from being stripped.
    before = " ".join(text[first : start + 1].split())[:-1]
    cut = first > 0 or len(before) > _LEAD
    if len(before) > _LEAD:
        space = before.find(" ", len(before) - _LEAD)
        before = before[space + 1 if space >= 0 else len(before) - _LEAD :]
    rest = " ".join(text[start : start + _NEARBY].split())
    room = SNIPPET_LENGTH - len(before)
    if len(rest) <= room and start + _NEARBY >= len(text):
        end = ""
    else:
        space = rest.rfind(" ", room // 2, room + 1)
        rest, end = rest[: space if space > 0 else room], "…"
    return f"{'…' if cut else ''}{before}{rest}{end}"
