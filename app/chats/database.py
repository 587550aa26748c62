"""The chats' SQLite file: opening it safely, its schema, migrations, and errors as sentences.

A file that is damaged, newer, foreign, locked or read-only is refused and stays as it is.
"""

import contextlib
import sqlite3
from collections.abc import Generator, Sequence
from pathlib import Path

APPLICATION_ID = 0x43555457  # "CUTW": tells our files from other programs'

# Each entry brings the schema one version further. A published entry never changes.
MIGRATIONS: tuple[tuple[str, ...], ...] = (
    (
        """
        CREATE TABLE chat (
            id TEXT PRIMARY KEY NOT NULL,
            title TEXT NOT NULL,
            created_at REAL NOT NULL,
            updated_at REAL NOT NULL,
            leaf_id TEXT,
            FOREIGN KEY (id, leaf_id) REFERENCES message (chat_id, id)
                DEFERRABLE INITIALLY DEFERRED
        ) STRICT
        """,
        "CREATE INDEX chat_by_time ON chat (updated_at)",
        """
        CREATE TABLE message (
            id TEXT PRIMARY KEY NOT NULL,
            chat_id TEXT NOT NULL REFERENCES chat (id) ON DELETE CASCADE
                DEFERRABLE INITIALLY DEFERRED,
            parent_id TEXT,
            role TEXT NOT NULL CHECK (role IN ('system', 'user', 'assistant')),
            text TEXT NOT NULL,
            state TEXT NOT NULL
                CHECK (state IN ('complete', 'streaming', 'stopped', 'interrupted', 'failed')),
            created_at REAL NOT NULL,
            model TEXT,
            token_ids BLOB NOT NULL,
            figures TEXT,
            UNIQUE (chat_id, id),
            FOREIGN KEY (chat_id, parent_id) REFERENCES message (chat_id, id)
                DEFERRABLE INITIALLY DEFERRED
        ) STRICT
        """,
        "CREATE INDEX message_by_parent ON message (chat_id, parent_id)",
        "CREATE INDEX message_streaming ON message (state) WHERE state = 'streaming'",
    ),
)


class StoreError(Exception):
    """The chats cannot be read or saved; the message is a sentence that says what to do."""


def open_database(
    path: Path,
    *,
    busy_s: float = 2.0,
    migrations: Sequence[Sequence[str]] = MIGRATIONS,
) -> sqlite3.Connection:
    """Open the chats, creating or migrating the file where needed, for this process alone.

    Replies that were streaming when the last process ended become "interrupted".

    Args:
        path: The file; missing folders are made.
        busy_s: How long to wait, in seconds, for another program that has the file open.
        migrations: The statements of each schema version.

    Raises:
        StoreError: The file cannot be used. It is left as it was.
    """
    with sentences(path):
        path.parent.mkdir(parents=True, exist_ok=True)
        _inspect(path, busy_s, len(migrations))
        connection = sqlite3.connect(path, timeout=busy_s, isolation_level=None)
        try:
            _prepare(connection)
            version = _pragma(connection, "user_version")
            if 0 < version < len(migrations):
                _back_up(connection, path, version)
            with transaction(connection):
                _migrate(connection, version, migrations)
                connection.execute(
                    "UPDATE message SET state = 'interrupted' WHERE state = 'streaming'"
                )
        except BaseException:
            connection.close()
            raise
    return connection


def _inspect(path: Path, busy_s: float, newest: int) -> None:
    """Refuse a file that is not ours to write, without writing to it."""
    if not path.exists():
        return
    if not path.is_file():
        raise StoreError(_unreachable(path))
    uri = f"{path.absolute().as_uri()}?mode=ro"
    with contextlib.closing(sqlite3.connect(uri, uri=True, timeout=busy_s)) as connection:
        version = _pragma(connection, "user_version")
        if _pragma(connection, "application_id") != APPLICATION_ID:
            if _is_blank(connection):
                return
            raise StoreError(
                f"{path} was made by another program and is left as it is: move it elsewhere, "
                "then start Cutaway again."
            )
        if version > newest:
            raise StoreError(
                f"The chats in {path} were saved by a newer Cutaway and are left as they are: "
                "update Cutaway to open them."
            )
        if connection.execute("PRAGMA quick_check(1)").fetchone()[0] != "ok":
            raise StoreError(_damaged(path))


def _is_blank(connection: sqlite3.Connection) -> bool:
    """Tell whether nothing was ever saved: a kill can come between a file and its schema."""
    return connection.execute("SELECT count(*) FROM sqlite_schema").fetchone() == (0,)


def _prepare(connection: sqlite3.Connection) -> None:
    # One process at a time: a second one would take live replies for interrupted ones.
    connection.execute("PRAGMA locking_mode = EXCLUSIVE")
    connection.execute("PRAGMA journal_mode = WAL")
    # In WAL mode a commit survives a kill at any level; FULL makes it survive a power cut too,
    # at one fsync a commit, which a thread of its own with two commits a second can afford.
    connection.execute("PRAGMA synchronous = FULL")
    connection.execute("PRAGMA foreign_keys = ON")


def _migrate(
    connection: sqlite3.Connection, version: int, migrations: Sequence[Sequence[str]]
) -> None:
    for statements in migrations[version:]:
        for statement in statements:
            connection.execute(statement)
    if version < len(migrations):
        connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
        connection.execute(f"PRAGMA user_version = {len(migrations)}")


def _back_up(connection: sqlite3.Connection, path: Path, version: int) -> None:
    """Copy the database beside itself before its schema changes; never over an older copy."""
    number = 1
    while (copy := path.with_name(f"{path.stem}.v{version}-backup-{number}{path.suffix}")).exists():
        number += 1
    part = copy.with_name(copy.name + ".part")
    part.unlink(missing_ok=True)
    with contextlib.closing(sqlite3.connect(part)) as target:
        connection.backup(target)
        # A copy in WAL mode would be more than one file.
        target.execute("PRAGMA journal_mode = DELETE")
    part.replace(copy)


def _pragma(connection: sqlite3.Connection, name: str) -> int:
    return int(connection.execute(f"PRAGMA {name}").fetchone()[0])


@contextlib.contextmanager
def transaction(connection: sqlite3.Connection) -> Generator[None]:
    """Commit everything in the block, or nothing of it."""
    connection.execute("BEGIN IMMEDIATE")
    try:
        yield
        connection.execute("COMMIT")
    except BaseException:
        # A full disk has rolled back by itself.
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise


@contextlib.contextmanager
def sentences(path: Path) -> Generator[None]:
    """Turn what SQLite and the system raise in the block into a StoreError."""
    try:
        yield
    except sqlite3.Error as error:
        raise StoreError(_sentence(path, error)) from error
    except OSError as error:
        raise StoreError(_unreachable(path)) from error


def _sentence(path: Path, error: sqlite3.Error) -> str:
    extended = getattr(error, "sqlite_errorcode", 0)
    if extended == sqlite3.SQLITE_CONSTRAINT_FOREIGNKEY:
        return "This chat no longer exists: start a new one."
    code = extended & 0xFF
    if code in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
        return (
            f"The chats in {path} are in use by another program, perhaps a second Cutaway: "
            "close it, then try again."
        )
    if code in (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB):
        return _damaged(path)
    if code == sqlite3.SQLITE_FULL:
        return f"The disk with {path} is full, so the chats cannot be saved: free some space."
    if code in (sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_PERM):
        return _unreachable(path)
    return f"The chats in {path} cannot be read or saved ({error}): check the disk, then try again."


def _damaged(path: Path) -> str:
    return (
        f"{path} is damaged, or not a file of chats, and is left as it is: put a backup in its "
        "place, or move it elsewhere to start with no chats."
    )


def _unreachable(path: Path) -> str:
    return (
        f"The chats cannot be saved in {path}: make sure that it is a file that you may write, "
        "in a folder that you may write."
    )
